#pragma once

#include "engine/ui/widgets.hpp"

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
    const char* left = "";  ///< under the left end of the axis
    const char* right = "";
    float least_top = 4;  ///< the axis reaches at least so far
    const char* unit = "ms";
};

/// A row of 100 units: values over time with grid, ticks and vertical marks.
void time_plot(Ui& ui, const PlotSpec& spec);

struct FlamePart {
    const char* name = "";
    double seconds = 0;
    Colour colour = 0;
    const char* help = "";
};

/// A strip of 20 units whose parts are as long as their times.
void flame_strip(Ui& ui, std::span<const FlamePart> parts);

struct StripMark {
    float t = 0;  ///< 0 oldest .. 1 now
    Colour colour = 0;
    const char* word = "";  ///< what happened, for the one under the pointer
    std::string_view text;
};

/// The time strip of the bottom bar: what happened in the last seconds, a tick a second. It shows and is not
/// dragged: no handle; a mark under the pointer says what it was.
void event_strip(Ui& ui, const Rect& box, std::span<const StripMark> marks, int seconds, const char* help);

}  // namespace claybox::engine
