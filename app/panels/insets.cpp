// Flat drawings over the scene: those of scenes, and those of an algorithm's steps.

#include "app/panels/cards/cards.hpp"
#include "app/panels/inks.hpp"

#include <algorithm>

namespace claybox::app {

using engine::Rect;

engine::Mark ink_mark(Ink ink) {
    switch (ink) {
        case Ink::witness:
            return engine::Mark::diamond;
        case Ink::separating:
            return engine::Mark::square;
        case Ink::colliding:
            return engine::Mark::disc;
        case Ink::candidate:
            return engine::Mark::triangle;
        default:
            return engine::Mark::none;
    }
}

engine::Colour ink_colour(const engine::Theme& theme, Ink ink) {
    switch (ink) {
        case Ink::witness:
            return theme.violet;
        case Ink::separating:
            return theme.teal;
        case Ink::colliding:
            return theme.crimson;
        case Ink::candidate:
            return theme.amber;
        case Ink::accent:
            return theme.accent;
        default:
            return theme.ink;
    }
}

engine::Colour panel_colour(const glm::vec3& rgb) {
    const auto byte = [](float x) {
        return static_cast<std::uint32_t>(255 * std::clamp(x, 0.0f, 1.0f) + 0.5f);
    };
    return engine::colour(byte(rgb.r) << 16 | byte(rgb.g) << 8 | byte(rgb.b));
}

namespace {

engine::Colour translucent(engine::Colour colour, float opacity) {
    const auto alpha = static_cast<engine::Colour>(std::clamp(opacity, 0.0f, 1.0f) * 255 + 0.5f);
    return (colour & ~IM_COL32_A_MASK) | alpha << IM_COL32_A_SHIFT;
}

/// The sizes of an inset around its plot.
struct InsetLayout {
    float pad, title, axis, row, note;
    std::size_t columns, rows;  ///< of the legend
    float around() const { return title + axis + row * static_cast<float>(rows) + note + pad; }
};

InsetLayout layout_of(engine::Ui& ui, const ViewInset& inset, float width) {
    const float x_width = engine::text_width(ui, engine::TextSize::label, inset.x_title),
                y_width = engine::text_width(ui, engine::TextSize::label, inset.y_title);
    const bool side_by_side = x_width + y_width + ui.px(8) <= width - ui.px(24);
    const float axis = x_width + y_width == 0 ? 0 : side_by_side ? ui.px(20) : ui.px(36);
    InsetLayout out{ui.px(12), ui.px(32), axis, ui.px(18), inset.note.empty() ? 0 : ui.px(20), 2, 0};
    const float half = 0.5f * width - out.pad - ui.px(20);
    for (const ViewInset::LegendRow& row : inset.legend)
        if (engine::text_width(ui, engine::TextSize::secondary, row.text) > half) out.columns = 1;
    out.rows = (inset.legend.size() + out.columns - 1) / out.columns;
    return out;
}

/// The drawing of an inset in the rectangle `plot`.
void draw_inset(engine::Ui& ui, ImDrawList& list, const ViewInset& inset, const Rect& plot) {
    const auto place = [&](const ViewInset::Point& p) {
        return ImVec2{plot.x0 + p.x * plot.width(), plot.y1 - p.y * plot.height()};
    };
    list.AddRect(plot.min(), plot.max(), ui.theme().line);
    list.PushClipRect(plot.min(), plot.max(), true);
    std::vector<ImVec2> line;
    const auto gather = [&](std::uint32_t first, std::uint32_t count) {
        line.clear();
        for (std::uint32_t i = 0; i < count; ++i) line.push_back(place(inset.points[first + i]));
    };
    for (const ViewInset::Fill& fill : inset.fills) {
        gather(fill.first, fill.count);
        const engine::Colour colour = translucent(ink_colour(ui.theme(), fill.ink), fill.opacity);
        if (fill.count == 2)
            list.AddRectFilled({line[0].x, line[1].y}, {line[1].x, line[0].y}, colour);
        else
            list.AddConvexPolyFilled(line.data(), static_cast<int>(line.size()), colour);
    }
    for (const ViewInset::Stroke& stroke : inset.strokes) {
        gather(stroke.first, stroke.count);
        list.AddPolyline(line.data(), static_cast<int>(line.size()),
                         translucent(ink_colour(ui.theme(), stroke.ink), stroke.opacity), 0,
                         ui.px(stroke.width));
    }
    for (const ViewInset::Mark& mark : inset.marks) {
        const ImVec2 at = place(mark.at);
        const engine::Colour colour = ink_colour(ui.theme(), mark.ink);
        if (mark.small) {
            list.AddCircleFilled(at, ui.px(5.5f), ui.theme().panel);
            list.AddCircleFilled(at, ui.px(4), colour);
        } else {
            list.AddCircleFilled(at, ui.px(7), ui.theme().panel);
            engine::draw_mark(list, at, ui.px(10), ink_mark(mark.ink), colour);
        }
        if (mark.text.empty()) continue;
        const float wide = engine::text_width(ui, engine::TextSize::title, mark.text) + ui.px(2);
        const bool left = at.x + ui.px(9) + wide > plot.x1;
        const float x = at.x + (left ? -ui.px(9) - wide : ui.px(9));
        engine::draw_text(ui, list, {x, at.y - ui.px(9), x + wide, at.y + ui.px(9)}, engine::TextSize::title,
                          ui.theme().ink, mark.text);
    }
    list.PopClipRect();
}

/// Inks with their meaning.
void draw_legend(engine::Ui& ui, ImDrawList& list, const ViewInset& inset, const Rect& box,
                 const InsetLayout& layout) {
    const float wide = box.width() / static_cast<float>(layout.columns), row = layout.row;
    for (std::size_t i = 0; i < inset.legend.size(); ++i) {
        const float x = box.x0 + wide * static_cast<float>(i % layout.columns),
                    y = box.y0 + row * static_cast<float>(i / layout.columns);
        const float middle = y + 0.5f * row;
        list.AddRectFilled({x, middle - ui.px(4)}, {x + ui.px(8), middle + ui.px(4)},
                           ink_colour(ui.theme(), inset.legend[i].ink), ui.px(2));
        engine::draw_text(ui, list, {x + ui.px(14), y, x + wide, y + row}, engine::TextSize::secondary,
                          ui.theme().secondary, inset.legend[i].text);
    }
}

Rect draw_inset_panel(engine::Ui& ui, const ViewInset& inset, float x, float y, float width) {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const InsetLayout layout = layout_of(ui, inset, width);
    const float inner = width - 2 * layout.pad, high = inner / inset.aspect;
    const Rect box{x, y, x + width, y + high + layout.around()};
    engine::draw_panel(ui, list, box);
    const Rect plot{box.x0 + layout.pad, box.y0 + layout.title, box.x1 - layout.pad,
                    box.y0 + layout.title + high};
    engine::draw_text(ui, list, {plot.x0, box.y0, plot.x1, plot.y0}, engine::TextSize::title, ui.theme().ink,
                      inset.title);
    draw_inset(ui, list, inset, plot);
    float below = plot.y1;
    if (layout.axis > 0) {
        const float line = std::min(layout.axis, ui.px(20));  // both titles, or one of two lines
        engine::draw_text(ui, list, {plot.x0, below, plot.x1, below + line}, engine::TextSize::label,
                          ui.theme().secondary, inset.y_title);
        below += layout.axis;
        engine::draw_text(ui, list, {plot.x0, below - line, plot.x1, below}, engine::TextSize::label,
                          ui.theme().secondary, inset.x_title, engine::Align::right);
    }
    draw_legend(ui, list, inset, {plot.x0, below, plot.x1, box.y1}, layout);
    below += layout.row * static_cast<float>(layout.rows);
    if (layout.note > 0)
        engine::draw_text(ui, list, {plot.x0, below, plot.x1, below + layout.note}, engine::TextSize::label,
                          ui.theme().secondary, inset.note);
    engine::WidgetLog& log = ui.log();
    if (log.enabled) log.records.push_back({"inset", inset.title, "", box.x0, box.y0, box.x1, box.y1, true});
    return box;
}

}  // namespace

std::vector<Rect> scene_insets(engine::Ui& ui, const PanelModel& model, const Rect& area) {
    std::vector<const ViewInset*> all;
    for (const auto insets : {model.insets, model.step_insets, model.interval_insets})
        for (const ViewInset& inset : insets) all.push_back(&inset);
    // Together they fit into the area, and the scene beside them stays in view.
    const float gap = ui.px(8);
    // Beside a lesson there is less room; narrower titles would be cut.
    float widest =
        std::min(ui.px(420), std::max(0.42f * area.width(), std::min(ui.px(300), 0.6f * area.width())));
    for (const ViewInset* inset : all)
        widest = std::max(widest, engine::text_width(ui, engine::TextSize::title, inset->title) + ui.px(25));
    widest = std::min(widest, area.width() - ui.px(24));
    for (int round = 0; round < 2; ++round) {  // a narrower legend has more rows
        float around = gap, high = 0;
        for (const ViewInset* inset : all) {
            around += layout_of(ui, *inset, widest).around() + gap;
            high += 1 / inset->aspect;
        }
        widest = std::min(widest, (area.height() - around) / std::max(high, 0.01f) + ui.px(24));
    }
    float width = widest;
    for (const ViewInset* inset : all) width = std::min(width, 0.46f * area.height() * inset->aspect);
    float y = area.y0 + gap;
    std::vector<Rect> out;
    if (width < ui.px(96)) return out;  // too small to be read
    for (const ViewInset* inset : all) {
        out.push_back(draw_inset_panel(ui, *inset, area.x0 + ui.px(12), y, width));
        y = out.back().y1 + gap;
    }
    return out;
}

}  // namespace claybox::app
