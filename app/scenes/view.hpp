#pragma once
// The picture of a scene, independent of the renderer. The bridge translates it.

#include "collision/geometry/shape.hpp"

#include <algorithm>
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
    hand_active,  ///< a part that touches something
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

/// A mesh that drawables refer to. The renderer uploads it again when `version` grows.
struct ViewMesh {
    std::shared_ptr<const collision::Topology> topology;
    const std::vector<collision::Vec3f>* positions =
        nullptr;           ///< owned by the scene, valid until the next step
    std::uint64_t id = 0;  ///< unique within the scene
    std::uint64_t version = 0;
    bool smooth = false;  ///< one normal per vertex, else flat
    /// Optional, for smooth meshes that change often: one normal and one cavity (0 groove .. 1 ridge, down
    /// to -1 where the clay is frozen) per vertex. `run_versions` holds the version of the last change for
    /// each run of `run` vertices; only newer runs are uploaded.
    const std::vector<collision::Vec3f>* normals = nullptr;
    const std::vector<float>* cavity = nullptr;
    const std::vector<std::uint64_t>* run_versions = nullptr;
    std::size_t run = 0;
    /// Optional, in addition: the wall at each vertex in metres, for Drawable::thin_below, with versions of
    /// its own for the same runs.
    const std::vector<float>* thickness = nullptr;
    const std::vector<std::uint64_t>* thickness_runs = nullptr;
    std::uint64_t thickness_version = 0;
    bool wire = false;  ///< of a smooth mesh: an outlined Drawable shows its polygons
};

/// Calls `visit(first, end)` for each range of vertices in runs that changed after `version`.
template <class Visit>
void visit_changed_runs(const ViewMesh& mesh, std::uint64_t version, Visit&& visit) {
    const std::vector<std::uint64_t>& runs = *mesh.run_versions;
    for (std::size_t first = 0; first < runs.size(); ++first) {
        if (runs[first] <= version) continue;
        std::size_t end = first + 1;
        while (end < runs.size() && runs[end] > version) ++end;
        visit(first * mesh.run, std::min(end * mesh.run, mesh.positions->size()));
        first = end;
    }
}

/// Sphere that darkens surfaces near it (contact occlusion); frame of its drawable.
struct ViewOccluder {
    collision::Vec3f p;
    float radius = 0;
    friend bool operator==(const ViewOccluder&, const ViewOccluder&) = default;
};

/// Number of palette steps that bodies can have.
inline constexpr int kPaletteSize = 8;

struct Drawable {
    std::uint64_t mesh = 0;  ///< ViewMesh::id
    collision::Pose pose;
    collision::Vec3f scale{1, 1, 1};
    Material material = Material::body;
    std::uint8_t colour = 0;  ///< palette step of a body
    bool colliding = false;
    float tint = 1;        ///< share of the collision colour on a colliding body
    float edge_tint = 0;   ///< share of the collision colour on the polygon edges of a body
    float flash = 0;       ///< 1 at a hit, fades to 0
    bool outlined = true;  ///< polygon edges
    bool casts_shadow = true;
    std::uint32_t pick = 0xffffffffu;         ///< selected by a click on it; kNoIndex for nothing
    float occluder_radius = 0;                ///< of an occluder at the pose; 0 for none
    std::array<ViewOccluder, 2> occluders{};  ///< two more; radius 0 for none
    float wetness = -1;    ///< of clay: 0 dry, 1 wet, 1.6 glazed; negative: default of the material
    float thin_below = 0;  ///< of clay: thinner walls are marked, metres; 0: none
    float opacity = 1;     ///< below 1: translucent
    friend bool operator==(const Drawable&, const Drawable&) = default;
};

enum class Ink : unsigned char { witness, separating, colliding, candidate, accent, dimension, bounds, grid };

/// Many instances of one mesh in one draw call: describing each as a Drawable takes longer than drawing it.
/// The scene owns the arrays; they are valid until its next step.
struct ViewCrowd {
    std::uint64_t mesh = 0;                           ///< ViewMesh::id
    std::span<const collision::Vec3f> positions;      ///< metres
    std::span<const std::array<float, 4>> rotations;  ///< w x y z, unit length
    std::span<const std::uint8_t> shades;             ///< of each body: index in SceneView::looks
    float radius = 0;                                 ///< of the bounding sphere around a position
    std::uint32_t first_pick = 0xffffffffu;           ///< of the first body; body i has first_pick + i
    /// Optional, one per body: where it was. A thin line shows its way since then.
    std::span<const collision::Vec3f> before;
    Ink way_ink = Ink::separating;
    float way_opacity = 0.45f;
    /// Optional, one per body: its pose in double precision, for whoever tests or moves the body.
    std::span<const collision::Pose> poses;
};

struct ViewLine {
    collision::Vec3f from, to;
    Ink ink = Ink::witness;
    float width = 1.5f;   ///< pixels at scale 1
    bool casing = false;  ///< paper-coloured border that makes the line stand out
    float opacity = 1;
    friend bool operator==(const ViewLine&, const ViewLine&) = default;
};

/// A translucent rectangle: a corner and two sides, metres.
struct ViewPlane {
    collision::Vec3f corner;
    std::array<collision::Vec3f, 2> sides;
    Ink ink = Ink::separating;
    float opacity = 0.2f;
    friend bool operator==(const ViewPlane&, const ViewPlane&) = default;
};

struct ViewPoint {
    collision::Vec3f p;
    Ink ink = Ink::witness;
    float radius = 7;  ///< pixels at scale 1
    friend bool operator==(const ViewPoint&, const ViewPoint&) = default;
};

/// Text at a point. Labels are drawn on paper chips; engraved ones in the plane of `pose`, `height` in
/// metres.
struct ViewLabel {
    collision::Vec3f p;
    std::string text;
    Ink ink = Ink::witness;
    bool engraved = false;
    collision::Pose pose;  ///< engraved: text runs along +X, up is +Y, readable from +Z
    float height = 0.006f;
    bool from_left = false;  ///< engraved: left-aligned at the pose instead of centred
    friend bool operator==(const ViewLabel&, const ViewLabel&) = default;
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
    float fade_start = 6, fade_end = 13;  ///< metres; the floor fades into the sky between them
    float occlusion = 0.85f;
};

/// A flat drawing over the picture, in a panel of its own. Coordinates of its plot: x to the right and y up,
/// from 0 to 1; the plot is `aspect` times as wide as high. What is outside is cut off.
struct ViewInset {
    struct Point {
        float x = 0, y = 0;
    };
    /// A line through points [first, first + count).
    struct Stroke {
        std::uint32_t first = 0, count = 0;
        Ink ink = Ink::dimension;
        float width = 1.5f;  ///< pixels at scale 1
        float opacity = 1;
    };
    struct Mark {
        Point at;
        Ink ink = Ink::witness;
        std::string text;  ///< next to the mark; may be empty
        bool small = false;
    };
    /// A filled convex polygon of points [first, first + count), under all strokes. Two points: the rectangle
    /// with these corners.
    struct Fill {
        std::uint32_t first = 0, count = 0;
        Ink ink = Ink::dimension;
        float opacity = 1;
    };
    struct LegendRow {
        Ink ink = Ink::witness;
        std::string text;
    };

    std::string title;
    float aspect = 1;
    std::string x_title, y_title;  ///< of the axes
    std::vector<Point> points;
    std::vector<Stroke> strokes;
    std::vector<Mark> marks;
    std::vector<Fill> fills;
    std::vector<LegendRow> legend;  ///< below the plot
    std::string note;               ///< below the legend

    void clear() {
        fills.clear();
        legend.clear();
        points.clear();
        strokes.clear();
        marks.clear();
    }
    /// Starts a stroke; add() continues it.
    void begin(Ink ink, float width = 1.5f, float opacity = 1) {
        strokes.push_back({static_cast<std::uint32_t>(points.size()), 0, ink, width, opacity});
    }
    void add(float x, float y) {
        points.push_back({x, y});
        ++strokes.back().count;
    }
    void fill(std::span<const Point> corners, Ink ink, float opacity) {
        fills.push_back({static_cast<std::uint32_t>(points.size()),
                         static_cast<std::uint32_t>(corners.size()), ink, opacity});
        points.insert(points.end(), corners.begin(), corners.end());
    }
};

/// One picture. Reused between frames; clear() keeps the memory.
struct SceneView {
    std::vector<Drawable> drawables;
    std::vector<ViewCrowd> crowds;
    /// Material, colours and flash of each shade of the crowds. They live as long as the program.
    std::span<const Drawable> looks;
    std::vector<ViewLine> lines;
    std::vector<ViewPlane> planes;
    std::vector<ViewPoint> points;
    std::vector<ViewLabel> labels;
    std::vector<ViewOccluder> keep_clear;  ///< spheres that chips should not cover; world frame
    std::vector<ViewInset> insets;
    void clear() {
        drawables.clear();
        crowds.clear();
        looks = {};
        lines.clear();
        planes.clear();
        points.clear();
        labels.clear();
        keep_clear.clear();
        insets.clear();
    }
};

}  // namespace claybox::app
