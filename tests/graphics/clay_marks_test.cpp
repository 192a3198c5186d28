// The wire of clay whose vertices move, and the marks of thin walls.

#include "tests/support/offscreen.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace claybox::test {
namespace {

using namespace engine;

constexpr int kWidth = 200, kHeight = 200;
constexpr float kHalf = 0.05f;  // metres

/// A square of clay in x and y that faces +z, with `cells` squares per side.
MeshData clay_square(std::uint32_t cells) {
    MeshData mesh;
    const std::uint32_t row = cells + 1;
    for (std::uint32_t y = 0; y < row; ++y)
        for (std::uint32_t x = 0; x < row; ++x) {
            const glm::vec2 share = glm::vec2(x, y) / static_cast<float>(cells);
            mesh.positions.emplace_back((2.0f * share - 1.0f) * kHalf, 0.0f);
            mesh.normals.emplace_back(0, 0, 1);
        }
    for (std::uint32_t y = 0; y < cells; ++y)
        for (std::uint32_t x = 0; x < cells; ++x) {
            const std::uint32_t a = y * row + x, b = a + 1, c = a + row, d = c + 1;
            mesh.triangles.insert(mesh.triangles.end(), {a, b, d, a, d, c});
            mesh.wire.push_back({a, b, c, c});
            mesh.wire.push_back({a, c, b, b});
        }
    return mesh;
}

class ClayMarks : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string error;
        if (shared_context(error) == nullptr) GTEST_SKIP() << error;
        renderer_ = Renderer::create(error);
        ASSERT_NE(renderer_, nullptr) << error;
    }
    /// A square that fills the picture.
    RenderList list_of(const MeshData& mesh) {
        RenderList list;
        list.camera.position = {0, 0, 0.2f};
        list.camera.vertical_fov = 0.4f;
        Instance clay;
        clay.mesh = renderer_->create_mesh(mesh);
        clay.material.surface = Surface::clay;
        clay.material.albedo = {0.69f, 0.58f, 0.49f};
        clay.material.wetness = 0;
        clay.casts_shadow = false;
        list.instances.push_back(clay);
        return list;
    }
    Picture draw(const RenderList& list) { return draw_picture(*renderer_, list, kWidth, kHeight); }
    std::unique_ptr<Renderer> renderer_;
};

int light_at(const Picture& p, int x, int y) {
    return p.at(x, y)[0] + p.at(x, y)[1] + p.at(x, y)[2];
}

double mean_of(const Picture& p) {
    double sum = 0;
    for (const std::uint8_t value : p.rgb) sum += value;
    return sum / static_cast<double>(p.rgb.size());
}

TEST_F(ClayMarks, the_wire_follows_moved_vertices) {
    MeshData mesh = clay_square(8);
    RenderList list = list_of(mesh);
    const Picture bare = draw(list);
    list.instances[0].material.edge_alpha = 0.7f;
    const Picture wire = draw(list);
    int darker = 0;
    for (int x = 0; x < kWidth; ++x) darker += light_at(wire, x, 90) < light_at(bare, x, 90) - 40 ? 1 : 0;
    EXPECT_GE(darker, 5) << "lines across a row of pixels";
    EXPECT_LE(darker, 40) << "the clay between the lines keeps its colour";
    for (glm::vec3& p : mesh.positions) p.x += 0.004f;
    MeshData moved;
    moved.positions = mesh.positions;
    moved.normals = mesh.normals;
    renderer_->update_vertices(list.instances[0].mesh, 0, moved);
    const Picture after = draw(list);
    EXPECT_NE(after.rgb, wire.rgb);
    RenderList fresh = list_of(mesh);
    fresh.instances[0].material.edge_alpha = 0.7f;
    EXPECT_EQ(after.rgb, draw(fresh).rgb);
}

TEST_F(ClayMarks, a_wire_too_dense_to_read_does_not_darken_the_clay) {
    RenderList list = list_of(clay_square(200));
    const double bare = mean_of(draw(list));
    list.instances[0].material.edge_alpha = 0.7f;
    EXPECT_NEAR(mean_of(draw(list)), bare, 0.02 * bare);
}

TEST_F(ClayMarks, walls_below_the_limit_are_coloured_and_hatched) {
    MeshData mesh = clay_square(40);
    RenderList thick = list_of(mesh);
    thick.instances[0].material.thin_below = 0.005f;
    const Picture plain = draw(thick);
    for (const glm::vec3& p : mesh.positions) mesh.thickness.push_back(p.x < 0 ? 0.002f : 0.010f);
    RenderList list = list_of(mesh);
    EXPECT_EQ(draw(list).rgb, plain.rgb) << "without a limit nothing is marked";
    list.instances[0].material.thin_below = 0.005f;
    const Picture marked = draw(list);
    int darkest = 999, brightest = 0;
    for (int y = 20; y < 180; ++y) {
        EXPECT_EQ(light_at(marked, 170, y), light_at(plain, 170, y)) << "a thick wall, row " << y;
        const std::uint8_t* colour = marked.at(40, y);
        EXPECT_GT(colour[0], colour[2] + 30) << "no signal colour in row " << y;
        darkest = std::min(darkest, light_at(marked, 40, y));
        brightest = std::max(brightest, light_at(marked, 40, y));
    }
    EXPECT_LT(darkest, 0.85 * brightest) << "no hatch";
}

}  // namespace
}  // namespace claybox::test
