#include "tests/graphics/demo_meshes.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::test {

namespace {

using engine::MeshData;
using glm::vec3;

constexpr float kPi = 3.14159265f;

std::uint32_t push(MeshData& mesh, const vec3& p, const vec3& n) {
    mesh.positions.push_back(p);
    mesh.normals.push_back(n);
    return static_cast<std::uint32_t>(mesh.positions.size() - 1);
}

void add_face(MeshData& mesh, std::vector<vec3> corners, const vec3& n) {
    vec3 centre(0);
    for (const vec3& c : corners) centre += c / static_cast<float>(corners.size());
    const vec3 u = glm::normalize(corners[0] - centre), v = glm::cross(n, u);
    std::sort(corners.begin(), corners.end(), [&](const vec3& a, const vec3& b) {
        return std::atan2(glm::dot(a - centre, v), glm::dot(a - centre, u)) <
               std::atan2(glm::dot(b - centre, v), glm::dot(b - centre, u));
    });
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const auto count = static_cast<std::uint32_t>(corners.size());
    for (const vec3& c : corners) push(mesh, c, n);
    for (std::uint32_t k = 0; k < count; ++k) {
        if (k + 2 < count) mesh.triangles.insert(mesh.triangles.end(), {first, first + k + 1, first + k + 2});
        const vec3 &a = corners[k], &b = corners[(k + 1) % count];
        const bool mine = a.x != b.x   ? a.x < b.x
                          : a.y != b.y ? a.y < b.y
                                       : a.z < b.z;  // each edge from one side only
        if (mine) mesh.edges.insert(mesh.edges.end(), {first + k, first + (k + 1) % count});
    }
}

/// Whether the plane is not yet in the list. Every plane through three points with all others behind it is a
/// face.
bool is_new_plane(const std::vector<glm::vec4>& planes, const glm::vec4& plane) {
    return std::none_of(planes.begin(), planes.end(), [&](const glm::vec4& p) {
        return glm::dot(vec3(p), vec3(plane)) > 0.99999f && std::abs(p.w - plane.w) < 1e-4f;
    });
}

/// Triangulates a grid of vertices, shared for smooth normals.
void add_grid(MeshData& mesh, std::uint32_t first, std::uint32_t rows, std::uint32_t columns,
              bool close_columns) {
    for (std::uint32_t r = 0; r + 1 < rows; ++r) {
        for (std::uint32_t c = 0; c + (close_columns ? 0 : 1) < columns; ++c) {
            const std::uint32_t d = (c + 1) % columns;
            const std::uint32_t a = first + r * columns + c, b = first + r * columns + d;
            const std::uint32_t e = a + columns, f = b + columns;
            mesh.triangles.insert(mesh.triangles.end(), {a, e, b, b, e, f});
        }
    }
}

void smooth_normals(MeshData& mesh) {
    mesh.normals.assign(mesh.positions.size(), vec3(0));
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
        const std::uint32_t a = mesh.triangles[i], b = mesh.triangles[i + 1], c = mesh.triangles[i + 2];
        const vec3 n =
            glm::cross(mesh.positions[b] - mesh.positions[a], mesh.positions[c] - mesh.positions[a]);
        for (const std::uint32_t k : {a, b, c}) mesh.normals[k] += n;
    }
    for (vec3& n : mesh.normals) n = glm::length(n) > 0 ? glm::normalize(n) : vec3(0, 1, 0);
}

}  // namespace

MeshData hull_mesh(const std::vector<vec3>& points) {
    MeshData mesh;
    std::vector<glm::vec4> planes;
    const std::size_t count = points.size();
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i + 1; j < count; ++j)
            for (std::size_t k = j + 1; k < count; ++k) {
                vec3 n = glm::cross(points[j] - points[i], points[k] - points[i]);
                if (glm::length(n) < 1e-9f) continue;
                n = glm::normalize(n);
                for (const float sign : {1.0f, -1.0f}) {
                    const glm::vec4 plane(n * sign, glm::dot(n * sign, points[i]));
                    std::vector<vec3> on;
                    bool outer = true;
                    for (const vec3& p : points) {
                        const float d = glm::dot(vec3(plane), p) - plane.w;
                        outer = outer && d < 1e-4f;
                        if (std::abs(d) < 1e-4f) on.push_back(p);
                    }
                    if (!outer || !is_new_plane(planes, plane)) continue;
                    planes.push_back(plane);
                    add_face(mesh, on, vec3(plane));
                }
            }
    return mesh;
}

MeshData box_mesh(const vec3& half) {
    std::vector<vec3> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back(half * vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    return hull_mesh(corners);
}

MeshData rounded_box_mesh(const vec3& half, float radius) {
    MeshData mesh;
    constexpr int kSteps = 7;
    // A sphere made of the six faces of a cube; its octants are moved apart to the corners of the inner box.
    const vec3 inner = half - vec3(radius);
    for (int face = 0; face < 6; ++face) {
        const int axis = face / 2;
        const float sign = face % 2 == 0 ? 1.0f : -1.0f;
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        constexpr int kWide = 2 * kSteps;
        for (int r = 0; r < kWide; ++r)
            for (int c = 0; c < kWide; ++c) {
                const auto spread = [](int k) {
                    const float t = k < kSteps ? static_cast<float>(k) / (kSteps - 1) - 1
                                               : static_cast<float>(k - kSteps) / (kSteps - 1);
                    return std::tan(t * kPi / 4);
                };
                vec3 d(0);
                d[axis] = sign;
                d[(axis + 1) % 3] = spread(c) * sign;
                d[(axis + 2) % 3] = spread(r);
                const vec3 n = glm::normalize(d);
                vec3 side(0);
                side[axis] = sign;
                side[(axis + 1) % 3] = (c < kSteps ? -1.0f : 1.0f) * sign;
                side[(axis + 2) % 3] = r < kSteps ? -1.0f : 1.0f;
                push(mesh, inner * side + n * radius, n);
            }
        for (int r = 0; r + 1 < kWide; ++r)
            for (int c = 0; c + 1 < kWide; ++c) {
                const std::uint32_t a = first + static_cast<std::uint32_t>(r * kWide + c), b = a + 1,
                                    e = a + kWide, f = e + 1;
                mesh.triangles.insert(mesh.triangles.end(), {a, b, e, b, f, e});
            }
    }
    return mesh;
}

MeshData floor_mesh(float half) {
    MeshData mesh;
    for (const glm::vec2 c : {glm::vec2(-1, -1), glm::vec2(-1, 1), glm::vec2(1, 1), glm::vec2(1, -1)})
        push(mesh, vec3(c.x * half, 0, c.y * half), vec3(0, 1, 0));
    mesh.triangles = {0, 1, 2, 0, 2, 3};
    return mesh;
}

MeshData pane_mesh(float half_x, float half_y) {
    MeshData mesh;
    for (const glm::vec2 c : {glm::vec2(-1, -1), glm::vec2(1, -1), glm::vec2(1, 1), glm::vec2(-1, 1)})
        push(mesh, vec3(c.x * half_x, c.y * half_y, 0), vec3(0, 0, 1));
    mesh.triangles = {0, 1, 2, 0, 2, 3};
    return mesh;
}

MeshData lathe_mesh(const std::vector<glm::vec2>& profile, int sides, const std::function<vec3(vec3)>& bend,
                    const std::vector<float>& cavity) {
    MeshData mesh;
    for (std::size_t r = 0; r < profile.size(); ++r)
        for (int c = 0; c < sides; ++c) {
            const float a = 2 * kPi * static_cast<float>(c) / static_cast<float>(sides);
            const vec3 p(profile[r].x * std::cos(a), profile[r].y, profile[r].x * std::sin(a));
            push(mesh, bend ? bend(p) : p, vec3(0, 1, 0));
            if (!cavity.empty()) mesh.cavity.push_back(cavity[r]);
        }
    add_grid(mesh, 0, static_cast<std::uint32_t>(profile.size()), static_cast<std::uint32_t>(sides), true);
    smooth_normals(mesh);
    return mesh;
}

MeshData capsule_mesh(float radius_start, float radius_end, float length, int sides) {
    std::vector<vec3> rings;
    std::vector<int> first_of;
    MeshData mesh;
    constexpr int kCap = 4;
    std::vector<std::pair<float, float>> profile;  // radius, z
    for (int k = 1; k <= kCap; ++k) {
        const float a = kPi / 2 * static_cast<float>(k) / kCap;
        profile.emplace_back(radius_start * std::sin(a), radius_start * std::cos(a));
    }
    for (int k = kCap; k >= 1; --k) {
        const float a = kPi / 2 * static_cast<float>(k) / kCap;
        profile.emplace_back(radius_end * std::sin(a), -length - radius_end * std::cos(a));
    }
    const auto at = [&](std::size_t r, int c) {
        const float a = 2 * kPi * static_cast<float>(c) / static_cast<float>(sides);
        return vec3(profile[r].first * std::cos(a), profile[r].first * std::sin(a), profile[r].second);
    };
    const auto face = [&](const std::vector<vec3>& corners) {
        add_face(mesh, corners, glm::normalize(glm::cross(corners[1] - corners[0], corners[2] - corners[0])));
    };
    for (int c = 0; c < sides; ++c) {
        face({vec3(0, 0, radius_start), at(0, c), at(0, c + 1)});
        for (std::size_t r = 0; r + 1 < profile.size(); ++r)
            face({at(r, c), at(r + 1, c), at(r + 1, c + 1), at(r, c + 1)});
        const std::size_t last = profile.size() - 1;
        face({vec3(0, 0, -length - radius_end), at(last, c + 1), at(last, c)});
    }
    return mesh;
}

std::vector<vec3> solid_points(int count) {
    const float g = (1 + std::sqrt(5.0f)) / 2;
    std::vector<vec3> points;
    const auto cyclic = [&](float a, float b, float c) {
        for (const float s : {1.0f, -1.0f})
            for (const float t : {1.0f, -1.0f}) {
                points.push_back(glm::normalize(vec3(a, s * b, t * c)));
                points.push_back(glm::normalize(vec3(t * c, a, s * b)));
                points.push_back(glm::normalize(vec3(s * b, t * c, a)));
            }
    };
    const auto cube = [&] {
        for (int i = 0; i < 8; ++i)
            points.push_back(glm::normalize(vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
    };
    if (count == 4) {
        points = {vec3(1, 1, 1), vec3(1, -1, -1), vec3(-1, 1, -1), vec3(-1, -1, 1)};
        for (vec3& p : points) p = glm::normalize(p);
    } else if (count == 6) {
        points = {vec3(1, 0, 0),  vec3(-1, 0, 0), vec3(0, 1, 0),
                  vec3(0, -1, 0), vec3(0, 0, 1),  vec3(0, 0, -1)};
    } else if (count == 8) {
        cube();
    } else if (count == 12) {
        cyclic(0, 1, g);
    } else if (count == 20) {
        cube();
        cyclic(0, 1 / g, g);
    } else {
        for (int i = 0; i < count; ++i) {
            const float y = 1 - 2 * (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
            const float a = 2.39996f * static_cast<float>(i), r = std::sqrt(1 - y * y);
            points.emplace_back(r * std::cos(a), y, r * std::sin(a));
        }
    }
    return points;
}

}  // namespace claybox::test
