#pragma once
// What the panels read and what they ask for. The panels change nothing by themselves: the owner of the loop
// carries out the requests, so that recordings and tests see every switch.

#include "app/devices/app_devices.hpp"
#include "app/panels/headset_model.hpp"
#include "app/panels/history.hpp"
#include "app/session/session.hpp"
#include "engine/hand/hand_keeper.hpp"
#include "engine/input/network_source.hpp"
#include "engine/ui/draw.hpp"

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace claybox::app {

/// Where a chip stood in the last picture, so that it does not jump from side to side.
struct ChipPlace {
    float x = 0, y = 0;  ///< of what it speaks of
    int choice = 0;
};

/// How wide an item of the bar is: its numbers change, and what stands beside it must not jump. It grows at
/// once, and shrinks after a while.
struct HeldWidth {
    float width = 0;   ///< design units
    double until = 0;  ///< Ui::time()
};

/// Whether and how the steps of the algorithm that is asked about the selected pair are drawn.
struct TraceWish {
    bool on = false;
    std::size_t step = 0;  ///< counted from 1; 0 is the last one
    bool before = false;   ///< what led to it too
};

/// The Devices card.
struct DeviceEdit {
    std::size_t device = 0;  ///< that is shown
    std::string edited;      ///< its right side while it is wrong; empty: as it is mapped
    std::string error;       ///< what was expected
};

/// What the window remembers of its own.
struct PanelState {
    ViewOptions view;
    TraceWish trace;
    DeviceEdit devices;
    bool dark = false;
    bool sound = true;    ///< clicks of buttons
    bool hidden = false;  ///< Tab
    bool help = false;    ///< F1
    bool hand = true;     ///< the mouse drives the hand where the scene has one
    bool paused = false;
    bool fly = false;
    bool hint = false;      ///< the first-run hint is to be seen
    double speed = 1;       ///< simulated seconds per second
    int bring_inspect = 0;  ///< pictures in which the Inspect card, that has just grown, comes into view
    std::string inspected;  ///< title of the Inspect card when it was last brought into view
    HeadsetWish headset;
    std::vector<ChipPlace> chips;
    std::map<std::string, HeldWidth> bar;  ///< by the item's key
    /// A parameter whose slider is still held: rebuilding the scene waits until it is let go.
    std::optional<std::pair<std::size_t, double>> held_parameter;
};

struct PanelRequests {
    std::vector<Command> commands;
    std::vector<std::uint32_t> actions;  ///< StepInput::actions
    std::optional<std::pair<std::size_t, double>> parameter;
    std::optional<collision::WorldSettings> settings;
    std::optional<std::uint64_t> seed;
    std::optional<std::pair<std::size_t, std::string>> device_mapping;  ///< device and right side
    std::optional<std::size_t> listen;  ///< start or stop listening for this device
    std::optional<Recentre> recentre;
    std::string export_ending;  ///< ".obj" or ".stl"
    bool restart = false, toggle_pause = false, step = false, dismiss_hint = false, frame_scene = false,
         save_hardest = false, rest_hands = false;
    void clear() { *this = {}; }
};

/// What happened, newest last.
struct EventRow {
    double time = 0;  ///< simulated seconds
    SceneEvent::Kind kind{};
    std::string text;
};

/// What is selected, told by the bridge's own query of the pair.
struct Inspection {
    std::string title;  ///< "Bodies 12 and 31"; empty: nothing selected
    std::string text;   ///< Scene::describe_pick
    struct Row {
        std::string key, value;
    };
    std::vector<Row> rows;
    /// What the algorithm did, when it was wished.
    struct Steps {
        std::size_t count = 0, shown = 0;  ///< the one that is drawn, counted from 1
        bool is_cut = false;               ///< more were told than are kept
        std::vector<Row> rows;             ///< of the one that is drawn
    } steps;
    bool has_verdict = false;
    collision::Verdict verdict = collision::Verdict::undecided;
};

/// A label of the scene in pixels of the window.
struct ScreenLabel {
    float x = 0, y = 0;
    std::string text;
    Ink ink = Ink::witness;
    bool engraved = false;  ///< already painted on its surface: logged, not drawn
};

/// Where a body is in the picture, pixels: chips keep off it.
struct ScreenDisc {
    float x = 0, y = 0, radius = 0;
    bool colliding = false;
};

/// How much of the broad phase's structure is drawn.
struct StructureFigures {
    std::uint32_t levels = 0;
    std::size_t shown = 0, total = 0;
    bool waits = false;  ///< what is wished comes with the next pass
};

struct PanelModel {
    Session* session = nullptr;
    const FrameHistory* history = nullptr;
    const std::deque<EventRow>* events = nullptr;
    const Inspection* inspection = nullptr;
    std::span<const ScreenLabel> labels;
    std::span<const ScreenDisc> discs;
    StructureFigures structure;
    const engine::LogicalDevices* devices = nullptr;
    engine::NetworkFigures network;
    std::array<const engine::HandSourceInfo*, 2> hand_sources{};  ///< right, left; null for nobody
    HeadsetFigures headset;
    std::string_view message;  ///< one line that fades, "Saved ..."
};

/// Mark and colour of a kind of event.
engine::Mark event_mark(SceneEvent::Kind kind);
engine::Colour event_colour(const engine::Theme& theme, SceneEvent::Kind kind);

/// Draws everything between Ui::begin and Ui::end; `requests` is cleared first.
void draw_panels(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests);

}  // namespace claybox::app
