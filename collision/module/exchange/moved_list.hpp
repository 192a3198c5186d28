#pragma once
// Bodies changed between two passes: one entry per body, with snapshots of poses.

#include "collision/module/world.hpp"

#include <memory>
#include <span>
#include <vector>

namespace claybox::collision {

/// Changes of one body. Values are copies: the body may move on while a pass uses its old pose.
struct MovedBody {
    std::uint32_t slot = kNoIndex;
    std::uint32_t generation = 0;
    std::uint64_t frame = 0;  ///< application frame of the newest pose or deformation
    bool moved = false;       ///< `pose` is set
    bool removed = false;
    std::uint32_t start = kNoIndex;  ///< Arrival::placed: where the way to `pose` begins, MovedList::start()
    Pose pose;
    std::unique_ptr<BodyDef> added;  ///< set for a new body
    std::uint64_t creation = 0;      ///< new body: its number in creation order
    std::vector<VertexChange> changes;
};

/// Keeps the newest change of each vertex. Memory is kept between uses.
class ChangeMerger {
  public:
    void keep_newest(std::vector<VertexChange>& changes);

  private:
    std::vector<std::uint32_t> stamp_;  ///< per vertex
    std::uint32_t now_ = 0;
};

/// The moved list (Zachmann, thesis, 7.0.2). Entries keep their memory when the list is cleared.
class MovedList {
  public:
    bool empty() const { return count_ == 0; }
    std::span<MovedBody> bodies() { return {bodies_.data(), count_}; }

    /// The body's entry, created if necessary. Replaces the entry of an earlier body in the same slot.
    MovedBody& entry_for(BodyId body);
    void add_changes(MovedBody& body, std::span<const VertexChange> changes, std::uint32_t vertex_count);
    /// Sets a pose. Arrival::placed: the way to it and to later poses begins there.
    void set_pose(MovedBody& body, const Pose& pose, Arrival arrival);
    /// The way to the body's pose begins at `pose`, whichever it was before.
    void set_start(MovedBody& body, const Pose& pose);
    /// Of a body with MovedBody::start.
    const Pose& start(const MovedBody& body) const { return starts_[body.start]; }
    /// Merges the entries of a later frame: the newest pose wins and all changed vertices are kept. Entries
    /// of a body whose slot already has a newer body here are dropped. Empties `later`.
    void merge(MovedList& later);
    /// Sets the frame of every entry.
    void stamp_frame(std::uint64_t frame);
    void clear();
    std::size_t memory_bytes() const;

  private:
    static void reset(MovedBody& entry);

    std::vector<Pose> starts_;       ///< few: kept apart so that the list stays small
    std::vector<MovedBody> bodies_;  ///< the first count_ are in use
    std::size_t count_ = 0;
    std::vector<std::uint32_t> entry_of_slot_;  ///< kNoIndex: no entry
    ChangeMerger merger_;
};

}  // namespace claybox::collision
