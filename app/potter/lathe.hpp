#pragma once
// Bodies of revolution about +Y, and what can be measured of a closed mesh.

#include "collision/geometry/polyhedron.hpp"

#include <span>
#include <vector>

namespace claybox::app {

/// A point of a profile: distance from the axis and height, metres.
struct ProfilePoint {
    double r = 0, y = 0;
};

/// Quads between neighbouring profile points, `sides` around; points with r = 0 become one vertex. A profile
/// that runs up the outside gives outward polygons. Starts and ends on the axis for a closed body.
collision::PolygonList lathe(std::span<const ProfilePoint> profile, int sides);

/// A disc whose top is at y = 0 and whose upper rim is rounded in `steps`.
collision::PolygonList rounded_disc(double radius, double thickness, double bevel, int steps, int sides);

/// `count` + 1 points of equal spacing along a polyline, its ends included.
std::vector<ProfilePoint> resample(std::span<const ProfilePoint> profile, int count);

/// The volume inside a closed mesh by the divergence theorem over its triangles, summed in double, cubic
/// metres.
double enclosed_volume(const collision::Topology& topology, std::span<const collision::Vec3f> positions);

}  // namespace claybox::app
