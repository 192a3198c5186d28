#pragma once
// The rows of the comparison of broad phases: all/BODIES, few/BODIES, turns/BODIES, long/BODIES.

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
    "all[/BODIES]: everyone moves; few[/BODIES]: the same hundredth moves; turns[/BODIES]: another hundredth "
    "each frame; long[/BODIES]: everyone moves for 10000 frames; 10 to 1000000 bodies; * or nothing for all "
    "of the default rows";

/// The rows that the patterns name, in order and without repeats; all default rows for no pattern, few when
/// `quick`.
collision::Result<std::vector<BroadRow>> broad_rows(const std::vector<std::string>& patterns, bool quick);

}  // namespace claybox::bench
