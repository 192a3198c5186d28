#include "bench/streams/query_stream.hpp"

#include "collision/pairwise/registry.hpp"

#include <set>
#include <utility>

namespace claybox::streams {

using namespace collision;

namespace {

/// The box of the hull's vertices where they are, as tight as floats allow.
Aabb tight_box(const Shape& shape, const Matrix34f& world_from_shape) {
    const ConvexHull& hull = *shape.hull();
    Aabb out;
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i)
        out.add(cast<float>(transform_point(to_double(world_from_shape), hull.vertex(i))));
    return out;
}

/// Asks an exact algorithm, as the experiment's bodies respond to collisions.
class Referee {
  public:
    bool collide(const Shape& a, const Matrix34f& ma, const Shape& b, const Matrix34f& mb) {
        PairQuery q = make_pair_query(a, ma, b, mb, scratch_);
        q.parameters = default_values(gjk_.parameters);
        PairCache cache;
        return run_query(gjk_, q, cache).verdict == Verdict::colliding;
    }

  private:
    const PairAlgorithm& gjk_ = *find_pair_algorithm("gjk");
    Scratch scratch_;
};

}  // namespace

Result<QueryStream> record_cage(const CageSettings& settings, std::uint32_t frames) {
    auto made = CageMotion::make(settings);
    if (!made.ok()) return made.error();
    CageMotion& cage = made.value();
    QueryStream out;
    for (std::size_t i = 0; i < cage.size(); ++i) out.shapes.push_back(cage.shape(i));
    Referee referee;
    using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;
    Pairs colliding_before;
    std::vector<Matrix34f> matrices(cage.size());
    std::vector<Aabb> boxes(cage.size());
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        cage.advance();
        for (std::size_t i = 0; i < cage.size(); ++i) {
            matrices[i] = to_matrix(cage.pose(i));
            boxes[i] = tight_box(*out.shapes[i], matrices[i]);
        }
        Pairs colliding;
        for (std::uint32_t i = 0; i < cage.size(); ++i)
            for (std::uint32_t j = i + 1; j < cage.size(); ++j) {
                if (!overlap(boxes[i], boxes[j])) continue;
                out.queries.push_back({i, j, frame, matrices[i], matrices[j]});
                if (!referee.collide(*out.shapes[i], matrices[i], *out.shapes[j], matrices[j])) continue;
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
