#include "engine/ui/drawing/icons.hpp"

#include "engine/files/assets.hpp"
#include "engine/files/path_text.hpp"
#include "engine/ui/ui_impl.hpp"

#include <algorithm>
#include <iterator>

namespace claybox::engine {
namespace {

/// In the order of Icon.
constexpr const char* kIconNames[] = {"cage",
                                      "workbench",
                                      "potter",
                                      "buttons",
                                      "button_lab",
                                      "polygons",
                                      "box_tree",
                                      "crowd",
                                      "mobiles",
                                      "solids",
                                      "bullets",
                                      "screw_tori",
                                      "cars",
                                      "scene",
                                      "hand",
                                      "diamond",
                                      "boxes",
                                      "label",
                                      "sun",
                                      "moon",
                                      "help",
                                      "search",
                                      "pause",
                                      "play",
                                      "step",
                                      "step_back",
                                      "restart",
                                      "close",
                                      "fold",
                                      "unfold",
                                      "pair",
                                      "motion",
                                      "exact",
                                      "parallel",
                                      "sliders",
                                      "file",
                                      "lesson",
                                      "keyboard",
                                      "camera",
                                      "undo",
                                      "redo",
                                      "add",
                                      "remove",
                                      "duplicate",
                                      "headset",
                                      "probe",
                                      "potter_push",
                                      "potter_grab",
                                      "potter_inflate",
                                      "potter_deflate",
                                      "potter_smooth",
                                      "potter_flatten",
                                      "potter_pinch",
                                      "potter_crease",
                                      "potter_add",
                                      "potter_carve",
                                      "potter_mask",
                                      "potter_unmask",
                                      "potter_trim",
                                      "potter_cut",
                                      "potter_facets",
                                      "potter_tool_whole_hand",
                                      "potter_tool_index_finger",
                                      "potter_tool_fingertips",
                                      "potter_tool_one_fingertip",
                                      "potter_tool_ball",
                                      "potter_tool_block",
                                      "potter_tool_stick",
                                      "potter_tool_cone",
                                      "potter_falloff_smooth",
                                      "potter_falloff_dome",
                                      "potter_falloff_linear",
                                      "potter_falloff_sharp"};
static_assert(std::size(kIconNames) == kIconCount);

constexpr int kCircleSegments = 32, kDotSegments = 16, kCurveSegments = 16;

/// Empty if the file is missing or damaged.
std::vector<IconShape> load_icon(Icon icon) {
    const std::string name = std::string("icons/") + to_string(icon) + ".svg";
    std::vector<IconShape> shapes;
    std::string text, error;
    if (!read_asset(name, text, error))
        report_asset_problem(error);
    else if (!parse_icon(text, shapes, error))
        report_asset_problem(text_of(asset_folder() / name) + ":" + error);
    return shapes;
}

/// Draws in a box of 24 units.
struct IconPen {
    ImDrawList& list;
    ImVec2 origin;
    float unit;
    Colour colour;

    ImVec2 at(float x, float y) const { return {origin.x + x * unit, origin.y + y * unit}; }
    ImVec2 at(const std::array<float, 2>& p) const { return at(p[0], p[1]); }
    void draw(const IconShape& shape) const {
        if (shape.kind == IconShape::Kind::circle) return circle(shape);
        if (shape.kind == IconShape::Kind::rectangle) return rectangle(shape);
        list.PathLineTo(at(shape.start));
        for (const IconShape::Step& step : shape.steps) {
            if (step.curve)
                list.PathBezierCubicCurveTo(at(step.from_control), at(step.to_control), at(step.to),
                                            kCurveSegments);
            else
                list.PathLineTo(at(step.to));
        }
        if (shape.filled)
            list.PathFillConvex(colour);
        else
            list.PathStroke(colour, shape.closed ? ImDrawFlags_Closed : 0, shape.stroke * unit);
    }
    void circle(const IconShape& shape) const {
        const float x = shape.numbers[0], y = shape.numbers[1], r = shape.numbers[2];
        if (shape.filled)
            list.AddCircleFilled(at(x, y), r * unit, colour, kDotSegments);
        else
            list.AddCircle(at(x, y), r * unit, colour, kCircleSegments, shape.stroke * unit);
    }
    void rectangle(const IconShape& shape) const {
        const auto [x0, y0, x1, y1, r] = shape.numbers;
        if (shape.filled)
            list.AddRectFilled(at(x0, y0), at(x1, y1), colour, r * unit);
        else
            list.AddRect(at(x0, y0), at(x1, y1), colour, r * unit, 0, shape.stroke * unit);
    }
};

}  // namespace

const char* to_string(Icon icon) {
    return kIconNames[static_cast<std::size_t>(icon)];
}

std::optional<Icon> icon_by_name(std::string_view name) {
    const auto found = std::find(std::begin(kIconNames), std::end(kIconNames), name);
    if (found == std::end(kIconNames)) return std::nullopt;
    return static_cast<Icon>(found - std::begin(kIconNames));
}

void draw_icon(Ui& ui, ImDrawList& list, ImVec2 centre, Icon icon, Colour colour, float units) {
    auto& shapes = ui.impl().icons[static_cast<std::size_t>(icon)];
    if (!shapes) shapes = load_icon(icon);
    const float unit = ui.scale() * units / 24;
    const IconPen pen{list, {centre.x - 12 * unit, centre.y - 12 * unit}, unit, colour};
    for (const IconShape& shape : *shapes) pen.draw(shape);
    if (shapes->empty()) list.AddRect(pen.at(4, 4), pen.at(20, 20), colour, 0, 0, 1.6f * unit);
}

}  // namespace claybox::engine
