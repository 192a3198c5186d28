// The shown lesson: what there is to see, and what to try.

#include "app/panels/cards/cards.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

using engine::Rect;

constexpr float kInset = 16, kFoot = 44, kGap = 6, kTry = 44;  // units

struct Part {
    std::string text;
    bool is_try = false;
    float height = 0;
};

/// Width and letters: both are smaller in a window with little room beside the lesson.
struct LessonLook {
    float width;
    engine::TextSize size, strong;
};

LessonLook look_of(engine::Ui& ui, const Rect& area) {
    const bool wide = lesson_room(area.width() / ui.scale()) == kLessonRoom;
    const float width =
        std::min(ui.px((wide ? kLessonRoom : kNarrowLessonRoom) - 12), area.width() - ui.px(24));
    if (wide) return {width, engine::TextSize::body, engine::TextSize::title};
    return {width, engine::TextSize::secondary, engine::TextSize::label};
}

float text_height(engine::Ui& ui, const std::string& text, float width, engine::TextSize size) {
    ImFont* font = ui.font(size);
    return font->CalcTextSizeA(font->FontSize, 1e6f, width, text.c_str()).y;
}

std::vector<Part> parts_of(engine::Ui& ui, const Lesson& lesson, float width, engine::TextSize size) {
    std::vector<Part> out;
    for (const std::string& text : lesson.say)
        out.push_back({text, false, text_height(ui, text, width, size)});
    for (const std::string& text : lesson.tries)
        out.push_back({text, true, text_height(ui, text, width - ui.px(kTry), size)});
    return out;
}

/// The lines that fit into the box; a line is never cut.
void draw_parts(engine::Ui& ui, const std::vector<Part>& parts, const Rect& box, const LessonLook& look) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImFont* font = ui.font(look.size);
    float y = box.y0;
    for (const Part& part : parts) {
        if (y + part.height > box.y1) return;
        float left = box.x0;
        if (part.is_try) {
            engine::draw_text(ui, list, {left, y, left + ui.px(kTry), y + font->FontSize}, look.strong,
                              ui.theme().accent, "Try");
            left += ui.px(kTry);
        }
        list.AddText(font, font->FontSize, {left, y}, part.is_try ? ui.theme().ink : ui.theme().secondary,
                     part.text.c_str(), nullptr, box.x1 - left);
        engine::log_widget(ui, "hint", {left, y, box.x1, y + part.height}, part.text);
        y += part.height + ui.px(kGap);
    }
}

/// The buttons at the upper right, which fold and close the lesson.
void lesson_buttons(engine::Ui& ui, const Rect& box, PanelState& state, PanelRequests& requests) {
    const bool folded = state.lesson_folded;
    if (engine::bar_button(
            ui, {box.x1 - ui.px(68), box.y0 + ui.px(4)}, folded ? engine::Icon::unfold : engine::Icon::fold,
            folded ? "Unfold lesson" : "Fold lesson", false,
            folded ? "Shows the text again." : "Leaves only the title, so that more of the scene is seen."))
        state.lesson_folded = !folded;
    if (engine::bar_button(ui, {box.x1 - ui.px(36), box.y0 + ui.px(4)}, engine::Icon::close, "Close lesson",
                           false, "Ends the lesson; the scene stays."))
        requests.close_lesson = true;
}

/// The buttons below the text lead to other lessons.
void lesson_foot(engine::Ui& ui, const Rect& row, std::size_t number, std::size_t count,
                 PanelRequests& requests) {
    static constexpr const char* kButtons[] = {"Back", "Start again", "Next"};
    static constexpr const char* kHelp[] = {"The lesson before.", "Shows the lesson from its start.",
                                            "The next lesson."};
    const int clicked = engine::button_row_at(ui, row, kButtons, kHelp);
    if (clicked == 0) requests.lesson = (number + count - 1) % count;
    if (clicked == 1) requests.lesson = number;
    if (clicked == 2) requests.lesson = (number + 1) % count;
}

}  // namespace

Rect lesson_panel(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                  const Rect& area) {
    if (!state.lesson || *state.lesson >= model.lessons.size() || state.help) return {};
    const std::size_t number = *state.lesson;
    const Lesson& lesson = model.lessons[number];
    const LessonLook look = look_of(ui, area);
    const bool folded = state.lesson_folded;
    const float inset = ui.px(kInset), text_width = look.width - 2 * inset;
    const std::vector<Part> parts = parts_of(ui, lesson, text_width, look.size);
    const std::string title = std::to_string(number + 1) + ". " + lesson.title;
    const float title_width = look.width - inset - ui.px(72);
    const float head = text_height(ui, title, title_width, engine::TextSize::headline) + ui.px(18);
    float full = head + (folded ? 0 : ui.px(kFoot));
    if (!folded)
        for (const Part& part : parts) full += part.height + ui.px(kGap);
    const float height = std::min(full, area.height() - ui.px(24));
    const float x = area.x0 + ui.px(12), y = area.y1 - ui.px(12) - height;
    const Rect box{x, y, x + look.width, y + height};
    engine::begin_panel(ui, "lesson", box, true);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(box.min(), {box.x0 + ui.px(4), box.y1}, ui.theme().accent, ui.px(4),
                       ImDrawFlags_RoundCornersLeft);
    ImFont* headline = ui.font(engine::TextSize::headline);
    list.AddText(headline, headline->FontSize, {x + inset, y + ui.px(10)}, ui.theme().ink, title.c_str(),
                 nullptr, title_width);
    engine::log_widget(ui, "lesson", box, title, folded ? "title only" : "");
    const float foot = box.y1 - ui.px(kFoot);
    if (!folded) {
        draw_parts(ui, parts, {x + inset, y + head, x + inset + text_width, foot}, look);
        lesson_foot(ui, {x + inset, foot + ui.px(4), box.x1 - inset, foot + ui.px(32)}, number,
                    model.lessons.size(), requests);
    }
    lesson_buttons(ui, box, state, requests);
    engine::end_panel();
    return box;
}

}  // namespace claybox::app
