#include "app/panels/cards/cards.hpp"
#include "app/panels/cards/parameters.hpp"
#include "app/scenes/shared/choices.hpp"

#include <algorithm>
#include <array>

namespace claybox::app {

using engine::fixed;
using engine::grouped;
using engine::key_value;

namespace {

std::string figure_text(const Figure& figure) {
    std::string text = figure.decimals == 0 && figure.value >= 0
                           ? grouped(static_cast<unsigned long long>(figure.value + 0.5))
                           : fixed(figure.value, figure.decimals);
    if (*figure.unit) text += std::string(" ") + figure.unit;
    return text;
}

/// The keys of the scene, by parameter.
ParameterKeys parameter_keys(const SceneDescriptor& scene, const engine::LogicalDevices* devices) {
    ParameterKeys out;
    for (const SceneKey& key : scene_keys(scene)) {
        const std::size_t index = collision::find_parameter(scene.parameters, key.target);
        if (index == scene.parameters.size()) continue;
        ParameterKeys::Key& added = out.keys.emplace_back();
        added.parameter = index;
        added.name = key.kind == SceneKey::Kind::wheel ? "Shift+wheel" : first_key(devices, key.device);
        const auto& choices = scene.parameters[index].choices;
        const auto choice = std::find(choices.begin(), choices.end(), std::string_view(key.value));
        if (key.kind == SceneKey::Kind::set && choice != choices.end())
            added.choice = static_cast<int>(choice - choices.begin());
    }
    return out;
}

/// Undo and redo are keys of the program; other actions may have a key of the scene.
std::string action_key(const SceneDescriptor& scene, std::string_view title, const PanelModel& model) {
    if (title == "Undo" || title == "Redo")
        return first_key(model.devices, title == "Undo" ? "undo" : "redo");
    for (const SceneKey& key : scene_keys(scene))
        if (key.kind == SceneKey::Kind::action && title == key.target)
            return first_key(model.devices, key.device);
    return {};
}

std::string action_help(const SceneDescriptor& scene, std::size_t action, const PanelModel& model) {
    std::string out = action < scene.action_help.size() ? scene.action_help[action] : "";
    const std::string key = action_key(scene, scene.actions[action], model);
    if (!key.empty()) out += (out.empty() ? "Key " : " Key: ") + key + (out.empty() ? "" : ".");
    return out;
}

void scene_actions(engine::Ui& ui, const PanelModel& model, PanelRequests& requests) {
    const Session& session = *model.session;
    const auto actions = session.descriptor().actions;
    for (std::size_t first = 0; first < actions.size(); first += 3) {
        const auto part = actions.subspan(first, std::min<std::size_t>(3, actions.size() - first));
        std::array<std::string, 3> texts;
        std::array<const char*, 3> help{};
        for (std::size_t i = 0; i < part.size(); ++i) {
            texts[i] = action_help(session.descriptor(), first + i, model);
            help[i] = texts[i].c_str();
        }
        const int clicked = engine::button_row(ui, part, std::span(help).first(part.size()));
        if (clicked >= 0)
            requests.actions.push_back(static_cast<std::uint32_t>(first + static_cast<std::size_t>(clicked)));
    }
    if (session.scene().export_mesh().topology) {
        static constexpr const char* kFormats[] = {"OBJ", "PLY", "STL", "GLB"};
        static constexpr const char* kEndings[] = {".obj", ".ply", ".stl", ".glb"};
        static constexpr const char* kHelp[] = {
            "Saves the clay with its polygons, in metres, as text.",
            "Saves the clay with its polygons, in metres. Dropped on the window, it can be shaped on.",
            "Saves the clay as triangles, in millimetres, for 3D printing.",
            "Saves the clay as triangles with normals, in metres, for web pages and game engines (glTF)."};
        const int clicked = engine::labelled_button_row(ui, "Export", kFormats, kHelp);
        if (clicked >= 0) requests.export_ending = kEndings[clicked];
        static constexpr const char* kTurn[] = {"Save a turntable GIF"};
        static constexpr const char* kTurnHelp[] = {"Saves one turn of the clay as an animated GIF."};
        if (engine::button_row(ui, kTurn, kTurnHelp) == 0) requests.turntable = true;
    }
}

/// The actions are above the folds, so that they stay where they are when a fold opens.
void scene_parameters(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests) {
    const Session& session = *model.session;
    const SceneDescriptor& scene = session.descriptor();
    collision::ParameterValues values = model.scene_parameters();
    if (state.held_parameter) values[state.held_parameter->first] = state.held_parameter->second;
    const collision::ParameterValues before = values;
    const std::size_t count = scene.parameters.size();
    const auto keys = parameter_keys(scene, model.devices);
    const auto rows = [&](std::size_t first, std::size_t end) {
        if (const auto& palette = scene.palette;
            palette && first <= palette->parameter && palette->parameter < end) {
            const std::size_t index = palette->parameter;
            parameter_rows(ui, scene.parameters, values, first, index, keys, scene.id);
            palette_row(ui, scene.parameters[index], index, std::string(scene.id) + "_", palette->help, keys,
                        values[index]);
            first = index + 1;
        }
        parameter_rows(ui, scene.parameters, values, first, end, keys, scene.id);
    };
    rows(0, scene.sections.empty() ? count : scene.sections[0].first);
    edit_rows(ui, model, requests);
    scene_actions(ui, model, requests);
    for (std::size_t i = 0; i < scene.sections.size(); ++i) {
        const ParameterSection& section = scene.sections[i];
        const std::size_t end = i + 1 < scene.sections.size() ? scene.sections[i + 1].first : count;
        if (engine::fold_row(ui, section.title, section.help)) rows(section.first, end);
    }
    for (std::size_t i = 0; i < scene.parameters.size(); ++i)
        if (values[i] != before[i]) state.held_parameter = {i, values[i]};
    if (!state.held_parameter) return;
    // Parameters that rebuild the scene wait until the slider is released; a rebuild per pixel would stutter.
    const bool rebuilds = (scene.rebuild_mask >> state.held_parameter->first & 1u) != 0;
    if (rebuilds && ui.input().down[0]) return;
    requests.parameter = state.held_parameter;
    state.held_parameter.reset();
}

void show_figures(engine::Ui& ui, std::span<const Figure> figures) {
    const auto rows = [&](bool minor) {
        for (const Figure& figure : figures)
            if (figure.is_minor == minor) key_value(ui, figure.title, figure_text(figure));
    };
    rows(false);
    const bool has_minor =
        std::any_of(figures.begin(), figures.end(), [](const Figure& f) { return f.is_minor; });
    if (has_minor && engine::fold_row(ui, "More figures", "Counts of polygons, strokes and touches."))
        rows(true);
}

void run_rows(engine::Ui& ui, const Session& session, PanelState& state, PanelRequests& requests) {
    std::uint64_t seed = session.options().seed;
    if (engine::number_field(ui, "Seed", seed, "The same seed and parameters give the same run."))
        requests.seed = seed;
    static constexpr const char* kSpeeds[] = {"¼ ×", "½ ×", "1 ×", "2 ×"};
    static_assert(std::size(kSpeeds) == kTimeFactors.size());
    std::size_t speed = time_choice(state.speed);
    if (engine::segmented(ui, "Time", true, kSpeeds, speed, "Speed of time in the scene."))
        state.speed = kTimeFactors[speed];
    static constexpr const char* kLengths[] = {"3 s", "5 s", "10 s", "30 s"};
    static constexpr double kSeconds[] = {3, 5, 10, 30};
    auto length = static_cast<std::size_t>(
        std::find(std::begin(kSeconds), std::end(kSeconds), state.film_seconds) - std::begin(kSeconds));
    if (engine::segmented(ui, "Film of the last", true, kLengths, length,
                          "How much of what the window has shown becomes a film."))
        state.film_seconds = kSeconds[length];
    static constexpr const char* kFilms[] = {"GIF", "MP4", "PNG"};
    static constexpr const char* kFilmEndings[] = {".gif", ".mp4", "/"};
    static constexpr const char* kFilmHelp[] = {
        "Saves an animated GIF, 20 pictures per second. Every kept frame is drawn again, so none is missing.",
        "Saves a video, 30 pictures per second. It needs the program ffmpeg.",
        "Saves every frame as a picture in a new folder, 60 per second."};
    if (const int film = engine::labelled_button_row(ui, "Save film", kFilms, kFilmHelp); film >= 0)
        requests.film_ending = kFilmEndings[film];
    static constexpr const char* kShare[] = {"Save scene", "Copy command"};
    static constexpr const char* kShareHelp[] = {
        "Saves scene, seed, algorithms and parameters as a small text file. Drop it on the window to open "
        "it.",
        "Copies a command that starts this scene with this seed, these algorithms and parameters."};
    const int clicked = engine::button_row(ui, kShare, kShareHelp);
    requests.save_scene = clicked == 0;
    requests.copy_scene = clicked == 1;
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
        scene_parameters(ui, model, state, requests);
        show_figures(ui, model.figures());
        press_rows(ui, model);
        if (engine::fold_row(
                ui, "Seed, time, film and sharing",
                "The random seed of the run, the speed of time, a film of the last seconds, and a file or "
                "command for others."))
            run_rows(ui, session, state, requests);
    }
    engine::end_card(ui);
}

}  // namespace claybox::app
