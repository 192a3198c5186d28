// Idea: a heap of pairs, each with a time up to which the pair is proven free of contact. A pair is two
// volumes of the trees, a volume and a triangle, or two triangles. The pair with the earliest time is next: a
// pair with a volume is replaced by the parts of its larger side, a pair of triangles is measured at its
// time. Each new pair gets its own time: from there, its gap along the best of a few directions is positive
// until the motion of its own points can close it. So parts that are far apart or move apart are looked at
// once, and the first two triangles that are within the tolerance are the first contact of the meshes.
// Source: ours; advancement of pairs of volumes after Tang et al., C2A, 2009, there with one time for all.
// Errors: volumes contain their triangles (bvh.hpp). Parts are tested in float, four at once; what rounding
// can
//   change is added to the clearance (part_lanes.hpp). Pairs of triangles are measured in double; their step
//   keeps half of the tolerance, which is far above rounding.

#include "collision/continuous/best/advance.hpp"
#include "collision/continuous/best/part_lanes.hpp"
#include "collision/pairwise/bvh/prepared_bvh.hpp"
#include "collision/pairwise/complete_solid.hpp"
#include "collision/pairwise/mesh/triangle_distance.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

namespace claybox::collision {

namespace {

/// A part of a body: the ref of a volume of its tree, or a triangle in tree order.
constexpr std::uint32_t kTriangleBit = 0x80000000u;

__extension__ using PairKey = unsigned __int128;

/// Two parts and the time up to which they are proven free of contact, as one number: the heap compares
/// numbers without branches. Equal times are in a fixed order, so that the answer depends on nothing else.
struct Pair {
    std::uint64_t parts, time_bits;  ///< numbers that are not negative are ordered like their bits

    Pair() = default;
    Pair(double time, std::uint32_t a, std::uint32_t b)
        : parts(std::uint64_t{a} << 32 | b), time_bits(std::bit_cast<std::uint64_t>(time)) {}
    double time() const { return std::bit_cast<double>(time_bits); }
    std::uint32_t a() const { return static_cast<std::uint32_t>(parts >> 32); }
    std::uint32_t b() const { return static_cast<std::uint32_t>(parts); }
    PairKey key() const { return PairKey{time_bits} << 64 | parts; }
};

/// A heap in scratch memory; moves to the free store if it outgrows that. Four children per entry: most pairs
/// are pushed and never popped, and a flat heap makes pushes cheap.
class PairHeap {
  public:
    explicit PairHeap(Scratch& scratch) : block_(scratch.take<Pair>(kFirst)) {
        if (block_.empty()) grow();
    }
    bool empty() const { return count_ == 0; }
    void push(const Pair& pair) {
        if (count_ == block_.size()) grow();
        std::size_t at = count_++;
        for (std::size_t above = (at - 1) / 4; at > 0 && pair.key() < block_[above].key();
             above = (at - 1) / 4) {
            block_[at] = block_[above];
            at = above;
        }
        block_[at] = pair;
    }
    Pair pop() {
        const Pair first = block_[0], last = block_[--count_];
        std::size_t at = 0;
        for (std::size_t child = 1; child < count_; child = 4 * at + 1) {
            std::size_t least = child;
            if (child + 4 <= count_) {  // the usual case, as a small tournament
                const std::size_t x = child + (block_[child + 1].key() < block_[child].key()),
                                  y = child + 2 + (block_[child + 3].key() < block_[child + 2].key());
                least = block_[y].key() < block_[x].key() ? y : x;
            } else {
                for (std::size_t k = child + 1; k < count_; ++k)
                    if (block_[k].key() < block_[least].key()) least = k;
            }
            if (!(block_[least].key() < last.key())) break;
            block_[at] = block_[least];
            at = least;
        }
        block_[at] = last;
        return first;
    }

  private:
    static constexpr std::size_t kFirst = 2048;
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

/// In all lanes.
Vec4 to_lanes(const Vec3d& v) {
    return splat(cast<float>(v));
}

/// Times that are closer share a placement, unless the bodies turn far meanwhile. It costs some pairs of
/// volumes and saves more.
constexpr double kSameTime = 1.0 / 128, kSameAngle = 1.0 / 256;

/// One body with its tree, at the time of the current pair.
struct Side {
    const PairBody* body;
    const MeshBvh* tree;
    MovingBody motion;
    BodyAt at{};
    LaneFrame frame{};
    bool rests = false, is_placed = false;

    void move_to(double t) {
        if (rests && is_placed) return;
        is_placed = true;
        at = motion.at(t);
        const auto& m = at.rho_from_local.m;
        const double unit = 1.0 / static_cast<double>(tree->scale());
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d row{m[4 * k], m[4 * k + 1], m[4 * k + 2]}, column{m[k], m[4 + k], m[8 + k]};
            frame.local_row[k] = to_lanes(row);
            frame.row[k] = to_lanes(unit * row);
            frame.column[k] = to_lanes(unit * column);
        }
        frame.offset = to_lanes(at.rho_from_local.translation());
    }
    /// What does not change with time.
    void set_motion() {
        rests = motion.rests();
        frame.turns = motion.turns();
        frame.spin = to_lanes(motion.spin());
        frame.axis = to_lanes(motion.axis());
        frame.bend = static_cast<float>(motion.bend(1) * (1 + 1e-6));
        frame.inverse =
            tree->scale() * tree->scale() / static_cast<float>(motion.stretch() * motion.stretch());
        frame.stretch =
            static_cast<float>(motion.stretch() / static_cast<double>(tree->scale()) * (1 + 1e-6));
    }
    /// The radius of a volume, about.
    float size_of(std::uint32_t ref) const {
        const BvhNode& n = tree->nodes()[ref / 4];
        const std::uint32_t i = ref % 4;
        const float box = n.ex[i] * n.ex[i] + n.ey[i] * n.ey[i] + n.ez[i] * n.ez[i];
        return frame.stretch * std::min(std::sqrt(box), n.radius[i] + n.thickness[i]);
    }
    Vec3d rho(std::uint32_t vertex) const {
        return transform_point(at.rho_from_local, body->geometry->positions[vertex]);
    }
};

/// A triangle in double at the time of the current pair.
struct Corners {
    Vec3d rho[3];

    double highest(const Vec3d& d) const {
        return std::max({dot(d, rho[0]), dot(d, rho[1]), dot(d, rho[2])});
    }
};

/// Volumes in tree coordinates; completes the lanes.
void place_volumes(const LaneFrame& frame, const Vec4& centre, PartLanes& out) {
    const Vec4(&rows)[3] = frame.row;
    out.centre = Vec4{dot(rows[0], centre), dot(rows[1], centre), dot(rows[2], centre)} + frame.offset;
    out.normal_w = {dot(rows[0], out.normal), dot(rows[1], out.normal), dot(rows[2], out.normal)};
    // The normals of the tree have length 1 within 2^-22.
    out.disc_radius = out.disc_radius * splat4(1 + 0x1p-20f);
    out.thickness = out.thickness * splat4(1 + 0x1p-20f) + out.disc_radius * splat4(0x1p-20f);
    out.radius =
        splat4(frame.stretch) * min4(sqrt4(dot(out.half, out.half)), out.disc_radius + out.thickness);
}

PartLanes volume_lanes(const LaneFrame& frame, const BvhNode& n) {
    PartLanes out;
    out.triangles = false;
    out.half = {load4(n.ex), load4(n.ey), load4(n.ez)};
    out.normal = {load4(n.nx), load4(n.ny), load4(n.nz)};
    out.disc_radius = load4(n.radius);
    out.thickness = load4(n.thickness);
    place_volumes(frame, {load4(n.cx), load4(n.cy), load4(n.cz)}, out);
    return out;
}

PartLanes volume_lanes(const LaneFrame& frame, const BvhVolume& v) {
    PartLanes out;
    out.triangles = false;
    out.half = splat(v.half);
    out.normal = splat(v.normal);
    out.disc_radius = splat4(v.radius);
    out.thickness = splat4(v.thickness);
    place_volumes(frame, splat(v.centre), out);
    return out;
}

/// Triangles from `first` in tree order, one to four.
PartLanes triangle_lanes(const Side& side, std::uint32_t first, std::uint32_t count) {
    alignas(16) float p[3][3][4];
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
        const auto& vertices = side.tree->triangles()[first + std::min(lane, count - 1)].vertices;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3f& v = side.body->geometry->positions[vertices[k]];
            p[k][0][lane] = v.x, p[k][1][lane] = v.y, p[k][2][lane] = v.z;
        }
    }
    const Vec4(&rows)[3] = side.frame.local_row;
    PartLanes out;
    out.triangles = true;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec4 v{load4(p[k][0]), load4(p[k][1]), load4(p[k][2])};
        out.corner[k] = Vec4{dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)} + side.frame.offset;
    }
    out.centre = (out.corner[0] + out.corner[1] + out.corner[2]) * splat4(1.0f / 3);
    Float4 squared{};
    for (Vec4& corner : out.corner) {
        corner = corner - out.centre;
        squared = max4(squared, dot(corner, corner));
    }
    out.radius = sqrt4(squared) * splat4(1 + 0x1p-18f);
    out.normal_w = cross(out.corner[1] - out.corner[0], out.corner[2] - out.corner[0]);
    return out;
}

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
        a_.set_motion();
        b_.set_motion();
        const double size = a_.motion.size() + b_.motion.size();
        const double speed = length(a_.motion.travel()) + length(b_.motion.travel()) +
                             std::abs(a_.motion.angle()) * a_.motion.reach() +
                             std::abs(b_.motion.angle()) * b_.motion.reach();
        clearance_ = static_cast<float>(0.5 * tolerance_ + 0x1p-20 * size);
        slow_ = static_cast<float>(0x1p-19 * speed);
        const double angle = std::abs(a_.motion.angle()) + std::abs(b_.motion.angle());
        same_time_ = std::min(kSameTime, kSameAngle / angle);
        drift_ = to_lanes(b_.motion.travel() - a_.motion.travel());
    }

    void run(Trace* trace) {
        if (!a_.tree->triangles().empty() && !b_.tree->triangles().empty()) heap_.push({0, 0, 0});
        double here = -1;
        while (!heap_.empty()) {
            const Pair pair = heap_.pop();
            ++result_.iterations;
            if (query_.pair.stop.stop_requested() || result_.iterations > kMaxAdvanceSteps) {
                if (query_.pair.stop.stop_requested()) result_.status = QueryStatus::stopped;
                result_.time_low = pair.time();  // undecided after this
                return;
            }
            // Volumes may also be tested from a time shortly before: that saves a placement.
            const bool leaves = (pair.a() & pair.b() & kTriangleBit) != 0;
            if (pair.time() != here && (leaves || here < 0 || pair.time() - here > same_time_)) {
                here = pair.time();
                a_.move_to(here);
                b_.move_to(here);
            }
            if (trace != nullptr) {
                trace->begin_iteration(static_cast<int>(result_.iterations));
                trace->value("time", here);
            }
            if (!leaves)
                expand(pair, here);
            else if (measure(pair))
                return;
        }
        result_.verdict = Verdict::separated;
        result_.time_low = result_.time_high = 1;
    }

  private:
    PartLanes part_of(const Side& side, std::uint32_t name) const {
        if ((name & kTriangleBit) != 0) return triangle_lanes(side, name & ~kTriangleBit, 1);
        return volume_lanes(side.frame, side.tree->volume(name));
    }

    /// Replaces a pair by the parts of its larger side, tested from the current time, `here`.
    void expand(const Pair& pair, double here) {
        const bool a_is_triangle = (pair.a() & kTriangleBit) != 0,
                   b_is_triangle = (pair.b() & kTriangleBit) != 0;
        const bool split_b = a_is_triangle || (!b_is_triangle && b_.size_of(pair.b()) > a_.size_of(pair.a()));
        const Side& side = split_b ? b_ : a_;
        const Side& other = split_b ? a_ : b_;
        const PartLanes whole = split_b ? part_of(a_, pair.a()) : part_of(b_, pair.b());
        const std::uint32_t child = side.tree->child(split_b ? pair.b() : pair.a());
        const float sign = split_b ? -1 : 1;  // `between` and `drift` are those of B minus those of A
        const LanePair lanes{&side.frame,           &other.frame, to_lanes(sign * (b_.at.base - a_.at.base)),
                             drift_ * splat4(sign), clearance_,   slow_};
        const double left = 1 - here;
        const float limit = static_cast<float>(left * (1 + 1e-6));
        result_.counters[kVolumePairs] += 4;
        const auto offer = [&](Float4 spans, std::uint32_t lane, std::uint32_t name) {
            const double time = std::max(pair.time(), here + static_cast<double>(spans[lane]));
            if (time < 1) heap_.push({time, split_b ? pair.a() : name, split_b ? name : pair.b()});
        };
        if (is_bvh_leaf(child)) {
            const std::uint32_t first = bvh_leaf_first(child), count = bvh_leaf_count(child);
            const Float4 spans = free_spans(triangle_lanes(side, first, count), whole, lanes, limit);
            for (std::uint32_t i = 0; i < count; ++i) offer(spans, i, (first + i) | kTriangleBit);
            return;
        }
        const BvhNode& node = side.tree->nodes()[child];
        const Float4 spans = free_spans(volume_lanes(side.frame, node), whole, lanes, limit);
        for (std::uint32_t lane = 0; lane < 4; ++lane)
            if (node.child[lane] != kNoIndex) offer(spans, lane, child * 4 + lane);
    }

    Corners corners_of(const Side& side, std::uint32_t name) const {
        Corners out;
        const auto& vertices = side.tree->triangles()[name & ~kTriangleBit].vertices;
        for (std::size_t k = 0; k < 3; ++k) out.rho[k] = side.rho(vertices[k]);
        return out;
    }
    double bend_of(const Side& side, const Corners& c) const {
        if (!side.motion.turns()) return 0;
        double radius = 0;
        for (const Vec3d& rho : c.rho) radius = std::max(radius, side.motion.from_axis(rho));
        return side.motion.bend(radius);
    }
    /// The longest step that keeps half of the tolerance along n, from a gap above that.
    double step_along(const Corners& a, const Corners& b, const Vec3d& n, double gap, double limit) const {
        const Vec3d turn_a = a_.motion.turn_along(n), turn_b = b_.motion.turn_along(n);
        const double drift = dot(n, b_.motion.travel() - a_.motion.travel());
        const Vec3d between = b_.at.base - a_.at.base;
        const auto gap_after = [&](double s) {
            return -b.highest(-(n + s * turn_b)) - a.highest(n + s * turn_a) + dot(n, between) + s * drift -
                   0.5 * tolerance_;
        };
        // The velocity of the corners that are nearest now.
        std::size_t top = 0, bottom = 0;
        for (std::size_t k = 1; k < 3; ++k) {
            if (dot(n, a.rho[k]) > dot(n, a.rho[top])) top = k;
            if (dot(n, b.rho[k]) < dot(n, b.rho[bottom])) bottom = k;
        }
        const double slope = drift + dot(turn_b, b.rho[bottom]) - dot(turn_a, a.rho[top]);
        return safe_step(gap, slope, bend_of(a_, a) + bend_of(b_, b), limit, gap_after);
    }

    /// Measures two triangles at the current time. True if that ends the search.
    bool measure(const Pair& pair) {
        ++result_.counters[kTrianglePairs];
        const Corners a = corners_of(a_, pair.a()), b = corners_of(b_, pair.b());
        TriangleCorners<double> corners_a, corners_b;
        for (std::size_t k = 0; k < 3; ++k) {
            corners_a.p[k] = a.rho[k] + a_.at.base;
            corners_b.p[k] = b.rho[k] + b_.at.base;
        }
        const ClosestPair<double> closest = closest_of_triangles(corners_a, corners_b, HUGE_VAL);
        const Vec3d apart = closest.b - closest.a;
        const double distance = length(apart);
        if (!(distance > tolerance_)) {
            hit(pair, closest, apart, distance);
            return true;
        }
        const Vec3d n = apart * (1 / distance);
        const double gap = -b.highest(-n) - a.highest(n) + dot(n, b_.at.base - a_.at.base) - 0.5 * tolerance_;
        // A rounded direction can lose at most a rounding of the distance, so the gap is positive.
        const double step = gap > 0 ? step_along(a, b, n, gap, 1 - pair.time()) : 0;
        const double time = pair.time() + step;
        if (!(step > 0) || time == pair.time()) {  // below the resolution of time: undecided after this
            result_.time_low = pair.time();
            return true;
        }
        if (time < 1) heap_.push({time, pair.a(), pair.b()});
        return false;
    }

    Feature feature_of_triangle(const Side& side, std::uint32_t name, const Vec3d& point) const;
    void hit(const Pair& pair, const ClosestPair<double>& closest, const Vec3d& apart, double distance);

    const ContinuousQuery& query_;
    ContinuousResult& result_;
    const Vec3d origin_;
    Side a_, b_;
    const double tolerance_;
    double same_time_ = kSameTime;
    float clearance_ = 0, slow_ = 0;
    Vec4 drift_;
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
    const double t = pair.time();
    if (t == 0 && !(distance > 0x1p-40 * (a_.motion.size() + b_.motion.size()))) {
        result_.verdict = Verdict::colliding;
        result_.at_start = true;
        result_.time_low = result_.time_high = 0;
        return;
    }
    const Vec3d normal = distance > 0 ? apart * (1 / distance) : Vec3d{};
    write_advance_hit(query_, t, closest.a + origin_, closest.b + origin_, normal,
                      feature_of_triangle(a_, pair.a(), closest.a),
                      feature_of_triangle(b_, pair.b(), closest.b), result_);
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
