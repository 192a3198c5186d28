#include "bench/streams/query_stream.hpp"

#include "bench/streams/referee.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace claybox::streams {

using namespace collision;

namespace {

/// World box of the vertices, tight up to rounding to float.
Aabb tight_box(const Shape& shape, const Matrix34f& world_from_shape) {
    Aabb out;
    const auto add = [&](const Vec3f& v) {
        out.add(cast<float>(transform_point(to_double(world_from_shape), v)));
    };
    if (const ConvexHull* hull = shape.hull())
        for (std::uint32_t i = 0; i < hull->vertex_count; ++i) add(hull->vertex(i));
    else
        std::for_each(shape.geometry().positions.begin(), shape.geometry().positions.end(), add);
    return out;
}

}  // namespace

Result<QueryStream> record_cage(const CageSettings& settings, std::uint32_t frames) {
    auto made = CageMotion::make(settings);
    if (!made.ok()) return made.error();
    CageMotion& cage = made.value();
    QueryStream out;
    for (std::size_t i = 0; i < cage.size(); ++i) out.shapes.push_back(cage.shape(i));
    // Exact, because bodies respond to collisions.
    Referee referee(*find_pair_algorithm(all_convex(out.shapes) ? "gjk" : kMeshReferee), out.shapes);
    using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;
    Pairs colliding_before;
    std::vector<Matrix34f> matrices(cage.size());
    std::vector<Aabb> boxes(cage.size());
    for (std::uint32_t step = 0; step < settings.lead_in + frames; ++step) {
        cage.advance(step < settings.lead_in ? 1 : settings.parts);
        for (std::size_t i = 0; i < cage.size(); ++i) {
            matrices[i] = to_matrix(cage.pose(i));
            boxes[i] = tight_box(*out.shapes[i], matrices[i]);
        }
        Pairs colliding;
        for (std::uint32_t i = 0; i < cage.size(); ++i)
            for (std::uint32_t j = i + 1; j < cage.size(); ++j) {
                if (!overlap(boxes[i], boxes[j])) continue;
                if (step >= settings.lead_in)
                    out.queries.push_back({i, j, step - settings.lead_in, matrices[i], matrices[j]});
                if (!referee.collide(i, matrices[i], j, matrices[j])) continue;
                colliding.insert({i, j});
                if (colliding_before.contains({i, j})) continue;
                cage.reverse(i);
                cage.reverse(j);
            }
        colliding_before = std::move(colliding);
    }
    return out;
}

}  // namespace claybox::streams
