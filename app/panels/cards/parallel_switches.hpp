#pragma once
// Names of the parallel switches, for the card Performance and the finder.

#include "collision/module/parallel_mode.hpp"

#include <array>

namespace claybox::app {

struct ParallelSwitch {
    collision::ParallelMode mode;
    const char *label, *help;
};

inline constexpr std::array<ParallelSwitch, collision::kParallelModes> kParallelSwitches{{
    {collision::ParallelMode::pairs, "Pairs in parallel",
     "Workers share the pairs of a pass. Verdicts stay the same."},
    {collision::ParallelMode::halves, "Two halves of a pair",
     "For slow pairs: one worker tests edges of A against polygons of B, another one the reverse."},
    {collision::ParallelMode::fine, "Many parts of a pair",
     "For slow pairs: edges and polygons are split into parts for all workers."},
    {collision::ParallelMode::dual, "Race a gap search",
     "For slow pairs: a search for a separating plane runs in parallel with the algorithm. The first answer "
     "stops both."},
    {collision::ParallelMode::three, "Race gap and point search",
     "As above, with a search for common points as a third competitor."},
}};

}  // namespace claybox::app
