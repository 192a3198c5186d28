#include "app/bridge/view/frame_boxes.hpp"
#include "app/bridge/view/palette.hpp"
#include "app/panels/cards/cards.hpp"
#include "app/panels/cards/parameters.hpp"
#include "app/panels/inks.hpp"

namespace claybox::app {
namespace {

using engine::ComboItem;
using engine::grouped;
using engine::key_value;

std::string level_name(const collision::BroadPhaseDescriptor& phase, std::uint32_t level) {
    return level < phase.level_names.size() ? phase.level_names[level] : std::to_string(level);
}

struct Swatch {
    engine::Colour colour;
    std::string name;
};

/// Colours with their names, in as many lines as they need. Returns the rectangle.
engine::Rect swatch_lines(engine::Ui& ui, std::span<const Swatch> swatches) {
    constexpr float kLine = 16, kLead = 14, kBetween = 12;  // units
    ImDrawList& list = *ImGui::GetWindowDrawList();
    engine::Rect row = engine::take_row(ui, kLine, 1);
    const float top = row.y0;
    float x = row.x0;
    for (const Swatch& swatch : swatches) {
        const float width = ui.px(kLead) + engine::text_width(ui, engine::TextSize::secondary, swatch.name);
        if (x > row.x0 && x + width > row.x1) {
            row = engine::take_row(ui, kLine, 1);
            x = row.x0;
        }
        list.AddRectFilled({x, row.centre().y - ui.px(4)}, {x + ui.px(8), row.centre().y + ui.px(4)},
                           swatch.colour, ui.px(2));
        engine::draw_text(ui, list, {x + ui.px(kLead), row.y0, row.x1, row.y1}, engine::TextSize::secondary,
                          ui.theme().secondary, swatch.name);
        x += width + ui.px(kBetween);
    }
    engine::take_row(ui, 0, 7);
    return {row.x0, top, row.x1, row.y1};
}

/// Legend of the colours of the drawn boxes. Levels that share a colour are named together.
void level_legend(engine::Ui& ui, const collision::BroadPhaseDescriptor& phase, std::uint32_t levels) {
    std::vector<Swatch> swatches;
    for (std::uint32_t look = 0; look < std::min(levels, kLevelLooks); ++look) {
        std::string names = level_name(phase, look);
        for (std::uint32_t level = look + kLevelLooks; level < levels; level += kLevelLooks)
            names += ", " + level_name(phase, level);
        swatches.push_back({panel_colour(level_rgb(look, ui.theme().dark)), std::move(names)});
    }
    engine::log_widget(ui, "legend", swatch_lines(ui, swatches), phase.levels, std::to_string(levels));
}

/// Legend of the colours of load.
void load_legend(engine::Ui& ui, std::uint32_t most) {
    static constexpr const char* kNames[kLoadClasses] = {"1", "2", "3–4", "5–8", "9 and more"};
    std::vector<Swatch> swatches;
    for (std::uint32_t load = 0; load < kLoadClasses; ++load)
        swatches.push_back({panel_colour(load_rgb(load, ui.theme().dark)), kNames[load]});
    engine::log_widget(ui, "legend", swatch_lines(ui, swatches), "Bodies per box", grouped(most));
    key_value(ui, "Fullest box", grouped(most) + (most == 1 ? " body" : " bodies"));
}

/// A level chosen for another broad phase or scene may not exist here; then nothing would be drawn.
void keep_level_in_range(const StructureFigures& figures, std::uint32_t& level) {
    if (figures.levels > 0 && level != collision::ViewRequest::kEveryLevel && level >= figures.levels)
        level = collision::ViewRequest::kEveryLevel;
}

void level_rows(engine::Ui& ui, const PanelModel& model, PanelState& state,
                const collision::BroadPhaseDescriptor& phase) {
    const StructureFigures& figures = model.structure;
    std::uint32_t& level = state.view.broad_phase_level;
    std::vector<std::string> names{"All"};
    for (std::uint32_t i = 0; i < figures.levels; ++i) names.push_back(level_name(phase, i));
    std::vector<ComboItem> items;
    for (const std::string& name : names) items.push_back({name.c_str()});
    std::size_t index = level == collision::ViewRequest::kEveryLevel ? 0 : level + 1;
    if (engine::combo(ui, phase.levels, true, items, index))
        level = index == 0 ? collision::ViewRequest::kEveryLevel : static_cast<std::uint32_t>(index - 1);
    engine::check_box(ui, "Colour by load", state.broad.loads,
                      "The number of bodies whose boxes overlap each drawn box, instead of its level.");
    if (state.broad.loads)
        load_legend(ui, figures.most_loaded);
    else
        level_legend(ui, phase, figures.levels);
    key_value(ui, "Boxes drawn", grouped(figures.shown) + " of " + grouped(figures.total),
              "Of very many boxes, an even selection is drawn; of a tree, as many upper levels as fit.");
}

/// Result of the comparison with all pairs; empty before the first pass that compares.
std::string disagreements(const PanelModel& model, const collision::WorldSettings& settings) {
    if (!settings.assert_pairs || model.session->broad_phase_switch_pending()) return "";
    return grouped(model.report().pass.pair_disagreements) + " differ";
}

/// Rows about the boxes of bodies and the pair filter. True when `settings` changed.
bool bounds(engine::Ui& ui, const collision::PassStats& stats, collision::WorldSettings& settings) {
    const auto table = collision::bound_parameters();
    const bool changed = parameter_rows(ui, table, settings.bound_parameters, 0, table.size());
    key_value(ui, "Dropped by the filter", grouped(stats.filtered),
              "Pairs with overlapping boxes whose tighter bounds do not overlap. They are not tested.");
    return changed;
}

/// Rows about the structure and the comparison with all pairs. True when `settings` changed.
bool structure_rows(engine::Ui& ui, const PanelModel& model, PanelState& state,
                    collision::WorldSettings& settings) {
    const collision::BroadPhaseDescriptor& phase = *settings.broad_phase;
    if (*phase.levels) {
        engine::check_box(ui, "Show its structure", state.view.broad_phase,
                          "Draws the occupied cells, nodes or intervals in the scene.");
        if (state.view.broad_phase && model.past.shown)
            engine::paragraph(ui, "Not kept for the past.");
        else if (state.view.broad_phase && model.structure.waits && state.paused)
            engine::paragraph(ui, "Shown after the next step: O for one step, Space to resume.");
        else if (state.view.broad_phase && model.structure.levels > 0)
            level_rows(ui, model, state, phase);
        if (state.view.broad_phase && !model.past.shown) {
            const collision::PassStats& pass = model.report().pass;
            engine::check_box(
                ui, "Show the moved list", state.broad.moved,
                "The corners of the boxes of the bodies on the moved list, and the sorted ends of all "
                "bodies on three axes with the swaps of this frame.",
                grouped(pass.moved) + " moved");
        }
    } else {
        engine::paragraph(ui, "This broad phase has no structure to show.");
    }
    return engine::check_box(ui, "Compare with all pairs", settings.assert_pairs,
                             "Every pass also compares the boxes of all pairs and counts the pairs that "
                             "differ. Slow with many bodies.",
                             disagreements(model, settings));
}

}  // namespace

void broad_phase_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                      bool open) {
    collision::WorldSettings settings = model.session->settings();
    const collision::PassStats& stats = model.report().pass;
    const auto all = collision::broad_phases();
    const std::string summary =
        grouped(stats.candidates) + (stats.candidates == 1 ? " candidate pair" : " candidate pairs");
    keep_level_in_range(model.structure, state.view.broad_phase_level);
    if (engine::begin_card(ui, "Broad phase", summary, open)) {
        std::vector<ComboItem> items;
        std::size_t index = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            items.push_back({all[i]->title, "", all[i]->summary, all[i]->source, true});
            if (all[i] == settings.broad_phase) index = i;
        }
        if (engine::combo(ui, "Broad phase method", false, items, index)) {
            requests.commands.push_back({Command::Kind::broad_phase, all[index]->id});
            state.view.broad_phase_level = collision::ViewRequest::kEveryLevel;
        }
        const auto table = settings.broad_phase->parameters;
        bool changed = parameter_rows(ui, table, settings.broad_parameters, 0, table.size());
        if (engine::fold_row(ui, "Look inside", "The structure in the scene, and a check of the pairs."))
            changed |= structure_rows(ui, model, state, settings);
        if (engine::fold_row(ui, "World box and pair filter",
                             "Computation of the bodies' boxes, a filter before the pair test, and the pairs "
                             "that are tested.")) {
            changed |= bounds(ui, stats, settings);
            interest_rows(ui, model, state, requests);
        }
        if (changed) requests.settings = settings;
    }
    engine::end_card(ui);
}

}  // namespace claybox::app
