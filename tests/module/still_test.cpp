// A body that stands still while it deforms: world boxes are restored for changed vertices only.

#include "collision/core/random.hpp"
#include "collision/geometry/bounds/tight_box.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/module/world.hpp"

#include <gtest/gtest.h>

namespace claybox::collision {
namespace {

ShapePtr clay() {
    return make_primitive_shape(Primitive::torus, 3000, 1, 1).value();
}

/// Vertices near a random one move a little.
std::vector<VertexChange> dent(const std::vector<Vec3f>& positions, Random& random) {
    const Vec3f centre = positions[random.below(positions.size())];
    const Vec3f shift = cast<float>(random.vector(0.01, 0.1));
    std::vector<VertexChange> out;
    for (std::uint32_t v = 0; v < positions.size(); ++v)
        if (length(positions[v] - centre) < 0.2f) out.push_back({v, positions[v] + shift});
    return out;
}

TEST(StillBox, Z_8_1_still_restored_boxes_equal_boxes_of_all_vertices) {
    Random random(5);
    std::vector<Vec3f> positions = clay()->geometry().positions;
    StillBox box;
    for (int pose = 0; pose < 5; ++pose) {
        const Matrix34f matrix = to_matrix({axis_angle(random.unit_vector(), 1), random.vector(0, 3)});
        EXPECT_EQ(box.place(matrix, positions), tight_box(matrix, positions));
        for (int i = 0; i < 40; ++i) {
            const std::vector<VertexChange> changes = dent(positions, random);
            for (const VertexChange& change : changes) {
                positions[change.vertex] = change.position;
                box.mark(change.vertex);
            }
            ASSERT_EQ(box.restore(matrix, positions), tight_box(matrix, positions)) << i;
        }
    }
}

WorldSettings tight_settings(bool tight) {
    WorldSettings out = default_settings();
    out.bound_parameters[find_parameter(bound_parameters(), "world_box")] = tight ? 1 : 0;
    out.assert_pairs = true;
    return out;
}

struct Played {
    std::vector<std::uint64_t> hashes;
    std::vector<Hit> hits;
    std::uint64_t disagreements = 0;
};

/// Clay at rest (`still`), or placed at the same pose in every frame after it was elsewhere. A ball moves
/// through it.
Played play(bool tight, bool still) {
    World world(tight_settings(tight));
    const Pose rest{axis_angle({0, 1, 0}, 0.3), {0.5, 0, 0}};
    const ShapePtr shape = clay(), ball = make_primitive_shape(Primitive::uv_sphere, 200, 0.3f, 1).value();
    const BodyId body = world.add_body({shape, rest, 0, true, 0}).value();
    const BodyId tool = world.add_body({ball, {}, 1, false, 0}).value();
    world.set_interest(0, 1, {true, kWantAllHits, 0});
    std::vector<Vec3f> positions = shape->geometry().positions;
    Random random(6);
    EventBatch batch;
    Played out;
    for (std::uint64_t frame = 1; frame <= 60; ++frame) {
        const std::vector<VertexChange> changes = dent(positions, random);
        for (const VertexChange& change : changes) positions[change.vertex] = change.position;
        EXPECT_TRUE(world.deform(body, changes).ok());
        if (!still) {
            EXPECT_TRUE(world.move(body, rest).ok());
        }
        EXPECT_TRUE(world.move(tool, {{}, {-1 + 0.05 * static_cast<double>(frame), 0.1, 0}}).ok());
        world.publish(frame);
        world.check();
        world.poll_events(batch);
        out.hits.insert(out.hits.end(), batch.hits.begin(), batch.hits.end());
        out.hashes.push_back(world.stats().state_hash);
        out.disagreements += world.stats().pair_disagreements;
    }
    return out;
}

TEST(StillBody, Z_8_1_still_a_still_body_has_the_collisions_of_a_body_that_is_placed_in_every_frame) {
    const Played expected = play(false, false);
    EXPECT_GT(expected.hits.size(), 100u);
    for (const bool tight : {false, true}) {
        for (const bool still : {false, true}) {
            const Played now = play(tight, still);
            EXPECT_EQ(now.hashes, expected.hashes);
            EXPECT_EQ(now.hits, expected.hits);
            EXPECT_EQ(now.disagreements, 0u);
        }
    }
}

}  // namespace
}  // namespace claybox::collision
