#pragma once
/// \file
/// Temporary memory of queries.

#include "collision/core/assert.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace claybox::collision {

/// Temporary memory of one worker for the duration of one query. Grows between queries, never during a query
/// that fits. Not shared between threads.
class Scratch {
  public:
    /// Starts with a block of this size.
    explicit Scratch(std::size_t bytes = 1 << 16) { reserve(bytes); }

    /// `count` uninitialised elements, valid until the next reset(); empty if the block is full.
    template <class T>
    std::span<T> take(std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::size_t start = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
        wanted_ = start + count * sizeof(T) > wanted_ ? start + count * sizeof(T) : wanted_;
        if (start + count * sizeof(T) > size_) return {};
        used_ = start + count * sizeof(T);
        return {reinterpret_cast<T*>(block_.get() + start), count};
    }
    /// Like take(), but first grows the block if nothing is taken yet. Allocates only for a query that needs
    /// more than every query before it.
    template <class T>
    std::span<T> take_growing(std::size_t count) {
        auto out = take<T>(count);
        if (out.size() == count || used_ != 0) return out;
        reserve(wanted_);
        return take<T>(count);
    }
    /// Releases everything that was taken.
    void reset() { used_ = 0; }
    /// Releases everything taken after `mark`, an earlier value of used().
    void reset_to(std::size_t mark) { used_ = mark; }
    /// Bytes taken since the last reset().
    std::size_t used() const { return used_; }
    /// The object of type T that lives as long as this scratch memory, default-constructed at the first call.
    /// For algorithms whose memory grows while they run: its vectors keep their capacity between queries.
    template <class T>
    T& workspace() {
        static constexpr char kTag = 0;
        for (const Workspace& w : workspaces_)
            if (w.tag == &kTag) return *static_cast<T*>(w.object.get());
        workspaces_.push_back({&kTag, std::make_shared<T>()});
        return *static_cast<T*>(workspaces_.back().object.get());
    }
    /// Grows the block to at least this size. Nothing may be taken.
    void reserve(std::size_t bytes) {
        if (bytes <= size_) return;
        CLAYBOX_ASSERT(used_ == 0);
        size_ = bytes;
        block_ = std::make_unique<std::byte[]>(bytes);
    }

  private:
    struct Workspace {
        const void* tag;
        std::shared_ptr<void> object;
    };
    std::vector<Workspace> workspaces_;
    std::unique_ptr<std::byte[]> block_;
    std::size_t size_ = 0, used_ = 0, wanted_ = 0;
};

}  // namespace claybox::collision
