#pragma once

#include "collision/pairwise/scratch.hpp"

namespace claybox::collision {

/// Temporary arrays of one query. They use the worker's scratch memory, which grows to the largest query, or
/// memory of their own if the block is too small and already in use. The destructor releases everything.
class QueryBuffer {
  public:
    QueryBuffer(Scratch& scratch, std::size_t bytes) : scratch_(scratch), mark_(scratch.used()), own_(0) {
        in_scratch_ = scratch.take_growing<std::byte>(bytes).size() == bytes;
        scratch.reset_to(mark_);
        if (!in_scratch_) own_.reserve(bytes);
    }
    ~QueryBuffer() { scratch_.reset_to(mark_); }
    QueryBuffer(const QueryBuffer&) = delete;
    QueryBuffer& operator=(const QueryBuffer&) = delete;

    /// Never empty as long as the total taken, including alignment, fits into the requested bytes.
    template <class T>
    std::span<T> take(std::size_t count) {
        return in_scratch_ ? scratch_.take<T>(count) : own_.take<T>(count);
    }

  private:
    Scratch& scratch_;
    std::size_t mark_;
    Scratch own_;
    bool in_scratch_ = false;
};

}  // namespace claybox::collision
