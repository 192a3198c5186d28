#pragma once
// Reader of icon files, a small part of SVG: assets/README.md lists it.

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace claybox::engine {

/// A shape of an icon, in units of a box of 24 by 24, y down.
struct IconShape {
    enum class Kind : unsigned char { path, circle, rectangle };
    Kind kind = Kind::path;
    bool filled = false;  ///< else stroked
    float stroke = 0;     ///< width of a stroke
    /// Circle: centre and radius. Rectangle: left, top, right, bottom and corner radius.
    std::array<float, 5> numbers{};

    /// A step of a path: a line to `to`, or a cubic Bézier curve with two control points.
    struct Step {
        bool curve = false;
        std::array<float, 2> from_control{}, to_control{}, to{};
    };
    std::array<float, 2> start{};
    std::vector<Step> steps;
    bool closed = false;
};

/// Parses an icon. A path with several M commands becomes several shapes. Returns false with "line: what was
/// found and what was expected" in `error`.
bool parse_icon(std::string_view text, std::vector<IconShape>& shapes, std::string& error);

}  // namespace claybox::engine
