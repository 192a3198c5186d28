#pragma once
// What the renderer draws: plain data, filled by the application each frame.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace claybox::engine {

/// Triangles and edge lines of a mesh, local frame, metres. Triangles run counter-clockwise seen from
/// outside; only glass and floors are also seen from behind.
struct MeshData {
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals;  ///< one per position
    std::vector<float> cavity;       ///< one per position or empty: 0 groove .. 1 open, for clay
    std::vector<std::uint32_t> triangles;
    std::vector<std::uint32_t> edges;  ///< pairs of position indices: polygon boundaries, no inner diagonals
};

using MeshHandle = std::uint32_t;

/// Light: floor melts into the sky far from LightData::shadow_centre; wood gets planks along x; glass is
/// drawn last, from both sides, casts no shadow and cannot be picked. In the dark theme floor and plinth take
/// a dark albedo by themselves.
enum class Surface : std::uint8_t { matte, clay, glass, wood, plinth, floor, emissive };

/// sRGB albedo (converted to linear by the renderer); spec and gloss as in a Blinn highlight.
struct MaterialData {
    Surface surface = Surface::matte;
    glm::vec3 albedo{0.8f};
    float spec = 0.05f, gloss = 18;
    float emission = 0;    ///< fraction of the albedo
    float wetness = 1;     ///< clay: 0 dry, 1 wet, 1.6 glazed
    float edge_alpha = 0;  ///< strength of polygon edges, 0 none
    float grid = 0;        ///< plinth and floor: spacing of fine lines in metres, 0 none
};

struct Instance {
    MeshHandle mesh = 0;
    glm::mat4 world_from_local{1};
    MaterialData material;
    bool casts_shadow = true;
    float occluder_radius = 0;  ///< contact-occlusion sphere at the instance's origin, 0 none
    std::array<glm::vec4, 2> occluders{glm::vec4(0), glm::vec4(0)};  ///< two more, world frame, w: radius
    std::uint32_t pick = 0xffffffffu;
    float opacity = 1;  ///< below 1: drawn after the opaque ones (a fading hand)
};

/// Many opaque bodies of one mesh without mirroring or scaling: a draw call, and little work for each. Only
/// those that the camera sees are drawn; the others cast their shadows. Read while Renderer::draw() runs.
struct InstanceRun {
    MeshHandle mesh = 0;
    std::span<const MaterialData> materials;  ///< of one surface
    std::span<const float> positions;         ///< three a body, metres
    std::span<const float> rotations;         ///< four a body: w x y z, unit length
    std::span<const std::uint8_t> material;   ///< index of each body's
    float radius = 0;                         ///< of the ball about the position that holds the mesh
    std::uint32_t first_pick = 0xffffffffu;   ///< counts on; the default: none can be picked
};

struct Line {
    glm::vec3 from, to;
    glm::vec4 colour;            ///< sRGB, straight alpha
    float width = 1.5f;          ///< pixels at scale 1
    glm::vec4 casing{0};         ///< a wider border of this colour, alpha 0 for none
    float hidden_alpha = 0.35f;  ///< strength where something lies in front
};

struct Disc {
    glm::vec3 p;
    glm::vec4 colour;
    float radius = 7;  ///< pixels at scale 1
    glm::vec4 border{0};
};

/// A glow about a lamp, added to what is behind it.
struct Halo {
    glm::vec3 p;
    glm::vec3 colour;       ///< sRGB
    float radius = 0.025f;  ///< metres
    float strength = 0.75f;
};

/// Text painted on a surface: baseline centre at the origin of the pose, along +X, readable from +Z.
/// Lines are parted by '\n' and centred about the place of a single one.
struct EngravedText {
    std::string text;
    glm::mat4 world_from_text{1};
    float height = 0.006f;   ///< cap height in metres
    bool from_left = false;  ///< starts at the pose instead of standing around it
    glm::vec4 colour{0.227f, 0.239f, 0.266f, 1};
};

/// A filled see-through polygon, for separating planes.
struct Quad {
    glm::vec3 corner[4];
    glm::vec4 colour;
};

/// A picture on a part of an upright cylinder that is seen from its axis: a panel around the viewer.
struct Board {
    unsigned texture = 0;  ///< OpenGL's name; sRGB, multiplied by its alpha
    /// The middle of the surface: +X right, +Y up, +Z to the axis.
    glm::mat4 world_from_board{1};
    float width = 0, height = 0, radius = 0;  ///< metres of the world; a radius of 0 is flat
    glm::vec4 uv{0, 0, 1, 1};                 ///< of the texture: left, low, right, high
};

/// An eye of a headset: radians from its axis as OpenXR gives them, left and down negative, each side its
/// own.
struct EyeView {
    glm::quat world_from_eye{1, 0, 0, 0};  ///< looks along -Z, +Y up
    float left = -0.7f, right = 0.7f, up = 0.7f, down = -0.7f;
};

struct CameraData {
    /// `target` also says what matters most where there is too much (occluders): both eyes name the same.
    glm::vec3 position{0, 0.5f, 2}, target{0};
    glm::vec3 up{0, 1, 0};
    float vertical_fov = 0.48f;
    float near_plane = 0.02f, far_plane = 60;
    glm::vec2 shift{0};          ///< view offset in pixels at scale 1: +x moves the scene to the left, +y up
    std::optional<EyeView> eye;  ///< instead of the direction to the target, up, vertical_fov and shift
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
    std::vector<InstanceRun> runs;
    std::vector<Line> lines;
    std::vector<Disc> discs;
    std::vector<Quad> quads;
    std::vector<Halo> halos;
    std::vector<EngravedText> texts;
    std::vector<Board> boards;
    void clear() {
        instances.clear();
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
