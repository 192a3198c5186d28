#pragma once
// The boxes of the bodies in this frame and in the frame before: which have moved, how many are in a cell,
// and which ends have changed places on an axis.

#include "app/scenes/view.hpp"
#include "collision/broadphase/structure_view.hpp"

#include <array>
#include <map>

namespace claybox::app {

class FrameBoxes {
  public:
    struct Entry {
        std::uint32_t pick = 0;
        collision::Aabb box;  ///< world
        bool moved = false;   ///< since the frame before
    };

    /// Reads the bodies of the picture. A frame that was read already is not read again.
    void take(std::uint64_t frame, const SceneView& view, std::span<const ViewMesh> meshes);
    void clear() { *this = {}; }

    std::span<const Entry> entries() const { return entries_; }
    std::size_t moved() const;
    /// The number of bodies whose boxes overlap this one.
    std::uint32_t load_of(const collision::Aabb& box) const;
    /// Where ends of intervals on this axis have changed places since the frame before: the coordinates of
    /// the ends that moved down. One for each exchange of neighbours that sorts the ends again.
    const std::vector<float>& swaps(std::size_t axis) const { return swaps_[axis]; }

  private:
    collision::Aabb local_box(std::uint64_t mesh, std::span<const ViewMesh> meshes);
    void find_swaps(std::size_t axis);

    struct LocalBox {
        std::uint64_t version = 0;
        collision::Aabb box;
    };
    std::uint64_t frame_ = ~std::uint64_t{0};
    std::map<std::uint64_t, LocalBox> local_;          ///< by mesh
    std::vector<Entry> entries_, before_;              ///< ascending by pick
    std::vector<std::uint32_t> by_low_;                ///< entries, ascending by the low end on x
    float widest_ = 0;                                 ///< box on x
    std::array<std::vector<std::uint32_t>, 3> order_;  ///< 2 * pick + (1 if high), sorted
    std::array<std::vector<float>, 3> swaps_;
};

/// Three strips with the intervals of all bodies, and the swaps of this frame.
ViewInset intervals_inset(const FrameBoxes& boxes);

/// How full a cell is: 0 for one body, 1 for two, 2 for up to 4, 3 for up to 8, 4 for more.
std::uint32_t load_class(std::uint32_t bodies);
inline constexpr std::uint32_t kLoadClasses = 5;

}  // namespace claybox::app
