#pragma once
// The measures of the pot in the picture. Lengths in metres.

#include "app/scenes/scene.hpp"

#include <optional>
#include <string>

namespace claybox::app {

struct PotDimensions {
    double height = 0, widest = 0, mouth = 0;
    double volume = 0;  ///< cubic metres
    /// The thinnest wall, if it is known.
    std::optional<double> wall;
};

/// Draws the height to the left of the clay, the width of the mouth above it and the largest diameter in
/// front of it as the viewer sees it, with end ticks and extension lines. Volume and wall are written below
/// the height.
void view_dimensions(const PotDimensions& pot, const ViewEye& eye, bool labels, SceneView& out);

/// Names the thinnest wall at its place, and the limit below which walls are marked. `at`: clay frame;
/// `limit`: millimetres.
void view_thinnest(const collision::Pose& clay, const collision::Vec3f& at, float wall, double limit,
                   SceneView& out);

/// A dimension label at a point.
ViewLabel measure_label(const collision::Vec3d& at, std::string text);
/// "Height 162 mm".
std::string in_millimetres(const char* what, double metres, int decimals = 0);

}  // namespace claybox::app
