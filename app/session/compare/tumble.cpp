#include "app/session/compare/tumble.hpp"

#include "collision/pairwise/registry.hpp"
#include "engine/files/paths.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

/// The matrix after a turn about the world's axes, with the centre of the bounding sphere at the origin.
collision::Matrix34f turned(const collision::Matrix34f& from, const collision::Shape& shape, double about_z,
                            double about_y) {
    const double cz = std::cos(about_z), sz = std::sin(about_z), cy = std::cos(about_y),
                 sy = std::sin(about_y);
    const double turn[3][3] = {{cy * cz, -cy * sz, sy}, {sz, cz, 0}, {-sy * cz, sy * sz, cy}};
    const collision::Matrix34d m = collision::to_double(from);
    const auto c = collision::cast<double>(shape.sphere().centre);
    collision::Matrix34f out;
    for (std::size_t row = 0; row < 3; ++row) {
        double at[3] = {};
        for (std::size_t column = 0; column < 3; ++column)
            for (std::size_t k = 0; k < 3; ++k) at[column] += turn[row][k] * m.m[4 * k + column];
        for (std::size_t column = 0; column < 3; ++column)
            out.m[4 * row + column] = static_cast<float>(at[column]);
        out.m[4 * row + 3] = static_cast<float>(-(at[0] * c.x + at[1] * c.y + at[2] * c.z));
    }
    return out;
}

}  // namespace

void TumbleSweep::clear() {
    running_ = false;
    done_ = 0;
    curves_.clear();
    turned_a_.clear();
    turned_b_.clear();
    prepared_.clear();
    subject_ = {};
}

void TumbleSweep::start(const PairSubject& subject, const collision::WorldSettings& settings) {
    clear();
    if (!subject.complete()) return;
    subject_ = subject;
    settings_ = settings;
    const collision::PairQuery query = query_of(subject_, scratch_);
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms())
        if (collision::applicable(*algorithm, query.a, query.b) && !is_slow_to_prepare(*algorithm, subject_))
            curves_.push_back({algorithm, {}});
    reach_ = subject_.a->sphere().radius * largest_scale(subject_.world_from_a) +
             subject_.b->sphere().radius * largest_scale(subject_.world_from_b);
    // About half a degree per step; the two turns never repeat together.
    constexpr double kTurn = 0.01, kOther = 0.0061803398875;
    for (std::uint32_t i = 0; i < steps_; ++i) {
        turned_a_.push_back(turned(subject_.world_from_a, *subject_.a, kTurn * i, kOther * i));
        turned_b_.push_back(turned(subject_.world_from_b, *subject_.b, -kOther * i, kTurn * i));
    }
    running_ = !curves_.empty();
    if (running_) begin_point();
}

void TumbleSweep::begin_point() {
    const collision::PairAlgorithm& algorithm = *curves_[done_ % curves_.size()].algorithm;
    const auto step = static_cast<double>(done_ / curves_.size());
    point_ = {};
    point_.distance = reach_ * (kLeast + (kGreatest - kLeast) * step / (kDistances - 1));
    point_seconds_ = 0;
    pool_.assign(algorithm.cache_bytes == nullptr ? 0 : algorithm.cache_bytes(*subject_.a, *subject_.b),
                 std::byte{0});
    cache_ = {};
    cache_.set_pool(pool_);
}

/// Continues the current point; true when it is complete.
bool TumbleSweep::run_steps(double until) {
    const collision::PairAlgorithm& algorithm = *curves_[done_ % curves_.size()].algorithm;
    collision::PairQuery query = query_for(algorithm, subject_, settings_, prepared_, scratch_);
    while (point_.queries < steps_ && point_seconds_ < kMaxSeconds) {
        query.a.world_from_body = turned_a_[point_.queries];
        query.b.world_from_body = turned_b_[point_.queries];
        query.b.world_from_body.m[3] += static_cast<float>(point_.distance);
        const double start = engine::now_seconds();
        const collision::PairResult result = collision::run_query(algorithm, query, cache_);
        const double end = engine::now_seconds(), took = end - start;
        ++point_.queries;
        point_seconds_ += took;
        point_.max_ns = std::max(point_.max_ns, took * 1e9);
        if (result.verdict == collision::Verdict::colliding) ++point_.colliding;
        if (end >= until) break;
    }
    return point_.queries >= steps_ || point_seconds_ >= kMaxSeconds;
}

bool TumbleSweep::advance(double seconds) {
    if (!running_) return false;
    const double until = engine::now_seconds() + seconds;
    while (run_steps(until)) {
        point_.mean_ns = point_seconds_ / std::max(1u, point_.queries) * 1e9;
        curves_[done_ % curves_.size()].points.push_back(point_);
        if (++done_ == total()) {
            running_ = false;
            return true;
        }
        begin_point();
        if (engine::now_seconds() >= until) break;
    }
    return false;
}

}  // namespace claybox::app
