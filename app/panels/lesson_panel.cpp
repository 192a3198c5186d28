// The shown lesson: what there is to see, and what to try.

#include "app/panels/cards/cards.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

using engine::Rect;

constexpr float kWidth = kLessonRoom - 12, kInset = 16, kFoot = 44, kGap = 6;  // units

struct Part {
    std::string text;
    bool is_try = false;
    float height = 0;
};

float text_height(engine::Ui& ui, const std::string& text, float width,
                  engine::TextSize size = engine::TextSize::body) {
    ImFont* font = ui.font(size);
    return font->CalcTextSizeA(font->FontSize, 1e6f, width, text.c_str()).y;
}

std::vector<Part> parts_of(engine::Ui& ui, const Lesson& lesson, float width) {
    std::vector<Part> out;
    for (const std::string& text : lesson.say) out.push_back({text, false, text_height(ui, text, width)});
    for (const std::string& text : lesson.tries)
        out.push_back({text, true, text_height(ui, text, width - ui.px(44))});
    return out;
}

/// The lines that fit above `bottom`; a line is never cut.
void draw_parts(engine::Ui& ui, ImDrawList& list, const std::vector<Part>& parts, float x, float y,
                float width, float bottom) {
    ImFont* font = ui.font(engine::TextSize::body);
    for (const Part& part : parts) {
        if (y + part.height > bottom) return;
        float left = x;
        if (part.is_try) {
            engine::draw_text(ui, list, {x, y, x + ui.px(44), y + font->FontSize}, engine::TextSize::title,
                              ui.theme().accent, "Try");
            left += ui.px(44);
        }
        list.AddText(font, font->FontSize, {left, y}, part.is_try ? ui.theme().ink : ui.theme().secondary,
                     part.text.c_str(), nullptr, x + width - left);
        engine::log_widget(ui, "hint", {left, y, x + width, y + part.height}, part.text);
        y += part.height + ui.px(kGap);
    }
}

}  // namespace

Rect lesson_panel(engine::Ui& ui, const PanelModel& model, const PanelState& state, PanelRequests& requests,
                  const Rect& area) {
    if (!state.lesson || *state.lesson >= model.lessons.size() || state.help) return {};
    const std::size_t number = *state.lesson;
    const Lesson& lesson = model.lessons[number];
    const float width = std::min(ui.px(kWidth), area.width() - ui.px(24)), inset = ui.px(kInset);
    const float text_width = width - 2 * inset;
    const std::vector<Part> parts = parts_of(ui, lesson, text_width);
    float text = 0;
    for (const Part& part : parts) text += part.height + ui.px(kGap);
    const std::string title = std::to_string(number + 1) + ". " + lesson.title;
    const float title_width = width - inset - ui.px(44);
    const float head = text_height(ui, title, title_width, engine::TextSize::headline) + ui.px(18);
    const float height = std::min(head + ui.px(kFoot) + text, area.height() - ui.px(24));
    const float x = area.x0 + ui.px(12), y = area.y1 - ui.px(12) - height;
    const Rect box{x, y, x + width, y + height};
    engine::begin_panel(ui, "lesson", box, true);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(box.min(), {box.x0 + ui.px(4), box.y1}, ui.theme().accent, ui.px(4),
                       ImDrawFlags_RoundCornersLeft);
    ImFont* headline = ui.font(engine::TextSize::headline);
    list.AddText(headline, headline->FontSize, {x + inset, y + ui.px(10)}, ui.theme().ink, title.c_str(),
                 nullptr, title_width);
    engine::log_widget(ui, "lesson", box, title);
    const float foot = box.y1 - ui.px(kFoot);
    draw_parts(ui, list, parts, x + inset, y + head, text_width, foot);
    if (engine::bar_button(ui, {box.x1 - ui.px(36), y + ui.px(4)}, engine::Icon::close, "Close lesson", false,
                           "Ends the lesson; the scene stays."))
        requests.close_lesson = true;
    static constexpr const char* kButtons[] = {"Back", "Start again", "Next"};
    static constexpr const char* kHelp[] = {"The lesson before.", "Shows the lesson from its start.",
                                            "The next lesson."};
    const int clicked = engine::button_row_at(
        ui, {x + inset, foot + ui.px(4), box.x1 - inset, foot + ui.px(32)}, kButtons, kHelp);
    const std::size_t count = model.lessons.size();
    if (clicked == 0) requests.lesson = (number + count - 1) % count;
    if (clicked == 1) requests.lesson = number;
    if (clicked == 2) requests.lesson = (number + 1) % count;
    engine::end_panel();
    return box;
}

}  // namespace claybox::app
