#pragma once

#include "app/scenes/view.hpp"
#include "collision/continuous/screw_motion/collision_screen.hpp"

namespace claybox::app {

/// The collision screen as a flat drawing (Buss, Fig. 14): h to the right, r up. Edges of A and of B as
/// curves, with their pixels if `pixels` is set, and the contacts as marks with their numbers. Contacts later
/// than `time` are drawn as not reached yet; those below `threshold` are left out.
ViewInset make_screen_inset(const collision::CollisionScreen& screen, bool pixels, double threshold,
                            double time);

}  // namespace claybox::app
