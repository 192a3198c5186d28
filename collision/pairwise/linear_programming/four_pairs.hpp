#pragma once
// From weights to a proof: reduces two convex combinations of vertices with a common point to four vertex
// pairs whose differences surround the origin. Source: Caratheodory's theorem, removing one point at a time.

#include "collision/core/vec.hpp"
#include "collision/exact/solid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace claybox::collision {

/// A vertex, its position, and its weight in a convex combination.
struct WeightedVertex {
    std::uint32_t vertex = 0;
    double weight = 0;
    Vec3d at;
};

/// A convex combination of at most four points of the difference A - B. Adding a fifth shifts weight along
/// the affine dependency of the five points until one weight is zero; the combined point stays the same.
class FourPairs {
  public:
    void add(const VertexPair& pair, const Vec3d& difference, double weight) {
        point_[count_] = difference;
        weight_[count_] = weight;
        pair_[count_++] = pair;
        if (count_ == 5) drop_one();
    }
    int count() const { return count_; }
    const VertexPair& pair(int i) const { return pair_[i]; }
    double weight(int i) const { return weight_[i]; }
    const Vec3d& point(int i) const { return point_[i]; }

  private:
    static double determinant(const Vec3d& a, const Vec3d& b, const Vec3d& c) { return dot(a, cross(b, c)); }

    /// How far the weights can move against `z` until the first is zero; `first` is its index.
    double furthest(const double (&z)[5], double sign, int& first) const {
        double out = std::numeric_limits<double>::infinity();
        for (int i = 0; i < 5; ++i)
            if (sign * z[i] > 0 && weight_[i] / (sign * z[i]) < out) {
                out = weight_[i] / (sign * z[i]);
                first = i;
            }
        return out;
    }
    /// The smallest remaining weight times the volume of the remaining four points: measures how far the
    /// tetrahedron is from flat and how far inside the combination is.
    double quality(const double (&z)[5], double step, int first) const {
        double least = std::numeric_limits<double>::infinity();
        for (int i = 0; i < 5; ++i)
            if (i != first) least = std::min(least, weight_[i] - step * z[i]);
        return least * std::abs(z[first]);
    }
    void drop_one() {
        Vec3d e[4];
        for (int i = 0; i < 4; ++i) e[i] = point_[i] - point_[4];
        double z[5] = {determinant(e[1], e[2], e[3]), -determinant(e[0], e[2], e[3]),
                       determinant(e[0], e[1], e[3]), -determinant(e[0], e[1], e[2]), 0};
        z[4] = -(z[0] + z[1] + z[2] + z[3]);
        int up = -1, down = -1;
        const double up_step = furthest(z, 1, up), down_step = furthest(z, -1, down);
        if (up < 0 || down < 0) return remove(lightest());  // all five in one plane, up to rounding
        const bool go_up = quality(z, up_step, up) >= quality(z, -down_step, down);
        const double step = go_up ? up_step : -down_step;
        for (int i = 0; i < 5; ++i) weight_[i] = std::max(0.0, weight_[i] - step * z[i]);
        remove(go_up ? up : down);
    }
    int lightest() const { return static_cast<int>(std::min_element(weight_, weight_ + 5) - weight_); }
    void remove(int i) {
        --count_;
        point_[i] = point_[count_];
        weight_[i] = weight_[count_];
        pair_[i] = pair_[count_];
    }

    Vec3d point_[5];
    double weight_[5] = {};
    VertexPair pair_[5];
    int count_ = 0;
};

/// Heaviest first, by insertion: the lists are short and often nearly sorted.
inline void sort_by_weight(std::span<WeightedVertex> list) {
    for (std::size_t i = 1; i < list.size(); ++i)
        for (std::size_t k = i; k > 0 && list[k].weight > list[k - 1].weight; --k)
            std::swap(list[k], list[k - 1]);
}

/// Couples two convex combinations with a common point, heaviest vertices first. Each vertex pair gets the
/// weight that both vertices still have, so the weighted differences sum to zero. Sorts both lists.
inline FourPairs couple(std::span<WeightedVertex> a, std::span<WeightedVertex> b) {
    constexpr double kNothing = 1e-9;  // smaller weights are rounding
    sort_by_weight(a);
    sort_by_weight(b);
    FourPairs out;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const double part = std::min(a[i].weight, b[j].weight);
        if (part > kNothing) out.add({a[i].vertex, b[j].vertex}, a[i].at - b[j].at, part);
        a[i].weight -= part;
        b[j].weight -= part;
        if (a[i].weight <= b[j].weight)
            ++i;
        else
            ++j;
    }
    return out;
}

}  // namespace claybox::collision
