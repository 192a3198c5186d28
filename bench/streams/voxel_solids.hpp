#pragma once
// Solids made of unit cubes, as closed meshes. Their surfaces are known exactly.

#include "collision/geometry/shape.hpp"

#include <array>
#include <set>
#include <string>
#include <vector>

namespace claybox::streams {

using Voxel = std::array<int, 3>;

/// All cubes from `low` to `high`, `high` excluded.
inline std::set<Voxel> block(Voxel low, Voxel high) {
    std::set<Voxel> out;
    for (int x = low[0]; x < high[0]; ++x)
        for (int y = low[1]; y < high[1]; ++y)
            for (int z = low[2]; z < high[2]; ++z) out.insert({x, y, z});
    return out;
}

inline std::set<Voxel> operator+(std::set<Voxel> a, const std::set<Voxel>& b) {
    a.insert(b.begin(), b.end());
    return a;
}

inline std::set<Voxel> operator-(std::set<Voxel> a, const std::set<Voxel>& b) {
    for (const Voxel& v : b) a.erase(v);
    return a;
}

/// The outer squares of the cubes, oriented outward. Manifold unless two cubes touch only at an edge or
/// corner.
inline collision::PolygonList surface_of(const std::set<Voxel>& voxels) {
    collision::PolygonList out;
    for (const Voxel& v : voxels)
        for (int axis = 0; axis < 3; ++axis)
            for (const int side : {0, 1}) {
                Voxel next = v;
                next[static_cast<std::size_t>(axis)] += side == 1 ? 1 : -1;
                if (voxels.contains(next)) continue;
                const auto u = static_cast<std::size_t>((axis + 1) % 3),
                           w = static_cast<std::size_t>((axis + 2) % 3);
                std::vector<std::uint32_t> loop;
                for (int corner = 0; corner < 4; ++corner) {
                    const int turn = side == 1 ? corner : 3 - corner;
                    Voxel p = v;
                    p[static_cast<std::size_t>(axis)] += side;
                    p[u] += turn == 1 || turn == 2 ? 1 : 0;
                    p[w] += turn >= 2 ? 1 : 0;
                    loop.push_back(static_cast<std::uint32_t>(out.positions.size()));
                    out.positions.push_back(
                        {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
                }
                out.add_polygon(loop);
            }
    return out;
}

inline collision::ShapePtr voxel_shape(const std::set<Voxel>& voxels, const std::string& name = {}) {
    return collision::Shape::from_polygons(surface_of(voxels), name).value();
}

inline std::set<Voxel> l_shape() {
    return block({0, 0, 0}, {3, 1, 1}) + block({0, 1, 0}, {1, 3, 1});
}
/// A seat, a back, and four legs.
inline std::set<Voxel> chair() {
    std::set<Voxel> out = block({0, 3, 0}, {4, 4, 4}) + block({0, 4, 0}, {4, 8, 1});
    for (const int x : {0, 3})
        for (const int z : {0, 3}) out = out + block({x, 0, z}, {x + 1, 3, z + 1});
    return out;
}
inline std::set<Voxel> u_shape() {
    return block({0, 0, 0}, {3, 1, 1}) + block({0, 1, 0}, {1, 3, 1}) + block({2, 1, 0}, {3, 3, 1});
}
inline std::set<Voxel> ring() {
    return block({0, 0, 0}, {4, 1, 4}) - block({1, 0, 1}, {3, 1, 3});
}
inline std::set<Voxel> hollow_cube() {
    return block({0, 0, 0}, {4, 4, 4}) - block({1, 1, 1}, {3, 3, 3});
}

}  // namespace claybox::streams
