#include "app/scenes/potter/brush_marks.hpp"

#include "app/scenes/potter/dimensions.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace claybox::app {

using collision::Pose;
using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr std::size_t kPoints = 72;    // of a drawn ring
constexpr std::size_t kMostBins = 48;  // around a ring, in which the clay is measured
constexpr std::size_t kVerticesInBin = 3, kFewestVertices = 12;
constexpr std::size_t kMostRings = 8;  // more copies get dots only
constexpr float kLift = 0.0008f;       // above the clay

Vec3d to_world(const Pose& pose, const Vec3f& p) {
    return pose.translation + collision::rotate(pose.rotation, collision::cast<double>(p));
}

/// A circle around a push that follows the clay: how deep the clay lies below its plane, by angle.
class Ring {
  public:
    Ring(const BrushMark& mark, const ClaySurface& clay, float radius) : mark_(mark), radius_(radius) {
        const Vec3f aside = std::abs(mark.along.y) < 0.9f ? Vec3f{0, 1, 0} : Vec3f{1, 0, 0};
        u_ = normalized(cross(mark.along, aside));
        v_ = cross(mark.along, u_);
        std::size_t near = 0;
        visit(clay, [&](float, float, float) { ++near; });
        if (near >= kFewestVertices)
            measure(clay, std::clamp(near / kVerticesInBin, kFewestVertices, kMostBins));
    }

    Vec3f at(std::size_t point) const {
        const float turn = static_cast<float>(point % kPoints) / static_cast<float>(kPoints);
        const float a = 2 * std::numbers::pi_v<float> * turn;
        const auto [sine, cosine] = collision::sin_cos(a);
        return mark_.centre + (u_ * static_cast<float>(cosine) + v_ * static_cast<float>(sine)) * radius_ +
               mark_.along * (depth(turn) - kLift);
    }

  private:
    /// Calls `take(bin position 0 .. 1, depth, weight)` for the vertices next to the circle that face the
    /// hand.
    template <class Take>
    void visit(const ClaySurface& clay, Take&& take) const {
        constexpr float kBand = 0.2f, kFacing = -0.15f, kReach = 1.4f;
        const std::vector<Vec3f>&positions = clay.positions(), &normals = clay.normals();
        clay.visit_near(mark_.centre, kReach * radius_, [&](std::uint32_t vertex) {
            if (dot(normals[vertex], mark_.along) > kFacing) return;
            const Vec3f d = positions[vertex] - mark_.centre;
            const float deep = dot(d, mark_.along), x = dot(d, u_), y = dot(d, v_);
            const float weight = 1 - std::abs(std::sqrt(x * x + y * y) / radius_ - 1) / kBand;
            if (!(weight > 0) || std::abs(deep) > radius_) return;
            const float turn = collision::quick_angle(y, x) / (2 * std::numbers::pi_v<float>);
            take(turn < 0 ? turn + 1 : turn, deep, weight);
        });
    }

    /// Mean depth per bin. Of several layers only the one nearest to the hand counts.
    void measure(const ClaySurface& clay, std::size_t bins) {
        std::array<float, kMostBins> nearest, weight{};
        nearest.fill(radius_);
        depth_ = {};
        const auto bin = [&](float turn) {
            return std::min(static_cast<std::size_t>(turn * static_cast<float>(bins)), bins - 1);
        };
        visit(clay, [&](float turn, float deep, float) {
            nearest[bin(turn)] = std::min(nearest[bin(turn)], deep);
        });
        visit(clay, [&](float turn, float deep, float w) {
            const std::size_t b = bin(turn);
            if (deep > nearest[b] + 0.3f * radius_) return;
            depth_[b] += w * deep;
            weight[b] += w;
        });
        bins_ = bins;
        for (std::size_t b = 0; b < bins; ++b)
            if (weight[b] > 0) depth_[b] /= weight[b];
        fill_gaps(weight);
    }

    /// Where the circle leaves the clay, it runs on straight to where it meets it again.
    void fill_gaps(const std::array<float, kMostBins>& weight) {
        for (std::size_t b = 0; b < bins_; ++b) {
            if (weight[b] > 0) continue;
            std::size_t before = 1, after = 1;
            while (before < bins_ && !(weight[(b + bins_ - before) % bins_] > 0)) ++before;
            while (after < bins_ && !(weight[(b + after) % bins_] > 0)) ++after;
            const float low = depth_[(b + bins_ - before) % bins_], high = depth_[(b + after) % bins_];
            const auto all = static_cast<float>(before + after);
            gap_[b] = (low * static_cast<float>(after) + high * static_cast<float>(before)) / all;
        }
        for (std::size_t b = 0; b < bins_; ++b)
            if (!(weight[b] > 0)) depth_[b] = gap_[b];
    }

    float depth(float turn) const {
        if (bins_ == 0) return 0;
        const float t = turn * static_cast<float>(bins_) + static_cast<float>(bins_) - 0.5f;
        const float whole = std::floor(t), part = t - whole;
        const auto bin = static_cast<std::size_t>(whole) % bins_;
        return depth_[bin] * (1 - part) + depth_[(bin + 1) % bins_] * part;
    }

    BrushMark mark_;
    float radius_;
    Vec3f u_, v_;
    std::size_t bins_ = 0;
    std::array<float, kMostBins> depth_{}, gap_{};
};

void view_ring(const BrushMark& mark, const ClaySurface& clay, const Pose& pose, double radius,
               const ViewLine& like, SceneView& out) {
    const Ring ring(mark, clay, static_cast<float>(radius));
    Vec3f from = collision::cast<float>(to_world(pose, ring.at(0)));
    for (std::size_t i = 1; i <= kPoints; ++i) {
        ViewLine line = like;
        line.from = from;
        line.to = from = collision::cast<float>(to_world(pose, ring.at(i)));
        out.lines.push_back(line);
    }
}

/// A line without length is a dot that the clay can hide, unlike a ViewPoint.
void view_dot(const BrushMark& mark, const Pose& pose, SceneView& out) {
    const Vec3f at = collision::cast<float>(to_world(pose, mark.centre - mark.along * (2 * kLift)));
    out.lines.push_back({at, at, Ink::accent, 8, true});
}

/// The line of symmetry in drawings: long and short dashes in turn.
void view_dashes(const Vec3d& from, const Vec3d& to, SceneView& out) {
    constexpr double kLong = 0.009, kShort = 0.002, kGap = 0.003;
    const double all = length(to - from);
    const Vec3d along = (to - from) / std::max(all, 1e-9);
    bool is_long = true;
    for (double at = 0; at < all; is_long = !is_long) {
        const double end = std::min(all, at + (is_long ? kLong : kShort));
        out.lines.push_back({collision::cast<float>(from + along * at),
                             collision::cast<float>(from + along * end), Ink::accent, 1.25f, false, 0.6f});
        at = end + kGap;
    }
}

}  // namespace

void view_brush(std::span<const BrushMark> marks, const ClaySurface& clay, const Pose& pose, double radius,
                SceneView& out) {
    if (marks.empty()) return;
    view_ring(marks[0], clay, pose, radius, {{}, {}, Ink::accent, 2.5f}, out);
    view_ring(marks[0], clay, pose, radius / 2, {{}, {}, Ink::accent, 1.5f}, out);
    for (const BrushMark& copy : marks.subspan(1)) {
        view_dot(copy, pose, out);
        if (marks.size() <= kMostRings)
            view_ring(copy, clay, pose, radius, {{}, {}, Ink::accent, 1.25f, false, 0.6f}, out);
    }
}

std::optional<BrushMark> hover_mark(const ClaySurface& clay, const Vec3d& tip, double reach) {
    constexpr float kAround = 0.008f;  // the mean over these vertices moves smoothly with the finger
    const Vec3f at = collision::cast<float>(tip);
    const std::vector<Vec3f>&positions = clay.positions(), &normals = clay.normals();
    float nearest = static_cast<float>(reach);
    const auto distance = [&](std::uint32_t vertex) {
        const Vec3f d = at - positions[vertex];
        return dot(d, normals[vertex]) > 0 ? length(d) : HUGE_VALF;  // the hand is outside
    };
    clay.visit_near(at, nearest, [&](std::uint32_t v) { nearest = std::min(nearest, distance(v)); });
    if (!(nearest < static_cast<float>(reach))) return std::nullopt;
    Vec3f centre, outward;
    float sum = 0;
    clay.visit_near(at, nearest + kAround, [&](std::uint32_t v) {
        const float weight = nearest + kAround - distance(v);
        if (!(weight > 0)) return;
        centre += positions[v] * weight;
        outward += normals[v] * weight;
        sum += weight;
    });
    const float size = length(outward);
    if (!(sum > 0 && size > 0)) return std::nullopt;
    return BrushMark{centre / sum, -outward / size};
}

void view_hover(const BrushMark& mark, const ClaySurface& clay, const Pose& pose, double radius,
                SceneView& out) {
    view_ring(mark, clay, pose, radius, {{}, {}, Ink::accent, 1.25f, false, 0.5f}, out);
}

void view_mirror_plane(const Vec3d& normal, double height, double radius, const Pose& pose, SceneView& out) {
    constexpr double kBeyond = 0.022;
    const Vec3d across = normalized(cross(normal, Vec3d{0, 1, 0})) * (radius + kBeyond);
    const auto at = [&](double side, double y) {
        return pose.translation + collision::rotate(pose.rotation, across * side + Vec3d{0, y, 0});
    };
    const double top = height + kBeyond;
    view_dashes(at(-1, 0.001), at(-1, top), out);
    view_dashes(at(-1, top), at(1, top), out);
    view_dashes(at(1, top), at(1, 0.001), out);
    view_dashes(at(1, 0.001), at(-1, 0.001), out);
}

void view_cut_height(double height, double radius, bool labels, SceneView& out) {
    const double r = radius + 0.006;
    const auto at = [&](std::size_t point) {
        const double a = 2 * std::numbers::pi * static_cast<double>(point) / static_cast<double>(kPoints);
        const auto [sine, cosine] = collision::sin_cos(a);
        return collision::cast<float>(Vec3d{r * cosine, height, r * sine});
    };
    for (std::size_t i = 0; i < kPoints; ++i) out.lines.push_back({at(i), at(i + 1), Ink::accent, 2, true});
    if (!labels) return;
    constexpr std::size_t kFrontLeft = kPoints * 3 / 8;
    out.labels.push_back(
        measure_label(collision::cast<double>(at(kFrontLeft)), in_millimetres("Cut at", height)));
}

}  // namespace claybox::app
