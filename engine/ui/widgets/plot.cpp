#include "engine/ui/widgets/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace claybox::engine {
namespace {

/// The smallest step of 1, 2, 4 or 5 times a power of ten with at most four ticks up to `top`.
float nice_step(float top) {
    for (float power = 0.001f; power < 1e7f; power *= 10)
        for (const float digit : {1.0f, 2.0f, 4.0f, 5.0f})
            if (power * digit * 4 >= top) return power * digit;
    return top;
}

/// Milliseconds without unit; seconds with unit.
std::string tick_text(float v, float step) {
    if (v == 0) return "0";
    if (step >= 250) return fixed(static_cast<double>(v) * 1e-3, step < 1000 ? 1 : 0) + " s";
    return fixed(static_cast<double>(v), step < 0.1f ? 2 : step < 1 ? 1 : 0);
}

void draw_series(Ui& ui, ImDrawList& list, const Rect& area, float top, const PlotSeries& series) {
    std::array<ImVec2, 512> line;
    std::size_t count = 0;
    for (const PlotPoint& p : series.points) {
        if (count == line.size()) break;
        const float v = std::clamp(p.value / top, 0.0f, 1.0f);
        line[count++] = {area.x0 + p.t * area.width(), area.y1 - v * area.height()};
    }
    if (count > 1) list.AddPolyline(line.data(), static_cast<int>(count), series.colour, 0, ui.px(1.5f));
}

void draw_marks(Ui& ui, ImDrawList& list, const Rect& area, std::span<const PlotMark> marks) {
    const Theme& theme = ui.theme();
    for (const PlotMark& m : marks) {
        const float x = std::floor(area.x0 + m.t * area.width());
        list.AddLine({x, area.y0}, {x, area.y1}, theme.accent, ui.px(1.5f));
        const float width = std::max(ui.px(68), text_width(ui, TextSize::secondary, m.label) + ui.px(12));
        const bool left = x - width - ui.px(4) > area.x0;
        const float x0 = left ? x - width - ui.px(4) : x + ui.px(4);
        const Rect box{x0, area.y0 + ui.px(4), x0 + width, area.y0 + ui.px(22)};
        if (box.x1 > area.x1) continue;
        list.AddRectFilled(box.min(), box.max(), theme.accent, ui.px(3));
        draw_text(ui, list, box, TextSize::secondary, theme.on_accent, m.label, Align::centre);
    }
}

std::string exact_text(float v) {
    return v >= 999.5f ? fixed(static_cast<double>(v) * 1e-3, 2) + " s"
                       : fixed(static_cast<double>(v), v < 100 ? 1 : 0) + " ms";
}

/// Values at the pointer: a vertical line, a dot on each series, and the numbers in a tooltip.
void draw_hover_values(Ui& ui, ImDrawList& list, const Rect& area, float top, const PlotSpec& spec) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!ImGui::IsWindowHovered() || !area.contains(mouse.x, mouse.y)) return;
    const float t = (mouse.x - area.x0) / std::max(area.width(), 1.0f);
    std::string text;
    for (const PlotSeries& s : spec.series) {
        const PlotPoint* nearest = nullptr;
        for (const PlotPoint& p : s.points)
            if (!nearest || std::abs(p.t - t) < std::abs(nearest->t - t)) nearest = &p;
        if (!nearest || std::abs(nearest->t - t) > 0.03f) continue;
        const ImVec2 at{area.x0 + nearest->t * area.width(),
                        area.y1 - std::clamp(nearest->value / top, 0.0f, 1.0f) * area.height()};
        if (text.empty()) list.AddLine({at.x, area.y0}, {at.x, area.y1}, ui.theme().secondary);
        list.AddCircleFilled(at, ui.px(3.5f), ui.theme().panel, 20);
        list.AddCircleFilled(at, ui.px(2.5f), s.colour, 20);
        text += (text.empty() ? "" : "\n") + exact_text(nearest->value) + " " + s.name;
    }
    tooltip_at(ui, area, text);
}

}  // namespace

void time_plot(Ui& ui, const PlotSpec& spec) {
    const Rect row = take_row(ui, 84, 4);
    const Theme& theme = ui.theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float highest = spec.min_top;
    for (const PlotSeries& s : spec.series)
        for (const PlotPoint& p : s.points) highest = std::max(highest, p.value);
    const float step = nice_step(1.1f * highest), top = step * std::ceil(highest / step);
    const float gutter =
        std::max(ui.px(32), text_width(ui, TextSize::secondary, tick_text(top, step)) + ui.px(8));
    const Rect area{row.x0 + gutter, row.y0 + ui.px(6), row.x1, row.y1 - ui.px(20)};
    list.AddRectFilled(area.min(), area.max(), faded(theme.frame, 0.55f));
    for (float v = 0; v <= top * 1.001f; v += step) {
        const float y = std::floor(area.y1 - v / top * area.height()) + 0.5f;
        list.AddLine({area.x0, y}, {area.x1, y}, theme.line);
        draw_text(ui, list, {row.x0, y - ui.px(8), area.x0 - ui.px(6), y + ui.px(8)}, TextSize::secondary,
                  theme.secondary, tick_text(v, step), Align::right);
    }
    list.PushClipRect(area.min(), area.max(), true);
    for (const PlotSeries& s : spec.series) draw_series(ui, list, area, top, s);
    draw_marks(ui, list, area, spec.marks);
    list.PopClipRect();
    draw_hover_values(ui, list, area, top, spec);
    const Rect below{area.x0, area.y1 + ui.px(2), area.x1, area.y1 + ui.px(20)};
    draw_text(ui, list, below, TextSize::secondary, theme.secondary, spec.left);
    draw_text(ui, list, below, TextSize::secondary, theme.secondary, spec.right, Align::right);
    // The legend is between the end labels of the axis.
    float width = 0;
    for (const PlotSeries& s : spec.series) width += text_width(ui, TextSize::secondary, s.name) + ui.px(26);
    float x = below.centre().x - 0.5f * width + ui.px(6);
    for (const PlotSeries& s : spec.series) {
        list.AddRectFilled({x, below.centre().y - ui.px(1)}, {x + ui.px(10), below.centre().y + ui.px(1)},
                           s.colour);
        draw_text(ui, list, {x + ui.px(14), below.y0, below.x1, below.y1}, TextSize::secondary,
                  theme.secondary, s.name);
        x += text_width(ui, TextSize::secondary, s.name) + ui.px(26);
    }
    tooltip_at(ui, {row.x0, area.y1, row.x1, row.y1},
               std::string("Time per frame in ") + spec.unit +
                   ". A vertical line marks a change of algorithm or settings.");
}

namespace {

std::string flame_text(const FlamePart& part) {
    return std::string(part.name) + " " + fixed(part.seconds * 1e3, part.seconds < 0.01 ? 1 : 0) + " ms";
}

/// Draws a part with as much of its text as fits. False if its name does not fit.
bool draw_flame_part(Ui& ui, const Rect& box, const FlamePart& part) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(box.min(), box.max(), part.colour, std::min(ui.px(2), 0.5f * box.width()));
    const std::string full = flame_text(part);
    const float room = box.width() - ui.px(10);
    const auto fits = [&](std::string_view text) {
        return text_width(ui, TextSize::secondary, text) <= room;
    };
    const std::string_view text = fits(full) ? std::string_view(full) : fits(part.name) ? part.name : "";
    draw_text(ui, list, {box.x0 + ui.px(5), box.y0, box.x1, box.y1}, TextSize::secondary, colour(0xFFFFFF),
              text);
    tooltip_at(ui, box, full, part.help);
    return !text.empty();
}

/// Whether the legend names a part: its name did not fit into the strip during the last seconds. Names that
/// come and go would move the others.
bool in_flame_legend(Ui& ui, const FlamePart& part, bool fits) {
    constexpr float kSeconds = 3;
    const auto now = static_cast<float>(ui.time());
    ImGuiStorage& until = *ImGui::GetStateStorage();
    const unsigned id = ImGui::GetID(part.name);
    if (!fits) until.SetFloat(id, now + kSeconds);
    return until.GetFloat(id, -1) > now;
}

/// Names the parts that are too narrow for their names; one line is always there, so that the rows below
/// rest.
void flame_legend(Ui& ui, std::span<const FlamePart* const> parts) {
    constexpr float kLine = 16, kSwatch = 8;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    Rect row = take_row(ui, kLine, 0);
    float x = row.x0;
    for (const FlamePart* part : parts) {
        const float width = ui.px(kSwatch + 4) + text_width(ui, TextSize::secondary, part->name);
        if (x > row.x0 && x + width > row.x1 + 0.5f) {
            row = take_row(ui, kLine, 0);
            x = row.x0;
        }
        const Rect box{x, row.y0, x + width, row.y1};
        const float y = box.centre().y, half = ui.px(0.5f * kSwatch);
        list.AddRectFilled({x, y - half}, {x + 2 * half, y + half}, part->colour, ui.px(2));
        draw_text(ui, list, {x + ui.px(kSwatch + 4), box.y0, box.x1 + 1, box.y1}, TextSize::secondary,
                  ui.theme().secondary, part->name);
        tooltip_at(ui, box, flame_text(*part), part->help);
        log_widget(ui, "legend", box, part->name);
        x += width + ui.px(10);
    }
}

}  // namespace

void flame_strip(Ui& ui, std::span<const FlamePart> parts) {
    const Rect row = take_row(ui, 20, 3);
    double sum = 0;
    for (const FlamePart& p : parts) sum += std::max(p.seconds, 0.0);
    std::vector<const FlamePart*> narrow;
    float x = row.x0;
    double done = 0;
    for (const FlamePart& p : parts) {
        done += std::max(p.seconds, 0.0);
        const float end = sum > 0 ? row.x0 + static_cast<float>(done / sum) * row.width() : x;
        const Rect box{x, row.y0, std::max(x, end - ui.px(1)), row.y1};
        x = end;
        const bool fits = box.width() < 1 || draw_flame_part(ui, box, p);
        if (in_flame_legend(ui, p, fits)) narrow.push_back(&p);
    }
    flame_legend(ui, narrow);
    take_row(ui, 0, 4);
}

namespace {

/// The mark nearest to the pointer; null when none is near.
const StripMark* mark_under_pointer(Ui& ui, const Rect& box, std::span<const StripMark> marks) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!ImGui::IsWindowHovered() || !box.contains(mouse.x, mouse.y)) return nullptr;
    const StripMark* best = nullptr;
    float nearest = ui.px(7);
    for (const StripMark& m : marks) {
        const float distance = std::abs(box.x0 + m.t * box.width() - mouse.x);
        if (distance > nearest) continue;
        nearest = distance;
        best = &m;
    }
    return best;
}

/// The axis: ticks, and a stronger line over what can be shown again.
void strip_axis(Ui& ui, const Rect& box, const StripSpec& spec) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Theme& theme = ui.theme();
    const float y = std::floor(box.centre().y);
    const float from = box.x0 + std::clamp(spec.kept_from, 0.0f, 1.0f) * box.width();
    list.AddRectFilled({box.x0, y - ui.px(1)}, {box.x1, y + ui.px(1)}, theme.line);
    list.AddRectFilled({from, y - ui.px(1)}, {box.x1, y + ui.px(1)}, theme.secondary);
    for (int i = 0; i <= spec.seconds; ++i) {
        const float x = std::floor(box.x0 + box.width() * static_cast<float>(i) /
                                                static_cast<float>(std::max(spec.seconds, 1)));
        list.AddLine({x, y + ui.px(4)}, {x, y + ui.px(8)}, theme.line,
                     std::max(1.0f, std::floor(ui.scale())));
    }
}

/// The line of now, and the handle of the past.
void strip_handle(Ui& ui, const Rect& box, const StripSpec& spec, bool active) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Theme& theme = ui.theme();
    const float y = std::floor(box.centre().y), half = ui.px(9);
    const auto line = [&](float t, Colour colour) {
        const float x = std::clamp(box.x0 + t * box.width(), box.x0 + ui.px(1), box.x1 - ui.px(1));
        list.AddRectFilled({x - ui.px(1), y - half}, {x + ui.px(1), y + half}, colour);
        return x;
    };
    if (spec.now <= 1) line(spec.now, spec.handle ? theme.secondary : theme.accent);
    if (!spec.handle) return;
    const float x = line(*spec.handle, theme.accent), r = ui.px(active ? 7.0f : 6.0f);
    list.AddCircleFilled({x, y}, r, theme.accent);
    list.AddCircleFilled({x, y}, r - ui.px(3), theme.on_accent);
}

}  // namespace

std::optional<float> event_strip(Ui& ui, const Rect& box, const StripSpec& spec) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGui::SetCursorScreenPos(box.min());
    ImGui::InvisibleButton("time strip", {box.width(), box.height()});
    const bool active = ImGui::IsItemActive();
    strip_axis(ui, box, spec);
    const float y = std::floor(box.centre().y);
    const StripMark* hovered = active ? nullptr : mark_under_pointer(ui, box, spec.marks);
    for (const StripMark& m : spec.marks) {
        const float x = box.x0 + m.t * box.width(), r = ui.px(&m == hovered ? 5 : 4);
        list.AddTriangleFilled({x - r, y - ui.px(3) - 1.5f * r}, {x + r, y - ui.px(3) - 1.5f * r},
                               {x, y - ui.px(3)}, m.colour);
    }
    strip_handle(ui, box, spec, active);
    if (hovered) {
        const double ago = static_cast<double>(spec.now - hovered->t) * spec.seconds;
        tooltip_at(ui, box, std::string(hovered->word) + ": " + std::string(hovered->text),
                   fixed(ago, 1) + " s ago");
    } else if (!active) {
        tooltip_at(ui, box, spec.help);
    }
    log_widget(ui, "strip", box, "Time strip", spec.handle ? "past" : "now");
    if (!active) return std::nullopt;
    return (ImGui::GetIO().MousePos.x - box.x0) / std::max(box.width(), 1.0f);
}

}  // namespace claybox::engine
