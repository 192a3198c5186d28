#pragma once
// Finds the boxes in short runs that may overlap a query box. Boxes are stored as integer codes on a grid
// instead of floats, so one addition compares all axes. Uses the widest vectors that the processor has.

#include <cstddef>
#include <cstdint>
#include <span>

namespace claybox::collision {

/// Columns must be readable, and results writable, this many places beyond the end.
inline constexpr std::uint32_t kCodePadding = 16;

/// A box in whole grid steps, one field of ten bits per axis in each word. `upper` holds the low nine bits of
/// each upper end; `lower` holds the low nine bits of each negated lower end.
///
/// On one axis, the sum of one box's upper end and the other's negated lower end is below half of the
/// nine-bit range if the first box ends at or behind the other's lower end. This holds if both boxes together
/// are shorter than half the range. So one addition per word compares all axes. Boxes farther apart than half
/// the range may be reported as near; overlapping boxes are never missed.
struct BoxCode {
    std::uint32_t upper = 0, lower = 0;
};
inline constexpr unsigned kCodeField = 10;           ///< bits per field
inline constexpr std::uint32_t kCodeValues = 0x1ff;  ///< mask of a field's value
/// kCodeApart: the top value bit of each field, set in a sum if the boxes are apart on that axis.
/// kCodeNothing: a bit outside all fields; a code with this bit in `upper` overlaps nothing.
inline constexpr std::uint32_t kCodeApart = 0x10040100u, kCodeNothing = 0x80000000u;

/// The codes of all boxes, one column per word.
struct CodeColumns {
    const std::uint32_t *upper, *lower;
};

/// The places [begin, end) of the columns.
struct CodeRun {
    std::uint32_t begin, end;
};

/// One query. Compares each box at the places [first, last) with the boxes that follow it before `own_end`,
/// and with the boxes of `runs` runs. `own_end` is at least `last`, or 0 to skip that part. With `all`, every
/// comparison succeeds, except with codes that overlap nothing.
struct CodeTask {
    std::uint32_t first, last, own_end, runs;
    bool all = false, given = false;
    BoxCode code{};  ///< if `given`: the query box, in steps of another grid, instead of the code at `first`
};

/// The minimum capacity of NearPairs.
inline constexpr std::size_t kCodeBlock = 512;
/// The result: pairs of places in two columns of `capacity` + kCodePadding. `flush` is called when the
/// remaining capacity may not suffice; it must consume the pairs and set `count` to 0.
struct NearPairs {
    std::uint32_t *query = nullptr, *other = nullptr;
    std::size_t count = 0, capacity = 0;
    std::uint64_t compared = 0;  ///< number of comparisons
    void (*flush)(NearPairs& near) = nullptr;
};

/// Appends all pairs that may overlap and adds to `compared`. `runs` holds the runs of all tasks, one task
/// after the other. Thread-safe if each thread has its own `near`.
void find_near_pairs(const CodeColumns& codes, std::span<const CodeTask> tasks, const CodeRun* runs,
                     NearPairs& near);

/// The same as a plain loop, with another order of pairs. Reference for the tests.
void find_near_pairs_scalar(const CodeColumns& codes, std::span<const CodeTask> tasks, const CodeRun* runs,
                            NearPairs& near);

}  // namespace claybox::collision
