#pragma once
// Compares one box with a run of boxes stored in columns. Uses the widest vectors that the processor has.

#include <cstdint>

namespace claybox::collision {

/// Columns must be readable, and hits writable, this many entries beyond the end of a run.
inline constexpr std::uint32_t kRunPadding = 16;

/// The ends of the boxes, one column each. The low ends on axis 0 are absent: the caller chooses the run by
/// them.
struct RunColumns {
    const float *high_0, *low_1, *high_1, *low_2, *high_2;
};
/// The query box. Its high end on axis 0 is absent, as the caller chooses the run by it.
struct RunBox {
    float low_0, low_1, high_1, low_2, high_2;
};

/// Finds the boxes in [begin, end) that do not end before `box` on axis 0 and overlap it on axes 1 and 2.
/// Touching counts as overlapping. Writes their indices to `hits`, ascending, and returns their number.
/// `hits` must hold end - begin + kRunPadding entries. Thread-safe; allocates nothing.
std::uint32_t overlap_run(const RunColumns& columns, const RunBox& box, std::uint32_t begin,
                          std::uint32_t end, std::uint32_t* hits);

/// The same as a plain loop. Reference for the tests.
std::uint32_t overlap_run_scalar(const RunColumns& columns, const RunBox& box, std::uint32_t begin,
                                 std::uint32_t end, std::uint32_t* hits);

}  // namespace claybox::collision
