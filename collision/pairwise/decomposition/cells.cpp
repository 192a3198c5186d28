#include "collision/pairwise/decomposition/cells.hpp"

#include "collision/core/assert.hpp"

#include <cmath>

namespace claybox::collision {

CellSpace::CellSpace(std::span<const Vec3f> positions) : frame_(positions) {
    points_.reserve(positions.size() + 8);
    for (const Vec3f& p : positions) points_.push_back(frame_.point(p));
    first_corner_ = static_cast<std::uint32_t>(points_.size());
    const float far = static_cast<float>(2 * frame_.unit());  // all coordinates are below half of it
    for (int i = 0; i < 8; ++i)
        points_.push_back(frame_.point({i & 1 ? far : -far, i & 2 ? far : -far, i & 4 ? far : -far}));
    constexpr std::uint32_t kFaces[6][3] = {{0, 4, 2}, {1, 3, 5}, {0, 1, 4}, {2, 6, 3}, {0, 2, 1}, {4, 5, 6}};
    for (const auto& f : kFaces)
        planes_.push_back(frame_.plane(points_[first_corner_ + f[0]], points_[first_corner_ + f[1]],
                                       points_[first_corner_ + f[2]]));
}

std::uint32_t CellSpace::add_plane(const RationalPlane& plane) {
    planes_.push_back(plane);
    return static_cast<std::uint32_t>(planes_.size() - 1);
}

Cell CellSpace::root() const {
    constexpr std::uint32_t kFaces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                            {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    Cell out;
    for (std::uint32_t f = 0; f < 6; ++f) {
        CellFacet facet;
        facet.plane = f;
        for (const std::uint32_t corner : kFaces[f]) facet.loop.push_back(first_corner_ + corner);
        out.facets.push_back(facet);
    }
    return out;
}

int CellSpace::side_of(std::uint32_t point) {
    const auto [at, is_new] = sides_.try_emplace(point, 0);
    if (is_new) at->second = side(planes_[split_plane_], points_[point]);
    return at->second;
}

/// The intersection of the split plane with the segment between two points on different sides; shared by all
/// users of the segment.
std::uint32_t CellSpace::cut(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t key = std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
    const auto [at, is_new] = cuts_.try_emplace(key, static_cast<std::uint32_t>(points_.size()));
    if (is_new) {
        points_.push_back(
            frame_.cut(planes_[split_plane_], points_[std::min(a, b)], points_[std::max(a, b)]));
        sides_[at->second] = 0;
    }
    return at->second;
}

CellSpace::Sides CellSpace::split(const PointLoop& loop) {
    Sides out;
    bool any_back = false, any_front = false;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const std::uint32_t here = loop[i], next = loop[(i + 1) % loop.size()];
        const int s = side_of(here), t = side_of(next);
        any_back = any_back || s < 0;
        any_front = any_front || s > 0;
        if (s <= 0) out.back.push_back(here);
        if (s >= 0) out.front.push_back(here);
        if (s * t < 0) {
            const std::uint32_t between = cut(here, next);
            out.back.push_back(between);
            out.front.push_back(between);
        }
    }
    if (!any_back) out.back.clear();
    if (!any_front) out.front.clear();
    return out;
}

/// Adds the new facet, from the sides of the other facets in the split plane.
void CellSpace::close(Cell& half, int inner) const {
    std::unordered_map<std::uint32_t, std::uint32_t> next;
    std::uint32_t first = kNoIndex;
    for (const CellFacet& facet : half.facets)
        for (std::size_t i = 0; i < facet.loop.size(); ++i) {
            const std::uint32_t from = facet.loop[i], to = facet.loop[(i + 1) % facet.loop.size()];
            if (sides_.at(from) != 0 || sides_.at(to) != 0) continue;
            next[to] = from;
            if (first == kNoIndex) first = to;
        }
    CellFacet lid;
    lid.plane = split_plane_;
    lid.inner = inner;
    std::uint32_t at = first;
    do {
        lid.loop.push_back(at);
        at = next.at(at);
    } while (at != first && lid.loop.size() <= next.size());
    CLAYBOX_ASSERT(at == first && lid.loop.size() == next.size());
    half.facets.push_back(std::move(lid));
}

CellSpace::Halves CellSpace::split(const Cell& cell, std::uint32_t plane, double tolerance) {
    split_plane_ = plane;
    sides_.clear();
    cuts_.clear();
    Halves out;
    for (const CellFacet& f : cell.facets) {
        Sides s = split(f.loop);
        if (!s.back.empty()) out.back.facets.push_back({std::move(s.back), f.plane, f.inner});
        if (!s.front.empty()) out.front.facets.push_back({std::move(s.front), f.plane, f.inner});
    }
    close(out.back, -1);
    close(out.front, 1);
    for (const CellPiece& p : cell.pieces) {
        Sides s = split(p.loop);
        if (!s.back.empty()) out.back.pieces.push_back({std::move(s.back), p.plane});
        if (!s.front.empty()) out.front.pieces.push_back({std::move(s.front), p.plane});
    }
    for (const CellNotch& n : cell.notches) {
        const auto [u, v] = n.ends;
        const double hu = height(planes_[plane], points_[u]), hv = height(planes_[plane], points_[v]);
        if (std::max(std::abs(hu), std::abs(hv)) <= tolerance) continue;
        const int s = side_of(u), t = side_of(v);
        if (s * t < 0) {
            const std::uint32_t middle = cut(u, v);
            (s < 0 ? out.back : out.front).notches.push_back({{u, middle}, n.notch});
            (s < 0 ? out.front : out.back).notches.push_back({{middle, v}, n.notch});
        } else {
            (s + t < 0 ? out.back : out.front).notches.push_back(n);
        }
    }
    return out;
}

}  // namespace claybox::collision
