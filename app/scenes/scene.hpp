#pragma once

#include "app/scenes/step.hpp"
#include "app/scenes/view.hpp"
#include "collision/core/parameter.hpp"
#include "collision/module/world.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace claybox::app {

/// A figure that a scene shows in its panel and writes to `run --json`.
struct Figure {
    const char* id;     ///< "volume_before"
    const char* title;  ///< "Volume before"
    double value = 0;
    const char* unit = "";
    int decimals = 0;
};

/// Switches of the overlays, by the view options of the panel.
struct ViewOptions {
    bool witness = true;
    bool bounds = false;
    bool broad_phase = false;
    std::uint32_t broad_phase_level = collision::ViewWish::kEveryLevel;  ///< of its boxes, which are drawn
    bool labels = true;
    bool dimensions = true;
    bool first_steps = false;  ///< the hint is to be seen: where it says to begin
    /// Hands of now, right and left, which are drawn in place of the last step's, with what they hold; where
    /// one is not present, that of the step is. Null: both as of the step. Valid while the view is made.
    const std::array<HandInput, 2>* newest_hands = nullptr;
};

/// One frame of a hand script: where the hand is and how its fingers are curled. Between key frames it is
/// interpolated.
struct HandKey {
    std::uint64_t frame = 0;
    collision::Pose wrist;        ///< hand frame: fingers along -Z, back of the hand +Y, right hand
    std::array<float, 5> curl{};  ///< thumb .. little finger, 0 straight .. 1 fist
};

/// Where the middle of a fingertip's ball is as it touches, world frame, and the unit direction in which it
/// pushes on.
struct HandAim {
    collision::Vec3d touch, push;
};

/// What a file dialogue or an action of a scene can save.
struct ExportMesh {
    const collision::Topology* topology = nullptr;
    const std::vector<collision::Vec3f>* positions = nullptr;  ///< metres
};

/// A scene: builds bodies in a world, moves them by its own rules, and says what it looks like. GL-free,
/// ImGui-free and deterministic: equal parameters, seed and inputs give equal worlds (in serial mode to the
/// bit).
class Scene {
  public:
    virtual ~Scene() = default;
    /// Meshes of people's own to take as bodies, before build(); they live as long as the scene. Scenes whose
    /// descriptor says takes_meshes.
    virtual void take_meshes(std::span<const collision::ShapePtr> /*meshes*/) {}
    /// Adds bodies to an empty world. Called once.
    virtual collision::Status build(collision::World& world, const collision::ParameterValues& parameters,
                                    std::uint64_t seed) = 0;
    /// One frame: read events of the world, respond, move, publish(input.frame), check().
    virtual void step(collision::World& world, const StepInput& input, StepOutput& output) = 0;
    /// Takes changed parameters that need no rebuild (see Parameter tables); the world keeps its bodies.
    virtual void set_parameters(const collision::ParameterValues& parameters) = 0;

    virtual void meshes(std::vector<ViewMesh>& out) const = 0;
    virtual void view(const ViewOptions& options, SceneView& out) const = 0;
    virtual ViewCamera camera() const = 0;
    virtual ViewLight light() const = 0;
    /// The box in which the fingertip of a mouse-driven hand may move.
    virtual collision::Aabb hand_region() const = 0;
    /// Where an idle hand waits, how it points into the scene and how its fingers are curled (`frame` means
    /// nothing).
    virtual HandKey hand_rest() const { return {}; }
    /// What a mouse-driven hand that points along the unit ray aims at; nothing where there is nothing.
    virtual std::optional<HandAim> hand_aim(const collision::Vec3d& /*origin*/,
                                            const collision::Vec3d& /*direction*/) const {
        return std::nullopt;
    }
    /// A poke ends where it began, wherever the pointer goes: keys, not strokes.
    virtual bool hand_pokes() const { return false; }
    /// How far the left button pushes the fingertip past that surface, metres; and whether it also pinches.
    virtual double hand_reach() const { return 0.012; }
    virtual bool hand_pinches() const { return false; }
    /// A mouse-driven hand holds something: it keeps its distance whatever the pointer passes over.
    virtual bool hand_holds() const { return false; }
    virtual std::vector<Figure> figures() const { return {}; }
    /// The built-in script that `run --headless` plays when nobody drives the hand; empty: no hand.
    virtual std::span<const HandKey> script() const { return {}; }
    virtual ExportMesh export_mesh() const { return {}; }
    /// Short sentence for what is picked: "Body 12: ellipsoid, 100 vertices". Empty for nothing.
    virtual std::string describe_pick(std::uint32_t /*pick*/) const { return {}; }
};

/// For SceneDescriptor::make.
template <class T>
std::unique_ptr<Scene> make_scene() {
    return std::make_unique<T>();
}

struct SceneDescriptor {
    const char* id;
    const char* title;    ///< "Cage"
    const char* summary;  ///< one sentence: what to look for
    const char* hint;     ///< first-run hint: what to do now
    std::span<const collision::Parameter> parameters = {};
    std::uint32_t rebuild_mask = 0;             ///< bit i: parameter i takes effect by rebuilding the scene
    std::span<const char* const> actions = {};  ///< titles of StepInput::actions: "Reset", "Undo"
    bool uses_hand = false;
    std::unique_ptr<Scene> (*make)() = nullptr;
    bool explains = false;      ///< shows how one algorithm works: its own settings are what people look for
    bool takes_meshes = false;  ///< bodies can be meshes of people's own
};

std::span<const SceneDescriptor* const> scenes();
const SceneDescriptor* find_scene(std::string_view id);

}  // namespace claybox::app
