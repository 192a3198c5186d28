#include "collision/pairwise/box_tree/placement.hpp"

#include "collision/exact/number.hpp"

#include <cmath>
#include <limits>

namespace claybox::collision {

namespace {

using Row = std::array<double, 3>;
using Rows = std::array<Row, 3>;

/// Exceeds the few roundings of the sums next to it.
constexpr double kSumError = 0x1p-50;

// Roundings of a traversal, in units of epsilon / 2 times the largest coordinate. For each of at most 64 cuts
// of a side, its corner in the other frame has 3 roundings (the cut's position in the box, a product, a sum),
// its size 1 and its intervals 1: 320. A line parameter is a difference times a quotient, minus two products
// of a size and a quotient: fewer than 32, including those of the quotients. Rounding the frames to the
// scalar costs fewer than 8. The constant allows 512.
constexpr double kRoundings = 256;

/// A traversal is used only if the slack is less than this fraction of the box whose planes it thickens.
constexpr double kMaxSlack = 1.0 / 64;

Rows linear_of(const Matrix34f& m) {
    Rows out;
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t k = 0; k < 3; ++k) out[r][k] = m.m[4 * r + k];
    return out;
}

/// Double precision; not finite if there is no inverse.
Rows rough_inverse(const Rows& m) {
    const Vec3d x{m[0][0], m[1][0], m[2][0]}, y{m[0][1], m[1][1], m[2][1]}, z{m[0][2], m[1][2], m[2][2]};
    const Vec3d yz = cross(y, z), zx = cross(z, x), xy = cross(x, y);
    const double s = 1 / dot(x, yz);
    return {Row{yz.x * s, yz.y * s, yz.z * s}, Row{zx.x * s, zx.y * s, zx.z * s},
            Row{xy.x * s, xy.y * s, xy.z * s}};
}

Row reach_of(const Aabb& box, double thickness) {
    Row out;
    for (std::size_t k = 0; k < 3; ++k)
        out[k] = std::max(std::abs(double{box.min[k]}), std::abs(double{box.max[k]})) + thickness;
    return out;
}

double largest_size(const Aabb& box) {
    double out = 0;
    for (std::size_t k = 0; k < 3; ++k) out = std::max(out, double{box.max[k]} - double{box.min[k]});
    return out;
}

/// One side in the frame of the other. A point x of the other has the world image L x + t. For any N, x = N
/// (y - t) - (N L - I) x, so an inexact inverse costs |N L - I| |x| and nothing else.
struct RelativeFrame {
    Rows axes{};  ///< [k][r]
    Row origin{}, error{}, magnitude{};
};

RelativeFrame relative_frame(const Rows& own, const Rows& other, const Row& apart, const Row& own_reach,
                             const Row& other_reach) {
    const Rows n = rough_inverse(other);
    RelativeFrame out;
    for (std::size_t r = 0; r < 3; ++r) {
        double sum = 0, size = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            sum += n[r][k] * apart[k];
            size += std::abs(n[r][k] * apart[k]);
        }
        out.origin[r] = sum;
        out.error[r] = size * kSumError;
        out.magnitude[r] = size + other_reach[r];
        for (std::size_t j = 0; j < 3; ++j) {
            double entry = 0, entry_size = 0, unit = 0, unit_size = 1;
            for (std::size_t k = 0; k < 3; ++k) {
                entry += n[r][k] * own[k][j];
                entry_size += std::abs(n[r][k] * own[k][j]);
                unit += n[r][k] * other[k][j];
                unit_size += std::abs(n[r][k] * other[k][j]);
            }
            out.axes[j][r] = entry;
            out.magnitude[r] += entry_size * own_reach[j];
            out.error[r] += entry_size * kSumError * own_reach[j] +
                            (std::abs(unit - (j == r ? 1 : 0)) + unit_size * kSumError) * other_reach[j];
        }
    }
    return out;
}

bool all_finite(const RelativeFrame& relative) {
    bool out = true;
    for (std::size_t r = 0; r < 3; ++r) {
        out = out && std::isfinite(relative.origin[r]) && std::isfinite(relative.error[r]) &&
              std::isfinite(relative.magnitude[r]);
        for (std::size_t k = 0; k < 3; ++k) out = out && std::isfinite(relative.axes[k][r]);
    }
    return out;
}

float down(double v) {
    return std::nextafter(static_cast<float>(v), -HUGE_VALF);
}
float up(double v) {
    return std::nextafter(static_cast<float>(v), HUGE_VALF);
}

}  // namespace

double BoxTreePlacement::slack(std::size_t s, std::size_t r, double epsilon) const {
    double out = thickness[1 - s] + error[s][r] + kRoundings * epsilon * magnitude[s][r];
    for (std::size_t k = 0; k < 3; ++k) out += std::abs(axes[s][k][r]) * thickness[s];
    return out * (1 + kSumError);
}

Aabb BoxTreePlacement::in_other(std::size_t s, const std::array<double, 3>& low,
                                const std::array<double, 3>& size, double epsilon) const {
    Aabb out;
    for (std::size_t r = 0; r < 3; ++r) {
        double from = origin[s][r], to = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            from += axes[s][k][r] * low[k] + std::min(axes[s][k][r] * size[k], 0.0);
            to += std::abs(axes[s][k][r]) * size[k];
        }
        const double grow = slack(s, r, epsilon);
        out.min[r] = down(from - grow);
        out.max[r] = up(from + to + grow);
    }
    return out;
}

BoxTreePlacement relate_box_trees(const Matrix34f& world_from_a, const BoxTree& a,
                                  const Matrix34f& world_from_b, const BoxTree& b) {
    BoxTreePlacement out;
    out.box = {a.box, b.box};
    out.thickness = {a.thickness, b.thickness};
    const Rows linear[2] = {linear_of(world_from_a), linear_of(world_from_b)};
    const Row reach[2] = {reach_of(a.box, a.thickness), reach_of(b.box, b.thickness)};
    out.usable = true;
    for (std::size_t s = 0; s < 2; ++s) {
        const Matrix34f &own = s == 0 ? world_from_a : world_from_b,
                        &other = s == 0 ? world_from_b : world_from_a;
        Row apart;
        for (std::size_t k = 0; k < 3; ++k)
            apart[k] = double{own.translation()[k]} - double{other.translation()[k]};
        const RelativeFrame relative =
            relative_frame(linear[s], linear[1 - s], apart, reach[s], reach[1 - s]);
        out.axes[s] = relative.axes;
        out.origin[s] = relative.origin;
        out.error[s] = relative.error;
        out.magnitude[s] = relative.magnitude;
        out.usable = out.usable && all_finite(relative);
    }
    return out;
}

template <class T>
std::optional<BoxTreeFrames<T>> frames_for(const BoxTreePlacement& placement) {
    if (!placement.usable) return std::nullopt;
    constexpr double kLargest = sizeof(T) == sizeof(float) ? 0x1p50 : 0x1p400, kSmallest = 1 / kLargest;
    std::array<std::array<double, 3>, 2> slack{}, length{};
    for (std::size_t s = 0; s < 2; ++s) {
        const double planes = largest_size(placement.box[1 - s]);
        for (std::size_t r = 0; r < 3; ++r) {
            slack[s][r] = placement.slack(s, r, std::numeric_limits<T>::epsilon());
            length[s][r] = double{placement.box[s].max[r]} - double{placement.box[s].min[r]};
            if (!(slack[s][r] <= kMaxSlack * planes)) return std::nullopt;
            if (!(placement.magnitude[s][r] < kLargest && slack[s][r] > kSmallest)) return std::nullopt;
        }
    }
    return BoxTreeFrames<T>(placement.axes, slack, length);
}

template <class T>
BoxPair<T> first_of(const auto& splitter, const BoxTreePlacement& placement) {
    std::array<std::array<T, 3>, 2> low{}, size{}, origin{};
    for (std::size_t s = 0; s < 2; ++s) {
        for (std::size_t r = 0; r < 3; ++r) {
            low[s][r] = placement.box[s].min[r];
            size[s][r] = static_cast<T>(double{placement.box[s].max[r]} - double{placement.box[s].min[r]});
            double at = placement.origin[s][r];
            for (std::size_t k = 0; k < 3; ++k)
                at += placement.axes[s][k][r] * double{placement.box[s].min[k]};
            origin[s][r] = static_cast<T>(at);
        }
    }
    return splitter.first(low, size, origin);
}

template <class T>
BoxPair<T> first_pair(const IntervalSplitter<T, true>& splitter, const BoxTreePlacement& placement) {
    return first_of<T>(splitter, placement);
}
template <class T>
BoxPair<T> first_pair(const IntervalSplitter<T, false>& splitter, const BoxTreePlacement& placement) {
    return first_of<T>(splitter, placement);
}

AlignedFrames aligned_frames(const Matrix34f& world_from_a, const Matrix34f& world_from_b) {
    AlignedFrames out;
    for (std::size_t s = 0; s < 2; ++s) {
        const Matrix34f& m = s == 0 ? world_from_a : world_from_b;
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t k = 0; k < 3; ++k) out.axes[s][k][r] = m.m[4 * r + k];
            out.origin[s][r] = s == 0 ? 0 : double{m.m[4 * r + 3]} - double{world_from_a.m[4 * r + 3]};
        }
    }
    return out;
}

/// The root boxes in the world, grown by the thickness of the trees and the roundings of the whole traversal.
AlignedPair first_aligned_pair(const AlignedFrames& frames, const BoxTree& a, const BoxTree& b) {
    AlignedPair out{};
    for (std::size_t s = 0; s < 2; ++s) {
        const BoxTree& tree = s == 0 ? a : b;
        auto& side = out.side[s];
        const Row reach = reach_of(tree.box, tree.thickness);
        for (std::size_t k = 0; k < 3; ++k) {
            side.low[k] = tree.box.min[k];
            side.size[k] = double{tree.box.max[k]} - double{tree.box.min[k]};
        }
        for (std::size_t r = 0; r < 3; ++r) {
            double from = frames.origin[s][r], to = 0, grow = 0, magnitude = std::abs(from);
            for (std::size_t k = 0; k < 3; ++k) {
                const double axis = frames.axes[s][k][r];
                from += axis * side.low[k] + std::min(axis * side.size[k], 0.0);
                to += std::abs(axis) * side.size[k];
                grow += std::abs(axis) * tree.thickness;
                magnitude += std::abs(axis) * reach[k];
            }
            grow += kRoundings * std::numeric_limits<double>::epsilon() * 2 * magnitude;
            side.min[r] = from - grow;
            side.max[r] = from + to + grow;
        }
    }
    return out;
}

template std::optional<BoxTreeFrames<float>> frames_for<float>(const BoxTreePlacement&);
template std::optional<BoxTreeFrames<double>> frames_for<double>(const BoxTreePlacement&);
template BoxPair<float> first_pair(const IntervalSplitter<float, true>&, const BoxTreePlacement&);
template BoxPair<float> first_pair(const IntervalSplitter<float, false>&, const BoxTreePlacement&);
template BoxPair<double> first_pair(const IntervalSplitter<double, true>&, const BoxTreePlacement&);
template BoxPair<double> first_pair(const IntervalSplitter<double, false>&, const BoxTreePlacement&);

}  // namespace claybox::collision
