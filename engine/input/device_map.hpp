#pragma once
// The text that says what a logical device is made of. A line for each device:
//   class name = source | source ...
// and a source is one reference, or two joined by "plus", "minus" or "with", and then modifiers.
// docs/devices.md has the table of them.

#include "engine/input/input_source.hpp"

namespace claybox::engine {

enum class StepKind : unsigned char {
    scale,
    offset,
    rate,
    invert,
    deadzone,
    above,
    below,
    hold,
    toggle,
    steps,
    axis
};

/// One modifier with its numbers: of above and below the level and that of letting go; of axis 0 to 2.
struct MapStep {
    StepKind kind{};
    std::array<double, 3> number{};
    int count = 0;  ///< of numbers
};

/// A channel, "keyboard.ctrl+z", or with @ another logical device, "@right.pinch".
struct MapRef {
    bool logical = false;
    std::string text;  ///< without the @
};

enum class MapJoin : unsigned char { none, plus, minus, with };

struct MapTerm {
    MapRef first, second;
    MapJoin join = MapJoin::none;
    std::vector<MapStep> steps;
};

struct MapLine {
    DeviceClass type = DeviceClass::button;
    std::string name, mapping;  ///< mapping: the right side as it was written
    std::vector<MapTerm> terms;
    std::size_t number = 0;  ///< of the line in its file, from 1; 0 for one that is in no file
};

/// The right side of a line; "none" gives no terms. False with what was expected in `error`.
bool parse_mapping(std::string_view mapping, std::vector<MapTerm>& terms, std::string& error);

/// A whole file; `#` after a blank and at the start of a line begins a comment. False with the number of the
/// line and what was expected.
bool parse_map(std::string_view text, std::vector<MapLine>& lines, std::size_t& line, std::string& error);

}  // namespace claybox::engine
