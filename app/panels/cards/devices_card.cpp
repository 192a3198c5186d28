#include "app/panels/cards/cards.hpp"
#include "app/panels/cards/parameters.hpp"
#include "app/panels/program.hpp"

namespace claybox::app {

using engine::grouped;
using engine::key_value;
using engine::LogicalDevice;

namespace {

/// The chosen device: its value and its sources.
void chosen_device(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests) {
    const auto devices = model.devices->devices();
    DeviceEdit& edit = state.devices;
    std::vector<engine::ComboItem> items;
    for (const LogicalDevice& device : devices)
        items.push_back({device.name.c_str(), to_string(device.type), device.title.c_str(), "", true});
    edit.device = std::min(edit.device, devices.size() - 1);
    if (engine::combo(ui, "Device", true, items, edit.device)) edit.error.clear();
    const LogicalDevice& device = devices[edit.device];
    key_value(ui, "Value", reading_text(device.type, device.now), "Value in this frame.");
    std::string text = edit.error.empty() ? device.mapping : edit.edited;
    if (engine::text_field(ui, "Sources", text,
                           "Sources of the device, as after '=' in a device map. Enter applies them; "
                           "docs/reference/devices.md describes the syntax."))
        requests.device_mapping = {edit.device, text};
    if (!edit.error.empty()) engine::paragraph(ui, edit.error);
    const bool listens = model.devices->listening() == edit.device;
    const char* const buttons[] = {listens ? "Stop listening" : "Listen", "Default"};
    static constexpr const char* kHelp[] = {"The next key, button or control that moves becomes the source.",
                                            "Restores the default sources."};
    const int clicked = engine::button_row(ui, buttons, kHelp);
    if (clicked == 0) requests.listen = edit.device;
    if (clicked == 1)
        requests.device_mapping = {edit.device,
                                   device.default_mapping.empty() ? "none" : device.default_mapping};
}

/// Filter, stroke lead and pressure.
void hand_rows(engine::Ui& ui, PanelState& state) {
    collision::ParameterValues values = program_values(state);
    if (parameter_rows(ui, program_parameters(), values, program_choice::hand_filter,
                       program_choice::pressure_from + 1))
        set_program_values(values, state);
}

void network_rows(engine::Ui& ui, const engine::NetworkFigures& network, PanelRequests& requests) {
    if (!network.open) return;
    static constexpr const char* kRest[] = {"Set rest position"};
    static constexpr const char* kHelp[] = {
        "The place of your forefinger now becomes the rest position of the hand in every scene."};
    if (engine::button_row(ui, kRest, kHelp) == 0) requests.rest_hands = true;
    key_value(ui, "Packets", grouped(network.received), "OSC packets received over the network.");
    key_value(ui, "Malformed", grouped(network.malformed), "Dropped packets that are not valid OSC or VMC.");
    key_value(ui, "Too many", grouped(network.too_many),
              "Dropped packets beyond 60,000 messages per second, 2,048 per frame or 1,024 per packet, and "
              "presses beyond 8 per address and frame.");
}

}  // namespace

void devices_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests) {
    if (!model.devices) return;
    const auto devices = model.devices->devices();
    std::size_t active = 0;
    for (const LogicalDevice& device : devices) active += device.now.valid ? 1 : 0;
    const std::string summary = std::to_string(active) + " of " + std::to_string(devices.size()) + " active";
    if (engine::begin_card(ui, "Devices", summary, false)) {
        hand_rows(ui, state);
        chosen_device(ui, model, state, requests);
        if (engine::fold_row(ui, "All values", "Every logical device and its current value."))
            for (const LogicalDevice& device : devices)
                key_value(ui, device.name, reading_text(device.type, device.now), device.mapping.c_str());
        if (engine::fold_row(ui, "Physical sources",
                             "Sources that are connected, tracked or received over the network.")) {
            for (const engine::InputSource* source : model.devices->sources())
                key_value(ui, source->id(), source->state());
            network_rows(ui, model.network, requests);
            for (std::size_t side = 0; side < 2; ++side)
                key_value(ui, side == 0 ? "Right hand" : "Left hand",
                          model.hand_sources[side] ? model.hand_sources[side]->title : "none",
                          "Source that drives the hand in the scene.");
        }
    }
    engine::end_card(ui);
}

}  // namespace claybox::app
