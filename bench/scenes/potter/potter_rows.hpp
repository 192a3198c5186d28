#pragma once
// Rows of the experiment `potter`.

#include "app/potter/shapes/clay_shapes.hpp"
#include "collision/core/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace claybox::bench {

enum class PotterPart : unsigned char {
    /// The polygons under the hand are the same number in each size of clay: hand and radius shrink with the
    /// polygons. What is left is the cost of the clay that nobody touches.
    touched,
    hand,    ///< a hand of its real size: finer clay means more polygons under it
    still,   ///< the same stroke on a pot that turns and on one that stands still
    others,  ///< collision and normals of the same deforming mesh, compared with other libraries
};

enum class PotterTool : unsigned char { whole_hand, index_finger, fingertips, one_fingertip };

struct PotterRow {
    PotterPart part = PotterPart::touched;
    std::uint32_t polygons = 10000;
    PotterTool tool = PotterTool::whole_hand;
    app::ClayFaces faces = app::ClayFaces::quadrangles;

    std::string name() const;  ///< "hand/1000000/whole_hand/quadrangles"
    /// Size of the hand relative to a real one.
    double hand_scale() const;
    friend bool operator==(const PotterRow&, const PotterRow&) = default;
};

inline constexpr const char* kPotterRows =
    "touched/POLYGONS/TOOL/FACES, hand/POLYGONS/TOOL/FACES, still/POLYGONS or others/POLYGONS; TOOL is "
    "whole_hand, index_finger, fingertips or one_fingertip, FACES is quadrangles or triangles; the end may "
    "be "
    "missing, and * stands for any word";

/// The rows that match one of the patterns; all default rows without patterns. A pattern with a number of
/// polygons that no default row has makes a new row.
collision::Result<std::vector<PotterRow>> potter_rows(const std::vector<std::string>& patterns, bool quick);

}  // namespace claybox::bench
