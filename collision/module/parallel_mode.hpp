#pragma once
// How the workers of a module share the exact tests of a pass: docs/parallel.md.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace claybox::collision {

/// A set of switches, which may be combined; serial is the empty set, one worker. No verdict depends on it.
enum class ParallelMode : unsigned char {
    serial = 0,
    pairs = 1 << 0,   ///< workers take pairs
    halves = 1 << 1,  ///< edges of A against polygons of B on one worker, the reverse on another
    dual =
        1 << 2,  ///< beside the chosen algorithm, one that is fast to find gaps; the first answer ends both
    three = 1 << 3,  ///< as dual, and beside them one that is fast to find common points
    fine = 1 << 4,   ///< many parts of one pair, edges and polygons shared out among all workers
};

inline constexpr unsigned kParallelModes = 5;  ///< switches
/// Some tens of microseconds. Our choice: to hand a part over and take its result back takes a few, and what
/// parts repeat has to be gained first.
inline constexpr std::uint32_t kWorthSharing = 10000;

constexpr ParallelMode operator|(ParallelMode x, ParallelMode y) {
    return ParallelMode(static_cast<unsigned char>(x) | static_cast<unsigned char>(y));
}
constexpr ParallelMode operator&(ParallelMode x, ParallelMode y) {
    return ParallelMode(static_cast<unsigned char>(x) & static_cast<unsigned char>(y));
}
/// Whether one of `asked` is on.
constexpr bool has(ParallelMode set, ParallelMode asked) {
    return (set & asked) != ParallelMode::serial;
}

/// "serial", or the names of the switches that are on, joined by '+'.
std::string to_string(ParallelMode mode);
/// The reverse, in any order; nothing for a word that is none.
std::optional<ParallelMode> parallel_mode(std::string_view text);

}  // namespace claybox::collision
