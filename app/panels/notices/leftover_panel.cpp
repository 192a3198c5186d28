// The offer to continue a pot that was not saved: a small panel that blocks nothing.

#include "app/panels/cards/cards.hpp"

namespace claybox::app {

void leftover_panel(engine::Ui& ui, const PanelModel& model, PanelRequests& requests,
                    const engine::Rect& area, const engine::Rect& hint) {
    constexpr const char* kText = "A pot from last time was not saved.";
    constexpr const char* kButtons[] = {"Continue it", "Discard"};
    constexpr const char* kHelp[] = {"Brings the pot back as the clay.", "Deletes the pot for ever."};
    if (!model.leftover) return;
    const bool above_hint = hint.height() > 0;
    const float left = area.x0 + ui.px(12), bottom = above_hint ? hint.y0 - ui.px(8) : area.y1 - ui.px(12);
    const float width = std::min(ui.px(300), area.width() - ui.px(24));
    const engine::Rect box{left, bottom - ui.px(84), left + width, bottom};
    engine::begin_panel(ui, "leftover", box, true, true);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(box.min(), {box.x0 + ui.px(4), box.y1}, ui.theme().amber, ui.px(4),
                       ImDrawFlags_RoundCornersLeft);
    engine::draw_text(ui, list, {box.x0 + ui.px(20), box.y0 + ui.px(8), box.x1, box.y0 + ui.px(36)},
                      engine::TextSize::body, ui.theme().ink, kText);
    engine::log_widget(ui, "offer", box, kText);
    const engine::Rect row{box.x0 + ui.px(20), box.y0 + ui.px(44), box.x1 - ui.px(12), box.y0 + ui.px(72)};
    const int clicked = engine::button_row_at(ui, row, kButtons, kHelp);
    requests.continue_leftover = clicked == 0;
    requests.discard_leftover = clicked == 1;
    engine::end_panel();
}

}  // namespace claybox::app
