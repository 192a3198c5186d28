#include "app/panels/finder/finder_panel.hpp"

#include "app/panels/finder/entries.hpp"
#include "engine/ui/drawing/pictures.hpp"
#include "engine/ui/widgets/widgets.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

using engine::Rect;
using Kind = FinderEntry::Kind;

constexpr float kWidth = 880, kHeight = 640, kMargin = 16, kField = 44;  // units
constexpr float kCell = 200, kCaption = 24, kCellGap = 8, kRow = 30, kHeading = 30;
constexpr float kPictureShape = 1.6f;  // width over height
constexpr const char* kHint = "Find a scene, a lesson, an algorithm or a command";

/// The list in one frame: the entries that were found, and where the next one is drawn.
struct List {
    engine::Ui& ui;
    FinderState& state;
    ImDrawList& draw;
    Rect box;     ///< what is visible of it
    float x, y;   ///< of the next entry
    float width;  ///< of the content
    std::size_t columns;
    std::size_t clicked = SIZE_MAX;  ///< place of a clicked entry
};

/// Handles pointer and log of an entry's rectangle. Returns whether the entry is the chosen one.
bool touch(List& list, const FinderEntry& entry, std::size_t place, const Rect& r) {
    ImGui::SetCursorScreenPos(r.min());
    ImGui::PushID(static_cast<int>(place));
    if (ImGui::InvisibleButton("entry", {r.width(), r.height()})) list.clicked = place;
    // A resting pointer must not take the choice away from the arrow keys.
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    if (ImGui::IsItemHovered() && (moved.x != 0 || moved.y != 0)) list.state.chosen = place;
    ImGui::PopID();
    const bool chosen = list.state.chosen == place;
    if (chosen && list.state.follow) {
        if (r.y0 < list.box.y0) ImGui::SetScrollY(ImGui::GetScrollY() - (list.box.y0 - r.y0));
        if (r.y1 > list.box.y1) ImGui::SetScrollY(ImGui::GetScrollY() + (r.y1 - list.box.y1));
        list.state.follow = false;
    }
    engine::WidgetLog& log = list.ui.log();
    if (log.enabled)
        log.records.push_back({"entry", entry.title, entry.group, r.x0, r.y0, r.x1, r.y1,
                               r.y0 >= list.box.y0 && r.y1 <= list.box.y1});
    return chosen;
}

void draw_choice(List& list, const Rect& r) {
    list.draw.AddRectFilled(r.min(), r.max(), list.ui.theme().frame, list.ui.px(4));
    list.draw.AddRect(r.min(), r.max(), list.ui.theme().accent, list.ui.px(4), 0, list.ui.px(1.5f));
}

void heading(List& list, const char* text) {
    const Rect r{list.x, list.y, list.x + list.width, list.y + list.ui.px(kHeading)};
    engine::draw_text(list.ui, list.draw, r, engine::TextSize::title, list.ui.theme().secondary, text);
    list.y = r.y1;
}

/// Pictures of scenes in a grid.
void gallery(List& list, std::span<const FinderEntry> entries, std::span<const std::size_t> found,
             std::size_t first, std::size_t end) {
    engine::Ui& ui = list.ui;
    const float gap = ui.px(kCellGap);
    const auto columns = static_cast<float>(list.columns);
    const float width = (list.width - gap * (columns - 1)) / columns, inset = ui.px(5);
    const float height = (width - 2 * inset) / kPictureShape + ui.px(kCaption) + 2 * inset;
    for (std::size_t i = first; i < end; ++i) {
        const auto column = static_cast<float>((i - first) % list.columns);
        const FinderEntry& entry = entries[found[i]];
        const Rect r{list.x + column * (width + gap), list.y, list.x + column * (width + gap) + width,
                     list.y + height};
        if (touch(list, entry, i, r)) draw_choice(list, r);
        const Rect picture{r.x0 + inset, r.y0 + inset, r.x1 - inset, r.y1 - inset - ui.px(kCaption)};
        if (picture.y1 > list.box.y0 && picture.y0 < list.box.y1)
            engine::draw_picture(ui, list.draw, picture, entry.picture);
        engine::draw_text(ui, list.draw, {picture.x0, picture.y1, picture.x1, r.y1}, engine::TextSize::title,
                          entry.current ? ui.theme().accent : ui.theme().ink, entry.title);
        if (column + 1 == columns || i + 1 == end) list.y += height + gap;
    }
}

/// A lesson or a command: icon, title, what it belongs to or says, and its key. The current one has a disc.
void row(List& list, const FinderEntry& entry, std::size_t place) {
    engine::Ui& ui = list.ui;
    const Rect r{list.x, list.y, list.x + list.width, list.y + ui.px(kRow)};
    list.y = r.y1;
    if (touch(list, entry, place, r)) draw_choice(list, r);
    if (r.y1 < list.box.y0 || r.y0 > list.box.y1) return;
    const float middle = list.x + 0.46f * list.width, keys = r.x1 - ui.px(120);
    constexpr float kIcon = 18, kTitle = 42;
    engine::draw_mark(list.draw, {r.x0 + ui.px(7), r.centre().y}, ui.px(7),
                      entry.current ? engine::Mark::disc : engine::Mark::none, ui.theme().accent);
    engine::draw_icon(ui, list.draw, {r.x0 + ui.px(24), r.centre().y}, entry.icon,
                      entry.current ? ui.theme().accent : ui.theme().secondary, kIcon);
    engine::draw_text(ui, list.draw, {r.x0 + ui.px(kTitle), r.y0, middle - ui.px(8), r.y1},
                      engine::TextSize::body, ui.theme().ink, entry.title);
    const bool lesson = entry.kind == Kind::lesson;
    engine::draw_text(ui, list.draw, {middle, r.y0, lesson ? r.x1 - ui.px(8) : keys, r.y1},
                      engine::TextSize::secondary, ui.theme().secondary, lesson ? entry.help : entry.group);
    engine::draw_text(ui, list.draw, {keys, r.y0, r.x1 - ui.px(12), r.y1}, engine::TextSize::secondary,
                      ui.theme().ink, entry.keys, engine::Align::right);
}

void entries_of(List& list, std::span<const FinderEntry> entries, std::span<const std::size_t> found) {
    static constexpr const char* kHeadings[] = {"Scenes", "Lessons", "Commands"};
    for (std::size_t first = 0; first < found.size();) {
        const Kind kind = entries[found[first]].kind;
        std::size_t end = first;
        while (end < found.size() && entries[found[end]].kind == kind) ++end;
        heading(list, kHeadings[static_cast<std::size_t>(kind)]);
        if (kind == Kind::scene)
            gallery(list, entries, found, first, end);
        else
            for (std::size_t i = first; i < end; ++i) row(list, entries[found[i]], i);
        list.y += list.ui.px(8);
        first = end;
    }
    if (!found.empty()) return;
    engine::draw_text(
        list.ui, list.draw, {list.x, list.y, list.x + list.width, list.y + list.ui.px(kHeading)},
        engine::TextSize::body, list.ui.theme().secondary, "Nothing has these words. Try fewer letters.");
    list.y += list.ui.px(kHeading);
}

/// Where an arrow key leads: in the gallery a row is as long as the grid is wide.
std::size_t moved(std::size_t chosen, int key, std::size_t scenes, std::size_t columns, std::size_t count) {
    const std::size_t last = count - 1;
    const bool in_gallery = chosen < scenes;
    const std::size_t row = in_gallery ? columns : 1;
    switch (key) {
        case engine::key::kDown:
            if (!in_gallery) return std::min(chosen + 1, last);
            return chosen + row < scenes ? chosen + row : std::min(scenes, last);
        case engine::key::kUp:
            if (in_gallery) return chosen >= row ? chosen - row : chosen;
            return chosen > 0 ? chosen - 1 : 0;
        case engine::key::kRight:
            return in_gallery ? std::min(chosen + 1, last) : chosen;
        case engine::key::kLeft:
            return in_gallery && chosen > 0 ? chosen - 1 : chosen;
        case engine::key::kPageDown:
            return std::min(chosen + 10, last);
        case engine::key::kPageUp:
            return chosen - std::min<std::size_t>(chosen, 10);
        default:
            return chosen;
    }
}

/// True when Enter was pressed.
bool use_keys(engine::Ui& ui, FinderState& state, std::size_t scenes, std::size_t columns,
              std::size_t count) {
    for (const engine::KeyPress& press : ui.input().presses) {
        if (press.key == engine::key::kEscape) state.open = false;
        if (count == 0) continue;
        if (press.key == engine::key::kEnter || press.key == engine::key::kKeypadEnter) return true;
        const std::size_t to = moved(state.chosen, press.key, scenes, columns, count);
        state.follow |= to != state.chosen;
        state.chosen = to;
    }
    return false;
}

}  // namespace

void finder_panel(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests) {
    FinderState& finder = state.finder;
    if (!finder.open) return;
    const auto window_width = static_cast<float>(ui.width()), window_height = static_cast<float>(ui.height());
    const float margin = ui.px(kMargin), width = std::min(ui.px(kWidth), window_width - margin),
                height = std::min(ui.px(kHeight), window_height - margin);
    const float x = 0.5f * (window_width - width), y = 0.5f * (window_height - height);
    const Rect box{x, y, x + width, y + height};
    engine::begin_panel(ui, "finder", box, false, finder.fresh);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    engine::dim_window(ui, draw);
    engine::draw_panel(ui, draw, box);
    const Rect field{x + margin, y + margin, box.x1 - margin, y + margin + ui.px(kField)};
    const bool typed = engine::search_field(ui, field, kHint, finder.fresh, finder.text);
    const std::vector<FinderEntry> entries = finder_entries(model, state);
    std::size_t best = 0;
    const std::vector<std::size_t> found = find_entries(entries, finder.text, best);
    if (typed) finder.chosen = best;
    if (typed) finder.follow = true;
    finder.chosen = std::min(finder.chosen, found.empty() ? 0 : found.size() - 1);
    const auto scenes = static_cast<std::size_t>(std::count_if(
        found.begin(), found.end(), [&](std::size_t i) { return entries[i].kind == Kind::scene; }));

    const Rect area{field.x0, field.y1 + ui.px(8), field.x1, box.y1 - ui.px(8)};
    const float content = area.width() - ui.px(14);  // the scroll bar is beside it
    const auto columns = static_cast<std::size_t>(std::max(1.0f, content / ui.px(kCell)));
    const bool enter = use_keys(ui, finder, scenes, columns, found.size());
    ImGui::SetCursorScreenPos(area.min());
    ImGui::BeginChild("found", {area.width(), area.height()});
    List list{ui,      finder, *ImGui::GetWindowDrawList(), area, area.x0, area.y0 - ImGui::GetScrollY(),
              content, columns};
    entries_of(list, entries, found);
    ImGui::SetCursorScreenPos({area.x0, list.y});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
    engine::log_widget(ui, "finder", box, "Finder", std::to_string(found.size()));
    const ImVec2 mouse = ImGui::GetMousePos();
    if (!finder.fresh && ImGui::IsMouseClicked(0) && !box.contains(mouse.x, mouse.y)) finder.open = false;
    finder.fresh = false;
    engine::end_panel();
    const std::size_t wanted = enter ? finder.chosen : list.clicked;
    if (wanted >= found.size()) return;
    request(entries[found[wanted]], requests);
    finder.open = false;
}

}  // namespace claybox::app
