#include "app/scenes/cage/nearest_pair.hpp"

#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Vec3d;
using collision::Vec3f;

namespace {

// Metres: a smaller gap cannot be seen, and over a wider one nobody expects a collision.
constexpr double kLeastGap = 0.02, kMostGap = 0.30;
constexpr int kRestFrames = 45, kMostFrames = 300;
constexpr std::size_t kTried = 6;

Vec3f to_float(const Vec3d& v) {
    return collision::cast<float>(v);
}

}  // namespace

std::optional<NearestPair::Gap> NearestPair::measured(std::span<const Body> bodies, std::size_t a,
                                                      std::size_t b) {
    static const collision::PairAlgorithm* const algorithm = collision::find_pair_algorithm("gjk");
    const Body &first = bodies[a], &second = bodies[b];
    if (algorithm == nullptr || !first.shape->hull() || !second.shape->hull()) return std::nullopt;
    scratch_.reset();
    collision::PairQuery query = collision::make_pair_query(*first.shape, to_matrix(first.pose),
                                                            *second.shape, to_matrix(second.pose), scratch_);
    query.parameters = collision::default_values(algorithm->parameters);
    query.wants = collision::kWantDistance;
    collision::PairCache cache;
    const collision::PairResult result = collision::run_query(*algorithm, query, cache);
    if (result.verdict != collision::Verdict::separated) return std::nullopt;
    const Gap gap{a, b, result.closest_a_w, result.closest_b_w,
                  0.55 * static_cast<double>(first.radius + second.radius)};
    return gap.size() <= kMostGap ? std::optional(gap) : std::nullopt;
}

/// Measures the pairs whose spheres are nearest to each other.
std::optional<NearestPair::Gap> NearestPair::smallest(std::span<const Body> bodies) {
    struct Pair {
        double spheres;
        std::size_t a, b;
    };
    std::vector<Pair> near;
    for (std::size_t b = 1; b < bodies.size(); ++b)
        for (std::size_t a = 0; a < b; ++a) {
            const double between = length(bodies[a].pose.translation - bodies[b].pose.translation) -
                                   static_cast<double>(bodies[a].radius + bodies[b].radius);
            if (between < kMostGap) near.push_back({between, a, b});
        }
    const auto tried = near.begin() + static_cast<std::ptrdiff_t>(std::min(kTried, near.size()));
    std::partial_sort(near.begin(), tried, near.end(), [](const Pair& x, const Pair& y) {
        return x.spheres != y.spheres ? x.spheres < y.spheres : std::pair(x.a, x.b) < std::pair(y.a, y.b);
    });
    std::optional<Gap> best;
    for (auto pair = near.begin(); pair != tried; ++pair) {
        const std::optional<Gap> gap = measured(bodies, pair->a, pair->b);
        if (gap && gap->size() >= kLeastGap && (!best || gap->size() < best->size())) best = gap;
    }
    return best;
}

void NearestPair::follow(std::span<const Body> bodies) {
    if (gap_) {
        const bool exist = std::max(gap_->a, gap_->b) < bodies.size();
        gap_ = exist ? measured(bodies, gap_->a, gap_->b) : std::nullopt;
        if (!gap_ || ++shown_ > kMostFrames) {
            gap_.reset();
            rest_ = kRestFrames;
        }
        return;
    }
    if (--rest_ > 0) return;
    gap_ = smallest(bodies);
    shown_ = 0;
    rest_ = kRestFrames;
}

void NearestPair::view(bool labels, SceneView& out) const {
    if (!gap_) return;
    constexpr int kCells = 5;
    const double side = 2 * gap_->half_side;
    const Vec3d normal = normalized(gap_->on_b - gap_->on_a, Vec3d{1, 0, 0});
    const Vec3d other = std::abs(normal.y) < 0.95 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    const Vec3d u = side * normalized(cross(other, normal), Vec3d{1, 0, 0});
    const Vec3d v = side * normalized(cross(normal, u), Vec3d{0, 1, 0});
    const Vec3d corner = 0.5 * (gap_->on_a + gap_->on_b) - 0.5 * (u + v);
    out.planes.push_back({to_float(corner), {to_float(u), to_float(v)}, Ink::separating, 0.2f});
    for (int i = 0; i <= kCells; ++i) {
        const double share = static_cast<double>(i) / kCells;
        const bool border = i == 0 || i == kCells;
        const float width = border ? 1.75f : 1.0f, opacity = border ? 1.0f : 0.35f;
        for (const auto& [along, across] : {std::pair(u, v), std::pair(v, u)}) {
            const Vec3d from = corner + share * across;
            out.lines.push_back(
                {to_float(from), to_float(from + along), Ink::separating, width, false, opacity});
        }
    }
    out.lines.push_back({to_float(gap_->on_a), to_float(gap_->on_b), Ink::separating, 2, false});
    for (const Vec3d& end : {gap_->on_a, gap_->on_b})
        out.points.push_back({to_float(end), Ink::separating, 4.5f});
    if (!labels) return;
    // At the upper corner, so that the chip keeps clear of the gap.
    const Vec3d top = corner + (u.y > 0 ? u : Vec3d{}) + (v.y > 0 ? v : Vec3d{});
    const auto millimetres = static_cast<long>(std::lround(gap_->size() * 1e3));
    out.labels.push_back({to_float(top),
                          "Separated, gap " + std::to_string(millimetres) + " mm",
                          Ink::separating,
                          false,
                          {},
                          0});
}

}  // namespace claybox::app
