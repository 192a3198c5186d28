// The help: all keys and mouse actions over the dimmed window.

#include "app/panels/cards/cards.hpp"
#include "app/panels/help.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

using engine::Rect;

constexpr float kHelpLine = 22, kHelpHead = 66, kHelpKeys = 200;  // units

/// A column of the help: its headline, and a row per key. Returns the bottom.
float help_column(engine::Ui& ui, const Rect& box, std::string_view headline, std::span<const HelpRow> rows) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float line = ui.px(kHelpLine), inset = ui.px(20);
    engine::draw_text(ui, list, {box.x0 + inset, box.y0 + ui.px(8), box.x1, box.y0 + ui.px(44)},
                      engine::TextSize::headline, ui.theme().ink, headline);
    float y = box.y0 + ui.px(48);
    for (const HelpRow& row : rows) {
        engine::draw_text(ui, list, {box.x0 + inset, y, box.x0 + ui.px(kHelpKeys), y + line},
                          engine::TextSize::title, ui.theme().ink, row.keys);
        engine::draw_text(ui, list, {box.x0 + ui.px(kHelpKeys + 4), y, box.x1 - ui.px(12), y + line},
                          engine::TextSize::body, ui.theme().secondary, row.effect);
        engine::log_widget(ui, "key", {box.x0 + inset, y, box.x1, y + line}, row.keys, row.effect);
        y += line;
    }
    return y;
}

float help_height(engine::Ui& ui, std::size_t rows) {
    return ui.px(kHelpLine * static_cast<float>(rows) + kHelpHead);
}

struct HelpTexts {
    std::vector<HelpRow> program, scene;
};

/// The keys of the scene are next to those of the program, or above them in a narrow window.
struct HelpLayout {
    float single = 0;  ///< width of the program's keys
    float width = 0, full = 0;
    bool beside = false;
};

HelpLayout layout_of_help(engine::Ui& ui, const HelpTexts& texts) {
    const float room = static_cast<float>(ui.width()) - ui.px(16), second = ui.px(430);
    HelpLayout out;
    out.single = std::min(ui.px(620), room);
    out.beside = !texts.scene.empty() && out.single + second <= room;
    out.width = out.single + (out.beside ? second : 0);
    const float own = texts.scene.empty() ? 0 : help_height(ui, texts.scene.size()),
                all = help_height(ui, texts.program.size());
    out.full = out.beside ? std::max(all, own) : all + own;
    return out;
}

/// Both columns. The keys that move a page scroll them.
void help_columns(engine::Ui& ui, const PanelModel& model, const HelpTexts& texts, const HelpLayout& layout,
                  const Rect& box) {
    const float page = 0.8f * box.height();
    for (const engine::KeyPress& press : ui.input().presses) {
        if (press.key == engine::key::kPageDown) ImGui::SetScrollY(ImGui::GetScrollY() + page);
        if (press.key == engine::key::kPageUp) ImGui::SetScrollY(std::max(0.0f, ImGui::GetScrollY() - page));
    }
    const float top = box.y0 - ImGui::GetScrollY(), bar = ImGui::GetScrollMaxY() > 0 ? ui.px(14) : 0;
    float row = top;
    if (!texts.scene.empty()) {
        const float left = layout.beside ? box.x0 + layout.single : box.x0;
        row = help_column(ui, {left, top, box.x1 - bar, top},
                          "Keys of " + std::string(model.session->descriptor().title), texts.scene);
        if (layout.beside) row = top;
    }
    const float end = layout.beside ? box.x0 + layout.single : box.x1 - bar;
    row = help_column(ui, {box.x0, row, end, row}, "Keys and mouse", texts.program);
    ImGui::SetCursorScreenPos({box.x0, row});
    ImGui::Dummy({1, ui.px(12)});
}

}  // namespace

void help_overlay(engine::Ui& ui, const PanelModel& model, PanelState& state) {
    HelpTexts texts;
    if (model.devices)
        texts = {help_rows(*model.devices), scene_help_rows(*model.devices, model.session->descriptor())};
    const HelpLayout layout = layout_of_help(ui, texts);
    const auto window_width = static_cast<float>(ui.width()), window_height = static_cast<float>(ui.height());
    const float height = std::min(layout.full, window_height - ui.px(16));
    const float x = 0.5f * (window_width - layout.width), y = 0.5f * (window_height - height);
    const Rect box{x, y, x + layout.width, y + height};
    engine::begin_panel(ui, "help", box, false, true);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    engine::dim_window(ui, list);
    engine::draw_panel(ui, list, box);
    // The rows are in a part of their own, which has a scroll bar when they are too many.
    ImGui::SetCursorScreenPos({box.x0, box.y0 + ui.px(2)});
    ImGui::BeginChild("keys", {box.width() - ui.px(3), box.height() - ui.px(4)});
    help_columns(ui, model, texts, layout, {box.x0, box.y0 + ui.px(2), box.x1, box.y1 - ui.px(2)});
    const bool scrolls = ImGui::GetScrollMaxY() > 0;
    if (engine::bar_button(ui, {box.x1 - ui.px(scrolls ? 52 : 40), box.y0 + ui.px(8)}, engine::Icon::close,
                           "Close help", false, "Key Esc"))
        state.help = false;
    ImGui::EndChild();
    engine::log_widget(ui, "help", box, "Help", scrolls ? "scrolls" : "");
    const ImVec2 mouse = ImGui::GetMousePos();
    if (ImGui::IsMouseClicked(0) && !box.contains(mouse.x, mouse.y)) state.help = false;
    engine::end_panel();
}

}  // namespace claybox::app
