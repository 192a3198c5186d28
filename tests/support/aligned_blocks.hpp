#pragma once
// Memory for tests that replace operator new. Windows has no std::aligned_alloc, and blocks of its own
// function need a free of their own.

#include <cstddef>
#include <cstdlib>

#ifdef _WIN32
#include <malloc.h>
#endif

namespace claybox::test {

/// At least one byte; null without memory. `alignment`: a power of two.
inline void* allocate_aligned(std::size_t bytes, std::size_t alignment) noexcept {
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    const std::size_t size = rounded > 0 ? rounded : alignment;
#ifdef _WIN32
    return _aligned_malloc(size, alignment);
#else
    return std::aligned_alloc(alignment, size);
#endif
}

inline void free_aligned(void* block) noexcept {
#ifdef _WIN32
    _aligned_free(block);
#else
    std::free(block);
#endif
}

}  // namespace claybox::test
