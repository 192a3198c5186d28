// The rows of the Broad phase card that show the interest matrix: a cell per pair of groups. Painting a cell
// switches the tests of that pair off and on (Zachmann, thesis, 7.0.1: there per pair of objects).

#include "app/bridge/view/palette.hpp"
#include "app/panels/cards/cards.hpp"
#include "app/panels/inks.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

using engine::Rect;
using engine::TextSize;

constexpr float kNames = 118, kCell = 22;  // units

enum class Cell : unsigned char { tested, ignored, never };

/// The lower half of the matrix, row i with columns 0 to i.
struct Matrix {
    std::vector<SceneGroup> groups;
    const collision::GroupPairs &untested, &ignored;
    Rect box;  ///< of all cells
    float cell = 0;

    Cell at(std::size_t row, std::size_t column) const {
        const unsigned a = groups[row].group, b = groups[column].group;
        return untested.contains(a, b) ? Cell::never : ignored.contains(a, b) ? Cell::ignored : Cell::tested;
    }
    Rect place(std::size_t row, std::size_t column) const {
        const float x = box.x0 + cell * static_cast<float>(column),
                    y = box.y0 + cell * static_cast<float>(row);
        return {x, y, x + cell, y + cell};
    }
    /// The row and column under a point.
    std::optional<std::pair<std::size_t, std::size_t>> find(const ImVec2& p) const {
        if (!box.contains(p.x, p.y)) return std::nullopt;
        const auto row = static_cast<std::size_t>((p.y - box.y0) / cell),
                   column = static_cast<std::size_t>((p.x - box.x0) / cell);
        if (row >= groups.size() || column > row) return std::nullopt;
        return std::pair{row, column};
    }
};

engine::Colour swatch_colour(const SceneGroup& group, const engine::Theme& theme) {
    if (group.colour < 0) return theme.secondary;
    Drawable body;
    body.colour = static_cast<std::uint8_t>(group.colour);
    return panel_colour(material_of(body, theme.dark).albedo);
}

void draw_swatch(engine::Ui& ui, const SceneGroup& group, const ImVec2& centre) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float r = ui.px(5);
    list.AddRectFilled({centre.x - r, centre.y - r}, {centre.x + r, centre.y + r},
                       swatch_colour(group, ui.theme()), ui.px(2));
    list.AddRect({centre.x - r, centre.y - r}, {centre.x + r, centre.y + r}, ui.theme().line, ui.px(2));
}

/// Filled: tested. Crossed out: the user ignores it. A dot: the scene never tests it.
void draw_cell(engine::Ui& ui, Cell cell, const Rect& whole) {
    const engine::Theme& theme = ui.theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float gap = ui.px(1.5f);
    const Rect box{whole.x0 + gap, whole.y0 + gap, whole.x1 - gap, whole.y1 - gap};
    if (cell == Cell::never) {
        list.AddCircleFilled(box.centre(), ui.px(2), theme.secondary);
        return;
    }
    list.AddRectFilled(box.min(), box.max(),
                       cell == Cell::tested ? engine::faded(theme.teal, 0.55f) : theme.frame, ui.px(2));
    if (cell == Cell::tested) return;
    const float in = 0.28f * box.width();
    list.AddLine({box.x0 + in, box.y0 + in}, {box.x1 - in, box.y1 - in}, theme.ink, ui.px(1.5f));
    list.AddLine({box.x0 + in, box.y1 - in}, {box.x1 - in, box.y0 + in}, theme.ink, ui.px(1.5f));
}

void draw_matrix(engine::Ui& ui, const Matrix& m) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t row = 0; row < m.groups.size(); ++row) {
        const SceneGroup& group = m.groups[row];
        const Rect first = m.place(row, 0);
        draw_swatch(ui, group, {m.box.x0 - ui.px(kNames) + ui.px(5), first.centre().y});
        const Rect text{m.box.x0 - ui.px(kNames) + ui.px(16), first.y0, m.box.x0 - ui.px(8), first.y1};
        engine::draw_text(ui, list, text, TextSize::secondary, ui.theme().ink, group.name);
        if (group.bodies > 0)
            engine::draw_text(ui, list, text, TextSize::secondary, ui.theme().secondary,
                              engine::grouped(group.bodies), engine::Align::right);
        for (std::size_t column = 0; column <= row; ++column)
            draw_cell(ui, m.at(row, column), m.place(row, column));
        draw_swatch(ui, group, {m.place(row, row).centre().x, m.box.y1 + ui.px(9)});
    }
}

std::string sentence(const Matrix& m, std::size_t row, std::size_t column) {
    const std::string names = row == column ? m.groups[row].name + " with each other"
                                            : m.groups[row].name + " and " + m.groups[column].name;
    switch (m.at(row, column)) {
        case Cell::tested:
            return names + ": tested. Click or Enter to ignore them";
        case Cell::ignored:
            return names + ": ignored. Click or Enter to test them";
        default:
            return names + ": the scene never tests them";
    }
}

/// Press and drag: all cells under the pointer get what the first one changes to.
void paint(const Matrix& m, std::optional<bool>& painting, collision::GroupPairs& ignored) {
    if (!ImGui::IsMouseDown(0)) {
        painting.reset();
        return;
    }
    const auto found = m.find(ImGui::GetIO().MousePos);
    if (!found || m.at(found->first, found->second) == Cell::never) return;
    const unsigned a = m.groups[found->first].group, b = m.groups[found->second].group;
    if (ImGui::IsMouseClicked(0) && ImGui::IsWindowHovered()) painting = !ignored.contains(a, b);
    if (painting) ignored.set(a, b, *painting);
}

/// The arrows choose a cell, Enter switches it.
void operate(engine::Ui& ui, const Matrix& m, BroadRequest& state, collision::GroupPairs& ignored) {
    const auto last = static_cast<int>(m.groups.size()) - 1;
    const auto moved = [](std::size_t from, int by, int most) {
        return static_cast<std::size_t>(std::clamp(static_cast<int>(from) + by, 0, most));
    };
    state.cell_row = moved(state.cell_row, 0, last);  // the scene may have fewer groups than the last one
    state.cell_column = moved(state.cell_column, 0, static_cast<int>(state.cell_row));
    const Rect box = m.place(state.cell_row, state.cell_column);
    const engine::KeyboardUse use =
        engine::keyboard_item(ui, ImGui::GetID("matrix"), box, engine::ArrowKeys::grid);
    if (!use.focused) return;
    engine::note_beside(ui, {m.box.x0 - ui.px(kNames), box.y0, m.box.x1, box.y1},
                        sentence(m, state.cell_row, state.cell_column));
    state.cell_row = moved(state.cell_row, use.rows, last);
    state.cell_column = moved(state.cell_column, use.steps, static_cast<int>(state.cell_row));
    if (!use.press || m.at(state.cell_row, state.cell_column) == Cell::never) return;
    const unsigned a = m.groups[state.cell_row].group, b = m.groups[state.cell_column].group;
    ignored.set(a, b, !ignored.contains(a, b));
}

}  // namespace

void interest_rows(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests) {
    if (!engine::fold_row(ui, "Who is tested against whom",
                          "The interest matrix: pairs of groups of bodies that the module tests."))
        return;
    std::vector<SceneGroup> groups = model.session->scene().groups();
    if (groups.empty()) return engine::paragraph(ui, "This scene offers no groups to choose from.");
    collision::WorldSettings settings = model.session->settings();
    const collision::GroupPairs before = settings.ignored_groups;
    const float side = kCell * static_cast<float>(groups.size());
    const Rect row = engine::take_row(ui, side + 18, 4);
    const float x = row.x0 + ui.px(kNames);
    const Matrix m{std::move(groups),
                   model.session->world().untested_groups(),
                   before,
                   {x, row.y0, x + ui.px(side), row.y0 + ui.px(side)},
                   ui.px(kCell)};
    draw_matrix(ui, m);
    engine::log_widget(ui, "matrix", m.box, "Who is tested against whom", collision::to_text(before));
    if (const auto over = m.find(ImGui::GetIO().MousePos); over && ImGui::IsWindowHovered())
        engine::tooltip_at(ui, m.place(over->first, over->second), sentence(m, over->first, over->second));
    paint(m, state.broad.painting, settings.ignored_groups);
    operate(ui, m, state.broad, settings.ignored_groups);
    engine::key_value(ui, "Pairs not tested", engine::grouped(model.report().pass.ignored),
                      "Pairs of the last pass with overlapping boxes that the matrix excludes.");
    static constexpr const char* kAll[] = {"Test all again"};
    if (!before.empty() && engine::button_row(ui, kAll) == 0) settings.ignored_groups = {};
    if (settings.ignored_groups != before) requests.settings = settings;
}

}  // namespace claybox::app
