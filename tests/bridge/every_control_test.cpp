// An automated run that opens every card and fold and operates each control once, at the rectangle that the
// program reports. A control must be reachable by scrolling, and one that shows a value must change it.
// CLAYBOX_EVERY_SCENE=1 does so in all scenes.

#include "tests/bridge/sandbox_fixture.hpp"

#include <fstream>
#include <set>
#include <unistd.h>

namespace claybox::app {
namespace {

namespace fs = std::filesystem;

struct Control {
    std::string card, kind, label;
    auto operator<=>(const Control&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Control& c) {
    return out << c.kind << " '" << c.label << "' of the card " << c.card;
}

constexpr const char* kOperated[] = {"slider", "check box", "combo",  "segment", "picture",
                                     "button", "field",     "matrix", "link",    "heat map"};

class EveryControl : public SandboxTest {
  protected:
    static constexpr int kMostControls = 400;
    /// Height of the bar and of the row that names the cards below, pixels.
    static constexpr float kBelow = 92;

    void SetUp() override {
        SandboxTest::SetUp();
        use_window(1024, 640);
        before_ = fs::current_path();
        folder_ = fs::path(testing::TempDir()) / ("claybox-controls-" + std::to_string(::getpid()));
        fs::create_directories(folder_);
        fs::current_path(folder_);  // buttons save files
    }
    void TearDown() override {
        fs::current_path(before_);
        fs::remove_all(folder_);
        SandboxTest::TearDown();
    }
    /// A small scene, because many controls build it again, in coarse pictures.
    void start_small(const SceneDescriptor& scene) {
        start_scene(scene);
        renderer_->set_resolution(0.1f);
    }
    void start_scene(const SceneDescriptor& scene) {
        for (const char* count : {"polygons", "bodies", "bullets"})
            if (const std::size_t at = collision::find_parameter(scene.parameters, count);
                at < scene.parameters.size()) {
                const collision::Parameter& p = scene.parameters[at];
                return start(scene.id, count, std::clamp(100.0, p.min, p.max));
            }
        start(scene.id, scene.parameters.front().id, scene.parameters.front().default_value);
    }

    const engine::WidgetRecord* find(const Control& control) const {
        std::string card;
        for (const engine::WidgetRecord& r : ui_->log().records) {
            if (std::string_view(r.kind) == "card") card = r.label;
            if (card == control.card && r.label == control.label && r.kind == control.kind) return &r;
        }
        return nullptr;
    }
    /// Scrolls the column until the control is in it; null if it has gone.
    const engine::WidgetRecord* bring(const Control& control) {
        for (int i = 0; i < 120; ++i) {
            const engine::WidgetRecord* r = find(control);
            if (r == nullptr) return nullptr;
            const float lowest = static_cast<float>(height_) - kBelow;
            const bool above = r->y0<60, below = r->y1> lowest;
            const bool in_place =
                r->visible && ((!above && !below) || i > 100);  // 100: the end of the column
            const float y = r->y0;
            if (in_place) frames(1);  // the last scrolling takes effect
            r = in_place ? find(control) : r;
            if (r == nullptr || (in_place && r->y0 == y)) return r;
            if (in_place) continue;
            const float far = above ? 60 - r->y0 : r->y1 - lowest;
            const float notches = far > 400 ? 4.0f : 1.0f;
            ui_->inject_mouse(static_cast<float>(width_) - 12, 100, false, above ? notches : -notches);
            frames(1);
        }
        ADD_FAILURE() << control << " cannot be scrolled into view";
        return nullptr;
    }
    std::string value_of(const Control& control) const {
        const engine::WidgetRecord* r = find(control);
        return r ? r->value : "(gone)";
    }
    void press(const engine::WidgetRecord& r) {
        press_at(0.5f * (r.x0 + r.x1), 0.5f * (r.y0 + r.y1));
        frames(2);
    }
    void open_all(const std::string& only_card) {
        for (int i = 0; i < 60; ++i) {
            std::string card;
            std::optional<Control> folded;
            for (const engine::WidgetRecord& r : ui_->log().records) {
                if (std::string_view(r.kind) == "card") card = r.label;
                if (!folded && r.value == "folded" && (only_card.empty() || card == only_card))
                    folded = Control{card, r.kind, r.label};
            }
            if (!folded) return;
            if (const engine::WidgetRecord* r = bring(*folded)) press(*r);
            frames(9);  // the fold animation
        }
        ADD_FAILURE() << "a fold does not stay open";
    }
    std::optional<Control> next(const std::string& only_card) const {
        std::string card;
        for (const engine::WidgetRecord& r : ui_->log().records) {
            if (std::string_view(r.kind) == "card") card = r.label;
            if (card.empty() || (!only_card.empty() && card != only_card)) continue;
            const bool operated =
                std::any_of(std::begin(kOperated), std::end(kOperated),
                            [&](const char* kind) { return kind == std::string_view(r.kind); });
            if (const Control c{card, r.kind, r.label}; operated && !done_.contains(c)) return c;
        }
        return std::nullopt;
    }

    void move_slider(const Control& control, const engine::WidgetRecord& at) {
        const float width = at.x1 - at.x0;
        const std::string before = at.value;
        for (const float share : {0.3f, 0.7f}) {
            const engine::WidgetRecord* r = bring(control);
            if (r == nullptr) return;
            const float x = r->x0 + share * width, height = 0.5f * (r->y0 + r->y1);
            ui_->inject_mouse(x, height, false);
            frames(1);
            ui_->inject_mouse(x, height, true);
            frames(2);
            if (value_of(control) != before) moved_ = true;
            ui_->inject_mouse(x, height, false);
            frames(3);
            if (moved_) break;
        }
        EXPECT_TRUE(std::exchange(moved_, false)) << control << " stays at " << before;
    }
    void choose(const Control& control, const engine::WidgetRecord& at) {
        const std::string before = at.value;
        press(at);
        const std::vector<engine::WidgetRecord> items = resting_items();
        EXPECT_FALSE(items.empty()) << control << " shows no list";
        const auto other = std::find_if(items.begin(), items.end(),
                                        [](const auto& i) { return i.visible && i.value == "off"; });
        if (other == items.end()) return close_list();
        press(*other);
        if (ui_->input().list_open) return close_list();  // an item that cannot be chosen here
        if (find(control) != nullptr && items.size() > 1) {
            EXPECT_NE(value_of(control), before) << control;
        }
    }
    /// The items of the open list, once it has stopped moving.
    std::vector<engine::WidgetRecord> resting_items() {
        std::vector<engine::WidgetRecord> items;
        for (int i = 0; i < 30; ++i) {
            const float before = items.empty() ? -1 : items.front().y0;
            items.clear();
            for (const engine::WidgetRecord& r : ui_->log().records)
                if (std::string_view(r.kind) == "item") items.push_back(r);
            if (!items.empty() && items.front().y0 == before) break;
            frames(1);
        }
        return items;
    }
    void close_list() {
        ui_->inject_key(engine::key::kEscape);
        frames(2);
    }
    void switch_twice(const Control& control, const engine::WidgetRecord& at) {
        const std::string before = at.value;
        press(at);
        if (find(control) != nullptr) {
            EXPECT_NE(value_of(control), before) << control;
        }
        if (const engine::WidgetRecord* r = bring(control)) press(*r);
    }
    void type(const engine::WidgetRecord& at) {
        press(at);
        ui_->inject_key('A', true);
        frames(1);
        ui_->inject_text("7");
        frames(1);
        ui_->inject_key(engine::key::kEnter);
        frames(3);
    }
    void operate(const Control& control) {
        const engine::WidgetRecord* found = bring(control);
        if (found == nullptr) return;  // an earlier control has taken it away
        const engine::WidgetRecord at = *found;
        if (control.kind == "slider") return move_slider(control, at);
        if (control.kind == "combo") return choose(control, at);
        if (control.kind == "check box") return switch_twice(control, at);
        if (control.kind == "field") return type(at);
        press(at);
        if (control.kind == "segment" || control.kind == "picture") {
            if (find(control) != nullptr) {
                EXPECT_EQ(value_of(control), "on") << control;
            }
        }
        if (sandbox_->devices().logical().listening()) close_list();
    }
    /// Operates all controls of a card, or of all cards.
    void operate_all(const std::string& only_card = {}) {
        for (int i = 0; i < kMostControls; ++i) {
            open_all(only_card);
            const std::optional<Control> control = next(only_card);
            if (!control) return;
            done_.insert(*control);
            operate(*control);
            if (HasFatalFailure()) return;
        }
        ADD_FAILURE() << "more than " << kMostControls << " controls";
    }
    std::size_t operated(const std::string& card) const {
        return static_cast<std::size_t>(
            std::count_if(done_.begin(), done_.end(), [&](const Control& c) { return c.card == card; }));
    }

    std::set<Control> done_;
    bool moved_ = false;
    fs::path before_, folder_;
};

/// Those of two scenes, or of all with CLAYBOX_EVERY_SCENE=1: then it takes some minutes.
TEST_F(EveryControl, of_the_card_scene_can_be_reached_and_operated) {
    const bool all = std::getenv("CLAYBOX_EVERY_SCENE") != nullptr;
    for (const SceneDescriptor* scene : scenes()) {
        const std::string_view id = scene->id;
        if (!all && id != "solids" && id != "polygons") continue;
        SCOPED_TRACE(scene->id);
        done_.clear();
        start_small(*scene);
        frames(3);
        operate_all("Scene");
        EXPECT_GE(operated("Scene"), scene->parameters.size());
    }
}

TEST_F(EveryControl, of_the_other_cards_can_be_reached_and_operated) {
    start_small(*find_scene("cage"));
    frames(3);
    sandbox_->select(0, false);
    sandbox_->select(1, true);
    for (const char* card : {"Algorithm", "Broad phase", "Inspect", "Performance", "Events", "Devices"}) {
        SCOPED_TRACE(card);
        // Alone: the rows of Inspect come and go while the scene runs, which would move the cards below them.
        sandbox_->state().arrange_cards = std::vector<std::string>{card};
        frames(12);
        operate_all(card);
        if (std::string_view(card) != "Events") {
            EXPECT_GE(operated(card), 1u);
        }
    }
}

}  // namespace
}  // namespace claybox::app
