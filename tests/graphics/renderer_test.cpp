#include "engine/render/renderer.hpp"

#include "tests/graphics/demo_meshes.hpp"
#include "tests/graphics/demo_scenes.hpp"
#include "tests/support/offscreen.hpp"

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

namespace claybox::test {
namespace {

using namespace engine;
using glm::vec3;
using glm::vec4;

std::string gl_errors;

void GLAD_API_PTR record_gl_error(GLenum, GLenum type, GLuint, GLenum, GLsizei, const GLchar* text,
                                  const void*) {
    if (type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR) gl_errors += text;
}

/// Provides a context and a renderer; after each test OpenGL must have reported no error.
class RendererTest : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string error;
        if (shared_context(error) == nullptr) GTEST_SKIP() << error;
        gl_errors.clear();
        if (GLAD_GL_KHR_debug) {
            glEnable(GL_DEBUG_OUTPUT);
            glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
            glDebugMessageCallback(record_gl_error, nullptr);
        }
        renderer_ = Renderer::create(error);
        ASSERT_NE(renderer_, nullptr) << error;
    }
    void TearDown() override {
        if (renderer_ == nullptr) return;
        EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
        EXPECT_EQ(gl_errors, "");
    }

    /// Camera above and in front of the origin.
    static RenderList empty_list() {
        RenderList list;
        list.camera.position = vec3(0, 2, 4);
        list.camera.target = vec3(0);
        return list;
    }
    Instance cube(const vec3& at, float half = 0.3f) {
        Instance i;
        i.mesh = renderer_->create_mesh(box_mesh(vec3(half)));
        i.world_from_local = glm::translate(glm::mat4(1), at);
        i.material.albedo = vec3(0.7f, 0.3f, 0.25f);
        return i;
    }
    Instance ground() {
        Instance i;
        i.mesh = renderer_->create_mesh(floor_mesh(20));
        i.material.surface = Surface::floor;
        i.casts_shadow = false;
        return i;
    }
    std::unique_ptr<Renderer> renderer_;
};

int count_different(const Picture& a, const Picture& b, int more_than = 0) {
    int different = 0;
    for (std::size_t i = 0; i < a.rgb.size(); i += 3) {
        int most = 0;
        for (std::size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(a.rgb[i + c] - b.rgb[i + c]));
        different += most > more_than ? 1 : 0;
    }
    return different;
}

int brightness(const Picture& picture, int x, int y) {
    const std::uint8_t* p = picture.at(x, y);
    return p[0] + p[1] + p[2];
}

TEST_F(RendererTest, pictures_are_deterministic_across_calls_and_renderers) {
    const Picture first = draw_picture(*renderer_, cage_scene(*renderer_, 12, false), 320, 200);
    const Picture again = draw_picture(*renderer_, cage_scene(*renderer_, 12, false), 320, 200);
    std::string error;
    const auto other = Renderer::create(error);
    ASSERT_NE(other, nullptr) << error;
    const Picture third = draw_picture(*other, cage_scene(*other, 12, false), 320, 200);
    EXPECT_EQ(first.rgb, again.rgb);
    EXPECT_EQ(first.rgb, third.rgb);
}

TEST_F(RendererTest, any_size_is_drawn_and_resizing_has_no_side_effect) {
    RenderList list = empty_list();
    list.instances = {ground(), cube(vec3(0, 0.3f, 0))};
    const Picture before = draw_picture(*renderer_, list, 160, 100);
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 300}, {300, 1}, {3840, 2160}, {7, 5}}) {
        const Picture picture = draw_picture(*renderer_, list, width, height);
        EXPECT_EQ(picture.rgb.size(), static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
    }
    EXPECT_EQ(before.rgb, draw_picture(*renderer_, list, 160, 100).rgb);
    renderer_->draw(list, {0, 100, 1}, 0);  // a minimised window
}

TEST_F(RendererTest, a_partial_vertex_update_draws_like_a_full_one) {
    RenderList list = empty_list();
    list.instances = {ground(), cube(vec3(0, 0.3f, 0))};
    const Picture before = draw_picture(*renderer_, list, 160, 100);
    MeshData data = box_mesh(vec3(0.3f));
    for (std::size_t v = 4; v < data.positions.size(); ++v) data.positions[v] += vec3(0.1f, 0.05f, 0);
    MeshData part;
    part.positions.assign(data.positions.begin() + 4, data.positions.end());
    part.normals.assign(data.normals.begin() + 4, data.normals.end());
    renderer_->update_vertices(list.instances[1].mesh, 4, part);
    const Picture partly = draw_picture(*renderer_, list, 160, 100);
    renderer_->update_mesh(list.instances[1].mesh, data);
    EXPECT_EQ(partly.rgb, draw_picture(*renderer_, list, 160, 100).rgb);
    EXPECT_GT(count_different(before, partly, 8), 50);
    renderer_->update_vertices(list.instances[1].mesh, data.positions.size() - 1, part);  // past the end
    renderer_->update_vertices(list.instances[1].mesh, 1u << 30, part);
    renderer_->update_vertices(12345, 0, part);
}

TEST_F(RendererTest, occlusion_spheres_darken_other_bodies_but_not_their_own) {
    RenderList list = empty_list();
    list.instances = {ground(), cube(vec3(0, 0.3f, 0))};
    const Picture plain = draw_picture(*renderer_, list, 160, 100);
    list.occluders = {
        {vec3(0, 0.3f, 0), 0.3f, 1}, {vec3(0, 0.3f, 0.5f), 0.2f, 1}, {vec3(-0.3f, 0.3f, 0.5f), 0.2f, 1}};
    const Picture own = draw_picture(*renderer_, list, 160, 100);
    list.occluders[1].instance = list.occluders[2].instance = 0;
    const Picture other = draw_picture(*renderer_, list, 160, 100);
    EXPECT_EQ(brightness(plain, 80, 50), brightness(own, 80, 50)) << "the cube";
    EXPECT_LT(brightness(other, 80, 50), brightness(own, 80, 50) - 10);
    EXPECT_LT(brightness(own, 80, 66), brightness(plain, 80, 66) - 10) << "the ground in front";
}

TEST_F(RendererTest, an_empty_list_draws_the_sky_gradient) {
    RenderList list;
    list.camera.position = vec3(0, 0, 1);
    list.camera.target = vec3(0);
    list.camera.vertical_fov = 1.2f;
    const Picture picture = draw_picture(*renderer_, list, 64, 64);
    EXPECT_NEAR(picture.at(32, 60)[0], 0xF4, 1);
    EXPECT_NEAR(picture.at(32, 60)[2], 0xEC, 1);
    EXPECT_NEAR(picture.at(32, 0)[0], 0xD3, 2);
    list.light.dark_theme = true;
    EXPECT_NEAR(draw_picture(*renderer_, list, 64, 64).at(32, 60)[0], 0x2E, 1);
}

TEST_F(RendererTest, a_body_darkens_the_floor_with_its_shadow) {
    RenderList list = empty_list();
    list.light.towards = vec3(-1, 1.2f, 0);
    list.instances = {ground(), cube(vec3(0, 0.6f, 0))};
    const Picture lit = draw_picture(*renderer_, list, 200, 200);
    list.instances[1].casts_shadow = false;
    const Picture unlit = draw_picture(*renderer_, list, 200, 200);
    int darker = 0, lighter = 0;
    for (int y = 0; y < 200; ++y)
        for (int x = 0; x < 200; ++x) {
            darker += brightness(lit, x, y) < brightness(unlit, x, y) - 60 ? 1 : 0;
            lighter += brightness(lit, x, y) > brightness(unlit, x, y) + 6 ? 1 : 0;
        }
    EXPECT_GT(darker, 300);
    EXPECT_EQ(lighter, 0);
}

TEST_F(RendererTest, a_slanted_plate_does_not_shadow_itself) {
    RenderList list = empty_list();
    Instance plate;
    plate.mesh = renderer_->create_mesh(box_mesh(vec3(1.2f, 0.02f, 1.2f)));
    plate.world_from_local = glm::rotate(glm::mat4(1), 0.5f, vec3(1, 0, 0));
    list.instances = {plate};
    const Picture casting = draw_picture(*renderer_, list, 120, 120);
    list.instances[0].casts_shadow = false;
    EXPECT_LT(count_different(casting, draw_picture(*renderer_, list, 120, 120), 6), 60);
}

TEST_F(RendererTest, contact_occlusion_darkens_under_a_sphere) {
    RenderList list = empty_list();
    list.instances = {ground(), cube(vec3(0, 0.3f, 0))};
    list.instances[1].casts_shadow = false;
    const Picture without = draw_picture(*renderer_, list, 200, 200);
    list.add_occluder(vec3(0, 0.3f, 0), 0.3f);
    const Picture with = draw_picture(*renderer_, list, 200, 200);
    EXPECT_GT(count_different(with, without, 3), 500);
}

TEST_F(RendererTest, every_body_of_a_crowd_is_drawn_and_pickable) {
    RenderList list;
    list.camera.position = vec3(0, 0, 10);
    list.camera.vertical_fov = 1;
    const Instance one = cube(vec3(0), 0.1f);
    for (int i = 0; i < 400; ++i) {
        Instance body = one;
        body.world_from_local = glm::translate(glm::mat4(1), vec3(0.4f * static_cast<float>(i % 20 - 10),
                                                                  0.4f * static_cast<float>(i / 20 - 10), 0));
        body.pick = static_cast<std::uint32_t>(i);
        list.instances.push_back(body);
    }
    draw_picture(*renderer_, list, 320, 320);
    EXPECT_EQ(renderer_->stats().instances, 400u);
    EXPECT_LE(renderer_->stats().draw_calls, 3u);  // shadows and colours
    const float focal = 160 / std::tan(0.5f);
    for (int i = 0; i < 400; i += 7) {
        const vec3 p(list.instances[static_cast<std::size_t>(i)].world_from_local[3]);
        const float x = 160 + focal * p.x / (10 - p.z), y = 160 - focal * p.y / (10 - p.z);
        EXPECT_EQ(renderer_->pick(list, {320, 320, 1}, x, y), static_cast<std::uint32_t>(i));
    }
    EXPECT_EQ(renderer_->pick(list, {320, 320, 1}, 1, 1), Renderer::kNoPick);
    EXPECT_EQ(renderer_->pick(list, {320, 320, 1}, -5, 1), Renderer::kNoPick);
}

TEST_F(RendererTest, picking_agrees_with_the_picture_to_the_pixel_and_sees_through_glass) {
    RenderList list;
    list.camera.position = vec3(0, 0, 5);
    list.camera.shift = glm::vec2(20, -10);
    Instance body = cube(vec3(0), 0.4f);
    body.pick = 3;
    body.casts_shadow = false;
    Instance pane;
    pane.mesh = renderer_->create_mesh(pane_mesh(2, 2));
    pane.world_from_local = glm::translate(glm::mat4(1), vec3(0, 0, 1));
    pane.material.surface = Surface::glass;
    pane.pick = 9;
    list.instances = {body};
    renderer_->set_samples(0);
    const Picture picture = draw_picture(*renderer_, list, 160, 120);
    list.instances.push_back(pane);
    for (int x = 0; x < 160; x += 1) {
        const bool drawn = picture.at(x, 75)[0] > picture.at(x, 75)[2] + 40;
        EXPECT_EQ(renderer_->pick(list, {160, 120, 1}, static_cast<float>(x), 75) == 3u, drawn) << x;
    }
}

TEST_F(RendererTest, a_lower_resolution_draws_the_same_picture_over_the_whole_target) {
    RenderList list;
    list.camera.position = vec3(0, 0, 5);
    list.instances = {cube(vec3(0), 0.4f)};
    renderer_->set_samples(0);
    const Picture fine = draw_picture(*renderer_, list, 160, 120);
    renderer_->set_resolution(0.5f);
    const Picture coarse = draw_picture(*renderer_, list, 160, 120);
    int different = 0;
    for (int y = 0; y < 120; ++y)
        for (int x = 0; x < 160; ++x)
            different += std::abs(brightness(fine, x, y) - brightness(coarse, x, y)) > 24 ? 1 : 0;
    EXPECT_GT(different, 0) << "softer outlines";
    EXPECT_LT(different, 160 * 120 / 20);
}

TEST_F(RendererTest, lines_have_constant_width_are_dimmed_where_hidden_and_may_cross_the_eye_plane) {
    RenderList list;
    list.camera.position = vec3(0, 0, 5);
    const Picture sky = draw_picture(*renderer_, list, 200, 200);
    const auto width_at = [&](float scale, const vec3& from, const vec3& to) {
        list.lines = {{from, to, vec4(0, 0, 0, 1), 4}};
        const Picture picture = draw_picture(*renderer_, list, 200, 200, scale);
        float ink = 0;  // darkness of the column, in units of black pixels
        for (int y = 0; y < 200; ++y)
            ink += 1 - static_cast<float>(brightness(picture, 100, y)) /
                           static_cast<float>(brightness(sky, 100, y));
        return ink;
    };
    EXPECT_NEAR(width_at(1, vec3(-1, 0, 0), vec3(1, 0, 0)), 4, 0.6f);
    EXPECT_NEAR(width_at(2, vec3(-1, 0, 0), vec3(1, 0, 0)), 8, 0.8f);
    EXPECT_NEAR(width_at(1, vec3(-9, 0.1f, -20), vec3(9, 0.1f, -20)), 4, 0.8f);
    EXPECT_GT(width_at(1, vec3(0, -0.2f, 0), vec3(0, -0.2f, 20)), 1);  // passes the eye
    list.instances = {cube(vec3(0, 0, 1))};
    list.lines = {{vec3(-1, 0, 0), vec3(1, 0, 0), vec4(0, 0, 0, 1), 6}};
    const auto centre = [&](float strength) {
        list.lines[0].hidden_alpha = strength;
        return brightness(draw_picture(*renderer_, list, 200, 200), 100, 100);
    };
    const int none = centre(0), half = centre(0.5f), full = centre(1);
    EXPECT_GT(none, half + 40);
    EXPECT_GT(half, full + 40);
}

TEST_F(RendererTest, discs_quads_and_halos_are_drawn_in_their_colours) {
    RenderList list;
    list.camera.position = vec3(0, 0, 5);
    const Picture sky = draw_picture(*renderer_, list, 100, 100);
    list.discs = {{vec3(0), vec4(1, 0, 0, 1), 8, vec4(0, 1, 0, 1)}};
    const Picture disc = draw_picture(*renderer_, list, 100, 100);
    EXPECT_GT(disc.at(50, 50)[0], 250);
    EXPECT_LT(disc.at(50, 50)[1], 5);
    EXPECT_GT(disc.at(57, 50)[1], 200);
    EXPECT_NEAR(count_different(disc, sky, 100), 3.14159 * 64, 30);
    list.discs.clear();
    list.quads = {{{vec3(-1, -1, 0), vec3(1, -1, 0), vec3(1, 1, 0), vec3(-1, 1, 0)}, vec4(0, 0, 1, 0.5f)}};
    EXPECT_NEAR(draw_picture(*renderer_, list, 100, 100).at(50, 50)[0], sky.at(50, 50)[0] / 2, 3);
    list.quads.clear();
    list.light.dark_theme = true;
    const Picture dark = draw_picture(*renderer_, list, 100, 100);
    list.halos = {{vec3(0), vec3(1, 0.7f, 0.3f), 0.3f, 0.75f}};
    EXPECT_GT(brightness(draw_picture(*renderer_, list, 100, 100), 50, 50), brightness(dark, 50, 50) + 200);
}

TEST_F(RendererTest, engraved_text_is_drawn_and_not_mirrored) {
    RenderList list;
    list.camera.position = vec3(0, 0, 0.5f);
    Instance plate = cube(vec3(0, 0, -0.5f), 0.5f);
    plate.material.albedo = vec3(0.9f);
    list.instances = {plate};
    const Picture bare = draw_picture(*renderer_, list, 200, 100);
    EngravedText text;
    text.text = "L";  // its ink is mostly left and low
    text.height = 0.1f;
    list.texts = {text};
    const Picture picture = draw_picture(*renderer_, list, 200, 100);
    if (count_different(picture, bare, 60) == 0) GTEST_SKIP() << "no font on this machine";
    int left = 0, right = 0, high = 0, low = 0;
    const int middle = 50 - 20;  // half the cap height above the baseline
    for (int y = 0; y < 100; ++y)
        for (int x = 0; x < 200; ++x)
            if (brightness(picture, x, y) < brightness(bare, x, y) - 120) {
                ++(x < 100 ? left : right);
                ++(y < middle ? high : low);
            }
    EXPECT_GT(left, 2 * right);
    EXPECT_GT(low, high + 40);
}

TEST_F(RendererTest, polygon_edges_are_dark_and_fade_out_with_distance) {
    RenderList list;
    list.camera.position = vec3(0, 0, 4);
    list.instances = {cube(vec3(0), 0.5f)};
    list.instances[0].world_from_local = glm::rotate(glm::mat4(1), 0.6f, vec3(1, 1, 0));
    const auto edge_pixels = [&] {
        list.instances[0].material.edge_alpha = 0;
        const Picture plain = draw_picture(*renderer_, list, 200, 200);
        list.instances[0].material.edge_alpha = 1;
        return count_different(plain, draw_picture(*renderer_, list, 200, 200), 25);
    };
    EXPECT_GT(edge_pixels(), 150);
    list.camera.position.z = 200;
    list.camera.far_plane = 500;
    EXPECT_EQ(edge_pixels(), 0);
}

TEST_F(RendererTest, a_fading_body_blends_with_the_background) {
    RenderList list;
    list.camera.position = vec3(0, 0, 4);
    const int sky = brightness(draw_picture(*renderer_, list, 64, 64), 32, 32);
    list.instances = {cube(vec3(0))};
    const int solid = brightness(draw_picture(*renderer_, list, 64, 64), 32, 32);
    list.instances[0].opacity = 0.5f;
    EXPECT_NEAR(brightness(draw_picture(*renderer_, list, 64, 64), 32, 32), (sky + solid) / 2, 30);
    list.instances[0].opacity = 0;
    EXPECT_EQ(brightness(draw_picture(*renderer_, list, 64, 64), 32, 32), sky);
}

TEST_F(RendererTest, invalid_input_is_skipped) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    RenderList list = empty_list();
    const Picture sky = draw_picture(*renderer_, list, 64, 64);
    Instance lost = cube(vec3(nan, 0, 0));
    Instance unknown = cube(vec3(0));
    unknown.mesh = 123456;
    Instance gone = cube(vec3(0));
    MeshData wrong = box_mesh(vec3(0.2f));
    for (std::uint32_t& index : wrong.triangles) index += 1000;
    wrong.edges = {5, 99999};
    Instance outside = cube(vec3(0));
    outside.mesh = renderer_->create_mesh(wrong);
    outside.material.edge_alpha = 1;
    renderer_->destroy_mesh(gone.mesh);
    list.instances = {lost, unknown, gone, outside};
    list.lines = {{vec3(nan), vec3(1), vec4(1)}};
    list.discs = {{vec3(nan), vec4(1)}};
    EXPECT_EQ(draw_picture(*renderer_, list, 64, 64).rgb, sky.rgb);
    EXPECT_EQ(renderer_->stats().instances, 0u);
    list.camera.position = list.camera.target = vec3(0);  // no view direction
    list.camera.up = vec3(0);
    list.light.towards = vec3(0);
    list.light.shadow_half_width = 0;
    draw_picture(*renderer_, list, 64, 64);
}

TEST_F(RendererTest, a_mesh_can_change_its_size_and_its_handle_is_reused) {
    RenderList list;
    list.camera.position = vec3(0, 0, 4);
    list.instances = {cube(vec3(0))};
    const MeshHandle mesh = list.instances[0].mesh;
    const Picture small = draw_picture(*renderer_, list, 64, 64);
    renderer_->update_mesh(mesh, box_mesh(vec3(0.6f)));
    EXPECT_GT(count_different(small, draw_picture(*renderer_, list, 64, 64), 20), 100);
    renderer_->update_mesh(mesh, hull_mesh(solid_points(20)));
    draw_picture(*renderer_, list, 64, 64);
    renderer_->update_mesh(mesh, box_mesh(vec3(0.3f)));
    EXPECT_EQ(small.rgb, draw_picture(*renderer_, list, 64, 64).rgb);
    renderer_->destroy_mesh(mesh);
    renderer_->destroy_mesh(mesh);
    EXPECT_EQ(renderer_->create_mesh(box_mesh(vec3(1))), mesh);
}

TEST_F(RendererTest, a_mirrored_body_shows_its_outside) {
    RenderList list;
    list.camera.position = vec3(0, 0.5f, 4);
    list.instances = {cube(vec3(0))};
    const Picture plain = draw_picture(*renderer_, list, 64, 64);
    list.instances[0].world_from_local = glm::scale(glm::mat4(1), vec3(-1, 1, 1));
    EXPECT_EQ(count_different(plain, draw_picture(*renderer_, list, 64, 64), 12), 0);
}

TEST_F(RendererTest, golden_pictures_have_not_changed) {
    const bool regenerate = std::getenv("CLAYBOX_REGENERATE_GOLDEN") != nullptr;
    const std::filesystem::path folder = std::filesystem::path(CLAYBOX_TEST_DATA) / "golden";
    const std::pair<const char*, RenderList> scenes[] = {{"cage", cage_scene(*renderer_, 20, false)},
                                                         {"cage-dark", cage_scene(*renderer_, 20, true)},
                                                         {"potter", potter_scene(*renderer_)},
                                                         {"desk", desk_scene(*renderer_)}};
    for (const auto& [name, list] : scenes) {
        const Picture picture = draw_picture(*renderer_, list, 320, 200, 0.25f);
        const std::filesystem::path path = folder / (std::string(name) + ".png");
        if (regenerate) {
            EXPECT_TRUE(write_picture(path, picture));
        }
        const Picture golden = read_picture(path);
        ASSERT_EQ(golden.rgb.size(), picture.rgb.size())
            << path << ": set CLAYBOX_REGENERATE_GOLDEN=1 to create it";
        // Drivers round differently, and letters depend on the installed fonts: a few pixels may differ.
        EXPECT_LT(count_different(golden, picture, 12), 320 * 200 / 100) << name;
    }
}

}  // namespace
}  // namespace claybox::test
