#pragma once
// A broad phase's cells, nodes or intervals as thin lines.

#include "collision/broadphase/structure_view.hpp"
#include "engine/render/render_list.hpp"

namespace claybox::app {

struct StructureLook {
    glm::mat4 clip_from_world;
    float height = 0;  ///< of the picture, pixels at scale 1
    bool dark = false;
};

/// Appends the lines of the boxes. Those that would be smaller than a few pixels are left out, and small ones
/// are faint, so that near and far, few and many can be read.
void add_structure_lines(std::span<const collision::ViewBox> boxes, const StructureLook& look,
                         std::vector<engine::Line>& out);

}  // namespace claybox::app
