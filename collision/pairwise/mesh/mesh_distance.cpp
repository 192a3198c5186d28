#include "collision/pairwise/mesh/mesh_distance.hpp"

#include "collision/pairwise/mesh/triangle_distance.hpp"
#include "collision/simd/float4.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace claybox::collision {

namespace {

/// Error of float bounds relative to the magnitudes that enter them: about thirty roundings.
constexpr double kFloatSlack = 0x1p-18;
/// Error of a distance in a scalar of unit roundoff u, as a multiple of u times all magnitudes: the points,
/// their differences and the projections have about thirty roundings.
constexpr double kKernelRoundings = 64;
/// A distance whose relative error may exceed this is measured again with more digits.
constexpr double kMaxRelativeError = 1e-8;
/// Matrices that stretch a flat axis by more than this do not fit float: then all pairs are measured.
constexpr double kMaxEntry = 0x1p40;
constexpr std::uint32_t kStopInterval = 64;

struct Vec4 {
    Float4 x, y, z;
};
Vec4 splat(const Vec3f& v) {
    return {splat4(v.x), splat4(v.y), splat4(v.z)};
}
Float4 dot(const Vec4& a, const Vec4& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vec4 operator-(const Vec4& a, const Vec4& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec4 operator*(const Vec4& a, Float4 s) {
    return {a.x * s, a.y * s, a.z * s};
}
/// Zero for a zero vector: a bound along it is then 0, which is valid.
Vec4 unit(const Vec4& v) {
    return v * (splat4(1) / max4(sqrt4(dot(v, v)), splat4(0x1p-60f)));
}

/// Volumes in four lanes.
struct Volumes {
    Vec4 centre, normal, half;
    Float4 radius, thickness;
};
Volumes lanes_of(const BvhNode& n) {
    return {{load4(n.cx), load4(n.cy), load4(n.cz)},
            {load4(n.nx), load4(n.ny), load4(n.nz)},
            {load4(n.ex), load4(n.ey), load4(n.ez)},
            load4(n.radius),
            load4(n.thickness)};
}
Volumes same_in_all(const BvhVolume& v) {
    return {splat(v.centre), splat(v.normal), splat(v.half), splat4(v.radius), splat4(v.thickness)};
}

/// The transform from the tree's frame to the search frame, in float, relative to the centre of the body.
struct Placement {
    Vec3f row[3], column[3];
    Vec3f normal_row[3];  ///< rows of a multiple of the cofactor matrix: transforms normals
    Vec3f shift;
    Vec3f direction;    ///< local() of the search direction
    float stretch = 0;  ///< length of the longest column

    Vec4 point(const Vec4& p) const {
        return {dot(splat(row[0]), p) + splat4(shift.x), dot(splat(row[1]), p) + splat4(shift.y),
                dot(splat(row[2]), p) + splat4(shift.z)};
    }
    Vec4 plane(const Vec4& n) const {
        return unit(
            {dot(splat(normal_row[0]), n), dot(splat(normal_row[1]), n), dot(splat(normal_row[2]), n)});
    }
    /// A direction of the search frame as a linear functional on the tree's frame.
    Vec4 local(const Vec4& along) const {
        return {dot(splat(column[0]), along), dot(splat(column[1]), along), dot(splat(column[2]), along)};
    }
    /// Extent of volumes from their centres along local(direction).
    static Float4 reach(const Volumes& v, const Vec4& g) {
        const Float4 box = abs4(g.x) * v.half.x + abs4(g.y) * v.half.y + abs4(g.z) * v.half.z;
        const Float4 upright = dot(g, v.normal);
        const Vec4 flat = g - v.normal * upright;
        const Float4 disc = abs4(upright) * v.thickness + sqrt4(dot(flat, flat)) * v.radius;
        return min4(box, disc);
    }
};

/// One mesh in the search frame: world axes, origin at the centre of A, scaled so that coordinates are about
/// 1.
struct Body {
    const DistanceSide* side = nullptr;
    const MeshBvh* tree = nullptr;
    Vec3d middle_w;
    Matrix34d search_from_local;
    double size = 0;  ///< sum of all terms of a coordinate relative to the body's own centre
    Placement placement;
    bool usable = true;  ///< `placement` is valid

    void set(const DistanceSide& s) {
        side = &s;
        tree = s.tree;
        middle_w = transform_point(to_double(*s.world_from_local), s.geometry->box.centre());
    }
    void measure();
    void place(const Vec3d& origin_w, double scale);
    template <class T>
    std::array<T, 12> matrix(const Vec3d& origin_w, double scale) const {
        std::array<T, 12> out;
        for (std::size_t i = 0; i < 12; ++i) {
            out[i] = T(side->world_from_local->m[i]);
            if (i % 4 == 3) out[i] -= T(origin_w[i / 4]);
            out[i] *= T(scale);
        }
        return out;
    }
};

/// In world metres; the scale of the search frame follows from it.
void Body::measure() {
    const Aabb& box = side->geometry->box;
    const Matrix34f& m = *side->world_from_local;
    for (int r = 0; r < 3; ++r) {
        double sum = std::abs(m(r, 3) - middle_w[static_cast<std::size_t>(r)]);
        for (std::size_t k = 0; k < 3; ++k)
            sum += std::abs(static_cast<double>(m(r, static_cast<int>(k)))) *
                   std::max(std::abs(box.min[k]), std::abs(box.max[k]));
        size = std::max(size, sum);
    }
}

void Body::place(const Vec3d& origin_w, double scale) {
    const auto m = matrix<double>(origin_w, scale);
    search_from_local.m = m;
    Vec3d column[3];
    const double tree_scale = std::ldexp(1.0, tree->exponent());
    double largest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        column[k] = Vec3d{m[k], m[4 + k], m[8 + k]} * tree_scale;
        placement.column[k] = cast<float>(column[k]);
        placement.stretch = std::max(placement.stretch, static_cast<float>(length(column[k])));
        for (std::size_t r = 0; r < 3; ++r) {
            placement.row[r][k] = placement.column[k][r];
            largest = std::max(largest, std::abs(column[k][r]));
        }
    }
    const Vec3d shift = cast<double>(side->world_from_local->translation()) - middle_w;
    placement.shift = cast<float>(shift * scale);
    usable = largest < kMaxEntry;
    const double unit = largest > 0 ? 1 / largest : 0;
    for (Vec3d& c : column) c *= unit;
    const Vec3d plane[3] = {cross(column[1], column[2]), cross(column[2], column[0]),
                            cross(column[0], column[1])};
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t k = 0; k < 3; ++k) placement.normal_row[r][k] = static_cast<float>(plane[k][r]);
}

/// A pair of refs, with two lower bounds: `apart`, of their distance, and `beyond`, of how much farther apart
/// they are along the search direction than the centres of the bodies. If bodies are small compared with
/// their distance, only `beyond` distinguishes pairs.
struct Task {
    std::uint32_t a, b;
    float apart, beyond;
};

/// The triangles of a leaf in the search frame, and their extents along the direction of the closest pair so
/// far.
struct Leaf {
    std::uint32_t count = 0;
    TriangleCorners<double> corners[kBvhLeafSize];
    const BvhTriangle* triangle[kBvhLeafSize] = {};
    double low[kBvhLeafSize] = {}, high[kBvhLeafSize] = {};
    Vec3d middle[kBvhLeafSize];  ///< three times the mean of the corners
};

/// The closest pair so far, of two triangles of the topologies.
template <class T>
struct Closest {
    ClosestPair<T> pair{std::numeric_limits<T>::infinity(), {}, {}};
    std::uint32_t a = kNoIndex, b = kNoIndex;

    void take(const ClosestPair<T>& found, std::uint32_t triangle_a, std::uint32_t triangle_b) {
        if (pair.squared < found.squared) return;
        if (found.squared == pair.squared && std::tie(a, b) <= std::tie(triangle_a, triangle_b)) return;
        pair = found;
        a = triangle_a;
        b = triangle_b;
    }
    double distance() const {
        using std::sqrt;
        return static_cast<double>(T(sqrt(pair.squared)));
    }
};

/// The nearest comes last, so that it is popped first.
void insert(const Task& task, Task (&tasks)[4], int& count) {
    const auto key = [](const Task& t) { return std::pair(t.apart, t.beyond); };
    int at = count++;
    for (; at > 0 && key(tasks[at - 1]) < key(task); --at) tasks[at] = tasks[at - 1];
    tasks[at] = task;
}

class Search {
  public:
    explicit Search(const DistanceSearch& s);
    MeshDistance run();

  private:
    template <class T>
    bool refine(double& error, MeshDistance& out);
    template <class T>
    void walk(std::uint32_t from_a, std::uint32_t from_b, Closest<T>& best, bool to_first_leaves = false);
    void find_close_pair(Closest<double>& best);
    template <class T>
    void measure_start(Closest<T>& best);
    void expand(const Task& task, bool of_b);
    template <class T>
    void measure_leaves(const Task& task, Closest<T>& best);
    template <class T>
    void measure(const TriangleCorners<double>& a, const BvhTriangle& ta, const TriangleCorners<double>& b,
                 const BvhTriangle& tb, Closest<T>& best);
    template <class T>
    TriangleCorners<T> corners(const Body& body, const std::array<T, 12>& m, const std::uint32_t* v) const;
    template <class T>
    void answer(const Closest<T>& best, MeshDistance& out) const;
    template <class T>
    auto& matrices() {
        if constexpr (std::is_same_v<T, Wide>) {
            return wide_;
        } else {
            return long_;
        }
    }
    void set_limit(double limit, const Vec3d& gap);
    void load(const Body& body, std::uint32_t ref, Leaf& leaf) const;
    bool is_leaf(const Body& body, std::uint32_t ref) const { return is_bvh_leaf(body.tree->child(ref)); }
    void set_direction(const Vec3d& direction);
    bool is_irrelevant(const Task& task) const {
        return task.apart > apart_limit_ || task.beyond > beyond_limit_;
    }

    const DistanceSearch& search_;
    std::optional<MeshBvh> own_[2];
    Body a_, b_;
    double scale_ = 1;
    Vec3d between_;                     ///< from the centre of A to the centre of B
    Vec3f between_f_;                   ///< the same
    Vec3f direction_{1, 0, 0};          ///< nearly unit: the direction of `between_`, later of a near pair
    double direction_offset_ = 0;       ///< component of between_ along it
    double slack_ = 0, own_slack_ = 0;  ///< error of the bounds `apart` and `beyond`
    double error_ = 0;                  ///< error of a distance measured in double
    double within_ = 0;
    double limit_ = 0;  ///< pairs farther apart than this are irrelevant
    float apart_limit_ = 0, beyond_limit_ = 0;
    Vec3d gap_;       ///< unit: from A to B at the closest pair so far, or zero
    Task nearest_{};  ///< the leaves of the closest pair so far
    bool done_ = false, stopped_ = false;
    std::uint32_t volumes_ = 0, triangles_ = 0;
    /// Every step pops one task and pushes at most four, one level below.
    Task stack_[2 * kMaxBvhLevels * 3 + 4];
    std::size_t top_ = 0;
    template <class T>
    struct Matrices {
        std::array<T, 12> a, b;
    };
    Matrices<long double> long_;
    Matrices<Wide> wide_;
};

double power_of_two_below(double v) {
    return v > 0 ? std::ldexp(1.0, std::ilogb(v)) : 1;
}

float above(double v) {
    constexpr double kMax = std::numeric_limits<float>::max() / 2;
    return v < kMax ? static_cast<float>(v) * (v > 0 ? 1 + 0x1p-22f : 1 - 0x1p-22f) + 0x1p-120f : HUGE_VALF;
}

Search::Search(const DistanceSearch& s) : search_(s) {
    a_.set(s.a);
    b_.set(s.b);
    int k = 0;
    for (Body* body : {&a_, &b_}) {
        if (body->tree == nullptr) {
            const auto executor = make_serial_executor();
            body->tree = &own_[k].emplace(*body->side->geometry, *executor);
        }
        ++k;
        body->measure();
    }
    const Vec3d between = b_.middle_w - a_.middle_w;
    const double apart = std::max({std::abs(between.x), std::abs(between.y), std::abs(between.z)});
    scale_ = 1 / power_of_two_below(std::max({a_.size, b_.size, apart}));
    a_.place(a_.middle_w, scale_);
    b_.place(a_.middle_w, scale_);
    const Vec3d t = between * scale_;
    between_f_ = cast<float>(t);
    between_ = t;
    set_direction(normalized(t));
    const double sizes = (a_.size + b_.size) * scale_;
    // A disc may extend farther along an axis in which its body is flat than the body does.
    const double discs =
        static_cast<double>(a_.placement.stretch) + static_cast<double>(b_.placement.stretch);
    own_slack_ = kFloatSlack * (sizes + discs) + 0x1p-100;
    slack_ = own_slack_ + kFloatSlack * apart * scale_;
    error_ = kKernelRoundings * 0x1p-53 * (sizes + apart * scale_);
    within_ = search_.within * scale_;
}

/// Makes pairs farther apart than `limit` irrelevant.
void Search::set_limit(double limit, const Vec3d& gap) {
    limit_ = limit;
    apart_limit_ = above(limit + error_ + slack_);
    beyond_limit_ = above(limit + error_ - direction_offset_ + own_slack_);
    const double size = length(gap);
    gap_ = size > 0 ? gap / size : Vec3d{};
}

/// Changes the direction along which `beyond` is measured.
void Search::set_direction(const Vec3d& direction) {
    direction_ = cast<float>(direction);
    direction_offset_ = dot(cast<double>(direction_), between_) / length(cast<double>(direction_));
    for (Body* body : {&a_, &b_}) {
        const Vec4 g = body->placement.local(splat(direction_));
        body->placement.direction = {g.x[0], g.y[0], g.z[0]};
    }
    set_limit(limit_, gap_);
}

/// Tests the four children of one ref against the other ref. Along a unit direction d, two volumes with
/// centre difference c are at least |d.c| - (extent of both along d) apart. Directions: first the search
/// direction, which rejects most children, then the line of centres and the normals of both discs.
void Search::expand(const Task& task, bool of_b) {
    const Body &lane = of_b ? b_ : a_, &fixed = of_b ? a_ : b_;
    const Placement &p = lane.placement, &q = fixed.placement;
    const std::uint32_t node_index = lane.tree->child(of_b ? task.b : task.a);
    const BvhNode& node = lane.tree->nodes()[node_index];
    const Volumes lanes = lanes_of(node), other = same_in_all(fixed.tree->volume(of_b ? task.a : task.b));
    const Vec4 own = p.point(lanes.centre) - q.point(other.centre);
    const float sign = of_b ? 1 : -1;  // `own` points from A to B, or back
    volumes_ += 4;
    const Float4 beyond = splat4(sign) * dot(splat(direction_), own) -
                          (p.reach(lanes, splat(p.direction)) + q.reach(other, splat(q.direction)));
    const bool usable = a_.usable && b_.usable;
    if (usable && mask_bits4(beyond > splat4(beyond_limit_)) == 15) return;
    const Vec4 c{own.x + splat4(sign * between_f_.x), own.y + splat4(sign * between_f_.y),
                 own.z + splat4(sign * between_f_.z)};
    const auto gap = [&](const Vec4& d) {
        return abs4(dot(d, c)) - (p.reach(lanes, p.local(d)) + q.reach(other, q.local(d)));
    };
    const Float4 apart = max4(max4(gap(unit(c)), gap(p.plane(lanes.normal))), gap(q.plane(other.normal)));
    Task tasks[4];
    int count = 0;
    for (std::uint32_t k = 0; k < 4; ++k) {
        if (node.child[k] == kNoIndex) continue;
        Task next{task.a, task.b, usable ? apart[k] : 0.0f, usable ? beyond[k] : -HUGE_VALF};
        (of_b ? next.b : next.a) = node_index * 4 + k;
        if (!is_irrelevant(next)) insert(next, tasks, count);
    }
    for (int k = 0; k < count; ++k) stack_[top_++] = tasks[k];
}

void Search::load(const Body& body, std::uint32_t ref, Leaf& leaf) const {
    const std::uint32_t child = body.tree->child(ref);
    leaf.count = bvh_leaf_count(child);
    for (std::uint32_t i = 0; i < leaf.count; ++i) {
        const BvhTriangle& t = body.tree->triangles()[bvh_leaf_first(child) + i];
        leaf.triangle[i] = &t;
        leaf.low[i] = HUGE_VAL;
        leaf.high[i] = -HUGE_VAL;
        for (int k = 0; k < 3; ++k) {
            const Vec3d p =
                transform_point(body.search_from_local, body.side->geometry->positions[t.vertices[k]]);
            leaf.corners[i].p[k] = p;
            const double along = dot(gap_, p);
            leaf.low[i] = std::min(leaf.low[i], along);
            leaf.high[i] = std::max(leaf.high[i], along);
        }
        leaf.middle[i] = leaf.corners[i].p[0] + leaf.corners[i].p[1] + leaf.corners[i].p[2];
    }
}

template <class T>
TriangleCorners<T> Search::corners(const Body& body, const std::array<T, 12>& m,
                                   const std::uint32_t* v) const {
    TriangleCorners<T> out;
    for (int k = 0; k < 3; ++k) {
        const Vec3<T> p = cast<T>(body.side->geometry->positions[v[k]]);
        for (std::size_t r = 0; r < 3; ++r)
            out.p[k][r] = m[4 * r] * p.x + m[4 * r + 1] * p.y + m[4 * r + 2] * p.z + m[4 * r + 3];
    }
    return out;
}

/// Whether a slab across `axis` proves that two triangles are farther apart than the limit. The caller's
/// limit already contains the effect of rounding.
bool slab_separates(const TriangleCorners<double>& a, const TriangleCorners<double>& b, const Vec3d& axis,
                    double limit) {
    const double high = std::max({dot(axis, a.p[0]), dot(axis, a.p[1]), dot(axis, a.p[2])});
    const double low = std::min({dot(axis, b.p[0]), dot(axis, b.p[1]), dot(axis, b.p[2])});
    return low > high && (low - high) * (low - high) > limit * limit * length_squared(axis);
}

template <class T>
void Search::measure_leaves(const Task& task, Closest<T>& best) {
    Leaf a, b;
    load(a_, task.a, a);
    load(b_, task.b, b);
    const T before = best.pair.squared;
    for (std::uint32_t i = 0; i < a.count; ++i)
        for (std::uint32_t k = 0; k < b.count && !done_; ++k)
            if (!(b.low[k] - a.high[i] > limit_ + error_) &&
                !slab_separates(a.corners[i], b.corners[k], b.middle[k] - a.middle[i], limit_ + error_))
                measure(a.corners[i], *a.triangle[i], b.corners[k], *b.triangle[k], best);
    if (best.pair.squared < before) nearest_ = task;
}

/// Measures in double; a pair that is near enough is measured again in the scalar of this walk.
template <class T>
void Search::measure(const TriangleCorners<double>& a, const BvhTriangle& ta,
                     const TriangleCorners<double>& b, const BvhTriangle& tb, Closest<T>& best) {
    ++triangles_;
    const double limit = limit_ + error_;
    const ClosestPair<double> rough = closest_of_triangles<double>(a, b, limit * limit);
    if (rough.squared > limit * limit) return;
    const double before = best.distance();
    if constexpr (std::is_same_v<T, double>) {
        best.take(rough, ta.triangle, tb.triangle);
    } else {
        const auto& [m, n] = matrices<T>();
        best.take(closest_of_triangles<T>(corners(a_, m, ta.vertices), corners(b_, n, tb.vertices),
                                          best.pair.squared),
                  ta.triangle, tb.triangle);
    }
    const double now = best.distance();
    if (!(now < before)) return;
    if (now < limit_) set_limit(now, cast<double>(best.pair.b) - cast<double>(best.pair.a));
    done_ = search_.any && now + error_ <= within_;
    if (search_.trace == nullptr) return;
    const auto world = [&](const Vec3<T>& p) { return cast<double>(p) / scale_ + a_.middle_w; };
    search_.trace->begin_iteration(static_cast<int>(triangles_));
    search_.trace->segment(world(best.pair.a), world(best.pair.b), "closest so far");
}

/// The closest pair of the last frame is close to the current one.
template <class T>
void Search::measure_start(Closest<T>& best) {
    const auto& ta = a_.side->geometry->topology->triangles;
    const auto& tb = b_.side->geometry->topology->triangles;
    if (search_.start_a >= ta.size() || search_.start_b >= tb.size()) return;
    BvhTriangle a{{}, search_.start_a}, b{{}, search_.start_b};
    std::copy_n(ta[search_.start_a].vertices, 3, a.vertices);
    std::copy_n(tb[search_.start_b].vertices, 3, b.vertices);
    measure(corners<double>(a_, a_.search_from_local.m, a.vertices), a,
            corners<double>(b_, b_.search_from_local.m, b.vertices), b, best);
}

/// Measures all relevant pairs of triangles below two refs.
template <class T>
void Search::walk(std::uint32_t from_a, std::uint32_t from_b, Closest<T>& best, bool to_first_leaves) {
    top_ = 0;
    stack_[top_++] = {from_a, from_b, 0, -HUGE_VALF};
    std::uint32_t steps = 0;
    while (top_ > 0 && !done_) {
        if (++steps % kStopInterval == 0 && search_.stop.stop_requested()) {
            stopped_ = true;
            return;
        }
        const Task task = stack_[--top_];
        if (is_irrelevant(task)) continue;
        const bool leaf_a = is_leaf(a_, task.a), leaf_b = is_leaf(b_, task.b);
        if (leaf_a && leaf_b) {
            measure_leaves(task, best);
            if (to_first_leaves) return;
            continue;
        }
        const float size_a = a_.tree->volume(task.a).radius * a_.placement.stretch;
        const float size_b = b_.tree->volume(task.b).radius * b_.placement.stretch;
        expand(task, leaf_a || (!leaf_b && size_b >= size_a));
    }
}

/// Finds a close pair before the full search: first straight down to two leaves, then alternately from the
/// leaf of one body against all of the other. This pays off, because every triangle that it excludes saves
/// time later.
void Search::find_close_pair(Closest<double>& best) {
    constexpr int kTurns = 2;
    walk(0, 0, best, true);
    double before = limit_;
    for (int turn = 0; turn < kTurns && best.a != kNoIndex && !done_ && !stopped_; ++turn) {
        if (turn % 2 == 0) walk(nearest_.a, 0, best);
        if (turn % 2 != 0) walk(0, nearest_.b, best);
        if (turn > 0 && !(limit_ < before)) return;
        before = limit_;
    }
}

template <class T>
void Search::answer(const Closest<T>& best, MeshDistance& out) const {
    if (best.a == kNoIndex) return;
    out.distance = best.distance() / scale_;
    out.a_w = cast<double>(best.pair.a) / scale_ + a_.middle_w;
    out.b_w = cast<double>(best.pair.b) / scale_ + a_.middle_w;
    out.triangle_a = best.a;
    out.triangle_b = best.b;
    out.found = best.distance() <= within_;
}

/// Whether a distance with this error bound is accurate enough.
bool is_settled(double distance, double within, double error) {
    return error <= kMaxRelativeError * distance && std::abs(distance - within) > error;
}

/// Walks again with a wider scalar and measures all pairs whose distance in double may be the smallest.
template <class T>
bool Search::refine(double& error, MeshDistance& out) {
    const double u = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
    error *= u / 0x1p-53;
    matrices<T>() = {a_.matrix<T>(a_.middle_w, scale_), b_.matrix<T>(a_.middle_w, scale_)};
    Closest<T> best;
    done_ = false;
    walk(0, 0, best);
    answer(best, out);
    out.bits = static_cast<std::uint32_t>(std::numeric_limits<T>::digits);
    return is_settled(best.distance(), within_, error);
}

MeshDistance Search::run() {
    MeshDistance out;
    if (a_.side->geometry->topology->triangles.empty() || b_.side->geometry->topology->triangles.empty())
        return out;
    set_limit(within_ + error_, {});
    Closest<double> best;
    measure_start(best);
    if (best.a == kNoIndex) find_close_pair(best);
    if (gap_ != Vec3d{}) set_direction(gap_);
    if (!done_ && !stopped_) walk(0, 0, best);
    answer(best, out);
    const bool open =
        best.a != kNoIndex && !done_ && !stopped_ && !is_settled(best.distance(), within_, error_);
    if (open) {
        // Each distance measured in double may be off in either direction.
        set_limit(best.distance() + 2 * error_, cast<double>(best.pair.b) - cast<double>(best.pair.a));
        double error = error_;
        if (!refine<long double>(error, out) && !stopped_) refine<Wide>(error, out);
    }
    out.stopped = stopped_;
    out.volumes = volumes_;
    out.triangles = triangles_;
    return out;
}

}  // namespace

MeshDistance find_mesh_distance(const DistanceSearch& search) {
    return Search(search).run();
}

}  // namespace claybox::collision
