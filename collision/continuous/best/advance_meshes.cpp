// Idea: a heap of pairs, each with a time up to which the pair is proven free of contact. A pair is two
// volumes of the trees, a volume and a triangle, or two triangles. The pair with the earliest time is next: a
// pair with a volume is replaced by the parts of its larger side, a pair of triangles is measured at its
// time. Each new pair gets its own time: from there, its gap along the best of a few directions is positive
// until the motion of its own points can close it. So parts that are far apart or move apart are looked at
// once, and the first two triangles that are within the tolerance are the first contact of the meshes.
// Source: ours; advancement of pairs of volumes after Tang et al., C2A, 2009, there with one time for all.
// Errors: volumes contain their triangles (bvh.hpp). All in double; the step keeps half of the tolerance,
//   which is far above rounding.

#include "collision/continuous/best/advance.hpp"
#include "collision/continuous/best/moving_body.hpp"
#include "collision/pairwise/bvh/prepared_bvh.hpp"
#include "collision/pairwise/complete_solid.hpp"
#include "collision/pairwise/mesh/triangle_distance.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace claybox::collision {

namespace {

/// A part of a body: the ref of a volume of its tree, or a triangle in tree order.
constexpr std::uint32_t kTriangleBit = 0x80000000u;

struct Pair {
    double time;
    std::uint32_t a, b;
};
/// Equal times in a fixed order, so that the answer depends on nothing else.
bool later(const Pair& x, const Pair& y) {
    if (x.time != y.time) return x.time > y.time;
    return x.a != y.a ? x.a > y.a : x.b > y.b;
}

/// A binary heap in scratch memory; moves to the free store if it outgrows that.
class PairHeap {
  public:
    explicit PairHeap(Scratch& scratch) : block_(scratch.take<Pair>(kFirst)) {
        if (block_.empty()) grow();
    }
    bool empty() const { return count_ == 0; }
    void push(const Pair& pair) {
        if (count_ == block_.size()) grow();
        block_[count_++] = pair;
        std::push_heap(block_.begin(), end(), later);
    }
    Pair pop() {
        std::pop_heap(block_.begin(), end(), later);
        return block_[--count_];
    }

  private:
    static constexpr std::size_t kFirst = 2048;
    std::span<Pair>::iterator end() { return block_.begin() + static_cast<std::ptrdiff_t>(count_); }
    void grow() {
        std::vector<Pair> larger(std::max(kFirst, 2 * block_.size()));
        std::copy_n(block_.begin(), count_, larger.begin());
        own_ = std::move(larger);
        block_ = own_;
    }

    std::span<Pair> block_;
    std::vector<Pair> own_;
    std::size_t count_ = 0;
};

/// One body with its tree, at the time of the current pair.
struct Side {
    const PairBody* body;
    const MeshBvh* tree;
    MovingBody motion;
    BodyAt at{};
    Matrix34d rho_from_tree{};  ///< tree coordinates to rho
    double stretch = 1;         ///< a bound for the length of a tree vector in the world

    void move_to(double t) {
        at = motion.at(t);
        rho_from_tree = at.rho_from_local;
        const double unit = 1.0 / static_cast<double>(tree->scale());
        for (std::size_t i = 0; i < 12; ++i)
            if (i % 4 != 3) rho_from_tree.m[i] *= unit;
    }
    Vec3d rho(std::uint32_t vertex) const {
        return transform_point(at.rho_from_local, body->geometry->positions[vertex]);
    }
};

/// A part at the time of the current pair: how far it reaches along a direction.
struct Part {
    bool is_triangle = false;
    Vec3d corner[3];  ///< rho of a triangle
    Vec3d centre;     ///< rho
    double radius = 0;
    // Of a volume, in the frame of the tree:
    Vec3d half, normal;
    double disc_radius = 0, thickness = 0;
    Vec3d normal_w;  ///< not normalised; zero if unknown

    double highest(const Side& side, const Vec3d& d) const {
        if (is_triangle) return std::max({dot(d, corner[0]), dot(d, corner[1]), dot(d, corner[2])});
        const Vec3d local = transpose_vector(side.rho_from_tree, d);
        const double box =
            std::abs(local.x) * half.x + std::abs(local.y) * half.y + std::abs(local.z) * half.z;
        const double along = dot(local, normal);
        const double across = std::max(0.0, length_squared(local) - along * along);
        const double disc = std::abs(along) * thickness + std::sqrt(across) * disc_radius;
        return dot(d, centre) + std::min(box, disc);
    }
};

class MeshAdvance {
  public:
    MeshAdvance(const ContinuousQuery& query, const MeshBvh& tree_a, const MeshBvh& tree_b,
                ContinuousResult& result)
        : query_(query),
          result_(result),
          origin_(cast<double>(query.pair.a.world_from_body.translation())),
          a_{&query.pair.a, &tree_a, MovingBody(query.pair.a, query.motion_a, origin_)},
          b_{&query.pair.b, &tree_b, MovingBody(query.pair.b, query.motion_b, origin_)},
          tolerance_(usable_tolerance(query.tolerance, a_.motion.size() + b_.motion.size())),
          heap_(*query.pair.scratch) {
        a_.stretch = a_.motion.stretch() / static_cast<double>(tree_a.scale());
        b_.stretch = b_.motion.stretch() / static_cast<double>(tree_b.scale());
    }

    void run(Trace* trace) {
        if (!a_.tree->triangles().empty() && !b_.tree->triangles().empty()) heap_.push({0, 0, 0});
        double here = -1;
        while (!heap_.empty()) {
            const Pair pair = heap_.pop();
            ++result_.iterations;
            if (query_.pair.stop.stop_requested() || result_.iterations > kMaxAdvanceSteps) {
                if (query_.pair.stop.stop_requested()) result_.status = QueryStatus::stopped;
                result_.time_low = pair.time;  // undecided after this
                return;
            }
            if (pair.time != here) {
                here = pair.time;
                a_.move_to(here);
                b_.move_to(here);
            }
            if (trace != nullptr) {
                trace->begin_iteration(static_cast<int>(result_.iterations));
                trace->value("time", here);
            }
            const bool leaves = (pair.a & pair.b & kTriangleBit) != 0;
            if (!leaves)
                expand(pair);
            else if (measure(pair))
                return;
        }
        result_.verdict = Verdict::separated;
        result_.time_low = result_.time_high = 1;
    }

  private:
    Part make_part(const Side& side, std::uint32_t name) const {
        Part out;
        if ((name & kTriangleBit) != 0) {
            out.is_triangle = true;
            const auto& vertices = side.tree->triangles()[name & ~kTriangleBit].vertices;
            for (std::size_t k = 0; k < 3; ++k) out.corner[k] = side.rho(vertices[k]);
            out.centre = (out.corner[0] + out.corner[1] + out.corner[2]) * (1.0 / 3);
            for (const Vec3d& c : out.corner)
                out.radius = std::max(out.radius, length_squared(c - out.centre));
            out.radius = std::sqrt(out.radius);
            out.normal_w = cross(out.corner[1] - out.corner[0], out.corner[2] - out.corner[0]);
            return out;
        }
        const BvhVolume v = side.tree->volume(name);
        out.centre = transform_point(side.rho_from_tree, v.centre);
        out.half = cast<double>(v.half);
        out.normal = cast<double>(v.normal);
        out.disc_radius = static_cast<double>(v.radius) * (1 + 0x1p-20);
        out.thickness = static_cast<double>(v.thickness) * (1 + 0x1p-20) + 0x1p-20 * out.disc_radius;
        out.radius = side.stretch * std::min(length(out.half), out.disc_radius + out.thickness);
        if (out.thickness < out.disc_radius) out.normal_w = transform_vector(side.rho_from_tree, out.normal);
        return out;
    }

    /// The latest time, at most 1, up to which two parts are proven free of contact, from the current time.
    double free_until(const Part& a, const Part& b, double t) {
        ++result_.counters[kVolumePairs];
        const Vec3d between = b_.at.base - a_.at.base;
        const Vec3d directions[] = {b.centre - a.centre + between, a.normal_w, b.normal_w};
        Vec3d best;
        double best_gap = 0;
        for (Vec3d d : directions) {
            const double squared = length_squared(d);
            if (!(squared > 0)) continue;
            d *= 1 / std::sqrt(squared);
            if (dot(d, directions[0]) < 0) d = -d;
            const double gap = -b.highest(b_, -d) - a.highest(a_, d) + dot(d, between) - 0.5 * tolerance_;
            if (!(gap > best_gap)) continue;
            best_gap = gap;
            best = d;
        }
        if (!(best_gap > 0)) return t;
        return t + step_along(a, b, best, best_gap, 1 - t);
    }

    double step_along(const Part& a, const Part& b, const Vec3d& n, double gap, double limit) {
        const Vec3d turn_a = a_.motion.turn_along(n), turn_b = b_.motion.turn_along(n);
        const double drift = dot(n, b_.motion.travel() - a_.motion.travel());
        const double bend = bend_of(a_, a) + bend_of(b_, b);
        const Vec3d between = b_.at.base - a_.at.base;
        const auto gap_after = [&](double s) {
            return -b.highest(b_, -(n + s * turn_b)) - a.highest(a_, n + s * turn_a) + dot(n, between) +
                   s * drift - 0.5 * tolerance_;
        };
        const double slope = drift + dot(turn_b, b.centre) - dot(turn_a, a.centre) -
                             length(turn_a) * a.radius - length(turn_b) * b.radius;
        // At least a step, and the first root for the motion of the worst point.
        const double sure = first_root(gap, slope, bend);
        if (sure >= limit) return limit;
        if (!a_.motion.turns() && !b_.motion.turns()) return sure;
        const double hopeful = drift + dot(turn_b, b.centre) - dot(turn_a, a.centre);
        return std::max(sure, safe_step(gap, hopeful, bend, limit, gap_after));
    }
    static double bend_of(const Side& side, const Part& part) {
        return side.motion.turns() ? side.motion.bend(side.motion.from_axis(part.centre) + part.radius) : 0;
    }

    void expand(const Pair& pair) {
        const bool a_is_triangle = (pair.a & kTriangleBit) != 0, b_is_triangle = (pair.b & kTriangleBit) != 0;
        const Part a = make_part(a_, pair.a), b = make_part(b_, pair.b);
        const bool split_b = a_is_triangle || (!b_is_triangle && b.radius > a.radius);
        const Side& side = split_b ? b_ : a_;
        const std::uint32_t child = side.tree->child(split_b ? pair.b : pair.a);
        const auto offer = [&](std::uint32_t name) {
            const Part part = make_part(side, name);
            const double time = split_b ? free_until(a, part, pair.time) : free_until(part, b, pair.time);
            if (time < 1) heap_.push({time, split_b ? pair.a : name, split_b ? name : pair.b});
        };
        if (is_bvh_leaf(child)) {
            for (std::uint32_t i = 0; i < bvh_leaf_count(child); ++i)
                offer((bvh_leaf_first(child) + i) | kTriangleBit);
            return;
        }
        const BvhNode& node = side.tree->nodes()[child];
        for (std::uint32_t lane = 0; lane < 4; ++lane)
            if (node.child[lane] != kNoIndex) offer(child * 4 + lane);
    }

    /// Measures two triangles at the current time. True if that ends the search.
    bool measure(const Pair& pair) {
        ++result_.counters[kTrianglePairs];
        const Part a = make_part(a_, pair.a), b = make_part(b_, pair.b);
        TriangleCorners<double> corners_a, corners_b;
        for (std::size_t k = 0; k < 3; ++k) {
            corners_a.p[k] = a.corner[k] + a_.at.base;
            corners_b.p[k] = b.corner[k] + b_.at.base;
        }
        const ClosestPair<double> closest = closest_of_triangles(corners_a, corners_b, HUGE_VAL);
        const Vec3d apart = closest.b - closest.a;
        const double distance = length(apart);
        if (!(distance > tolerance_)) {
            hit(pair, closest, apart, distance);
            return true;
        }
        const Vec3d n = apart * (1 / distance);
        const double gap =
            -b.highest(b_, -n) - a.highest(a_, n) + dot(n, b_.at.base - a_.at.base) - 0.5 * tolerance_;
        // A rounded direction can lose at most a rounding of the distance, so the gap is positive.
        const double step = gap > 0 ? step_along(a, b, n, gap, 1 - pair.time) : 0;
        const double time = pair.time + step;
        if (!(step > 0) || time == pair.time) {  // below the resolution of time: undecided after this
            result_.time_low = pair.time;
            return true;
        }
        if (time < 1) heap_.push({time, pair.a, pair.b});
        return false;
    }

    Feature feature_of_triangle(const Side& side, std::uint32_t name, const Vec3d& point) const;
    void hit(const Pair& pair, const ClosestPair<double>& closest, const Vec3d& apart, double distance);

    const ContinuousQuery& query_;
    ContinuousResult& result_;
    const Vec3d origin_;
    Side a_, b_;
    const double tolerance_;
    PairHeap heap_;
};

/// The vertex, edge or polygon of the triangle that the point lies in, at the current time.
Feature MeshAdvance::feature_of_triangle(const Side& side, std::uint32_t name, const Vec3d& point) const {
    const BvhTriangle& t = side.tree->triangles()[name & ~kTriangleBit];
    const Topology& topology = *side.body->geometry->topology;
    const Triangle& triangle = topology.triangles[t.triangle];
    Vec3d p[3];
    for (std::size_t k = 0; k < 3; ++k) p[k] = side.at.base + side.rho(triangle.vertices[k]);
    const double near = 1e-6 * std::sqrt(std::max({length_squared(p[1] - p[0]), length_squared(p[2] - p[1]),
                                                   length_squared(p[0] - p[2])}));
    for (std::size_t k = 0; k < 3; ++k)
        if (length(point - p[k]) <= near) return {FeatureKind::vertex, triangle.vertices[k]};
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d along = p[(k + 1) % 3] - p[k];
        const double size = length(along);
        if (!(size > 0) || length(cross(along, point - p[k])) > near * size) continue;
        const std::uint32_t u = triangle.vertices[k], v = triangle.vertices[(k + 1) % 3];
        for (std::uint32_t h = topology.polygon_begin[triangle.polygon];
             h < topology.polygon_begin[triangle.polygon + 1]; ++h) {
            const std::uint32_t from = topology.origin[h], to = topology.origin[topology.next(h)];
            if ((from == u && to == v) || (from == v && to == u))
                return {FeatureKind::edge, topology.edge_of[h]};
        }
    }
    return {FeatureKind::face, triangle.polygon};
}

void MeshAdvance::hit(const Pair& pair, const ClosestPair<double>& closest, const Vec3d& apart,
                      double distance) {
    const double t = pair.time;
    if (t == 0 && !(distance > 0x1p-40 * (a_.motion.size() + b_.motion.size()))) {
        result_.verdict = Verdict::colliding;
        result_.at_start = true;
        result_.time_low = result_.time_high = 0;
        return;
    }
    const Vec3d normal = distance > 0 ? apart * (1 / distance) : Vec3d{};
    write_advance_hit(query_, t, closest.a + origin_, closest.b + origin_, normal,
                      feature_of_triangle(a_, pair.a, closest.a), feature_of_triangle(b_, pair.b, closest.b),
                      result_);
}

/// A body inside another one at the start. Cheap unless a box contains the other.
bool is_inside_at_start(const ContinuousQuery& query) {
    const auto box = [](const PairBody& body) {
        return transform_aabb(body.world_from_body, body.geometry->box);
    };
    const Aabb a = box(query.pair.a), b = box(query.pair.b);
    const auto within = [](const Aabb& x, const Aabb& y) {
        return y.min.x <= x.min.x && y.min.y <= x.min.y && y.min.z <= x.min.z && x.max.x <= y.max.x &&
               x.max.y <= y.max.y && x.max.z <= y.max.z;
    };
    if (!within(a, b) && !within(b, a)) return false;
    PairResult solid;
    solid.meaning = Meaning::surface;
    solid.verdict = Verdict::separated;
    complete_solid(query.pair, solid);
    return solid.verdict == Verdict::colliding;
}

}  // namespace

void advance_meshes(const ContinuousQuery& query, ContinuousResult& result, Trace* trace) {
    result.rung = 2;
    if (is_inside_at_start(query)) {
        result.verdict = Verdict::colliding;
        result.at_start = true;
        result.time_low = result.time_high = 0;
        return;
    }
    const MeshBvh *tree_a = bvh_of(query.pair.a), *tree_b = bvh_of(query.pair.b);
    std::optional<MeshBvh> own_a, own_b;
    const auto executor = tree_a == nullptr || tree_b == nullptr ? make_serial_executor() : nullptr;
    if (tree_a == nullptr) tree_a = &own_a.emplace(*query.pair.a.geometry, *executor);
    if (tree_b == nullptr) tree_b = &own_b.emplace(*query.pair.b.geometry, *executor);
    MeshAdvance(query, *tree_a, *tree_b, result).run(trace);
}

}  // namespace claybox::collision
