#pragma once
// One change of clay as data. A touch becomes operations; symmetry copies them; remeshed clay repeats them.

#include "app/potter/touch/falloff.hpp"
#include "collision/core/vec.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace claybox::app {

/// What a touch does to the clay.
enum class ClayEffect : unsigned char {
    push,     ///< clay yields out of the finger, and the clay around it along the mean of the nearby normals
    grab,     ///< clay moves with the contact point of the finger (thesis, 8.1, other methods)
    inflate,  ///< this one and those up to `carve`: see effects.hpp
    deflate,
    smooth,
    flatten,
    pinch,
    crease,
    add,
    carve,
    mask,    ///< freezes the clay
    unmask,  ///< frees it
    trim,    ///< cuts off the clay above the finger
    cut,     ///< the finger is a wire: its path cuts the clay along a plane
    facets   ///< each touched polygon moves by a fixed step against its normal; angles stay limited (8.1)
};
inline constexpr const char* kClayEffectIds[] = {"push",    "grab",   "inflate", "deflate", "smooth",
                                                 "flatten", "pinch",  "crease",  "add",     "carve",
                                                 "mask",    "unmask", "trim",    "cut",     "facets"};
inline constexpr int kClayEffectCount = 15;

/// Touched clay in one small region of space: its centre and the sum of its inward normals.
struct ClayContact {
    collision::Vec3f centre, inward;  ///< length of inward: twice the area
    float area = 0;
    std::array<int, 3> place{};
};

/// Clay frame, metres.
struct ClayOp {
    ClayEffect effect = ClayEffect::push;
    Falloff falloff = Falloff::smooth;
    collision::Vec3f centre, along;  ///< `along`: unit direction of the push, into the clay
    float amount = 0;                ///< push and grab: metres; other effects: strength, 0 .. 1
    float radius = 0;
    std::uint32_t part = 0;             ///< of the touch
    std::vector<ClayContact> contacts;  ///< of push and grab
};

/// Copies of every operation: by reflection in planes through the axis, and by rotation about it.
struct Symmetry {
    bool mirror_x = false, mirror_z = false;  ///< x or z changes its sign
    int radial = 1;                           ///< number of equal sectors around the axis, 1 .. 64
    bool is_trivial() const { return !mirror_x && !mirror_z && radial <= 1; }
    std::size_t copies() const {
        return static_cast<std::size_t>(radial) * (mirror_x ? 2 : 1) * (mirror_z ? 2 : 1);
    }
};
inline constexpr int kMaxRadial = 64;

/// Place number `copy` < symmetry.copies() of a point or direction; copy 0 is itself.
collision::Vec3f symmetric(const Symmetry& symmetry, std::size_t copy, const collision::Vec3f& v);

/// Appends all copies of `op`, itself first. Where copies overlap, each does its share, so that a touch on
/// the axis is not multiplied.
void append_copies(const Symmetry& symmetry, const ClayOp& op, std::vector<ClayOp>& out);

}  // namespace claybox::app
