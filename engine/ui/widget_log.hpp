#pragma once
// What the panels showed in the last frame, so that programs and tests can drive the window by what people
// see.

#include <string>
#include <vector>

namespace claybox::engine {

struct WidgetRecord {
    const char* kind = "";  ///< "slider", "combo", "item", "check box", "button", "segment", "card", "cell",
                            ///< "value", "label"; "cut": a text that did not fit, and what is left of it
    std::string label;      ///< as it is read on the screen
    std::string value;      ///< what it shows, "on" and "off" for switches
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< pixels from the window's top left
    bool visible = true;                   ///< false: scrolled out of view
};

/// Filled while panels are drawn; empty unless `enabled`, because the texts cost time.
struct WidgetLog {
    bool enabled = false;
    std::vector<WidgetRecord> records;

    /// The first record of that label (and kind, when given), or null.
    const WidgetRecord* find(const std::string& label, const std::string& kind = {}) const {
        for (const WidgetRecord& r : records)
            if (r.label == label && (kind.empty() || kind == r.kind)) return &r;
        return nullptr;
    }
};

}  // namespace claybox::engine
