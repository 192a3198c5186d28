#pragma once
// What a scene looks like, without saying how it is drawn. The bridge turns this into the renderer's terms.

#include "collision/geometry/shape.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace claybox::app {

enum class Material : unsigned char {
    body,         ///< faceted, palette colour by `colour`
    clay,         ///< smooth, matcap
    hand,         ///< faceted, pale
    hand_active,  ///< the part that touches
    glass,
    frame,   ///< metal bars
    corner,  ///< wooden corner cubes
    plinth,
    floor,
    table,  ///< wooden planks
    wheel_head,
    bat,
    slurry,
    desk_case,
    desk_plate,
    desk_well,
    button,
    button_cool,  ///< the bluish buttons
    button_pressed,
    light_off,
    light_on,
    toggle_on,
    shelf,
    glazed_blue,
    glazed_cream,
};

/// A mesh that views refer to. Content changes bump `version`; then the renderer uploads it again.
struct ViewMesh {
    std::shared_ptr<const collision::Topology> topology;
    const std::vector<collision::Vec3f>* positions =
        nullptr;           ///< owned by the scene, valid until the next step
    std::uint64_t id = 0;  ///< unique within the scene
    std::uint64_t version = 0;
    bool smooth = false;  ///< one normal per vertex, else flat
    /// Optional, for smooth meshes that change often: one normal and one cavity (0 groove .. 1 ridge) a
    /// vertex, and of each run of `run` vertices the version in which it changed last, so that only new runs
    /// are uploaded.
    const std::vector<collision::Vec3f>* normals = nullptr;
    const std::vector<float>* cavity = nullptr;
    const std::vector<std::uint64_t>* run_versions = nullptr;
    std::size_t run = 0;
};

/// A sphere that darkens what is near it, in the frame of the drawable that it belongs to.
struct ViewOccluder {
    collision::Vec3f p;
    float radius = 0;
};

struct Drawable {
    std::uint64_t mesh = 0;  ///< ViewMesh::id
    collision::Pose pose;
    collision::Vec3f scale{1, 1, 1};
    Material material = Material::body;
    std::uint8_t colour = 0;  ///< palette step of a body
    bool colliding = false;
    float tint = 1;        ///< how much of the colour of collisions a colliding body shows
    float flash = 0;       ///< 1 at a hit, fades to 0
    bool outlined = true;  ///< polygon edges
    bool casts_shadow = true;
    std::uint32_t pick = 0xffffffffu;         ///< what a click on it selects; kNoIndex for nothing
    float occluder_radius = 0;                ///< contact-occlusion sphere about the pose, 0 for none
    std::array<ViewOccluder, 2> occluders{};  ///< two more spheres elsewhere; none of radius 0
    float wetness = -1;  ///< of clay: 0 dry, 1 wet, 1.6 glazed; negative for the material's own
    float opacity = 1;   ///< below 1: seen through, for what fades or is only hinted at
};

/// Many bodies of one mesh, drawn by one call: one by one they would take longer to describe than to draw.
/// The arrays are the scene's, valid until its next step.
struct ViewCrowd {
    std::uint64_t mesh = 0;                           ///< ViewMesh::id
    std::span<const collision::Vec3f> positions;      ///< metres
    std::span<const std::array<float, 4>> rotations;  ///< w x y z, unit length
    std::span<const std::uint8_t> shades;             ///< crowd_shade()
    float radius = 0;                                 ///< of the ball about the position that holds a body
    std::uint32_t first_pick = 0xffffffffu;           ///< of the first body; the others count on
};

/// The palette step of a body and how much of the colour of collisions it shows.
inline constexpr unsigned kHeatSteps = 32;
constexpr std::uint8_t crowd_shade(unsigned colour, unsigned heat) {
    return static_cast<std::uint8_t>(heat * 8 + colour);
}

enum class Ink : unsigned char { witness, separating, colliding, candidate, accent, dimension, bounds, grid };

struct ViewLine {
    collision::Vec3f from, to;
    Ink ink = Ink::witness;
    float width = 1.5f;   ///< pixels at scale 1
    bool casing = false;  ///< paper-coloured border, for lines that must stand out
};

struct ViewPoint {
    collision::Vec3f p;
    Ink ink = Ink::witness;
    float radius = 7;  ///< pixels at scale 1
};

/// Text at a place. `chip` labels sit on paper chips; engraved ones lie in the plane (pose, height in
/// metres).
struct ViewLabel {
    collision::Vec3f p;
    std::string text;
    Ink ink = Ink::witness;
    bool engraved = false;
    collision::Pose pose;  ///< engraved: text runs along +X, up is +Y, readable from +Z
    float height = 0.006f;
    bool from_left = false;  ///< engraved: starts at the pose instead of standing around it
};

struct ViewCamera {
    collision::Vec3f position{0, 0.5f, 2}, target{};
    float vertical_fov = 0.48f;  ///< radians
    float near_plane = 0.02f, far_plane = 50;
};

struct ViewLight {
    collision::Vec3f towards{-0.56f, 0.78f, 0.44f};
    float shadow_half_width = 3;  ///< metres
    collision::Vec3f shadow_centre{};
    float fade_start = 6, fade_end = 13;  ///< metres at which the floor melts into the sky
    float occlusion = 0.85f;
};

/// A whole picture. Reused between frames; clear() keeps the memory.
struct SceneView {
    std::vector<Drawable> drawables;
    std::vector<ViewCrowd> crowds;
    std::vector<ViewLine> lines;
    std::vector<ViewPoint> points;
    std::vector<ViewLabel> labels;
    void clear() {
        drawables.clear();
        crowds.clear();
        lines.clear();
        points.clear();
        labels.clear();
    }
};

}  // namespace claybox::app
