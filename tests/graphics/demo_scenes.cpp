#include "tests/graphics/demo_scenes.hpp"

#include "tests/graphics/demo_meshes.hpp"

#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace claybox::test {

namespace {

using namespace engine;
using glm::mat4;
using glm::vec2;
using glm::vec3;
using glm::vec4;

vec3 hex(unsigned c) {
    return vec3(static_cast<float>(c >> 16 & 255u), static_cast<float>(c >> 8 & 255u),
                static_cast<float>(c & 255u)) /
           255.0f;
}

MaterialData material(unsigned colour, float spec, float gloss, Surface surface = Surface::matte) {
    MaterialData m;
    m.surface = surface;
    m.albedo = hex(colour);
    m.spec = spec;
    m.gloss = gloss;
    return m;
}

mat4 moved(const vec3& p) {
    return glm::translate(mat4(1), p);
}

Instance instance(MeshHandle mesh, const mat4& pose, const MaterialData& m) {
    Instance i;
    i.mesh = mesh;
    i.world_from_local = pose;
    i.material = m;
    return i;
}

float random_unit(std::mt19937& random) {
    return static_cast<float>(random() >> 8) / 16777216.0f;
}

mat4 random_turn(std::mt19937& random) {
    vec3 axis;  // one statement each: compilers differ in the evaluation order of arguments
    axis.z = random_unit(random) - 0.47f;
    axis.y = random_unit(random) - 0.5f;
    axis.x = random_unit(random) - 0.5f;
    const float angle = 6.28f * random_unit(random);
    return glm::rotate(mat4(1), angle, glm::normalize(axis));
}

/// 7.0 x 4.1 x 4.6 units of 0.5 m.
const vec3 kCage(3.5f, 2.05f, 2.3f);

void add_cage(Renderer& renderer, RenderList& list) {
    const vec3 half = kCage * 0.5f;
    const float plinth = 0.07f;
    MaterialData ground = material(0xE9E4DB, 0.02f, 10, Surface::floor);
    list.instances.push_back(instance(renderer.create_mesh(floor_mesh(30)), moved({0, -plinth, 0}), ground));
    list.instances.back().casts_shadow = false;
    MaterialData base = material(0xF1EDE6, 0.03f, 14, Surface::plinth);
    base.grid = 0.25f;
    list.instances.push_back(
        instance(renderer.create_mesh(rounded_box_mesh({half.x + 0.08f, plinth / 2, half.z + 0.08f}, 0.01f)),
                 moved({0, -plinth / 2, 0}), base));
    const MaterialData bar = material(0x7D8187, 0.25f, 30);
    const float thin = 0.0095f;
    const MeshHandle cube = renderer.create_mesh(box_mesh(vec3(1)));
    const MaterialData corner = material(0xB98A66, 0.08f, 16);
    for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k < 4; ++k) {
            vec3 size(thin), at(0, half.y, 0);
            size[axis] = half[axis];
            at[(axis + 1) % 3] += (k & 1 ? 1.0f : -1.0f) * half[(axis + 1) % 3];
            at[(axis + 2) % 3] += (k & 2 ? 1.0f : -1.0f) * half[(axis + 2) % 3];
            list.instances.push_back(instance(cube, glm::scale(moved(at), size), bar));
        }
    for (int k = 0; k < 8; ++k) {
        const vec3 at = half * vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1) + vec3(0, half.y, 0);
        list.instances.push_back(instance(cube, glm::scale(moved(at), vec3(0.021f)), corner));
    }
    const MaterialData glass = material(0xFFFFFF, 0, 1, Surface::glass);
    const MeshHandle wall = renderer.create_mesh(pane_mesh(half.x, half.y)),
                     side = renderer.create_mesh(pane_mesh(half.z, half.y));
    for (const float s : {-1.0f, 1.0f}) {
        list.instances.push_back(instance(wall, moved({0, half.y, s * half.z}), glass));
        list.instances.push_back(
            instance(side, glm::rotate(moved({s * half.x, half.y, 0}), 1.5707963f, vec3(0, 1, 0)), glass));
    }
}

void add_bodies(Renderer& renderer, RenderList& list, int bodies) {
    std::mt19937 random(7);
    const unsigned palette[] = {0xC9A08A, 0xA6B59B, 0x9DB3C6, 0xCBB88F,
                                0xB59DB3, 0xAEB289, 0x9CA8B6, 0xCBA3A6};
    std::vector<MeshHandle> shapes;
    for (const int n : {4, 6, 8, 12, 20, 16, 24, 32})
        shapes.push_back(renderer.create_mesh(hull_mesh(solid_points(n))));
    std::vector<vec3> prism;
    for (int k = 0; k < 16; ++k) {
        const float a = 0.7853982f * static_cast<float>(k / 2);
        prism.emplace_back(0.42f * std::cos(a), 0.42f * std::sin(a), k % 2 ? 0.9f : -0.9f);
    }
    shapes.push_back(renderer.create_mesh(hull_mesh(prism)));
    const float size = bodies < 100 ? 0.15f : 0.15f * std::cbrt(60.0f / static_cast<float>(bodies));
    for (int i = 0; i < bodies; ++i) {
        const float r = size * (0.75f + 0.7f * random_unit(random));
        vec3 p;
        for (int axis = 0; axis < 3; ++axis) p[axis] = (random_unit(random) * 2 - 1) * (kCage[axis] / 2 - r);
        const bool low = random_unit(random) < 0.4f;
        p.y = low ? r * 0.85f : p.y + kCage.y / 2;
        MaterialData m = material(palette[i % 8], 0.05f, 18);
        m.edge_alpha = 0.6f;
        const bool hits = bodies < 100 && i < 2;
        if (hits) {
            p = vec3(i == 0 ? 0.05f : 0.33f, 1.12f, 0.15f);
            m.albedo = hex(0xB8323F);
            m.emission = 0.02f;
            m.edge_alpha = 0.8f;
        }
        const float radius = hits ? 0.27f : r;
        Instance body = instance(shapes[hits ? 4 : static_cast<std::size_t>(i) % shapes.size()],
                                 moved(p) * random_turn(random) * glm::scale(mat4(1), vec3(radius)), m);
        body.pick = static_cast<std::uint32_t>(i);
        list.instances.push_back(body);
        list.add_occluder(p, 0.82f * radius);
    }
}

void add_marks(RenderList& list) {
    const vec4 violet(hex(0x6A4FA3), 1), paper(hex(0xFAF8F5), 1), teal(hex(0x2A8C82), 1);
    const vec3 face[] = {{0.19f, 1.30f, 0.2f},
                         {0.26f, 1.24f, 0.3f},
                         {0.25f, 1.08f, 0.35f},
                         {0.17f, 1.0f, 0.33f},
                         {0.15f, 1.14f, 0.22f}};
    for (int k = 0; k < 5; ++k) {
        Line line{face[k], face[(k + 1) % 5], violet, 2.5f, vec4(vec3(paper), 0.75f), 0.55f};
        if (k == 3) line.width = 4;
        list.lines.push_back(line);
    }
    list.discs.push_back({face[3], violet, 7, paper});
    const vec3 centre(-0.62f, 1.0f, 0.2f), u(0.28f, -0.14f, 0), v(0.1f, 0.05f, 0.3f);
    Quad quad{{centre - u - v, centre + u - v, centre + u + v, centre - u + v}, vec4(vec3(teal), 0.20f)};
    list.quads.push_back(quad);
    for (int k = 0; k < 4; ++k)
        list.lines.push_back({quad.corner[k], quad.corner[(k + 1) % 4], teal, 1.75f, vec4(0), 0.35f});
    for (int k = 1; k < 5; ++k) {
        const float t = 2.0f * static_cast<float>(k) / 5 - 1;
        const vec4 faint(vec3(teal), 0.35f);
        list.lines.push_back({centre + u * t - v, centre + u * t + v, faint, 1, vec4(0), 0.35f});
        list.lines.push_back({centre - u + v * t, centre + u + v * t, faint, 1, vec4(0), 0.35f});
    }
    const vec3 n = glm::normalize(glm::cross(v, u)) * 0.05f;
    list.lines.push_back({centre - n, centre + n, teal, 2});
    list.discs.push_back({centre - n, teal, 4.5f, paper});
    list.discs.push_back({centre + n, teal, 4.5f, paper});
}

void add_hand_part(Renderer& renderer, RenderList& list, const vec3& from, const vec3& to, float r0, float r1,
                   bool active) {
    const vec3 z = glm::normalize(from - to), x = glm::normalize(glm::cross(vec3(0.1f, 1, 0.2f), z)),
               y = glm::cross(z, x);
    mat4 pose(1);
    pose[0] = vec4(x, 0);
    pose[1] = vec4(y, 0);
    pose[2] = vec4(z, 0);
    pose[3] = vec4(from, 1);
    MaterialData skin = material(active ? 0xC8643C : 0xE6D6C6, 0.06f, 20);
    skin.edge_alpha = 0.3f;
    const float gap = 0.06f * glm::length(to - from);
    list.instances.push_back(
        instance(renderer.create_mesh(capsule_mesh(r0, r1, glm::length(to - from) - gap, 14)), pose, skin));
    list.add_occluder(from, r0 * 1.2f);
    list.instances.back().pick = 1000;
}

/// A finger as a chain of three capsules.
void add_finger(Renderer& renderer, RenderList& list, const std::vector<vec3>& joints, float radius,
                bool active) {
    for (std::size_t k = 0; k + 1 < joints.size(); ++k) {
        const float shrink = 1 - 0.1f * static_cast<float>(k);
        add_hand_part(renderer, list, joints[k], joints[k + 1], radius * shrink, radius * (shrink - 0.1f),
                      active && k + 2 == joints.size());
    }
}

void add_table(Renderer& renderer, RenderList& list, float top, const vec3& half, const vec3& at) {
    MaterialData floor = material(0xE9E4DB, 0.02f, 10, Surface::floor);
    list.instances.push_back(
        instance(renderer.create_mesh(floor_mesh(10)), moved({0, top - 0.5f, 0}), floor));
    list.instances.back().casts_shadow = false;
    list.instances.push_back(instance(renderer.create_mesh(rounded_box_mesh(half, 0.004f)),
                                      moved(at + vec3(0, top - half.y, 0)),
                                      material(0xC6A580, 0.05f, 12, Surface::wood)));
}

std::vector<vec2> disc_profile(float radius, float top, float bottom, float edge) {
    std::vector<vec2> p{{0, top}};
    for (int k = 0; k <= 8; ++k) {
        const float a = 1.5707963f * (1 - static_cast<float>(k) / 8);
        p.emplace_back(radius - edge + edge * std::cos(a), top - edge + edge * std::sin(a));
    }
    p.emplace_back(radius, bottom);
    std::reverse(p.begin(), p.end());  // upwards, so the outside faces outwards
    return p;
}

/// Outer wall from foot to lip, over the lip and down the inner wall, with helical grooves.
MeshHandle pot(Renderer& renderer) {
    std::vector<vec2> profile;
    std::vector<float> cavity;
    const float height = 0.162f;
    const auto outer = [&](float t) {
        return 0.052f +
               0.036f * std::sin(3.14159f * std::min(1.0f, 0.11f + 0.87f * t)) * (1.05f - 0.15f * t) +
               0.012f * t;
    };
    constexpr int kRows = 240;
    for (int k = 0; k <= kRows; ++k) {
        const float t = static_cast<float>(k) / kRows;
        profile.emplace_back(outer(t), t * height);
        cavity.push_back(1);
    }
    const float wall = 0.0075f, lip = outer(1) - wall / 2;
    for (int k = 1; k < 12; ++k) {
        const float a = 3.14159f * static_cast<float>(k) / 12;
        profile.emplace_back(lip + wall / 2 * std::cos(a), height + wall / 2 * std::sin(a));
        cavity.push_back(1);
    }
    for (int k = 60; k >= 0; --k) {
        const float t = std::max(0.08f, static_cast<float>(k) / 60);
        profile.emplace_back(k == 0 ? 0.0f : outer(t) - wall - 0.004f * (1 - t), t * height);
        cavity.push_back(k < 50 ? 0.75f : 1);
    }
    const auto bend = [&](vec3 p) {
        const float a = std::atan2(p.z, p.x), t = p.y / height, r = glm::length(vec2(p.x, p.z));
        const float wave = std::sin(6.28318f * 10.5f * t - a + 0.9f * std::sin(9 * t));
        const float fade = std::min(1.0f, std::min(t * 9, (1 - t) * 7));
        const float more =
            r > 0.03f ? -0.00082f * wave * std::max(0.0f, fade) + 0.0009f * std::cos(2 * a) : 0.0f;
        const float k = r > 0 ? (r + more) / r : 1.0f;
        return vec3(p.x * k, p.y + (t > 0.9f ? 0.0012f * std::sin(3 * a) * (t - 0.9f) * 10 : 0.0f), p.z * k);
    };
    MeshData mesh = lathe_mesh(profile, 192, bend, cavity);
    for (std::size_t i = 0; i < 192u * (kRows + 1); ++i) {
        const vec3 p = mesh.positions[i];
        const float t = p.y / height, a = std::atan2(p.z, p.x);
        const float wave = std::sin(6.28318f * 10.5f * t - a + 0.9f * std::sin(9 * t));
        mesh.cavity[i] =
            1 - std::max(0.0f, wave) * std::min(1.0f, std::max(0.0f, std::min(t * 9, (1 - t) * 7)));
    }
    return renderer.create_mesh(mesh);
}

void add_button(Renderer& renderer, RenderList& list, const mat4& desk, const vec2& at, unsigned colour,
                float pressed, const char* label, bool light) {
    static constexpr float kTop = 0.0085f;
    const MeshHandle well = renderer.create_mesh(box_mesh({0.036f, 0.0012f, 0.033f}));
    const MeshHandle cap = renderer.create_mesh(rounded_box_mesh({0.031f, 0.0085f, 0.028f}, 0.0055f));
    list.instances.push_back(
        instance(well, desk * moved({at.x, 0.0004f, at.y}), material(0x54575F, 0.05f, 14)));
    const float lift = kTop - pressed;
    list.instances.push_back(instance(cap, desk * moved({at.x, lift, at.y}), material(colour, 0.12f, 40)));
    list.add_occluder(vec3(list.instances.back().world_from_local[3]), 0.02f);
    EngravedText text;
    text.text = label;
    text.height = 0.0062f;
    text.world_from_text =
        desk * glm::rotate(moved({at.x, lift + 0.00865f, at.y + 0.003f}), -1.5707963f, vec3(1, 0, 0));
    text.colour = vec4(hex(0x3A3D44), 1);
    list.texts.push_back(text);
    MaterialData bulb = material(light ? 0xF2B84B : 0xB9B2A6, 0.3f, 40);
    bulb.emission = light ? 0.75f : 0;
    list.instances.push_back(
        instance(renderer.create_mesh(lathe_mesh(disc_profile(0.0045f, 0.003f, 0, 0.0025f), 24)),
                 desk * moved({at.x, 0, at.y - 0.041f}), bulb));
    if (light)
        list.halos.push_back(
            {vec3(desk * vec4(at.x, 0.004f, at.y - 0.041f, 1)), hex(0xF2B84B), 0.025f, 0.75f});
}

}  // namespace

RenderList cage_scene(Renderer& renderer, int bodies, bool dark) {
    RenderList list;
    list.camera.position = vec3(0.375f, 1.95f, 7.65f);
    list.camera.target = vec3(0, 0.93f, 0);
    list.camera.vertical_fov = glm::radians(26.4f);
    list.camera.near_plane = 0.5f;
    list.camera.shift = vec2(126, 30);
    list.light.towards = vec3(-0.56f, 0.78f, 0.44f);
    list.light.shadow_centre = vec3(0, 0.9f, 0);
    list.light.shadow_half_width = 2.8f;
    list.light.fade_start = 5.5f;
    list.light.fade_end = 13;
    list.light.dark_theme = dark;
    add_cage(renderer, list);
    add_bodies(renderer, list, bodies);
    if (bodies < 100) add_marks(list);
    return list;
}

RenderList potter_scene(Renderer& renderer) {
    RenderList list;
    list.camera.position = vec3(0.055f, 0.295f, 0.73f);
    list.camera.target = vec3(0.006f, 0.066f, 0);
    list.camera.vertical_fov = glm::radians(28.0f);
    list.camera.near_plane = 0.05f;
    list.camera.far_plane = 12;
    list.camera.shift = vec2(126, 0);
    list.light.towards = vec3(-0.62f, 0.66f, 0.42f);
    list.light.shadow_centre = vec3(0, 0.06f, 0);
    list.light.shadow_half_width = 0.32f;
    list.light.fade_start = 0.6f;
    list.light.fade_end = 1.5f;
    list.light.occlusion = 0.9f;
    add_table(renderer, list, -0.042f, {1.2f, 0.02f, 0.62f}, {0.2f, 0, 0.03f});
    const auto turned = [&](float radius, float top, float bottom, float edge, const MaterialData& m) {
        list.instances.push_back(instance(
            renderer.create_mesh(lathe_mesh(disc_profile(radius, top, bottom, edge), 128)), mat4(1), m));
    };
    turned(0.185f, -0.012f, -0.040f, 0.008f, material(0x8F8C87, 0.26f, 46));
    turned(0.148f, 0.0f, -0.012f, 0.003f, material(0xC9BCA8, 0.05f, 14));
    turned(0.085f, 0.0006f, 0, 0.0004f, material(0x9A7E6A, 0.16f, 40));
    list.instances.push_back(instance(pot(renderer), mat4(1), material(0xB0937D, 0, 1, Surface::clay)));
    const vec3 wrist(0.2f, 0.0f, 0.09f);
    add_hand_part(renderer, list, wrist, {0.15f, 0.085f, 0.085f}, 0.03f, 0.028f, false);
    add_finger(renderer, list,
               {{0.135f, 0.085f, 0.10f},
                {0.10f, 0.108f, 0.105f},
                {0.065f, 0.125f, 0.105f},
                {0.040f, 0.135f, 0.092f}},
               0.0105f, true);
    add_finger(
        renderer, list,
        {{0.15f, 0.10f, 0.085f}, {0.115f, 0.13f, 0.085f}, {0.085f, 0.150f, 0.08f}, {0.055f, 0.162f, 0.075f}},
        0.0105f, false);
    add_finger(
        renderer, list,
        {{0.165f, 0.105f, 0.07f}, {0.135f, 0.135f, 0.06f}, {0.11f, 0.155f, 0.05f}, {0.085f, 0.165f, 0.04f}},
        0.01f, false);
    add_finger(
        renderer, list,
        {{0.17f, 0.03f, 0.105f}, {0.13f, 0.035f, 0.12f}, {0.095f, 0.045f, 0.118f}, {0.07f, 0.055f, 0.11f}},
        0.0115f, false);
    const vec4 accent(hex(0xC8643C), 1);
    for (const float r : {0.035f, 0.0175f})
        for (int k = 0; k < 48; ++k) {
            const auto at = [&](int i) {
                const float a = 0.1308997f * static_cast<float>(i);
                return vec3(0.035f + r * std::cos(a), 0.135f + r * std::sin(a), 0.092f);
            };
            list.lines.push_back({at(k), at(k + 1), r > 0.02f ? accent : vec4(vec3(accent), 0.65f),
                                  r > 0.02f ? 2.5f : 1.5f, vec4(0), 0.25f});
        }
    const vec4 ink(hex(0x2B2D33), 1);
    list.lines.push_back({{-0.13f, 0, 0}, {-0.13f, 0.162f, 0}, ink, 1.5f});
    return list;
}

RenderList desk_scene(Renderer& renderer) {
    RenderList list;
    list.camera.position = vec3(0.03f, 0.57f, 0.70f);
    list.camera.target = vec3(0.002f, 0.042f, 0.014f);
    list.camera.vertical_fov = glm::radians(28.0f);
    list.camera.near_plane = 0.05f;
    list.camera.far_plane = 12;
    list.camera.shift = vec2(126, 0);
    list.light.towards = vec3(-0.58f, 0.70f, 0.40f);
    list.light.shadow_half_width = 0.39f;
    list.light.fade_start = 0.8f;
    list.light.fade_end = 1.8f;
    list.light.occlusion = 0.95f;
    add_table(renderer, list, 0, {1.2f, 0.02f, 0.62f}, {0.2f, 0, 0});
    const mat4 desk = glm::rotate(moved({0, 0.052f, 0}), 0.12f, vec3(1, 0, 0));
    list.instances.push_back(
        instance(renderer.create_mesh(rounded_box_mesh({0.255f, 0.024f, 0.185f}, 0.012f)),
                 desk * moved({0, -0.0262f, 0}), material(0x6A6E76, 0.10f, 30)));
    list.instances.push_back(
        instance(renderer.create_mesh(rounded_box_mesh({0.246f, 0.002f, 0.176f}, 0.0015f)),
                 desk * moved({0, -0.002f, 0}), material(0xE9E3D9, 0.06f, 20)));
    const char* labels[] = {"Pause", "Step",  "Rewind", "Next\nalgorithm", "Add ten", "Shuffle",
                            "Grid",  "Sweep", "Tree"};
    for (int k = 0; k < 9; ++k) {
        const vec2 at(-0.185f + 0.088f * static_cast<float>(k % 3),
                      -0.095f + 0.108f * static_cast<float>(k / 3));
        const bool pressed = k == 4;
        add_button(renderer, list, desk, at,
                   pressed ? 0xF0D9C6
                   : k < 6 ? 0xF3EDE3
                           : 0xDCE2E3,
                   pressed ? 0.006f : 0, labels[k], k == 4 || k == 6);
    }
    const MaterialData knob = material(0xEDE6DA, 0.12f, 40);
    list.instances.push_back(
        instance(renderer.create_mesh(lathe_mesh(disc_profile(0.058f, 0.006f, 0, 0.003f), 96)),
                 desk * moved({0.14f, 0, 0.04f}), material(0x3E4149, 0.1f, 30)));
    list.instances.push_back(
        instance(renderer.create_mesh(lathe_mesh(disc_profile(0.045f, 0.034f, 0, 0.006f), 96)),
                 desk * moved({0.14f, 0, 0.04f}), knob));
    list.add_occluder(vec3(list.instances.back().world_from_local[3]), 0.04f);
    EngravedText text;
    text.text = "Wheel speed";
    text.height = 0.006f;
    text.world_from_text = desk * glm::rotate(moved({0.14f, 0.0002f, 0.125f}), -1.5707963f, vec3(1, 0, 0));
    list.texts.push_back(text);
    add_finger(
        renderer, list,
        {{0.03f, 0.13f, 0.05f}, {-0.03f, 0.135f, 0.045f}, {-0.065f, 0.12f, 0.03f}, {-0.08f, 0.088f, 0.02f}},
        0.0105f, true);
    add_hand_part(renderer, list, {0.11f, 0.125f, 0.09f}, {0.05f, 0.13f, 0.065f}, 0.032f, 0.028f, false);
    add_finger(
        renderer, list,
        {{0.06f, 0.11f, 0.10f}, {0.02f, 0.10f, 0.11f}, {-0.01f, 0.095f, 0.10f}, {-0.04f, 0.09f, 0.09f}},
        0.0115f, false);
    return list;
}

}  // namespace claybox::test
