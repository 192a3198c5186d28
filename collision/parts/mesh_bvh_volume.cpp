// Volumes of the tree. Everything is computed in double from numbers that double holds exactly and then
// grown: a length by 2^-40 of the terms it is made of, far more than their roundings, and by the step to
// float.

#include "collision/parts/mesh_bvh.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::collision {

namespace {

/// A float not below x >= 0. The factor is above the rounding to float and its own.
float rounded_up(double x) {
    return static_cast<float>(x) * (1 + 0x1p-20f) + std::numeric_limits<float>::min();
}

struct Box {
    Vec3d min{HUGE_VAL, HUGE_VAL, HUGE_VAL}, max{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    void add(const Vec3d& p) {
        min = collision::min(min, p);
        max = collision::max(max, p);
    }
    Vec3d centre() const { return 0.5 * (min + max); }
    Vec3d size() const { return max - min; }
};

/// The direction of a sum of normals, or where they cancel (a closed surface) that in which the box is
/// thinnest.
Vec3d normal_of(const Vec3d& sum, double size, const Box& box) {
    const double length = std::sqrt(dot(sum, sum));
    if (length > 0.1 * size) return sum / length;
    const Vec3d s = box.size();
    if (s.x <= s.y && s.x <= s.z) return {1, 0, 0};
    return s.y <= s.z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
}

double sum_of_sizes(const Vec3d& v) {
    return std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
}

/// Takes points or volumes, whose centre and normal are then fixed.
struct Growing {
    BvhVolume out;
    Vec3d c, n, half;
    double radius = 0, low = HUGE_VAL, high = -HUGE_VAL, terms = 0;

    Growing(const Vec3d& centre, const Vec3d& normal) {
        out.centre = cast<float>(centre);
        out.normal = cast<float>(normal);
        c = cast<double>(out.centre);
        n = cast<double>(out.normal);
    }
    void add(const Vec3d& p, double across, double along, const Vec3d& box) {
        const Vec3d d = p - c;
        const double h = dot(n, d);
        const Vec3d lateral = d - h * n;
        low = std::min(low, h - along);
        high = std::max(high, h + along);
        radius = std::max(radius, std::sqrt(dot(lateral, lateral)) + across);
        half = max(half, Vec3d{std::abs(d.x), std::abs(d.y), std::abs(d.z)} + box);
        terms = std::max(terms, sum_of_sizes(d) + across + along);
    }
    /// After the first pass, which tells where the middle of the slab is.
    Vec3d middle() const { return c + 0.5 * (low + high) * n; }
    BvhVolume finish() {
        const double grow = 0x1p-40 * terms;
        // The box holds all too: its corners are not farther than this from the centre, its slab not thicker.
        const double corner = std::sqrt(dot(half, half)) * (1 + 0x1p-40);
        const double slab =
            (std::abs(n.x) * half.x + std::abs(n.y) * half.y + std::abs(n.z) * half.z) * (1 + 0x1p-20);
        out.radius = rounded_up(std::min(radius + grow, corner));
        out.thickness = rounded_up(std::min(std::max(-low, high) + grow, slab));
        for (std::size_t k = 0; k < 3; ++k) out.half[k] = rounded_up(half[k] + grow);
        return out;
    }
};

}  // namespace

void BvhNode::set_volume(std::uint32_t lane, const BvhVolume& v) {
    cx[lane] = v.centre.x, cy[lane] = v.centre.y, cz[lane] = v.centre.z;
    nx[lane] = v.normal.x, ny[lane] = v.normal.y, nz[lane] = v.normal.z;
    ex[lane] = v.half.x, ey[lane] = v.half.y, ez[lane] = v.half.z;
    radius[lane] = v.radius, thickness[lane] = v.thickness;
}

BvhVolume bvh_volume(std::span<const BvhTriangle> triangles, std::span<const Vec3f> positions, float scale) {
    const double s = static_cast<double>(scale);
    const auto at = [&](std::uint32_t v) { return cast<double>(positions[v]) * s; };
    Box box;
    Vec3d sum;
    double size = 0;
    for (const BvhTriangle& t : triangles) {
        const Vec3d a = at(t.vertices[0]), b = at(t.vertices[1]), c = at(t.vertices[2]);
        box.add(a), box.add(b), box.add(c);
        const Vec3d area = cross(b - a, c - a);
        sum += area;
        size += std::sqrt(dot(area, area));
    }
    if (triangles.empty()) box.add({});
    const Vec3d normal = normal_of(sum, size, box);
    const Vec3d nothing;
    Growing first(box.centre(), normal);
    for (const BvhTriangle& t : triangles)
        for (const std::uint32_t v : t.vertices) first.add(at(v), 0, 0, nothing);
    Growing second(triangles.empty() ? Vec3d{} : first.middle(), normal);
    for (const BvhTriangle& t : triangles)
        for (const std::uint32_t v : t.vertices) second.add(at(v), 0, 0, nothing);
    if (triangles.empty()) second.add({}, 0, 0, nothing);
    return second.finish();
}

namespace {

// A child's points are c_i + a n_i + w with |a| <= t_i and |w| <= r_i. Along n they reach t_i |cos| + r_i sin
// around c_i, across it t_i sin + r_i, both with 2^-20 for normals that are not quite of length 1.
void add(Growing& g, const BvhVolume& v) {
    const Vec3d other = cast<double>(v.normal), turn = cross(g.n, other);
    const double cosine = std::abs(dot(g.n, other)), sine = std::sqrt(dot(turn, turn));
    const double r = v.radius, t = v.thickness;
    g.add(cast<double>(v.centre), (r + t * sine) * (1 + 0x1p-20), (t * cosine + r * sine) * (1 + 0x1p-20),
          cast<double>(v.half));
}

}  // namespace

BvhVolume bvh_union(const BvhNode& node) {
    Box box;
    Vec3d sum;
    double size = 0;
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
        if (node.child[lane] == kNoIndex) continue;
        const BvhVolume v = node.volume(lane);
        box.add(cast<double>(v.centre) - cast<double>(v.half));
        box.add(cast<double>(v.centre) + cast<double>(v.half));
        const double area = static_cast<double>(v.radius) * v.radius;
        sum += area * cast<double>(v.normal);
        size += area;
    }
    const Vec3d normal = normal_of(sum, size, box);
    const auto grown = [&](const Vec3d& centre) {
        Growing g(centre, normal);
        for (std::uint32_t lane = 0; lane < 4; ++lane) {
            if (node.child[lane] == kNoIndex) continue;
            const BvhVolume v = node.volume(lane);
            add(g, v);
        }
        return g;
    };
    return grown(grown(box.centre()).middle()).finish();
}

BvhVolume bvh_grown(const BvhVolume& volume, const BvhVolume& child) {
    Growing g(cast<double>(volume.centre), cast<double>(volume.normal));
    add(g, child);
    const BvhVolume needed = g.finish();
    BvhVolume out = volume;
    out.half = max(volume.half, needed.half);
    out.radius = std::max(volume.radius, needed.radius);
    out.thickness = std::max(volume.thickness, needed.thickness);
    return out;
}

}  // namespace claybox::collision
