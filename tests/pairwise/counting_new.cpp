#include "tests/pairwise/counting_new.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t allocations = 0, failing = 0;

/// Null if this is the one that fails, or if the memory is exhausted.
void* allocate(std::size_t size) {
    return ++allocations == failing ? nullptr : std::malloc(size == 0 ? 1 : size);
}

}  // namespace

void* operator new(std::size_t size) {
    if (void* p = allocate(size)) return p;
    throw std::bad_alloc();
}
// Replaced too, because it is freed by the same operator delete as the one above.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return allocate(size);
}
void operator delete(void* p) noexcept {
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
    std::free(p);
}

std::size_t claybox::test::allocations_of_this_thread() {
    return allocations;
}

void claybox::test::fail_allocation_of_this_thread(std::size_t allowed) {
    failing = allocations + allowed + 1;
}

void claybox::test::stop_failing_allocations() {
    failing = 0;
}
