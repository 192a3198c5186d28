#include "app/panels/notices/top_panel.hpp"

#include "app/devices/app_devices.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::app {
namespace {

engine::Rect box_in(engine::Ui& ui, const engine::Rect& area) {
    const float width = std::min(ui.px(440), area.width() - ui.px(24));
    const float left = area.centre().x - 0.5f * width, top = area.y0 + ui.px(8);
    return {left, top, left + width, top + ui.px(76)};
}

/// Where the bar begins and ends, as shares of its room. If nobody knows how much is left, a part of the bar
/// moves from side to side.
std::array<float, 2> ends_of(const Progress& progress) {
    if (progress.share) return {0, static_cast<float>(*progress.share)};
    constexpr float kLength = 0.25f;
    const auto at = static_cast<float>(0.5 - 0.5 * std::cos(3 * progress.seconds)) * (1 - kLength);
    return {at, at + kLength};
}

void draw_bar(engine::Ui& ui, const Progress& progress, const engine::Rect& bar) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(bar.min(), bar.max(), ui.theme().line, ui.px(4));
    const auto [begin, end] = ends_of(progress);
    const float width = bar.width();
    if ((end - begin) * width < ui.px(8)) return;  // too short for round ends
    list.AddRectFilled({bar.x0 + begin * width, bar.y0}, {bar.x0 + end * width, bar.y1}, ui.theme().accent,
                       ui.px(4));
}

}  // namespace

TopPanel::TopPanel(engine::Ui& ui, const char* id, const engine::Rect& area, const std::string& title,
                   const std::string& text)
    : box(box_in(ui, area)) {
    engine::begin_panel(ui, id, box, true);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(box.min(), {box.x0 + ui.px(4), box.y1}, ui.theme().accent, ui.px(4),
                       ImDrawFlags_RoundCornersLeft);
    const engine::Rect line{box.x0 + ui.px(20), box.y0 + ui.px(4), box.x1 - ui.px(12), box.y0 + ui.px(34)};
    row = {line.x0, box.y0 + ui.px(38), line.x1, box.y0 + ui.px(66)};
    ImFont* font = ui.font(engine::TextSize::body);
    const float beside = font->CalcTextSizeA(font->FontSize, 1e6f, 0, text.c_str()).x + ui.px(12);
    engine::draw_text(ui, list, {line.x0, line.y0, line.x1 - beside, line.y1}, engine::TextSize::title,
                      ui.theme().ink, title);
    engine::draw_text(ui, list, line, engine::TextSize::body, ui.theme().ink, text, engine::Align::right);
}

std::string with_key(const char* label, const PanelModel& model, std::string_view device) {
    return std::string(label) + " (" + first_key(model.devices, device) + ")";
}

bool progress_row(engine::Ui& ui, const PanelModel& model, const Progress& progress,
                  const engine::Rect& row) {
    const float button = ui.px(120);
    const engine::Rect bar{row.x0, row.centre().y - ui.px(4), row.x1 - button - ui.px(16),
                           row.centre().y + ui.px(4)};
    draw_bar(ui, progress, bar);
    engine::log_widget(ui, "progress", bar, progress.title, progress.text);
    const std::string cancel = with_key("Cancel", model, "cancel");
    const char* const labels[] = {cancel.c_str()};
    const char* const help[] = {progress.cancel_help};
    return engine::button_row_at(ui, {row.x1 - button, row.y0, row.x1, row.y1}, labels, help) == 0;
}

}  // namespace claybox::app
