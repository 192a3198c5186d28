#pragma once
// The transform from the room of a headset to the scene, and the boards around the viewer that show the
// panels. Plain mathematics. Room coordinates: metres, +Y up, as the runtime reports them.

#include "app/panels/headset_model.hpp"
#include "app/scenes/view.hpp"
#include "engine/hand/hand_selector.hpp"

#include <array>
#include <optional>
#include <span>

namespace claybox::app {

/// Pose of a head or of a pointing ray in the room.
struct RoomPose {
    glm::dvec3 position{0};
    glm::dquat rotation{1, 0, 0, 0};
};

/// Transform from the room to the scene: rotation about the vertical, scale and translation. Only
/// place_viewer() moves the user.
class RoomPlace {
  public:
    /// Moves the viewer to the scene's own camera: position, direction or both. `zoom` above 1 enlarges the
    /// scene around the viewer.
    void place_viewer(const RoomPose& head, const ViewCamera& camera, Recentre what, double zoom = 1);

    glm::dvec3 to_scene(const glm::dvec3& room) const;
    glm::dquat to_scene(const glm::dquat& room) const { return turn_ * room; }
    engine::HandState to_scene(engine::HandState hand) const;
    /// Metres of the scene per metre of the room.
    double scale() const { return scale_; }
    const glm::dvec3& anchor() const { return anchor_; }
    double yaw_room() const { return yaw_room_; }

  private:
    glm::dvec3 anchor_{0};  ///< head position in the room when the viewer was placed
    glm::dvec3 origin_{0};  ///< the same point in the scene
    double yaw_room_ = 0;   ///< yaw of the head at that moment, radians to the left
    double yaw_scene_ = 0;  ///< yaw of the scene's camera
    double scale_ = 1;
    glm::dquat turn_{1, 0, 0, 0};
};

/// Yaw of the view direction in radians to the left of -Z; 0 if it is not defined.
double yaw_of(const glm::dquat& rotation);

/// A part of the panels' picture on the cylinder around the viewer.
struct BoardPart {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< pixels of the picture from its top left
    double yaw = 0;                        ///< of its centre, radians to the left
    double height = 0;                     ///< of its centre above the viewer's eyes, metres
};

inline constexpr double kBoardRadius = 0.55;          ///< metres: within reach of a finger
inline constexpr float kBoardScale = 1.5f;            ///< pixels per design unit
inline constexpr double kBoardPixel = 0.00055 / 1.5;  ///< metres per pixel

/// The boards of rail, cards and bar for a picture of this size.
std::array<BoardPart, 3> board_parts(int width, int height, float ui_scale);

/// A place on a board.
struct BoardPlace {
    float x = 0, y = 0;   ///< pixels of the picture
    double depth = 0;     ///< metres in front of the board; negative behind it
    bool inside = false;  ///< whether it is on a part
};

/// Boards on an upright cylinder around `anchor`. Yaw is relative to `yaw_room`.
class Boards {
  public:
    void place_around(const glm::dvec3& anchor, double yaw_room);
    void set_parts(std::span<const BoardPart> parts) { parts_.assign(parts.begin(), parts.end()); }
    std::span<const BoardPart> parts() const { return parts_; }

    BoardPlace find(const glm::dvec3& room) const;
    /// Intersection of a ray that starts inside the cylinder with a part.
    std::optional<BoardPlace> intersect(const RoomPose& ray) const;
    /// Pose of a part's centre in the room: +X right, +Y up, +Z to the viewer.
    RoomPose pose(const BoardPart& part) const;

  private:
    glm::dvec3 anchor_{0};
    double yaw_ = 0;
    std::vector<BoardPart> parts_;
};

/// A hand that points at the boards in one frame.
struct BoardFinger {
    bool present = false;
    engine::HandSource source = engine::HandSource::tracked;
    glm::dvec3 tip{0};            ///< centre of the forefinger's tip, room
    double radius = 0.008;        ///< metres
    std::optional<RoomPose> ray;  ///< along -Z
    float trigger = 0;            ///< 0 to 1: the controller's trigger, or the hand's pinch
};

/// A pointer with one button, driven by both hands: a fingertip that pokes a board, or a ray with a trigger.
/// A lost hand keeps its state for the grace time of hands (kHandGrace); then the pointer leaves the board,
/// which is not a click. A hand that has just appeared or changed its source cannot press for
/// kHandReturnDelay, and a trigger that was already pulled never presses.
class BoardPointer {
  public:
    struct State {
        bool on_board = false;  ///< whether a hand points at a board
        float x = 0, y = 0;
        bool down = false;
        int hand = -1;        ///< index of the pointing hand
        double distance = 0;  ///< length of the ray, metres
        bool poking = false;  ///< the fingertip points, not a ray
    };
    /// `dt`: seconds since the last update.
    const State& update(const Boards& boards, const std::array<BoardFinger, 2>& fingers, double dt);
    const State& state() const { return state_; }
    /// Call it when the boards have moved: all fingers count as newly appeared.
    void forget() { fingers_ = {}; }

  private:
    struct Finger {
        bool known = false;
        engine::HandSource source = engine::HandSource::tracked;
        BoardPlace last;
        bool pressing = false, dragging = false;
        bool pulled = true;  ///< trigger state, with hysteresis
        bool pulled_on_board = false;
        double seen = 0, lost = 0;  ///< seconds since it appeared, and since it was last seen
        bool may_press() const { return seen >= engine::kHandReturnDelay; }
    };
    /// Updates presence; true while the finger is present or within the grace time.
    static bool follow(Finger& finger, const BoardFinger& now, double dt);
    bool poke(Finger& finger, const BoardPlace& place, double depth);
    bool point(std::size_t index, const Boards& boards, const BoardFinger& now);

    std::array<Finger, 2> fingers_;
    State state_;
};

}  // namespace claybox::app
