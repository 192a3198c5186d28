#pragma once
// One box against a run of boxes that lie in columns, with the widest vectors that the processor has.

#include <cstdint>

namespace claybox::collision {

/// Columns must be readable this many floats beyond the end of a run, and hits writable as far.
inline constexpr std::uint32_t kRunPadding = 16;

/// Ends of boxes in columns: of the first axis only the high ends, since a run is chosen by the low ones.
struct RunColumns {
    const float *high_0, *low_1, *high_1, *low_2, *high_2;
};
struct RunBox {
    float low_0, low_1, high_1, low_2, high_2;
};

/// Writes the places in [begin, end) whose boxes do not end before `box` on the first axis and overlap it on
/// the other two (touching counts), ascending, and returns how many. `hits` has room for
/// end - begin + kRunPadding. Thread-safe; allocates nothing.
std::uint32_t overlap_run(const RunColumns& columns, const RunBox& box, std::uint32_t begin,
                          std::uint32_t end, std::uint32_t* hits);

/// The same by a plain loop: the reference of the tests.
std::uint32_t overlap_run_scalar(const RunColumns& columns, const RunBox& box, std::uint32_t begin,
                                 std::uint32_t end, std::uint32_t* hits);

}  // namespace claybox::collision
