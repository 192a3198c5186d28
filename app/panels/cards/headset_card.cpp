// The Headset card: start and stop, the viewer's position, and timing of the frames.
#include "app/panels/cards/cards.hpp"
#include "engine/ui/drawing/draw.hpp"

namespace claybox::app {

namespace {

void place_rows(engine::Ui& ui, PanelState& state, PanelRequests& requests) {
    constexpr const char* kLabels[] = {"Recentre", "Position", "Direction"};
    constexpr const char* kHelp[] = {"Moves you to the scene's default viewpoint.",
                                     "Resets only your position; your direction stays.",
                                     "Resets only your direction; your position stays."};
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
    zoom.help = "Size of the scene relative to your hands. You stay where you are.";
    if (engine::slider(ui, zoom, state.headset.zoom)) requests.recentre = Recentre::position;
}

void figure_rows(engine::Ui& ui, const HeadsetFigures& figures, const FrameHistory& history) {
    using engine::key_value;
    key_value(ui, "Frames per second", engine::fixed(figures.rate, 0));
    key_value(ui, "Late frames", engine::grouped(figures.missed),
              "Frames that were not ready in time: the headset showed an older one instead.");
    key_value(ui, "Resolution", engine::fixed(100 * figures.resolution, 0) + " %",
              "Below 100 %, frames are coarser than the headset requests, so that they are ready in time.");
    key_value(ui, "Work without drawing", engine::fixed(1e3 * history.work().p50, 2) + " ms",
              "CPU time per frame of hands, devices and buttons: median of the last five seconds.");
}

}  // namespace

void headset_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                  bool open) {
    const HeadsetFigures& figures = model.headset;
    const std::string summary =
        figures.running ? engine::fixed(figures.rate, 0) + " Hz" : (state.headset.on ? "Waiting" : "Off");
    if (engine::begin_card(ui, "Headset", summary, open)) {
        engine::check_box(ui, "In the headset", state.headset.on,
                          "Shows the scene in a headset. The window then mirrors its view.", "Key V");
        engine::check_box(
            ui, "Seated", state.headset.seated,
            "Heights are measured from your head instead of the floor. Also moves you to the scene's default "
            "viewpoint.");
        engine::check_box(ui, "Haptics", state.headset.haptics,
                          "Controllers vibrate when their hand touches, presses or grasps something.");
        if (!figures.sentence.empty()) engine::paragraph(ui, figures.sentence);
        if (figures.running) {
            place_rows(ui, state, requests);
            figure_rows(ui, figures, *model.history);
        }
    }
    engine::end_card(ui);
}

}  // namespace claybox::app
