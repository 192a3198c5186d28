#pragma once
// Cars that slide on a plane: their motion in a frame, and what they do when they hit each other.
// Source: Buss, Collision detection with relative screw motion, 3: either all collisions within a frame are
// handled as simultaneous, or only the first one, with a backup to its time (Mirtich). The impulses are our
// choice; the paper leaves them to the application.

#include "collision/continuous/query.hpp"

#include <array>
#include <span>
#include <vector>

namespace claybox::app {

/// The ground is the plane y = 0. The car is a homogeneous box for its inertia.
struct Car {
    collision::Vec3d position;  ///< of the centre of mass, metres
    double yaw = 0;             ///< radians about +y; at 0 the car heads to +x
    collision::Vec3d velocity;  ///< metres per second, y = 0
    double spin = 0;            ///< radians per second about +y

    collision::Pose pose() const;
    /// Moves straight on and turns.
    void drive(double seconds);
};

struct CarBody {
    double mass = 1200;                ///< kg
    double length = 4.4, width = 1.8;  ///< metres
    double inertia() const { return mass * (length * length + width * width) / 12; }
};

enum class Response : unsigned char {
    reverse,  ///< both cars go back the way they came, from the time of impact
    all,      ///< impulses at all contacts that are not too improper, at once
    first,    ///< an impulse at the first contact only
};

/// Contacts below this properness do not count (Buss, 9).
inline constexpr double kLeastProperness = -0.1;

/// The contacts that the response uses, earliest first, in `out`, which is cleared.
void choose_contacts(std::span<const collision::MotionHit> hits, Response response,
                     std::vector<collision::MotionHit>& out);
/// Changes the velocities of two cars at the poses of the impact. `contacts`: normals point from A to B.
/// Every contact separates afterwards, or both cars rest relative to each other there; `restitution`: 0 .. 1.
void crash(Car& a, Car& b, const CarBody& body, std::span<const collision::MotionHit> contacts,
           Response response, double restitution);
/// Metres per second at which two cars approach each other at a contact; negative if they separate.
double approach(const Car& a, const Car& b, const collision::MotionHit& contact);

}  // namespace claybox::app
