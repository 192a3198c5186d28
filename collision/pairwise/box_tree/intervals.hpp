#pragma once
// Incremental interval splitting: Zachmann's test of two boxes during the traversal of two box-trees (thesis,
// 3.6.1 and 3.6.2). The 12 edges of each box carry the interval of their line parameter that lies inside the
// other box. Cutting a box clips the 12 intervals of the other box by one new plane, shifts or clips the 4
// intervals of its edges along the cut, copies 4 and computes 4. The boxes are disjoint if all 24 intervals
// are empty.
//
// Names: a pair has two sides. `size` is the extent of a side's box along its own axes, `low` its corner in
// its own frame, `origin` that corner in the other frame. The edges of family k run along axis k. Edge 0
// starts at the corner; edges 1, 2 and 3 are offset along the first of the other two axes, the second, and
// both. Line parameters are lengths from the start of the edge (the thesis' t for side 0 and s for side 1).
//
// Nothing here requires right angles: the frames may be related by any invertible affine map.

#include "collision/pairwise/box_tree/four.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace claybox::collision {

/// The two other axes of a family, ascending.
inline constexpr std::array<std::array<std::size_t, 2>, 3> kOtherAxes{{{1, 2}, {0, 2}, {0, 1}}};

/// Constants of a traversal: the edges of each side's boxes in the other side's frame.
template <class T>
struct BoxTreeFrames {
    /// [f][r]: family f against the planes across axis r of the other side.
    struct Direction {
        T axis[3][3];       ///< component r of the unit vector f
        T inverse[3][3];    ///< 1 / axis
        T ratio[3][3][2];   ///< of family f's n-th other axis to it: axis[other][r] / axis[f][r]
        bool enters[3][3];  ///< edges of family f enter at the low plane; constant during a traversal
        bool parallel[3][3];
        /// Error of the computed position of a plane: in line parameters; in lengths if parallel.
        T thick[3][3];
    };
    Direction side[2];

    /// `axes[s][f]`: unit vectors of side s in the other frame. `slack[s][r]`: thickness of side 1-s's planes
    /// across r. `length[s][f]`: the longest edges of family f.
    BoxTreeFrames(const std::array<std::array<std::array<double, 3>, 3>, 2>& axes,
                  const std::array<std::array<double, 3>, 2>& slack,
                  const std::array<std::array<double, 3>, 2>& length) {
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t f = 0; f < 3; ++f)
                for (std::size_t r = 0; r < 3; ++r) set(side[s], f, r, axes[s], slack[s][r], length[s][f]);
    }

  private:
    // An edge that rises by less than the slack over its whole length counts as parallel: its start
    // represents all of it, and the slack doubles. This keeps all quotients bounded.
    static void set(Direction& d, std::size_t f, std::size_t r,
                    const std::array<std::array<double, 3>, 3>& axes, double slack, double length) {
        const double rise = axes[f][r];
        constexpr double kUp = 1 + 0x1p-20;  // exceeds the rounding to T
        d.axis[f][r] = static_cast<T>(rise);
        d.enters[f][r] = rise > 0;
        d.parallel[f][r] = std::abs(rise) * length <= slack;
        if (d.parallel[f][r]) {
            d.inverse[f][r] = d.ratio[f][r][0] = d.ratio[f][r][1] = 0;
            d.thick[f][r] = static_cast<T>(2 * slack * kUp);
            return;
        }
        d.inverse[f][r] = static_cast<T>(1 / rise);
        for (std::size_t n = 0; n < 2; ++n)
            d.ratio[f][r][n] = static_cast<T>(axes[kOtherAxes[f][n]][r] / rise);
        d.thick[f][r] = static_cast<T>(slack / std::abs(rise) * kUp);
    }
};

/// Products of sizes and ratios for every level of a tree with middle cuts only (3.6.4, future work). Halving
/// a size halves a product, so a table replaces the multiplications.
template <class T>
struct BoxTreeProducts {
    static constexpr std::size_t kLevels = 24;  ///< cuts of one axis; beyond them products are computed
    /// [s][f][r][n][level]: size of side s along family f's n-th other axis after `level` cuts, times the
    /// ratio.
    T value[2][3][3][2][kLevels];

    BoxTreeProducts(const BoxTreeFrames<T>& frames, const std::array<std::array<T, 3>, 2>& size) {
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t f = 0; f < 3; ++f)
                for (std::size_t r = 0; r < 3; ++r)
                    for (std::size_t n = 0; n < 2; ++n) {
                        T product = size[s][kOtherAxes[f][n]] * frames.side[s].ratio[f][r][n];
                        for (T& v : value[s][f][r][n]) {
                            v = product;
                            product *= T(0.5);
                        }
                    }
    }
};

/// The state of a pair of boxes.
template <class T>
struct BoxPair {
    struct Side {
        alignas(16) T min[3][4], max[3][4];  ///< intervals by family and edge; meaningless if outside
        T low[3], size[3], origin[3];
        std::uint16_t outside = 0;  ///< bit 4 f + i: edge i of family f misses the other box
        std::uint8_t level[3]{};    ///< number of cuts of each axis

        /// Number of edges that are not outside: the counter that starts at 12.
        int edges_left() const { return 12 - std::popcount(outside); }
    };
    Side side[2];

    /// FIX-28: all 24 edges must be outside; one box alone may well have all of its 12 edges outside.
    bool boxes_overlap() const { return side[0].edges_left() + side[1].edges_left() != 0; }
};

/// With `Flags` off, all 12 and 4 intervals of a cut are computed although some are known to be empty; for
/// measuring the effect of the flags.
template <class T, bool Flags = true>
class IntervalSplitter {
  public:
    explicit IntervalSplitter(const BoxTreeFrames<T>& frames, const BoxTreeProducts<T>* products = nullptr)
        : frames_(frames), products_(products) {}

    /// The first test. All edges start whole; then each side is cut at the 2 x 3 planes of the other side by
    /// the code that cuts boxes, at the low corner and at the high corner.
    BoxPair<T> first(const std::array<std::array<T, 3>, 2>& low, const std::array<std::array<T, 3>, 2>& size,
                     const std::array<std::array<T, 3>, 2>& origin) const {
        BoxPair<T> pair;
        for (std::size_t s = 0; s < 2; ++s) {
            auto& own = pair.side[s];
            for (std::size_t k = 0; k < 3; ++k) {
                own.low[k] = low[s][k];
                own.size[k] = size[s][k];
                own.origin[k] = origin[s][k];
                for (std::size_t i = 0; i < 4; ++i) {
                    own.min[k][i] = 0;
                    own.max[k][i] = size[s][k];
                }
            }
        }
        BoxPair<T> dropped = pair;
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t k = 0; k < 3; ++k) {
                const auto& box = pair.side[s];
                clip_other(s, k, box.low[k], pair, dropped, pair);
                clip_other(s, k, box.low[k] + box.size[k], pair, pair, dropped);
            }
        return pair;
    }

    /// Cuts side s across its axis at `position` in its own frame; `part` is its size below the plane.
    void split(const BoxPair<T>& pair, std::size_t s, std::size_t axis, T position, T part, BoxPair<T>& left,
               BoxPair<T>& right) const {
        left = pair;
        right = pair;
        clip_other(s, axis, position, pair, left, right);
        shift(axis, part, pair.side[s], left.side[s], right.side[s]);
        cut_edges(s, axis, part, pair, left.side[s], right.side[s]);
        auto &l = left.side[s], &r = right.side[s];
        l.size[axis] = part;
        r.size[axis] = pair.side[s].size[axis] - part;
        r.low[axis] = position;
        ++l.level[axis];
        ++r.level[axis];
        for (std::size_t k = 0; k < 3; ++k)
            r.origin[k] = pair.side[s].origin[k] + part * frames_.side[s].axis[axis][k];
    }

  private:
    using Side = typename BoxPair<T>::Side;
    static constexpr std::uint16_t bit(std::size_t f, std::size_t i) {
        return static_cast<std::uint16_t>(1u << (4 * f + i));
    }

    /// Size along family f's n-th other axis times ratio: the parameter offset between edges of the family.
    T offset(const Side& own, std::size_t s, std::size_t f, std::size_t r, std::size_t n) const {
        const std::size_t k = kOtherAxes[f][n];
        if (products_ != nullptr && own.level[k] < BoxTreeProducts<T>::kLevels)
            return products_->value[s][f][r][n][own.level[k]];
        return own.size[k] * frames_.side[s].ratio[f][r][n];
    }

    /// The parameters at which the four edges of a family intersect one plane: 't_xh = ''t_xl of the thesis.
    /// Three of the four follow from the first by subtraction.
    Four<T> four_parameters(const Side& own, std::size_t s, std::size_t f, std::size_t r, T plane) const {
        const T first = offset(own, s, f, r, 0), second = offset(own, s, f, r, 1);
        const T t = (plane - own.origin[r]) * frames_.side[s].inverse[f][r], t1 = t - first;
        return Four<T>::of(t, t1, t - second, t1 - second);
    }

    /// Clips the edges of the other side by a plane of side s across `axis` at `plane`: removes the part
    /// above it for `left` and the part below it for `right`.
    void clip_other(std::size_t s, std::size_t axis, T plane, const BoxPair<T>& pair, BoxPair<T>& left,
                    BoxPair<T>& right) const {
        const std::size_t o = 1 - s;
        const Side& own = pair.side[o];
        Side &l = left.side[o], &r = right.side[o];
        const auto& d = frames_.side[o];
        for (std::size_t f = 0; f < 3; ++f) {
            const unsigned outside_flags = (own.outside >> (4 * f)) & 15u;
            if (Flags && outside_flags == 15u) continue;
            if (d.parallel[f][axis]) {
                clip_parallel(own, d, f, axis, plane, l, r);
                continue;
            }
            const Four<T> t = four_parameters(own, o, f, axis, plane);
            const Four<T> thick = Four<T>::all(d.thick[f][axis]);
            // The part below the plane comes first on edges that enter at the low plane.
            Side& before = d.enters[f][axis] ? l : r;
            Side& behind = d.enters[f][axis] ? r : l;
            const Four<T> from = Four<T>::load(own.min[f]), to = Four<T>::load(own.max[f]);
            const Four<T> end = smaller(to, t + thick), start = larger(from, t - thick);
            end.store(before.max[f]);
            start.store(behind.min[f]);
            const unsigned before_out = ~at_most(from, end) & 15, behind_out = ~at_most(start, to) & 15;
            before.outside = static_cast<std::uint16_t>(before.outside | before_out << (4 * f));
            behind.outside = static_cast<std::uint16_t>(behind.outside | behind_out << (4 * f));
        }
    }

    /// Edges parallel to the plane stay unchanged or are lost (3.6.2).
    void clip_parallel(const Side& own, const typename BoxTreeFrames<T>::Direction& d, std::size_t f,
                       std::size_t axis, T plane, Side& left, Side& right) const {
        const std::size_t k = kOtherAxes[f][0], m = kOtherAxes[f][1];
        const T first = own.size[k] * d.axis[k][axis], second = own.size[m] * d.axis[m][axis];
        const T height[4] = {own.origin[axis], own.origin[axis] + first, own.origin[axis] + second,
                             own.origin[axis] + first + second};
        const T thick = d.thick[f][axis];
        for (std::size_t i = 0; i < 4; ++i) {
            if (height[i] > plane + thick) left.outside |= bit(f, i);
            if (height[i] < plane - thick) right.outside |= bit(f, i);
        }
    }

    /// The four edges along the cut.
    static void shift(std::size_t axis, T part, const Side& own, Side& left, Side& right) {
        const Four<T> from = Four<T>::load(own.min[axis]), to = Four<T>::load(own.max[axis]);
        const Four<T> cut = Four<T>::all(part), zero = Four<T>::all(T(0)), rest = to - cut;
        smaller(to, cut).store(left.max[axis]);
        larger(zero, from - cut).store(right.min[axis]);
        rest.store(right.max[axis]);
        const unsigned left_out = ~at_most(from, cut) & 15, right_out = ~at_most(zero, rest) & 15;
        left.outside = static_cast<std::uint16_t>(left.outside | left_out << (4 * axis));
        right.outside = static_cast<std::uint16_t>(right.outside | right_out << (4 * axis));
    }

    /// The four edges that the cut creates: two of each other family. They are upper edges of the left part
    /// and lower edges of the right part; the rest is already copied. FIX-27 corrects which is which.
    void cut_edges(std::size_t s, std::size_t axis, T part, const BoxPair<T>& pair, Side& left,
                   Side& right) const {
        const Side& own = pair.side[s];
        const auto& d = frames_.side[s];
        T start[3];
        for (std::size_t k = 0; k < 3; ++k) start[k] = own.origin[k] + part * d.axis[axis][k];
        for (const std::size_t f : kOtherAxes[axis]) {
            const std::size_t n = kOtherAxes[f][0] == axis ? 0 : 1;  // the cut is along its n-th other axis
            const std::size_t upper = n + 1, beside = 2 - n;  // offset along the cut; along the third axis
            T from[2] = {0, 0}, to[2] = {own.size[f], own.size[f]};
            const bool out0 = !clip_edge_pair(s, f, 1 - n, start, own, pair.side[1 - s], from, to);
            const bool out1 = !(from[1] <= to[1]);
            set(left, f, upper, from[0], to[0], out0);
            set(right, f, 0, from[0], to[0], out0);
            set(left, f, 3, from[1], to[1], out1);
            set(right, f, beside, from[1], to[1], out1);
        }
    }
    static void set(Side& side, std::size_t f, std::size_t i, T from, T to, bool outside) {
        side.min[f][i] = from;
        side.max[f][i] = to;
        const std::uint16_t mask = bit(f, i);
        side.outside = static_cast<std::uint16_t>(outside ? side.outside | mask : side.outside & ~mask);
    }

    /// Clips the edge of family f from `start`, and the edge next to it along the family's n-th other axis,
    /// by the other box. False if the first is outside; an empty interval ends before it starts.
    bool clip_edge_pair(std::size_t s, std::size_t f, std::size_t n, const T (&start)[3], const Side& own,
                        const Side& box, T (&from)[2], T (&to)[2]) const {
        const auto& d = frames_.side[s];
        for (std::size_t r = 0; r < 3; ++r) {
            const T thick = d.thick[f][r];
            if (d.parallel[f][r]) {
                const T beside = own.size[kOtherAxes[f][n]] * d.axis[kOtherAxes[f][n]][r];
                for (std::size_t e = 0; e < 2; ++e) {
                    const T height = start[r] + (e == 0 ? T(0) : beside) - box.low[r];
                    if (height < -thick || height > box.size[r] + thick) to[e] = from[e] - 1;
                }
                continue;
            }
            const T low = (box.low[r] - start[r]) * d.inverse[f][r], width = box.size[r] * d.inverse[f][r];
            const T beside = offset(own, s, f, r, n);
            for (std::size_t e = 0; e < 2; ++e) {
                const T at_low = e == 0 ? low : low - beside, at_high = at_low + width;
                from[e] = std::max(from[e], (d.enters[f][r] ? at_low : at_high) - thick);
                to[e] = std::min(to[e], (d.enters[f][r] ? at_high : at_low) + thick);
            }
        }
        return from[0] <= to[0];
    }

    const BoxTreeFrames<T>& frames_;
    const BoxTreeProducts<T>* products_;
};

}  // namespace claybox::collision
