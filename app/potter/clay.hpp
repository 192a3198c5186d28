#pragma once
// A lump of clay that hands shape. Touches change the polygons that the collision module reports and the clay
// around them; undo works per stroke; detail follows the hand.

#include "app/potter/cut/hollow.hpp"
#include "app/potter/detail/detail_job.hpp"
#include "app/potter/history/restore_job.hpp"
#include "app/potter/history/stroke_history.hpp"
#include "app/potter/touch/angle_limit.hpp"
#include "app/potter/touch/push_field.hpp"
#include "app/potter/touch/touch_planner.hpp"
#include "collision/jobs/background_task.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <variant>

namespace claybox::app {

inline constexpr double kFacetStep = 0.002;  ///< metres per frame at full strength

/// Remeshing of the touched clay.
struct DetailSettings {
    bool on = false;
    double edge = 0.002;          ///< wanted length of edges, metres; finer start shapes keep their own
    std::size_t budget = 200000;  ///< triangles; the clay gets no finer beyond
};

/// What undo, redo, reset or the end of a job changed.
struct ClayChange {
    /// Valid until the next change of the clay. With a new shape: moved since take_extras() was made.
    std::span<const collision::VertexChange> moved;
    bool remeshed = false;  ///< the clay has a new shape; see Clay::start()
    bool masked = false;    ///< the mask changed
    bool empty() const { return moved.empty() && !remeshed && !masked; }
};

/// Thread contract: one thread; remeshing runs on a thread of its own, and the frame that takes its result
/// does not depend on its speed. Every push by `push` or `grab` is a composition of smooth one-to-one maps of
/// space: a bump along slowly varying directions with a slope below one. Walls therefore bend and never pass
/// through each other.
class Clay {
  public:
    explicit Clay(collision::ShapePtr start);

    void use_detail(const DetailSettings& settings) { detail_ = settings; }

    /// Applies the touches. Starts a new stroke when the last push was more than a few frames ago. Returns
    /// the moved vertices; valid until the next change of the clay.
    std::span<const collision::VertexChange> push(std::span<const ClayTouch> touches, const ClayBrush& brush,
                                                  std::uint64_t frame);
    /// Call once per frame after push(). Starts and ends jobs.
    ClayChange update(std::uint64_t frame);

    /// Undoes the newest stroke, bit for bit. Empty if there is none. A stroke that remeshed large clay takes
    /// frames to undo: update() returns the change. Until then push() does nothing, and further calls of this
    /// group and the next one wait for their turn. While an edit of the next group runs, undo() cancels it.
    ClayChange undo() { return ask(HistoryStep::undo); }
    /// Brings back what undo() took, bit for bit, until a new stroke starts. Empty if there is nothing.
    ClayChange redo() { return ask(HistoryStep::redo); }
    /// Restores the start shape. This is a stroke too, so undo() brings the work back.
    ClayChange reset() { return ask(HistoryStep::reset); }

    /// Takes another start shape, at once. This is a stroke too, so undo() brings the work back. Jobs that
    /// run are finished or dropped, and the function of use_extras() is forgotten.
    void start_over(collision::ShapePtr shape);

    /// Each is a stroke of its own. They end in a later update(); until then push() does nothing. Remeshing
    /// also merges clay that passes through itself, and drops threads that are thinner than the edges are
    /// long.
    void remesh(std::uint64_t frame);
    void make_hollow(const HollowSize& size, std::uint64_t frame);
    void cut_along(const CutPlane& plane, CutKeep keep, std::uint64_t frame);
    void clear_mask();
    bool is_working() const { return restore_ || (job_ && job_->edit) || !requests_.empty(); }

    /// Every job calls the function that `make` returned at its start, on the job's thread, with the new
    /// surface. take_extras() returns the result once after a change with `remeshed`.
    void use_extras(std::function<MakeExtras()> make) { new_extras_ = std::move(make); }
    std::unique_ptr<NewShapeExtras> take_extras() { return std::move(extras_); }

    /// Why the last of these was not possible; empty if it was. Reading clears it.
    std::string take_problem() { return std::exchange(problem_, {}); }

    /// Strongest operation of the last frame with one.
    const ClayOp& last_push() const { return last_; }
    /// All operations of the last frame with one, copies by symmetry included.
    const std::vector<ClayOp>& last_ops() const { return ops_; }

    const ClaySurface& surface() const { return surface_; }
    const collision::ShapePtr& start() const { return surface_.start(); }
    const collision::Topology& topology() const { return surface_.topology(); }
    const std::vector<collision::Vec3f>& positions() const { return surface_.positions(); }
    const std::vector<collision::Vec3f>& start_positions() const { return surface_.start_positions(); }
    const std::vector<float>& mask() const { return mask_; }  ///< per vertex: 0 free .. 1 frozen
    std::uint64_t version() const { return surface_.version(); }
    std::size_t stroke_count() const { return strokes_.undo_count(); }
    std::size_t redo_count() const { return strokes_.redo_count(); }
    std::size_t history_bytes() const { return strokes_.bytes(); }
    std::size_t remesh_count() const { return remesh_count_; }
    /// Polygons that differ from the start shape: moved, or new by remeshing.
    std::size_t changed_polygons() const { return surface_.measure().polygons_moved + new_polygons_; }
    ClayMeasures measure() const { return surface_.measure(); }
    /// Dihedral angles after pushes by `facets`.
    const AngleLimit& angles() const;
    /// Of these, edges out of range; 0 if `facets` was not used.
    std::size_t edges_over_limit() const { return angles_ ? angles_->given_up() : 0; }

  private:
    void run(std::span<const ClayOp> ops, bool keep_volume);
    void displace(const ClayOp& op);
    void use_effect(const ClayOp& op);
    void paint_mask(const ClayOp& op);
    bool push_facets(std::span<const ClayTouch> touches, const ClayBrush& brush);
    void follow_wire(std::span<const ClayTouch> touches, const ClayBrush& brush, std::uint64_t frame);
    void swell(std::span<const ClayOp> ops, double volume);
    float hold_of(std::uint32_t vertex) const;

    void continue_stroke();
    void open_stroke();
    void move(std::uint32_t vertex, const collision::Vec3f& to);
    std::span<const collision::VertexChange> collect();

    struct ClearMask {};
    using Request = std::variant<HistoryStep, ClayEdit, ClearMask>;
    struct Retired {
        std::unique_ptr<DetailJob> job;
        std::unique_ptr<collision::BackgroundTask> task;  ///< its destructor waits for the job
    };

    bool must_wait() const { return restore_ || !requests_.empty(); }
    ClayChange ask(HistoryStep step);
    ClayChange restore(HistoryStep step);
    ClayChange restore_at_once(HistoryStep step);
    ClayChange start_restore(HistoryStep step);
    void prepare_reset();
    ClayChange end_restore();
    ClayChange move_to_start();
    void clear_mask_now();
    ClayChange take_request(std::uint64_t frame);
    const ClayDelta* history_delta(HistoryStep step, std::size_t back) const;
    void use_surface(ClaySurface surface, std::vector<float> mask);

    bool needs_detail() const;
    DetailLimits limits() const;
    void start_job(ClayEdit edit, std::uint64_t frame);
    void start_edit(ClayEdit edit, std::uint64_t frame);
    ClayChange end_job();
    void retire_job();
    void forget_retired();

    ClaySurface surface_;
    collision::ShapePtr origin_;  ///< the shape that reset() restores
    float fine_edge_ = 0;         ///< mean edge of the start shape
    std::vector<float> mask_;
    mutable std::unique_ptr<AngleLimit> angles_;
    TouchPlanner planner_;
    PushField push_field_;               ///< of the operation in displace()
    std::optional<double> kept_volume_;  ///< volume that `keep_volume` restores
    StrokeHistory strokes_;
    bool stroke_open_ = false;
    bool has_stroke_ = false;  ///< a stroke is open for the current push
    std::uint64_t frame_ = 0;  ///< of the current push
    std::uint64_t last_frame_ = 0;
    ClayOp last_;
    std::vector<ClayOp> ops_, planned_;
    std::vector<std::uint32_t> changed_;
    std::vector<std::uint8_t> is_changed_;
    std::vector<collision::VertexChange> changes_;

    DetailSettings detail_;
    std::vector<std::uint32_t> touched_;  ///< moved since the last check for detail, each once
    std::vector<std::uint8_t> is_touched_;
    std::uint64_t checked_ = 0;  ///< frame of that check
    std::size_t remesh_count_ = 0;
    std::size_t new_polygons_ = 0;  ///< by remeshing since the start shape
    std::string problem_;
    struct Wire {
        std::vector<collision::Vec3d> path;  ///< contact points, clay frame
        collision::Vec3d axis;               ///< sum of the unit axes of the finger
        CutKeep keep = CutKeep::larger;
        std::uint64_t frame = 0;
    } wire_;
    std::function<MakeExtras()> new_extras_;
    std::unique_ptr<NewShapeExtras> extras_;
    std::uint64_t now_ = 0;         ///< frame of the last update()
    std::deque<Request> requests_;  ///< asked for while restore_ runs
    std::vector<Retired> retired_;  ///< jobs whose results do not count
    std::unique_ptr<DetailJob> job_;
    std::unique_ptr<RestoreJob> restore_;              ///< while it runs, there is no job_
    std::unique_ptr<collision::BackgroundTask> task_;  ///< of job_ or restore_; last: its destructor waits
};

}  // namespace claybox::app
