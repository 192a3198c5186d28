#include "app/panels/cards.hpp"

namespace claybox::app {

using engine::grouped;
using engine::key_value;
using engine::LogicalDevice;

namespace {

/// The device that is chosen: what it says and what it is made of.
void chosen_device(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests) {
    const auto devices = model.devices->devices();
    DeviceEdit& edit = state.devices;
    std::vector<engine::ComboItem> items;
    for (const LogicalDevice& device : devices)
        items.push_back({device.name.c_str(), to_string(device.type), device.title.c_str(), "", true});
    edit.device = std::min(edit.device, devices.size() - 1);
    if (engine::combo(ui, "Device", true, items, edit.device)) edit.error.clear();
    const LogicalDevice& device = devices[edit.device];
    key_value(ui, "Says", reading_words(device.type, device.now), "What it says in this frame.");
    std::string text = edit.error.empty() ? device.mapping : edit.edited;
    if (engine::text_field(ui, "Made of", text,
                           "Sources of it, as in a line of the map behind '='. Enter takes it; "
                           "docs/devices.md has the words."))
        requests.device_mapping = {edit.device, text};
    if (!edit.error.empty()) engine::paragraph(ui, edit.error);
    const bool listens = model.devices->listening() == edit.device;
    const char* const buttons[] = {listens ? "Stop listening" : "Listen", "Default"};
    static constexpr const char* kHelp[] = {"The next key, button or control that moves drives it.",
                                            "What it is made of when nobody changes it."};
    const int clicked = engine::button_row(ui, buttons, kHelp);
    if (clicked == 0) requests.listen = edit.device;
    if (clicked == 1)
        requests.device_mapping = {edit.device,
                                   device.default_mapping.empty() ? "none" : device.default_mapping};
}

void network_rows(engine::Ui& ui, const engine::NetworkFigures& network, PanelRequests& requests) {
    if (!network.open) return;
    static constexpr const char* kRest[] = {"Hand rests here"};
    static constexpr const char* kHelp[] = {
        "Where your forefinger is now is where that of each scene's hand rests: nearer or farther."};
    if (engine::button_row(ui, kRest, kHelp) == 0) requests.rest_hands = true;
    key_value(ui, "Packets", grouped(network.received), "OSC packets that came over the network.");
    key_value(ui, "Dropped", grouped(network.malformed), "Packets that break a rule of OSC or of VMC.");
    key_value(ui, "Too many", grouped(network.too_many),
              "Packets beyond 60,000 messages a second, 2,048 a frame or 1,024 in one of them, and presses "
              "beyond 8 of an address a frame: dropped.");
}

}  // namespace

void devices_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests) {
    if (!model.devices) return;
    const auto devices = model.devices->devices();
    std::size_t there = 0;
    for (const LogicalDevice& device : devices) there += device.now.valid ? 1 : 0;
    const std::string summary = std::to_string(there) + " of " + std::to_string(devices.size()) + " there";
    if (engine::begin_card(ui, "Devices", summary, false)) {
        chosen_device(ui, model, state, requests);
        if (engine::fold_row(ui, "What all of them say", "Every logical device and its value now."))
            for (const LogicalDevice& device : devices)
                key_value(ui, device.name, reading_words(device.type, device.now), device.mapping.c_str());
        if (engine::fold_row(ui, "Physical sources",
                             "What is plugged in, tracked or heard over the network.")) {
            for (const engine::InputSource* source : model.devices->sources())
                key_value(ui, source->id(), source->state());
            network_rows(ui, model.network, requests);
            for (std::size_t side = 0; side < 2; ++side)
                key_value(ui, side == 0 ? "Right hand by" : "Left hand by",
                          model.hand_sources[side] ? model.hand_sources[side]->title : "nobody",
                          "Who drives the hand in the scene.");
        }
    }
    engine::end_card(ui);
}

}  // namespace claybox::app
