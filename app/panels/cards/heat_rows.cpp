// The rows of the Inspect card that show a slice of poses as a picture: agreement, or the cost of an
// algorithm.

#include "app/panels/cards/cards.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using engine::Colour;
using engine::Rect;
using engine::TextSize;

namespace {

constexpr const char* kAxisNames[] = {"x", "y", "z"};

/// From paper to ink by way of the accent; `share` from 0 to 1.
Colour heat_colour(const engine::Theme& theme, double share) {
    const auto mix = [](Colour from, Colour to, double t) {
        Colour out = 0;
        for (int shift = 0; shift < 32; shift += 8) {
            const double a = from >> shift & 0xffu, b = to >> shift & 0xffu;
            out |= static_cast<Colour>(a + (b - a) * t + 0.5) << shift;
        }
        return out;
    };
    const double t = std::clamp(share, 0.0, 1.0);
    return t < 0.6 ? mix(theme.panel, theme.accent, 0.1 + 0.9 * t / 0.6)
                   : mix(theme.accent, theme.ink, 0.85 * (t - 0.6) / 0.4);
}

/// What the picture shows.
struct HeatView {
    const HeatMap& map;
    std::size_t algorithm = 0;  ///< its cost, if `cost`
    bool cost = false;
    double low = 0, high = 1;  ///< powers of ten of nanoseconds

    double share(double ns) const {
        return (std::log10(std::max(ns, 1.0)) - low) / std::max(high - low, 1e-9);
    }
};

HeatView view_of(const HeatMap& map, std::size_t cost_of) {
    HeatView out{map};
    if (cost_of == 0 || cost_of > map.algorithms().size()) return out;
    out.cost = true;
    out.algorithm = cost_of - 1;
    double low = 1e12, high = 1;
    for (std::size_t cell = 0; cell < map.done(); ++cell) {
        const AlgorithmAnswer& answer = map.answers(cell)[out.algorithm];
        if (answer.standing == Standing::no_answer) continue;
        low = std::min(low, answer.ns);
        high = std::max(high, answer.ns);
    }
    out.low = std::log10(std::max(1.0, std::min(low, high)));
    out.high = std::max(out.low + 0.1, std::log10(high));
    return out;
}

/// Solid verdicts; of surfaces where solids have none.
collision::Verdict verdict_of(const Truth& truth) {
    return truth.solid == collision::Verdict::undecided ? truth.surface : truth.solid;
}

void draw_cell(engine::Ui& ui, const HeatView& view, std::size_t cell, const Rect& box) {
    const engine::Theme& theme = ui.theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (view.cost) {
        const AlgorithmAnswer& answer = view.map.answers(cell)[view.algorithm];
        if (answer.standing == Standing::no_answer) return;
        list.AddRectFilled(box.min(), box.max(), heat_colour(theme, view.share(answer.ns)));
        if (answer.standing != Standing::disagrees) return;
    } else {
        const Standing standing = view.map.standing(cell);
        const bool hit = verdict_of(view.map.truth(cell)) == collision::Verdict::colliding;
        if (standing == Standing::unchecked) return;
        list.AddRectFilled(box.min(), box.max(),
                           standing == Standing::approximate ? engine::faded(theme.amber, hit ? 0.9f : 0.6f)
                           : hit                             ? engine::faded(theme.ink, 0.45f)
                                                             : engine::faded(theme.teal, 0.25f));
        if (standing != Standing::disagrees) return;
        list.AddRectFilled(box.min(), box.max(), theme.crimson);
    }
    // A cross in addition to the colour.
    list.AddLine(box.min(), box.max(), view.cost ? theme.crimson : theme.panel, ui.px(1.5f));
    list.AddLine({box.x0, box.y1}, {box.x1, box.y0}, view.cost ? theme.crimson : theme.panel, ui.px(1.5f));
}

Rect cell_box(const Rect& plot, const HeatMap& map, std::size_t cell) {
    const float size = plot.width() / static_cast<float>(map.slice().cells);
    const float x = plot.x0 + size * static_cast<float>(cell % map.slice().cells);
    const float y = plot.y1 - size * static_cast<float>(cell / map.slice().cells + 1);
    return {x, y, x + size, y + size};
}

/// The arrows choose a cell, at first the one in the middle.
void move_choice(const HeatMap& map, const engine::KeyboardUse& use, std::optional<std::size_t>& chosen) {
    if (!use.press && use.steps == 0 && use.rows == 0) return;
    const auto side = static_cast<int>(map.slice().cells);
    const bool first = !chosen || *chosen >= map.done();
    const auto from = first ? 0 : static_cast<int>(*chosen);
    const int column = first ? side / 2 : std::clamp(from % side + use.steps, 0, side - 1),
              line = first ? side / 2 : std::clamp(from / side - use.rows, 0, side - 1);
    const std::size_t cell =
        static_cast<std::size_t>(line) * map.slice().cells + static_cast<std::size_t>(column);
    if (cell < map.done()) chosen = cell;
}

/// Draws the cells; a click or the arrow keys choose one.
void draw_map(engine::Ui& ui, const HeatView& view, std::optional<std::size_t>& chosen) {
    const HeatMap& map = view.map;
    const float side = std::min(ImGui::GetContentRegionAvail().x / ui.scale() - 24, 232.0f);
    const Rect row = engine::take_row(ui, side, 2);
    const engine::Theme& theme = ui.theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float x = row.centre().x - 0.5f * ui.px(side);
    const Rect plot{x, row.y0, x + ui.px(side), row.y0 + ui.px(side)};
    list.AddRectFilled(plot.min(), plot.max(), engine::faded(theme.frame, 0.55f));
    for (std::size_t cell = 0; cell < map.done(); ++cell)
        draw_cell(ui, view, cell, cell_box(plot, map, cell));
    list.AddRect(plot.min(), plot.max(), theme.line);
    const ImVec2 middle = plot.centre();  // A's centre
    list.AddLine({middle.x - ui.px(5), middle.y}, {middle.x + ui.px(5), middle.y}, theme.ink, ui.px(1.5f));
    list.AddLine({middle.x, middle.y - ui.px(5)}, {middle.x, middle.y + ui.px(5)}, theme.ink, ui.px(1.5f));
    move_choice(map, engine::keyboard_item(ui, ImGui::GetID("heat map"), plot, engine::ArrowKeys::grid),
                chosen);
    if (chosen && *chosen < map.done()) {
        const Rect box = cell_box(plot, map, *chosen);
        list.AddRect({box.x0 - ui.px(1), box.y0 - ui.px(1)}, {box.x1 + ui.px(1), box.y1 + ui.px(1)},
                     theme.ink, 0, 0, ui.px(2));
    }
    engine::log_widget(ui, "heat map", plot,
                       view.cost ? view.map.algorithms()[view.algorithm]->title : "Agreement",
                       engine::grouped(map.done()));
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!ImGui::IsWindowHovered() || !plot.contains(mouse.x, mouse.y) || !ImGui::IsMouseClicked(0)) return;
    const float size = plot.width() / static_cast<float>(map.slice().cells);
    const auto column = static_cast<std::size_t>((mouse.x - plot.x0) / size),
               line = static_cast<std::size_t>((plot.y1 - mouse.y) / size);
    const std::size_t cell = line * map.slice().cells + column;
    if (column < map.slice().cells && cell < map.done()) chosen = cell;
}

void legend_entry(engine::Ui& ui, const Rect& row, float x, Colour colour, bool cross, const char* text) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Rect box{x, row.centre().y - ui.px(4), x + ui.px(8), row.centre().y + ui.px(4)};
    list.AddRectFilled(box.min(), box.max(), colour);
    if (cross) {
        list.AddLine(box.min(), box.max(), ui.theme().panel, ui.px(1.5f));
        list.AddLine({box.x0, box.y1}, {box.x1, box.y0}, ui.theme().panel, ui.px(1.5f));
    }
    engine::draw_text(ui, list, {x + ui.px(13), row.y0, row.x1, row.y1}, TextSize::secondary,
                      ui.theme().secondary, text);
}

void draw_legend(engine::Ui& ui, const HeatView& view) {
    const engine::Theme& theme = ui.theme();
    const HeatMap& map = view.map;
    const Rect axes = engine::take_row(ui, 16, 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    engine::draw_text(ui, list, axes, TextSize::secondary, theme.secondary,
                      std::string("B at ±") + engine::fixed(map.half_side() * 1e3, 0) + " mm from A; right " +
                          kAxisNames[map.slice().right] + ", up " + kAxisNames[map.slice().up]);
    if (view.cost) {
        const Rect row = engine::take_row(ui, 16, 4);
        const Rect bar{row.x0 + ui.px(52), row.y0 + ui.px(4), row.x1 - ui.px(52), row.y1 - ui.px(4)};
        constexpr int kSteps = 32;
        for (int i = 0; i < kSteps; ++i)
            list.AddRectFilled({bar.x0 + bar.width() * static_cast<float>(i) / kSteps, bar.y0},
                               {bar.x0 + bar.width() * static_cast<float>(i + 1) / kSteps, bar.y1},
                               heat_colour(theme, (i + 0.5) / kSteps));
        list.AddRect(bar.min(), bar.max(), theme.line);
        engine::draw_text(ui, list, row, TextSize::secondary, theme.secondary,
                          short_time(std::pow(10, view.low)));
        engine::draw_text(ui, list, row, TextSize::secondary, theme.secondary,
                          short_time(std::pow(10, view.high)), engine::Align::right);
        return;
    }
    const Rect first = engine::take_row(ui, 16, 0), second = engine::take_row(ui, 16, 4);
    const float half = first.x0 + 0.5f * first.width();
    legend_entry(ui, first, first.x0, engine::faded(theme.teal, 0.25f), false, "Apart, all agree");
    legend_entry(ui, first, half, engine::faded(theme.ink, 0.45f), false, "Colliding, all agree");
    legend_entry(ui, second, second.x0, engine::faded(theme.amber, 0.8f), false, "Approximate errs");
    legend_entry(ui, second, half, theme.crimson, true, "Exact one is wrong");
}

/// The chosen cell: pose, verdicts, times.
void cell_rows(engine::Ui& ui, const HeatMap& map, std::size_t cell, PanelRequests& requests) {
    const auto mm = [](double metres) { return engine::fixed(metres * 1e3, 1); };
    engine::key_value(ui, "B from A, mm",
                      std::string(kAxisNames[map.slice().right]) + " " + mm(map.right_of(cell)) + ", " +
                          kAxisNames[map.slice().up] + " " + mm(map.up_of(cell)),
                      "From the centre of A's bounding sphere to that of B, along the axes of the slice.");
    const collision::Verdict verdict = verdict_of(map.truth(cell));
    engine::key_value(ui, "Exact arithmetic", verdict_word(verdict),
                      "The verdict with a proof that was checked again in exact arithmetic.",
                      verdict_mark(verdict), verdict_colour(ui.theme(), verdict), true);
    static constexpr const char* kSave[] = {"Save the pair of this cell"};
    static constexpr const char* kHelp[] = {
        "Saves both bodies with B in this cell, for \"claybox query\" and for tests."};
    if (engine::button_row(ui, kSave, kHelp) == 0) requests.save_heat_cell = cell;
    answer_rows(ui, map.answers(cell));
}

void choose_rows(engine::Ui& ui, HeatRequest& request, PanelRequests& requests) {
    static constexpr const char* kSlices[] = {"x y", "x z", "z y"};
    engine::segmented(ui, "Slice", true, kSlices, request.slice,
                      "The world's axes along which the second body is moved.");
    engine::SliderSpec spec;
    spec.label = "Cells per side";
    spec.min = HeatMap::kMinCells;
    spec.max = HeatMap::kMaxCells;
    spec.default_value = 24;
    spec.integer = true;
    spec.help = "Every algorithm is asked in every cell.";
    engine::slider(ui, spec, request.cells);
    static constexpr const char* kStart[] = {"Map a slice of poses"};
    static constexpr const char* kHelp[] = {
        "Moves the second body over a grid of poses and asks every algorithm in every cell. The scene runs "
        "on."};
    if (engine::button_row(ui, kStart, kHelp) == 0) requests.heat = true;
}

}  // namespace

void heat_rows(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests) {
    if (model.heat == nullptr) return;
    if (!engine::fold_row(
            ui, "Map of a slice of poses",
            "Where do all algorithms agree, and what does an answer cost? One body moves over a "
            "grid."))
        return;
    const HeatMap& map = *model.heat;
    HeatRequest& request = state.compare.heat;
    if (map.running()) {
        progress_bar(
            ui, "Cells asked", engine::grouped(map.done()) + " of " + engine::grouped(map.total()) + " cells",
            static_cast<float>(map.done()) / static_cast<float>(std::max<std::size_t>(1, map.total())));
        static constexpr const char* kCancel[] = {"Cancel the map"};
        if (engine::button_row(ui, kCancel) == 0) requests.cancel_heat = true;
    } else {
        choose_rows(ui, request, requests);
    }
    if (map.done() == 0) return;
    std::vector<engine::ComboItem> items{{"Agreement"}};
    std::vector<std::string> names;
    for (const collision::PairAlgorithm* algorithm : map.algorithms())
        names.push_back(std::string("Cost of ") + algorithm->title);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool answers = map.answers(0)[i].standing != Standing::no_answer;
        items.push_back({names[i].c_str(), answers ? "" : "no answer", "", "", answers});
    }
    request.cost_of = std::min(request.cost_of, names.size());
    engine::combo(ui, "Picture of the slice", false, items, request.cost_of);
    const HeatView view = view_of(map, request.cost_of);
    draw_map(ui, view, request.cell);
    draw_legend(ui, view);
    if (request.cell && *request.cell < map.done())
        cell_rows(ui, map, *request.cell, requests);
    else
        engine::paragraph(
            ui, "Click a cell, or choose one with the arrow keys, to see its pose, verdicts and times.");
}

}  // namespace claybox::app
