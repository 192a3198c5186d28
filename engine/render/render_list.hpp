#pragma once
// The renderer's input: plain data, filled by the application each frame.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace claybox::engine {

/// Triangles and edge lines of a mesh, local frame, metres. Front faces are counter-clockwise; only glass and
/// floors are visible from behind.
struct MeshData {
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals;  ///< one per position
    std::vector<float> cavity;       ///< one per position or empty, for clay: 0 groove .. 1 open; -1 frozen
    std::vector<float> thickness;    ///< of the wall, one per position or empty, metres, for clay
    std::vector<std::uint32_t> triangles;
    std::vector<std::uint32_t>
        edges;  ///< pairs of position indices: polygon boundaries without inner diagonals
    /// The same for a mesh whose vertices move, instead of `edges`: both ends, and a vertex beside the edge
    /// in each of its polygons, which tells how dense the edges are.
    std::vector<std::array<std::uint32_t, 4>> wire;
};

using MeshHandle = std::uint32_t;

/// Floors blend into the sky far from LightData::shadow_centre. Wood has planks along x. Glass is drawn last,
/// two-sided, casts no shadow and cannot be picked. The dark theme overrides the albedo of floor and plinth.
enum class Surface : std::uint8_t { matte, clay, glass, wood, plinth, floor, emissive };

/// sRGB albedo (the renderer converts to linear); spec and gloss of a Blinn highlight.
struct MaterialData {
    Surface surface = Surface::matte;
    glm::vec3 albedo{0.8f};
    float spec = 0.05f, gloss = 18;
    float emission = 0;     ///< fraction of the albedo
    float wetness = 1;      ///< clay: 0 dry, 1 wet, 1.6 glazed
    float thin_below = 0;   ///< clay: thinner walls are marked, metres; 0: none
    float edge_alpha = 0;   ///< strength of polygon edges, 0 none
    unsigned edge_rgb = 0;  ///< sRGB of wide polygon edges; 0: thin ones, darker than the albedo
    float grid = 0;         ///< plinth and floor: spacing of fine lines in metres, 0 none
};

struct Instance {
    MeshHandle mesh = 0;
    glm::mat4 world_from_local{1};
    MaterialData material;
    bool casts_shadow = true;
    std::uint32_t pick = 0xffffffffu;
    float opacity = 1;  ///< below 1: drawn after the opaque instances (a fading hand)
};

/// A sphere that darkens surfaces near it (contact occlusion), except those of its own instance.
struct Occluder {
    glm::vec3 centre{0};  ///< world frame
    float radius = 0;
    std::uint32_t instance = 0;  ///< index in RenderList::instances
};

/// Many opaque bodies of one mesh, without mirroring or scaling, in one draw call. Only visible bodies are
/// drawn; the others still cast shadows. The spans must stay valid during Renderer::draw().
struct InstanceRun {
    MeshHandle mesh = 0;
    std::span<const MaterialData> materials;  ///< all of one surface
    std::span<const float> positions;         ///< three per body, metres
    std::span<const float> rotations;         ///< four per body: w x y z, unit length
    std::span<const std::uint8_t> material;   ///< material index of each body
    float radius = 0;                         ///< bounding sphere around the position
    std::uint32_t first_pick =
        0xffffffffu;  ///< pick number of the first body, increasing; the default: not pickable
};

struct Line {
    glm::vec3 from, to;
    glm::vec4 colour;            ///< sRGB, straight alpha
    float width = 1.5f;          ///< pixels at scale 1
    glm::vec4 casing{0};         ///< colour of a wider border; alpha 0: none
    float hidden_alpha = 0.35f;  ///< opacity where the line is hidden
};

struct Disc {
    glm::vec3 p;
    glm::vec4 colour;
    float radius = 7;  ///< pixels at scale 1
    glm::vec4 border{0};
};

/// A glow around a lamp, blended additively.
struct Halo {
    glm::vec3 p;
    glm::vec3 colour;       ///< sRGB
    float radius = 0.025f;  ///< metres
    float strength = 0.75f;
};

/// Text painted on a surface: baseline centre at the pose's origin, along +X, readable from +Z. Lines are
/// separated by '\n'; the block is centred vertically around the position of a single line.
struct EngravedText {
    std::string text;
    glm::mat4 world_from_text{1};
    float height = 0.006f;   ///< cap height in metres
    bool from_left = false;  ///< starts at the pose instead of being centred on it
    glm::vec4 colour{0.227f, 0.239f, 0.266f, 1};
};

/// A filled translucent polygon, for separating planes.
struct Quad {
    glm::vec3 corner[4];
    glm::vec4 colour;
};

/// A picture on part of an upright cylinder, seen from its axis: a panel around the viewer.
struct Board {
    unsigned texture = 0;  ///< OpenGL name; sRGB, premultiplied alpha
    /// Pose of the surface's middle: +X right, +Y up, +Z towards the axis.
    glm::mat4 world_from_board{1};
    float width = 0, height = 0, radius = 0;  ///< metres; radius 0: flat
    glm::vec4 uv{0, 0, 1, 1};                 ///< texture coordinates: left, bottom, right, top
};

/// An eye of a headset: angles in radians from its axis as in OpenXR; left and down are negative.
struct EyeView {
    glm::quat world_from_eye{1, 0, 0, 0};  ///< view direction -Z, +Y up
    float left = -0.7f, right = 0.7f, up = 0.7f, down = -0.7f;
};

struct CameraData {
    /// `target` also selects the most relevant occluders; both eyes must use the same one.
    glm::vec3 position{0, 0.5f, 2}, target{0};
    glm::vec3 up{0, 1, 0};
    float vertical_fov = 0.48f;
    float near_plane = 0.02f, far_plane = 60;
    glm::vec2 shift{0};          ///< view offset in pixels at scale 1: +x moves the scene left, +y up
    std::optional<EyeView> eye;  ///< replaces the target's direction, up, vertical_fov and shift
};

struct LightData {
    glm::vec3 towards{-0.56f, 0.78f, 0.44f};
    glm::vec3 shadow_centre{0};
    float shadow_half_width = 3;
    float fade_start = 6, fade_end = 13;
    float occlusion = 0.85f;
    bool dark_theme = false;
};

struct RenderList {
    CameraData camera;
    LightData light;
    std::vector<Instance> instances;
    std::vector<Occluder> occluders;
    std::vector<InstanceRun> runs;
    std::vector<Line> lines;
    std::vector<Disc> discs;
    std::vector<Quad> quads;
    std::vector<Halo> halos;
    std::vector<EngravedText> texts;
    std::vector<Board> boards;
    /// Adds an occluder of the last instance. `centre`: world frame; radius 0: none.
    void add_occluder(const glm::vec3& centre, float radius) {
        if (radius > 0)
            occluders.push_back({centre, radius, static_cast<std::uint32_t>(instances.size() - 1)});
    }
    void clear() {
        instances.clear();
        occluders.clear();
        runs.clear();
        lines.clear();
        discs.clear();
        quads.clear();
        halos.clear();
        texts.clear();
        boards.clear();
    }
};

}  // namespace claybox::engine
