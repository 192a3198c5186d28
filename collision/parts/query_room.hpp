#pragma once

#include "collision/parts/scratch.hpp"

namespace claybox::collision {

/// Temporary arrays of one query: in the worker's scratch, which grows to the largest query, or in memory of
/// its own where the caller's block is too small and already in use. Everything is given back at the end.
class QueryRoom {
  public:
    QueryRoom(Scratch& scratch, std::size_t bytes) : scratch_(scratch), mark_(scratch.used()), own_(0) {
        in_scratch_ = scratch.take_growing<std::byte>(bytes).size() == bytes;
        scratch.reset_to(mark_);
        if (!in_scratch_) own_.reserve(bytes);
    }
    ~QueryRoom() { scratch_.reset_to(mark_); }
    QueryRoom(const QueryRoom&) = delete;
    QueryRoom& operator=(const QueryRoom&) = delete;

    /// Never empty while the sum of what is taken, alignment included, is within the bytes asked for.
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
