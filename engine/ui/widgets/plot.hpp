#pragma once

#include "engine/ui/widgets/widgets.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace claybox::engine {

struct PlotPoint {
    float t = 0;  ///< 0 left .. 1 right
    float value = 0;
};

struct PlotSeries {
    std::span<const PlotPoint> points;
    Colour colour = 0;
    const char* name = "";
};

struct PlotMark {
    float t = 0;
    const char* label = "";
};

struct PlotSpec {
    std::span<const PlotSeries> series;
    std::span<const PlotMark> marks;
    const char* left = "";  ///< label below the left end of the axis
    const char* right = "";
    float min_top = 4;  ///< minimum top of the axis
    const char* unit = "ms";
};

/// A row of 84 units: values over time, with grid, ticks and vertical marks.
void time_plot(Ui& ui, const PlotSpec& spec);

struct FlamePart {
    const char* name = "";
    double seconds = 0;
    Colour colour = 0;
    const char* help = "";
};

/// A strip of 20 units with one part per time, in proportion. A line below it names the parts that are too
/// narrow for their names.
void flame_strip(Ui& ui, std::span<const FlamePart> parts);

struct StripMark {
    float t = 0;  ///< 0 left .. 1 right
    Colour colour = 0;
    const char* word = "";  ///< event name for the tooltip
    std::string_view text;
};

/// The time strip of the bottom bar. Times are places on the strip: 0 at its left end, 1 at its right end.
struct StripSpec {
    std::span<const StripMark> marks;
    int seconds = 10;             ///< length; one tick per second
    float kept_from = 1;          ///< from here on the past can be shown again
    float now = 1;                ///< may be beyond the right end
    std::optional<float> handle;  ///< of the past that is shown
    const char* help = "";
};

/// Events of the last seconds, with a handle. A tooltip describes the mark under the pointer. Returns where
/// the user drags the handle to, possibly beyond an end.
std::optional<float> event_strip(Ui& ui, const Rect& box, const StripSpec& spec);

}  // namespace claybox::engine
