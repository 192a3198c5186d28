// The option to test first what touched in the pair's last query (Zachmann, thesis, 10.2).
#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/registry.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace claybox::collision {
namespace {

struct Effort {
    std::uint64_t tests = 0, colliding = 0;
    std::vector<Verdict> verdicts;
};

/// One body passes slowly through another, repeatedly.
Effort pass_through(const char* id, Primitive primitive, std::uint32_t target_count, bool last_first) {
    const PairAlgorithm& algorithm = *find_pair_algorithm(id);
    const ShapePtr shape = make_primitive_shape(primitive, target_count, 1, 3).value();
    Effort out;
    Scratch scratch;
    PairCache cache;
    Random random(7);
    for (int run = 0; run < 6; ++run) {
        const Vec3d axis = random.unit_vector(), path = random.unit_vector();
        for (int step = -50; step <= 50; ++step) {
            const Pose b{axis_angle(axis, 0.01 * step), (0.05 * step) * path};
            PairQuery query = make_pair_query(*shape, to_matrix(Pose{}), *shape, to_matrix(b), scratch);
            query.parameters = default_values(algorithm.parameters);
            query.parameters[find_parameter(algorithm.parameters, "last_first")] = last_first;
            const PairResult result = run_query(algorithm, query, cache);
            out.tests += result.iterations;
            out.verdicts.push_back(result.verdict);
            out.colliding += result.verdict == Verdict::colliding;
            EXPECT_TRUE(certify(query, result) || result.meaning == Meaning::surface) << id;
            if (result.verdict == Verdict::colliding) {
                EXPECT_TRUE(certify(query, result)) << id;
            }
        }
    }
    return out;
}

TEST(LastFirst, Z_10_cache_testing_the_last_contact_first_needs_fewer_tests_for_the_same_verdicts) {
    for (const auto& [id, primitive, target_count] :
         {std::tuple{"cyrus_beck", Primitive::ellipsoid_hull, 80u},
          std::tuple{"edge_polygon", Primitive::torus, 300u}}) {
        const Effort with = pass_through(id, primitive, target_count, true);
        const Effort without = pass_through(id, primitive, target_count, false);
        EXPECT_EQ(with.verdicts, without.verdicts) << id;
        EXPECT_GT(with.colliding, 100u) << id;
        EXPECT_LT(with.colliding, with.verdicts.size()) << id;
        EXPECT_LT(with.tests, without.tests) << id;
    }
}

}  // namespace
}  // namespace claybox::collision
