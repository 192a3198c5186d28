#include "app/panels/cards.hpp"
#include "engine/ui/plot.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace claybox::app {
namespace {

engine::Icon scene_icon(const char* id) {
    if (std::strcmp(id, "cage") == 0) return engine::Icon::cube;
    if (std::strcmp(id, "potter") == 0) return engine::Icon::pot;
    if (std::strcmp(id, "buttons") == 0) return engine::Icon::buttons;
    if (std::strcmp(id, "button_lab") == 0) return engine::Icon::button_lab;
    if (std::strcmp(id, "polygons") == 0) return engine::Icon::polygons;
    if (std::strcmp(id, "box_tree") == 0) return engine::Icon::tree;
    if (std::strcmp(id, "crowd") == 0) return engine::Icon::crowd;
    if (std::strcmp(id, "mobile") == 0) return engine::Icon::mobile;
    if (std::strcmp(id, "workbench") == 0) return engine::Icon::workbench;
    return engine::Icon::scene;
}

/// Hands out the places of the rail: scenes, switches, and at the lower end two more. Cells are lower where
/// the window is, icons without words then; where even these would not all fit, two stand side by side.
class RailPlaces {
  public:
    RailPlaces(engine::Ui& ui, const engine::Rect& box, std::size_t scenes, std::size_t switches)
        : ui_(ui), box_(box), top_(box.y0 + ui.px(4)) {
        columns_ = height_of(scenes + switches + 2) < ui.px(20) ? 2 : 1;
        const auto rows = [&](std::size_t cells) { return (cells + columns_ - 1) / columns_; };
        last_rows_ = rows(2);
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
    /// A line below what is there.
    void divide() {
        if (column_ > 0) end_row();
        const float y = top_ + ui_.px(2);
        ImGui::GetWindowDrawList()->AddLine({box_.x0 + ui_.px(12), y}, {box_.x1 - ui_.px(12), y},
                                            ui_.theme().line);
        top_ += ui_.px(6);
    }
    /// The rest stands at the lower end.
    void go_down() {
        if (column_ > 0) end_row();
        const auto rows = static_cast<float>(last_rows_);
        top_ = std::max(top_, box_.y1 - ui_.px(8) - rows * height_ - (rows - 1) * ui_.px(4));
    }

  private:
    float height_of(std::size_t rows) const {
        return (box_.height() - ui_.px(16)) / static_cast<float>(rows) - ui_.px(4);
    }
    void end_row() {
        column_ = 0;
        top_ += height_ + ui_.px(4);
    }
    engine::Ui& ui_;
    engine::Rect box_;
    float top_, height_ = 0;
    std::size_t columns_ = 1, column_ = 0, last_rows_ = 2;
};

void view_cells(engine::Ui& ui, const PanelModel& model, PanelState& state, RailPlaces& places) {
    const SceneDescriptor& scene = model.session->descriptor();
    using engine::Icon;
    if (scene.uses_hand &&
        engine::rail_cell(ui, places.next(), Icon::hand, "Hand", state.hand, engine::CellKind::toggle,
                          "Move the hand with the mouse. Left button: poke and press. "
                          "Right: grip. Wheel: nearer and further.",
                          ("Key " + first_key(model.devices, "take_hand")).c_str()))
        state.hand = !state.hand;
    if (engine::rail_cell(ui, places.next(), Icon::diamond, "Witness", state.view.witness,
                          engine::CellKind::toggle,
                          "Show what proves each collision: an edge, a face, a point.", ""))
        state.view.witness = !state.view.witness;
    if (engine::rail_cell(ui, places.next(), Icon::boxes, "Boxes", state.view.bounds,
                          engine::CellKind::toggle,
                          "Show the boxes around the bodies that the broad phase compares.", ""))
        state.view.bounds = !state.view.bounds;
    if (engine::rail_cell(ui, places.next(), Icon::label, "Labels", state.view.labels,
                          engine::CellKind::toggle, "Show labels and measures in the scene.", "")) {
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
        if (engine::rail_cell(ui, places.next(), scene_icon(scene->id), scene->title, active,
                              engine::CellKind::place, scene->summary, "") &&
            !active)
            requests.commands.push_back({Command::Kind::scene, scene->id});
    }
    places.divide();
    view_cells(ui, model, state, places);
    places.go_down();
    if (engine::rail_cell(ui, places.next(), state.dark ? engine::Icon::sun : engine::Icon::moon,
                          state.dark ? "Light" : "Dark", false, engine::CellKind::toggle,
                          state.dark ? "Bright paper and ink." : "Dark paper, the same colours.",
                          ("Key " + first_key(model.devices, "theme")).c_str()))
        state.dark = !state.dark;
    if (engine::rail_cell(ui, places.next(), engine::Icon::help, "Help", state.help, engine::CellKind::toggle,
                          "All keys and what the mouse does.",
                          ("Key " + first_key(model.devices, "help")).c_str()))
        state.help = !state.help;
    engine::end_panel();
}

namespace {

struct BarItem {
    const char* key;
    std::string text;
    engine::Mark mark = engine::Mark::none;
    engine::Colour colour = 0;
    const char* help = "";
    bool divided = true;  ///< a divider before it
    float width = 0;      ///< pixels; hold_widths() sets it
};

/// Lays texts, marks and dividers in a row.
struct BarWriter {
    engine::Ui& ui;
    engine::Rect box;
    float x;

    void put(const BarItem& item) {
        const auto& [key, text, mark, colour, help, divided, width] = item;
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const float lead = mark == engine::Mark::none ? 0 : ui.px(16);
        engine::draw_mark(list, {x + ui.px(5), box.centre().y}, ui.px(10), mark, colour);
        const engine::Rect cell{x, box.y0, x + width, box.y1};
        engine::draw_text(ui, list, {x + lead, box.y0, x + width + 1, box.y1}, engine::TextSize::body,
                          ui.theme().ink, text);
        engine::tooltip_at(ui, cell, help);
        engine::log_widget(ui, "value", cell, key, text);
        x += width + ui.px(12);
    }
    void divider() {
        const float half = ui.px(10), y = box.centre().y;
        ImGui::GetWindowDrawList()->AddLine({x, y - half}, {x, y + half}, ui.theme().line);
        x += ui.px(13);
    }
};

/// Gives every item its place, which outlasts the numbers in it.
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

/// "2 colliding" in the last pass, like every other number of the window, and hits of the last half second
/// beyond these, which the scene still shows.
std::string colliding_text(const PanelModel& model) {
    const std::uint64_t now = model.session->report().pass.colliding;
    const double since = static_cast<double>(model.session->frame()) / 60.0 - 0.5;
    std::uint64_t hits = 0;
    for (auto e = model.events->rbegin(); e != model.events->rend() && e->time > since; ++e)
        hits += e->kind == SceneEvent::Kind::collision_begin ? 1 : 0;
    std::string text = engine::grouped(now) + " colliding";
    if (hits > now) text += ", " + engine::grouped(hits - now) + " just met";
    return text;
}

std::vector<BarItem> left_items(engine::Ui& ui, const PanelModel& model) {
    const engine::Theme& theme = ui.theme();
    const FrameReport& report = model.session->report();
    const collision::PassStats& s = report.pass;
    const std::uint64_t apart = s.tests - std::min(s.tests, s.colliding + s.undecided);
    std::string separated = engine::grouped(apart) + " separated";
    if (s.undecided > 0) separated += ", " + engine::grouped(s.undecided) + " undecided";
    const auto simulated = engine::fixed(static_cast<double>(model.session->frame()) / 60.0, 2) + " s";
    const double seconds = model.history->average().total;
    const std::string frame = seconds > 0 ? milliseconds(seconds) : "–";  // of the first picture nothing yet
    std::string late;
    if (model.headset.missed > 0) late = ", " + engine::grouped(model.headset.missed) + " late";
    return {
        {"Time", simulated, engine::Mark::none, 0, "Simulated time: 60 steps a second.", false},
        {"Frame time", frame + late, engine::Mark::none, 0,
         "Mean over the last half second; in a headset also how many pictures came too late."},
        {"Colliding", colliding_text(model), engine::Mark::disc, theme.crimson,
         "Pairs that share a point, and hits of the last half second."},
        {"Candidates",
         engine::grouped(s.candidates) + (s.candidates == 1 ? " candidate" : " candidates") + ", " +
             engine::grouped(s.tests) + " tested",
         engine::Mark::triangle, theme.amber,
         "Pairs whose boxes overlap, in the last pass. Pairs that the scene does not ask for, as parts of "
         "one "
         "hand, and pairs that have not moved are not tested.",
         false},
        {"Separated", separated, engine::Mark::square, theme.teal,
         "Tested pairs that were found apart. Undecided ones are those of which a one-sided algorithm cannot "
         "be certain.",
         false},
    };
}

std::vector<BarItem> right_items(const PanelModel& model, const PanelState& state) {
    const collision::WorldSettings settings = model.session->settings();
    char hash[24];
    const std::uint64_t h = model.session->report().state_hash;
    std::snprintf(hash, sizeof hash, "Hash %04x %04x", static_cast<unsigned>(h >> 48),
                  static_cast<unsigned>(h >> 32 & 0xffff));
    const bool parallel = settings.parallel != collision::ParallelMode::serial && settings.workers != 1;
    const char* mode = state.paused          ? "Paused"
                       : settings.concurrent ? (parallel ? "Concurrent, parallel" : "Concurrent")
                       : parallel            ? "Parallel"
                                             : "Serial";
    const collision::Accuracy accuracy = model.session->report().pass.accuracy;
    const std::string reduced =
        accuracy == collision::Accuracy::full ? "" : ", reduced: " + accuracy_text(accuracy);
    return {
        {"Mode", mode + reduced, engine::Mark::none, 0,
         "How passes run, and what accuracy the governor has taken back. Switch it in the Performance card.",
         false},
        {"Seed", "Seed " + std::to_string(model.session->options().seed), engine::Mark::none, 0,
         "The same seed gives the same run."},
        {"Hash", hash, engine::Mark::none, 0, "A fingerprint of all passes: equal runs have equal hashes."},
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

void time_strip(engine::Ui& ui, const PanelModel& model, const engine::Rect& box) {
    constexpr int kSeconds = 10;
    std::vector<engine::StripMark> marks;
    const double now = static_cast<double>(model.session->frame()) / 60.0;
    float last = -1;
    for (const EventRow& e : *model.events) {
        const auto t = static_cast<float>(1 - (now - e.time) / kSeconds);
        if (t < 0 || t > 1 || t - last < 0.012f || e.kind == SceneEvent::Kind::collision_end) continue;
        marks.push_back({t, event_colour(ui.theme(), e.kind), event_word(e.kind), e.text});
        last = t;
    }
    engine::event_strip(ui, box, marks, kSeconds,
                        "What happened in the last 10 seconds; the right end is now. Point at a mark.");
}

}  // namespace

void bottom_bar(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                const engine::Rect& box) {
    engine::begin_panel(ui, "bar", box, true);
    const float y = box.y0 + ui.px(4);
    float x = box.x0 + ui.px(4);
    using engine::Icon;
    requests.restart |= engine::bar_button(
        ui, {x, y}, Icon::restart, "Restart", false,
        ("Builds the scene again with its seed. Key " + first_key(model.devices, "restart")).c_str());
    x += ui.px(36);
    requests.toggle_pause |= engine::bar_button(ui, {x, y}, state.paused ? Icon::play : Icon::pause,
                                                state.paused ? "Go on" : "Pause", true,
                                                ("Key " + first_key(model.devices, "pause")).c_str());
    x += ui.px(36);
    requests.step |=
        engine::bar_button(ui, {x, y}, Icon::step, "One step", false,
                           ("One frame while paused. Key " + first_key(model.devices, "step")).c_str());
    x += ui.px(48);
    BarWriter writer{ui, box, x};
    std::vector<BarItem> left = left_items(ui, model), right = right_items(model, state);
    hold_widths(ui, state, left);
    hold_widths(ui, state, right);
    const float room = box.x1 - x - ui.px(12);
    // What fits stays: first the strip shrinks, then the last words of both sides go.
    while (items_width(writer, left) + items_width(writer, right) > room && right.size() > 1)
        right.pop_back();
    while (items_width(writer, left) + items_width(writer, right) > room && left.size() > 2) left.pop_back();
    const float strip =
        std::min(ui.px(480), room - items_width(writer, left) - items_width(writer, right) - ui.px(24));
    if (strip >= ui.px(100)) {
        time_strip(ui, model, {x, box.centre().y - ui.px(12), x + strip, box.centre().y + ui.px(12)});
        writer.x = x + strip + ui.px(16);
    }
    put_items(writer, left);
    writer.x = box.x1 - items_width(writer, right);
    put_items(writer, right);
    engine::end_panel();
}

}  // namespace claybox::app
