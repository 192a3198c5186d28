#pragma once
// Placement of the scene's chips: near the point that they label, and off the bodies where possible.

#include "app/panels/model.hpp"

#include <algorithm>

namespace claybox::app {

/// Discs by the place of their centres, so that a chip looks at those around it only.
class DiscGrid {
  public:
    bool built() const { return columns_ > 0; }
    void build(std::span<const ScreenDisc> discs, const engine::Rect& area, float cell);
    /// Visits all discs that may overlap the box, and some others, until `visit` returns false.
    template <class Visit>
    void visit(const engine::Rect& box, Visit visit) const {
        const std::size_t first = column(box.x0 - widest_), last = column(box.x1 + widest_),
                          low = row(box.y1 + widest_);
        for (std::size_t r = row(box.y0 - widest_); r <= low; ++r)
            for (std::size_t i = starts_[r * columns_ + first]; i < starts_[r * columns_ + last + 1]; ++i)
                if (!visit(sorted_[i])) return;
    }

  private:
    std::size_t column(float x) const { return place(x - x_, columns_); }
    std::size_t row(float y) const { return place(y - y_, rows_); }
    /// What is outside belongs to the cell at the border.
    std::size_t place(float from, std::size_t count) const {
        return static_cast<std::size_t>(
            std::max(0.0f, std::min(from / cell_, static_cast<float>(count - 1))));
    }

    float x_ = 0, y_ = 0, cell_ = 1, widest_ = 0;
    std::size_t columns_ = 0, rows_ = 0;
    std::vector<std::size_t> starts_;  ///< by cell, and one more
    std::vector<ScreenDisc> sorted_;   ///< by cell
};

/// The area for the chips of one frame and what they should not cover.
struct ChipField {
    engine::Rect area;                ///< the free part of the window
    std::vector<engine::Rect> taken;  ///< other chips and the hint; grows by each chip that is placed
    std::span<const ScreenDisc> discs;
    float unit = 1;   ///< pixels
    DiscGrid grid{};  ///< of `discs`, built for the first chip
};

/// Finds a place for a chip of this size that labels the point (x, y): near it, and over as little as
/// possible. `choice` is the place of the last frame or -1; it stays unless another place is clearly better.
engine::Rect place_chip(ChipField& field, float x, float y, float width, float height, int& choice);

}  // namespace claybox::app
