#pragma once
// The button desk: where each button is, what it does and what the desk looks like. Desk frame: +X to the
// right, +Y up the slope, +Z out of the face plate; origin in the plate's middle; metres.

#include "app/buttons/press.hpp"
#include "app/scenes/decor.hpp"
#include "app/scenes/step.hpp"
#include "collision/module/world.hpp"

#include <span>

namespace claybox::app {

/// What a light shows.
enum class DeskLight : unsigned char { recent, algorithm, broad_phase, concurrent, exact, all_fingers };

enum class DeskCap : unsigned char { square, cool, toggle, round };

struct DeskButton {
    const char* title;    ///< for events: "Next algorithm"
    const char* line[2];  ///< engraved; second may be null
    DeskCap cap;
    float x, y;  ///< of the middle, desk frame
    Command::Kind kind;
    const char* text;  ///< of the command
    DeskLight light;
};

std::span<const DeskButton> desk_buttons();
/// Half sizes of a cap's face.
PressPad desk_pad(DeskCap cap);
/// The desk's frame in the world, and the face of a cap at rest above the plate.
collision::Pose world_from_desk();
inline constexpr double kCapHeight = 0.0165;  ///< pressed to its end a cap stands 2 mm over its well

/// A ray in the desk's frame, and the button that it points at: by its cap or by its words, wherever they
/// stand; kNoIndex for none.
struct DeskRay {
    collision::Vec3d origin, direction;
};
std::uint32_t desk_button_at(const DeskRay& ray);

/// The convex body of a cap, about the middle of its face at rest.
collision::Result<collision::ShapePtr> desk_cap_shape(DeskCap cap);

ViewCamera desk_camera();
ViewLight desk_light();

/// How one button stands now.
struct DeskState {
    double travel = 0;
    bool pressed = false, lit = false;
};

class DeskDecor {
  public:
    explicit DeskDecor(std::uint64_t first_mesh);
    void append_meshes(std::vector<ViewMesh>& out) const { store_.append_to(out); }
    void view(std::span<const DeskState> states, SceneView& out) const;

  private:
    void view_button(const DeskButton& button, const DeskState& state, std::uint32_t pick,
                     SceneView& out) const;
    void view_labels(const DeskButton& button, double travel, SceneView& out) const;

    MeshStore store_;
    std::uint64_t table_, case_, foot_, plate_, divider_, bezel_, lamp_;
    std::uint64_t cap_[4], well_[4];
};

}  // namespace claybox::app
