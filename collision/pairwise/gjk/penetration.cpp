// The expanding polytope algorithm. A polytope of points of A - B grows inside the difference. The face
// nearest to the origin bounds the depth from below; the support along its normal bounds it from above. While
// the bounds differ, the support point joins the polytope. Face distances are signed, so an origin on the
// boundary, or outside by rounding, is not a special case, and the first simplex need not contain it.
//
// Robustness: the points are taken as exact doubles, and every decision about the polytope's shape is an
// exact sign of these doubles. A face is replaced only if it strictly sees the new point. No face is
// therefore degenerate, and the rim of the hole is one simple loop. Rounding the points costs less than
// kNoise of the extent; a final step in a longer type recovers the last digits.

#include "collision/pairwise/gjk/penetration.hpp"

#include "collision/geometry/predicates.hpp"
#include "collision/pairwise/query_buffer.hpp"
#include "collision/pairwise/support/difference.hpp"
#include "collision/pairwise/support/support.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace claybox::collision {

namespace {

/// The bounds agree when they differ by less than this fraction of the depth.
constexpr double kConverged = 1e-10;
/// Rounding of the dot product of a normal and a point, relative to the point.
constexpr double kNoise = 0x1p-50;
/// Coordinates below this fraction of the extent are set to zero, as the predicates require. Rounding moves
/// points by more than that.
constexpr double kTiny = 0x1p-200;

struct Point {
    Vec3d w;  ///< scaled
    VertexPair pair;
};

/// A triangle of the polytope, counter-clockwise from outside. Neighbour i is perpendicular_to the edge that
/// starts at corner i.
struct Face {
    std::uint32_t corner[3];
    std::uint32_t neighbour[3];
    Vec3d normal;
    double offset;  ///< of the plane from the origin
    double noise;   ///< rounding error of the offset
    bool alive;
};

/// A heap entry: the smallest offset first; among equal offsets the older face.
struct Entry {
    double offset;
    std::uint32_t face;
    friend bool operator<(const Entry& x, const Entry& y) {
        return x.offset != y.offset ? x.offset > y.offset : x.face > y.face;
    }
};

/// An edge of the hole: `from` and `to` in the order of the removed face, and the remaining face
/// perpendicular_to it.
struct Rim {
    std::uint32_t from, to, behind, side;
};

/// A direction and the reach of the difference along it.
struct Candidate {
    Vec3d normal{1, 0, 0};
    double reach = std::numeric_limits<double>::infinity();
    VertexPair pairs[3] = {};
    bool has_pairs = false;
};

class Expansion {
  public:
    Expansion(const SolidSide& a, const SolidSide& b, QueryBuffer& buffer, Trace* trace,
              std::uint32_t earlier);
    Penetration run(std::uint32_t limit);
    static std::size_t bytes(const SolidSide& a, const SolidSide& b);

  private:
    Point support(const Vec3d& direction, VertexPair start) const;
    bool find_extremes();
    bool first_simplex();
    std::optional<Point> furthest_off(const Vec3d& axis, const Vec3d& through, bool off_plane) const;
    void add_face(std::uint32_t u, std::uint32_t v, std::uint32_t w);
    bool sees(const Face& f, const Vec3d& w) const;
    bool insert(const Point& p, std::uint32_t seed);
    std::uint32_t face_that_sees(const Vec3d& w) const;
    bool known(VertexPair pair) const;
    bool expand();
    void offer(const Vec3d& normal, double reach, const Face* face);
    void refine_in_long_double(Penetration& out) const;
    void trace_face(const Face& f) const;
    void trace_polytope(const Face& nearest) const;
    void trace_support(const Point& p) const;

    const SolidSide &a_, &b_;
    Difference<double> difference_;
    Difference<long double> fine_;  ///< because a - b cancels the leading digits of large bodies
    Trace* trace_;
    std::uint32_t earlier_;
    double scale_ = 1;  ///< a power of two that scales the extent to about 1
    std::array<Point, 6> extremes_;
    std::span<Point> points_;
    std::span<Face> faces_;
    std::span<Entry> heap_;
    std::span<Rim> rim_;
    std::span<std::uint32_t> stack_, face_from_;
    std::uint32_t point_count_ = 0, face_count_ = 0, heap_count_ = 0, iterations_ = 0;
    Candidate best_;
    bool shortest_ = true;
};

std::size_t most_points(const SolidSide& a, const SolidSide& b) {
    const std::uint64_t all = std::uint64_t{a.hull->vertex_count} * b.hull->vertex_count;
    return static_cast<std::size_t>(std::min<std::uint64_t>(all, kMaxPenetrationPoints)) + 4;
}

/// Faces are never reused. A new point replaces about four faces by six.
constexpr std::size_t kFacesPerPoint = 10;

std::size_t Expansion::bytes(const SolidSide& a, const SolidSide& b) {
    const std::size_t points = most_points(a, b), faces = points * kFacesPerPoint;
    return points * (sizeof(Point) + sizeof(std::uint32_t)) + faces * (sizeof(Face) + sizeof(Entry)) +
           2 * points * (sizeof(Rim) + sizeof(std::uint32_t)) + 128;
}

Expansion::Expansion(const SolidSide& a, const SolidSide& b, QueryBuffer& buffer, Trace* trace,
                     std::uint32_t earlier)
    : a_(a),
      b_(b),
      difference_(make_difference<double>(*a.hull, *a.world_from_hull, *b.hull, *b.world_from_hull)),
      fine_(make_difference<long double>(*a.hull, *a.world_from_hull, *b.hull, *b.world_from_hull)),
      trace_(trace),
      earlier_(earlier) {
    const std::size_t points = most_points(a, b);
    points_ = buffer.take<Point>(points);
    faces_ = buffer.take<Face>(points * kFacesPerPoint);
    heap_ = buffer.take<Entry>(points * kFacesPerPoint);
    rim_ = buffer.take<Rim>(2 * points);
    stack_ = buffer.take<std::uint32_t>(2 * points);
    face_from_ = buffer.take<std::uint32_t>(points);
}

/// The scaled point of the difference furthest along the direction, found by climbing from `start`.
Point Expansion::support(const Vec3d& direction, VertexPair start) const {
    Point out;
    out.pair.a = support_vertex(*a_.hull, transpose_vector(difference_.about_a_from_a, direction), start.a);
    out.pair.b = support_vertex(*b_.hull, transpose_vector(difference_.about_a_from_b, -direction), start.b);
    out.w = cast<double>(fine_.point_a(out.pair.a) - fine_.point_b(out.pair.b)) * scale_;
    for (std::size_t k = 0; k < 3; ++k)
        if (std::abs(out.w[k]) < kTiny) out.w[k] = 0;
    return out;
}

double largest(const Vec3d& v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

/// The edge between two points of the difference. Subtracts the vertices first, so that coordinates shared by
/// large bodies cancel exactly.
template <class T>
Vec3<T> edge(const Difference<T>& d, VertexPair from, VertexPair to) {
    const auto along = [](const ConvexHull& hull, std::uint32_t u, std::uint32_t v) {
        return cast<T>(hull.vertex(v)) - cast<T>(hull.vertex(u));
    };
    return transform_vector(d.about_a_from_a, along(*d.a, from.a, to.a)) -
           transform_vector(d.about_a_from_b, along(*d.b, from.b, to.b));
}

/// The unit normal of three points, from the two shorter edges; zero if it is not defined.
template <class T>
Vec3<T> normal_of(const Difference<T>& d, const VertexPair (&p)[3], double scale) {
    Vec3<T> e[3];  // e[i] is opposite to corner i
    for (std::size_t i = 0; i < 3; ++i) e[i] = edge(d, p[(i + 1) % 3], p[(i + 2) % 3]) * T(scale);
    std::size_t longest = length_squared(e[0]) >= length_squared(e[1]) ? 0 : 1;
    if (length_squared(e[2]) > length_squared(e[longest])) longest = 2;
    const Vec3<T> n = cross(e[(longest + 1) % 3], e[(longest + 2) % 3]);
    const T size = std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)});
    return size > 0 ? normalized(n / size) : Vec3<T>{};
}

/// Among the extremes and the supports in both directions along `axis`: the point with the largest distance
/// from the line (or plane) through `through`. None if all points are on it.
std::optional<Point> Expansion::furthest_off(const Vec3d& axis, const Vec3d& through, bool off_plane) const {
    std::array<Point, 8> candidates;
    std::copy(extremes_.begin(), extremes_.end(), candidates.begin());
    candidates[6] = support(axis, points_[0].pair);
    candidates[7] = support(-axis, points_[0].pair);
    std::optional<Point> out;
    double most = 0;
    for (const Point& p : candidates) {
        const Vec3d from = p.w - through;
        const double off =
            off_plane ? std::abs(dot(axis, from)) : length_squared(cross(points_[1].w - points_[0].w, from));
        if (!(off > most)) continue;
        most = off;
        out = p;
    }
    return out;
}

/// Finds the supports along the coordinate axes and derives the scale. False if the difference is one point.
bool Expansion::find_extremes() {
    double extent = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        Vec3d axis;
        axis[i / 2] = i % 2 == 0 ? 1 : -1;
        extremes_[i] = support(axis, {0, 0});
        extent = std::max(extent, largest(extremes_[i].w));
    }
    if (!(extent > 0)) return false;
    scale_ = std::ldexp(1.0, -std::ilogb(extent) - 1);
    for (Point& p : extremes_) p = support({}, p.pair);
    double widest = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const double apart = length_squared(extremes_[i].w - extremes_[j].w);
            if (!(apart > widest)) continue;
            widest = apart;
            points_[0] = extremes_[i];
            points_[1] = extremes_[j];
        }
    }
    return widest > 0;
}

/// A unit vector perpendicular to `along`.
Vec3d perpendicular_to(const Vec3d& along) {
    std::size_t least = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (std::abs(along[k]) < std::abs(along[least])) least = k;
    Vec3d axis;
    axis[least] = 1;
    return normalized(cross(along, axis));
}

/// Finds four points that span space. False if the difference is flat; the best direction is then its normal.
bool Expansion::first_simplex() {
    if (!find_extremes()) return false;
    const Vec3d along = points_[1].w - points_[0].w;
    best_.normal = perpendicular_to(along);
    const auto third = furthest_off(best_.normal, points_[0].w, false);
    if (!third) return false;
    points_[2] = *third;
    const Vec3d n = cross(along, third->w - points_[0].w);
    if (!(largest(n) > 0)) return false;
    best_.normal = normalized(n / largest(n));
    const auto fourth = furthest_off(best_.normal, points_[0].w, true);
    if (!fourth) return false;
    const int side = orient3d(points_[0].w, points_[1].w, points_[2].w, fourth->w);
    if (side == 0) return false;
    points_[3] = *fourth;
    if (side > 0) std::swap(points_[0], points_[1]);
    point_count_ = 4;
    return true;
}

/// Adds the face with its plane. The caller links it to its neighbours.
void Expansion::add_face(std::uint32_t u, std::uint32_t v, std::uint32_t w) {
    Face& f = faces_[face_count_];
    f.corner[0] = u;
    f.corner[1] = v;
    f.corner[2] = w;
    f.alive = true;
    const Vec3d p = points_[u].w, q = points_[v].w, r = points_[w].w;
    f.normal = normal_of(difference_, {points_[u].pair, points_[v].pair, points_[w].pair}, scale_);
    f.offset = std::min({dot(f.normal, p), dot(f.normal, q), dot(f.normal, r)});
    f.noise = kNoise * std::max({largest(p), largest(q), largest(r)});
    heap_[heap_count_++] = {f.offset, face_count_++};
    std::push_heap(heap_.begin(), heap_.begin() + heap_count_);
}

bool Expansion::sees(const Face& f, const Vec3d& w) const {
    return orient3d(points_[f.corner[0]].w, points_[f.corner[1]].w, points_[f.corner[2]].w, w) > 0;
}

/// Replaces all faces that see the point by a fan around it. These faces are connected to `seed`. False if
/// the memory is used up. Long because the hole and its rim are found in one walk.
bool Expansion::insert(const Point& p, std::uint32_t seed) {
    if (point_count_ == points_.size()) return false;
    std::uint32_t depth = 0, rim_count = 0;
    faces_[seed].alive = false;
    stack_[depth++] = seed;
    while (depth > 0) {
        const Face& dead = faces_[stack_[--depth]];
        for (std::uint32_t i = 0; i < 3; ++i) {
            Face& other = faces_[dead.neighbour[i]];
            if (!other.alive) continue;
            if (sees(other, p.w)) {
                other.alive = false;
                if (depth == stack_.size()) return false;
                stack_[depth++] = dead.neighbour[i];
                continue;
            }
            if (rim_count == rim_.size()) return false;
            std::uint32_t side = 0;  // of the remaining face
            while (other.corner[side] != dead.corner[(i + 1) % 3]) ++side;
            rim_[rim_count++] = {dead.corner[i], dead.corner[(i + 1) % 3], dead.neighbour[i], side};
        }
    }
    if (face_count_ + rim_count > faces_.size()) return false;
    const std::uint32_t tip = point_count_++;
    points_[tip] = p;
    for (const Rim& r : rim_.first(rim_count)) {
        face_from_[r.from] = face_count_;
        faces_[r.behind].neighbour[r.side] = face_count_;
        faces_[face_count_].neighbour[0] = r.behind;
        add_face(r.from, r.to, tip);
    }
    for (const Rim& r : rim_.first(rim_count)) {
        faces_[face_from_[r.from]].neighbour[1] = face_from_[r.to];
        faces_[face_from_[r.to]].neighbour[2] = face_from_[r.from];
    }
    return true;
}

std::uint32_t Expansion::face_that_sees(const Vec3d& w) const {
    for (std::uint32_t i = 0; i < face_count_; ++i)
        if (faces_[i].alive && sees(faces_[i], w)) return i;
    return kNoIndex;
}

bool Expansion::known(VertexPair pair) const {
    return std::any_of(points_.begin(), points_.begin() + point_count_,
                       [&](const Point& p) { return p.pair.a == pair.a && p.pair.b == pair.b; });
}

void Expansion::offer(const Vec3d& normal, double reach, const Face* face) {
    if (!(reach < best_.reach)) return;
    best_.normal = normal;
    best_.reach = reach;
    best_.has_pairs = face != nullptr;
    for (std::size_t i = 0; face != nullptr && i < 3; ++i) best_.pairs[i] = points_[face->corner[i]].pair;
}

/// Adds the support along the normal of the nearest face. False if the search has ended.
bool Expansion::expand() {
    std::uint32_t nearest = kNoIndex;
    while (heap_count_ > 0 && nearest == kNoIndex) {
        std::pop_heap(heap_.begin(), heap_.begin() + heap_count_);
        const Entry top = heap_[--heap_count_];
        if (faces_[top.face].alive) nearest = top.face;
    }
    if (nearest == kNoIndex) return false;
    const Face& f = faces_[nearest];
    if (f.offset >= best_.reach * (1 - kConverged) - f.noise) return false;
    ++iterations_;
    trace_face(f);
    const Point p = support(f.normal, points_[f.corner[0]].pair);
    trace_support(p);
    const double reach = dot(f.normal, p.w);
    offer(f.normal, reach, &f);
    const double noise = f.noise + kNoise * largest(p.w);
    if (reach - f.offset <= noise || known(p.pair)) return true;  // the face belongs to the difference
    const std::uint32_t seed = sees(f, p.w) ? nearest : face_that_sees(p.w);
    if (seed == kNoIndex) return true;  // inside: only rounding of a sliver's normal
    shortest_ = insert(p, seed);
    return shortest_;
}

void Expansion::trace_face(const Face& f) const {
    if (trace_ == nullptr) return;
    const Vec3d origin_w = cast<double>(a_.world_from_hull->translation());
    trace_->begin_iteration(static_cast<int>(earlier_ + iterations_));
    for (const std::uint32_t c : f.corner)
        trace_->segment(difference_.point_a(points_[c].pair.a) + origin_w,
                        difference_.point_b(points_[c].pair.b) + origin_w, "nearest face");
    const Vec3d on_a_w = difference_.point_a(points_[f.corner[0]].pair.a) + origin_w;
    trace_->plane(f.normal, dot(f.normal, on_a_w), on_a_w, "nearest face");
    trace_->value("depth at least (m)", f.offset / scale_);
    trace_polytope(f);
}

/// Draws the polytope in the difference.
void Expansion::trace_polytope(const Face& nearest) const {
    const auto corner = [this](const Face& f, std::size_t i) { return points_[f.corner[i]].w / scale_; };
    trace_->space(TraceSpace::difference);
    trace_->triangle(corner(nearest, 0), corner(nearest, 1), corner(nearest, 2), "nearest face");
    trace_->segment({}, nearest.offset / scale_ * nearest.normal, "depth so far");
    std::uint32_t count = 0;
    for (const Face& f : faces_.first(face_count_)) {
        if (!f.alive) continue;
        ++count;
        if (&f != &nearest) trace_->triangle(corner(f, 0), corner(f, 1), corner(f, 2), "polytope");
    }
    trace_->value("faces of the polytope", count);
    trace_->space(TraceSpace::world);
}

void Expansion::trace_support(const Point& p) const {
    if (trace_ == nullptr) return;
    trace_->space(TraceSpace::difference);
    trace_->point(p.w / scale_, "support");
    trace_->space(TraceSpace::world);
}

/// Computes the result again in the longest floating-point type, because the points of large bodies lack the
/// digits of a small depth. Evaluates all vertices, so the depth suffices even if the search missed one.
void Expansion::refine_in_long_double(Penetration& out) const {
    using Long = long double;
    Vec3<Long> n = normalized(cast<Long>(best_.normal));
    Long reach = reach_along(fine_, n);
    if (best_.has_pairs) {
        Vec3<Long> m = normal_of(fine_, best_.pairs, scale_);
        if (!(length_squared(m) > 0)) m = n;
        const Long finer = reach_along(fine_, m);
        if (finer < reach) {
            reach = finer;
            n = m;
        }
    }
    out.depth = std::max(0.0, static_cast<double>(reach));
    out.direction_w = cast<double>(n);
}

Penetration Expansion::run(std::uint32_t limit) {
    Penetration out;
    if (first_simplex()) {
        add_face(0, 1, 2);
        add_face(0, 3, 1);
        add_face(1, 3, 2);
        add_face(2, 3, 0);
        constexpr std::uint32_t kNeighbours[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
        for (std::size_t i = 0; i < 4; ++i) std::copy_n(kNeighbours[i], 3, faces_[i].neighbour);
        while (expand()) {
            if (iterations_ < limit) continue;
            shortest_ = false;
            break;
        }
    }
    refine_in_long_double(out);
    out.iterations = iterations_;
    out.shortest = shortest_;
    return out;
}

}  // namespace

Penetration find_penetration(const SolidSide& a, const SolidSide& b, std::uint32_t iteration_limit,
                             Scratch& scratch, Trace* trace, std::uint32_t earlier) {
    QueryBuffer buffer(scratch, Expansion::bytes(a, b));
    return Expansion(a, b, buffer, trace, earlier).run(iteration_limit);
}

}  // namespace claybox::collision
