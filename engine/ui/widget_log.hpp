#pragma once
// Widgets shown in the last frame: programs and tests drive the window by what is on screen.

#include <string>
#include <vector>

namespace claybox::engine {

struct WidgetRecord {
    const char* kind = "";  ///< "slider", "combo", "item", "check box", "button", "segment", "card", "cell",
                            ///< "value", "label"; "cut": a shortened text, with the visible part as value
    std::string label;      ///< text on the screen
    std::string value;      ///< shown value; "on" or "off" for switches
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< pixels from the window's top left
    bool visible = true;                   ///< false: scrolled out of view
};

/// Filled while panels are drawn, only if `enabled`: the texts cost time.
struct WidgetLog {
    bool enabled = false;
    std::vector<WidgetRecord> records;

    /// The first record with that label (and kind, if given), or null.
    const WidgetRecord* find(const std::string& label, const std::string& kind = {}) const {
        for (const WidgetRecord& r : records)
            if (r.label == label && (kind.empty() || kind == r.kind)) return &r;
        return nullptr;
    }
};

}  // namespace claybox::engine
