// A separate file: otherwise the compiler pairs an inlined `delete` with a `new` that it cannot see.
#include "tests/jobs/failing_heap.hpp"

#include "tests/support/aligned_blocks.hpp"
#include "tests/support/sanitizers.hpp"

#include <atomic>
#include <cstdint>
#include <new>

namespace {

constexpr std::int64_t kNever = INT64_MAX;
std::atomic<std::int64_t> allowed_allocations{kNever};
thread_local bool exempt = false;

}  // namespace

#ifndef CLAYBOX_SANITIZED

namespace {

void* allocation_or_failure(std::size_t bytes, std::size_t alignment) {
    const bool counted = !exempt && allowed_allocations.load(std::memory_order_relaxed) != kNever;
    const bool fails = counted && allowed_allocations.fetch_sub(1, std::memory_order_relaxed) == 0;
    void* const block = fails ? nullptr : claybox::test::allocate_aligned(bytes, alignment);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

}  // namespace

void* operator new(std::size_t bytes) {
    return allocation_or_failure(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocation_or_failure(bytes, static_cast<std::size_t>(alignment));
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

#endif

namespace claybox::collision::test {

void fail_allocation_after(std::size_t allowed) {
    allowed_allocations = static_cast<std::int64_t>(allowed);
}

void fail_allocation_elsewhere_after(std::size_t allowed) {
    exempt = true;
    fail_allocation_after(allowed);
}

bool an_allocation_failed() {
    return allowed_allocations < 0;
}

void stop_failing_allocations() {
    allowed_allocations = kNever;
    exempt = false;
}

}  // namespace claybox::collision::test
