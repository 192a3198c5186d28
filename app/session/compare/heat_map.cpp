#include "app/session/compare/heat_map.hpp"

#include "engine/files/paths.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

using collision::Matrix34d;
using collision::Vec3d;

/// Wider than the pair's bounding spheres, so that the border of the map shows bodies that are apart.
constexpr double kMargin = 1.08;

struct WorldSphere {
    Vec3d centre;
    double radius = 0;
};

WorldSphere world_sphere(const collision::Shape& shape, const collision::Matrix34f& matrix) {
    const Matrix34d m = to_double(matrix);
    return {transform_point(m, shape.sphere().centre), largest_scale(matrix) * double(shape.sphere().radius)};
}

}  // namespace

void HeatMap::use(std::span<const collision::PairAlgorithm* const> algorithms) {
    clear();
    algorithms_ = algorithms;
}

void HeatMap::clear() {
    running_ = false;
    truths_.clear();
    answers_.clear();
    asked_.clear();
    subject_ = {};
}

void HeatMap::start(const PairSubject& subject, const collision::WorldSettings& settings,
                    const HeatSlice& slice) {
    clear();
    if (!subject.complete() || slice.right > 2 || slice.up > 2 || slice.right == slice.up) return;
    subject_ = subject;
    slice_ = slice;
    slice_.cells = std::clamp(slice.cells, kMinCells, kMaxCells);
    options_ = {settings, 0, true};
    const WorldSphere a = world_sphere(*subject.a, subject.world_from_a),
                      b = world_sphere(*subject.b, subject.world_from_b);
    centre_a_ = a.centre;
    centre_b_ = b.centre;
    half_side_ = kMargin * (a.radius + b.radius);
    asked_.use(algorithms_, {});
    running_ = half_side_ > 0 && std::isfinite(half_side_);
    if (running_) asked_.start(subject_at(0), options_);
}

PairSubject HeatMap::subject_at(std::size_t cell) const {
    PairSubject out = subject_;
    Vec3d move;
    move[slice_.right] = centre_a_[slice_.right] + right_of(cell) - centre_b_[slice_.right];
    move[slice_.up] = centre_a_[slice_.up] + up_of(cell) - centre_b_[slice_.up];
    for (std::size_t k = 0; k < 3; ++k)
        out.world_from_b.m[4 * k + 3] = static_cast<float>(double(out.world_from_b.m[4 * k + 3]) + move[k]);
    out.motion_a = out.motion_b = {};
    out.before_a = out.world_from_a;
    out.before_b = out.world_from_b;
    return out;
}

bool HeatMap::advance(double seconds) {
    if (!running_) return false;
    const double until = engine::now_seconds() + seconds;
    do {
        if (!asked_.advance(std::max(until - engine::now_seconds(), 0.0))) return false;
        truths_.push_back(asked_.truth());
        answers_.insert(answers_.end(), asked_.rows().begin(), asked_.rows().end());
        if (done() == total()) {
            running_ = false;
            return true;
        }
        asked_.start(subject_at(done()), options_);
    } while (engine::now_seconds() < until);
    return false;
}

Standing HeatMap::standing(std::size_t cell) const {
    Standing out = Standing::unchecked;
    for (const AlgorithmAnswer& answer : answers(cell)) {
        if (answer.standing == Standing::disagrees) return Standing::disagrees;
        if (answer.standing == Standing::approximate) out = Standing::approximate;
        if (answer.standing == Standing::agrees && out == Standing::unchecked) out = Standing::agrees;
    }
    return out;
}

}  // namespace claybox::app
