#pragma once

#include <cstddef>

namespace claybox::collision {

/// Loads the cache lines from one address up to another in advance. Changes nothing; any addresses are good.
inline void prefetch_range(const void* first, const void* last) {
    for (const char* at = static_cast<const char*>(first); at < last; at += 64) __builtin_prefetch(at);
}

/// The same for an object, or its first bytes.
template <class T>
void prefetch(const T* object, std::size_t bytes = sizeof(T)) {
    prefetch_range(object, reinterpret_cast<const char*>(object) + bytes);
}

}  // namespace claybox::collision
