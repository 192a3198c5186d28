#pragma once
// Undo, redo and reset that bring back other polygons, beside the application's frames.

#include "app/potter/clay_surface.hpp"
#include "app/potter/detail/new_shape.hpp"
#include "app/potter/history/clay_delta.hpp"

namespace claybox::app {

enum class HistoryStep : unsigned char { undo, redo, reset };

/// run() reads the first group and writes the second; it may run on any thread, once.
struct RestoreJob {
    collision::ShapePtr shape;  ///< of the clay when the job began
    std::vector<collision::Vec3f> positions;
    std::vector<float> mask;
    /// In the order in which they apply. They belong to the history, which must not change meanwhile, or are
    /// `own`.
    std::vector<const ClayDelta*> deltas;
    ClayDelta own;
    MakeExtras make_extras;  ///< may be null

    std::unique_ptr<ClaySurface> surface;
    std::vector<float> new_mask;
    std::vector<ClayDelta> inverses;  ///< of `deltas`
    std::unique_ptr<NewShapeExtras> extras;

    /// Of the application's thread.
    HistoryStep step = HistoryStep::undo;
    std::uint64_t due = 0;  ///< the frame that takes the result, whatever the speed of the machine

    void run();
};

/// Frames from the start of a job to its result; 0 for clay that is small enough to be restored at once.
std::uint64_t restore_frames(std::size_t polygons);

}  // namespace claybox::app
