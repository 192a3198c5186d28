#pragma once
// Ground truth for presses: how often each button should fire and release, given the whole paths of the
// fingertips. Slow and simple, and independent of the press machine: it splits time at every instant at which
// a fingertip crosses a relevant plane, and evaluates the rules between two such instants. The button lab
// scores presses with it; tests compare thousands of pokes.

#include "app/buttons/press.hpp"

namespace claybox::app {

/// Centre of the fingertip's ball at a time; seconds, metres, in the common frame of the faces.
struct TruthPoint {
    double time = 0;
    collision::Vec3d at;
};

/// Path of a fingertip: linear between points with increasing times.
struct TruthPath {
    std::vector<TruthPoint> points;
    double radius = 0.0075;
};

/// A face in the common frame; `right`, `up` and `out` are its unit axes.
struct TruthFace {
    PressPad pad;
    collision::Vec3d middle, right{1, 0, 0}, up{0, 1, 0}, out{0, 0, 1};
};

struct TruthCount {
    int presses = 0, releases = 0;
    int from_behind = 0;  ///< crossings of the face from its back
    friend bool operator==(const TruthCount&, const TruthCount&) = default;
};

/// Counts per face. Supports all rules except PressRules::plain. A finger appears at the first point of its
/// path. Allocates.
std::vector<TruthCount> expected_presses(std::span<const TruthPath> paths, std::span<const TruthFace> faces,
                                         const PressRules& rules);

}  // namespace claybox::app
