#pragma once
// The two hands as bodies of a world: 16 convex parts each, added when a hand appears and removed when it
// disappears.

#include "app/scenes/hands/hand_stop.hpp"
#include "app/scenes/shared/decor.hpp"
#include "collision/module/world.hpp"

#include <bitset>
#include <optional>

namespace claybox::app {

inline constexpr std::size_t kTwoHands = 2 * static_cast<std::size_t>(kHandParts);

/// Rotation that maps -Z to `forward` and +Y as close to `up` as possible; neither needs unit length.
collision::Quat looking(const collision::Vec3d& forward, const collision::Vec3d& up);

/// Points whose hull is a hand part along -Z: a 14-sided capsule, or the slab of the palm.
std::vector<collision::Vec3f> hand_part_points(int part, float radius, float length);

/// The parts of a hand that are bodies of the world. The others are drawn faintly and touch nothing.
struct HandTool {
    std::bitset<kHandParts> parts = std::bitset<kHandParts>().set();
    /// If set, it replaces the index fingertip: a convex shape around the end of the finger, axes of the
    /// part.
    collision::ShapePtr object;
    friend bool operator==(const HandTool&, const HandTool&) = default;
};

class HandBodies {
  public:
    /// Mesh ids start at `first_mesh`; they must not clash with the ids of the scene.
    HandBodies(unsigned part_group, unsigned tip_group, std::uint64_t first_mesh)
        : part_group_(part_group), tip_group_(tip_group), store_(first_mesh) {}

    /// Adds, moves or removes bodies to follow the input. Every present part counts as moved. The parts fit
    /// the radii and lengths of the input; they are rebuilt at most once per second, when a measure has
    /// changed by more than kSizeTolerance.
    collision::Status update(collision::World& world, const StepInput& input);
    /// Both hands use this tool from the next update() on.
    void use(HandTool tool);
    const HandTool& tool() const { return tool_; }
    /// Stops the drawn hand at walls; call after update(). Without a call, the hand is drawn at its tracked
    /// pose.
    void stop_at(std::size_t hand, std::span<const HandWall> walls);
    /// Part number (hand * 16 + part) of a body; empty if it is not a hand part. Late events may name removed
    /// bodies.
    std::optional<std::uint32_t> find(collision::BodyId body) const;
    bool present(std::size_t hand) const { return hands_[hand].present; }
    /// Of the last frame in which the hand was present.
    const HandInput& input(std::size_t hand) const { return hands_[hand].input; }
    const HandShapes& shapes(std::size_t hand) const { return hands_[hand].shape; }

    void append_meshes(std::vector<ViewMesh>& out) const { store_.append_to(out); }
    /// Draws the hands, with `ghosts` a faint one where the tracked hand is elsewhere, and lost hands while
    /// they fade. `newest`: see ViewOptions::newest_hands; the offset from walls is that of the last step.
    void view(const std::bitset<kTwoHands>& active, const std::array<HandInput, 2>* newest, SceneView& out,
              bool ghosts = true) const;

    static constexpr double kSizeTolerance = 0.03;  ///< relative, of a radius or length
    static constexpr double kFadeSeconds = 0.200;   ///< fade-out of a lost hand

  private:
    struct Hand {
        bool present = false;
        HandInput input;  ///< of the last frame in which the hand was present
        HandShapes shape;
        std::array<float, kHandParts> radius{}, length{};  ///< measures of the shapes
        std::uint64_t made = 0;                            ///< frame in which the shapes were made
        std::array<std::uint64_t, kHandParts> mesh{};
        std::array<collision::BodyId, kHandParts> body;
        HandStop stop;
        collision::Vec3d offset;
        double strength = 0;  ///< opacity: 1 while present, then falls to 0
    };
    static bool differs(const Hand& hand, const HandInput& now);
    collision::Status make_shapes(Hand& hand, const HandInput& input, std::uint64_t frame);
    collision::Status appear(collision::World& world, std::size_t index);
    collision::Status vanish(collision::World& world, Hand& hand);
    collision::Status follow(collision::World& world, std::size_t index, const StepInput& input);
    struct Look {
        const HandInput& input;
        collision::Vec3d offset;
        float opacity;
    };
    void view_parts(const Hand& hand, const Look& look, const std::bitset<kTwoHands>& active,
                    std::size_t first, SceneView& out) const;

    collision::Pose pose_of(const HandInput& input, std::size_t part) const;

    unsigned part_group_, tip_group_;
    HandTool tool_;
    bool tool_changed_ = false;
    std::uint64_t object_mesh_ = 0;
    std::array<Hand, 2> hands_;
    std::vector<std::uint32_t> part_of_slot_;
    MeshStore store_;
};

}  // namespace claybox::app
