// Source: ours. The curves along which two surfaces intersect bound the parts of each surface that lie inside
//   the other solid. The area vector of such a curve, half the sum of r x dr, is the integral of A's outward
//   normal over A's part inside B, and minus the integral of B's outward normal over B's part inside A. It is
//   the direction in which the common volume shrinks fastest when B moves: the contact normal.
// Grouping: a hit of an edge belongs to the polygon pairs on both sides of that edge. Hits along a curve are
//   thus connected without any distance threshold. In each pair of polygons the curve is a segment along n_a
//   x n_b (several segments if a polygon is not convex), with A's inner part on its left. The segments can be
//   added up in any order.
// No area (surfaces that only touch, or open curves at a border): the normal is the average of the normals of
//   the polygons hit.
// Depth: the overlap, along the normal, of the parts that the curve cuts off. It follows the surfaces inward
//   from the curve.
// Not exact: points are rounded, and so is everything derived from them. O(h log h + vertices cut off).

#include "collision/pairwise/contacts.hpp"

#include "collision/core/function_ref.hpp"
#include "collision/pairwise/query_buffer.hpp"

#include <algorithm>
#include <utility>

namespace claybox::collision {

namespace {

/// A curve whose area vector is shorter than this fraction of its squared length is too narrow to define a
/// direction (a circle has 0.08). A curve is open if its ends are farther apart than this fraction of its
/// length.
constexpr double kMinArea = 1e-4, kMaxEndGap = 0.05;
/// Polygons count as parallel below this sine, since normals are rounded to float.
constexpr double kParallel = 1e-6;
/// A sum of unit normals shorter than this fraction of their number has no usable direction.
constexpr double kMinNormalSum = 0.05;

/// One body, with the outward normals of its polygons in the world frame.
class Side {
  public:
    explicit Side(const PairBody& body)
        : geometry_(*body.geometry),
          world_from_body_(to_double(body.world_from_body)),
          convex_(body.shape->classification().convex_polygons && !body.deformed()) {
        const Matrix34d& m = world_from_body_;
        const Vec3d x{m(0, 0), m(1, 0), m(2, 0)}, y{m(0, 1), m(1, 1), m(2, 1)}, z{m(0, 2), m(1, 2), m(2, 2)};
        const double sign = dot(x, cross(y, z)) < 0
                                ? -1
                                : 1;  // a reflection reverses loops but does not swap inside and outside
        normal_map_[0] = cross(y, z) * sign;
        normal_map_[1] = cross(z, x) * sign;
        normal_map_[2] = cross(x, y) * sign;
    }
    const Topology& topology() const { return *geometry_.topology; }
    Vec3d vertex(std::uint32_t v) const { return transform_point(world_from_body_, geometry_.positions[v]); }
    /// Zero if there is no normal.
    Vec3d normal(std::uint32_t polygon) const {
        if (polygon == kNoIndex) return {};
        const Vec3d n = cast<double>(polygon_normal(geometry_, polygon));
        return normalized(normal_map_[0] * n.x + normal_map_[1] * n.y + normal_map_[2] * n.z, Vec3d{});
    }
    bool convex(std::uint32_t polygon) const {
        return convex_ || (polygon != kNoIndex && topology().loop(polygon).size() == 3);
    }
    Vec3d centre() const { return transform_point(world_from_body_, geometry_.box.centre()); }

  private:
    const Geometry& geometry_;
    Matrix34d world_from_body_;
    Vec3d normal_map_[3];
    bool convex_;
};

/// A hit as a point of the curve between one polygon of A and one of B.
struct CurvePoint {
    std::uint32_t contact, polygon_a, polygon_b, hit;
    bool is_repeat;  ///< the hit already has an earlier point in this contact

    friend auto operator<=>(const CurvePoint&, const CurvePoint&) = default;
    bool same_pair(const CurvePoint& other) const {
        return polygon_a == other.polygon_a && polygon_b == other.polygon_b;
    }
};

/// An edge that is hit; sorted by edge.
struct CutEdge {
    std::uint32_t edge, hit;
    friend auto operator<=>(const CutEdge&, const CutEdge&) = default;
};

/// A vertex inside the other body, at the end of a cut edge.
struct Seed {
    std::uint32_t contact, vertex;
    friend auto operator<=>(const Seed&, const Seed&) = default;
};

/// Sums over one contact.
struct Sums {
    Vec3d mean;                ///< of the hits
    Vec3d faces, pairs;        ///< normals from A to B: of the polygons hit; of both polygons of each pair
    Vec3d area, ends, middle;  ///< of the segments; `middle` is weighted with their lengths
    double length = 0, longest = 0;  ///< of all segments; of the longest one
};

/// Calls f with the points of each pair of polygons.
template <class F>
void each_run(std::span<CurvePoint> points, F&& f) {
    for (std::size_t i = 0, end = 0; i < points.size(); i = end) {
        while (end < points.size() && points[end].same_pair(points[i])) ++end;
        f(points.subspan(i, end - i));
    }
}

class ContactBuilder {
  public:
    ContactBuilder(const PairQuery& query, std::span<const Hit> hits, QueryBuffer& storage);
    std::size_t group_hits();
    void build(std::uint32_t number, Contact& out);
    std::uint32_t contact_of(std::size_t hit) const { return contact_[hit]; }

    static std::size_t bytes(const PairQuery& query, std::size_t hits);

  private:
    std::uint32_t root(std::uint32_t hit);
    void unite(std::uint32_t one, std::uint32_t other);
    void add_points();
    void find_cut_edges(bool of_b, std::span<CutEdge> storage, std::span<Seed> seeds);
    void add_seeds(bool of_b, std::span<const CutEdge> run, std::size_t& seeds);
    Vec3d point(std::uint32_t hit) const { return cast<double>(hits_[hit].point_w); }
    std::span<CurvePoint> points_of(std::uint32_t contact);
    Vec3d along(const CurvePoint& place) const;
    void each_piece(std::span<CurvePoint> run, const Vec3d& along,
                    FunctionRef<void(std::span<CurvePoint>)> f) const;
    void connect_run(std::span<CurvePoint> run);
    void add_run(std::span<CurvePoint> run, Sums& sums, Contact& out) const;
    void add_segment(const CurvePoint& from, const CurvePoint& to, Sums& sums, Contact& out) const;
    Vec3d direction(const Sums& sums, std::size_t points, std::size_t hits) const;
    void select_points(std::span<const CurvePoint> points, Contact& out) const;
    double extent_inside(bool of_b, std::uint32_t contact, const Vec3d& along, const Vec3d& from);
    bool is_cut(bool of_b, std::uint32_t edge) const;
    bool mark_reached(bool of_b, std::uint32_t vertex);

    std::span<const Hit> hits_;
    Side side_[2];
    bool solid_;
    std::span<CurvePoint> points_;
    std::span<std::uint32_t> contact_;  ///< of each hit; a union-find parent until group_hits() ends
    std::span<std::uint32_t> order_;
    std::span<CutEdge> cut_edges_[2];
    std::span<Seed> seeds_[2];
    std::span<std::uint32_t> inner_;  ///< vertices reached by the current flood fill
    std::size_t inner_count_ = 0;
    std::span<std::uint64_t> reached_[2];  ///< one bit per vertex
};

std::size_t words(const PairBody& body) {
    return body.geometry->topology->vertex_count / 64 + 1;
}

std::size_t max_inner_vertices(const PairQuery& query) {
    const auto vertices = [](const PairBody& b) { return b.geometry->topology->vertex_count; };
    return std::min<std::size_t>(kMaxInnerVertices, std::max(vertices(query.a), vertices(query.b)));
}

bool is_closed_solid(const PairBody& body) {
    const Classification& c = body.shape->classification();
    return c.closed && c.manifold && c.oriented;
}

std::size_t ContactBuilder::bytes(const PairQuery& query, std::size_t hits) {
    const std::size_t per_hit =
        2 * sizeof(CurvePoint) + 2 * sizeof(std::uint32_t) + sizeof(CutEdge) + 2 * sizeof(Seed);
    return hits * per_hit + max_inner_vertices(query) * sizeof(std::uint32_t) +
           (words(query.a) + words(query.b)) * sizeof(std::uint64_t) + 128;
}

ContactBuilder::ContactBuilder(const PairQuery& query, std::span<const Hit> hits, QueryBuffer& storage)
    : hits_(hits),
      side_{Side(query.a), Side(query.b)},
      solid_(is_closed_solid(query.a) && is_closed_solid(query.b)) {
    reached_[0] = storage.take<std::uint64_t>(words(query.a));
    reached_[1] = storage.take<std::uint64_t>(words(query.b));
    for (const auto& bits : reached_) std::fill(bits.begin(), bits.end(), 0);
    points_ = storage.take<CurvePoint>(2 * hits.size());
    contact_ = storage.take<std::uint32_t>(hits.size());
    order_ = storage.take<std::uint32_t>(hits.size());
    inner_ = storage.take<std::uint32_t>(max_inner_vertices(query));
    const auto of_b = static_cast<std::size_t>(
        std::count_if(hits.begin(), hits.end(), [](const Hit& h) { return h.edge_of_b; }));
    const std::size_t count[2] = {hits.size() - of_b, of_b};
    for (int k = 0; k < 2; ++k) {
        cut_edges_[k] = storage.take<CutEdge>(count[k]);
        seeds_[k] = storage.take<Seed>(2 * count[k]);
    }
}

std::uint32_t ContactBuilder::root(std::uint32_t hit) {
    while (contact_[hit] != hit) hit = contact_[hit] = contact_[contact_[hit]];
    return hit;
}

/// The lowest hit represents its contact.
void ContactBuilder::unite(std::uint32_t one, std::uint32_t other) {
    one = root(one);
    other = root(other);
    contact_[std::max(one, other)] = std::min(one, other);
}

void ContactBuilder::add_points() {
    std::size_t count = 0;
    for (std::uint32_t h = 0; h < hits_.size(); ++h) {
        const Hit& hit = hits_[h];
        const auto add = [&](std::uint32_t polygon_of_edge, bool is_repeat) {
            const std::uint32_t a = hit.edge_of_b ? hit.polygon : polygon_of_edge;
            const std::uint32_t b = hit.edge_of_b ? polygon_of_edge : hit.polygon;
            points_[count++] = {0, a, b, h, is_repeat};
        };
        if (hit.edge == kNoIndex) {
            add(hit.inner_of, false);
            continue;
        }
        const Edge& edge = side_[hit.edge_of_b ? 1 : 0].topology().edges[hit.edge];
        add(edge.polygons[0], false);
        if (edge.polygons[1] != kNoIndex && edge.polygons[1] != edge.polygons[0]) add(edge.polygons[1], true);
    }
    points_ = points_.first(count);
    std::sort(points_.begin(), points_.end());
}

/// Numbers the contacts by their first hits and sorts the points by contact.
std::size_t ContactBuilder::group_hits() {
    for (std::uint32_t h = 0; h < hits_.size(); ++h) contact_[h] = h;
    add_points();
    each_run(points_, [&](std::span<CurvePoint> run) { connect_run(run); });
    std::uint32_t count = 0;
    for (std::uint32_t h = 0; h < hits_.size(); ++h) {
        const std::uint32_t first = root(h);
        order_[h] = first == h ? count++ : order_[first];
    }
    std::swap(contact_, order_);
    for (CurvePoint& p : points_) p.contact = contact_[p.hit];
    std::sort(points_.begin(), points_.end());
    if (!solid_) return count;
    for (int k = 0; k < 2; ++k) find_cut_edges(k == 1, cut_edges_[k], seeds_[k]);
    return count;
}

/// Finds the ends of cut edges that lie inside the other body.
void ContactBuilder::find_cut_edges(bool of_b, std::span<CutEdge> storage, std::span<Seed> seeds) {
    std::size_t edges = 0, count = 0;
    for (std::uint32_t h = 0; h < hits_.size(); ++h)
        if (hits_[h].edge_of_b == of_b && hits_[h].edge != kNoIndex) storage[edges++] = {hits_[h].edge, h};
    const auto all = cut_edges_[of_b ? 1 : 0] = storage.first(edges);
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0, end = 0; i < edges; i = end) {
        while (end < edges && all[end].edge == all[i].edge) ++end;
        add_seeds(of_b, all.subspan(i, end - i), count);
    }
    seeds_[of_b ? 1 : 0] = seeds.first(count);
    std::sort(seeds.begin(), seeds.begin() + static_cast<std::ptrdiff_t>(count));
}

/// The hit nearest to an end decides: the end is inside if it lies behind the polygon hit there.
void ContactBuilder::add_seeds(bool of_b, std::span<const CutEdge> run, std::size_t& seeds) {
    const Side &side = side_[of_b ? 1 : 0], &other = side_[of_b ? 0 : 1];
    for (const std::uint32_t vertex : side.topology().edges[run[0].edge].vertices) {
        const Vec3d end = side.vertex(vertex);
        std::uint32_t nearest = run[0].hit;
        for (const CutEdge& c : run)
            if (length_squared(end - point(c.hit)) < length_squared(end - point(nearest))) nearest = c.hit;
        const std::uint32_t polygon = hits_[nearest].polygon;
        const Vec3d on_plane = other.vertex(other.topology().loop(polygon)[0]);
        if (dot(other.normal(polygon), end - on_plane) < 0)
            seeds_[of_b ? 1 : 0][seeds++] = {contact_[nearest], vertex};
    }
}

std::span<CurvePoint> ContactBuilder::points_of(std::uint32_t contact) {
    const auto before = [](const CurvePoint& p, std::uint32_t c) { return p.contact < c; };
    const auto begin = std::lower_bound(points_.begin(), points_.end(), contact, before);
    const auto end = std::lower_bound(begin, points_.end(), contact + 1, before);
    return {begin, end};
}

void ContactBuilder::add_segment(const CurvePoint& from, const CurvePoint& to, Sums& sums,
                                 Contact& out) const {
    const Vec3d p = point(from.hit), q = point(to.hit);
    const double size = length(q - p);
    sums.area += 0.5 * cross(p - sums.mean, q - sums.mean);
    sums.ends += q - p;
    sums.middle += size * 0.5 * (p + q - 2.0 * sums.mean);
    sums.length += size;
    if (size < sums.longest) return;
    sums.longest = size;
    out.polygon_a = from.polygon_a;
    out.polygon_b = from.polygon_b;
}

/// Calls f with each piece of the curve in one pair of polygons; the ends of a piece are its first and last
/// point. Convex polygons share one piece. In other polygons the pieces alternate along the line in which the
/// planes intersect, and hits of inner diagonals lie between the ends.
void ContactBuilder::each_piece(std::span<CurvePoint> run, const Vec3d& along,
                                FunctionRef<void(std::span<CurvePoint>)> f) const {
    const auto earlier = [&](const CurvePoint& x, const CurvePoint& y) {
        const double at_x = dot(along, point(x.hit)), at_y = dot(along, point(y.hit));
        return at_x != at_y ? at_x < at_y : x.hit < y.hit;
    };
    const auto is_end = [&](const CurvePoint& p) { return hits_[p.hit].edge != kNoIndex; };
    std::sort(run.begin(), run.end(), earlier);
    const bool convex = side_[0].convex(run[0].polygon_a) && side_[1].convex(run[0].polygon_b);
    if (convex || std::count_if(run.begin(), run.end(), is_end) % 2 != 0) return f(run);
    std::size_t begin = 0, ends = 0;
    for (std::size_t i = 0; i < run.size(); ++i) {
        if (is_end(run[i]) && ends++ % 2 == 0 && ends > 1) {
            f(run.subspan(begin, i - begin));
            begin = i;
        }
    }
    f(run.subspan(begin));
}

/// The direction in which A's inner part is on the left of the curve; zero for parallel polygons.
Vec3d ContactBuilder::along(const CurvePoint& place) const {
    const Vec3d out = cross(side_[0].normal(place.polygon_a), side_[1].normal(place.polygon_b));
    return length(out) > kParallel ? out : Vec3d{};
}

void ContactBuilder::add_run(std::span<CurvePoint> run, Sums& sums, Contact& out) const {
    const Vec3d n_a = side_[0].normal(run[0].polygon_a), n_b = side_[1].normal(run[0].polygon_b);
    sums.pairs += static_cast<double>(run.size()) * (n_a - n_b);
    const Vec3d line = along(run[0]);
    if (run.size() < 2 || line == Vec3d{}) return;
    each_piece(run, line,
               [&](std::span<CurvePoint> piece) { add_segment(piece.front(), piece.back(), sums, out); });
}

/// Connects the hits of one piece of the curve, and all hits between parallel polygons.
void ContactBuilder::connect_run(std::span<CurvePoint> run) {
    const auto all = [&](std::span<CurvePoint> piece) {
        for (const CurvePoint& p : piece) unite(p.hit, piece.front().hit);
    };
    const Vec3d line = along(run[0]);
    if (run.size() < 2 || line == Vec3d{}) return all(run);
    each_piece(run, line, all);
}

/// Whether the curve is closed and has an area. Else the surfaces touch, or one of them is open or flat.
bool has_area(const Sums& sums) {
    return length(sums.area) > kMinArea * sums.length * sums.length &&
           length(sums.ends) <= kMaxEndGap * sums.length;
}

Vec3d ContactBuilder::direction(const Sums& sums, std::size_t points, std::size_t hits) const {
    if (has_area(sums)) return normalized(sums.area);
    if (length(sums.faces) > kMinNormalSum * static_cast<double>(hits)) return normalized(sums.faces);
    if (length(sums.pairs) > kMinNormalSum * static_cast<double>(points)) return normalized(sums.pairs);
    return normalized(side_[1].centre() - side_[0].centre(), Vec3d{0, 1, 0});
}

/// Selects four hits far apart: the farthest from the centre, the farthest from that, and one on each side of
/// the line through both.
void ContactBuilder::select_points(std::span<const CurvePoint> points, Contact& out) const {
    std::uint32_t chosen[4] = {kNoIndex, kNoIndex, kNoIndex, kNoIndex};
    const auto choose = [&](int k, auto&& score) {
        double best = 0;
        for (const CurvePoint& p : points) {
            const double s = score(point(p.hit));
            if (chosen[k] == kNoIndex ? s > 0 || k == 0 : s > best) {
                best = s;
                chosen[k] = p.hit;
            }
        }
        if (chosen[k] != kNoIndex) out.points_w[out.point_count++] = hits_[chosen[k]].point_w;
        return chosen[k] != kNoIndex;
    };
    choose(0, [&](const Vec3d& p) { return length_squared(p - out.point_w); });
    const Vec3d first = point(chosen[0]);
    if (!choose(1, [&](const Vec3d& p) { return length_squared(p - first); })) return;
    const Vec3d side = cross(out.normal_w, point(chosen[1]) - first);
    const double least = 1e-6 * length_squared(side);
    choose(2, [&](const Vec3d& p) { return dot(side, p - first) - least; });
    choose(3, [&](const Vec3d& p) { return -dot(side, p - first) - least; });
}

bool ContactBuilder::is_cut(bool of_b, std::uint32_t edge) const {
    const auto& all = cut_edges_[of_b ? 1 : 0];
    const auto at = std::lower_bound(all.begin(), all.end(), CutEdge{edge, 0});
    return at != all.end() && at->edge == edge;
}

/// Marks a vertex as reached; false if the list is full.
bool ContactBuilder::mark_reached(bool of_b, std::uint32_t vertex) {
    std::uint64_t& word = reached_[of_b ? 1 : 0][vertex / 64];
    const std::uint64_t bit = std::uint64_t{1} << vertex % 64;
    if ((word & bit) != 0) return true;
    if (inner_count_ == inner_.size()) return false;
    word |= bit;
    inner_[inner_count_++] = vertex;
    return true;
}

/// How far the part of one body that the contact cuts off extends along a direction. Flood fill from the
/// inner ends across edges that are not cut.
double ContactBuilder::extent_inside(bool of_b, std::uint32_t contact, const Vec3d& along,
                                     const Vec3d& from) {
    const Side& side = side_[of_b ? 1 : 0];
    const Topology& t = side.topology();
    const auto& seeds = seeds_[of_b ? 1 : 0];
    inner_count_ = 0;
    for (auto s = std::lower_bound(seeds.begin(), seeds.end(), Seed{contact, 0});
         s != seeds.end() && s->contact == contact; ++s)
        mark_reached(of_b, s->vertex);
    double farthest = 0;
    for (std::size_t i = 0; i < inner_count_; ++i) {
        farthest = std::max(farthest, dot(along, side.vertex(inner_[i]) - from));
        const std::uint32_t first = t.vertex_first[inner_[i]];
        for (std::uint32_t h = first; h != kNoIndex;) {
            if (!is_cut(of_b, t.edge_of[h]) && !mark_reached(of_b, t.origin[t.next(h)])) break;
            h = t.twin[h] == kNoIndex ? kNoIndex : t.next(t.twin[h]);
            if (h == first) break;
        }
    }
    for (std::size_t i = 0; i < inner_count_; ++i) reached_[of_b ? 1 : 0][inner_[i] / 64] = 0;
    return farthest;
}

void ContactBuilder::build(std::uint32_t number, Contact& out) {
    out = {};
    const std::span<CurvePoint> points = points_of(number);
    Sums sums;
    const Vec3d near = point(points[0].hit);
    for (const CurvePoint& p : points) {
        if (p.is_repeat) continue;
        const Hit& hit = hits_[p.hit];
        ++out.hit_count;
        sums.mean += point(p.hit) - near;
        sums.faces += hit.edge_of_b ? side_[0].normal(hit.polygon) : -side_[1].normal(hit.polygon);
    }
    sums.mean = near + sums.mean / static_cast<double>(out.hit_count);
    out.polygon_a = points[0].polygon_a;
    out.polygon_b = points[0].polygon_b;
    each_run(points, [&](std::span<CurvePoint> run) { add_run(run, sums, out); });
    out.point_w = sums.length > 0 ? sums.mean + sums.middle / sums.length : sums.mean;
    out.normal_w = direction(sums, points.size(), out.hit_count);
    select_points(points, out);
    if (!solid_) return;
    double high = 0, low = 0;
    if (has_area(sums)) {
        for (const CurvePoint& p : points) {
            const double at = dot(out.normal_w, point(p.hit) - out.point_w);
            high = std::max(high, at);
            low = std::min(low, at);
        }
    }
    high = std::max(high, extent_inside(false, number, out.normal_w, out.point_w));
    low = std::min(low, -extent_inside(true, number, -out.normal_w, out.point_w));
    out.depth = high - low;
}

}  // namespace

std::size_t find_contacts(const PairQuery& query, std::span<const Hit> hits, std::span<Contact> out,
                          std::span<std::uint32_t> contact_of_hit) {
    if (hits.empty()) return 0;
    QueryBuffer storage(*query.scratch, ContactBuilder::bytes(query, hits.size()));
    ContactBuilder builder(query, hits, storage);
    const std::size_t count = builder.group_hits();
    for (std::uint32_t i = 0; i < std::min(count, out.size()); ++i) builder.build(i, out[i]);
    for (std::size_t h = 0; h < std::min(hits.size(), contact_of_hit.size()); ++h)
        contact_of_hit[h] = builder.contact_of(h);
    return count;
}

}  // namespace claybox::collision
