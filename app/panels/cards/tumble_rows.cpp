// The rows of the Inspect card that show times against distance of two tumbling bodies.

#include "app/panels/cards/cards.hpp"
#include "engine/ui/drawing/dashes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::app {

using engine::Align;
using engine::Colour;
using engine::Rect;
using engine::TextSize;

namespace {

constexpr std::size_t kCurveColours = 6;

double time_of(const TumblePoint& point, bool max) {
    return max ? point.max_ns : point.mean_ns;
}

/// Look of a curve. Colours alone would repeat: the next round of colours has other dashes.
struct CurveLook {
    Colour colour;
    engine::Dashes dashes;
};

CurveLook curve_look(const engine::Theme& theme, std::size_t i) {
    const std::array<Colour, kCurveColours> colours{theme.accent, theme.teal, theme.violet,
                                                    theme.amber,  theme.ink,  engine::colour(0x5E87C0)};
    return {colours[i % kCurveColours], static_cast<engine::Dashes>(i / kCurveColours % engine::kDashKinds)};
}

/// The plot: distances to the right, the logarithm of the time upwards.
struct TumblePlot {
    Rect area;
    double from = 0, to = 1;   ///< metres
    double low = 0, high = 1;  ///< powers of ten of nanoseconds
    bool max = false;

    ImVec2 place(const TumblePoint& p) const {
        const double x = (p.distance - from) / (to - from);
        const double y = (std::log10(std::max(time_of(p, max), 1.0)) - low) / (high - low);
        return {area.x0 + static_cast<float>(x) * area.width(),
                area.y1 - static_cast<float>(std::clamp(y, 0.0, 1.0)) * area.height()};
    }
};

/// The powers of ten that contain all times.
void fit(std::span<const TumbleCurve> curves, TumblePlot& plot) {
    double low = 1e12, high = 1;
    for (const TumbleCurve& curve : curves)
        for (const TumblePoint& p : curve.points) {
            low = std::min(low, time_of(p, plot.max));
            high = std::max(high, time_of(p, plot.max));
        }
    plot.low = std::floor(std::log10(std::max(1.0, std::min(low, high))));
    plot.high = std::max(plot.low + 1, std::ceil(std::log10(high)));
}

/// "100 ns", "1 µs": of a power of ten of nanoseconds.
std::string power_text(double power) {
    const double ns = std::pow(10.0, power);
    return power < 2.5   ? engine::fixed(ns, 0) + " ns"
           : power < 5.5 ? engine::fixed(ns * 1e-3, 0) + " µs"
                         : engine::fixed(ns * 1e-6, 0) + " ms";
}

void draw_grid(engine::Ui& ui, const Rect& row, const TumblePlot& plot) {
    const engine::Theme& theme = ui.theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(plot.area.min(), plot.area.max(), engine::faded(theme.frame, 0.55f));
    for (double power = plot.low; power <= plot.high + 1e-9; power += 1) {
        const float y = plot.area.y1 -
                        static_cast<float>((power - plot.low) / (plot.high - plot.low)) * plot.area.height();
        list.AddLine({plot.area.x0, y}, {plot.area.x1, y}, theme.line);
        engine::draw_text(ui, list, {row.x0, y - ui.px(8), plot.area.x0 - ui.px(6), y + ui.px(8)},
                          TextSize::secondary, theme.secondary, power_text(power), Align::right);
    }
    const Rect below{plot.area.x0, plot.area.y1 + ui.px(2), plot.area.x1, plot.area.y1 + ui.px(20)};
    const auto metres = [](double v) { return engine::fixed(v, 2) + " m"; };
    engine::draw_text(ui, list, below, TextSize::secondary, theme.secondary, metres(plot.from));
    engine::draw_text(ui, list, below, TextSize::secondary, theme.secondary, "distance", Align::centre);
    engine::draw_text(ui, list, below, TextSize::secondary, theme.secondary, metres(plot.to), Align::right);
}

void draw_curve(engine::Ui& ui, const TumblePlot& plot, const TumbleCurve& curve, const CurveLook& look,
                bool strong) {
    std::array<ImVec2, TumbleSweep::kDistances> line;
    const std::size_t count = std::min(curve.points.size(), line.size());
    for (std::size_t i = 0; i < count; ++i) line[i] = plot.place(curve.points[i]);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (count == 1) return list.AddCircleFilled(line[0], ui.px(2.5f), look.colour);
    engine::draw_dashed(ui, list, std::span(line).first(count), look.dashes, look.colour, strong ? 3 : 1.5f);
}

constexpr float kSample = 34;  // units: a piece of each curve

/// A row of the legend: a piece of the curve, its mean over all distances, and its largest time. True while
/// the pointer is on it.
bool legend_row(engine::Ui& ui, const TumbleCurve& curve, const CurveLook& look) {
    const Rect row = engine::take_row(ui, 18, 0);
    const engine::Theme& theme = ui.theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    double mean = 0, max = 0;
    std::uint32_t queries = 0, colliding = 0;
    for (const TumblePoint& p : curve.points) {
        mean += p.mean_ns / static_cast<double>(curve.points.size());
        max = std::max(max, p.max_ns);
        queries += p.queries;
        colliding += p.colliding;
    }
    const bool measured = !curve.points.empty();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool under = ImGui::IsWindowHovered() && row.contains(mouse.x, mouse.y);
    const ImVec2 sample[] = {{row.x0, row.centre().y}, {row.x0 + ui.px(kSample - 8), row.centre().y}};
    engine::draw_dashed(ui, list, sample, look.dashes, look.colour, 2);
    const Rect title{row.x0 + ui.px(kSample), row.y0, row.x1 - ui.px(124), row.y1};
    const bool fits = engine::text_width(ui, TextSize::secondary, curve.algorithm->title) <= title.width();
    engine::draw_text(ui, list, title, TextSize::secondary, under ? theme.accent : theme.ink,
                      fits ? curve.algorithm->title : curve.algorithm->id);
    engine::draw_text(ui, list, {row.x0, row.y0, row.x1 - ui.px(62), row.y1}, TextSize::secondary, theme.ink,
                      measured ? short_time(mean) : "–", Align::right);
    engine::draw_text(ui, list, row, TextSize::secondary, theme.ink, measured ? short_time(max) : "–",
                      Align::right);
    engine::tooltip_at(ui, row,
                       std::string(curve.algorithm->title) + ": " + engine::grouped(queries) +
                           " queries, of which " + engine::grouped(colliding) + " collide.");
    engine::log_widget(ui, "curve", row, curve.algorithm->title, short_time(mean) + ", " + short_time(max));
    return under;
}

void legend_head(engine::Ui& ui) {
    const Rect row = engine::take_row(ui, 16, 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Colour ink = ui.theme().secondary;
    engine::draw_text(ui, list, {row.x0 + ui.px(kSample), row.y0, row.x1, row.y1}, TextSize::secondary, ink,
                      "All distances");
    engine::draw_text(ui, list, {row.x0, row.y0, row.x1 - ui.px(62), row.y1}, TextSize::secondary, ink,
                      "mean", Align::right);
    engine::draw_text(ui, list, row, TextSize::secondary, ink, "max", Align::right);
    list.AddLine({row.x0, row.y1}, {row.x1, row.y1}, ui.theme().line);
}

void draw_sweep(engine::Ui& ui, const TumbleSweep& sweep, bool max) {
    const Rect row = engine::take_row(ui, 190, 4);
    TumblePlot plot;
    plot.area = {row.x0 + ui.px(52), row.y0 + ui.px(8), row.x1, row.y1 - ui.px(20)};
    plot.from = sweep.least_distance();
    plot.to = sweep.greatest_distance();
    plot.max = max;
    fit(sweep.curves(), plot);
    draw_grid(ui, row, plot);
    legend_head(ui);
    std::size_t marked = sweep.curves().size();
    for (std::size_t i = 0; i < sweep.curves().size(); ++i)
        if (legend_row(ui, sweep.curves()[i], curve_look(ui.theme(), i))) marked = i;
    for (std::size_t i = 0; i < sweep.curves().size(); ++i) {
        CurveLook look = curve_look(ui.theme(), i);
        if (marked < sweep.curves().size() && marked != i) look.colour = engine::faded(look.colour, 0.25f);
        draw_curve(ui, plot, sweep.curves()[i], look, marked == i);
    }
    engine::take_row(ui, 2, 4);
}

}  // namespace

void tumble_rows(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests) {
    if (model.tumble == nullptr) return;
    if (!engine::fold_row(ui, "Time against distance",
                          "Turns both bodies in small steps at a dozen distances and times every algorithm."))
        return;
    const TumbleSweep& sweep = *model.tumble;
    if (sweep.running()) {
        const std::string text =
            engine::grouped(sweep.done()) + " of " + engine::grouped(sweep.total()) + " points";
        progress_bar(
            ui, "Points measured", text,
            static_cast<float>(sweep.done()) / static_cast<float>(std::max<std::size_t>(1, sweep.total())));
        static constexpr const char* kCancel[] = {"Cancel the sweep"};
        if (engine::button_row(ui, kCancel) == 0) requests.cancel_tumble = true;
    } else {
        static constexpr const char* kStart[] = {"Tumble both bodies"};
        static constexpr const char* kHelp[] = {
            "5,000 steps per distance and algorithm, each query with the memory of the step before. Slow "
            "algorithms make fewer steps. Pause the scene for steady times."};
        if (engine::button_row(ui, kStart, kHelp) == 0) requests.tumble = true;
    }
    if (sweep.done() == 0) return;
    static constexpr const char* kTimes[] = {"Mean", "Max"};
    std::size_t shown = state.compare.tumble_max ? 1 : 0;
    if (engine::segmented(ui, "Time of a query", true, kTimes, shown,
                          "Mean or largest time of the queries at a distance. The scale is logarithmic."))
        state.compare.tumble_max = shown == 1;
    draw_sweep(ui, sweep, state.compare.tumble_max);
}

}  // namespace claybox::app
