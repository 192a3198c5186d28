#pragma once

#include "collision/exact/solid.hpp"
#include "tests/support/truth.hpp"

#include <vector>

namespace claybox::collision {

/// A point set under a matrix; owns the data that its SolidSide borrows. It has no adjacency, so proofs scan
/// all vertices.
struct Cloud {
    ConvexHull hull;
    Matrix34f matrix;
    Aabb box;

    SolidSide side() const { return {&hull, &matrix, &box}; }
};

inline Cloud make_cloud(const std::vector<Vec3f>& points, const Matrix34f& matrix = {}) {
    Cloud out;
    for (const Vec3f& p : points) {
        out.hull.x.push_back(p.x);
        out.hull.y.push_back(p.y);
        out.hull.z.push_back(p.z);
        out.hull.interior += p / static_cast<float>(points.size());
        out.box.add(p);
    }
    out.hull.vertex_count = static_cast<std::uint32_t>(points.size());
    out.hull.neighbour_begin.assign(points.size() + 1, 0);
    out.matrix = matrix;
    return out;
}

/// Reads a body from a line of the ground truth.
inline Cloud read_cloud(const nlohmann::json& body, const nlohmann::json& matrix) {
    std::vector<Vec3f> points;
    for (const auto& p : body["points"])
        points.push_back(cast<float>(Vec3d{p[0].get<double>(), p[1].get<double>(), p[2].get<double>()}));
    Matrix34f m;
    for (std::size_t i = 0; i < 12; ++i) m.m[i] = static_cast<float>(matrix[i].get<double>());
    return make_cloud(points, m);
}

}  // namespace claybox::collision
