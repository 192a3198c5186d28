#include "app/panels/cards/cards.hpp"
#include "app/panels/cards/parameters.hpp"

#include <algorithm>

namespace claybox::app {

using engine::ComboItem;
using engine::grouped;
using engine::key_value;

namespace {

const char* needs_text(const collision::PairAlgorithm& algorithm) {
    const bool solid = algorithm.meaning == collision::Meaning::solid;
    switch (algorithm.needs) {
        case collision::Needs::convex:
            return solid ? "Convex solids" : "Convex surfaces";
        case collision::Needs::closed:
            return solid ? "Closed solids" : "Closed surfaces";
        case collision::Needs::any_polygons:
            return solid ? "Any solids" : "Any surfaces";
    }
    return "";
}

const char* domain_text(const collision::ContinuousAlgorithm& algorithm) {
    switch (algorithm.needs) {
        case collision::Needs::convex:
            return "Convex";
        case collision::Needs::closed:
            return "Closed meshes";
        case collision::Needs::any_polygons:
            return "Any meshes";
    }
    return "";
}

const char* promise_text(collision::Promise promise) {
    switch (promise) {
        case collision::Promise::exact:
            return "Exact";
        case collision::Promise::tolerance:
            return "Within tolerance";
        case collision::Promise::approximate:
            return "Approximate";
    }
    return "";
}

const char* truth_text(const collision::PairAlgorithm& algorithm, collision::Exactness exactness) {
    if (exactness == collision::Exactness::fast) return "Fast: float only";
    if (algorithm.exact) return "Always correct";
    switch (algorithm.bias) {
        case collision::Bias::separated:
            return "Collisions are certain";
        case collision::Bias::colliding:
            return "Gaps are certain";
        case collision::Bias::none:
            return "Approximate";
    }
    return "";
}

void algorithm_counters(engine::Ui& ui, const collision::PairAlgorithm& algorithm,
                        const collision::PassStats& stats) {
    const std::size_t count = std::min(algorithm.counters.size(), collision::kMaxCounters);
    for (std::size_t i = 0; i < count; ++i)
        key_value(ui, capitalised(algorithm.counters[i]), grouped(stats.algorithm_counters[i]),
                  "Counted in the last pass.");
    if (stats.fell_back > 0)
        key_value(ui, "Pairs left to the fallback", grouped(stats.fell_back),
                  "Pairs that the algorithm does not support or leaves undecided. Another one answers them.");
    if (stats.not_applicable > 0)
        key_value(ui, "Pairs without an answer", grouped(stats.not_applicable),
                  "No algorithm supports these pairs.");
}

/// The pair with the most iterations, and a button that saves it.
void hardest_pair(engine::Ui& ui, const collision::HardestPair& pair, PanelRequests& requests) {
    const std::string k = grouped(pair.iterations) + (pair.iterations == 1 ? " iteration" : " iterations");
    key_value(
        ui, "Hardest pair so far", pair.iterations > 0 ? k : "–",
        "The pair of convex bodies with the most iterations since the scene, the algorithm or a setting "
        "changed.");
    if (pair.iterations == 0) return;
    static constexpr const char* kSave[] = {"Save the hardest pair"};
    static constexpr const char* kHelp[] = {
        "Saves both bodies with their poses at that moment, for \"claybox query\"."};
    if (engine::button_row(ui, kSave, kHelp) == 0) requests.save_hardest = true;
}

/// Shows two rows and puts the others into a fold, so that the other cards stay in view.
bool algorithm_parameters(engine::Ui& ui, std::span<const collision::Parameter> table,
                          collision::ParameterValues& values) {
    constexpr std::size_t kShown = 2;
    const std::size_t shown = table.size() > kShown + 1 ? kShown : table.size();
    bool changed = parameter_rows(ui, table, values, 0, shown);
    if (shown < table.size() && engine::fold_row(ui, "More settings", "Other parameters of the algorithm."))
        changed |= parameter_rows(ui, table, values, shown, table.size());
    return changed;
}

/// The continuous switch, the algorithm for continuous pairs and its settings.
void continuous_rows(engine::Ui& ui, const PanelModel& model, collision::WorldSettings& settings,
                     PanelRequests& requests) {
    const auto all = collision::continuous_algorithms();
    if (all.empty() || settings.continuous_algorithm == nullptr) return;
    bool on = settings.continuous;
    if (engine::check_box(ui, "Continuous", on,
                          "Tests fast bodies along their motion from frame to frame, so that none passes "
                          "through another. Off: tests all bodies at their poses only."))
        requests.commands.push_back({Command::Kind::continuous, on ? "on" : "off"});
    if (!settings.continuous) return;
    std::vector<ComboItem> items;
    std::size_t index = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        items.push_back({all[i]->title, domain_text(*all[i]), all[i]->summary, all[i]->source, true});
        if (all[i] == settings.continuous_algorithm) index = i;
    }
    if (engine::combo(ui, "Continuous algorithm", false, items, index))
        requests.commands.push_back({Command::Kind::continuous, all[index]->id});
    if (algorithm_parameters(ui, settings.continuous_algorithm->parameters, settings.continuous_parameters))
        requests.settings = settings;
    static constexpr const char* kPromise =
        "Exact: the verdict of exact arithmetic. Within tolerance: no hit is missed, and none reported where "
        "the bodies stay farther apart than a micrometre.";
    key_value(ui, "Convex, straight", promise_text(settings.continuous_algorithm->promise), kPromise);
    key_value(ui, "Meshes and turns", promise_text(settings.continuous_algorithm->promise_otherwise),
              kPromise);
    const collision::PassStats& pass = model.report().pass;
    key_value(ui, "Pairs along motions", grouped(pass.continuous_tests),
              "Pairs tested along their motions in the last pass.");
}

}  // namespace

void algorithm_card(engine::Ui& ui, const PanelModel& model, PanelRequests& requests, bool open) {
    collision::WorldSettings settings = model.session->settings();
    const auto all = collision::pair_algorithms();
    const bool shown = engine::card_is_open(ui, "Algorithm", open);
    const std::string summary = shown ? "Pair test" : settings.pair_algorithm->title;
    if (engine::begin_card(ui, "Algorithm", summary, open)) {
        std::vector<ComboItem> items;
        std::size_t index = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            items.push_back({all[i]->title, needs_text(*all[i]), all[i]->summary, all[i]->source, true});
            if (all[i] == settings.pair_algorithm) index = i;
        }
        if (engine::combo(ui, "Pair algorithm", false, items, index))
            requests.commands.push_back({Command::Kind::pair_algorithm, all[index]->id});
        const collision::PairAlgorithm& algorithm = *settings.pair_algorithm;
        if (algorithm_parameters(ui, algorithm.parameters, settings.pair_parameters))
            requests.settings = settings;
        static constexpr const char* kExactness[] = {"Exact", "Fast"};
        std::size_t mode = settings.exactness == collision::Exactness::exact ? 0 : 1;
        if (engine::segmented(
                ui, "Exactness", false, kExactness, mode,
                "Exact: every verdict is proved, with exact arithmetic where rounding could change it.\n"
                "Fast: the answer of the float kernel, without proof."))
            requests.commands.push_back({Command::Kind::exactness, mode == 0 ? "exact" : "fast"});
        const bool shows_continuous =
            model.session->descriptor().continuous ||
            engine::fold_row(ui, "Continuous collision", "Tests of fast bodies along their motion.");
        if (shows_continuous) continuous_rows(ui, model, settings, requests);
        if (engine::fold_row(
                ui, "Answers and counters",
                "Supported bodies, reliability of the answers, and counters of the last pass.")) {
            key_value(
                ui, needs_text(algorithm), truth_text(algorithm, settings.exactness),
                "Solids: a body inside another one collides. Surfaces: only surfaces that touch collide.");
            if (engine::check_box(
                    ui, "Meshes are solid", settings.solid,
                    "A body inside a closed mesh collides, also with algorithms that test surfaces."))
                requests.settings = settings;
            algorithm_counters(ui, algorithm, model.report().pass);
            hardest_pair(ui, model.session->world().hardest_pair(), requests);
        }
    }
    engine::end_card(ui);
}

}  // namespace claybox::app
