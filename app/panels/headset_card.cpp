// The Headset card: start and end, where the viewer stands, and how many pictures were late.
#include "app/panels/cards.hpp"
#include "engine/ui/draw.hpp"

namespace claybox::app {

namespace {

void place_rows(engine::Ui& ui, PanelState& state, PanelRequests& requests) {
    constexpr const char* kLabels[] = {"Recentre", "Place", "Direction"};
    constexpr const char* kHelp[] = {"You come back to where the scene was made to be seen from.",
                                     "Only where you are; the direction stays.",
                                     "Only where you look; the place stays."};
    switch (engine::button_row(ui, kLabels, kHelp)) {
        case 0:
            requests.recentre = Recentre::both;
            break;
        case 1:
            requests.recentre = Recentre::position;
            break;
        case 2:
            requests.recentre = Recentre::direction;
            break;
        default:
            break;
    }
    engine::SliderSpec zoom;
    zoom.label = "World size";
    zoom.min = 0.25;
    zoom.max = 4;
    zoom.default_value = 1;
    zoom.logarithmic = true;
    zoom.unit = "times";
    zoom.help = "How large the scene is beside your hands. You stay where you are.";
    if (engine::slider(ui, zoom, state.headset.zoom)) requests.recentre = Recentre::position;
}

void figure_rows(engine::Ui& ui, const HeadsetFigures& figures, const FrameHistory& history) {
    using engine::key_value;
    key_value(ui, "Pictures a second", engine::fixed(figures.rate, 0));
    key_value(ui, "Late pictures", engine::grouped(figures.missed),
              "The headset showed an older one instead.");
    key_value(ui, "Picture size", engine::fixed(100 * figures.resolution, 0) + " %",
              "Below 100 % the pictures are coarser than the headset asks for, so that they come in time.");
    key_value(
        ui, "Work without drawing", engine::fixed(1e3 * history.work().p50, 2) + " ms",
        "What hands, devices, buttons and handing over compute in a frame; the median of five seconds.");
}

}  // namespace

void headset_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                  bool open) {
    const HeadsetFigures& figures = model.headset;
    const std::string summary =
        figures.running ? engine::fixed(figures.rate, 0) + " Hz" : (state.headset.on ? "Waiting" : "Off");
    if (engine::begin_card(ui, "Headset", summary, open)) {
        engine::check_box(ui, "In the headset", state.headset.on,
                          "Show the scene in a headset. The window then shows what it sees.", "Key V");
        engine::check_box(
            ui, "Seated", state.headset.seated,
            "Heights count from your head and not from the floor. You come back to where the scene "
            "was made to be seen from.");
        engine::check_box(ui, "Haptics", state.headset.haptics,
                          "Controllers buzz when their hand touches, presses or takes something.");
        if (!figures.sentence.empty()) engine::paragraph(ui, figures.sentence);
        if (figures.running) {
            place_rows(ui, state, requests);
            figure_rows(ui, figures, *model.history);
        }
    }
    engine::end_card(ui);
}

}  // namespace claybox::app
