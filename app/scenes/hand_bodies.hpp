#pragma once
// The two hands as bodies of a world: 16 convex parts each, made when a hand appears and removed when it is
// gone.

#include "app/scenes/decor.hpp"
#include "app/scenes/hand_stop.hpp"
#include "collision/module/world.hpp"

#include <bitset>
#include <optional>

namespace claybox::app {

inline constexpr std::size_t kTwoHands = 2 * static_cast<std::size_t>(kHandParts);

/// A rotation that takes -Z to `forward` and +Y as near to `up` as it can; neither needs unit length.
collision::Quat looking(const collision::Vec3d& forward, const collision::Vec3d& up);

/// Points whose hull is a hand part lying along -Z: a 14-sided capsule, or the slab of the palm.
std::vector<collision::Vec3f> hand_part_points(int part, float radius, float length);

class HandBodies {
  public:
    /// Mesh ids start at `first_mesh`, so that they do not meet the scene's own.
    HandBodies(unsigned part_group, unsigned tip_group, std::uint64_t first_mesh)
        : part_group_(part_group), tip_group_(tip_group), store_(first_mesh) {}

    /// Follows the input: adds, moves or removes bodies. Every present part enters the moved list. Parts are
    /// polytopes for the wearer's own radii and lengths: made anew where these differ by more than kOther
    /// from those that they were made for, at most once a second.
    collision::Status update(collision::World& world, const StepInput& input);
    /// Where a drawn hand stops; after update(). Without a call it is drawn where it is.
    void stop_at(std::size_t hand, std::span<const HandWall> walls);
    /// Number of the part (hand * 16 + part) that the body is, or nothing: it may be gone while a late event
    /// names it.
    std::optional<std::uint32_t> find(collision::BodyId body) const;
    bool present(std::size_t hand) const { return hands_[hand].present; }
    const HandShapes& shapes(std::size_t hand) const { return hands_[hand].shape; }

    void append_meshes(std::vector<ViewMesh>& out) const { store_.append_to(out); }
    /// The hands where they are drawn, a faint ghost where a tracked hand is elsewhere, and a hand that has
    /// gone while it fades. `newest`: see ViewOptions::newest_hands; where a drawn hand stops is as of the
    /// step.
    void view(const std::bitset<kTwoHands>& active, const std::array<HandInput, 2>* newest,
              SceneView& out) const;

    static constexpr double kOther = 0.03;         ///< of a radius or length
    static constexpr double kFadeSeconds = 0.200;  ///< until a hand that has gone is not seen any more

  private:
    struct Hand {
        bool present = false;
        HandInput input;  ///< of the last frame in which it was there
        HandShapes shape;
        std::array<float, kHandParts> radius{}, length{};  ///< that the shapes were made for
        std::uint64_t made = 0;                            ///< the frame of it
        std::array<std::uint64_t, kHandParts> mesh{};
        std::array<collision::BodyId, kHandParts> body;
        HandStop stop;
        collision::Vec3d offset;
        double strength = 0;  ///< 1 while it is there, then falls to 0
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

    unsigned part_group_, tip_group_;
    std::array<Hand, 2> hands_;
    std::vector<std::uint32_t> part_of_slot_;
    MeshStore store_;
};

}  // namespace claybox::app
