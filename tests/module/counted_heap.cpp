// A separate file: otherwise the compiler pairs an inlined `delete` with a `new` that it cannot see.
#include "tests/module/counted_heap.hpp"

#include "tests/support/aligned_blocks.hpp"

#include <atomic>
#include <new>

namespace {

std::atomic<bool> counting{false};
std::atomic<std::size_t> allocations{0};

void* block_or_null(std::size_t bytes, std::size_t alignment) noexcept {
    if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
    return claybox::test::allocate_aligned(bytes, alignment);
}

void* counted_allocation(std::size_t bytes, std::size_t alignment) {
    if (void* const block = block_or_null(bytes, alignment)) return block;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) {
    return counted_allocation(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return counted_allocation(bytes, static_cast<std::size_t>(alignment));
}
// Freed by the operators delete below, and therefore replaced as well.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return block_or_null(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return block_or_null(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept {
    claybox::test::free_aligned(block);
}
void operator delete(void* block, std::size_t) noexcept {
    claybox::test::free_aligned(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
    claybox::test::free_aligned(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
    claybox::test::free_aligned(block);
}

namespace claybox::collision::test {

void start_counting_allocations() {
    allocations = 0;
    counting = true;
}

std::size_t stop_counting_allocations() {
    counting = false;
    return allocations;
}

}  // namespace claybox::collision::test
