#pragma once
// What the user does to bodies of a scene, and bodies as text: in scene files, commands and recordings.

#include "collision/geometry/transform.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace claybox::app {

/// Most bodies that a scene with edits holds.
inline constexpr std::size_t kMaxPlacedBodies = 10000;
/// Limits of a placed body: a place in metres, a size in millimetres, motion per frame in metres or radians.
inline constexpr double kMaxPlace = 1000, kMinBodySize = 10, kMaxBodySize = 400, kMaxMotion = 10;

/// A body of a scene with edits.
struct PlacedBody {
    std::string shape;                  ///< see body_shapes.hpp
    double size = 60;                   ///< radius of the bounding sphere, millimetres
    collision::Pose pose;               ///< world frame, metres
    collision::Vec3d velocity, spin{};  ///< per frame: metres; radians about this axis
    friend bool operator==(const PlacedBody&, const PlacedBody&) = default;
};

/// "cube 60 0.1 0.2 0.3 1 0 0 0": shape, size, place, rotation w x y z, and six more numbers, velocity and
/// spin, if the body moves. Numbers keep every bit.
std::string to_text(const PlacedBody& body);
/// Reads what to_text() writes. Errors: another number of words, an unknown shape, a number out of its range.
collision::Result<PlacedBody> read_placed_body(std::string_view text);

/// One edit. A scene ignores edits of bodies that it does not have, and refuses what it cannot do with
/// SceneEvent::Kind::refused.
struct BodyEdit {
    enum class Kind : unsigned char {
        hold,      ///< the body is at `pose` in this frame; repeated in every frame of a drag
        let_go,    ///< ends the drag: the body flies on as fast as it was moved
        put_down,  ///< ends the drag without a throw: the body stays, or goes on as before the drag
        add,       ///< a body of `shape` and `size` at `pose`
        copy,      ///< the same body once more, at `pose`
        remove,
    };
    Kind kind = Kind::hold;
    std::uint32_t body = 0xffffffffu;  ///< Drawable::pick; unused by `add`
    std::string shape;                 ///< of `add`
    double size = 0;                   ///< of `add`, millimetres
    collision::Pose pose;              ///< of `hold`, `add` and `copy`
    friend bool operator==(const BodyEdit&, const BodyEdit&) = default;
};

/// "hold", "let_go" ... as in recordings.
const char* to_string(BodyEdit::Kind kind);

/// What a scene lets the user do.
enum class EditSupport : unsigned char {
    none,
    drag,  ///< hold, let_go and put_down
    all,   ///< every edit, with the actions "Undo" and "Redo"
};

/// Whether a pose is finite, in the range of places, and has a rotation.
bool is_place(const collision::Pose& pose);

}  // namespace claybox::app
