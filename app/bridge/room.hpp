#pragma once
// From the room that a headset measures to the scene, and the boards that panels stand on around the viewer.
// Plain mathematics. Room: metres, +Y up, as the runtime gives it.

#include "app/panels/headset_model.hpp"
#include "app/scenes/view.hpp"
#include "engine/hand/hand_keeper.hpp"

#include <array>
#include <optional>
#include <span>

namespace claybox::app {

/// A place to look from or to point with.
struct RoomPose {
    glm::dvec3 position{0};
    glm::dquat rotation{1, 0, 0, 0};
};

/// How the room lies in the scene: turned about the vertical, scaled and shifted. The user is never moved but
/// by place_viewer().
class RoomPlace {
  public:
    /// Puts the viewer where the scene's own camera is, as far as `what` says: the head's place, or the
    /// direction that it looks in. `zoom` above 1 makes the scene larger about the viewer.
    void place_viewer(const RoomPose& head, const ViewCamera& camera, Recentre what, double zoom = 1);

    glm::dvec3 to_scene(const glm::dvec3& room) const;
    glm::dquat to_scene(const glm::dquat& room) const { return turn_ * room; }
    engine::HandState to_scene(engine::HandState hand) const;
    /// Metres of the scene in a metre of the room.
    double scale() const { return scale_; }
    const glm::dvec3& anchor() const { return anchor_; }
    double yaw_room() const { return yaw_room_; }

  private:
    glm::dvec3 anchor_{0};  ///< the head, in the room, when the viewer was placed
    glm::dvec3 origin_{0};  ///< where that is in the scene
    double yaw_room_ = 0;   ///< radians that the head was turned to the left then
    double yaw_scene_ = 0;  ///< the camera's
    double scale_ = 1;
    glm::dquat turn_{1, 0, 0, 0};
};

/// Radians that a pose looks to the left of -Z; 0 when it looks straight up or down.
double yaw_of(const glm::dquat& rotation);

/// A part of the panels' picture that stands on the cylinder around the viewer.
struct BoardPart {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< pixels of the picture from its top left
    double yaw = 0;                        ///< radians of its middle to the left
    double height = 0;                     ///< metres of its middle over the viewer's eyes
};

inline constexpr double kBoardRadius = 0.55;          ///< metres: within reach of a finger
inline constexpr float kBoardScale = 1.5f;            ///< pixels of a design unit
inline constexpr double kBoardPixel = 0.00055 / 1.5;  ///< metres of a pixel

/// Rail, cards and bar of a picture of this size.
std::array<BoardPart, 3> board_parts(int width, int height, float ui_scale);

/// A place on a board.
struct BoardPlace {
    float x = 0, y = 0;   ///< pixels of the picture
    double depth = 0;     ///< metres before the board; negative behind it
    bool inside = false;  ///< on a part
};

/// The cylinder stands upright about `anchor`, and yaw counts from `yaw_room`.
class Boards {
  public:
    void stand_around(const glm::dvec3& anchor, double yaw_room);
    void set_parts(std::span<const BoardPart> parts) { parts_.assign(parts.begin(), parts.end()); }
    std::span<const BoardPart> parts() const { return parts_; }

    BoardPlace find(const glm::dvec3& room) const;
    /// Where a ray from within the cylinder meets a part.
    std::optional<BoardPlace> meet(const RoomPose& ray) const;
    /// The middle of a part, +X right, +Y up, +Z to the viewer; room.
    RoomPose pose(const BoardPart& part) const;

  private:
    glm::dvec3 anchor_{0};
    double yaw_ = 0;
    std::vector<BoardPart> parts_;
};

/// What points at the boards in one frame.
struct BoardFinger {
    bool there = false;
    engine::HandSource source = engine::HandSource::tracked;
    glm::dvec3 tip{0};            ///< middle of the ball of the forefinger, room
    double radius = 0.008;        ///< metres
    std::optional<RoomPose> ray;  ///< along -Z
    float trigger = 0;            ///< 0 .. 1: of the controller, or how far the hand pinches
};

/// The mouse that two hands make together: a fingertip through a board is a button, a ray with a trigger
/// another. What gets lost presses nothing and clicks nothing: it keeps what it has for the grace time of
/// hands (kHandGrace), and the pointer then leaves the board with the button. A hand that has just come, or
/// now has another source, presses nothing for kHandBack, and with a trigger that it came with nothing at
/// all.
class BoardPointer {
  public:
    struct State {
        bool on_board = false;  ///< else nothing points at a board
        float x = 0, y = 0;
        bool down = false;
        int hand = -1;        ///< which of the fingers
        double distance = 0;  ///< of a ray, metres
        bool poking = false;  ///< by the fingertip, not by a ray
    };
    /// `dt` seconds after the last time.
    const State& update(const Boards& boards, const std::array<BoardFinger, 2>& fingers, double dt);
    const State& state() const { return state_; }
    /// The boards stand elsewhere: fingers have come anew.
    void forget() { fingers_ = {}; }

  private:
    struct Finger {
        bool known = false;
        engine::HandSource source = engine::HandSource::tracked;
        BoardPlace last;
        bool pressing = false, dragging = false;
        bool pulled = true;  ///< of the trigger, with hysteresis
        bool pulled_on_board = false;
        double there = 0, lost = 0;  ///< seconds since it came, and since it was seen last
        bool may_press() const { return there >= engine::kHandBack; }
    };
    /// Whether the finger is there, now or within the grace time.
    static bool follow(Finger& finger, const BoardFinger& now, double dt);
    bool poke(Finger& finger, const BoardPlace& place, double depth);
    bool point(std::size_t index, const Boards& boards, const BoardFinger& now);

    std::array<Finger, 2> fingers_;
    State state_;
};

}  // namespace claybox::app
