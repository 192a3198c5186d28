#include "app/panels/cards.hpp"

#include "app/panels/parameters.hpp"
#include "app/scenes/choices.hpp"

#include <algorithm>
#include <cstring>

namespace claybox::app {

using engine::ComboItem;
using engine::fixed;
using engine::grouped;
using engine::key_value;

std::string capitalised(std::string_view name) {
    std::string out(name);
    if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
    return out;
}

namespace {

std::string figure_text(const Figure& figure) {
    std::string text = figure.decimals == 0 && figure.value >= 0
                           ? grouped(static_cast<unsigned long long>(figure.value + 0.5))
                           : fixed(figure.value, figure.decimals);
    if (*figure.unit) text += std::string(" ") + figure.unit;
    return text;
}

void scene_parameters(engine::Ui& ui, const Session& session, PanelState& state, PanelRequests& requests) {
    const SceneDescriptor& scene = session.descriptor();
    collision::ParameterValues values = session.options().scene_parameters;
    if (state.held_parameter) values[state.held_parameter->first] = state.held_parameter->second;
    const collision::ParameterValues before = values;
    parameter_rows(ui, scene.parameters, values, 0, scene.parameters.size());
    for (std::size_t i = 0; i < scene.parameters.size(); ++i)
        if (values[i] != before[i]) state.held_parameter = {i, values[i]};
    if (!state.held_parameter) return;
    // A rebuild at every pixel of a drag would stutter; other parameters follow at once.
    const bool rebuilds = (scene.rebuild_mask >> state.held_parameter->first & 1u) != 0;
    if (rebuilds && ui.input().down[0]) return;
    requests.parameter = state.held_parameter;
    state.held_parameter.reset();
}

void scene_actions(engine::Ui& ui, const Session& session, PanelRequests& requests) {
    const auto actions = session.descriptor().actions;
    for (std::size_t first = 0; first < actions.size(); first += 3) {
        const auto part = actions.subspan(first, std::min<std::size_t>(3, actions.size() - first));
        const int clicked = engine::button_row(ui, part);
        if (clicked >= 0)
            requests.actions.push_back(static_cast<std::uint32_t>(first + static_cast<std::size_t>(clicked)));
    }
    if (session.scene().export_mesh().topology) {
        static constexpr const char* kExports[] = {"Export OBJ", "Export STL"};
        static constexpr const char* kHelp[] = {
            "Saves the clay with its polygons, in metres.",
            "Saves the clay as triangles, in millimetres, for a printer."};
        const int clicked = engine::button_row(ui, kExports, kHelp);
        if (clicked == 0) requests.export_ending = ".obj";
        if (clicked == 1) requests.export_ending = ".stl";
    }
}

void run_rows(engine::Ui& ui, const Session& session, PanelState& state, PanelRequests& requests) {
    std::uint64_t seed = session.options().seed;
    if (engine::number_field(ui, "Seed", seed, "The same seed and parameters give the same run."))
        requests.seed = seed;
    static constexpr const char* kSpeeds[] = {"¼ ×", "½ ×", "1 ×", "2 ×"};
    static_assert(std::size(kSpeeds) == kTimeFactors.size());
    std::size_t speed = time_choice(state.speed);
    if (engine::segmented(ui, "Time", true, kSpeeds, speed, "How fast time runs in the scene."))
        state.speed = kTimeFactors[speed];
}

}  // namespace

void scene_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                bool open) {
    const Session& session = *model.session;
    const SceneDescriptor& scene = session.descriptor();
    const std::size_t bodies = model.session->world().body_count();
    const std::string summary =
        std::string(scene.title) + ", " + grouped(bodies) + (bodies == 1 ? " body" : " bodies");
    if (engine::begin_card(ui, "Scene", summary, open)) {
        scene_parameters(ui, session, state, requests);
        scene_actions(ui, session, requests);
        for (Figure figure : session.scene().figures()) {
            // The scene hears of a pass a frame later: all of the window speaks of the last one.
            if (std::strcmp(figure.id, "contacts") == 0)
                figure.value = static_cast<double>(session.report().pass.colliding);
            key_value(ui, figure.title, figure_text(figure));
        }
        if (engine::fold_row(ui, "Seed and speed of time", "Which run it is, and how fast it goes."))
            run_rows(ui, session, state, requests);
    }
    engine::end_card(ui);
}

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

const char* truth_text(const collision::PairAlgorithm& algorithm, collision::Exactness exactness) {
    if (exactness == collision::Exactness::fast) return "Fast: float only";
    if (algorithm.exact) return "Always right";
    switch (algorithm.bias) {
        case collision::Bias::separated:
            return "Certain of collisions";
        case collision::Bias::colliding:
            return "Certain of gaps";
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
                  "Pairs that this algorithm does not take or leaves undecided; another one answers them.");
    if (stats.not_applicable > 0)
        key_value(ui, "Pairs without an answer", grouped(stats.not_applicable),
                  "No algorithm takes these pairs.");
}

/// The pair that took the most iterations, with a button that saves it.
void hardest_pair(engine::Ui& ui, const collision::HardestPair& pair, PanelRequests& requests) {
    const std::string k = grouped(pair.iterations) + (pair.iterations == 1 ? " iteration" : " iterations");
    key_value(
        ui, "Hardest pair so far", pair.iterations > 0 ? k : "–",
        "The two convex bodies that took the most rounds of the main loop since the scene, the algorithm "
        "or a setting changed.");
    if (pair.iterations == 0) return;
    static constexpr const char* kSave[] = {"Save the hardest pair"};
    static constexpr const char* kHelp[] = {
        "Writes both bodies as they stood then into a file that \"claybox query\" reads."};
    if (engine::button_row(ui, kSave, kHelp) == 0) requests.save_hardest = true;
}

/// Two rows, and the rest behind a fold: what is changed rarely must not push the other cards out of view.
bool algorithm_parameters(engine::Ui& ui, const collision::PairAlgorithm& algorithm,
                          collision::ParameterValues& values) {
    constexpr std::size_t kShown = 2;
    const auto table = algorithm.parameters;
    const std::size_t shown = table.size() > kShown + 1 ? kShown : table.size();
    bool changed = parameter_rows(ui, table, values, 0, shown);
    if (shown < table.size() && engine::fold_row(ui, "More settings", "The algorithm's other parameters."))
        changed |= parameter_rows(ui, table, values, shown, table.size());
    return changed;
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
        if (algorithm_parameters(ui, algorithm, settings.pair_parameters)) requests.settings = settings;
        static constexpr const char* kExactness[] = {"Exact", "Fast"};
        std::size_t mode = settings.exactness == collision::Exactness::exact ? 0 : 1;
        if (engine::segmented(
                ui, "Exactness", false, kExactness, mode,
                "Exact: every verdict is proved, by exact arithmetic where rounding leaves a doubt.\n"
                "Fast: the answer of the float kernel as it is."))
            requests.commands.push_back({Command::Kind::exactness, mode == 0 ? "exact" : "fast"});
        if (engine::fold_row(ui, "What it answers and counts",
                             "For which bodies, how surely, and its steps.")) {
            key_value(ui, needs_text(algorithm), truth_text(algorithm, settings.exactness),
                      "Solids: a body inside another collides. Surfaces: only where the skins meet.");
            if (engine::check_box(ui, "Meshes are solid", settings.solid,
                                  "Surface tests too count a body inside a closed one as a collision."))
                requests.settings = settings;
            algorithm_counters(ui, algorithm, model.session->report().pass);
            hardest_pair(ui, model.session->world().hardest_pair(), requests);
        }
    }
    engine::end_card(ui);
}

namespace {

constexpr int kGrows =
    3;  // pictures until the rows of a new answer are there and the column knows its height

/// What the algorithm did about the selected pair, a step at a time.
void step_rows(engine::Ui& ui, const Inspection::Steps& steps, PanelState& state) {
    TraceWish& wish = state.trace;
    if (engine::check_box(
            ui, "Show its steps", wish.on,
            "Draws over the scene what the algorithm looked at in this frame, a step at a time. "
            "Pause to stay in one frame."))
        state.bring_inspect = kGrows;
    if (!wish.on) return;
    if (steps.count == 0) return engine::paragraph(ui, "It answered without a step that can be drawn.");
    key_value(ui, "Steps", steps.is_cut ? "More than " + grouped(steps.count) : grouped(steps.count));
    if (steps.count > 1) {
        engine::SliderSpec spec;
        spec.label = "Step drawn";
        spec.min = 1;
        spec.max = spec.default_value = static_cast<double>(steps.count);
        spec.integer = true;
        spec.help = "Which step is drawn. A double click goes to the last one.";
        auto value = static_cast<double>(steps.shown);
        if (engine::slider(ui, spec, value))
            wish.step = value >= spec.max ? 0 : static_cast<std::size_t>(value);
        engine::check_box(ui, "With what led to it", wish.before, "The steps before too, in thin lines.");
    }
    for (const Inspection::Row& row : steps.rows) key_value(ui, row.key, row.value);
}

}  // namespace

void inspect_card(engine::Ui& ui, const PanelModel& model, PanelState& state, bool open) {
    const Inspection& it = *model.inspection;
    const bool fresh = !it.title.empty() && it.title != state.inspected;
    if (engine::begin_card(ui, "Inspect", it.title.empty() ? "Nothing selected" : it.title, open)) {
        const engine::Theme& theme = ui.theme();
        if (it.title.empty())
            engine::paragraph(ui,
                              "Click a body to see its shape and the nearest other body. Shift+click chooses "
                              "the other body.");
        if (!it.text.empty()) engine::paragraph(ui, it.text);
        if (it.has_verdict) {
            const bool hit = it.verdict == collision::Verdict::colliding,
                       apart = it.verdict == collision::Verdict::separated;
            key_value(ui, "Verdict",
                      hit     ? "Colliding"
                      : apart ? "Separated"
                              : "Undecided",
                      "Asked of the chosen algorithm in this frame.",
                      hit     ? engine::Mark::disc
                      : apart ? engine::Mark::square
                              : engine::Mark::triangle,
                      hit     ? theme.crimson
                      : apart ? theme.teal
                              : theme.amber,
                      true);
        }
        for (const Inspection::Row& row : it.rows) key_value(ui, row.key, row.value);
        if (it.has_verdict) step_rows(ui, it.steps, state);
    }
    if (fresh) state.bring_inspect = kGrows;
    engine::end_card(ui, state.bring_inspect > 0);
    state.bring_inspect = std::max(0, state.bring_inspect - 1);
    // While the card opens it grows: it is brought into view until it stands.
    if (!fresh || engine::card_stands(ui, "Inspect")) state.inspected = it.title;
}

void events_card(engine::Ui& ui, const PanelModel& model, const PanelState& state, PanelRequests& requests,
                 bool open) {
    const auto& events = *model.events;
    constexpr std::size_t kShown = 8;
    std::size_t recent = 0;
    const double now = events.empty() ? 0 : events.back().time;
    for (const EventRow& e : events) recent += e.time > now - 1 ? 1 : 0;
    const std::string summary = events.empty() ? "None yet" : grouped(recent) + " in the last second";
    if (engine::begin_card(ui, "Events", summary, open)) {
        if (events.empty()) engine::paragraph(ui, "What touches, collides or is pressed is listed here.");
        bool sound = state.sound;
        if (model.session->descriptor().uses_hand &&
            engine::check_box(ui, "Sound of keys", sound,
                              "A click as a key goes down, a higher one as it comes up."))
            requests.commands.push_back({Command::Kind::program, sound ? "sound=on" : "sound=off"});
        const engine::Theme& theme = ui.theme();
        ImDrawList& list = *ImGui::GetWindowDrawList();
        for (std::size_t i = 0; i < std::min(kShown, events.size()); ++i) {
            const EventRow& e = events[events.size() - 1 - i];
            const engine::Rect row = engine::take_row(ui, 20, 4);
            const std::string time = fixed(e.time, 2) + " s";
            engine::draw_text(ui, list, {row.x0, row.y0, row.x0 + ui.px(56), row.y1}, engine::TextSize::body,
                              theme.secondary, time);
            engine::draw_mark(list, {row.x0 + ui.px(70), row.centre().y}, ui.px(10), event_mark(e.kind),
                              event_colour(theme, e.kind));
            const char* word = event_word(e.kind);
            const float left = row.x0 + ui.px(83),
                        used = engine::text_width(ui, engine::TextSize::body, word);
            engine::draw_text(ui, list, {left, row.y0, row.x1, row.y1}, engine::TextSize::body, theme.ink,
                              word);
            engine::draw_text(ui, list, {left + used + ui.px(10), row.y0, row.x1, row.y1},
                              engine::TextSize::secondary, theme.secondary, e.text, engine::Align::right);
            engine::log_widget(ui, "event", row, e.text, word);
        }
    }
    engine::end_card(ui);
}

engine::Mark event_mark(SceneEvent::Kind kind) {
    switch (kind) {
        case SceneEvent::Kind::collision_begin:
        case SceneEvent::Kind::fired:
            return engine::Mark::disc;
        case SceneEvent::Kind::collision_end:
        case SceneEvent::Kind::released:
            return engine::Mark::square;
        case SceneEvent::Kind::touched:
        case SceneEvent::Kind::left_early:
        case SceneEvent::Kind::lost:
            return engine::Mark::ring;
        case SceneEvent::Kind::taken:
        case SceneEvent::Kind::dropped:
        case SceneEvent::Kind::dented:
            return engine::Mark::diamond;
    }
    return engine::Mark::none;
}

engine::Colour event_colour(const engine::Theme& theme, SceneEvent::Kind kind) {
    switch (kind) {
        case SceneEvent::Kind::collision_begin:
            return theme.crimson;
        case SceneEvent::Kind::fired:
            return theme.accent;
        case SceneEvent::Kind::collision_end:
        case SceneEvent::Kind::released:
            return theme.teal;
        case SceneEvent::Kind::touched:
        case SceneEvent::Kind::left_early:
        case SceneEvent::Kind::lost:
            return theme.amber;
        case SceneEvent::Kind::taken:
        case SceneEvent::Kind::dented:
            return theme.accent;
        case SceneEvent::Kind::dropped:
            return theme.teal;
    }
    return theme.ink;
}

}  // namespace claybox::app
