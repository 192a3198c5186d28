#pragma once
// The link between fingers and virtual buttons (Zachmann, thesis, chapter 9): both are bodies, the module
// reports begin and end of their collisions, and the button keeps the state.
//
// The body of a finger is a deformable box around the path of the fingertip since the newest known pass. The
// body of a button is a thin plate in its face. A pass therefore tests the whole path: it finds every
// crossing of a face, at any finger speed and however many frames a concurrent pass skips. The boxes of
// consecutive passes leave no gap, as long as a pass is at most 128 frames late.
//
// A box that overlaps a plate is only a candidate. The press machine then sweeps the ball along the path,
// frame by frame and in order.
//
// With the plain rule, the bodies are the fingertip and the cap. A key is pressed while the two collide, and
// a dragged control follows the finger.

#include "app/buttons/press.hpp"
#include "app/scenes/hands/hand_bodies.hpp"
#include "app/scenes/shared/recent_frames.hpp"
#include "collision/core/function_ref.hpp"

namespace claybox::app {

inline constexpr std::uint32_t kFingersOfHand = 5, kFingerCount = 2 * kFingersOfHand;
constexpr bool is_index(std::uint32_t finger) {
    return finger % kFingersOfHand == 1;
}
/// Hand part that is the tip of a finger.
constexpr std::size_t tip_part(std::uint32_t finger) {
    return 3 * (static_cast<std::size_t>(finger % kFingersOfHand) + 1);
}
/// Scene event for a press event of the button called `text`.
SceneEvent event_of(const PressEvent& press, std::uint64_t frame, std::string text);
/// Centre of the fingertip's ball, world frame.
collision::Vec3d tip_of(const HandInput& hand, std::uint32_t finger);

/// Groups of the interest matrix, reserved for the link.
struct LinkGroups {
    unsigned plate = 0, cap = 1, finger = 2;
};

/// A face at rest, world frame, and the body of the cap (for the plain rule).
struct LinkFace {
    collision::Pose at;
    PressPad pad;
    collision::BodyId cap;
};

class FingerLink {
  public:
    explicit FingerLink(const LinkGroups& groups) : groups_(groups) {}

    /// Adds the plates. The scene adds the caps, in group LinkGroups::cap.
    collision::Status build(collision::World& world, std::vector<LinkFace> faces);
    /// Selects the fingers that may press and the rule, from the next frame on. A change of the rule releases
    /// all controls; a finger that may no longer press releases its control.
    void configure(bool all_fingers, bool plain) {
        all_fingers_ = all_fingers;
        plain_ = plain;
    }
    /// Adds, removes and moves the finger bodies. Call before World::publish().
    void before_publish(collision::World& world, const StepInput& input, PressBoard& board,
                        std::vector<PressEvent>& out);
    /// Processes the polled events. Calls `followed` after each frame that the board has processed, with the
    /// moves of the fingers that hold or are near a control.
    void after_poll(const collision::EventBatch& batch, PressBoard& board, const PressRules& rules,
                    std::vector<PressEvent>& out,
                    collision::FunctionRef<void(std::span<const FingerMove>)> followed);

    /// Position in the newest frame; empty if the finger is absent or its tracking is lost.
    std::optional<collision::Vec3d> tip(std::uint32_t finger) const;
    double radius(std::uint32_t finger) const { return fingers_[finger].radius; }
    /// Number of pairs that the module reports as colliding. For tests.
    std::size_t touching() const;
    double time() const { return time_; }
    /// True when the board has processed all frames up to the newest one.
    bool caught_up() const { return followed_ == frame_; }

  private:
    struct Tip {
        bool present = false, held = false;
        collision::Vec3d at;
        double radius = 0;
    };
    struct Tips {
        double time = 0;
        std::array<Tip, kFingerCount> tip;
    };
    struct Finger {
        double radius = 0;
        /// Stays after the finger has left until the board has processed that frame, which may be some passes
        /// later.
        std::optional<collision::BodyId> body;
        bool leaving = false;
        std::vector<unsigned char> touches;    ///< per face: the bodies collide
        std::vector<unsigned char> candidate;  ///< per face: the bodies collided in one of the new passes
    };

    void switch_rule(collision::World& world, PressBoard& board, std::vector<PressEvent>& out);
    void read_tip(const StepInput& input, std::uint32_t f, Tip& tip);
    void remove_finger(collision::World& world, Finger& finger);
    void place_finger(collision::World& world, const HandInput& hand, std::uint32_t f);
    collision::Aabb path_box(std::uint32_t f) const;
    void process_event(const collision::Event& event, PressBoard& board, std::vector<PressEvent>& out);
    void update_presence(const Tips& from, const Tips& to, PressBoard& board, std::vector<PressEvent>& out);
    void collect_moves(const Tips& from, const Tips& to, const PressBoard& board);

    LinkGroups groups_;
    std::vector<LinkFace> faces_;
    std::vector<collision::BodyId> plate_;
    collision::ShapePtr box_;
    std::array<Finger, kFingerCount> fingers_;
    RecentFrames<Tips> history_;
    std::vector<FingerMove> moves_;
    bool all_fingers_ = false, plain_ = false, is_plain_ = false, is_all_ = false;
    /// Answers may be inexact, so an algorithm may miss a contact: every face is a candidate.
    bool inexact_ = false;
    std::uint64_t frame_ = 0;     ///< the newest
    std::uint64_t known_ = 0;     ///< newest frame of a pass whose events have arrived
    std::uint64_t followed_ = 0;  ///< newest frame that the board has processed
    double time_ = 0;             ///< seconds, of the newest frame
};

}  // namespace claybox::app
