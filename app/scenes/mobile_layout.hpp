#pragma once
// Hanging mobiles: trees of rods that are in balance, with solids at their ends.

#include "app/scenes/cage_solids.hpp"
#include "collision/geometry/transform.hpp"

#include <vector>

namespace claybox::app {

/// How high the beam is from which they hang, and how wide it is, metres; y = 0 is the floor.
inline constexpr double kBeamHeight = 2.5, kBeamLength = 4.1;

struct MobileMix {
    int mobiles = 5;
    int levels = 4;  ///< of rods; each mobile has one that is so deep
};

/// Hangs by a thread from an end of its parent or from the beam, and turns about that thread. Its frame: the
/// thread's end is the origin, +Y up, the rod lies in the plane z = 0.
struct MobileRod {
    std::uint32_t parent = collision::kNoIndex;  ///< comes before its children
    std::uint32_t mobile = 0, level = 0;
    collision::Vec3d hook;       ///< the thread's lower end, in the parent's frame
    double thread = 0;           ///< its length
    collision::Pose body;        ///< of a rod about the origin along x, in its own frame
    double rate = 1, phase = 0;  ///< of its turning: by the speed of all, and radians at the start
};

struct MobileWeight {
    std::uint32_t rod = 0;
    collision::Vec3d centre;  ///< in the rod's frame
    double thread = 0;
    std::uint32_t kind = 0;
    std::uint8_t colour = 0;
    collision::Quat rest;  ///< how it hangs before it turns
    double rate = 1;
};

/// A shape that several weights have.
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
/// A hexagonal prism along x about the origin, whose faces are exactly flat.
collision::Result<collision::ShapePtr> make_mobile_rod(float length, float radius);

}  // namespace claybox::app
