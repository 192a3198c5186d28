// Tooltips, and the keys of controls while they are shown.

#include "engine/ui/ui_impl.hpp"
#include "engine/ui/widgets/widgets.hpp"

#include <algorithm>

namespace claybox::engine {

namespace {

/// Sizes in units.
constexpr float kTextWrap = 300, kPadX = 10, kPadY = 8, kSourceGap = 4;

float lines_height(Ui& ui, std::string_view text, float& width) {
    ImFont* const font = ui.font(TextSize::secondary);
    const ImVec2 size =
        font->CalcTextSizeA(font->FontSize, 1e6f, ui.px(kTextWrap), text.data(), text.data() + text.size());
    width = std::max(width, size.x);
    return size.y;
}

/// Sets the place of the next tooltip: beside `all`, on the side with more room, and within the window.
void place_beside(Ui& ui, const Rect& all, std::string_view what, std::string_view source) {
    float width = 0, height = lines_height(ui, what, width);
    if (!source.empty()) height += ui.px(kSourceGap) + lines_height(ui, source, width);
    width += 2 * ui.px(kPadX);
    height += 2 * ui.px(kPadY);
    const float gap = ui.px(8), right_end = static_cast<float>(ui.width()),
                low = static_cast<float>(ui.height());
    const bool to_right = right_end - all.x1 > all.x0;
    const float x =
        to_right ? std::min(all.x1 + gap, right_end - width) : std::max(0.0f, all.x0 - gap - width);
    const float y = std::clamp(all.y0, gap, std::max(gap, low - gap - height));
    ImGui::SetNextWindowPos({x, y});
    log_widget(ui, "tooltip", {x, y, x + width, y + height}, what);
}

void show_tooltip(Ui& ui, std::string_view what, std::string_view source) {
    const float u = ui.scale();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {kPadX * u, kPadY * u});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 4 * u);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::BeginTooltip();
    ImGui::PushFont(ui.font(TextSize::secondary));
    ImGui::PushTextWrapPos(kTextWrap * u);
    ImGui::TextUnformatted(what.data(), what.data() + what.size());
    if (!source.empty()) {
        ImGui::Dummy({1, kSourceGap * u});
        ImGui::PushStyleColor(ImGuiCol_Text, ui.theme().secondary);
        ImGui::TextUnformatted(source.data(), source.data() + source.size());
        ImGui::PopStyleColor();
    }
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    ImGui::EndTooltip();
    ImGui::PopStyleVar(3);
}

/// True after the pointer has pointer_rested: tooltips that follow every movement distract.
bool pointer_rested() {
    const ImGuiIO& io = ImGui::GetIO();
    static float rest = 0;
    rest = io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || ImGui::IsAnyMouseDown() ? 0 : rest + io.DeltaTime;
    return rest > 0.45f;
}

/// The keys that a help text names at its end: "O" of "Runs one step. Key O", "[, ]" of "Radius. Keys: [,
/// ].".
std::string_view keys_in(std::string_view text) {
    for (const std::string_view word : {"Keys: ", "Key: ", "Key "}) {
        const std::size_t at = text.rfind(word);
        if (at == std::string_view::npos || (at > 0 && text[at - 1] != ' ' && text[at - 1] != '\n')) continue;
        std::string_view keys = text.substr(at + word.size());
        keys = keys.substr(0, keys.find('\n'));
        if (keys.size() > 1 && keys.back() == '.') keys.remove_suffix(1);
        constexpr std::size_t kLongest = 24;  // a sentence that happens to begin with "Key"
        if (keys.size() <= kLongest) return keys;
    }
    return {};
}

/// The keys of the last item, on it.
void show_keys(Ui& ui, std::string_view what, std::string_view source) {
    const std::string_view keys = keys_in(source).empty() ? keys_in(what) : keys_in(source);
    if (keys.empty() || keys == "–" || !ImGui::IsItemVisible()) return;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float width = text_width(ui, TextSize::label, keys) + ui.px(10), height = ui.px(18);
    // Below a button, so that the keys of its neighbours stay visible; at the right of anything wider.
    const bool is_button = high.x - low.x <= ui.px(40);
    const float wanted_x = is_button ? 0.5f * (low.x + high.x - width) : high.x - width,
                wanted_y = is_button ? high.y - 0.6f * height : low.y;
    const float x = std::clamp(wanted_x, ui.px(2), static_cast<float>(ui.width()) - ui.px(2) - width),
                y = std::min(wanted_y, static_cast<float>(ui.height()) - height - ui.px(2));
    const Rect box{x, y, x + width, y + height};
    ImDrawList& front = *ImGui::GetForegroundDrawList();
    front.AddRectFilled(box.min(), box.max(), ui.theme().ink, ui.px(4));
    draw_text(ui, front, box, TextSize::label, ui.theme().panel, keys, Align::centre);
    log_widget(ui, "keys", {low.x, low.y, high.x, high.y}, keys);
}

}  // namespace

bool focus_explained(Ui& ui) {
    const Keyboard& keyboard = ui.impl().keyboard;
    const ImVec2 corner = ImGui::GetItemRectMin();
    return keyboard.rested() && keyboard.shown && keyboard.shown->x0 == corner.x &&
           keyboard.shown->y0 == corner.y;
}

void tooltip(Ui& ui, std::string_view what, std::string_view source) {
    if (ui.shows_keys()) show_keys(ui, what, source);
    if (what.empty()) return;
    if (focus_explained(ui)) {
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        place_beside(ui, {low.x, low.y, high.x, high.y}, what, source);
        return show_tooltip(ui, what, source);
    }
    if (ImGui::IsItemHovered() && pointer_rested()) show_tooltip(ui, what, source);
}

void tooltip_beside(Ui& ui, const Rect& all, std::string_view what, std::string_view source) {
    if (ui.shows_keys()) show_keys(ui, what, source);
    if (what.empty()) return;
    if (!focus_explained(ui) && !(ImGui::IsItemHovered() && pointer_rested())) return;
    place_beside(ui, all, what, source);
    show_tooltip(ui, what, source);
}

void note_beside(Ui& ui, const Rect& box, std::string_view what) {
    place_beside(ui, box, what, {});
    show_tooltip(ui, what, {});
}

void tooltip_at(Ui& ui, const Rect& box, std::string_view what, std::string_view source) {
    if (what.empty() || !ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(box.min(), box.max()))
        return;
    if (pointer_rested()) show_tooltip(ui, what, source);
}

}  // namespace claybox::engine
