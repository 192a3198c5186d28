#pragma once
// Remeshes clay beside the application's frames.

#include "app/potter/clay_surface.hpp"
#include "app/potter/detail/new_shape.hpp"
#include "app/potter/detail/refine.hpp"
#include "app/potter/history/clay_delta.hpp"
#include "app/potter/touch/clay_op.hpp"

#include <functional>
#include <string>

namespace claybox::app {

/// Changes a mesh, and names the vertices around which it must be refined.
struct ClayEdit {
    std::function<collision::Result<ClayMesh>(const ClayMesh&, std::vector<std::uint32_t>& seeds)> change;
    bool may_merge = false;  ///< clay that keeps slivers goes through merged()
    explicit operator bool() const { return change != nullptr; }
};

/// What happened to the clay in one frame while a job ran; repeated on the remeshed clay.
struct LoggedFrame {
    std::uint64_t frame = 0;
    bool keep_volume = false;
    std::vector<ClayOp> ops;
};

/// run() reads the first group and writes the second; it may run on any thread, once.
struct DetailJob {
    collision::ShapePtr shape;  ///< of the clay when the job began
    std::vector<collision::Vec3f> positions;
    std::vector<float> mask;
    std::vector<std::uint32_t> seeds;
    DetailLimits limits;
    ClayEdit edit;        ///< without a change: only refine
    ClayDelta to_before;  ///< from the clay when the job began to the clay before its newest stroke
    std::uint32_t stroke = 0;
    MakeExtras make_extras;  ///< may be null

    std::unique_ptr<ClaySurface> surface;  ///< null: nothing to change
    std::vector<float> new_mask;
    DetailWork work;
    ClayDelta delta;  ///< from the new clay to the clay before the stroke
    std::unique_ptr<NewShapeExtras> extras;
    std::string problem;  ///< why the edit is impossible; empty if it is not

    /// Of the application's thread: the frame that takes the result, whatever the speed of the machine, and
    /// what happened since the start.
    std::uint64_t due = 0;
    bool stroke_was_open = false;
    std::uint64_t last_frame = 0;  ///< of a push before the start
    std::vector<LoggedFrame> log;

    void run();

  private:
    void refine_mesh(ClayMesh& mesh);
};

/// Frames from the start of a job to its result: a deterministic bound on its duration.
std::uint64_t job_frames(std::size_t polygons);

/// Shape of a mesh. Vertices at the same place are moved apart by the least step of a float, so that the
/// shape has the vertices of the mesh in the same order.
collision::Result<collision::ShapePtr> shape_of(ClayMesh& mesh);

}  // namespace claybox::app
