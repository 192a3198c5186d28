#pragma once
// Parser of device maps. One line per device:
//   class name = source | source ...
// A source is one reference, or two joined by "plus", "minus" or "with", followed by modifiers.
// docs/reference/devices.md describes the language.

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

/// One modifier with its numbers. `above` and `below`: press level, then release level; `axis`: 0 to 2.
struct MapStep {
    StepKind kind{};
    std::array<double, 3> number{};
    int count = 0;  ///< of numbers in use
};

/// A channel, "keyboard.ctrl+z", or with @ a logical device, "@right.pinch".
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
    std::string name, mapping;  ///< mapping: the right side as written
    std::vector<MapTerm> terms;
    std::size_t number = 0;  ///< 1-based line number in the file; 0: not from a file
};

/// Parses the right side of a line; "none" has no terms. Returns false with an error that names what was
/// expected.
bool parse_mapping(std::string_view mapping, std::vector<MapTerm>& terms, std::string& error);

/// Parses a whole file. `#` begins a comment at the start of a line or after a blank. Returns false with the
/// line number and an error that names what was expected.
bool parse_map(std::string_view text, std::vector<MapLine>& lines, std::size_t& line, std::string& error);

}  // namespace claybox::engine
