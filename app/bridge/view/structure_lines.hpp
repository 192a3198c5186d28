#pragma once
// Cells, nodes or intervals of a broad phase as thin lines.

#include "collision/broadphase/structure_view.hpp"
#include "engine/render/render_list.hpp"

namespace claybox::app {

struct StructureLook {
    glm::mat4 clip_from_world;
    float height = 0;  ///< of the picture, pixels at scale 1
    bool dark = false;
    bool loads = false;  ///< levels are classes of load
};

/// Appends the lines of the boxes. Boxes of less than a few pixels are left out, and small boxes are faint,
/// so that the picture stays readable.
void add_structure_lines(std::span<const collision::ViewBox> boxes, const StructureLook& look,
                         std::vector<engine::Line>& out);

/// Appends the corners of boxes of bodies: short lines, so that the structure's own lines stay readable.
void add_box_corners(std::span<const collision::Aabb> boxes, const StructureLook& look,
                     std::vector<engine::Line>& out);

}  // namespace claybox::app
