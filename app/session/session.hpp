#pragma once
// A running scene: world, scene, settings and frame counter. The window, the command line, a replay or a test
// steps it. Uses no OpenGL.

#include "app/scenes/scene.hpp"
#include "engine/hand/hand_model.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace claybox::app {

struct SessionOptions {
    std::string scene = "cage";
    collision::ParameterValues scene_parameters;  ///< in the order of the scene's table
    std::uint64_t seed = 1;
    collision::WorldSettings settings = collision::default_settings();
    std::vector<collision::ShapePtr> meshes;  ///< the user's meshes, for scenes that accept them
    std::vector<std::string> mesh_files;      ///< of `meshes`, for scene files; empty if they are not known
    /// Bodies to start with, for scenes with EditSupport::all; unset: the scene's own.
    std::optional<std::vector<PlacedBody>> bodies;
};

/// Cost and result of one frame, measured on the stepping thread.
struct FrameReport {
    std::uint64_t frame = 0;
    double step_seconds = 0;       ///< the whole Session::step
    collision::PassStats pass;     ///< of the last finished pass
    std::uint64_t state_hash = 0;  ///< of the world after its last pass
};

/// A scene with its world before its first step.
struct BuiltScene {
    SessionOptions options;
    const SceneDescriptor* descriptor = nullptr;
    std::unique_ptr<collision::World> world;  ///< before the scene, which may refer to it
    std::unique_ptr<Scene> scene;
};
/// Builds a scene; large ones take seconds. An unknown scene or invalid parameters are an error. Any thread
/// may call it, and another one may use the result.
collision::Result<BuiltScene> build_scene(const SessionOptions& options);

/// Thread contract: one thread calls everything. The world may run its own thread (concurrent setting).
class Session {
  public:
    /// The first step is frame `before` + 1.
    explicit Session(BuiltScene built, std::uint64_t before = 0);
    /// Builds the scene, too.
    static collision::Result<std::unique_ptr<Session>> create(const SessionOptions& options,
                                                              std::uint64_t before = 0);

    /// Runs one frame and sets `input.frame`. Executes commands of the scene that concern the world or the
    /// scene's parameters; the others (scene, pause, step) and failed ones stay in output() for the owner.
    const FrameReport& step(StepInput input);

    /// Executes a command that concerns the world or the scene's parameters. An unknown id or value is an
    /// error and changes nothing.
    collision::Status apply(const Command& command);

    /// Builds the scene again with its current parameters and seed. Settings and the frame counter stay.
    collision::Status rebuild();
    /// Changes one scene parameter; rebuilds the scene if SceneDescriptor::rebuild_mask requires it,
    /// and the scene then keeps the user's work (Scene::keep_work).
    collision::Status set_parameter(std::size_t index, double value);
    bool builds_anew(std::size_t parameter) const {
        return (descriptor_->rebuild_mask >> parameter & 1u) != 0;
    }

    /// The two halves of rebuild() and set_parameter(), for a build on another thread: what to build, and its
    /// use. Settings, and parameters that need no build, may change between them; the later values count.
    SessionOptions rebuild_options() const;
    collision::Result<SessionOptions> options_with(std::size_t parameter, double value) const;
    /// `keep`: the scene keeps the user's work. Precondition: a scene of the same kind.
    void install(BuiltScene built, bool keep);

    /// Offers the running scene one more mesh, for edits. Only scenes with EditSupport::all use it.
    void add_mesh(collision::ShapePtr mesh, std::string file);

    const SceneDescriptor& descriptor() const { return *descriptor_; }
    Scene& scene() { return *scene_; }
    const Scene& scene() const { return *scene_; }
    collision::World& world() { return *world_; }
    const SessionOptions& options() const { return options_; }
    collision::WorldSettings settings() const { return world_->settings(); }
    void set_settings(const collision::WorldSettings& settings);
    /// True while no pass has run since the broad phase, or its comparison with all pairs, was switched. The
    /// statistics of the last pass are then out of date.
    bool broad_phase_switch_pending() const { return world_->stats().frame < switched_in_; }
    std::uint64_t frame() const { return frame_; }
    /// How often the scene was built. Another number: another scene object.
    std::uint64_t builds() const { return builds_; }
    const StepOutput& output() const { return output_; }
    const FrameReport& report() const { return report_; }
    /// The scene's figures, with the contacts of the given pass. The scene itself receives the events of a
    /// pass in its next step, so its own number is one pass old.
    std::vector<Figure> figures(const collision::PassStats& pass) const;

  private:
    SessionOptions options_;
    const SceneDescriptor* descriptor_ = nullptr;
    std::unique_ptr<collision::World> world_;
    std::unique_ptr<Scene> scene_;
    std::uint64_t frame_ = 0, builds_ = 0;
    std::uint64_t switched_in_ = 0;  ///< first frame with the switched broad phase
    StepOutput output_;
    FrameReport report_;
};

/// Sets the parameter of "name=value". An error changes nothing.
collision::Status set_by_name(std::span<const collision::Parameter> table, const std::string& text,
                              collision::ParameterValues& values);

/// Conversions between the hands of engine and scenes.
HandInput to_hand_input(const engine::HandState& state);
engine::HandPose to_hand_pose(const HandKey& key);

/// Interpolated pose of the scene's hand script; empty if there is none at this frame.
std::optional<HandKey> script_key(const Scene& scene, std::uint64_t frame);
/// The scripted hand, posed by the hand model of the engine.
HandInput scripted_hand(const Scene& scene, std::uint64_t frame);

}  // namespace claybox::app
