#pragma once
// What geometry says should have happened: how often each button was pressed and released by fingertips whose
// whole ways are known. Slow and plain, and nothing of the press machine is in it: it cuts time at every
// instant at which some fingertip crosses a plane that means something, and looks at what holds between two
// such instants. The button lab counts misses and doubles with it, tests compare thousands of pokes.

#include "app/buttons/press.hpp"

namespace claybox::app {

/// The middle of a fingertip's ball at a time, in the frame that `TruthFace` counts from; seconds, metres.
struct TruthPoint {
    double time = 0;
    collision::Vec3d at;
};

/// A fingertip's whole way: straight and even between its points, whose times increase.
struct TruthWay {
    std::vector<TruthPoint> points;
    double radius = 0.0075;
};

/// A face of given measures, in the common frame: `right`, `up` and `out` are its unit axes.
struct TruthFace {
    PressPad pad;
    collision::Vec3d middle, right{1, 0, 0}, up{0, 1, 0}, out{0, 0, 1};
};

struct TruthCount {
    int presses = 0, releases = 0;
    int from_behind = 0;  ///< ways through the face from its back
    friend bool operator==(const TruthCount&, const TruthCount&) = default;
};

/// One count for each face. The rules are those of a press board, less the plain one; a way appears with its
/// first point. Allocates.
std::vector<TruthCount> what_should_happen(std::span<const TruthWay> ways, std::span<const TruthFace> faces,
                                           const PressRules& rules);

}  // namespace claybox::app
