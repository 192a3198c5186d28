#pragma once
// A mesh as libraries take it, and a test that Embree leaves to its users.

#include "bench/contestants/rival.hpp"

#include <array>

namespace claybox::bench {

struct TriangleMesh {
    std::vector<collision::Vec3f> positions;
    std::vector<std::array<std::uint32_t, 3>> triangles;

    TriangleMesh() = default;
    explicit TriangleMesh(const collision::Shape& shape) : positions(shape.geometry().positions) {
        for (const collision::Triangle& t : shape.topology().triangles)
            triangles.push_back({t.vertices[0], t.vertices[1], t.vertices[2]});
    }
};

}  // namespace claybox::bench
