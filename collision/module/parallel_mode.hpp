#pragma once
/// \file
/// How workers share the pair tests of a pass: docs/explanation/parallel.md.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace claybox::collision {

/// Bit set of switches. Serial is the empty set (one worker). No verdict depends on the mode.
enum class ParallelMode : unsigned char {
    serial = 0,       ///< one worker does everything
    pairs = 1 << 0,   ///< workers test different pairs
    halves = 1 << 1,  ///< one worker tests edges of A against polygons of B, another the reverse
    dual = 1 << 2,    ///< the chosen algorithm races a fast search for a gap; the first answer stops both
    three = 1 << 3,   ///< as dual, plus a fast search for a common point
    fine = 1 << 4,    ///< edges and polygons of one pair are divided among all workers
};

inline constexpr unsigned kParallelModes = 5;  ///< number of switches
/// Default of WorldSettings::share_from, in steps (some tens of microseconds). Our choice: handing a part
/// over and collecting its result takes a few microseconds, and parts repeat some of the work.
inline constexpr std::uint32_t kMinSharedSteps = 10000;

/// The switches of both.
constexpr ParallelMode operator|(ParallelMode x, ParallelMode y) {
    return ParallelMode(static_cast<unsigned char>(x) | static_cast<unsigned char>(y));
}
/// The common switches.
constexpr ParallelMode operator&(ParallelMode x, ParallelMode y) {
    return ParallelMode(static_cast<unsigned char>(x) & static_cast<unsigned char>(y));
}
/// True when at least one of `switches` is on.
constexpr bool has(ParallelMode set, ParallelMode switches) {
    return (set & switches) != ParallelMode::serial;
}

/// "serial", or the names of the active switches joined by '+'.
std::string to_string(ParallelMode mode);
/// Parses that text, in any order. Returns nullopt for an unknown name.
std::optional<ParallelMode> parallel_mode(std::string_view text);

}  // namespace claybox::collision
