#pragma once
// Rows of the experiment `broad`: all/BODIES, few/BODIES, turns/BODIES, long/BODIES.

#include "bench/streams/box_cage.hpp"
#include "collision/core/result.hpp"

#include <string>
#include <vector>

namespace claybox::bench {

enum class BroadPart : unsigned char { all, few, turns, lasting };

struct BroadRow {
    BroadPart part = BroadPart::all;
    std::uint32_t bodies = 0;

    std::string name() const;  ///< "all/1000"
    streams::BoxMotion motion() const;
    friend bool operator==(const BroadRow&, const BroadRow&) = default;
};

inline constexpr const char* kBroadRows =
    "all[/BODIES]: all bodies move; few[/BODIES]: the same 1 % move; turns[/BODIES]: a different 1 % in each "
    "frame; long[/BODIES]: all bodies move for 10000 frames; 10 to 1000000 bodies; * or nothing for all "
    "default rows";

/// The rows that match the patterns, in order, each once. Without patterns: all default rows, fewer if
/// `quick`. An invalid pattern is an error.
collision::Result<std::vector<BroadRow>> broad_rows(const std::vector<std::string>& patterns, bool quick);

}  // namespace claybox::bench
