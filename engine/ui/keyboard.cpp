#include "engine/ui/keyboard.hpp"

#include <algorithm>

namespace claybox::engine {
namespace {

constexpr double kRepeatAfter = 0.4, kRepeatEvery = 0.05, kRest = 0.45;  // seconds

bool repeats(int key) {
    return key == key::kLeft || key == key::kRight || key == key::kUp || key == key::kDown;
}

}  // namespace

std::vector<Keyboard::Item> Keyboard::choices() const {
    const bool list = std::any_of(seen_.begin(), seen_.end(), [](const Item& i) { return i.in_list; });
    std::vector<Item> out;
    std::copy_if(seen_.begin(), seen_.end(), std::back_inserter(out),
                 [list](const Item& i) { return i.in_list == list; });
    return out;
}

const Keyboard::Item* Keyboard::focused_item() const {
    const auto found =
        std::find_if(seen_.begin(), seen_.end(), [this](const Item& i) { return i.id == focused; });
    return found == seen_.end() ? nullptr : &*found;
}

void Keyboard::focus(unsigned id) {
    focused = id;
    moved = true;
    focused_at_ = time_;
}

bool Keyboard::rested() const {
    return on && time_ - focused_at_ > kRest;
}

void Keyboard::next_panel() {
    const Item* const item = on ? focused_item() : nullptr;
    auto from = seen_.begin();
    if (item != nullptr) {
        from = std::find_if(seen_.begin(), seen_.end(),
                            [item](const Item& i) { return i.panel == item->panel; });
        from = std::find_if(from, seen_.end(), [item](const Item& i) { return i.panel != item->panel; });
    }
    on = from != seen_.end();
    if (on) focus(from->id);
}

void Keyboard::move(int by) {
    const std::vector<Item> all = choices();
    if (all.empty()) return;
    const auto count = static_cast<int>(all.size()), at = static_cast<int>(place_);
    focus(all[static_cast<std::size_t>((at + by % count + count) % count)].id);
}

void Keyboard::take_key(const KeyPress& key, bool list_open) {
    if (key.key == key::kF6) return next_panel();
    if (!on) return;
    const Item* const item = focused_item();
    const ArrowKeys arrows = item != nullptr ? item->arrows : ArrowKeys::move;
    switch (key.key) {
        case key::kEscape:
            on = list_open;  // the list closes
            return;
        case key::kEnter:
        case key::kKeypadEnter:
        case key::kSpace:
            press = true;
            return;
        case key::kTab:
            return move(key.shift ? -1 : 1);
        case key::kDown:
            if (arrows != ArrowKeys::grid) return move(1);
            ++rows;
            return;
        case key::kUp:
            if (arrows != ArrowKeys::grid) return move(-1);
            --rows;
            return;
        case key::kLeft:
            if (arrows == ArrowKeys::move) return move(-1);
            --steps;
            return;
        case key::kRight:
            if (arrows == ArrowKeys::move) return move(1);
            ++steps;
            return;
        default:
            return;
    }
}

void Keyboard::take(const UiInput& input, double time) {
    time_ = time;
    seen_.swap(items);
    items.clear();
    press = false;
    steps = rows = 0;
    shown.reset();
    if (input.typing || (!on && input.presses.empty())) return;
    if (!input.clicks.empty()) on = false;
    const std::vector<Item> all = choices();
    const auto find = [&all](unsigned id) {
        return std::find_if(all.begin(), all.end(), [id](const Item& i) { return i.id == id; });
    };
    auto found = find(focused);
    if (found == all.end()) found = find(before_list_);
    if (found != all.end()) {
        focused = found->id;
        place_ = static_cast<std::size_t>(found - all.begin());
        if (!found->in_list) before_list_ = focused;
    } else if (!all.empty()) {  // the control is gone: its neighbour
        place_ = std::min(place_, all.size() - 1);
        focused = all[place_].id;
    }
    for (const KeyPress& key : input.presses) {
        take_key(key, input.list_open);
        if (!repeats(key.key)) continue;
        held_ = key.key;
        repeat_at_ = time + kRepeatAfter;
    }
    if (!input.held(held_)) held_ = 0;
    if (held_ == 0 || time < repeat_at_) return;
    take_key({held_}, input.list_open);
    repeat_at_ = time + kRepeatEvery;
}

}  // namespace claybox::engine
