#include "app/scenes/shared/decor.hpp"

#include "app/potter/shapes/lathe.hpp"
#include "collision/core/trig.hpp"

#include <cmath>

namespace claybox::app {

using collision::PolygonList;
using collision::Vec3d;
using collision::Vec3f;

PolygonList box_mesh(const Vec3f& half, const Vec3f& centre) {
    PolygonList mesh;
    for (int i = 0; i < 8; ++i) {
        mesh.positions.push_back(
            centre + Vec3f{i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
    }
    constexpr std::uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                           {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (const auto& face : faces) mesh.add_polygon(face);
    return mesh;
}

namespace {

/// Grid lines of a face in one direction: the side of the box that each line belongs to, and its slope over
/// the border.
struct BendLines {
    std::vector<float> side, slope;
    explicit BendLines(int steps) {
        for (int i = 0; i < 2 * (steps + 1); ++i) {
            const bool low = i <= steps;
            const int from_middle = low ? steps - i : i - steps - 1;
            const collision::SinCos angle = collision::sin_cos(collision::kPi / 4 * from_middle / steps);
            // Exactly 1 in the middle of the edge: both faces must compute equal positions there.
            const double lean = from_middle == steps ? 1.0 : angle.sin / angle.cos;
            side.push_back(low ? -1.0f : 1.0f);
            slope.push_back(side.back() * static_cast<float>(lean));
        }
    }
};

void add_bent_face(PolygonList& mesh, std::size_t axis, float sign, const Vec3f& half, float radius,
                   const BendLines& lines) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const auto stride = static_cast<std::uint32_t>(lines.side.size());
    for (std::size_t i = 0; i < stride; ++i) {
        for (std::size_t j = 0; j < stride; ++j) {
            Vec3f direction, corner;
            direction[axis] = sign, direction[u] = lines.slope[i], direction[v] = lines.slope[j];
            corner[axis] = sign, corner[u] = lines.side[i], corner[v] = lines.side[j];
            Vec3f p = direction * (radius / std::sqrt(dot(direction, direction)));
            for (std::size_t k = 0; k < 3; ++k) p[k] += corner[k] * (half[k] - radius);
            mesh.positions.push_back(p);
        }
    }
    for (std::uint32_t i = 0; i + 1 < stride; ++i) {
        for (std::uint32_t j = 0; j + 1 < stride; ++j) {
            const std::uint32_t a = first + i * stride + j, b = a + stride;
            const std::uint32_t out[4] = {a, b, b + 1, a + 1}, in[4] = {a, a + 1, b + 1, b};
            mesh.add_polygon(sign > 0 ? out : in);
        }
    }
}

}  // namespace

PolygonList rounded_box_mesh(const Vec3f& half, float radius, int steps) {
    // Each face is a grid that bends over its border. The two faces at an edge compute equal positions, and
    // build_polyhedron merges them.
    PolygonList mesh;
    const BendLines lines(steps);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const float sign : {-1.0f, 1.0f}) add_bent_face(mesh, axis, sign, half, radius, lines);
    }
    return mesh;
}

PolygonList disc_mesh(float radius, int sides) {
    PolygonList mesh;
    std::vector<std::uint32_t> loop;
    for (int s = 0; s < sides; ++s) {
        const collision::SinCos turn = collision::sin_cos(2 * collision::kPi * s / sides);
        mesh.positions.push_back(
            collision::cast<float>(Vec3d{turn.cos, 0, -turn.sin} * static_cast<double>(radius)));
        loop.push_back(static_cast<std::uint32_t>(s));
    }
    mesh.add_polygon(loop);
    return mesh;
}

PolygonList rectangle_mesh(float half_x, float half_y) {
    PolygonList mesh;
    mesh.positions = {{-half_x, -half_y, 0}, {half_x, -half_y, 0}, {half_x, half_y, 0}, {-half_x, half_y, 0}};
    constexpr std::uint32_t loop[4] = {0, 1, 2, 3};
    mesh.add_polygon(loop);
    return mesh;
}

std::uint64_t MeshStore::add(const PolygonList& polygons, bool smooth) {
    auto built = collision::build_polyhedron(polygons);
    CLAYBOX_ASSERT(built.ok());
    entries_.push_back({next_id_, std::move(built).value(), nullptr, smooth});
    return next_id_++;
}

std::uint64_t MeshStore::add(const collision::ShapePtr& shape, bool smooth) {
    entries_.push_back({next_id_, {}, shape, smooth});
    return next_id_++;
}

void MeshStore::replace(std::uint64_t id, const collision::ShapePtr& shape) {
    for (Entry& e : entries_) {
        if (e.id != id) continue;
        e.shape = shape;
        ++e.version;
    }
}

void MeshStore::append_to(std::vector<ViewMesh>& out) const {
    for (const Entry& e : entries_) {
        ViewMesh mesh;
        mesh.topology = e.shape ? e.shape->geometry().topology : e.own.topology;
        mesh.positions = e.shape ? &e.shape->geometry().positions : &e.own.positions;
        mesh.id = e.id;
        mesh.version = e.version;
        mesh.smooth = e.smooth;
        out.push_back(std::move(mesh));
    }
}

Drawable decoration(std::uint64_t mesh, Material material, const Vec3d& at, const collision::Quat& rotation) {
    Drawable d;
    d.mesh = mesh;
    d.material = material;
    d.pose = {rotation, at};
    d.outlined = false;
    return d;
}

Drawable shadowless(std::uint64_t mesh, Material material, const Vec3d& at, const collision::Quat& rotation) {
    Drawable d = decoration(mesh, material, at, rotation);
    d.casts_shadow = false;
    return d;
}

void view_bounds(const collision::Aabb& local, const collision::Pose& pose, SceneView& out) {
    view_box(collision::transform_aabb(collision::to_matrix(pose), local), Ink::bounds, out);
}

void view_box(const collision::Aabb& box, Ink ink, SceneView& out) {
    const collision::Vec3d low = collision::cast<double>(box.min),
                           size = collision::cast<double>(box.max) - low;
    view_box(low, {{{size.x, 0, 0}, {0, size.y, 0}, {0, 0, size.z}}}, ink, false, out);
}

void view_box(const collision::Vec3d& corner, const std::array<collision::Vec3d, 3>& sides, Ink ink,
              bool highlighted, SceneView& out) {
    using collision::Vec3d;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d &along = sides[k], &u = sides[(k + 1) % 3], &v = sides[(k + 2) % 3];
        for (const Vec3d& start : {corner, corner + u, corner + v, corner + u + v})
            out.lines.push_back({collision::cast<float>(start), collision::cast<float>(start + along), ink,
                                 highlighted ? 2.0f : 1.0f, highlighted});
    }
}

void view_solid_box(const collision::Vec3d& corner, const std::array<collision::Vec3d, 3>& sides,
                    const collision::Vec3d& eye, const ViewLine& look, SceneView& out) {
    using collision::Vec3d;
    constexpr float kBehind = 0.25f;
    std::array<std::array<bool, 2>, 3> seen{};  // per axis: the face at the corner, and the opposite one
    for (std::size_t k = 0; k < 3; ++k) {
        const double size = length_squared(sides[k]), at = dot(eye - corner, sides[k]);
        seen[k] = {at<0, at> size};
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
        for (unsigned which = 0; which < 4; ++which) {
            const std::size_t p = which & 1u, q = which >> 1u;
            const Vec3d start =
                corner + static_cast<double>(p) * sides[i] + static_cast<double>(q) * sides[j];
            ViewLine line = look;
            line.from = collision::cast<float>(start);
            line.to = collision::cast<float>(start + sides[k]);
            if (!seen[i][p] && !seen[j][q]) {
                line.opacity *= kBehind;
                line.width = 1;
                line.casing = false;
            }
            out.lines.push_back(line);
        }
    }
}

}  // namespace claybox::app
