// The rows of the Scene card that show how deep the button was that was pressed last.

#include "app/panels/cards/cards.hpp"
#include "engine/ui/drawing/draw.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace claybox::app {
namespace {

using engine::Align;
using engine::Rect;
using engine::TextSize;

constexpr std::size_t kShown = 120;  // steps: two seconds

/// A plot with the depth downwards, as the button moves.
struct PressPlot {
    Rect area;
    double deepest;  ///< at the lower border, metres
    float y(double depth) const {
        return area.y0 + static_cast<float>(std::clamp(depth / deepest, 0.0, 1.0)) * area.height();
    }
};

/// A line at a depth, with its figure in the margin.
void draw_level(engine::Ui& ui, const PressPlot& plot, const Rect& row, double depth, engine::Colour colour,
                float width) {
    const float y = plot.y(depth);
    ImGui::GetWindowDrawList()->AddLine({plot.area.x0, y}, {plot.area.x1, y}, colour, ui.px(width));
    engine::draw_text(ui, *ImGui::GetWindowDrawList(),
                      {row.x0, y - ui.px(8), plot.area.x0 - ui.px(6), y + ui.px(8)}, TextSize::secondary,
                      ui.theme().secondary, engine::fixed(depth * 1e3, 0), Align::right);
}

void draw_depths(engine::Ui& ui, const PressPlot& plot, std::span<const float> depths) {
    std::vector<ImVec2> line;
    const std::size_t count = std::min(depths.size(), kShown);
    for (std::size_t ago = count; ago-- > 0;) {
        const float t = 1 - static_cast<float>(ago) / static_cast<float>(kShown - 1);
        line.push_back({plot.area.x0 + t * plot.area.width(),
                        plot.y(static_cast<double>(depths[depths.size() - 1 - ago]))});
    }
    ImGui::GetWindowDrawList()->AddPolyline(line.data(), static_cast<int>(line.size()), ui.theme().ink, 0,
                                            ui.px(1.5f));
}

void draw_below(engine::Ui& ui, const PressPlot& plot) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Rect below{plot.area.x0, plot.area.y1 + ui.px(2), plot.area.x1, plot.area.y1 + ui.px(20)};
    engine::draw_text(ui, list, below, TextSize::secondary, ui.theme().secondary, "−2 s");
    engine::draw_text(ui, list, below, TextSize::secondary, ui.theme().secondary, "now", Align::right);
    const std::pair<const char*, engine::Colour> names[] = {
        {"depth", ui.theme().ink}, {"fires", ui.theme().accent}, {"releases", ui.theme().teal}};
    float x = below.x0 + ui.px(40);
    for (const auto& [name, colour] : names) {
        const float middle = below.centre().y;
        list.AddRectFilled({x, middle - ui.px(1)}, {x + ui.px(8), middle + ui.px(1)}, colour);
        engine::draw_text(ui, list, {x + ui.px(12), below.y0, below.x1, below.y1}, TextSize::secondary,
                          ui.theme().secondary, name);
        x += engine::text_width(ui, TextSize::secondary, name) + ui.px(24);
    }
}

}  // namespace

void press_rows(engine::Ui& ui, const PanelModel& model) {
    const std::optional<PressCurve> curve = model.session->scene().press_curve();
    // The past keeps no curve.
    if (!curve || model.past.shown != nullptr) return;
    if (!engine::fold_row(ui, "Curve of the press", "How deep the button is that was touched last.")) return;
    engine::key_value(ui, "Button", curve->title);
    const Rect row = engine::take_row(ui, 100, 4);
    const PressPlot plot{{row.x0 + ui.px(32), row.y0 + ui.px(6), row.x1, row.y1 - ui.px(20)},
                         1.05 * curve->travel};
    ImGui::GetWindowDrawList()->AddRectFilled(plot.area.min(), plot.area.max(),
                                              engine::faded(ui.theme().frame, 0.55f));
    for (const double depth : {0.0, curve->travel}) draw_level(ui, plot, row, depth, ui.theme().line, 1);
    draw_level(ui, plot, row, curve->fires_at, ui.theme().accent, 1.5f);
    draw_level(ui, plot, row, curve->releases_at, ui.theme().teal, 1.5f);
    draw_depths(ui, plot, curve->depths);
    draw_below(ui, plot);
    engine::log_widget(ui, "curve", row, curve->title);
    engine::tooltip_at(
        ui, row,
        "Millimetres. It fires when it gets deeper than the red line, and releases when it comes back up "
        "above the green one.");
}

}  // namespace claybox::app
