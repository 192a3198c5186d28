#pragma once
// What an application enters between two passes: each body once, as snapshots.

#include "collision/module/world.hpp"

#include <memory>
#include <span>
#include <vector>

namespace claybox::collision {

/// What is entered of one body. Snapshots, so that a body may move on while a pass works on its old pose.
struct MovedBody {
    std::uint32_t slot = kNoIndex;
    std::uint32_t generation = 0;
    std::uint64_t frame = 0;  ///< the application's frame of the newest pose or deformation
    bool moved = false;       ///< `pose` is set
    bool removed = false;
    Pose pose;
    std::unique_ptr<BodyDef> added;  ///< set when the body is new
    std::uint64_t creation = 0;      ///< of a new body: its number in the order of creation
    std::vector<VertexChange> changes;
};

/// Drops earlier changes of a vertex that changes again later. The memory is kept between uses.
class ChangeMerger {
  public:
    void keep_newest(std::vector<VertexChange>& changes);

  private:
    std::vector<std::uint32_t> stamp_;  ///< by vertex
    std::uint32_t now_ = 0;
};

/// The moved list. Entries keep their memory when the list is cleared.
class MovedList {
  public:
    bool empty() const { return count_ == 0; }
    std::span<MovedBody> bodies() { return {bodies_.data(), count_}; }

    /// The body's entry, made when there is none; it takes the place of one of a body that had the slot
    /// before.
    MovedBody& enter(BodyId body);
    void add_changes(MovedBody& body, std::span<const VertexChange> changes, std::uint32_t vertex_count);
    /// Takes over the entries of a later frame: the newest pose wins, all changed vertices are kept, what is
    /// told of a body whose slot has a new one here is dropped. Empties `later`.
    void merge(MovedList& later);
    /// Gives every entry that has none yet its frame.
    void stamp_frame(std::uint64_t frame);
    void clear();
    std::size_t memory_bytes() const;

  private:
    static void empty(MovedBody& entry);

    std::vector<MovedBody> bodies_;  ///< the first count_ are in use
    std::size_t count_ = 0;
    std::vector<std::uint32_t> entry_of_slot_;  ///< kNoIndex where there is none
    ChangeMerger merger_;
};

}  // namespace claybox::collision
