#include "collision/pairwise/registry.hpp"
#include "tests/support/obj_text.hpp"
#include "tests/support/truth.hpp"

#include <gtest/gtest.h>

#include <map>

namespace claybox::collision {
namespace {

/// Shapes of the truth's meshes, read once.
class Meshes {
  public:
    ShapePtr get(const std::string& name) {
        ShapePtr& shape = shapes_[name];
        if (shape == nullptr) {
            auto made = Shape::from_polygons(test::read_obj(test::truth_dir() / "meshes" / name), name);
            EXPECT_TRUE(made.ok()) << name;
            if (made.ok()) shape = made.value();
        }
        return shape;
    }

  private:
    std::map<std::string, ShapePtr> shapes_;
};

Matrix34f read_matrix(const nlohmann::json& entries) {
    Matrix34f m;
    for (std::size_t i = 0; i < 12; ++i) m.m[i] = static_cast<float>(entries[i].get<double>());
    return m;
}

struct Tally {
    int right = 0, all = 0;
};

PairResult ask(const Shape& a, const Matrix34f& world_from_a, const Shape& b, const Matrix34f& world_from_b,
               Scratch& scratch) {
    const PairAlgorithm& algorithm = *find_pair_algorithm("edge_polygon");
    PairQuery query = make_pair_query(a, world_from_a, b, world_from_b, scratch);
    query.parameters = default_values(algorithm.parameters);
    PairCache cache;
    PairResult result = run_query(algorithm, query, cache);
    if (result.verdict == Verdict::colliding) {
        EXPECT_TRUE(certify(query, result));
    }
    return result;
}

TEST(EdgePolygon, agrees_with_the_mesh_truth_in_both_orders) {
    Meshes meshes;
    Scratch scratch;
    std::map<std::string, Tally> by_class;
    int exact = 0, all = 0;
    for (const auto& q : test::truth_lines("mesh.jsonl")) {
        const ShapePtr a = meshes.get(q["a"]["mesh"]), b = meshes.get(q["b"]["mesh"]);
        ASSERT_TRUE(a != nullptr && b != nullptr) << q["id"];
        const Matrix34f ma = read_matrix(q["matrix_a"]), mb = read_matrix(q["matrix_b"]);
        const Verdict want = q["collide"].get<bool>() ? Verdict::colliding : Verdict::separated;
        Tally& tally = by_class[q["class"]];
        for (const bool swapped : {false, true}) {
            const PairResult r = swapped ? ask(*b, mb, *a, ma, scratch) : ask(*a, ma, *b, mb, scratch);
            tally.right += r.verdict == want;
            ++tally.all;
            exact += r.rung == 3;
            ++all;
            EXPECT_EQ(r.verdict, want) << q["id"] << (swapped ? " swapped" : "");
        }
    }
    EXPECT_GT(all, 200);
    for (const auto& [name, tally] : by_class)
        std::printf("%-16s %4d of %4d\n", name.c_str(), tally.right, tally.all);
    std::printf("rung 3 in %d of %d queries\n", exact, all);
}

/// Scalings by a power of two and permutations of the axes are exact, so the verdict stays.
TEST(EdgePolygon, keeps_the_truth_under_exact_maps) {
    Meshes meshes;
    Scratch scratch;
    int line = 0;
    for (const auto& q : test::truth_lines("mesh.jsonl")) {
        if (line++ % 5 != 0) continue;
        const ShapePtr a = meshes.get(q["a"]["mesh"]), b = meshes.get(q["b"]["mesh"]);
        ASSERT_TRUE(a != nullptr && b != nullptr) << q["id"];
        const float scale = line % 2 == 0 ? 0x1p-12f : -0x1p9f;
        const auto moved = [&](const nlohmann::json& entries) {
            const Matrix34f m = read_matrix(entries);
            Matrix34f out;
            for (std::size_t i = 0; i < 12; ++i) out.m[i] = scale * m.m[(i + 4) % 12];
            return out;
        };
        const Verdict want = q["collide"].get<bool>() ? Verdict::colliding : Verdict::separated;
        EXPECT_EQ(ask(*a, moved(q["matrix_a"]), *b, moved(q["matrix_b"]), scratch).verdict, want) << q["id"];
    }
}

}  // namespace
}  // namespace claybox::collision
