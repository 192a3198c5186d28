#pragma once
// Hanging mobiles: balanced trees of rods with solids at their ends.

#include "app/scenes/shared/solid_shapes.hpp"
#include "collision/geometry/transform.hpp"

#include <vector>

namespace claybox::app {

/// Height and length of the beam that the mobiles hang from, metres. The floor is at y = 0.
inline constexpr double kBeamHeight = 2.5, kBeamLength = 4.1;

struct MobileMix {
    int mobiles = 5;
    int levels = 4;  ///< rods below each other at the deepest place; every mobile reaches this depth
};

/// A rod that hangs by a thread from an end of its parent or from the beam, and turns about the thread.
/// Frame: the lower end of the thread is the origin, +Y is up, the rod is in the plane z = 0.
struct MobileRod {
    std::uint32_t parent = collision::kNoIndex;  ///< a smaller index than the rod's own
    std::uint32_t mobile = 0, level = 0;
    collision::Vec3d hook;  ///< lower end of the thread, in the frame of the parent
    double thread = 0;      ///< length of the thread, metres
    collision::Pose body;   ///< of the rod shape (along x, about the origin) in the frame of this rod
    double rate = 1,
           phase = 0;  ///< turning speed relative to the speed of the scene; angle at the start, radians
};

struct MobileWeight {
    std::uint32_t rod = 0;
    collision::Vec3d centre;  ///< in the frame of the rod
    double thread = 0;
    std::uint32_t kind = 0;
    std::uint8_t colour = 0;
    collision::Quat rest;  ///< rotation at angle 0
    double rate = 1;
};

/// A shape shared by several weights.
struct WeightKind {
    Solid solid = Solid::cube;
    float radius = 0;
};

struct MobileLayout {
    std::vector<MobileRod> rods;
    std::vector<MobileWeight> weights;
    std::vector<WeightKind> kinds;
    std::vector<float> rod_length;  ///< by level
    float rod_radius = 0;
};

MobileLayout lay_out_mobiles(const MobileMix& mix, std::uint64_t seed);
/// A hexagonal prism along x about the origin, with exactly flat faces.
collision::Result<collision::ShapePtr> make_mobile_rod(float length, float radius);

}  // namespace claybox::app
