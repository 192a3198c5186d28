// Source: Zachmann, thesis, 3.7.2, after Chazelle, Convex partitions of polyhedra (1984): a plane through
//   each notch (an edge that turns inward) removes it. Ours: a binary space partition, which handles pieces
//   of any topology without cross sections. A cell is a convex polytope with the pieces of triangles inside
//   it. It is split until every piece lies behind every other piece.
// Planes: through a notch and the next notch of a chain, or of a triangle; the one that removes most notches
//   and cuts few pieces. If no notch is left (several bodies in one cell), the plane of the triangle that the
//   fewest pieces cross. Each plane is inside the open cell once, so the search ends.
//
// Why a leaf is right. Let its cell be open and convex, f any of its pieces, H(f) the half-space behind f's
// plane, K the intersection of the cell with all H(f).
// 1. K's inside contains no piece, since f lies on the boundary of H(f). So K is either inside or outside the
// solid. It is inside if some piece m lies in all H(g): the way from a point inside K to m crosses nothing
// and reaches m from behind.
// 2. If all pieces lie in all H(g) exactly, K is the solid in the cell. If pieces did not cover a facet of K,
// the surface would end inside the facet, which is impossible for a closed surface. The rest of the cell is
// convex beyond each facet and touches the outer side of a piece.
// 3. In any case the solid in the cell lies in the hull of the pieces' corners and of those corners of the
// cell that are inside the solid: no other point of it is extreme. A corner is inside if the segment from a
// point inside K crosses an even number of pieces.
// The hulls are thus proven although pieces may protrude by the tolerance: outer hulls contain the set of 3,
// inner hulls are hulls of floats in K. A cell without pieces is on the same side as the triangle whose plane
// cut it off.
//
// Complexity: at most quadratic in the notches (Chazelle); each cell is linear in its pieces and the planes
// tried.

#include "collision/pairwise/decomposition/convex_decomposition.hpp"

#include "collision/pairwise/decomposition/cells.hpp"
#include "collision/pairwise/decomposition/check.hpp"
#include "collision/pairwise/decomposition/merge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace claybox::collision {

namespace {

/// Number of notches per cell whose planes are tried, and of planes through each notch along its chains.
constexpr std::size_t kNotchesTried = 12;
constexpr std::size_t kChainsTried = 4;
/// Number of triangles whose planes are tried if no notch is left.
constexpr std::size_t kFacesTried = 32;
/// Score of a plane: per notch in it, per notch that it cuts in two, per piece that it cuts. Tuned by the
/// number of parts of tori, gears and stars.
constexpr double kRemoves = 2, kHalves = 1, kCutsPiece = 0.25;
/// Inner points move towards the middle of the part by the first of these fractions that is proven.
constexpr double kPulls[] = {0x1p-22, 0x1p-20, 0x1p-17, 0x1p-14, 0x1p-11, 0x1p-8, 0x1p-5, 0.25};

/// An edge that turns inward, with its two triangles.
struct Notch {
    std::uint32_t u, v;
    std::uint32_t planes[2];
    std::uint32_t across[2];  ///< the third corners
};

class Decomposer {
  public:
    Decomposer(const Geometry& geometry, const BoundedSolid& solid, const DecompositionRules& rules)
        : g_(geometry), t_(*geometry.topology), solid_(solid), rules_(rules), space_(geometry.positions) {
        const Vec3f extent = g_.box.max - g_.box.min;
        const double size = std::max({extent.x, extent.y, extent.z}) / space_.frame().unit();
        tolerance_ = std::max(rules.tolerance * size, 4 * space_.frame().float_step());
    }
    ConvexDecomposition run();

  private:
    bool begin();
    void find_notches(const std::vector<std::uint32_t>& plane_of);
    void process(Cell cell);
    void process_half(Cell half, std::uint32_t plane, const Cell& whole, int side);

    bool is_convex(const Cell& cell) const;
    std::optional<std::uint32_t> choose_plane(const Cell& cell);
    void try_notch(const Cell& cell, const Notch& notch);
    void try_plane(const Cell& cell, const RationalPlane& plane, std::uint32_t known);
    std::optional<std::uint32_t> choose_face(const Cell& cell) const;

    bool add_part(const Cell& cell);
    bool is_exactly_convex(const Cell& cell) const;
    bool has_front_piece(const Cell& cell) const;
    bool in_kernel(const Cell& cell, const RationalPoint& p, bool strictly) const;
    std::optional<RationalPoint> middle(const Cell& cell, const PointLoop& corners) const;
    bool corner_within(const Cell& cell, const RationalPoint& from, std::uint32_t corner) const;
    PointLoop extreme_points(const Cell& cell, const RationalPoint* from) const;
    std::vector<Vec3f> inner_points(const Cell& cell, const PointLoop& points,
                                    const RationalPoint& from) const;

    const Geometry& g_;
    const Topology& t_;
    const BoundedSolid& solid_;
    DecompositionRules rules_;
    CellSpace space_;
    double tolerance_ = 0;
    std::vector<Notch> notches_;
    std::vector<std::vector<std::uint32_t>> notches_at_;  ///< per vertex
    std::vector<Cell> open_;
    std::vector<DecomposedPart> parts_;
    ConvexDecomposition out_;

    struct Best {
        double score = -HUGE_VAL;
        RationalPlane plane;
        std::uint32_t known = kNoIndex;
    } best_;
};

/// Adds the planes of all triangles, fronts outward, and the notches. False if there is nothing to cut.
bool Decomposer::begin() {
    Cell root = space_.root();
    std::vector<std::uint32_t> plane_of(t_.triangles.size(), kNoIndex);
    const auto& p = space_.points();
    for (std::size_t i = 0; i < t_.triangles.size(); ++i) {
        PointLoop loop(std::begin(t_.triangles[i].vertices), std::end(t_.triangles[i].vertices));
        if (solid_.reversed[t_.triangles[i].polygon]) std::swap(loop[1], loop[2]);
        const RationalPlane plane = space_.frame().plane(p[loop[0]], p[loop[1]], p[loop[2]]);
        if (plane.scale == 0) continue;
        plane_of[i] = space_.add_plane(plane);
        root.pieces.push_back({std::move(loop), plane_of[i]});
    }
    find_notches(plane_of);
    for (std::uint32_t n = 0; n < notches_.size(); ++n)
        root.notches.push_back({{notches_[n].u, notches_[n].v}, n});
    out_.notches = static_cast<std::uint32_t>(notches_.size());
    if (root.pieces.empty()) return false;
    open_.push_back(std::move(root));
    return true;
}

void Decomposer::find_notches(const std::vector<std::uint32_t>& plane_of) {
    struct Side {
        std::uint32_t low, high, triangle, third;
    };
    std::vector<Side> sides;
    for (std::uint32_t i = 0; i < t_.triangles.size(); ++i)
        for (std::size_t k = 0; k < 3 && plane_of[i] != kNoIndex; ++k) {
            const auto& v = t_.triangles[i].vertices;
            const std::uint32_t a = v[k], b = v[(k + 1) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), i, v[(k + 2) % 3]});
        }
    std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
        return std::array{x.low, x.high, x.triangle} < std::array{y.low, y.high, y.triangle};
    });
    notches_at_.resize(t_.vertex_count);
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
        const Side &x = sides[i], &y = sides[i + 1];
        if (x.low != y.low || x.high != y.high) continue;
        const RationalPlane& plane = space_.planes()[plane_of[x.triangle]];
        if (height(plane, space_.points()[y.third]) <= tolerance_) continue;
        const auto number = static_cast<std::uint32_t>(notches_.size());
        notches_.push_back({x.low, x.high, {plane_of[x.triangle], plane_of[y.triangle]}, {x.third, y.third}});
        notches_at_[x.low].push_back(number);
        notches_at_[x.high].push_back(number);
    }
}

/// The corners of all pieces, without duplicates.
PointLoop corners_of(const std::vector<CellPiece>& pieces) {
    PointLoop out;
    for (const CellPiece& f : pieces) out.insert(out.end(), f.loop.begin(), f.loop.end());
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// Whether every piece lies behind every other, up to the tolerance. Tests triangles at notches first.
bool Decomposer::is_convex(const Cell& cell) const {
    const PointLoop corners = corners_of(cell.pieces);
    const auto all_behind = [&](std::uint32_t plane) {
        return std::all_of(corners.begin(), corners.end(), [&](std::uint32_t p) {
            return height(space_.planes()[plane], space_.points()[p]) <= tolerance_;
        });
    };
    for (const CellNotch& n : cell.notches)
        if (!all_behind(notches_[n.notch].planes[0])) return false;
    return std::all_of(cell.pieces.begin(), cell.pieces.end(),
                       [&](const CellPiece& f) { return all_behind(f.plane); });
}

/// Keeps the plane if its score exceeds the best so far.
void Decomposer::try_plane(const Cell& cell, const RationalPlane& plane, std::uint32_t known) {
    double score = 0;
    const auto at = [&](std::uint32_t p) { return height(plane, space_.points()[p]); };
    for (const CellNotch& n : cell.notches) {
        const double u = at(n.ends[0]), v = at(n.ends[1]);
        if (std::max(std::abs(u), std::abs(v)) <= tolerance_)
            score += kRemoves;
        else if (std::min(u, v) < -tolerance_ && std::max(u, v) > tolerance_)
            score -= kHalves;
    }
    for (const CellPiece& f : cell.pieces) {
        double low = 0, high = 0;
        for (const std::uint32_t p : f.loop) {
            low = std::min(low, at(p));
            high = std::max(high, at(p));
        }
        if (low < -tolerance_ && high > tolerance_) score -= kCutsPiece;
        if (score <= best_.score) return;
    }
    if (score > best_.score) best_ = {score, plane, known};
}

/// Tries the planes of both triangles, and planes through the next notches at either end that have the two
/// triangles on different sides: then both halves of the solid at the notch are convex.
void Decomposer::try_notch(const Cell& cell, const Notch& n) {
    for (const std::uint32_t plane : n.planes) try_plane(cell, space_.planes()[plane], plane);
    const auto& p = space_.points();
    std::size_t tried = 0;
    for (const std::uint32_t end : {n.u, n.v})
        for (const std::uint32_t other : notches_at_[end]) {
            const Notch& o = notches_[other];
            const std::uint32_t third = o.u == end ? o.v : o.u;
            if (third == n.u || third == n.v || tried == kChainsTried) continue;
            const RationalPlane plane = space_.frame().plane(p[n.u], p[n.v], p[third]);
            if (plane.scale == 0) continue;
            if (side(plane, p[n.across[0]]) * side(plane, p[n.across[1]]) >= 0) continue;
            ++tried;
            try_plane(cell, plane, kNoIndex);
        }
}

/// Among some triangles with something in front of them by more than the tolerance, the one that the fewest
/// pieces cross; otherwise any with something in front of it at all.
std::optional<std::uint32_t> Decomposer::choose_face(const Cell& cell) const {
    const PointLoop corners = corners_of(cell.pieces);
    std::vector<double> heights(corners.size());
    std::optional<std::uint32_t> out;
    std::size_t fewest = 0, tried = 0;
    for (const CellPiece& f : cell.pieces) {
        for (std::size_t i = 0; i < corners.size(); ++i)
            heights[i] = height(space_.planes()[f.plane], space_.points()[corners[i]]);
        if (*std::max_element(heights.begin(), heights.end()) <= tolerance_) continue;
        std::size_t crossed = 0;
        for (const CellPiece& g : cell.pieces) {
            double low = 0, high = 0;
            for (const std::uint32_t p : g.loop) {
                const auto at = std::lower_bound(corners.begin(), corners.end(), p) - corners.begin();
                low = std::min(low, heights[static_cast<std::size_t>(at)]);
                high = std::max(high, heights[static_cast<std::size_t>(at)]);
            }
            crossed += low < -tolerance_ && high > tolerance_ ? 1 : 0;
        }
        if (!out || crossed < fewest) {
            out = f.plane;
            fewest = crossed;
        }
        if (++tried == kFacesTried) break;
    }
    for (std::size_t i = 0; i < cell.pieces.size() && !out; ++i)
        for (const std::uint32_t p : corners)
            if (side(space_.planes()[cell.pieces[i].plane], space_.points()[p]) > 0)
                out = cell.pieces[i].plane;
    return out;
}

std::optional<std::uint32_t> Decomposer::choose_plane(const Cell& cell) {
    best_ = {};
    const std::size_t step = std::max<std::size_t>(1, cell.notches.size() / kNotchesTried);
    for (std::size_t i = 0; i < cell.notches.size(); i += step)
        try_notch(cell, notches_[cell.notches[i].notch]);
    if (best_.score == -HUGE_VAL) return choose_face(cell);
    return best_.known != kNoIndex ? best_.known : space_.add_plane(best_.plane);
}

/// Handles the part of a cell on one side of a plane: queues it for more work, or adds it if it is inside the
/// solid.
void Decomposer::process_half(Cell half, std::uint32_t plane, const Cell& whole, int side) {
    if (!half.pieces.empty()) {
        open_.push_back(std::move(half));
        return;
    }
    // It contains no surface, so it is on the same side as any triangle in the plane.
    for (const CellPiece& f : whole.pieces) {
        bool in_plane = true;
        for (const std::uint32_t p : f.loop)
            in_plane = in_plane && collision::side(space_.planes()[plane], space_.points()[p]) == 0;
        if (!in_plane) continue;
        const RationalPlane& own = space_.planes()[f.plane];
        const bool same_way = dot(own.normal, space_.planes()[plane].normal).sign() > 0;
        if ((side < 0) == same_way) add_part(half);
        return;
    }
    out_.refusal = DecompositionRefusal::no_inside;  // impossible: nothing cut off a piece
}

void Decomposer::process(Cell cell) {
    if (is_convex(cell) && add_part(cell)) return;
    const std::optional<std::uint32_t> plane = choose_plane(cell);
    if (!plane || parts_.size() >= rules_.max_parts || space_.points().size() >= rules_.max_points) {
        out_.refusal = DecompositionRefusal::too_large;
        return;
    }
    CellSpace::Halves halves = space_.split(cell, *plane, tolerance_);
    process_half(std::move(halves.front), *plane, cell, 1);
    process_half(std::move(halves.back), *plane, cell, -1);
}

bool Decomposer::is_exactly_convex(const Cell& cell) const {
    const PointLoop corners = corners_of(cell.pieces);
    return std::all_of(cell.pieces.begin(), cell.pieces.end(), [&](const CellPiece& f) {
        return std::all_of(corners.begin(), corners.end(), [&](std::uint32_t p) {
            return side(space_.planes()[f.plane], space_.points()[p]) <= 0;
        });
    });
}

/// Whether some piece lies behind all others; then the space behind all of them is inside the solid.
bool Decomposer::has_front_piece(const Cell& cell) const {
    return std::any_of(cell.pieces.begin(), cell.pieces.end(), [&](const CellPiece& m) {
        return std::all_of(cell.pieces.begin(), cell.pieces.end(), [&](const CellPiece& g) {
            return std::all_of(m.loop.begin(), m.loop.end(), [&](std::uint32_t p) {
                return side(space_.planes()[g.plane], space_.points()[p]) <= 0;
            });
        });
    });
}

/// Whether a point lies in the cell and behind all pieces.
bool Decomposer::in_kernel(const Cell& cell, const RationalPoint& p, bool strictly) const {
    const int max_side = strictly ? -1 : 0;
    return std::all_of(cell.facets.begin(), cell.facets.end(),
                       [&](const CellFacet& f) {
                           return -f.inner * side(space_.planes()[f.plane], p) <= max_side;
                       }) &&
           std::all_of(cell.pieces.begin(), cell.pieces.end(),
                       [&](const CellPiece& f) { return side(space_.planes()[f.plane], p) <= max_side; });
}

/// A point strictly inside K, near the mean of the corners.
std::optional<RationalPoint> Decomposer::middle(const Cell& cell, const PointLoop& corners) const {
    Vec3d sum;
    for (const std::uint32_t c : corners) {
        const Vec3<Approx>& p = space_.points()[c].near;
        sum += {p.x.v, p.y.v, p.z.v};
    }
    const RationalPoint out = space_.frame().point_in_units(sum / static_cast<double>(corners.size()));
    if (!in_kernel(cell, out, true)) return std::nullopt;
    return out;
}

/// Whether a corner of the cell may be inside the solid, by the pieces between it and a point inside K. These
/// pieces have K behind them and the corner in front of them.
bool Decomposer::corner_within(const Cell& cell, const RationalPoint& from, std::uint32_t corner) const {
    const RationalPoint& to = space_.points()[corner];
    if (corner >= space_.first_corner() && corner < space_.first_corner() + 8) return false;
    bool within = true;
    for (const CellPiece& f : cell.pieces) {
        if (side(space_.planes()[f.plane], to) <= 0) continue;
        int low = 1, high = -1;
        for (std::size_t i = 0; i < f.loop.size(); ++i) {
            const int s = orientation(from, to, space_.points()[f.loop[i]],
                                      space_.points()[f.loop[(i + 1) % f.loop.size()]]);
            low = std::min(low, s);
            high = std::max(high, s);
        }
        if (low < 0 && high > 0) continue;
        if (low == 0 || high == 0) return true;  // not certain: the hull may be too large
        within = !within;
    }
    return within;
}

/// Points whose hull contains the solid in the cell.
PointLoop Decomposer::extreme_points(const Cell& cell, const RationalPoint* from) const {
    PointLoop out = corners_of(cell.pieces), corners;
    for (const CellFacet& f : cell.facets) corners.insert(corners.end(), f.loop.begin(), f.loop.end());
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    for (const std::uint32_t c : corners) {
        const bool behind = std::all_of(cell.pieces.begin(), cell.pieces.end(), [&](const CellPiece& f) {
            return side(space_.planes()[f.plane], space_.points()[c]) <= 0;
        });
        if (behind || (from != nullptr && corner_within(cell, *from, c))) out.push_back(c);
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// Floats in K, one near each point: the point itself, or the first float in K on the way to the middle.
std::vector<Vec3f> Decomposer::inner_points(const Cell& cell, const PointLoop& points,
                                            const RationalPoint& from) const {
    const double unit = space_.frame().unit();
    const Vec3d centre{from.near.x.v, from.near.y.v, from.near.z.v};
    std::vector<Vec3f> out;
    for (const std::uint32_t p : points) {
        const RationalPoint& exact = space_.points()[p];
        const Aabb box = space_.frame().between_floats(exact);
        if (box.min == box.max && in_kernel(cell, exact, false)) {
            out.push_back(box.min);
            continue;
        }
        const Vec3d at{exact.near.x.v, exact.near.y.v, exact.near.z.v};
        for (const double pull : kPulls) {
            const Vec3f drawn = cast<float>((at + pull * (centre - at)) * unit);
            if (!in_kernel(cell, space_.frame().point(drawn), false)) continue;
            out.push_back(drawn);
            break;
        }
    }
    return out;
}

/// Adds the part of a convex cell. False if nothing is proven about it; this happens only if pieces protrude.
bool Decomposer::add_part(const Cell& cell) {
    const bool exactly_convex = is_exactly_convex(cell);
    if (!exactly_convex && !has_front_piece(cell)) return false;
    const std::optional<RationalPoint> from = middle(cell, extreme_points(cell, nullptr));
    if (!from && !exactly_convex) return false;
    const PointLoop points = extreme_points(cell, exactly_convex ? nullptr : &*from);
    DecomposedPart part;
    part.exact = exactly_convex;
    for (const std::uint32_t p : points) {
        const Aabb box = space_.frame().between_floats(space_.points()[p]);
        part.exact = part.exact && box.min == box.max;
        for (int i = 0; i < 8; ++i)
            part.outer.push_back({i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                                  i & 4 ? box.max.z : box.min.z});
    }
    if (!part.exact && from) part.inner.push_back(inner_points(cell, points, *from));
    parts_.push_back(std::move(part));
    return true;
}

ConvexDecomposition Decomposer::run() {
    if (!begin()) out_.refusal = DecompositionRefusal::not_closed;
    while (!open_.empty() && out_.refusal == DecompositionRefusal::none) {
        Cell cell = std::move(open_.back());
        open_.pop_back();
        process(std::move(cell));
    }
    if (out_.refusal != DecompositionRefusal::none) return std::move(out_);
    out_.cells = static_cast<std::uint32_t>(parts_.size());
    out_.parts = shape_parts(std::move(parts_), tolerance_ * space_.frame().unit(), rules_.merge);
    if (out_.parts.empty()) out_.refusal = DecompositionRefusal::too_large;
    return std::move(out_);
}

}  // namespace

const char* to_string(DecompositionRefusal refusal) {
    switch (refusal) {
        case DecompositionRefusal::none:
            return "";
        case DecompositionRefusal::not_closed:
            return "it is not closed and manifold";
        case DecompositionRefusal::cuts_itself:
            return "it intersects itself";
        case DecompositionRefusal::no_inside:
            return "it has no inside";
        case DecompositionRefusal::too_large:
            return "it needs too many parts";
    }
    return "";
}

bool may_be_decomposed(const Classification& c) {
    return c.closed && c.manifold && c.polygons > 0;
}

ConvexDecomposition decompose(const Geometry& geometry, const Classification& classification,
                              const DecompositionRules& rules) {
    ConvexDecomposition out;
    out.refusal = DecompositionRefusal::not_closed;
    if (!may_be_decomposed(classification)) return out;
    const BoundedSolid solid = bounded_solid(geometry);
    out.refusal = solid.refusal;
    return out.refusal == DecompositionRefusal::none ? Decomposer(geometry, solid, rules).run() : out;
}

}  // namespace claybox::collision
