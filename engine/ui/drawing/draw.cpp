#include "engine/ui/drawing/draw.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace claybox::engine {
namespace {

ImVec2 snapped(ImVec2 p) {
    return {std::floor(p.x + 0.5f), std::floor(p.y + 0.5f)};
}

/// The longest prefix of `text` that fits with an ellipsis.
std::string with_ellipsis(Ui& ui, TextSize size, std::string_view text, float width_left) {
    std::string cut(text);
    while (!cut.empty()) {
        do {
            cut.pop_back();
        } while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xC0) == 0x80);
        while (!cut.empty() && static_cast<unsigned char>(cut.back()) >= 0xC0) cut.pop_back();
        const std::string with_dots = cut + "…";
        if (text_width(ui, size, with_dots) <= width_left) return with_dots;
    }
    return {};
}

}  // namespace

float text_width(Ui& ui, TextSize size, std::string_view text) {
    ImFont* font = ui.font(size);
    return font->CalcTextSizeA(font->FontSize, 1e6f, 0, text.data(), text.data() + text.size()).x;
}

void draw_text(Ui& ui, ImDrawList& list, const Rect& box, TextSize size, Colour colour, std::string_view text,
               Align align) {
    if (text.empty()) return;
    ImFont* font = ui.font(size);
    float width = text_width(ui, size, text);
    std::string cut;
    if (width > box.width() + 0.5f) {
        cut = with_ellipsis(ui, size, text, box.width());
        log_widget(ui, list, "cut", box, text, cut);
        text = cut;
        width = text_width(ui, size, text);
    }
    float x = box.x0;
    if (align == Align::centre) x = 0.5f * (box.x0 + box.x1 - width);
    if (align == Align::right) x = box.x1 - width;
    const float y = 0.5f * (box.y0 + box.y1 - font->FontSize);
    list.AddText(font, font->FontSize, snapped({x, y}), colour, text.data(), text.data() + text.size());
}

void draw_mark(ImDrawList& list, ImVec2 c, float size, Mark mark, Colour colour) {
    const float r = 0.5f * size;
    switch (mark) {
        case Mark::none:
            return;
        case Mark::disc:
            list.AddCircleFilled(c, r, colour, 24);
            return;
        case Mark::ring:
            list.AddCircle(c, r * 0.85f, colour, 24, std::max(1.5f, size * 0.18f));
            return;
        case Mark::ring_filled:
            list.AddCircle(c, r * 0.85f, colour, 24, std::max(1.5f, size * 0.18f));
            list.AddCircleFilled(c, r * 0.4f, colour, 16);
            return;
        case Mark::square:
            list.AddRectFilled({c.x - r * 0.9f, c.y - r * 0.9f}, {c.x + r * 0.9f, c.y + r * 0.9f}, colour);
            return;
        case Mark::triangle:
            list.AddTriangleFilled({c.x, c.y - r}, {c.x + r * 1.1f, c.y + r * 0.9f},
                                   {c.x - r * 1.1f, c.y + r * 0.9f}, colour);
            return;
        case Mark::diamond:
            list.AddQuadFilled({c.x, c.y - r * 1.1f}, {c.x + r * 1.1f, c.y}, {c.x, c.y + r * 1.1f},
                               {c.x - r * 1.1f, c.y}, colour);
            return;
    }
}

void dim_window(Ui& ui, ImDrawList& list) {
    list.PushClipRectFullScreen();
    list.AddRectFilled({0, 0}, {static_cast<float>(ui.width()), static_cast<float>(ui.height())},
                       colour(0x2B2D33, 0.35f));
    list.PopClipRect();
}

void draw_panel(Ui& ui, ImDrawList& list, const Rect& box, float radius_units) {
    list.AddRectFilled(box.min(), box.max(), ui.theme().panel, ui.px(radius_units));
    list.AddRect(box.min(), box.max(), ui.theme().line, ui.px(radius_units), 0,
                 std::max(1.0f, std::floor(ui.scale())));
}

Rect chip_size(Ui& ui, std::string_view text, Mark mark) {
    const float extra = mark == Mark::none ? 0 : ui.px(18);
    return {0, 0, text_width(ui, TextSize::secondary, text) + ui.px(16) + extra, ui.px(24)};
}

Rect draw_chip(Ui& ui, ImDrawList& list, ImVec2 at, std::string_view text, Mark mark, Colour colour) {
    const Rect size = chip_size(ui, text, mark);
    const ImVec2 p = snapped({at.x, at.y - 0.5f * size.height()});
    const Rect box{p.x, p.y, p.x + size.width(), p.y + size.height()};
    list.AddRectFilled(box.min(), box.max(), ui.theme().panel, ui.px(4));
    list.AddRect(box.min(), box.max(), ui.theme().line, ui.px(4));
    const float extra = mark == Mark::none ? 0 : ui.px(18);
    draw_mark(list, {box.x0 + ui.px(13), box.centre().y}, ui.px(9), mark, colour);
    draw_text(ui, list, {box.x0 + ui.px(8) + extra, box.y0, box.x1, box.y1}, TextSize::secondary,
              ui.theme().ink, text);
    return box;
}

void log_widget(Ui& ui, const char* kind, const Rect& box, std::string_view label, std::string_view value) {
    if (ui.log().enabled) log_widget(ui, *ImGui::GetWindowDrawList(), kind, box, label, value);
}

void log_widget(Ui& ui, const ImDrawList& list, const char* kind, const Rect& box, std::string_view label,
                std::string_view value) {
    WidgetLog& log = ui.log();
    if (!log.enabled) return;
    WidgetRecord record;
    record.kind = kind;
    record.label = label;
    record.value = value;
    record.x0 = box.x0;
    record.y0 = box.y0;
    record.x1 = box.x1;
    record.y1 = box.y1;
    const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
    const ImVec2 c = box.centre();
    record.visible = c.x >= low.x && c.x < high.x && c.y >= low.y && c.y < high.y;
    log.records.push_back(std::move(record));
}

std::string grouped(unsigned long long value) {
    std::string digits = std::to_string(value);
    for (auto i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3)
        digits.insert(static_cast<std::size_t>(i), ",");
    return digits;
}

std::string fixed(double value, int decimals) {
    if (!std::isfinite(value)) return "–";
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, std::abs(value));
    const bool zero = std::string_view(text).find_first_not_of("0.") == std::string_view::npos;
    return value < 0 && !zero ? "\u2212" + std::string(text) : std::string(text);
}

}  // namespace claybox::engine
