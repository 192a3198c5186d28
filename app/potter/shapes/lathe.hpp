#pragma once
// Bodies of revolution about +Y, and the volume of a closed mesh.

#include "collision/geometry/polyhedron.hpp"

#include <cmath>
#include <span>
#include <vector>

namespace claybox::app {

/// Point of a profile: distance from the axis and height, metres.
struct ProfilePoint {
    double r = 0, y = 0;
};

/// With a square root, which every machine rounds alike; std::hypot differs between C libraries.
inline double distance(const ProfilePoint& a, const ProfilePoint& b) {
    return std::sqrt((b.r - a.r) * (b.r - a.r) + (b.y - a.y) * (b.y - a.y));
}

/// Revolves a profile: `sides` quads around the axis per pair of neighbouring points. A point with r = 0
/// becomes one vertex. A profile that runs up the outside gives outward polygons; for a closed body it starts
/// and ends on the axis.
collision::PolygonList lathe(std::span<const ProfilePoint> profile, int sides);

/// A disc with its top at y = 0 and the upper rim rounded in `steps`.
collision::PolygonList rounded_disc(double radius, double thickness, double bevel, int steps, int sides);

/// `count` + 1 equally spaced points along a polyline, including its ends.
std::vector<ProfilePoint> resample(std::span<const ProfilePoint> profile, int count);

/// Volume of a closed mesh in cubic metres: divergence theorem over its triangles, summed in double.
double enclosed_volume(const collision::Topology& topology, std::span<const collision::Vec3f> positions);

}  // namespace claybox::app
