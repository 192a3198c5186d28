#pragma once
// The motions of bodies during one pass, for pairs that are tested continuously.

#include "collision/continuous/pose_at.hpp"
#include "collision/continuous/registry.hpp"
#include "collision/module/interest.hpp"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace claybox::collision {

/// Which bodies sweep, from which pose they start, and how they move. Costs one test per pass while no pair
/// is continuous. Indexed by slot. begin() may run for different slots in parallel; everything else is for
/// one thread.
class BodySweeps {
  public:
    /// Number of algorithms that one body may be prepared for: the chosen one and its fallback.
    static constexpr std::size_t kChoices = 2;

    /// The groups whose moved bodies sweep, one bit per group; zero: none. When the first group starts to
    /// sweep, call resize(), and rest() for the bodies that have not moved. The others sweep from the next
    /// pass on.
    void set_groups(std::uint64_t groups);
    bool active() const { return groups_ != 0; }
    void resize(std::size_t slots) {
        if (active()) records_.resize(slots);
    }

    // The running pass, in this order. Call only while active().

    /// The body has not moved since the last pass: it sweeps from `pose`, in the world frame.
    void rest(std::uint32_t slot, const Pose& pose) {
        records_[slot].end = pose;
        records_[slot].is_known = true;
    }
    /// The body swept in the last pass and has not moved since: its bounds and pairs change, its pose does
    /// not.
    void settle(std::uint32_t slot, std::uint64_t pass) { records_[slot].settled_in = pass; }
    bool is_settled(std::uint32_t slot, std::uint64_t pass) const {
        return slot < records_.size() && records_[slot].settled_in == pass;
    }
    /// The body has a new place without a way to it: it sweeps from `pose`, in the parent's frame.
    void restart(std::uint32_t slot, const Pose& pose);
    void forget(std::uint32_t slot) {
        if (slot < records_.size()) records_[slot] = {};
    }
    /// Pose, in the parent's frame, that a restarted body sweeps from; null if it was not restarted.
    const Pose* restarted(std::uint32_t slot) const {
        return records_[slot].is_restarted ? &records_[slot].start : nullptr;
    }
    /// The way of a moved body in this pass, in the world frame.
    struct Way {
        const Pose* start = nullptr;  ///< of a restart, else null
        const Matrix34f& last;        ///< to_matrix of the pose in the last pass
        const Pose& to;
        const Matrix34f& matrix;  ///< to_matrix(to)
    };
    /// Sets the motion of a body. Returns whether it sweeps.
    bool begin(std::uint32_t slot, unsigned group, const Way& way);
    /// Records which of the bodies sweep. `moved` is in order of slots.
    void finish(std::span<const std::uint32_t> moved);
    /// The bodies that swept in the last finished pass, in order of slots.
    std::span<const std::uint32_t> swept_slots() const { return swept_slots_; }
    bool sweeps(std::uint32_t slot) const {
        return slot < records_.size() && records_[slot].motion.kind != Motion::Kind::fixed;
    }
    /// Only for bodies that sweep.
    const Motion& motion(std::uint32_t slot) const { return records_[slot].motion; }
    const Matrix34f& start_matrix(std::uint32_t slot) const { return records_[slot].matrix; }
    const Pose& start_pose(std::uint32_t slot) const { return records_[slot].start; }

    /// Data that a continuous algorithm prepared for the body.
    struct PreparedFor {
        const ContinuousAlgorithm* algorithm = nullptr;
        std::shared_ptr<const Prepared> data;
    };
    std::array<PreparedFor, kChoices>& prepared(std::uint32_t slot) { return records_[slot].prepared; }
    bool has_record(std::uint32_t slot) const { return slot < records_.size(); }
    std::size_t memory_bytes() const;

  private:
    struct Record {
        Pose start;        ///< of the motion, world frame; of a restart before begin(): in the parent's frame
        Pose end;          ///< world pose after the last pass
        Matrix34f matrix;  ///< at the start of the motion
        Motion motion;     ///< fixed: does not sweep
        bool is_known = false;      ///< `end` is set
        bool is_restarted = false;  ///< `start` is the pose of a restart
        std::uint64_t settled_in = 0;
        std::array<PreparedFor, kChoices> prepared;
    };

    std::uint64_t groups_ = 0;
    std::vector<Record> records_;  ///< empty while no group sweeps
    std::vector<std::uint32_t> swept_slots_;
};

}  // namespace claybox::collision
