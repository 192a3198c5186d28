#pragma once
// How a virtual button and a finger find each other (Zachmann, thesis, chapter 9: the link): both are bodies,
// the module tells when they begin and cease to collide, and the button keeps the state.
//
// The finger's body is a box about the fingertip's whole way since the newest pass that is known, a
// deformable one, and the button's is a thin plate in its face. So a pass sees the way and not only a place:
// whatever crosses the face meets the plate, however fast the finger is and however many frames a pass of the
// module's own thread has left out, because the boxes of two passes that follow each other leave no frame
// between them (of the newest 128 frames: what a pass is later than that is forgotten). What a box meets is
// only a candidate; the ball is then swept along the way itself, frame by frame and in order, by the press
// machine. With the plain rule the bodies are the fingertip and the cap, and their collision is all that
// counts: while it lasts a key is pressed, and what is dragged goes with the finger.

#include "app/buttons/press.hpp"
#include "app/scenes/hand_bodies.hpp"
#include "app/scenes/recent_frames.hpp"
#include "collision/core/function_ref.hpp"

namespace claybox::app {

inline constexpr std::uint32_t kFingersOfHand = 5, kFingerCount = 2 * kFingersOfHand;
constexpr bool is_index(std::uint32_t finger) {
    return finger % kFingersOfHand == 1;
}
/// The part of its hand that is the outermost of a finger.
constexpr std::size_t tip_part(std::uint32_t finger) {
    return 3 * (static_cast<std::size_t>(finger % kFingersOfHand) + 1);
}
/// What the press machine tells, as scenes tell it: of a button called `text`, at a frame of the scene.
SceneEvent event_of(const PressEvent& press, std::uint64_t frame, std::string text);
/// The middle of the fingertip's ball, world frame.
collision::Vec3d tip_of(const HandInput& hand, std::uint32_t finger);

/// Groups of the world's interest matrix that the link uses, and no other may.
struct LinkGroups {
    unsigned plate = 0, cap = 1, finger = 2;
};

/// A face at rest, world frame, and the cap's body for the plain rule.
struct LinkFace {
    collision::Pose at;
    PressPad pad;
    collision::BodyId cap;
};

class FingerLink {
  public:
    explicit FingerLink(const LinkGroups& groups) : groups_(groups) {}

    /// Adds the plates. Caps, of the group that is given, are the scene's.
    collision::Status build(collision::World& world, std::vector<LinkFace> faces);
    /// From the next frame on: which fingers may press, and by which rule. Everything comes up when the rule
    /// changes, and what a finger holds that may press no more.
    void choose(bool all_fingers, bool plain) {
        all_fingers_ = all_fingers;
        plain_ = plain;
    }
    /// Before the frame is published: fingers come, go and move.
    void before(collision::World& world, const StepInput& input, PressBoard& board,
                std::vector<PressEvent>& out);
    /// After the events were polled. `followed` is called after each frame that the board has followed, with
    /// the ways of fingers that hold or are near something.
    void after(const collision::EventBatch& batch, PressBoard& board, const PressRules& rules,
               std::vector<PressEvent>& out,
               collision::FunctionRef<void(std::span<const FingerMove>)> followed);

    /// As of the newest frame; nothing where it is not there, or is held because tracking has lost it.
    std::optional<collision::Vec3d> tip(std::uint32_t finger) const;
    double radius(std::uint32_t finger) const { return fingers_[finger].radius; }
    /// Pairs that the module reports as colliding, for tests.
    std::size_t touching() const;
    double time() const { return time_; }
    /// The board has followed everything up to the newest frame.
    bool caught_up() const { return followed_ == frame_; }

  private:
    struct Tip {
        bool there = false, held = false;
        collision::Vec3d at;
        double radius = 0;
    };
    struct Tips {
        double time = 0;
        std::array<Tip, kFingerCount> tip;
    };
    struct Finger {
        double radius = 0;
        /// Stays until the board has followed the finger to where it went, which may be some passes later.
        std::optional<collision::BodyId> body;
        bool leaves = false;
        std::vector<unsigned char> touches;    ///< by face: their bodies collide
        std::vector<unsigned char> candidate;  ///< they did in one of the passes that are new
    };

    void switch_rule(collision::World& world, PressBoard& board, std::vector<PressEvent>& out);
    void sense(const StepInput& input, std::uint32_t f, Tip& tip);
    void drop(collision::World& world, Finger& finger);
    void place(collision::World& world, const HandInput& hand, std::uint32_t f);
    collision::Aabb box_of_way(std::uint32_t f) const;
    void take(const collision::Event& event, PressBoard& board, std::vector<PressEvent>& out);
    void come_and_go(const Tips& from, const Tips& to, PressBoard& board, std::vector<PressEvent>& out);
    void gather(const Tips& from, const Tips& to, const PressBoard& board);

    LinkGroups groups_;
    std::vector<LinkFace> faces_;
    std::vector<collision::BodyId> plate_;
    collision::ShapePtr box_;
    std::array<Finger, kFingerCount> fingers_;
    RecentFrames<Tips> history_;
    std::vector<FingerMove> moves_;
    bool all_fingers_ = false, plain_ = false, is_plain_ = false, is_all_ = false;
    /// Answers need not be exact, so that an algorithm may miss a meeting: then every face is a candidate.
    bool doubts_ = false;
    std::uint64_t frame_ = 0;     ///< the newest
    std::uint64_t known_ = 0;     ///< the newest that a pass has taken whose events are known
    std::uint64_t followed_ = 0;  ///< the board has followed all up to this one
    double time_ = 0;             ///< seconds, of the newest frame
};

}  // namespace claybox::app
