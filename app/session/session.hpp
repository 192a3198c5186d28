#pragma once
// A running scene: world, scene, settings and frame counter, stepped by whoever drives it: the window, the
// command line, a replay or a test. GL-free.

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
    std::vector<collision::ShapePtr> meshes;  ///< people's own, for scenes that take them
};

/// What one frame cost and did, measured on the stepping thread.
struct FrameReport {
    std::uint64_t frame = 0;
    double step_seconds = 0;       ///< the whole Session::step
    collision::PassStats pass;     ///< of the last finished pass
    std::uint64_t state_hash = 0;  ///< of the world after its last pass
};

/// Thread contract: one thread calls everything. The world inside may run its own thread (concurrent
/// setting).
class Session {
  public:
    /// Refuses an unknown scene or parameters that the scene refuses.
    static collision::Result<std::unique_ptr<Session>> create(const SessionOptions& options);

    /// Runs one frame. `input.frame` is set here. Commands of the scene that concern the world (algorithm,
    /// broad phase, concurrency, exactness, own parameters) are carried out; the rest (scene, pause, step)
    /// stays in output() for the owner.
    const FrameReport& step(StepInput input);

    /// Carries out one command that concerns the world or the scene's parameters; the owner (panels,
    /// recordings) calls this for what people switch. An unknown id or value is an error and changes nothing.
    collision::Status apply(const Command& command);

    /// Builds the scene anew with its current parameters and seed; settings stay, frame goes on.
    collision::Status rebuild();
    /// Changes one scene parameter; rebuilds when the table says so.
    collision::Status set_parameter(std::size_t index, double value);

    const SceneDescriptor& descriptor() const { return *descriptor_; }
    Scene& scene() { return *scene_; }
    const Scene& scene() const { return *scene_; }
    collision::World& world() { return *world_; }
    const SessionOptions& options() const { return options_; }
    collision::WorldSettings settings() const { return world_->settings(); }
    void set_settings(const collision::WorldSettings& settings);
    /// The broad phase or its comparison with all pairs was switched, and no pass has taken that yet: what
    /// the last pass tells of them is of before.
    bool broad_phase_waits() const { return world_->stats().frame < switched_in_; }
    std::uint64_t frame() const { return frame_; }
    const StepOutput& output() const { return output_; }
    const FrameReport& report() const { return report_; }

  private:
    Session() = default;
    SessionOptions options_;
    const SceneDescriptor* descriptor_ = nullptr;
    std::unique_ptr<collision::World> world_;
    std::unique_ptr<Scene> scene_;
    std::uint64_t frame_ = 0;
    std::uint64_t switched_in_ = 0;  ///< the frame that tells passes of a switched broad phase
    StepOutput output_;
    FrameReport report_;
};

/// "name=value" of a table of parameters; an error changes nothing.
collision::Status set_by_name(std::span<const collision::Parameter> table, const std::string& text,
                              collision::ParameterValues& values);

/// The engine's hand as scenes take it, and a scene's key pose as the engine poses it.
HandInput to_hand_input(const engine::HandState& state);
engine::HandPose to_hand_pose(const HandKey& key);

/// Of a scene's built-in script at a frame, between its keys; nothing where there is none.
std::optional<HandKey> script_key(const Scene& scene, std::uint64_t frame);
/// The same as the engine's hand model poses it.
HandInput scripted_hand(const Scene& scene, std::uint64_t frame);

}  // namespace claybox::app
