#pragma once
// Which boxes of some short runs may overlap a box: asked of codes, whole steps of a grid in place of floats,
// with the widest vectors that the processor has.

#include <cstddef>
#include <cstdint>
#include <span>

namespace claybox::collision {

/// Columns must be readable this many places beyond the last run, and answers writable as far.
inline constexpr std::uint32_t kCodePadding = 16;

/// A box in whole steps along the axes, three fields of ten bits a word: the low nine bits of the steps of
/// its upper ends, and of the negated steps of its lower ends. Where one box ends at or behind the begin of
/// another, their sum along that axis is less than half of the nine bits' range, as long as the two together
/// are shorter than that; so one addition a word compares all axes. Boxes farther apart than the half range
/// may look near, never the other way round.
struct BoxCode {
    std::uint32_t upper = 0, lower = 0;
};
inline constexpr unsigned kCodeField = 10;
inline constexpr std::uint32_t kCodeValues = 0x1ff;
/// What half of the range of each field adds, and a bit that no field uses: a code that has it in `upper`
/// overlaps nothing.
inline constexpr std::uint32_t kCodeApart = 0x10040100u, kCodeNothing = 0x80000000u;

/// Codes by place.
struct CodeColumns {
    const std::uint32_t *upper, *lower;
};

/// Places [begin, end).
struct CodeRun {
    std::uint32_t begin, end;
};

/// The boxes at places [first, last) are each compared with what follows them before `own_end`, which is not
/// below `last` (or 0: with nothing), and with `runs` runs. With `all` set they are taken to be near
/// anything.
struct CodeTask {
    std::uint32_t first, last, own_end, runs;
    bool all = false, given = false;
    BoxCode code{};  ///< of the only one that asks, when given: steps of another grid
};

/// Pairs of places, in two columns. `flush` takes them away when less room is left than may be needed; room
/// is at least kCodeMost, and counted without kCodePadding.
inline constexpr std::size_t kCodeMost = 512;
struct NearBoxes {
    std::uint32_t *asker = nullptr, *other = nullptr;
    std::size_t count = 0, room = 0;
    std::uint64_t compared = 0;
    void (*flush)(NearBoxes& near) = nullptr;
};

/// Appends all pairs that may overlap, and adds how many were compared. `runs` are those of all tasks, one
/// after the other. Thread-safe for different answers.
void find_near_boxes(const CodeColumns& codes, std::span<const CodeTask> tasks, const CodeRun* runs,
                     NearBoxes& near);

/// The same by a plain loop, in another order: the reference of the tests.
void find_near_boxes_scalar(const CodeColumns& codes, std::span<const CodeTask> tasks, const CodeRun* runs,
                            NearBoxes& near);

}  // namespace claybox::collision
