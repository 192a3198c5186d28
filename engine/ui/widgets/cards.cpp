// Panel windows, and the foldable cards of the right column (column.cpp).

#include "engine/ui/ui_impl.hpp"
#include "engine/ui/widgets/widgets.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::engine {
namespace {

constexpr ImGuiWindowFlags kBare = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                                   ImGuiWindowFlags_NoFocusOnAppearing |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus;
constexpr float kHeader = 32, kGap = 8;

/// The card being drawn; cards do not nest.
struct OpenCard {
    Rect header;
    float body_top = 0;
    FoldState* fold = nullptr;
    bool drawing = false;
};
OpenCard g_card;

void ease(FoldState& fold, bool open, double dt) {
    const float step = static_cast<float>(dt / Ui::kFoldSeconds);
    fold.open = open ? std::min(1.0f, fold.open + step) : std::max(0.0f, fold.open - step);
}

void draw_header(Ui& ui, ImDrawList& list, const Rect& box, const char* title, std::string_view summary,
                 bool open, bool hovered) {
    const Theme& theme = ui.theme();
    const ImDrawFlags corners = open ? ImDrawFlags_RoundCornersTop : ImDrawFlags_RoundCornersAll;
    list.AddRectFilled(box.min(), box.max(), theme.header, ui.px(6), corners);
    if (hovered) list.AddRectFilled(box.min(), box.max(), theme.hover, ui.px(6), corners);
    const ImVec2 c{box.x0 + ui.px(18), box.centre().y};
    const float r = ui.px(5);
    if (open)
        list.AddTriangleFilled({c.x - r, c.y - r * 0.5f}, {c.x + r, c.y - r * 0.5f}, {c.x, c.y + r * 0.7f},
                               theme.secondary);
    else
        list.AddTriangleFilled({c.x - r * 0.5f, c.y - r}, {c.x + r * 0.7f, c.y}, {c.x - r * 0.5f, c.y + r},
                               theme.secondary);
    const float left = box.x0 + ui.px(28), width = text_width(ui, TextSize::title, title);
    draw_text(ui, list, {left, box.y0, left + width + 1, box.y1}, TextSize::title, theme.ink, title);
    draw_text(ui, list, {left + width + ui.px(12), box.y0, box.x1 - ui.px(12), box.y1}, TextSize::secondary,
              theme.secondary, summary, Align::right);
}

}  // namespace

void begin_panel(Ui& ui, const char* id, const Rect& box, bool background, bool on_top) {
    ImGui::SetNextWindowPos(box.min());
    ImGui::SetNextWindowSize({box.width(), box.height()});
    if (on_top) ImGui::SetNextWindowFocus();
    ImGui::Begin(id, nullptr, on_top ? kBare & ~ImGuiWindowFlags_NoBringToFrontOnFocus : kBare);
    if (background) draw_panel(ui, *ImGui::GetWindowDrawList(), box);
}

void end_panel() {
    ImGui::End();
}

bool card_is_open(Ui&, const char* title, bool open) {
    ImGui::PushID(title);
    const bool is = ImGui::GetStateStorage()->GetBool(ImGui::GetID("card"), open);
    ImGui::PopID();
    return is;
}

void arrange_cards(Ui& ui, std::span<const char* const> all, std::span<const std::string> open) {
    for (const char* title : all) {
        ImGui::PushID(title);
        ImGui::GetStateStorage()->SetBool(ImGui::GetID("card"),
                                          std::find(open.begin(), open.end(), title) != open.end());
        ImGui::PopID();
    }
    ImGui::SetScrollY(0);
    ui.impl().column.glide.reset();
}

bool card_is_settled(Ui& ui, const char* title) {
    ImGui::PushID(title);
    const auto fold = ui.impl().folds.find(ImGui::GetID("card"));
    ImGui::PopID();
    return fold == ui.impl().folds.end() || fold->second.open <= 0 || fold->second.open >= 1;
}

bool begin_card(Ui& ui, const char* title, std::string_view summary, bool open_at_first) {
    ImGui::PushID(title);
    Ui::Impl& impl = ui.impl();
    const unsigned id = ImGui::GetID("card");
    const auto [entry, fresh] = impl.folds.try_emplace(id);
    FoldState& fold = entry->second;
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    bool open = storage.GetBool(id, open_at_first);
    if (fresh) fold.open = open ? 1.0f : 0.0f;

    if (ImGui::GetCursorPosY() > ImGui::GetCursorStartPos().y + 1) ImGui::Dummy({1, ui.px(kGap)});
    const ImVec2 p = ImGui::GetCursorScreenPos();
    g_card.header = {p.x, p.y, p.x + ImGui::GetContentRegionAvail().x, p.y + ui.px(kHeader)};
    g_card.fold = &fold;
    const bool pressed = keyboard_item(ui, ImGui::GetID("header"), g_card.header).press;
    const bool clicked = ImGui::InvisibleButton("header", {g_card.header.width(), g_card.header.height()});
    const bool hovered = ImGui::IsItemHovered();
    // The second click of a double click does not fold the card back.
    if (pressed ||
        (clicked && impl.time - fold.clicked > static_cast<double>(ImGui::GetIO().MouseDoubleClickTime))) {
        open = !open;
        storage.SetBool(id, open);
        fold.clicked = impl.time;
    }
    ease(fold, open, static_cast<double>(ImGui::GetIO().DeltaTime));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.ChannelsSplit(2);
    list.ChannelsSetCurrent(1);
    g_card.drawing = fold.open > 0;
    draw_header(ui, list, g_card.header, title, summary, g_card.drawing, hovered);
    impl.column.headers.push_back({title, g_card.header.y0, g_card.header.y1});
    log_widget(ui, "card", g_card.header, title, open ? "open" : "folded");
    log_widget(ui, "summary", g_card.header, title, summary);
    g_card.body_top = g_card.header.y1;
    if (!g_card.drawing) return false;
    list.AddLine({g_card.header.x0, g_card.header.y1}, {g_card.header.x1, g_card.header.y1}, ui.theme().line);
    const float shown = fold.open < 1 ? fold.height * fold.open : 1e5f;
    ImGui::PushClipRect({g_card.header.x0, g_card.header.y1}, {g_card.header.x1, g_card.header.y1 + shown},
                        true);
    ImGui::SetCursorScreenPos({g_card.header.x0 + ui.px(12), g_card.header.y1 + ui.px(8)});
    ImGui::BeginGroup();
    return true;
}

void end_card(Ui& ui, bool bring) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float bottom = g_card.header.y1;
    if (g_card.drawing) {
        ImGui::EndGroup();
        ImGui::PopClipRect();
        // The last row leaves a gap of 8 or 4 units; the padding below is 12.
        const float full = ImGui::GetCursorScreenPos().y + ui.px(4) - g_card.body_top;
        g_card.fold->height = full;
        bottom = std::floor(g_card.body_top + full * g_card.fold->open);
    }
    list.ChannelsSetCurrent(0);
    const Rect box{g_card.header.x0, g_card.header.y0, g_card.header.x1, bottom};
    list.AddRectFilled(box.min(), box.max(), ui.theme().panel, ui.px(6));
    list.ChannelsSetCurrent(1);
    list.AddRect(box.min(), box.max(), ui.theme().line, ui.px(6), 0, std::max(1.0f, std::floor(ui.scale())));
    list.ChannelsMerge();
    ImGui::SetCursorScreenPos({box.x0, box.y1 - 1});
    ImGui::Dummy({1, 1});
    const ImVec2 p = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    if (bring && (box.y0 < p.y || box.y1 > p.y + size.y)) ImGui::SetScrollHereY(1);
    ImGui::PopID();
}

}  // namespace claybox::engine
