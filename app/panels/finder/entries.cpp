#include "app/panels/finder/entries.hpp"

#include "app/panels/cards/parallel_switches.hpp"
#include "app/panels/finder/match.hpp"
#include "app/panels/program.hpp"
#include "engine/assets/mesh_file.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

using Kind = FinderEntry::Kind;

using engine::Icon;

struct GroupIcon {
    const char* group;
    Icon icon;
};
/// Groups of commands; those of scenes have the icon of the scene.
constexpr GroupIcon kGroupIcons[] = {
    {"Program", Icon::keyboard},       {"Pair algorithm", Icon::pair},
    {"Broad phase", Icon::boxes},      {"Continuous algorithm", Icon::motion},
    {"Exactness", Icon::exact},        {"Passes", Icon::parallel},
    {"Parallel mode", Icon::parallel}, {"Files", Icon::file},
    {"Lesson", Icon::lesson}};

Icon icon_of_group(std::string_view group) {
    for (const GroupIcon& known : kGroupIcons)
        if (group == known.group) return known.icon;
    return Icon::sliders;
}

struct ActionIcon {
    KeyAction action;
    Icon icon;
};
constexpr ActionIcon kActionIcons[] = {{KeyAction::help, Icon::help},
                                       {KeyAction::pause, Icon::pause},
                                       {KeyAction::step, Icon::step},
                                       {KeyAction::step_back, Icon::step_back},
                                       {KeyAction::return_to_now, Icon::play},
                                       {KeyAction::restart, Icon::restart},
                                       {KeyAction::hand, Icon::hand},
                                       {KeyAction::fly, Icon::motion},
                                       {KeyAction::frame_scene, Icon::scene},
                                       {KeyAction::headset, Icon::headset},
                                       {KeyAction::recentre, Icon::headset},
                                       {KeyAction::theme, Icon::moon},
                                       {KeyAction::scale_up, Icon::add},
                                       {KeyAction::scale_down, Icon::remove},
                                       {KeyAction::screenshot, Icon::camera},
                                       {KeyAction::quit, Icon::close},
                                       {KeyAction::undo, Icon::undo},
                                       {KeyAction::redo, Icon::redo},
                                       {KeyAction::ask_all, Icon::pair},
                                       {KeyAction::save_pair, Icon::file},
                                       {KeyAction::export_times, Icon::file},
                                       {KeyAction::add_body, Icon::add},
                                       {KeyAction::duplicate_body, Icon::duplicate},
                                       {KeyAction::delete_body, Icon::remove},
                                       {KeyAction::probe, Icon::probe},
                                       {KeyAction::next_body, Icon::pair},
                                       {KeyAction::body_before, Icon::pair},
                                       {KeyAction::next_partner, Icon::pair},
                                       {KeyAction::partner_before, Icon::pair}};

Icon icon_of_action(KeyAction action) {
    for (const ActionIcon& known : kActionIcons)
        if (action == known.action) return known.icon;
    return Icon::keyboard;
}

Icon icon_of_scene(const SceneDescriptor& scene) {
    return engine::icon_by_name(scene.id).value_or(Icon::scene);
}

/// Adds entries in groups.
class Entries {
  public:
    Entries(const PanelModel& model, const PanelState& state) : model_(model), state_(state) {}

    void add_scenes();
    void add_lessons();
    void add_keys();
    void add_scene_actions();
    void add_algorithms();
    void add_parallel();
    void add_choices(const char* group, std::span<const collision::Parameter> table,
                     const collision::ParameterValues& values, Command::Kind kind);
    void add_files();
    void add_program();
    void add_scene_choices();
    std::vector<FinderEntry> take() { return std::move(out_); }

  private:
    FinderEntry& add(const char* group, std::string title, std::string_view help) {
        FinderEntry& entry = out_.emplace_back();
        entry.title = std::move(title);
        entry.group = group;
        entry.help = help;
        entry.icon = icon_of_group(group);
        return entry;
    }
    void add_command(const char* group, std::string title, std::string_view help, Command::Kind kind,
                     std::string text, bool current) {
        FinderEntry& entry = add(group, std::move(title), help);
        entry.act = Command{kind, std::move(text)};
        entry.current = current;
    }
    template <class Algorithms, class Current>
    void add_registry(const char* group, const Algorithms& all, const Current* current, Command::Kind kind) {
        for (const auto* a : all) add_command(group, a->title, a->summary, kind, a->id, a == current);
    }

    const PanelModel& model_;
    const PanelState& state_;
    std::vector<FinderEntry> out_;
};

void Entries::add_scenes() {
    for (const SceneDescriptor* scene : scenes()) {
        FinderEntry& entry = add("Scene", scene->title, scene->summary);
        entry.kind = Kind::scene;
        entry.act = Command{Command::Kind::scene, scene->id};
        entry.picture = "thumbnails/" + std::string(scene->id) + ".png";
        entry.current = scene == &model_.session->descriptor();
    }
}

void Entries::add_lessons() {
    for (std::size_t i = 0; i < model_.lessons.size(); ++i) {
        const Lesson& lesson = model_.lessons[i];
        FinderEntry& entry = add("Lesson", std::to_string(i + 1) + ". " + lesson.title, lesson.say.front());
        entry.kind = Kind::lesson;
        entry.act = LessonNumber{i};
        entry.current = state_.lesson == i;
    }
}

/// What keys do, without the finder's own and the one that closes it.
void Entries::add_keys() {
    const auto devices = app_devices();
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const KeyAction action = action_of(i);
        if (action == KeyAction::none || action == KeyAction::find || action == KeyAction::cancel) continue;
        FinderEntry& entry = add("Program", devices[i].title, "");
        entry.keys = first_key(model_.devices, devices[i].name);
        if (entry.keys == "–") entry.keys.clear();
        entry.act = action;
        entry.icon = icon_of_action(action);
    }
}

void Entries::add_scene_actions() {
    const SceneDescriptor& scene = model_.session->descriptor();
    for (std::size_t i = 0; i < scene.actions.size(); ++i) {
        const char* help = i < scene.action_help.size() ? scene.action_help[i] : "";
        FinderEntry& entry = add(scene.title, scene.actions[i], help);
        entry.act = SceneAction{static_cast<std::uint32_t>(i)};
        entry.icon = entry.title == "Undo"   ? Icon::undo
                     : entry.title == "Redo" ? Icon::redo
                                             : icon_of_scene(scene);
    }
}

void Entries::add_algorithms() {
    const collision::WorldSettings s = model_.session->settings();
    add_registry("Pair algorithm", collision::pair_algorithms(), s.pair_algorithm,
                 Command::Kind::pair_algorithm);
    add_registry("Broad phase", collision::broad_phases(), s.broad_phase, Command::Kind::broad_phase);
    add_registry("Continuous algorithm", collision::continuous_algorithms(), s.continuous_algorithm,
                 Command::Kind::continuous);
    add_command("Continuous algorithm", s.continuous ? "Off" : "On",
                "Tests the motion between two frames of bodies that have the continuous switch.",
                Command::Kind::continuous, s.continuous ? "off" : "on", false);
    const bool fast = s.exactness == collision::Exactness::fast;
    add_command("Exactness", "Exact", "Every verdict agrees with exact arithmetic.", Command::Kind::exactness,
                "exact", !fast);
    add_command("Exactness", "Fast", "Single precision alone decides; verdicts near contact may be wrong.",
                Command::Kind::exactness, "fast", fast);
}

void Entries::add_parallel() {
    const collision::WorldSettings s = model_.session->settings();
    add_command("Passes", s.concurrent ? "Run within the frame" : "Run beside the frame (concurrent)",
                "Concurrent: the collision module runs on a thread of its own.", Command::Kind::concurrent,
                "toggle", false);
    const bool serial = s.parallel == collision::ParallelMode::serial;
    add_command("Parallel mode", "Serial", "One worker tests all pairs.", Command::Kind::parallel, "serial",
                serial);
    for (const ParallelSwitch& mode : kParallelSwitches)
        add_command("Parallel mode", mode.label, mode.help, Command::Kind::parallel,
                    "toggle " + to_string(mode.mode), has(s.parallel, mode.mode));
}

/// A switch has one entry, a choice one per name. Numbers have sliders.
void Entries::add_choices(const char* group, std::span<const collision::Parameter> table,
                          const collision::ParameterValues& values, Command::Kind kind) {
    for (std::size_t i = 0; i < table.size(); ++i) {
        const collision::Parameter& p = table[i];
        if (p.kind == collision::ParameterKind::toggle) {
            const bool on = values.on(i);
            add_command(group, std::string(p.title) + (on ? ": off" : ": on"), p.help, kind,
                        std::string(p.id) + (on ? "=off" : "=on"), false);
        }
        if (p.kind != collision::ParameterKind::choice) continue;
        for (std::size_t c = 0; c < p.choices.size(); ++c)
            add_command(group, std::string(p.title) + ": " + p.choices[c], p.help, kind,
                        std::string(p.id) + '=' + p.choices[c], values.integer(i) == static_cast<int>(c));
    }
}

void Entries::add_files() {
    const auto add_request = [this](const char* title, const char* help, bool PanelRequests::*wanted) {
        add("Files", title, help).act = wanted;
    };
    add_request("Save scene", "Saves scene, seed, algorithms and parameters as a text file.",
                &PanelRequests::save_scene);
    add_request("Copy command", "Copies a command that starts this scene again.", &PanelRequests::copy_scene);
    add_request("Export frame times as CSV", "Saves the last frames for a spreadsheet.",
                &PanelRequests::export_csv);
    add_request("Export frame times as JSON", "Saves the last frames in the format of Google Benchmark.",
                &PanelRequests::export_json);
    const char* const film = "Draws the last seconds again as a film.";
    add("Files", "Save a film of the last seconds as GIF", film).act = FilmEnding{".gif"};
    add("Files", "Save a film of the last seconds as MP4", film).act = FilmEnding{".mp4"};
    add("Files", "Save the last seconds as PNG pictures", film).act = FilmEnding{"/"};
    if (model_.session->scene().export_mesh().topology == nullptr) return;
    for (const char* ending : engine::kWrittenMeshes)
        add("Files", std::string("Export the clay as ") + (ending + 1), "").act = ExportEnding{ending};
    add_request("Save a turntable GIF", "Saves one turn of the clay as an animated GIF.",
                &PanelRequests::turntable);
}

void Entries::add_program() {
    add_choices("Window", program_parameters(), program_values(state_), Command::Kind::program);
    add_choices("Module", module_parameters(), module_values(model_.session->settings()),
                Command::Kind::module_parameter);
}

/// Choices with a picture have it as their icon, the others that of the scene.
void Entries::add_scene_choices() {
    const Session& session = *model_.session;
    const SceneDescriptor& scene = session.descriptor();
    const std::size_t first = out_.size();
    add_choices(scene.title, scene.parameters, session.options().scene_parameters,
                Command::Kind::set_parameter);
    for (std::size_t i = first; i < out_.size(); ++i) {
        FinderEntry& entry = out_[i];
        entry.icon = icon_of_scene(scene);
        const std::string& text = std::get<Command>(entry.act).text;  // "tool=ball"
        const std::size_t sign = text.find('=');
        const std::string parameter = text.substr(0, sign), choice = text.substr(sign + 1);
        std::string own_icon = std::string(scene.id).append("_");
        const bool in_palette = scene.palette && scene.parameters[scene.palette->parameter].id == parameter;
        if (!in_palette) own_icon.append(parameter).append("_");
        if (const auto own = engine::icon_by_name(own_icon.append(choice))) entry.icon = *own;
    }
}

/// How well the text finds the entry; -1: not at all. A word of the help counts least.
int score_of(const FinderEntry& entry, std::string_view text) {
    const int in_title = match_score(text, entry.title + " " + entry.group);
    if (in_title >= 0) return 1 + in_title;
    return contains_words(text, entry.title + " " + entry.group + " " + entry.help) ? 0 : -1;
}

}  // namespace

std::vector<FinderEntry> finder_entries(const PanelModel& model, const PanelState& state) {
    Entries out(model, state);
    out.add_scenes();
    out.add_lessons();
    out.add_keys();
    out.add_scene_actions();
    out.add_scene_choices();
    out.add_algorithms();
    out.add_parallel();
    out.add_program();
    out.add_files();
    return out.take();
}

std::vector<std::size_t> find_entries(std::span<const FinderEntry> entries, std::string_view text,
                                      std::size_t& best) {
    struct Found {
        std::size_t number;
        int score;
    };
    std::vector<Found> found;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (const int score = score_of(entries[i], text); score >= 0) found.push_back({i, score});
    std::stable_sort(found.begin(), found.end(), [&](const Found& a, const Found& b) {
        const Kind ka = entries[a.number].kind, kb = entries[b.number].kind;
        return ka != kb ? ka < kb : a.score > b.score;
    });
    const auto top = std::max_element(found.begin(), found.end(),
                                      [](const Found& a, const Found& b) { return a.score < b.score; });
    best = static_cast<std::size_t>(top - found.begin());
    std::vector<std::size_t> out;
    out.reserve(found.size());
    for (const Found& f : found) out.push_back(f.number);
    return out;
}

void request(const FinderEntry& entry, PanelRequests& requests) {
    struct Visitor {
        PanelRequests& r;
        void operator()(const Command& command) const { r.commands.push_back(command); }
        void operator()(KeyAction action) const { r.keys.push_back(action); }
        void operator()(SceneAction action) const { r.actions.push_back(action.number); }
        void operator()(LessonNumber lesson) const { r.lesson = lesson.number; }
        void operator()(FilmEnding film) const { r.film_ending = film.ending; }
        void operator()(ExportEnding format) const { r.export_ending = format.ending; }
        void operator()(bool PanelRequests::*wanted) const { r.*wanted = true; }
    };
    std::visit(Visitor{requests}, entry.act);
}

}  // namespace claybox::app
