// Source: ours. The parts of two solids' surfaces that lie inside the other are bounded by the curves in
//   which the surfaces meet. The area vector of such a curve, half the sum of r x dr, is the integral of A's
//   outward normal over A's part inside of B, and minus that of B's over its part inside of A: the direction
//   in which the common volume shrinks fastest when B moves. That is the normal of a contact.
// How: a hit of an edge belongs to the polygon pairs on both its sides, so that hits hang together along a
//   curve without any distance as threshold. In each pair of polygons the curve is a segment (several where
//   a polygon is not convex) along n_a x n_b, with A's inner part on its left, so the segments can be added
//   up in any order.
// Where there is no area (surfaces that only touch, open curves at a border), the normals of the polygons
//   that were hit are averaged. The depth follows the surfaces from the curve inward.
// Not exact: points are rounded, and so is what follows from them. O(h log h + vertices cut off).

#include "collision/pairwise/contacts.hpp"

#include "collision/core/function_ref.hpp"
#include "collision/parts/query_room.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace claybox::collision {

namespace {

/// A curve whose area vector is shorter than this share of its squared length (a circle's: 0.08) is too
/// narrow for a direction; one whose ends are farther apart than this share of its length is open.
constexpr double kNarrow = 1e-4, kOpen = 0.05;
/// Polygons are parallel below this sine: normals are rounded to float.
constexpr double kParallel = 1e-6;
/// A sum of unit normals shorter than this share of their number points nowhere.
constexpr double kCancelled = 0.05;

/// One body with its polygons' outward normals in the world.
class Side {
  public:
    explicit Side(const PairBody& body)
        : geometry_(*body.geometry),
          world_from_body_(to_double(body.world_from_body)),
          convex_(body.shape->classification().convex_polygons && !body.deformed()) {
        const Matrix34d& m = world_from_body_;
        const Vec3d x{m(0, 0), m(1, 0), m(2, 0)}, y{m(0, 1), m(1, 1), m(2, 1)}, z{m(0, 2), m(1, 2), m(2, 2)};
        const double sign = dot(x, cross(y, z)) < 0 ? -1 : 1;  // a mirror turns loops, not outside
        normal_map_[0] = cross(y, z) * sign;
        normal_map_[1] = cross(z, x) * sign;
        normal_map_[2] = cross(x, y) * sign;
    }
    const Topology& topology() const { return *geometry_.topology; }
    Vec3d vertex(std::uint32_t v) const { return transform_point(world_from_body_, geometry_.positions[v]); }
    /// Zero where there is none.
    Vec3d normal(std::uint32_t polygon) const {
        if (polygon == kNoIndex) return {};
        const Vec3d n = cast<double>(geometry_.polygon_normals[polygon]);
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

/// A hit as a place on the curve between one polygon of each body.
struct Place {
    std::uint32_t contact, polygon_a, polygon_b, hit;
    bool again;  ///< the hit has an earlier place in this contact

    friend auto operator<=>(const Place&, const Place&) = default;
    bool same_pair(const Place& other) const {
        return polygon_a == other.polygon_a && polygon_b == other.polygon_b;
    }
};

/// An edge that is hit, in the order of edges.
struct CutEdge {
    std::uint32_t edge, hit;
    friend auto operator<=>(const CutEdge&, const CutEdge&) = default;
};

/// A vertex inside of the other body, at the end of an edge that is cut there.
struct Seed {
    std::uint32_t contact, vertex;
    friend auto operator<=>(const Seed&, const Seed&) = default;
};

/// What adds up along one contact.
struct Sums {
    Vec3d mean;                      ///< of the hits
    Vec3d faces, pairs;              ///< normals from A to B, of the polygons hit and of both of each pair
    Vec3d area, ends, middle;        ///< of the segments; `middle` is weighted with their lengths
    double length = 0, longest = 0;  ///< of all and of the longest segment
};

/// Calls f with the places of each pair of polygons.
template <class F>
void each_run(std::span<Place> places, F&& f) {
    for (std::size_t i = 0, end = 0; i < places.size(); i = end) {
        while (end < places.size() && places[end].same_pair(places[i])) ++end;
        f(places.subspan(i, end - i));
    }
}

class Gatherer {
  public:
    Gatherer(const PairQuery& query, std::span<const Hit> hits, QueryRoom& room);
    std::size_t join();
    void make(std::uint32_t number, Contact& out);
    std::uint32_t contact_of(std::size_t hit) const { return contact_[hit]; }

    static std::size_t bytes(const PairQuery& query, std::size_t hits);

  private:
    std::uint32_t root(std::uint32_t hit);
    void unite(std::uint32_t one, std::uint32_t other);
    void add_places();
    void cut(bool of_b, std::span<CutEdge> room, std::span<Seed> seeds);
    void cut_edge(bool of_b, std::span<const CutEdge> run, std::size_t& seeds);
    Vec3d point(std::uint32_t hit) const { return cast<double>(hits_[hit].point_w); }
    std::span<Place> places_of(std::uint32_t contact);
    Vec3d along(const Place& place) const;
    void each_piece(std::span<Place> run, const Vec3d& along, FunctionRef<void(std::span<Place>)> f) const;
    void join_run(std::span<Place> run);
    void add_run(std::span<Place> run, Sums& sums, Contact& out) const;
    void add_segment(const Place& from, const Place& to, Sums& sums, Contact& out) const;
    Vec3d direction(const Sums& sums, std::size_t places, std::size_t hits) const;
    void add_spread(std::span<const Place> places, Contact& out) const;
    double reach(bool of_b, std::uint32_t contact, const Vec3d& along, const Vec3d& from);
    bool is_cut(bool of_b, std::uint32_t edge) const;
    bool enter(bool of_b, std::uint32_t vertex);

    std::span<const Hit> hits_;
    Side side_[2];
    bool solid_;
    std::span<Place> places_;
    std::span<std::uint32_t> contact_;  ///< of each hit; until join() ends, another hit of the same contact
    std::span<std::uint32_t> order_;
    std::span<CutEdge> cut_[2];
    std::span<Seed> seeds_[2];
    std::span<std::uint32_t> inner_;  ///< vertices that one flood has reached
    std::size_t inner_count_ = 0;
    std::span<std::uint64_t> reached_[2];  ///< one bit a vertex
};

std::size_t words(const PairBody& body) {
    return body.geometry->topology->vertex_count / 64 + 1;
}

std::size_t most_inner(const PairQuery& query) {
    const auto vertices = [](const PairBody& b) { return b.geometry->topology->vertex_count; };
    return std::min<std::size_t>(kMostInner, std::max(vertices(query.a), vertices(query.b)));
}

bool is_solid(const PairBody& body) {
    const Classification& c = body.shape->classification();
    return c.closed && c.manifold && c.oriented;
}

std::size_t Gatherer::bytes(const PairQuery& query, std::size_t hits) {
    const std::size_t per_hit =
        2 * sizeof(Place) + 2 * sizeof(std::uint32_t) + sizeof(CutEdge) + 2 * sizeof(Seed);
    return hits * per_hit + most_inner(query) * sizeof(std::uint32_t) +
           (words(query.a) + words(query.b)) * sizeof(std::uint64_t) + 128;
}

Gatherer::Gatherer(const PairQuery& query, std::span<const Hit> hits, QueryRoom& room)
    : hits_(hits), side_{Side(query.a), Side(query.b)}, solid_(is_solid(query.a) && is_solid(query.b)) {
    reached_[0] = room.take<std::uint64_t>(words(query.a));
    reached_[1] = room.take<std::uint64_t>(words(query.b));
    for (const auto& bits : reached_) std::fill(bits.begin(), bits.end(), 0);
    places_ = room.take<Place>(2 * hits.size());
    contact_ = room.take<std::uint32_t>(hits.size());
    order_ = room.take<std::uint32_t>(hits.size());
    inner_ = room.take<std::uint32_t>(most_inner(query));
    const auto of_b = static_cast<std::size_t>(
        std::count_if(hits.begin(), hits.end(), [](const Hit& h) { return h.edge_of_b; }));
    const std::size_t count[2] = {hits.size() - of_b, of_b};
    for (int k = 0; k < 2; ++k) {
        cut_[k] = room.take<CutEdge>(count[k]);
        seeds_[k] = room.take<Seed>(2 * count[k]);
    }
}

std::uint32_t Gatherer::root(std::uint32_t hit) {
    while (contact_[hit] != hit) hit = contact_[hit] = contact_[contact_[hit]];
    return hit;
}

/// The lowest hit stands for its contact.
void Gatherer::unite(std::uint32_t one, std::uint32_t other) {
    one = root(one);
    other = root(other);
    contact_[std::max(one, other)] = std::min(one, other);
}

void Gatherer::add_places() {
    std::size_t count = 0;
    for (std::uint32_t h = 0; h < hits_.size(); ++h) {
        const Hit& hit = hits_[h];
        const auto add = [&](std::uint32_t polygon_of_edge, bool again) {
            const std::uint32_t a = hit.edge_of_b ? hit.polygon : polygon_of_edge;
            const std::uint32_t b = hit.edge_of_b ? polygon_of_edge : hit.polygon;
            places_[count++] = {0, a, b, h, again};
        };
        if (hit.edge == kNoIndex) {
            add(hit.inner_of, false);
            continue;
        }
        const Edge& edge = side_[hit.edge_of_b ? 1 : 0].topology().edges[hit.edge];
        add(edge.polygons[0], false);
        if (edge.polygons[1] != kNoIndex && edge.polygons[1] != edge.polygons[0]) add(edge.polygons[1], true);
    }
    places_ = places_.first(count);
    std::sort(places_.begin(), places_.end());
}

/// Numbers the contacts by their first hits and sorts the places by contact.
std::size_t Gatherer::join() {
    for (std::uint32_t h = 0; h < hits_.size(); ++h) contact_[h] = h;
    add_places();
    each_run(places_, [&](std::span<Place> run) { join_run(run); });
    std::uint32_t count = 0;
    for (std::uint32_t h = 0; h < hits_.size(); ++h) {
        const std::uint32_t first = root(h);
        order_[h] = first == h ? count++ : order_[first];
    }
    std::swap(contact_, order_);
    for (Place& p : places_) p.contact = contact_[p.hit];
    std::sort(places_.begin(), places_.end());
    if (!solid_) return count;
    for (int k = 0; k < 2; ++k) cut(k == 1, cut_[k], seeds_[k]);
    return count;
}

/// Which ends of the edges that are hit lie inside of the other body.
void Gatherer::cut(bool of_b, std::span<CutEdge> room, std::span<Seed> seeds) {
    std::size_t edges = 0, count = 0;
    for (std::uint32_t h = 0; h < hits_.size(); ++h)
        if (hits_[h].edge_of_b == of_b && hits_[h].edge != kNoIndex) room[edges++] = {hits_[h].edge, h};
    const auto all = cut_[of_b ? 1 : 0] = room.first(edges);
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0, end = 0; i < edges; i = end) {
        while (end < edges && all[end].edge == all[i].edge) ++end;
        cut_edge(of_b, all.subspan(i, end - i), count);
    }
    seeds_[of_b ? 1 : 0] = seeds.first(count);
    std::sort(seeds.begin(), seeds.begin() + static_cast<std::ptrdiff_t>(count));
}

/// The hit nearest to an end decides about it: it is inside when it lies behind the polygon hit there.
void Gatherer::cut_edge(bool of_b, std::span<const CutEdge> run, std::size_t& seeds) {
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

std::span<Place> Gatherer::places_of(std::uint32_t contact) {
    const auto before = [](const Place& p, std::uint32_t c) { return p.contact < c; };
    const auto begin = std::lower_bound(places_.begin(), places_.end(), contact, before);
    const auto end = std::lower_bound(begin, places_.end(), contact + 1, before);
    return {begin, end};
}

void Gatherer::add_segment(const Place& from, const Place& to, Sums& sums, Contact& out) const {
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

/// The pieces of the curve in one pair of polygons, with an end of each in front and at the back: one piece
/// between convex polygons; else they alternate along the line in which the planes meet, and what inner
/// diagonals add lies between the ends.
void Gatherer::each_piece(std::span<Place> run, const Vec3d& along,
                          FunctionRef<void(std::span<Place>)> f) const {
    const auto earlier = [&](const Place& x, const Place& y) {
        const double at_x = dot(along, point(x.hit)), at_y = dot(along, point(y.hit));
        return at_x != at_y ? at_x < at_y : x.hit < y.hit;
    };
    const auto is_end = [&](const Place& p) { return hits_[p.hit].edge != kNoIndex; };
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

/// In which direction A's inner part is on the left of the curve; zero for polygons that are parallel.
Vec3d Gatherer::along(const Place& place) const {
    const Vec3d out = cross(side_[0].normal(place.polygon_a), side_[1].normal(place.polygon_b));
    return length(out) > kParallel ? out : Vec3d{};
}

void Gatherer::add_run(std::span<Place> run, Sums& sums, Contact& out) const {
    const Vec3d n_a = side_[0].normal(run[0].polygon_a), n_b = side_[1].normal(run[0].polygon_b);
    sums.pairs += static_cast<double>(run.size()) * (n_a - n_b);
    const Vec3d line = along(run[0]);
    if (run.size() < 2 || line == Vec3d{}) return;
    each_piece(run, line,
               [&](std::span<Place> piece) { add_segment(piece.front(), piece.back(), sums, out); });
}

/// Hits of the same piece of the curve, and all hits between parallel polygons, hang together.
void Gatherer::join_run(std::span<Place> run) {
    const auto all = [&](std::span<Place> piece) {
        for (const Place& p : piece) unite(p.hit, piece.front().hit);
    };
    const Vec3d line = along(run[0]);
    if (run.size() < 2 || line == Vec3d{}) return all(run);
    each_piece(run, line, all);
}

Vec3d Gatherer::direction(const Sums& sums, std::size_t places, std::size_t hits) const {
    const double area = length(sums.area);
    if (area > kNarrow * sums.length * sums.length && length(sums.ends) <= kOpen * sums.length)
        return sums.area / area;
    if (length(sums.faces) > kCancelled * static_cast<double>(hits)) return normalized(sums.faces);
    if (length(sums.pairs) > kCancelled * static_cast<double>(places)) return normalized(sums.pairs);
    return normalized(side_[1].centre() - side_[0].centre(), Vec3d{0, 1, 0});
}

/// Four hits far apart: the farthest from the middle, the farthest from that, and one on each side of the
/// line through both.
void Gatherer::add_spread(std::span<const Place> places, Contact& out) const {
    std::uint32_t chosen[4] = {kNoIndex, kNoIndex, kNoIndex, kNoIndex};
    const auto choose = [&](int k, auto&& score) {
        double best = 0;
        for (const Place& p : places) {
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

bool Gatherer::is_cut(bool of_b, std::uint32_t edge) const {
    const auto& all = cut_[of_b ? 1 : 0];
    const auto at = std::lower_bound(all.begin(), all.end(), CutEdge{edge, 0});
    return at != all.end() && at->edge == edge;
}

/// Marks a vertex as reached; false when there is no more room.
bool Gatherer::enter(bool of_b, std::uint32_t vertex) {
    std::uint64_t& word = reached_[of_b ? 1 : 0][vertex / 64];
    const std::uint64_t bit = std::uint64_t{1} << vertex % 64;
    if ((word & bit) != 0) return true;
    if (inner_count_ == inner_.size()) return false;
    word |= bit;
    inner_[inner_count_++] = vertex;
    return true;
}

/// How far the part of one body that the contact cuts off reaches along a direction: from the ends inside,
/// across edges that are not hit.
double Gatherer::reach(bool of_b, std::uint32_t contact, const Vec3d& along, const Vec3d& from) {
    const Side& side = side_[of_b ? 1 : 0];
    const Topology& t = side.topology();
    const auto& seeds = seeds_[of_b ? 1 : 0];
    inner_count_ = 0;
    for (auto s = std::lower_bound(seeds.begin(), seeds.end(), Seed{contact, 0});
         s != seeds.end() && s->contact == contact; ++s)
        enter(of_b, s->vertex);
    double farthest = 0;
    for (std::size_t i = 0; i < inner_count_; ++i) {
        farthest = std::max(farthest, dot(along, side.vertex(inner_[i]) - from));
        const std::uint32_t first = t.vertex_first[inner_[i]];
        for (std::uint32_t h = first; h != kNoIndex;) {
            if (!is_cut(of_b, t.edge_of[h]) && !enter(of_b, t.origin[t.next(h)])) break;
            h = t.twin[h] == kNoIndex ? kNoIndex : t.next(t.twin[h]);
            if (h == first) break;
        }
    }
    for (std::size_t i = 0; i < inner_count_; ++i) reached_[of_b ? 1 : 0][inner_[i] / 64] = 0;
    return farthest;
}

void Gatherer::make(std::uint32_t number, Contact& out) {
    out = {};
    const std::span<Place> places = places_of(number);
    Sums sums;
    const Vec3d near = point(places[0].hit);
    for (const Place& p : places) {
        if (p.again) continue;
        const Hit& hit = hits_[p.hit];
        ++out.hit_count;
        sums.mean += point(p.hit) - near;
        sums.faces += hit.edge_of_b ? side_[0].normal(hit.polygon) : -side_[1].normal(hit.polygon);
    }
    sums.mean = near + sums.mean / static_cast<double>(out.hit_count);
    out.polygon_a = places[0].polygon_a;
    out.polygon_b = places[0].polygon_b;
    each_run(places, [&](std::span<Place> run) { add_run(run, sums, out); });
    out.point_w = sums.length > 0 ? sums.mean + sums.middle / sums.length : sums.mean;
    out.normal_w = direction(sums, places.size(), out.hit_count);
    add_spread(places, out);
    if (!solid_) return;
    double high = 0, low = 0;
    for (const Place& p : places) {
        const double at = dot(out.normal_w, point(p.hit) - out.point_w);
        high = std::max(high, at);
        low = std::min(low, at);
    }
    high = std::max(high, reach(false, number, out.normal_w, out.point_w));
    low = std::min(low, -reach(true, number, -out.normal_w, out.point_w));
    out.depth = high - low;
}

}  // namespace

std::size_t find_contacts(const PairQuery& query, std::span<const Hit> hits, std::span<Contact> out,
                          std::span<std::uint32_t> contact_of_hit) {
    if (hits.empty()) return 0;
    QueryRoom room(*query.scratch, Gatherer::bytes(query, hits.size()));
    Gatherer gatherer(query, hits, room);
    const std::size_t count = gatherer.join();
    for (std::uint32_t i = 0; i < std::min(count, out.size()); ++i) gatherer.make(i, out[i]);
    for (std::size_t h = 0; h < std::min(hits.size(), contact_of_hit.size()); ++h)
        contact_of_hit[h] = gatherer.contact_of(h);
    return count;
}

}  // namespace claybox::collision
