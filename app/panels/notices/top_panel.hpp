#pragma once
// A panel of two rows at the upper edge of the scene: title and text, and below them controls.

#include "app/panels/model.hpp"
#include "engine/ui/widgets/widgets.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace claybox::app {

/// Begins the panel at the upper edge of `area` and draws its first row; engine::end_panel() ends it.
struct TopPanel {
    TopPanel(engine::Ui& ui, const char* id, const engine::Rect& area, const std::string& title,
             const std::string& text);
    engine::Rect box, row;  ///< the panel, and its second row
};

/// "Continue here (Space)": a label with the key of a command.
std::string with_key(const char* label, const PanelModel& model, std::string_view device);

/// What takes long: how far it is, and the way out.
struct Progress {
    std::string title, text;      ///< of the bar, for tests and for those who do not see it
    std::optional<double> share;  ///< that is done, from 0 to 1; empty: nobody knows
    double seconds = 0;           ///< since the start
    const char* cancel_help = "";
};
/// A bar and the button Cancel. Returns true when the button was clicked.
bool progress_row(engine::Ui& ui, const PanelModel& model, const Progress& progress, const engine::Rect& row);

}  // namespace claybox::app
