// Everything is computed in float, four lanes at once, then enlarged by a bound of its roundings.
//
// Let u = 2^-24. x is a point as the exact layer knows it, in the tree's frame. The scale is a power of two,
// so a corner equals x except for underflow of less than 2^-149. A normal is a sum divided by its length.
// Three terms under a root and a quotient are off by 3.5 u, so its length is 1 within 4 u = 2^-22 unless
// squares underflow; normal_of() prevents that. The measuring pass accepts any centre c and normal n, so
// nothing before it needs a proof.
//
// Corners are measured from the middle b of their box, then c = b + m n is rounded. D = x - b is computed as
// d, off by u |d_k| per axis, S = c - b correspondingly; `reach` is at least |d_k| + |s_k|.
//   Box: the largest x_k - c_k is measured from the box of the corners, off by u; kGrow adds 16 u, because
//   stored halves must be larger by 8 u (bvh_probe.hpp).
//   Slab: n.(x - c) = n.D - n.S. Each has three roundings per term, d and s have one: together off by 4 u (1
//   + 8 u) sum |n_k| reach_k. The code adds 8 u of that and 8 u of the difference.
//   Disc: |D - n n.D|^2 = |D|^2 - (2 - |n|^2) (n.D)^2, and |n|^2 is 1 within 9 u. |d|^2 is off by 3 u + 2 u,
//   (n.d)^2 by 2 (4 u) + u, the missing factor is 9 u, the difference rounds by u: 24 u |d|^2, and underflow
//   of less than 2^-146. The code adds 32 u |reach|^2, then 2^-70 for the root of the rest. The contribution
//   of S across n is bounded in the same way.
//
// Volumes i below: x = c_i + y with |n_i.y| <= t_i, |w| <= r_i for w = y - n_i n_i.y, |y_k| <= e_ik. Here d
// is computed from c_i - c. Along n, y extends by t_i |n.n_i| (1 + 10 u) + r_i |n x n_i| (1 + 4 u): w is not
// exactly perpendicular to n_i if the length of n_i is not exactly 1. It also extends by at most sum |n_k|
// e_ik. Across n it is at most r_i + t_i (|n x n_i| (1 + 5 u) + 9 u). The dot product is off by 3 u, the
// cross product by 3 u in each term of its length and 3 u as a whole. The code adds 16 u of each sum, 8 u of
// r_i and t_i along n, 16 u of t_i across n. The rest is as for corners; the extents of box and disc bound
// each other.
//
// A sum of a few positive terms, each rounded once, is covered by the factor applied at the end.

#include "collision/pairwise/bvh/bvh_volume.hpp"

#include "collision/simd/float4.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

constexpr float kGrow = 1 + 0x1p-20f;     ///< 16 u
constexpr float kRound = 1 + 0x1p-21f;    ///< 8 u
constexpr float kSlabSlack = 0x1p-21f;    ///< 8 u
constexpr float kSquareSlack = 0x1p-19f;  ///< 32 u
constexpr float kAcrossSlack = 0x1p-20f;  ///< 16 u
/// Exceeds the underflow of a position or of a sum of products. Large enough to keep products of the sizes of
/// flat volumes out of the denormal range, which is slow on many processors.
constexpr float kLeast = 0x1p-60f;
constexpr float kLeastRadius = 0x1p-70f;   ///< the same under a root
constexpr float kLeastSquare = 0x1p-100f;  ///< below it, underflow could turn or stretch a normal
constexpr float kNothing = -0x1p60f;
/// When a tree is built, volumes of at most this many triangles are computed from corners.
constexpr std::uint32_t kVolumeFromCorners = 1 << 14;
/// Weight of the thickness in a disc's size. The surface would need 2; more, because thin discs rarely
/// overlap.
constexpr float kThick = 4;
/// 8 / 2 pi: converts half sizes to a box's surface, and divides by the factor omitted from the disc's
/// surface.
constexpr float kBoxAsDisc = 1.27f;

struct Vec4 {
    Float4 x, y, z;
};

Vec4 operator+(const Vec4& a, const Vec4& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vec4 operator-(const Vec4& a, const Vec4& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec4 operator*(const Vec4& a, Float4 s) {
    return {a.x * s, a.y * s, a.z * s};
}
Float4 dot(const Vec4& a, const Vec4& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vec4 cross(const Vec4& a, const Vec4& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vec4 min(const Vec4& a, const Vec4& b) {
    return {min4(a.x, b.x), min4(a.y, b.y), min4(a.z, b.z)};
}
Vec4 max(const Vec4& a, const Vec4& b) {
    return {max4(a.x, b.x), max4(a.y, b.y), max4(a.z, b.z)};
}
Vec4 abs(const Vec4& a) {
    return {abs4(a.x), abs4(a.y), abs4(a.z)};
}
Vec4 splat(Float4 v) {
    return {v, v, v};
}
Float4 select(Int4 mask, Float4 yes, Float4 no) {
    return Float4(select4(mask, Int4(yes), Int4(no)));
}

/// One volume per lane.
struct EachLane {
    static Float4 largest(Float4 v) { return v; }
    static Float4 smallest(Float4 v) { return v; }
    static Float4 sum(Float4 v) { return v; }
};
/// One volume over all lanes, repeated in each.
struct AllLanes {
    static Float4 largest(Float4 v) { return largest4(v); }
    static Float4 smallest(Float4 v) { return smallest4(v); }
    static Float4 sum(Float4 v) {
        const Float4 s = v + shuffle4<2, 3, 0, 1>(v);
        return s + shuffle4<1, 0, 3, 2>(s);
    }
};
template <class Over>
Vec4 largest(const Vec4& v) {
    return {Over::largest(v.x), Over::largest(v.y), Over::largest(v.z)};
}
template <class Over>
Vec4 smallest(const Vec4& v) {
    return {Over::smallest(v.x), Over::smallest(v.y), Over::smallest(v.z)};
}
template <class Over>
Vec4 sum(const Vec4& v) {
    return {Over::sum(v.x), Over::sum(v.y), Over::sum(v.z)};
}

struct Volumes {
    Vec4 centre, normal, half;
    Float4 radius, thickness;
    BvhVolume first() const {
        return {{centre.x[0], centre.y[0], centre.z[0]},
                {normal.x[0], normal.y[0], normal.z[0]},
                {half.x[0], half.y[0], half.z[0]},
                radius[0],
                thickness[0]};
    }
};

/// The direction of a sum of normals whose lengths sum to `size`. If they cancel (a closed surface), the axis
/// along which the box is thinnest.
Vec4 normal_of(const Vec4& sum, Float4 size, const Vec4& box) {
    const Float4 square = dot(sum, sum), length = sqrt4(square);
    const Int4 good = (length > splat4(0.1f) * size) & (square > splat4(kLeastSquare));
    const Int4 x = (box.x <= box.y) & (box.x <= box.z), y = ~x & (box.y <= box.z), z = ~(x | y);
    const Int4 one = Int4(splat4(1));
    const Float4 by = max4(length, splat4(kLeastRadius));
    return {select(good, sum.x / by, Float4(x & one)), select(good, sum.y / by, Float4(y & one)),
            select(good, sum.z / by, Float4(z & one))};
}

struct Corners {
    Vec4 at[3 * kBvhLeafSize];
    std::uint32_t count = 0;
};

/// Positions of corner k of four triangles, one per lane.
[[gnu::always_inline]] inline Vec4 gather(const Vec3f* positions, const BvhTriangle* const (&t)[4],
                                          std::size_t k) {
    using Two = double __attribute__((vector_size(16)));  // x and y of two vertices, as bits
    const Vec3f* const at[4] = {positions + t[0]->vertices[k], positions + t[1]->vertices[k],
                                positions + t[2]->vertices[k], positions + t[3]->vertices[k]};
    double xy[4];
    for (std::size_t i = 0; i < 4; ++i) __builtin_memcpy(&xy[i], at[i], sizeof xy[i]);
    const auto a = Float4(Two{xy[0], xy[1]}), b = Float4(Two{xy[2], xy[3]});
    return {__builtin_shufflevector(a, b, 0, 2, 4, 6), __builtin_shufflevector(a, b, 1, 3, 5, 7),
            Float4{at[0]->z, at[1]->z, at[2]->z, at[3]->z}};
}

/// Appends four triangles to the loaded ones.
[[gnu::always_inline]] inline void load(const BvhSource& source, const BvhTriangle* const (&t)[4],
                                        Corners& out) {
    const Float4 scale = splat4(source.scale);
    for (std::size_t k = 0; k < 3; ++k) out.at[out.count++] = gather(source.positions, t, k) * scale;
}

/// A degenerate triangle that repeats the first corner of another.
BvhTriangle corner_of(const BvhTriangle& t) {
    return {{t.vertices[0], t.vertices[0], t.vertices[0]}, t.triangle};
}

/// Loads the corners of a node's leaves, one leaf per lane. A lane with fewer triangles repeats a corner of
/// its own; a lane without a leaf repeats a corner of the first leaf.
void load_leaves(const BvhSource& source, const BvhNode& node, Corners& out) {
    const BvhTriangle* first[4];
    BvhTriangle missing[4];
    std::uint32_t count[4], most = 1, any = 4;
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
        const std::uint32_t child = node.child[lane];
        const bool leaf = child != kNoIndex && is_bvh_leaf(child);
        count[lane] = leaf ? bvh_leaf_count(child) : 0;
        if (leaf && any == 4) any = lane;
        most = std::max(most, count[lane]);
    }
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
        first[lane] = source.triangles + bvh_leaf_first(node.child[count[lane] != 0 ? lane : any]);
        missing[lane] = corner_of(*first[lane]);
    }
    for (std::uint32_t i = 0; i < most; ++i) {
        const BvhTriangle* t[4];
        for (std::uint32_t lane = 0; lane < 4; ++lane)
            t[lane] = i < count[lane] ? first[lane] + i : &missing[lane];
        load(source, t, out);
    }
}

/// Loads the corners of up to 16 consecutive triangles, four triangles per group of three rows.
void load_run(const BvhSource& source, std::span<const BvhTriangle> triangles, Corners& out) {
    const BvhTriangle missing = corner_of(triangles[0]);
    for (std::size_t i = 0; i < triangles.size(); i += 4) {
        const BvhTriangle* t[4];
        for (std::size_t lane = 0; lane < 4; ++lane)
            t[lane] = i + lane < triangles.size() ? &triangles[i + lane] : &missing;
        load(source, t, out);
    }
}

/// The box of some triangles, the sum of their normals (of length twice the area), the sum of these lengths,
/// and the sum of their square roots.
struct Areas {
    Vec4 sum = splat(splat4(0));
    Float4 size = splat4(0), sides = splat4(0);
    Vec4 low = splat(splat4(HUGE_VALF)), high = splat(splat4(-HUGE_VALF));

    void add(const Corners& p) {
        for (std::uint32_t i = 0; i < p.count; i += 3) {
            const Vec4 area = cross(p.at[i + 1] - p.at[i], p.at[i + 2] - p.at[i]);
            sum = sum + area;
            const Float4 length = sqrt4(dot(area, area));
            size += length;
            sides += sqrt4(length);
            low = min(low, min(p.at[i], min(p.at[i + 1], p.at[i + 2])));
            high = max(high, max(p.at[i], max(p.at[i + 1], p.at[i + 2])));
        }
    }
};

/// See the proof above: half sizes, and the slack of a slab for points within `reach` per axis.
[[gnu::always_inline]] inline Vec4 grown_half(const Vec4& half) {
    return half * splat4(kGrow) + splat(splat4(kLeast));
}
[[gnu::always_inline]] inline Float4 grown_height(Float4 height, const Vec4& n, const Vec4& reach) {
    return height * splat4(kRound) + dot(abs(n), reach) * splat4(kSlabSlack) + splat4(kLeast);
}
/// The length across a normal of a vector with squared length `square` and component `height` along the
/// normal.
[[gnu::always_inline]] inline Float4 length_across(Float4 square, Float4 height, Float4 slack) {
    return sqrt4(max4(square - height * height, splat4(0)) + splat4(kSquareSlack) * slack);
}

/// The volumes around all corners. `for_all` calls a function with each group of corners.
template <class Over, class ForAll>
[[gnu::always_inline]] inline Volumes around(const Areas& areas, const ForAll& for_all) {
    const Vec4 low = smallest<Over>(areas.low), high = largest<Over>(areas.high);
    const Vec4 middle = (low + high) * splat4(0.5f);
    Volumes out;
    const Vec4 n = normal_of(sum<Over>(areas.sum), Over::sum(areas.size), high - low);
    Float4 lowest = splat4(HUGE_VALF), highest = -lowest, square = splat4(0);
    for_all([&](const Corners& p) {
        for (std::uint32_t i = 0; i < p.count; ++i) {
            const Vec4 d = p.at[i] - middle;
            const Float4 h = dot(n, d);
            lowest = min4(lowest, h), highest = max4(highest, h);
            square = max4(square, dot(d, d) - h * h);
        }
    });
    lowest = Over::smallest(lowest), highest = Over::largest(highest), square = Over::largest(square);
    const Vec4 c = middle + n * (splat4(0.5f) * (lowest + highest)), moved = c - middle;
    const Float4 along = dot(n, moved);
    const Vec4 reach = max(high - middle, middle - low) + abs(moved);
    out.centre = c, out.normal = n;
    out.half = grown_half(max(high - c, c - low));
    out.thickness = grown_height(max4(highest - along, along - lowest), n, reach);
    const Float4 radius = sqrt4(square + splat4(kSquareSlack) * dot(reach, reach));
    out.radius = (radius + length_across(dot(moved, moved), along, dot(moved, moved))) * splat4(kRound) +
                 splat4(kLeastRadius);
    return out;
}

void store(BvhNode& node, const Volumes& v, Int4 mask) {
    const auto put = [mask](float* to, Float4 value) { store4(to, select(mask, value, load4(to))); };
    put(node.cx, v.centre.x), put(node.cy, v.centre.y), put(node.cz, v.centre.z);
    put(node.nx, v.normal.x), put(node.ny, v.normal.y), put(node.nz, v.normal.z);
    put(node.ex, v.half.x), put(node.ey, v.half.y), put(node.ez, v.half.z);
    put(node.radius, v.radius), put(node.thickness, v.thickness);
}

Int4 children_of(const BvhNode& node) {
    Int4 out;
    __builtin_memcpy(&out, node.child, sizeof out);
    return out;
}
Int4 leaf_lanes(const BvhNode& node) {
    const Int4 child = children_of(node);
    return Int4(child < splat_int4(0)) & Int4(child != splat_int4(-1));
}

/// Up to four volumes, and their extents along and across the normal of the volume around them.
struct Below {
    Vec4 centre, normal, half;
    Float4 radius, thickness, along, across;

    Below() = default;
    Below(const BvhNode& node, Int4 mask)
        : centre{load4(node.cx), load4(node.cy), load4(node.cz)},
          normal{load4(node.nx), load4(node.ny), load4(node.nz)},
          half{load4(node.ex), load4(node.ey), load4(node.ez)},
          radius(load4(node.radius)),
          thickness(load4(node.thickness)) {
        const Float4 nothing = splat4(kNothing);
        half = {select(mask, half.x, nothing), select(mask, half.y, nothing), select(mask, half.z, nothing)};
        radius = select(mask, radius, nothing);
        thickness = select(mask, thickness, nothing);
    }
    void turn(const Vec4& n) {
        const Vec4 turned = cross(n, normal);
        const Float4 cosine = abs4(dot(n, normal)), sine = sqrt4(dot(turned, turned));
        const Float4 box = dot(abs(n), half) * splat4(kGrow);
        const Float4 disc =
            (thickness * cosine + radius * sine) * splat4(kGrow) + splat4(kSlabSlack) * (radius + thickness);
        along = min4(disc, box);
        across = radius + thickness * (sine * splat4(kGrow) + splat4(kAcrossSlack));
    }
};

}  // namespace

BvhVolume empty_bvh_volume() {
    return {{}, {}, {kNothing, kNothing, kNothing}, kNothing, kNothing};
}

void BvhNode::set_volume(std::uint32_t lane, const BvhVolume& v) {
    cx[lane] = v.centre.x, cy[lane] = v.centre.y, cz[lane] = v.centre.z;
    nx[lane] = v.normal.x, ny[lane] = v.normal.y, nz[lane] = v.normal.z;
    ex[lane] = v.half.x, ey[lane] = v.half.y, ez[lane] = v.half.z;
    radius[lane] = v.radius, thickness[lane] = v.thickness;
}

namespace {

/// The volumes two levels below a node, or one level if that is a leaf; restricted to the lanes in `changed`.
struct TwoBelow {
    Below at[4];
    std::uint32_t count = 0;

    TwoBelow(const BvhSource& source, const BvhNode& node, unsigned changed, bool all) {
        for (std::uint32_t lane = 0; lane < 4; ++lane) {
            const std::uint32_t child = node.child[lane];
            if (is_bvh_leaf(child) || (!all && (changed >> lane & 1) == 0)) continue;
            const unsigned lanes = all ? 15 : source.states[child].changed;
            at[count++] = {source.nodes[child], mask_of(lanes)};
        }
        const unsigned leaves = mask_bits4(leaf_lanes(node)) & (all ? 15 : changed);
        if (leaves != 0) at[count++] = {node, mask_of(leaves)};
    }
    static Int4 mask_of(unsigned lanes) {
        const auto bit = static_cast<std::int32_t>(lanes);
        return Int4((splat_int4(bit) & Int4{1, 2, 4, 8}) != splat_int4(0));
    }
};

/// Measures volumes below, relative to a centre and a normal.
struct Measured {
    Vec4 half = splat(splat4(0));
    Float4 radius = splat4(0), height = splat4(0);

    void add(const Below& b, const Vec4& c, const Vec4& n) {
        const Vec4 d = b.centre - c;
        const Float4 h = dot(n, d), square = dot(d, d), flat = length_across(square, h, square);
        radius = max4(radius, flat + b.across);
        height = max4(height, abs4(h) + b.along);
        half = max(half, abs(d) + b.half);
    }
    BvhVolume finished(const Vec4& c, const Vec4& n) {
        Volumes out{c, n, grown_half(largest<AllLanes>(half)), {}, {}};
        const Float4 corner = sqrt4(dot(out.half, out.half)), slab = dot(abs(n), out.half);
        out.radius = min4(AllLanes::largest(radius), corner) * splat4(kRound) + splat4(kLeastRadius);
        out.thickness = min4(grown_height(AllLanes::largest(height), n, out.half), slab * splat4(kRound));
        return out.first();
    }
};

}  // namespace

BvhVolume bvh_volume_around(const BvhSource& source, const BvhNode& node) {
    TwoBelow below(source, node, 15, true);
    Vec4 sum = splat(splat4(0)), low = splat(splat4(HUGE_VALF)), high = splat(splat4(-HUGE_VALF));
    Float4 size = splat4(0);
    for (std::uint32_t i = 0; i < below.count; ++i) {
        const Below& b = below.at[i];
        low = min(low, b.centre - b.half), high = max(high, b.centre + b.half);
        const Float4 r = max4(b.radius, splat4(0)), area = r * r;
        sum = sum + b.normal * area;
        size += area;
    }
    low = smallest<AllLanes>(low), high = largest<AllLanes>(high);
    const Vec4 n = normal_of(collision::sum<AllLanes>(sum), AllLanes::sum(size), high - low);
    const Vec4 middle = (low + high) * splat4(0.5f);
    Float4 lowest = splat4(HUGE_VALF), highest = -lowest;
    for (std::uint32_t i = 0; i < below.count; ++i) {
        below.at[i].turn(n);
        const Float4 h = dot(n, below.at[i].centre - middle);
        lowest = min4(lowest, h - below.at[i].along), highest = max4(highest, h + below.at[i].along);
    }
    const Vec4 c = middle + n * (splat4(0.5f) * (AllLanes::smallest(lowest) + AllLanes::largest(highest)));
    Measured all;
    for (std::uint32_t i = 0; i < below.count; ++i) all.add(below.at[i], c, n);
    return all.finished(c, n);
}

BvhVolume bvh_volume_grown(const BvhSource& source, const BvhNode& node, unsigned changed,
                           const BvhVolume& before) {
    TwoBelow below(source, node, changed, false);
    const Vec4 c{splat4(before.centre.x), splat4(before.centre.y), splat4(before.centre.z)},
        n{splat4(before.normal.x), splat4(before.normal.y), splat4(before.normal.z)};
    Measured some;
    for (std::uint32_t i = 0; i < below.count; ++i) {
        below.at[i].turn(n);
        some.add(below.at[i], c, n);
    }
    const BvhVolume needed = some.finished(c, n);
    BvhVolume out = before;
    out.half = max(before.half, needed.half);
    out.radius = needed.radius > before.radius ? needed.radius : before.radius;
    out.thickness = needed.thickness > before.thickness ? needed.thickness : before.thickness;
    return out;
}

BvhVolume make_bvh_leaf_volumes(const BvhSource& source, BvhNode& node, float& sides) {
    Corners corners;
    load_leaves(source, node, corners);
    const auto here = [&](const auto& f) { f(corners); };
    Areas areas;
    areas.add(corners);
    sides = sum4(areas.sides);
    store(node, around<EachLane>(areas, here), leaf_lanes(node));
    return has_only_leaves(node) ? around<AllLanes>(areas, here).first() : BvhVolume{};
}

BvhVolume bvh_volume_of(const BvhSource& source, std::span<const BvhTriangle> triangles) {
    const auto all = [&](const auto& f) {
        for (std::size_t i = 0; i < triangles.size(); i += 4 * kBvhLeafSize) {
            Corners corners;
            load_run(source,
                     triangles.subspan(i, std::min<std::size_t>(4 * kBvhLeafSize, triangles.size() - i)),
                     corners);
            f(corners);
        }
    };
    Areas areas;
    all([&](const Corners& corners) { areas.add(corners); });
    return around<AllLanes>(areas, all).first();
}

std::span<const BvhTriangle> triangles_below(const BvhSource& source, std::uint32_t node) {
    const auto leaf_below = [&](std::uint32_t from, bool last) {
        do {
            const BvhNode& n = source.nodes[from];
            std::uint32_t lane = last ? 3 : 0;
            while (n.child[lane] == kNoIndex) --lane;
            from = n.child[lane];
        } while (!is_bvh_leaf(from));
        return from;
    };
    const std::uint32_t first = leaf_below(node, false), last = leaf_below(node, true);
    return {source.triangles + bvh_leaf_first(first),
            source.triangles + bvh_leaf_first(last) + bvh_leaf_count(last)};
}

BvhVolume make_bvh_volumes(const BvhSource& source, std::uint32_t node, BvhNode& to, BvhNodeState& state) {
    const bool only_leaves = has_only_leaves(to);
    if (leaves_of(to) != 0) {
        const BvhVolume around = make_bvh_leaf_volumes(source, to, state.leaf_sides);
        if (only_leaves) return around;
    }
    const auto below = triangles_below(source, node);
    return below.size() <= kVolumeFromCorners ? bvh_volume_of(source, below) : bvh_volume_around(source, to);
}

float bvh_cost(const BvhNode& node) {
    const Float4 r = max4(load4(node.radius), splat4(0)), t = max4(load4(node.thickness), splat4(0)),
                 x = load4(node.ex), y = load4(node.ey), z = load4(node.ez);
    return sum4(min4(r * (r + splat4(kThick) * t), splat4(kBoxAsDisc) * (x * y + y * z + z * x)));
}

}  // namespace claybox::collision
