#include "collision/geometry/hull/convexity.hpp"

#include "collision/core/trig.hpp"
#include "collision/geometry/hull/hull.hpp"
#include "collision/geometry/polygons/triangulate.hpp"
#include "collision/geometry/predicates.hpp"

#include <cmath>

namespace claybox::collision {

namespace {

// The triangulation as a connected mesh.
Topology triangle_topology(const Topology& t) {
    Topology out;
    out.vertex_count = t.vertex_count;
    out.polygon_begin.reserve(t.triangles.size() + 1);
    out.origin.reserve(3 * t.triangles.size());
    for (const Triangle& triangle : t.triangles) {
        out.origin.insert(out.origin.end(), triangle.vertices, triangle.vertices + 3);
        out.polygon_begin.push_back(static_cast<std::uint32_t>(out.origin.size()));
    }
    connect(out);
    return out;
}

int side_of(const Polyhedron& m, const Triangle& t, std::uint32_t v) {
    const auto& p = m.positions;
    return orient3d(p[t.vertices[0]], p[t.vertices[1]], p[t.vertices[2]], p[v]);
}

// Whether no edge between two triangles is reflex (a valley).
bool edges_are_convex(const Polyhedron& m, const Topology& triangles) {
    for (std::uint32_t h = 0; h < triangles.half_edge_count(); ++h) {
        const std::uint32_t g = triangles.twin[h];
        if (g == kNoIndex || g < h) continue;
        const std::uint32_t opposite = triangles.origin[triangles.prev(g)];
        if (side_of(m, m.topology->triangles[h / 3], opposite) > 0) return false;
    }
    return true;
}

Vec3d mean_of(const std::vector<Vec3f>& positions) {
    Vec3d sum;
    for (const Vec3f& p : positions) sum += cast<double>(p);
    return sum / static_cast<double>(positions.size());
}

// Whether `centre` is strictly behind the planes of all triangles. Triangles without area are skipped and
// reported.
bool is_behind_all_triangles(const Polyhedron& m, const Vec3d& centre, bool& has_flat_triangles) {
    has_flat_triangles = false;
    for (const Triangle& t : m.topology->triangles) {
        const auto corner = [&](int k) { return cast<double>(m.positions[t.vertices[k]]); };
        if (orient3d(corner(0), corner(1), corner(2), centre) < 0) continue;
        const auto& v = t.vertices;
        if (!collinear(m.positions[v[0]], m.positions[v[1]], m.positions[v[2]])) return false;
        has_flat_triangles = true;
    }
    return true;
}

// Adds six times the signed volume of the tetrahedron of a triangle and the origin.
void add_volume(ExactSum& sum, const Vec3f& a, const Vec3f& b, const Vec3f& c, double sign) {
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
        sum.add_product(sign * static_cast<double>(a[k]), b[i], c[j]);
        sum.add_product(-sign * static_cast<double>(a[k]), b[j], c[i]);
    }
}

bool has_volume_of_its_hull(const Polyhedron& m) {
    const auto hull = convex_hull(m.positions);
    if (!hull) return false;
    ExactSum sum;
    for (const Triangle& t : m.topology->triangles)
        add_volume(sum, m.positions[t.vertices[0]], m.positions[t.vertices[1]], m.positions[t.vertices[2]],
                   1.0);
    const PolygonList& faces = hull.value().faces;
    for (std::size_t f = 0; f < faces.polygon_count(); ++f) {
        const auto loop = faces.polygon(f);
        for (std::size_t k = 1; k + 1 < loop.size(); ++k)
            add_volume(sum, faces.positions[loop[0]], faces.positions[loop[k]], faces.positions[loop[k + 1]],
                       -1.0);
    }
    return sum.sign() == 0;
}

bool all_vertices_behind_all_triangles(const Polyhedron& m) {
    for (const Triangle& t : m.topology->triangles) {
        for (std::uint32_t v = 0; v < m.positions.size(); ++v) {
            if (side_of(m, t, v) > 0) return false;
        }
    }
    return true;
}

bool is_flat(const Polyhedron& m) {
    const auto& p = m.positions;
    const std::uint32_t* base = nullptr;
    for (const Triangle& t : m.topology->triangles) {
        const auto& v = t.vertices;
        if (base == nullptr && !collinear(p[v[0]], p[v[1]], p[v[2]])) base = v;
    }
    if (base == nullptr) return true;
    for (const Vec3f& q : p) {
        if (orient3d(p[base[0]], p[base[1]], p[base[2]], q) != 0) return false;
    }
    return true;
}

}  // namespace

// Source: Van Oosterom, Strackee, The solid angle of a plane triangle, 1983.
double winding_number(const Polyhedron& m, const Vec3d& centre) {
    double sum = 0;
    for (const Triangle& t : m.topology->triangles) {
        const auto direction = [&](int k) {
            return normalized(cast<double>(m.positions[t.vertices[k]]) - centre);
        };
        const Vec3d a = direction(0), b = direction(1), c = direction(2);
        sum += 2 * arc_tangent(dot(a, cross(b, c)), 1 + dot(a, b) + dot(b, c) + dot(c, a));
    }
    return sum / (4 * kPi);
}

bool bounds_its_hull(const Polyhedron& m) {
    const Topology& t = *m.topology;
    const bool has_large_polygons = t.triangles.size() != t.polygon_count();
    if (!edges_are_convex(m, has_large_polygons ? triangle_topology(t) : t)) return false;
    // If a point is strictly behind all triangles, the surface is star-shaped around it but may wind several
    // times. A surface that winds once and has convex edges bounds a convex solid. The winding number is an
    // integer, so rounding does no harm.
    const Vec3d centre = mean_of(m.positions);
    bool has_flat_triangles = false;
    const bool star = is_behind_all_triangles(m, centre, has_flat_triangles);
    const bool flat = (has_flat_triangles || !star) && is_flat(m);
    if (star && !flat) {  // because of signed zeros, triangles without area alone may seem to wind once
        const double turns = winding_number(m, centre);
        // A triangle without area can hide a reflex edge. Then the volume decides: a star-shaped surface that
        // winds once and has the volume of its hull is its hull.
        if (std::fabs(turns - 1) < 0.25) return !has_flat_triangles || has_volume_of_its_hull(m);
        if (turns > 1.5) return false;
    }
    // A flat solid must be two equal convex polygons, back to back.
    if (flat)
        return t.polygon_count() == 2 && outline_kind(m.positions, t.loop(0)).convex &&
               outline_kind(m.positions, t.loop(1)).convex;
    // The solid is too thin for double: compare all vertices with all planes. This suffices, because a
    // surface that covers its hull d times winds d times around each of at least four corners, and genus 0
    // allows that for d = 1 only.
    return all_vertices_behind_all_triangles(m);
}

}  // namespace claybox::collision
