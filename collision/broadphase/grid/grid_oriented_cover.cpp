#include "collision/broadphase/grid/grid_oriented_cover.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::collision {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::int32_t cell_at(double x) {
    return static_cast<std::int32_t>(std::floor(x));
}

/// Clips [t0, t1] to the part where from + t * (to - from) is in [low, high]. The caller has moved `low` and
/// `high` outwards by more than the rounding of the differences: a small divisor can only enlarge the result.
void clip(double from, double to, double low, double high, double& t0, double& t1) {
    const double d = to - from;
    if (d == 0) {
        if (from < low || from > high) t0 = kInfinity;
        return;
    }
    const double a = (low - from) / d, b = (high - from) / d;
    t0 = std::max(t0, std::min(a, b));
    t1 = std::min(t1, std::max(a, b));
}

bool segment_intersects(const Vec3d& from, const Vec3d& to, const Vec3d& low, const Vec3d& high) {
    double t0 = 0, t1 = 1;
    for (std::size_t k = 0; k < 3; ++k) clip(from[k], to[k], low[k], high[k], t0, t1);
    return t0 <= t1;
}

/// Calls visit(corner, corner) for the 12 edges of a box whose corners are numbered by bits.
template <class Visit>
void for_each_edge(Visit&& visit) {
    for (unsigned axis = 0; axis < 3; ++axis)
        for (unsigned corner = 0; corner < 8; ++corner)
            if (!(corner >> axis & 1)) visit(corner, corner | 1u << axis);
}

}  // namespace

Vec3d CellCover::CellUnitBox::corner(unsigned index) const {
    Vec3d p = centre;
    for (unsigned i = 0; i < 3; ++i) p += (index >> i & 1 ? extent[i] : -extent[i]) * axis[i];
    return p;
}

// Enlarges the box by a little more than four slacks. Two boxes that pass overlap() then have a common point
// in both enlarged boxes, and therefore share a cell.
CellCover::CellUnitBox CellCover::to_cell_units(const OrientedBox& box, double cells_per_metre) {
    CellUnitBox out;
    out.centre = cast<double>(box.centre) * cells_per_metre;
    double size = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        out.axis[i] = normalized(cast<double>(box.axis[i]));
        out.extent[i] =
            static_cast<double>(box.extent[i]) * length(cast<double>(box.axis[i])) * cells_per_metre;
        size += std::abs(out.centre[i]) + out.extent[i];
    }
    out.tolerance = 0x1p-32 * (size + 1);
    const double margin = 4 * static_cast<double>(box.slack) * cells_per_metre + 8 * out.tolerance;
    for (std::size_t i = 0; i < 3; ++i) out.extent[i] += margin;
    return out;
}

bool CellCover::set_frame(const CellUnitBox& box, double max_cells) {
    Vec3d count;
    for (std::size_t k = 0; k < 3; ++k) {
        const double reach = std::abs(box.axis[0][k]) * box.extent[0] +
                             std::abs(box.axis[1][k]) * box.extent[1] +
                             std::abs(box.axis[2][k]) * box.extent[2] + box.tolerance;
        const double low = std::floor(box.centre[k] - reach), high = std::floor(box.centre[k] + reach);
        if (!(low > -kMaxCell && high < kMaxCell)) return false;
        around_.low[k] = static_cast<std::int32_t>(low);
        around_.high[k] = static_cast<std::int32_t>(high);
        count[k] = high - low + 1;
    }
    w_ = count.x >= count.y && count.x >= count.z ? 0 : count.y >= count.z ? 1 : 2;
    u_ = (w_ + 1) % 3;
    v_ = (w_ + 2) % 3;
    if (count[u_] * count[v_] > max_cells) return false;
    columns_.assign(static_cast<std::size_t>(count[u_] * count[v_]), Range{kInfinity, -kInfinity});
    return true;
}

std::size_t CellCover::column_of(std::int32_t u, std::int32_t v) const {
    const auto across = static_cast<std::size_t>(around_.high[v_] - around_.low[v_] + 1);
    return static_cast<std::size_t>(u - around_.low[u_]) * across +
           static_cast<std::size_t>(v - around_.low[v_]);
}

void CellCover::widen(std::int32_t u, std::int32_t v, double low, double high) {
    u = std::clamp(u, around_.low[u_], around_.high[u_]);
    v = std::clamp(v, around_.low[v_], around_.high[v_]);
    Range& range = columns_[column_of(u, v)];
    range.low = std::min(range.low, low);
    range.high = std::max(range.high, high);
}

/// The part of the line through `from` along a grid axis inside the box (FIX-38: both faces of a pair follow
/// from the distance of `from` to their middle plane; a line that misses the box has an empty range).
CellCover::Range CellCover::stab(const CellUnitBox& box, const Vec3d& from, std::size_t along) {
    Range out{-kInfinity, kInfinity};
    for (std::size_t i = 0; i < 3; ++i) {
        const double slope = box.axis[i][along];
        const double distance = dot(box.axis[i], from - box.centre);
        if (slope == 0) {
            if (std::abs(distance) > box.extent[i]) return {kInfinity, -kInfinity};
            continue;
        }
        const double a = (-box.extent[i] - distance) / slope, b = (box.extent[i] - distance) / slope;
        out.low = std::max(out.low, std::min(a, b));
        out.high = std::min(out.high, std::max(a, b));
    }
    return out;
}

/// Rays on the border of the axis-aligned box are skipped: they touch the box in edges at most.
void CellCover::stab_columns(const CellUnitBox& box) {
    Vec3d from;
    for (std::int32_t u = around_.low[u_] + 1; u <= around_.high[u_]; ++u)
        for (std::int32_t v = around_.low[v_] + 1; v <= around_.high[v_]; ++v) {
            from[u_] = u;
            from[v_] = v;
            const Range inside = stab(box, from, w_);
            if (inside.low > inside.high) continue;
            for (const std::int32_t du : {-1, 0})
                for (const std::int32_t dv : {-1, 0}) widen(u + du, v + dv, inside.low, inside.high);
        }
}

// The intersection of the convex box with a column has its extremes in w at its corners: on a ray at a corner
// of the column, at a corner of the box, or where an edge of the box crosses a wall of the column. Rays and
// the pieces of edges within each column therefore give the exact range. (Adding only the cells of the edges
// is not enough: a thin plate may cross a column between its rays, with its edges in other cells.)
void CellCover::add_edges(const CellUnitBox& box) {
    for_each_edge([&](unsigned from, unsigned to) { add_edge(box, box.corner(from), box.corner(to)); });
}

void CellCover::add_edge(const CellUnitBox& box, const Vec3d& from, const Vec3d& to) {
    const double margin = box.tolerance;
    const Vec3d step = to - from;
    const auto cells = [&](std::size_t k, double t0, double t1) {
        const double a = from[k] + t0 * step[k], b = from[k] + t1 * step[k];
        return std::array{cell_at(std::min(a, b) - margin), cell_at(std::max(a, b) + margin)};
    };
    const auto us = cells(u_, 0, 1);
    for (std::int32_t u = us[0]; u <= us[1]; ++u) {
        double t0 = 0, t1 = 1;
        clip(from[u_], to[u_], u - margin, u + 1 + margin, t0, t1);
        if (t0 > t1) continue;
        const auto vs = cells(v_, t0, t1);
        for (std::int32_t v = vs[0]; v <= vs[1]; ++v) {
            double s0 = t0, s1 = t1;
            clip(from[v_], to[v_], v - margin, v + 1 + margin, s0, s1);
            if (s0 > s1) continue;
            const double a = from[w_] + s0 * step[w_], b = from[w_] + s1 * step[w_];
            widen(u, v, std::min(a, b) - margin, std::max(a, b) + margin);
        }
    }
}

void CellCover::add_corner_cells(const CellUnitBox& box) {
    for (unsigned corner = 0; corner < 8; ++corner) {
        const Vec3d p = box.corner(corner);
        add_cell(cell_at(p[u_]), cell_at(p[v_]), cell_at(p[w_]));
    }
}

void CellCover::add_layers(const CellUnitBox& box) {
    for (std::int32_t layer = around_.low[w_]; layer <= around_.high[w_]; ++layer) add_layer(box, layer);
}

/// The part of the box in a layer is the hull of its clipped edges. Its projection along w is a convex
/// polygon; its extent in each row is found by clipping all chords between its points (chords inside the
/// polygon change nothing).
void CellCover::add_layer(const CellUnitBox& box, std::int32_t layer) {
    const double margin = box.tolerance;
    std::array<Vec3d, 24> points;
    std::size_t count = 0;
    for_each_edge([&](unsigned i, unsigned k) {
        const Vec3d from = box.corner(i), to = box.corner(k);
        double t0 = 0, t1 = 1;
        clip(from[w_], to[w_], layer - margin, layer + 1 + margin, t0, t1);
        if (t0 > t1) return;
        points[count++] = from + t0 * (to - from);
        points[count++] = from + t1 * (to - from);
    });
    for (std::int32_t u = around_.low[u_]; u <= around_.high[u_]; ++u) {
        double low = kInfinity, high = -kInfinity;
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t k = i; k < count; ++k) {
                double t0 = 0, t1 = 1;
                clip(points[i][u_], points[k][u_], u - margin, u + 1 + margin, t0, t1);
                if (t0 > t1) continue;
                for (const double t : {t0, t1}) {
                    const double v = points[i][v_] + t * (points[k][v_] - points[i][v_]);
                    low = std::min(low, v - margin);
                    high = std::max(high, v + margin);
                }
            }
        if (low > high) continue;
        for (std::int32_t v = cell_at(low); v <= cell_at(high); ++v) add_cell(u, v, layer);
    }
}

/// Two convex bodies intersect if an edge of one intersects the other, or one contains the other (edge
/// clipping: Cyrus and Beck 1978).
void CellCover::test_all_cells(const CellUnitBox& box) {
    const Vec3d margin{box.tolerance, box.tolerance, box.tolerance}, reach = box.extent + margin;
    const auto to_box = [&](const Vec3d& p) {
        const Vec3d d = p - box.centre;
        return Vec3d{dot(box.axis[0], d), dot(box.axis[1], d), dot(box.axis[2], d)};
    };
    around_.for_each([&](std::int32_t x, std::int32_t y, std::int32_t z) {
        const Vec3d cell{double(x), double(y), double(z)};
        const Vec3d low = cell - margin, high = cell + Vec3d{1, 1, 1} + margin;
        bool intersects = false;
        for_each_edge([&](unsigned i, unsigned k) {
            intersects = intersects || segment_intersects(box.corner(i), box.corner(k), low, high);
        });
        for_each_edge([&](unsigned i, unsigned k) {
            const auto at = [&](unsigned corner) {
                return to_box(cell + Vec3d{double(corner & 1), double(corner >> 1 & 1), double(corner >> 2)});
            };
            intersects = intersects || segment_intersects(at(i), at(k), -reach, reach);
        });
        if (intersects) cells_.push_back(make_cell_key(x, y, z));
    });
}

void CellCover::add_cell(std::int32_t u, std::int32_t v, std::int32_t w) {
    std::array<std::int32_t, 3> at{};
    at[u_] = std::clamp(u, around_.low[u_], around_.high[u_]);
    at[v_] = std::clamp(v, around_.low[v_], around_.high[v_]);
    at[w_] = std::clamp(w, around_.low[w_], around_.high[w_]);
    cells_.push_back(make_cell_key(at[0], at[1], at[2]));
}

bool CellCover::read_columns(double max_cells) {
    double count = 0;
    for (const Range& range : columns_)
        if (range.low <= range.high) count += std::floor(range.high) - std::floor(range.low) + 1;
    if (count > max_cells) return false;
    for (std::int32_t u = around_.low[u_]; u <= around_.high[u_]; ++u)
        for (std::int32_t v = around_.low[v_]; v <= around_.high[v_]; ++v) {
            const Range& range = columns_[column_of(u, v)];
            if (range.low > range.high) continue;
            for (std::int32_t w = cell_at(range.low); w <= cell_at(range.high); ++w) add_cell(u, v, w);
        }
    return true;
}

bool CellCover::find(CoverMethod method, const OrientedBox& box, double cells_per_metre, double max_cells) {
    cells_.clear();
    const CellUnitBox scaled = to_cell_units(box, cells_per_metre);
    if (!set_frame(scaled, max_cells)) return false;
    const bool uses_rays = method == CoverMethod::stabbing || method == CoverMethod::paper;
    if (!uses_rays && around_.cell_count() > 64 * max_cells) return false;
    if (uses_rays) stab_columns(scaled);
    if (method == CoverMethod::stabbing) add_edges(scaled);
    if (uses_rays && !read_columns(max_cells)) return false;
    if (method == CoverMethod::paper) add_corner_cells(scaled);
    if (method == CoverMethod::drums) add_layers(scaled);
    if (method == CoverMethod::cyrus_beck) test_all_cells(scaled);
    std::sort(cells_.begin(), cells_.end());
    cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
    if (static_cast<double>(cells_.size()) <= max_cells) return true;
    cells_.clear();
    return false;
}

}  // namespace claybox::collision
