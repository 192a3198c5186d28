#pragma once
// Steps 4 to 6 of section 9: sorts the pixels and finds vertices inside faces and crossing edges.

#include "collision/continuous/screw_motion/screen/screen_types.hpp"

#include <span>

namespace claybox::collision {

/// The columns that a face covers in one row of pixels.
struct FaceSpan {
    std::int32_t h_min = 0, h_max = 0;
    std::uint32_t face = 0;
};

/// A run in the list of its row.
struct RowRun {
    std::int32_t h_min = 0, h_max = 0;
    std::uint32_t edge = 0;
    std::uint32_t run = 0;  ///< index into SideScreen::runs
};

/// Shell sort by the first column. In place, no memory; fast for the short lists of one row.
void shell_sort_by_start(std::span<RowRun> runs);
void shell_sort_by_start(std::span<FaceSpan> spans);
/// The copy that the sweep leaves faces by: sorted by the last column.
void shell_sort_by_end(std::span<FaceSpan> spans);

/// Two edges that share a pixel, and the times of the first such pixel.
struct EdgePair {
    std::uint32_t a = 0, b = 0;  ///< indices into SideScreen::edges
    float time = 0;              ///< t of A minus t of B: the collision time, to the resolution
    bool a_first = false, a_last = false, b_first = false, b_last = false;  ///< ends in that pixel
};
/// A vertex that lies in a face of the other body on the screen.
struct VertexFacePair {
    std::uint32_t vertex = 0;  ///< index into SideScreen::vertices
    std::uint32_t face = 0;
    float low = 0, high = 1;  ///< they can only meet then
};

/// An open hash table from pairs of indices to indices, cleared in constant time.
class IndexPairTable {
  public:
    void clear(std::size_t expected);
    /// The value stored for (a, b); `value` is stored first if there is none.
    std::uint32_t& find(std::uint32_t a, std::uint32_t b, std::uint32_t value, bool& inserted);

  private:
    struct Slot {
        std::uint64_t key;
        std::uint32_t stamp, value;
    };
    void grow();
    std::vector<Slot> slots_;
    std::uint32_t stamp_ = 0;
    std::size_t used_ = 0;
};

/// The pairs that share a pixel, and the memory to find them.
struct ScanMemory {
    std::vector<EdgePair> edge_pairs;
    std::vector<VertexFacePair> a_in_b, b_in_a;  ///< vertices of A in faces of B, and the reverse
    std::size_t comparisons = 0;                 ///< pairs of runs on the same pixel: m of section 9.1

    struct Side {
        std::vector<std::uint32_t> row_begin, vertex_begin, vertex_order;
        std::vector<RowRun> sorted;
        std::vector<RowRun> crossing;  ///< the runs of one row that the other body's runs can meet
        std::vector<FaceSpan> spans, leaving, entered;
        std::vector<RowRun> sliced;  ///< the runs of one row by slices of time
        std::vector<std::uint32_t> face_slot, active, slice_begin;
    };
    Side a, b;
    IndexPairTable pairs, vertex_pairs;
    std::vector<std::uint32_t> chain;  ///< of the hash table of pixels
    std::vector<std::uint32_t> chain_run;
};

/// Fills the pairs. Times that differ by less than -time_margin or more than 1 + time_margin exclude a pair.
/// With `settings.hash_pixels`, a hash table of pixels replaces sorting and sweeping; with
/// `settings.time_sort`, pixels are also sorted by time. The pairs are the same, in another order.
void scan_screen(const ScreenSettings& settings, const SideScreen& a, const SideScreen& b,
                 ScanMemory& memory);

}  // namespace claybox::collision
