// The part of Clay that remeshes: detail that follows the hand, and cuts.

#include "app/potter/clay.hpp"
#include "app/potter/detail/merge.hpp"
#include "app/potter/detail/quality.hpp"

#include <algorithm>
#include <numeric>

namespace claybox::app {

using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr std::uint64_t kCheckFrames = 20;  // between two looks at the triangles during a stroke
constexpr std::uint64_t kWireEnds = 3;      // frames without a touch that end the path of a wire
constexpr double kLeastCut = 0.004;         // metres of path that define a plane
constexpr double kSliver = 0.978;           // cosine of 12 degrees
constexpr float kFiner = 1.3f;              // fine start shapes keep edges of this multiple of their mean

/// The plane through the path of a finger and along the finger.
std::optional<CutPlane> plane_of(std::span<const Vec3d> path, const Vec3d& axis) {
    const Vec3d way = path.back() - path.front();
    const Vec3d normal = cross(way, normalized(axis));
    if (length(way) < kLeastCut || length(normal) < 0.3 * length(way)) return std::nullopt;
    CutPlane plane;
    plane.normal = normal / length(normal);
    if (plane.normal.y < 0) plane.normal = -plane.normal;
    for (const Vec3d& p : path) plane.offset += dot(plane.normal, p) / static_cast<double>(path.size());
    return plane;
}

}  // namespace

DetailLimits Clay::limits() const {
    DetailLimits out;
    out.edge = std::min(static_cast<float>(detail_.edge), kFiner * fine_edge_);
    out.budget = std::max(detail_.budget, topology().triangles.size());
    return out;
}

bool Clay::needs_detail() const {
    const DetailLimits limit = limits();
    const auto longest = static_cast<double>(limit.edge * DetailLimits::kSplit);
    const bool may_split = topology().triangles.size() + 2 <= limit.budget;
    const auto at = [&](std::uint32_t v) { return collision::cast<double>(positions()[v]); };
    for (const std::uint32_t v : touched_) {
        for (const std::uint32_t polygon : topology().polygons_around(v)) {
            const auto loop = topology().loop(polygon);
            for (std::size_t i = 0; i < loop.size(); ++i) {
                const Vec3d way = at(loop[i]) - at(loop[(i + 1) % loop.size()]);
                if (may_split && length_squared(way) > longest * longest) return true;
            }
            if (loop.size() == 3 && smallest_angle_cosine(at(loop[0]), at(loop[1]), at(loop[2])) > kSliver)
                return true;
        }
    }
    return false;
}

void Clay::start_job(ClayEdit edit, std::uint64_t frame) {
    job_ = std::make_unique<DetailJob>();
    job_->shape = start();
    job_->positions = positions();
    job_->mask = mask_;
    job_->seeds = touched_;
    job_->limits = limits();
    job_->due = frame + job_frames(topology().polygon_count());
    if (!edit) {
        job_->stroke = strokes_.newest();
        if (strokes_.newest_undo()) job_->to_before = *strokes_.newest_undo();
    }
    job_->edit = std::move(edit);
    job_->limits.even_out = static_cast<bool>(job_->edit);
    job_->stroke_was_open = stroke_open_;
    job_->last_frame = last_frame_;
    if (new_extras_) job_->make_extras = new_extras_();
    for (const std::uint32_t v : touched_) is_touched_[v] = 0;
    touched_.clear();
    task_ = std::make_unique<collision::BackgroundTask>();
    task_->start([job = job_.get()] { job->run(); });
}

/// The result of the job will not count. It goes on beside the frames until it ends by itself.
void Clay::retire_job() {
    wire_ = {};
    if (job_) retired_.push_back({std::move(job_), std::move(task_)});
}

void Clay::forget_retired() {
    std::erase_if(retired_, [](const Retired& r) { return r.task->done(); });
}

/// Takes the result of a job, and repeats on it what happened meanwhile.
ClayChange Clay::end_job() {
    task_->wait();
    const bool exhausted = task_->ran_out_of_memory();
    task_.reset();
    const std::unique_ptr<DetailJob> job = std::move(job_);
    problem_ = exhausted ? "Not enough memory for other polygons: the clay keeps its own" : job->problem;
    if (exhausted) return {};
    if (!job->surface) return {};
    if (job->edit) {
        open_stroke();
        job->stroke = strokes_.newest();
    }
    use_surface(std::move(*job->surface), std::move(job->new_mask));
    extras_ = std::move(job->extras);
    new_polygons_ += 2 * job->work.total();  // each operation makes or changes about two
    strokes_.replace(job->stroke, std::move(job->delta), topology().vertex_count);
    stroke_open_ = job->stroke_was_open && !job->edit;
    last_frame_ = job->last_frame;
    std::vector<std::uint32_t> moved;
    for (const LoggedFrame& past : job->log) {
        frame_ = past.frame;
        has_stroke_ = false;
        run(past.ops, past.keep_volume && kept_volume_.has_value());
        for (const collision::VertexChange& c : collect()) moved.push_back(c.vertex);
    }
    std::sort(moved.begin(), moved.end());
    moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
    changes_.clear();
    for (const std::uint32_t v : moved) changes_.push_back({v, positions()[v]});
    return {changes_, true, true};
}

/// Starts what was asked for while the history was busy.
ClayChange Clay::take_request(std::uint64_t frame) {
    const Request request = requests_.front();
    requests_.pop_front();
    if (const auto* step = std::get_if<HistoryStep>(&request)) return restore(*step);
    if (std::holds_alternative<ClearMask>(request)) {
        clear_mask_now();
        return {{}, false, true};
    }
    start_job(std::get<ClayEdit>(request), frame);
    return {};
}

ClayChange Clay::update(std::uint64_t frame) {
    now_ = frame;
    forget_retired();
    if (restore_) return frame >= restore_->due ? end_restore() : ClayChange{};
    if (job_ && frame >= job_->due) return end_job();
    if (job_) return {};
    if (!requests_.empty()) return take_request(frame);
    if (!wire_.path.empty() && frame > wire_.frame + kWireEnds) {
        const std::optional<CutPlane> plane = plane_of(wire_.path, wire_.axis);
        const CutKeep keep = wire_.keep;
        wire_ = {};
        if (plane) cut_along(*plane, keep, frame);
        return {};
    }
    if (!detail_.on || touched_.empty() || frame < checked_ + kCheckFrames || strokes_.newest() == 0)
        return {};
    checked_ = frame;
    if (needs_detail()) {
        start_job({}, frame);
    } else {
        for (const std::uint32_t v : touched_) is_touched_[v] = 0;
        touched_.clear();
    }
    return {};
}

void Clay::start_edit(ClayEdit edit, std::uint64_t frame) {
    if (must_wait()) {
        requests_.emplace_back(std::move(edit));
        return;
    }
    retire_job();
    start_job(std::move(edit), frame);
}

void Clay::remesh(std::uint64_t frame) {
    const auto change = [limit = limits()](const ClayMesh& mesh, std::vector<std::uint32_t>& seeds) {
        ClayMesh out =
            passes_through_itself(mesh, limit.edge) ? merged(mesh, limit.edge, limit.budget) : mesh;
        seeds.resize(out.positions.size());
        std::iota(seeds.begin(), seeds.end(), 0u);
        return collision::Result<ClayMesh>(std::move(out));
    };
    start_edit({change, true}, frame);
}

void Clay::make_hollow(const HollowSize& size, std::uint64_t frame) {
    const auto change = [size](const ClayMesh& mesh, std::vector<std::uint32_t>& seeds) {
        return hollow(mesh, size, seeds);
    };
    start_edit({change}, frame);
}

void Clay::cut_along(const CutPlane& plane, CutKeep keep, std::uint64_t frame) {
    const auto change = [plane, keep](const ClayMesh& mesh,
                                      std::vector<std::uint32_t>& seeds) -> collision::Result<ClayMesh> {
        ClayMesh out = cut(mesh, plane, keep, seeds);
        if (seeds.empty()) return collision::Error{"The wire misses the clay", {}, 0};
        return out;
    };
    start_edit({change}, frame);
}

}  // namespace claybox::app
