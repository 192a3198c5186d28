#pragma once
// Small polygon lists for tests of the boundary representation.

#include "collision/geometry/polyhedron.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

namespace claybox::test {

using Loops = std::vector<std::vector<std::uint32_t>>;

inline collision::PolygonList list_of(std::vector<collision::Vec3f> positions, const Loops& polygons) {
    collision::PolygonList out;
    out.positions = std::move(positions);
    for (const auto& loop : polygons) out.add_polygon(loop);
    return out;
}

inline collision::Polyhedron built(const collision::PolygonList& list) {
    auto out = collision::build_polyhedron(list);
    EXPECT_TRUE(out.ok()) << (out.ok() ? "" : out.error().message);
    return out.ok() ? std::move(out).value() : collision::Polyhedron{};
}

inline const std::vector<collision::Vec3f> kCubeCorners{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                                        {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
inline const Loops kCubeFaces{{3, 2, 1, 0}, {0, 1, 5, 4}, {1, 2, 6, 5},
                              {2, 3, 7, 6}, {3, 0, 4, 7}, {4, 5, 6, 7}};

/// An L-shaped column of height 1. Its top and bottom have six corners.
inline collision::PolygonList l_shape() {
    const float x[] = {0, 2, 2, 1, 1, 0}, y[] = {0, 0, 1, 1, 2, 2};
    std::vector<collision::Vec3f> p;
    for (const float z : {0.0f, 1.0f}) {
        for (int i = 0; i < 6; ++i) p.push_back({x[i], y[i], z});
    }
    Loops faces{{5, 4, 3, 2, 1, 0}, {6, 7, 8, 9, 10, 11}};
    for (std::uint32_t i = 0; i < 6; ++i) {
        const std::uint32_t j = (i + 1) % 6;
        faces.push_back({i, j, 6 + j, 6 + i});
    }
    return list_of(std::move(p), faces);
}

/// Schoenhardt's prism: a three-sided prism with its top rotated by 30 degrees. Its three sides are bent
/// quadrangles, or pairs of triangles whose diagonals are reflex (`valleys`, Schoenhardt's polyhedron) or
/// convex (`ridges`, its convex hull).
enum class PrismSides { quadrangles, valleys, ridges };

inline collision::PolygonList twisted_prism(PrismSides sides) {
    // Exact halves and sqrt(3) / 2 rounded: the twist is far larger than rounding.
    const float s = 0.8660254f;
    std::vector<collision::Vec3f> p{{1, 0, 0},    {-0.5f, s, 0}, {-0.5f, -s, 0},
                                    {s, 0.5f, 1}, {-s, 0.5f, 1}, {0, -1, 1}};
    Loops faces{{2, 1, 0}, {3, 4, 5}};
    for (std::uint32_t i = 0; i < 3; ++i) {
        const std::uint32_t j = (i + 1) % 3;
        if (sides == PrismSides::quadrangles) {
            faces.push_back({i, j, 3 + j, 3 + i});
        } else if (sides == PrismSides::valleys) {
            faces.push_back({i, j, 3 + j});
            faces.push_back({i, 3 + j, 3 + i});
        } else {
            faces.push_back({i, j, 3 + i});
            faces.push_back({j, 3 + j, 3 + i});
        }
    }
    return list_of(std::move(p), faces);
}

}  // namespace claybox::test
