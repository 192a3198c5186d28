#include "app/panels/cards/cards.hpp"

#include <array>

namespace claybox::app {

void edit_rows(engine::Ui& ui, const PanelModel& model, PanelRequests& requests) {
    if (model.session->descriptor().edits != EditSupport::all) return;
    const auto key = [&](const char* device) { return " Key: " + first_key(model.devices, device) + "."; };
    const std::array<std::string, 3> texts{
        "Adds a body of the chosen shape and size in front of the camera." + key("add_body"),
        "Puts a copy of the selected body beside it." + key("duplicate_body"),
        "Removes the selected body." + key("delete_body")};
    static constexpr const char* kLabels[] = {"Add", "Duplicate", "Delete"};
    const std::array<const char*, 3> help{texts[0].c_str(), texts[1].c_str(), texts[2].c_str()};
    const int clicked = engine::button_row(ui, kLabels, help);
    if (clicked >= 0) requests.edit = static_cast<EditRequest>(clicked);
}

}  // namespace claybox::app
