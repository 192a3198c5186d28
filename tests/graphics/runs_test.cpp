// Many bodies of one mesh in one draw call: they look like separate instances, and bodies outside the view
// cost only their shadow.

#include "engine/render/camera.hpp"
#include "engine/render/run_fill.hpp"
#include "tests/graphics/demo_meshes.hpp"
#include "tests/graphics/demo_scenes.hpp"
#include "tests/support/offscreen.hpp"

#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace claybox::test {
namespace {

using namespace engine;
using glm::vec3;

/// Cubes on a spiral, as a run and as separate instances.
struct Cubes {
    explicit Cubes(std::size_t count, const vec3& shift = vec3(0)) {
        for (std::size_t i = 0; i < count; ++i) {
            const float t = 0.7f * static_cast<float>(i);
            const vec3 at = shift + vec3(0.18f * t * std::cos(t), 0.2f + 0.02f * t, 0.18f * t * std::sin(t));
            const glm::quat q = glm::angleAxis(t, glm::normalize(vec3(1, 2, 0.5f)));
            positions.insert(positions.end(), {at.x, at.y, at.z});
            rotations.insert(rotations.end(), {q.w, q.x, q.y, q.z});
            material.push_back(static_cast<std::uint8_t>(i % materials.size()));
            Instance instance;
            instance.world_from_local = glm::translate(glm::mat4(1), at) * glm::mat4_cast(q);
            instance.material = materials[i % materials.size()];
            singles.push_back(instance);
        }
    }
    InstanceRun run(MeshHandle mesh) const {
        return {mesh, materials, positions, rotations, material, 0.26f, 100};
    }
    std::vector<MaterialData> materials{{.albedo = vec3(0.7f, 0.3f, 0.25f)},
                                        {.albedo = vec3(0.3f, 0.5f, 0.6f)}};
    std::vector<float> positions, rotations;
    std::vector<std::uint8_t> material;
    std::vector<Instance> singles;
};

class RunsTest : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string error;
        if (shared_context(error) == nullptr) GTEST_SKIP() << error;
        renderer_ = Renderer::create(error);
        ASSERT_NE(renderer_, nullptr) << error;
        cube_ = renderer_->create_mesh(box_mesh(vec3(0.15f)));
        Instance floor;
        floor.mesh = renderer_->create_mesh(floor_mesh(20));
        floor.material.surface = Surface::floor;
        floor.casts_shadow = false;
        list_.instances = {floor};
        list_.camera.position = vec3(0, 2, 4);
    }
    std::unique_ptr<Renderer> renderer_;
    MeshHandle cube_ = 0;
    RenderList list_;
};

TEST_F(RunsTest, a_run_looks_like_separate_instances_in_one_draw_call) {
    const Cubes cubes(30);
    RenderList one_by_one = list_;
    for (Instance single : cubes.singles) {
        single.mesh = cube_;
        one_by_one.instances.push_back(single);
    }
    const Picture expected = draw_picture(*renderer_, one_by_one, 240, 150);
    list_.runs = {cubes.run(cube_)};
    const Picture drawn = draw_picture(*renderer_, list_, 240, 150);
    int different = 0;
    for (std::size_t i = 0; i < drawn.rgb.size(); ++i)
        different += std::abs(drawn.rgb[i] - expected.rgb[i]) > 3 ? 1 : 0;
    EXPECT_LT(different, 60) << "only rounding at outlines";
    EXPECT_EQ(renderer_->stats().draw_calls, 3u) << "shadows, floor, run";
    list_.runs.clear();
    EXPECT_NE(drawn.rgb, draw_picture(*renderer_, list_, 240, 150).rgb);
}

TEST_F(RunsTest, a_body_outside_the_view_is_not_drawn_but_its_shadow_is) {
    list_.light.towards = glm::normalize(vec3(-1, 0.7f, 0));
    const Picture empty = draw_picture(*renderer_, list_, 240, 150);
    const Cubes beside(1, vec3(-2.9f, 1.2f, 0));
    list_.runs = {beside.run(cube_)};
    const Picture drawn = draw_picture(*renderer_, list_, 240, 150);
    const std::uint64_t cube = 12, floor = 2;
    EXPECT_EQ(renderer_->stats().triangles, cube + floor) << "the cube is only in the shadow map";
    EXPECT_NE(drawn.rgb, empty.rgb);
}

TEST_F(RunsTest, a_body_of_a_run_is_picked_by_its_number) {
    const Cubes cubes(30);
    list_.runs = {cubes.run(cube_)};
    std::set<std::uint32_t> seen;
    for (float y = 0; y < 150; y += 4)
        for (float x = 0; x < 240; x += 4) seen.insert(renderer_->pick(list_, {240, 150, 1}, x, y));
    EXPECT_GT(seen.size(), 12u);
    for (const std::uint32_t pick : seen)
        EXPECT_TRUE(pick == Renderer::kNoPick || (pick >= 100 && pick < 130)) << pick;
}

TEST(RunFill, separates_visible_from_hidden_bodies_and_keeps_all) {
    CameraData camera;
    camera.position = vec3(0, 2, 4);
    const glm::mat4 clip = clip_from_world(camera, {240, 150, 1});
    const ViewVolume volume(clip, 150);
    const Cubes cubes(300);
    const InstanceRun run = cubes.run(0);
    AlbedoCache albedos;
    std::vector<InstanceData> material_data{material_instance_data(run.materials[0], 1, false, albedos),
                                            material_instance_data(run.materials[1], 1, false, albedos)};
    std::vector<InstanceData> out(300);
    const RunFill fill = fill_run(run, material_data, volume, out);
    EXPECT_GT(fill.visible, 20u);
    EXPECT_LT(fill.visible, 280u);
    EXPECT_GT(fill.largest, 1);
    std::set<std::uint32_t> picks;
    for (std::size_t i = 0; i < out.size(); ++i) {
        picks.insert(out[i].tags[1]);
        const glm::vec4 p = clip * glm::vec4(out[i].rows[0].w, out[i].rows[1].w, out[i].rows[2].w, 1);
        const bool inside = std::abs(p.x) <= p.w && std::abs(p.y) <= p.w;
        EXPECT_TRUE(!inside || i < fill.visible) << "a body whose centre is in the picture is drawn";
        EXPECT_EQ(out[i].albedo_emission, material_data[(out[i].tags[1] - 100) % 2].albedo_emission);
    }
    EXPECT_EQ(picks.size(), 300u);
}

TEST(RunFill, a_nan_position_becomes_finite_and_invisible) {
    Cubes cubes(3);
    cubes.positions[4] = std::numeric_limits<float>::quiet_NaN();
    const std::vector<InstanceData> material_data(2);
    std::vector<InstanceData> out(3);
    const RunFill fill = fill_run(cubes.run(0), material_data, ViewVolume(glm::mat4(1), 100), out);
    EXPECT_LE(fill.visible, 2u);
    for (const InstanceData& data : out)
        for (const glm::vec4& row : data.rows) EXPECT_TRUE(std::isfinite(row.w));
}

}  // namespace
}  // namespace claybox::test
