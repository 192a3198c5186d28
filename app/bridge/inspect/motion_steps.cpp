#include "app/bridge/inspect/motion_steps.hpp"

#include "app/scenes/shared/screen_inset.hpp"
#include "engine/ui/drawing/draw.hpp"

#include <string_view>

namespace claybox::app {
namespace {

using collision::Matrix34d;
using collision::Matrix34f;
using collision::TraceRecord;
using collision::Vec3d;

constexpr std::size_t kMaxEdges = 3000;   // per body; more hide each other
constexpr std::size_t kMaxPrepared = 16;  // of meshes that change; then all are made again

Matrix34f rounded(const Matrix34d& m) {
    Matrix34f out;
    for (std::size_t i = 0; i < 12; ++i) out.m[i] = static_cast<float>(m.m[i]);
    return out;
}

void view_edges(const collision::Shape& shape, const Matrix34d& m, Ink ink, float width, float opacity,
                SceneView& out) {
    const collision::Topology& topology = *shape.geometry().topology;
    std::size_t left = kMaxEdges;
    for (std::uint32_t p = 0; p < topology.polygon_count(); ++p) {
        const auto loop = topology.loop(p);
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const std::uint32_t u = loop[i], v = loop[(i + 1) % loop.size()];
            if (u > v) continue;  // the polygon on the other side draws it
            if (left-- == 0) return;
            const auto at = [&](std::uint32_t index) {
                return collision::cast<float>(transform_point(m, shape.geometry().positions[index]));
            };
            out.lines.push_back({at(u), at(v), ink, width, false, opacity});
        }
    }
}

/// Time from 0 to 1 with a mark per step.
ViewInset time_inset(const TraceRecord& trace, std::size_t shown, const collision::ContinuousResult& result) {
    ViewInset out;
    out.title = "Time " + engine::fixed(time_of_step(trace, shown), 6);
    out.aspect = 5;
    constexpr float kLow = 0.04f, kWide = 0.92f, kMiddle = 0.5f;
    const auto x = [&](double t) { return kLow + kWide * static_cast<float>(t); };
    out.begin(Ink::dimension, 1.5f, 0.5f);
    out.add(x(0), kMiddle);
    out.add(x(1), kMiddle);
    for (std::size_t i = 0; i < trace.steps(); ++i) {
        const bool now = i == shown;
        if (!now && trace.steps() > 200) continue;
        out.begin(Ink::dimension, 1, i < shown ? 0.8f : 0.3f);
        out.add(x(time_of_step(trace, i)), kMiddle - 0.2f);
        out.add(x(time_of_step(trace, i)), kMiddle + 0.2f);
    }
    if (result.verdict == collision::Verdict::colliding) {
        const ViewInset::Point corners[] = {{x(result.time_low) - 0.004f, 0.15f},
                                            {x(result.time_high) + 0.004f, 0.85f}};
        out.fill(corners, Ink::colliding, 0.8f);
        out.legend.push_back({Ink::colliding, "Contact"});
    }
    out.marks.push_back({{x(time_of_step(trace, shown)), kMiddle}, Ink::candidate, ""});
    out.legend.push_back({Ink::candidate, "This step"});
    return out;
}

}  // namespace

void MotionSteps::clear() {
    prepared_.clear();
    query_.reset();
    body_.clear();
}

std::string MotionSteps::ask(const collision::ContinuousAlgorithm& algorithm, const PairSubject& subject,
                             const collision::WorldSettings& settings, TraceRecord& trace) {
    query_.reset();
    if (prepared_.size() > kMaxPrepared) prepared_.clear();
    scratch_.reset();
    const collision::ContinuousQuery query =
        motion_query_for(algorithm, subject, settings, prepared_, scratch_);
    if (!collision::applicable(algorithm, query)) return "Does not accept these bodies or this motion.";
    collision::PairCache cache;
    result_ = collision::run_continuous(algorithm, query, cache, &trace);
    query_ = query;
    has_screen_ = std::string_view(algorithm.id) == "screw_motion";
    return {};
}

void MotionSteps::view(const PairSubject& subject, double time, SceneView& out) const {
    view_edges(*subject.a, placement_at(subject.before_a, subject.motion_a, time), Ink::accent, 1.5f, 0.9f,
               out);
    view_edges(*subject.b, placement_at(subject.before_b, subject.motion_b, time), Ink::separating, 1.5f,
               0.9f, out);
}

void MotionSteps::add_insets(const TraceRecord& trace, std::size_t step, bool before,
                             const PairSubject& subject, const ViewAxes& axes, std::vector<ViewInset>& out) {
    if (!query_ || trace.steps() == 0) return;
    out.push_back(time_inset(trace, step, result_));
    if (has_space(trace, collision::TraceSpace::difference)) {
        // A linear motion is a ray in the difference at the start; other motions move the difference.
        const bool ray = std::any_of(trace.items().begin(), trace.items().end(), [](const auto& item) {
            return std::string_view(item.label) == "relative motion";
        });
        const double time = ray ? 0 : time_of_step(trace, step);
        collision::PairBody a = query_->pair.a, b = query_->pair.b;
        a.world_from_body = rounded(placement_at(subject.before_a, subject.motion_a, time));
        b.world_from_body = rounded(placement_at(subject.before_b, subject.motion_b, time));
        body_.update(a, b);
        out.push_back(difference_inset(trace, step, before, body_, axes));
        out.back().title = ray ? "A − B at the start" : "A − B at this time";
    }
    if (!has_screen_) return;
    const collision::CollisionScreen screen = draw_collision_screen(*query_);
    if (screen.rows > 0) out.push_back(make_screen_inset(screen, true, -1, 1));
}

}  // namespace claybox::app
