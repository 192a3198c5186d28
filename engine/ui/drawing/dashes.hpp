#pragma once
// Lines with dashes, so that colour is not the only thing that tells curves apart.

#include "engine/ui/drawing/draw.hpp"

#include <span>

namespace claybox::engine {

enum class Dashes : unsigned char { solid, long_dashes, dots, dash_dot };
inline constexpr std::size_t kDashKinds = 4;

/// Draws a line through the points. The pattern goes on around corners.
void draw_dashed(Ui& ui, ImDrawList& list, std::span<const ImVec2> line, Dashes dashes, Colour colour,
                 float width_units);

}  // namespace claybox::engine
