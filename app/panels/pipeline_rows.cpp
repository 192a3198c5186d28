// The pipeline of a pass as a funnel: each set comes out of the one before (Zachmann, thesis, section 7.1).

#include "app/panels/cards.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::app {
namespace {

struct Set {
    const char* name;
    std::uint64_t count;
    const char* help;
};

/// A bar as long as the logarithm of the count, behind its row.
void set_row(engine::Ui& ui, const Set& set, std::uint64_t most, bool last) {
    const engine::Rect row = engine::take_row(ui, 20, 4);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const engine::Theme& theme = ui.theme();
    const double share = std::log1p(static_cast<double>(set.count)) / std::log1p(static_cast<double>(most));
    const float end = row.x0 + static_cast<float>(share) * row.width();
    if (set.count > 0)
        list.AddRectFilled(row.min(), {end, row.y1}, engine::faded(last ? theme.crimson : theme.teal, 0.22f),
                           ui.px(2));
    const engine::Rect inside{row.x0 + ui.px(6), row.y0, row.x1 - ui.px(6), row.y1};
    const std::string count = engine::grouped(set.count);
    engine::draw_text(ui, list, inside, engine::TextSize::body, theme.secondary, set.name);
    engine::draw_text(ui, list, inside, engine::TextSize::body, theme.ink, count, engine::Align::right);
    engine::tooltip_at(ui, row, set.help, "Zachmann, thesis, section 7.1");
    engine::log_widget(ui, "value", row, set.name, count);
}

}  // namespace

void pipeline_rows(engine::Ui& ui, const collision::PassStats& stats) {
    if (!engine::fold_row(ui, "From moved bodies to collisions",
                          "How many are left after each step of the last pass; bars are logarithmic."))
        return;
    const std::uint64_t kept = stats.candidates - stats.filtered;
    const std::array<Set, 6> sets{{
        {"Moved bodies", stats.moved, "What the last pass took from the list of moved bodies."},
        {"Near each other", stats.raw_candidates,
         "Pairs that share a cell, a node or an interval of the broad phase, repeats included."},
        {"Boxes overlap", stats.candidates, "Of these the pairs whose bounds overlap, each once."},
        {"Kept by the filter", kept,
         "Of these what the pair filter of the Broad phase card leaves; all where none is chosen."},
        {"Asked for and tested", stats.tests,
         "Of these the pairs that the scene asks for and an algorithm tested."},
        {"Collide", stats.colliding, "Pairs that collide now, those of bodies at rest too."},
    }};
    std::uint64_t most = 1;
    for (const Set& set : sets) most = std::max(most, set.count);
    for (const Set& set : sets) set_row(ui, set, most, &set == &sets.back());
    engine::key_value(
        ui, "Not asked for", engine::grouped(stats.ignored),
        "Pairs with overlapping boxes that the scene does not ask about, as parts of one hand.");
}

}  // namespace claybox::app
