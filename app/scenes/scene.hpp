#pragma once

#include "app/buttons/press_trail.hpp"
#include "app/potter/files/place_on_wheel.hpp"
#include "app/scenes/scene_key.hpp"
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

/// A number that a scene shows in its panel and writes to `run --json`.
struct Figure {
    const char* id;     ///< "volume_before"
    const char* title;  ///< "Volume before"
    double value = 0;
    const char* unit = "";
    int decimals = 0;
    bool is_minor = false;  ///< shown under "More figures"
};

/// From where a picture is seen.
struct ViewEye {
    collision::Vec3f position, target;
};

/// Which overlays to draw. Set by the view options of the panel.
struct ViewOptions {
    bool witness = true;
    bool bounds = false;
    bool broad_phase = false;
    std::uint32_t broad_phase_level = collision::ViewRequest::kEveryLevel;  ///< level whose boxes are drawn
    bool labels = true;
    bool dimensions = true;
    bool hands = true;
    bool ghosts = true;          ///< the tracked hand, faintly, where the drawn hand is elsewhere
    double turn = 0;             ///< turns what is shaped on its wheel, radians, for pictures from all sides
    bool show_hint = false;      ///< marks the place at which the scene's hint tells people to start
    std::optional<ViewEye> eye;  ///< for what is drawn upright or by depth; empty: the scene's own camera
    /// Newest poses of the right and left hand, drawn with whatever they hold instead of the poses of the
    /// last step. A hand that is not present here is drawn as of the step. Null: both are. Must outlive the
    /// call of view().
    const std::array<HandInput, 2>* newest_hands = nullptr;
};

/// Interest group of a scene's bodies, as the card Broad phase shows it.
struct SceneGroup {
    unsigned group = 0;  ///< BodyDef::group
    std::string name;
    int colour = -1;  ///< palette step of its bodies; negative: they have different ones
    std::size_t bodies = 0;
};

/// One key frame of a hand script: the wrist and the curl of the fingers. Frames in between are interpolated.
struct HandKey {
    std::uint64_t frame = 0;
    collision::Pose wrist;        ///< right hand; fingers along -Z, back of the hand +Y
    std::array<float, 5> curl{};  ///< thumb .. little finger, 0 straight .. 1 fist
};

/// Centre of the fingertip's ball when it touches, and the unit direction of the push. World frame.
struct HandAim {
    collision::Vec3d touch, push;
};

class ClaySurface;

/// The mesh that a scene offers for export.
struct ExportMesh {
    const collision::Topology* topology = nullptr;
    const std::vector<collision::Vec3f>* positions = nullptr;  ///< metres
};

/// A scene builds bodies in a world, moves them by its own rules and describes its picture. It uses neither
/// OpenGL nor ImGui. Deterministic: equal parameters, seed and inputs give equal worlds (bit-identical in
/// serial mode).
class Scene {
  public:
    virtual ~Scene() = default;
    /// Sets the user's meshes that serve as bodies. Called before build(); the meshes outlive the scene. Only
    /// scenes with SceneDescriptor::accepts_meshes use them. A scene with EditSupport::all also gets them
    /// later, with more meshes at the end.
    virtual void set_meshes(std::span<const collision::ShapePtr> /*meshes*/) {}
    /// Sets the bodies to start with, in place of the scene's own. Called before build(); only scenes with
    /// EditSupport::all use them.
    virtual void set_bodies(std::span<const PlacedBody> /*bodies*/) {}
    /// The bodies as they are, for set_bodies(); empty without EditSupport::all.
    virtual std::vector<PlacedBody> bodies() const { return {}; }
    /// Pick of the body that was added last; kNoIndex if there is none.
    virtual std::uint32_t newest_body() const { return collision::kNoIndex; }
    /// Adds bodies to an empty world. Called once.
    virtual collision::Status build(collision::World& world, const collision::ParameterValues& parameters,
                                    std::uint64_t seed) = 0;
    /// Takes over from a scene of the same kind what the user would miss, such as the history of undo. Called
    /// once, after build(), when another parameter has rebuilt the scene; `before` is destroyed afterwards.
    virtual void keep_work(Scene& /*before*/, collision::World& /*world*/) {}
    /// Runs one frame: polls events, responds, moves bodies, calls publish(input.frame) and check().
    virtual void step(collision::World& world, const StepInput& input, StepOutput& output) = 0;
    /// Applies changed parameters that need no rebuild (see SceneDescriptor::rebuild_mask). The world keeps
    /// its bodies.
    virtual void set_parameters(const collision::ParameterValues& parameters) = 0;

    virtual void meshes(std::vector<ViewMesh>& out) const = 0;
    virtual void view(const ViewOptions& options, SceneView& out) const = 0;
    virtual ViewCamera camera() const = 0;
    /// From where view() is seen.
    ViewEye eye(const ViewOptions& options) const {
        if (options.eye) return *options.eye;
        const ViewCamera own = camera();
        return {own.position, own.target};
    }
    virtual ViewLight light() const = 0;
    /// Box in which the fingertip of a mouse-driven hand may move.
    virtual collision::Aabb hand_region() const = 0;
    /// Pose of an idle hand. `frame` is unused.
    virtual HandKey hand_rest() const { return {}; }
    /// Target of a mouse-driven hand that points along the unit ray; empty if there is none.
    virtual std::optional<HandAim> hand_aim(const collision::Vec3d& /*origin*/,
                                            const collision::Vec3d& /*direction*/) const {
        return std::nullopt;
    }
    /// True where the hand pokes (keys): a poke ends where it began, wherever the pointer moves. False for
    /// strokes.
    virtual bool hand_pokes() const { return false; }
    /// How far the left mouse button pushes the fingertip past the target, metres.
    virtual double hand_reach() const { return 0.012; }
    /// Whether the left mouse button also closes thumb and forefinger.
    virtual bool hand_pinches() const { return false; }
    /// True while a mouse-driven hand holds something. The hand then keeps its distance, whatever the pointer
    /// passes over.
    virtual bool hand_holds() const { return false; }
    /// Whether the hand, an index into StepInput::hand, touches what it shapes: a stroke that the user may
    /// have steadied.
    virtual bool hand_touches(std::size_t /*hand*/) const { return false; }
    /// The interest groups that the user may exclude from tests; empty: there are none.
    virtual std::vector<SceneGroup> groups() const { return {}; }
    /// Whether the scene waits for its user: once its picture has stopped changing, steps without input
    /// change nothing. The program then sleeps.
    virtual bool waits() const { return false; }
    virtual std::vector<Figure> figures() const { return {}; }
    /// The last press of a button, for the card Scene; empty for scenes without buttons.
    virtual std::optional<PressCurve> press_curve() const { return std::nullopt; }
    /// Built-in hand script that `run --headless` plays; empty for scenes without a hand.
    virtual std::span<const HandKey> script() const { return {}; }
    virtual ExportMesh export_mesh() const { return {}; }
    /// The clay that is saved in the background; null if the scene has none.
    virtual const ClaySurface* clay_surface() const { return nullptr; }
    /// Describes a picked drawable: "Body 12: ellipsoid, 100 vertices". Empty for an unknown pick.
    virtual std::string describe_pick(std::uint32_t /*pick*/) const { return {}; }
};

/// Factory for SceneDescriptor::make.
template <class T>
std::unique_ptr<Scene> make_scene() {
    return std::make_unique<T>();
}

/// Parameters from `first` up to the next section are shown under a title that folds.
struct ParameterSection {
    std::size_t first = 0;
    const char* title = "";
    const char* help = "";
};

/// A choice that is shown as pictures instead of a list. The icons are named like scene and choice, such as
/// "potter_push".
struct ParameterPalette {
    std::size_t parameter = 0;
    std::span<const char* const> help = {};  ///< a sentence for each choice
};

struct SceneDescriptor {
    const char* id;
    const char* title;    ///< "Cage"
    const char* summary;  ///< what the scene shows
    std::span<const collision::Parameter> parameters = {};
    std::uint32_t rebuild_mask = 0;             ///< bit i: a change of parameter i rebuilds the scene
    std::span<const char* const> actions = {};  ///< titles of StepInput::actions: "Reset", "Undo"
    bool uses_hand = false;
    std::unique_ptr<Scene> (*make)() = nullptr;
    bool explains_algorithm =
        false;  ///< shows how one algorithm works; its panel opens with the scene's own settings
    bool accepts_meshes = false;  ///< bodies can be the user's meshes
    std::span<const ParameterSection> sections =
        {};  ///< ascending; parameters before the first are always shown
    std::span<const SceneKey> keys = {};
    /// Brings a mesh from a file to the place and size that the scene needs; null: it stays as it is. In such
    /// a scene the first mesh takes the place of what the parameters of `rebuild_mask` would build.
    collision::PolygonList (*place_mesh)(collision::PolygonList mesh, const MeshUnits& units) = nullptr;
    std::optional<ParameterPalette> palette = {};
    std::span<const char* const> action_help = {};  ///< a sentence for each of `actions`, or empty
    /// Bodies have the continuous switch: the card Algorithm shows the continuous algorithm without a fold.
    bool continuous = false;
    EditSupport edits = EditSupport::none;  ///< which of StepInput::edits the scene carries out
};

std::span<const SceneDescriptor* const> scenes();
const SceneDescriptor* find_scene(std::string_view id);

}  // namespace claybox::app
