#include "app/panels/cards/cards.hpp"
#include "engine/ui/widgets/plot.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace claybox::app {
namespace {

constexpr std::size_t kLastCells = 3;  // Find, theme, Help

/// Layout of the rail's cells: scenes, switches, and the last cells at the lower end. In a low window, cells
/// become lower and move together, then show icons only; in a very low one, they are in two columns.
class RailPlaces {
  public:
    RailPlaces(engine::Ui& ui, const engine::Rect& box, std::size_t scenes, std::size_t switches)
        : ui_(ui), box_(box), top_(box.y0 + ui.px(4)) {
        columns_ = height_of(scenes + switches + kLastCells) < ui.px(20) ? 2 : 1;
        const auto rows = [&](std::size_t cells) { return (cells + columns_ - 1) / columns_; };
        last_rows_ = rows(kLastCells);
        constexpr float kCrowded = 44;  // cells below this height need the room of the gaps
        if (height_of(rows(scenes) + rows(switches) + last_rows_) < ui.px(kCrowded)) gap_ = 1;
        height_ = std::clamp(height_of(rows(scenes) + rows(switches) + last_rows_), ui.px(16), ui.px(56));
    }
    engine::Rect next() {
        const float width =
            (ui_.px(64) - ui_.px(2) * static_cast<float>(columns_ - 1)) / static_cast<float>(columns_);
        const float x = box_.x0 + ui_.px(4) + static_cast<float>(column_) * (width + ui_.px(2));
        const engine::Rect r{x, top_, x + width, top_ + height_};
        if (++column_ == columns_) end_row();
        return r;
    }
    /// Where the names of cells without labels are shown: beside the rail.
    float names_at() const { return box_.x1 + ui_.px(8); }
    /// Draws a line below the cells so far.
    void divide() {
        if (column_ > 0) end_row();
        const float y = top_ + ui_.px(2);
        ImGui::GetWindowDrawList()->AddLine({box_.x0 + ui_.px(12), y}, {box_.x1 - ui_.px(12), y},
                                            ui_.theme().line);
        top_ += ui_.px(6);
    }
    /// Places the remaining cells at the lower end.
    void go_down() {
        if (column_ > 0) end_row();
        const auto rows = static_cast<float>(last_rows_);
        top_ = std::max(top_, box_.y1 - ui_.px(8) - rows * height_ - (rows - 1) * ui_.px(gap_));
    }

  private:
    float height_of(std::size_t rows) const {
        return (box_.height() - ui_.px(16)) / static_cast<float>(rows) - ui_.px(gap_);
    }
    void end_row() {
        column_ = 0;
        top_ += height_ + ui_.px(gap_);
    }
    engine::Ui& ui_;
    engine::Rect box_;
    float top_, height_ = 0;
    float gap_ = 4;  ///< between rows, in units
    std::size_t columns_ = 1, column_ = 0, last_rows_ = kLastCells;
};

void view_cells(engine::Ui& ui, const PanelModel& model, PanelState& state, RailPlaces& places) {
    const SceneDescriptor& scene = model.session->descriptor();
    const float names = places.names_at();
    using engine::Icon;
    if (scene.uses_hand &&
        engine::rail_cell(ui, places.next(), Icon::hand, "Hand", state.hand, engine::CellKind::toggle,
                          "Move the hand with the mouse. Left button: poke and press. "
                          "Right button: grip. Wheel: nearer and farther.",
                          ("Key " + first_key(model.devices, "take_hand")).c_str(), names))
        state.hand = !state.hand;
    if (engine::rail_cell(ui, places.next(), Icon::diamond, "Witness", state.view.witness,
                          engine::CellKind::toggle,
                          "Show the proof of each collision: an edge and a face, or a point.", "", names))
        state.view.witness = !state.view.witness;
    if (engine::rail_cell(ui, places.next(), Icon::boxes, "Boxes", state.view.bounds,
                          engine::CellKind::toggle, "Show the bounding boxes that the broad phase compares.",
                          "", names))
        state.view.bounds = !state.view.bounds;
    if (engine::rail_cell(ui, places.next(), Icon::label, "Labels", state.view.labels,
                          engine::CellKind::toggle, "Show labels and dimensions in the scene.", "", names)) {
        state.view.labels = !state.view.labels;
        state.view.dimensions = state.view.labels;
    }
}

}  // namespace

void rail(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
          const engine::Rect& box) {
    engine::begin_panel(ui, "rail", box, true);
    const char* current = model.session->descriptor().id;
    const std::size_t switches = model.session->descriptor().uses_hand ? 4 : 3;
    RailPlaces places(ui, box, scenes().size(), switches);
    for (const SceneDescriptor* scene : scenes()) {
        const bool active = std::strcmp(scene->id, current) == 0;
        if (engine::rail_cell(ui, places.next(),
                              engine::icon_by_name(scene->id).value_or(engine::Icon::scene), scene->title,
                              active, engine::CellKind::place, scene->summary, "", places.names_at()) &&
            !active)
            requests.commands.push_back({Command::Kind::scene, scene->id});
    }
    places.divide();
    view_cells(ui, model, state, places);
    places.go_down();
    if (engine::rail_cell(ui, places.next(), engine::Icon::search, "Find", state.finder.open,
                          engine::CellKind::toggle,
                          "Shows all scenes with pictures, lessons, and everything that the program can do.",
                          ("Key " + first_key(model.devices, "find")).c_str(), places.names_at()))
        state.finder.show();
    if (engine::rail_cell(ui, places.next(), state.dark ? engine::Icon::sun : engine::Icon::moon,
                          state.dark ? "Light" : "Dark", false, engine::CellKind::toggle,
                          state.dark ? "Switch to the light theme." : "Switch to the dark theme.",
                          ("Key " + first_key(model.devices, "theme")).c_str(), places.names_at()))
        state.dark = !state.dark;
    if (engine::rail_cell(ui, places.next(), engine::Icon::help, "Help", state.help, engine::CellKind::toggle,
                          "Shows all keys and mouse actions.",
                          ("Key " + first_key(model.devices, "help")).c_str(), places.names_at()))
        state.help = !state.help;
    engine::end_panel();
}

namespace {

struct BarItem {
    const char* key;
    std::string text;
    engine::Mark mark = engine::Mark::none;
    engine::Colour colour = 0;
    std::string help = {};
    bool divided = true;     ///< a divider before it
    std::string brief = {};  ///< in a bar narrower than `words_from`: a number whose mark says what it counts
    float words_from = 0;    ///< units
    float width = 0;         ///< pixels; hold_widths() sets it
};

/// Lays texts, marks and dividers in a row.
struct BarWriter {
    engine::Ui& ui;
    engine::Rect box;
    float x;

    void put(const BarItem& item) {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const float lead = item.mark == engine::Mark::none ? 0 : ui.px(16);
        engine::draw_mark(list, {x + ui.px(5), box.centre().y}, ui.px(10), item.mark, item.colour);
        const engine::Rect cell{x, box.y0, x + item.width, box.y1};
        engine::draw_text(ui, list, {x + lead, box.y0, x + item.width + 1, box.y1}, engine::TextSize::body,
                          ui.theme().ink, item.text);
        engine::tooltip_at(ui, cell, item.help);
        engine::log_widget(ui, "value", cell, item.key, item.text);
        x += item.width + ui.px(12);
    }
    void divider() {
        const float half = ui.px(10), y = box.centre().y;
        ImGui::GetWindowDrawList()->AddLine({x, y - half}, {x, y + half}, ui.theme().line);
        x += ui.px(13);
    }
};

/// The width of the bar decides, not that of the numbers: texts that change their form would jump.
void shorten(std::vector<BarItem>& items, float bar_units) {
    for (BarItem& item : items) {
        if (item.brief.empty() || bar_units >= item.words_from) continue;
        item.help = item.text + ". " + item.help;
        item.text = item.brief;
    }
}

/// Sets the width of every item. Widths stay while numbers change.
void hold_widths(engine::Ui& ui, PanelState& state, std::vector<BarItem>& items) {
    constexpr double kSeconds = 3;
    for (BarItem& item : items) {
        const float wanted = engine::text_width(ui, engine::TextSize::body, item.text) / ui.scale() +
                             (item.mark == engine::Mark::none ? 0 : 16);
        HeldWidth& held = state.bar[item.key];
        const bool over = ui.time() > held.until;
        if (wanted >= held.width || over) held = {wanted, ui.time() + kSeconds};
        item.width = ui.px(held.width);
    }
}

/// "2 colliding" in the last pass, and "1 recent": further hits of the last half second, which the scene
/// still shows.
std::string colliding_text(const PanelModel& model) {
    const std::uint64_t now = model.report().pass.colliding;
    const double since = static_cast<double>(model.frame()) * kStepSeconds - 0.5;
    std::uint64_t hits = 0;
    for (auto e = model.events->rbegin(); e != model.events->rend() && e->time > since; ++e)
        hits += e->kind == SceneEvent::Kind::collision_begin ? 1 : 0;
    std::string text = engine::grouped(now) + " colliding";
    if (hits > now) text += ", " + engine::grouped(hits - now) + " recent";
    return text;
}

/// Narrower bars have no room for the words of all counts, or for any.
constexpr float kAllWords = 1400, kFewWords = 1100;  // units

std::vector<BarItem> left_items(engine::Ui& ui, const PanelModel& model) {
    const engine::Theme& theme = ui.theme();
    const FrameReport& report = model.report();
    const collision::PassStats& s = report.pass;
    const std::uint64_t apart = s.tests - std::min(s.tests, s.colliding + s.undecided);
    std::string separated = engine::grouped(apart) + " separated";
    if (s.undecided > 0) separated += ", " + engine::grouped(s.undecided) + " undecided";
    const auto simulated = engine::fixed(static_cast<double>(model.frame()) * kStepSeconds, 2) + " s";
    const double seconds = model.history->average().total;
    const std::string frame =
        seconds > 0 ? milliseconds(seconds) : "–";  // no time before the first frame ends
    std::string late;
    if (model.headset.missed > 0) late = ", " + engine::grouped(model.headset.missed) + " late";
    return {
        {"Time", simulated, engine::Mark::none, 0, "Simulated time, 60 steps per second.", false},
        {"Frame time", frame + late, engine::Mark::none, 0,
         "Mean of the last half second. In a headset, also the number of late frames."},
        {"Colliding", colliding_text(model), engine::Mark::disc, theme.crimson,
         "Pairs that collide now. Recent: other hits of the last half second.", true,
         engine::grouped(s.colliding), kFewWords},
        {"Candidates",
         engine::grouped(s.candidates) + (s.candidates == 1 ? " candidate" : " candidates") + ", " +
             engine::grouped(s.tests) + " tested",
         engine::Mark::triangle, theme.amber,
         "Pairs with overlapping boxes in the last pass. Pairs that have not moved, and pairs that the scene "
         "does not request, for example two parts of one hand, are not tested.",
         false, engine::grouped(s.candidates), kAllWords},
        {"Separated", separated, engine::Mark::square, theme.teal,
         "Tested pairs that do not collide. Undecided: pairs for which a one-sided algorithm has no certain "
         "answer.",
         false, engine::grouped(apart), kAllWords},
    };
}

std::vector<BarItem> right_items(const PanelModel& model, const PanelState& state) {
    const collision::WorldSettings settings = model.session->settings();
    char hash[24];
    const std::uint64_t h = model.report().state_hash;
    std::snprintf(hash, sizeof hash, "Hash %04x %04x", static_cast<unsigned>(h >> 48),
                  static_cast<unsigned>(h >> 32 & 0xffff));
    const bool parallel = settings.parallel != collision::ParallelMode::serial && settings.workers != 1;
    const char* mode = model.past.shown      ? "Past"
                       : state.paused        ? "Paused"
                       : settings.concurrent ? (parallel ? "Concurrent, parallel" : "Concurrent")
                       : parallel            ? "Parallel"
                                             : "Serial";
    const collision::Accuracy accuracy = model.report().pass.accuracy;
    const std::string reduced =
        accuracy == collision::Accuracy::full ? "" : ", reduced: " + accuracy_text(accuracy);
    return {
        {"Mode", mode + reduced, engine::Mark::none, 0,
         "How passes run, and whether the pass budget has reduced accuracy. Change it in the Performance "
         "card.",
         false},
        {"Seed", "Seed " + std::to_string(model.session->options().seed), engine::Mark::none, 0,
         "The same seed gives the same run."},
        {"Hash", hash, engine::Mark::none, 0, "Fingerprint of the run: equal runs have equal hashes."},
    };
}

float items_width(const BarWriter& writer, const std::vector<BarItem>& items) {
    float width = 0;
    for (const BarItem& item : items) width += item.width + writer.ui.px(item.divided ? 25 : 12);
    return width;
}

void put_items(BarWriter& writer, const std::vector<BarItem>& items) {
    for (const BarItem& item : items) {
        if (item.divided) writer.divider();
        writer.put(item);
    }
}

constexpr float kLeastStrip = 160;  // units
constexpr int kStripSeconds = 10;
constexpr double kStripFrames = kStripSeconds / kStepSeconds;

std::vector<engine::StripMark> strip_marks(engine::Ui& ui, const PanelModel& model, double end) {
    std::vector<engine::StripMark> marks;
    float last = -1;
    for (const EventRow& e : model.strip_events ? *model.strip_events : *model.events) {
        const auto t = static_cast<float>(1 - (end - e.time / kStepSeconds) / kStripFrames);
        if (t < 0 || t > 1 || t - last < 0.012f || e.kind == SceneEvent::Kind::collision_end) continue;
        marks.push_back({t, event_colour(ui.theme(), e.kind), event_word(e.kind), e.text});
        last = t;
    }
    return marks;
}

/// The frame to which a drag leads. Beyond an end of the strip, the shown frame moves on by itself.
double dragged_frame(const PanelModel& model, double end, double t) {
    constexpr double kPerSecond = 4;  // lengths of the strip, at a pointer one length beyond its end
    const double beyond = t - std::clamp(t, 0.0, 1.0);
    if (beyond == 0 || (beyond > 0 && end >= static_cast<double>(model.past.newest)))
        return end - (1 - t) * kStripFrames;
    const auto dt = static_cast<double>(ImGui::GetIO().DeltaTime);
    return static_cast<double>(model.frame()) + beyond * kStripFrames * kPerSecond * dt;
}

void time_strip(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                const engine::Rect& box) {
    const PastModel& past = model.past;
    const auto newest = static_cast<double>(past.newest), shown = static_cast<double>(model.frame());
    // The strip stays where it is while the handle moves on it.
    double& end = state.strip_end;
    end = past.shown ? std::clamp(end, shown, std::min(newest, shown + kStripFrames)) : shown;
    const auto place = [&](double frame) { return static_cast<float>(1 - (end - frame) / kStripFrames); };
    const std::vector<engine::StripMark> marks = strip_marks(ui, model, end);
    const double kept = past.newest > past.oldest ? newest - static_cast<double>(past.oldest) : 0;
    const std::string help = "Events of 10 seconds. Drag to look back: the last " +
                             engine::fixed(kept * kStepSeconds, 1) +
                             " s are kept, longer with few bodies. Point at a mark for details.";
    engine::StripSpec spec;
    spec.marks = marks;
    spec.seconds = kStripSeconds;
    spec.kept_from = kept > 0 ? place(static_cast<double>(past.oldest)) : 1;
    spec.now = past.shown ? place(newest) : 1;
    if (past.shown) spec.handle = place(shown);
    spec.help = help.c_str();
    const std::optional<float> t = engine::event_strip(ui, box, spec);
    if (t && kept > 0 && past.to_repeat == 0)
        requests.look_at = static_cast<std::uint64_t>(std::max(
            dragged_frame(model, end, static_cast<double>(*t)) + 0.5, static_cast<double>(past.oldest)));
}

/// Returns the x after the buttons.
float bar_buttons(engine::Ui& ui, const PanelModel& model, const PanelState& state, PanelRequests& requests,
                  const engine::Rect& box) {
    using engine::Icon;
    const float y = box.y0 + ui.px(4);
    float x = box.x0 + ui.px(4);
    const auto button = [&](Icon icon, const char* label, bool active, const std::string& help) {
        const bool clicked = engine::bar_button(ui, {x, y}, icon, label, active, help.c_str());
        x += ui.px(36);
        return clicked;
    };
    const auto key = [&](const char* device) { return "Key " + first_key(model.devices, device); };
    requests.restart |=
        button(Icon::restart, "Restart", false, "Restarts the scene with the same seed. " + key("restart"));
    const char* const resume = model.past.shown ? "Continue here" : "Resume";
    requests.toggle_pause |=
        button(state.paused ? Icon::play : Icon::pause, state.paused ? resume : "Pause", true, key("pause"));
    requests.step_back |= button(Icon::step_back, "One step back", false,
                                 "Pauses and shows the frame before. " + key("step_back"));
    requests.step |= button(Icon::step, "One step", false, "Pauses and runs one step. " + key("step"));
    return x + ui.px(12);
}

/// In place of the figures of now: which frame the window shows.
void past_chip(engine::Ui& ui, const PanelModel& model, BarWriter& writer) {
    const std::string text = past_text(model.past);
    const float width = engine::text_width(ui, engine::TextSize::title, text) + ui.px(24);
    const engine::Rect box{writer.x, writer.box.centre().y - ui.px(13), writer.x + width,
                           writer.box.centre().y + ui.px(13)};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(box.min(), box.max(), ui.theme().accent, ui.px(4));
    engine::draw_text(ui, list, box, engine::TextSize::title, ui.theme().on_accent, text,
                      engine::Align::centre);
    engine::log_widget(ui, "value", box, "Past", text);
    writer.x = box.x1 + ui.px(16);
}

}  // namespace

void bottom_bar(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                const engine::Rect& box) {
    engine::begin_panel(ui, "bar", box, true);
    const float x = bar_buttons(ui, model, state, requests, box);
    BarWriter writer{ui, box, x};
    std::vector<BarItem> left = left_items(ui, model), right = right_items(model, state);
    shorten(left, box.width() / ui.scale());
    hold_widths(ui, state, left);
    hold_widths(ui, state, right);
    float room = box.x1 - x - ui.px(kLeastStrip + 36);
    const auto leave_out = [&](std::size_t least) {
        const auto needed = [&] { return items_width(writer, left) + items_width(writer, right); };
        while (needed() > room && right.size() > 1) right.pop_back();
        while (needed() > room && left.size() > least) left.pop_back();
    };
    // In a narrow window the strip shrinks first, then counts lose their words; in a very narrow one, the
    // last items of both sides are left out.
    leave_out(1);
    const float free = room - items_width(writer, left) - items_width(writer, right);
    if (!model.past.shown)  // no jump under a dragged handle
        state.strip_width = std::min(ui.px(480), free + ui.px(kLeastStrip));
    const float strip = state.strip_width;
    if (strip >= ui.px(100)) {
        time_strip(ui, model, state, requests,
                   {x, box.centre().y - ui.px(12), x + strip, box.centre().y + ui.px(12)});
        writer.x = x + strip + ui.px(16);
    }
    if (model.past.shown) {
        past_chip(ui, model, writer);
        room = box.x1 - writer.x - ui.px(12);
        leave_out(0);
    }
    put_items(writer, left);
    writer.x = box.x1 - items_width(writer, right);
    put_items(writer, right);
    engine::end_panel();
}

}  // namespace claybox::app
