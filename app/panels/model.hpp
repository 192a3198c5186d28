#pragma once
// Data that the panels show, and requests that they return. Panels change nothing themselves: the main loop
// executes the requests, so that recordings and tests see every switch.

#include "app/devices/app_devices.hpp"
#include "app/panels/bodies/object_model.hpp"
#include "app/panels/headset_model.hpp"
#include "app/panels/history.hpp"
#include "app/scenes/shared/choices.hpp"
#include "app/session/compare/heat_map.hpp"
#include "app/session/compare/pair_check.hpp"
#include "app/session/compare/tumble.hpp"
#include "app/session/history/scene_history.hpp"
#include "app/session/lesson.hpp"
#include "engine/hand/hand_selector.hpp"
#include "engine/input/network/network_source.hpp"
#include "engine/ui/drawing/draw.hpp"

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace claybox::app {

/// A chip's place in the last frame, so that it does not jump from side to side.
struct ChipPlace {
    float x = 0, y = 0;  ///< the labelled point
    int choice = 0;
};

/// Width of an item of the bottom bar. It grows at once and shrinks after some seconds, so that changing
/// numbers do not move the other items.
struct HeldWidth {
    float width = 0;   ///< design units
    double until = 0;  ///< Ui::time()
};

/// Drawing of the algorithm's steps on the selected pair.
struct TraceRequest {
    bool on = false;
    std::size_t step = 0;  ///< counted from 1; 0 is the last step
    bool before = false;   ///< draw earlier steps, too
    /// Steps of this continuous algorithm on the motion since the frame before; null: of the pair algorithm.
    const collision::ContinuousAlgorithm* motion = nullptr;
};

/// The map of a slice.
struct HeatRequest {
    std::size_t slice = 0;            ///< the planes x y, x z, z y
    double cells = 24;                ///< per side
    std::size_t cost_of = 0;          ///< 0: agreement; else the cost of the algorithm with this number
    std::optional<std::size_t> cell;  ///< the one that the rows below are about
};

/// What "Look inside" of the card Broad phase adds to the structure.
struct BroadRequest {
    bool loads = false;                 ///< colour cells by the number of bodies in them
    bool moved = false;                 ///< boxes of moved bodies, and the sorted intervals with their swaps
    std::optional<bool> painting = {};  ///< while the mouse paints pairs of groups: whether they are ignored
    std::size_t cell_row = 0, cell_column = 0;  ///< of the interest matrix, for the keyboard
};

/// The comparisons of the cards Inspect and Performance.
struct CompareRequest {
    bool keep_asking = false;    ///< ask all algorithms about the selected pair in every frame
    double export_seconds = 10;  ///< of frames, for files
    bool tumble_max = false;     ///< the sweep shows the largest times instead of the means
    HeatRequest heat;
};

/// The Devices card.
struct DeviceEdit {
    std::size_t device = 0;  ///< the shown device
    std::string edited;      ///< a mapping that is not valid yet; shown while `error` is not empty
    std::string error;       ///< why `edited` is not valid
};

/// What happens to hands before a scene sees them: the values of program_choice::hand_filter and the next.
struct HandSettings {
    double filter = 50;  ///< percent
    double lead = 0;     ///< millimetres
    PressureFrom pressure = PressureFrom::none;
    friend bool operator==(const HandSettings&, const HandSettings&) = default;
};

/// Width that the panel of a lesson takes at the left of the scene, units; narrower in a small window.
inline constexpr float kLessonRoom = 352, kNarrowLessonRoom = 300;
/// The width in a free area of this width; 0: too narrow, the lesson lies over the scene.
constexpr float lesson_room(float area_units) {
    return area_units > 2 * kLessonRoom         ? kLessonRoom
           : area_units > 2 * kNarrowLessonRoom ? kNarrowLessonRoom
                                                : 0;
}

/// The list of everything that the program can show and do.
struct FinderState {
    bool open = false, fresh = false;  ///< fresh: it opens in this frame
    std::string text;                  ///< typed so far
    std::size_t chosen = 0;            ///< place in the list of what the text finds
    bool follow = false;               ///< scroll to the chosen one
    void show() { *this = {true, true, {}, 0, false}; }
};

/// State of the window, kept between frames.
struct PanelState {
    ViewOptions view;
    TraceRequest trace;
    ProbeRequest probe;
    bool object_open = false;  ///< the rows about the selected body are unfolded
    CompareRequest compare;
    BroadRequest broad;
    DeviceEdit devices;
    bool dark = false;
    bool sound = true;    ///< key sounds
    bool hidden = false;  ///< Tab
    bool help = false;    ///< F1
    FinderState finder;
    std::optional<std::size_t> lesson;  ///< number of the shown lesson
    bool lesson_folded = false;         ///< only its title
    /// In the next frame, these cards open and the other ones fold.
    std::optional<std::vector<std::string>> arrange_cards;
    bool hand = true;  ///< the mouse drives the hand, if the scene has one
    bool paused = false;
    bool fly = false;
    bool hint = false;                        ///< show the first-run hint
    bool hint_open = false;                   ///< with its text, also where it hides much of the scene
    double speed = 1;                         ///< simulated seconds per second
    double film_seconds = 5;                  ///< length of a film of the last seconds
    int turn_pictures = 72, turn_size = 640;  ///< of a turntable: pictures, and pixels per side
    int bring_inspect = 0;  ///< frames in which the growing Inspect card still scrolls into view
    std::string inspected;  ///< title of the Inspect card when it last scrolled into view
    HeadsetSettings headset;
    HandSettings hands;
    std::vector<ChipPlace> chips;
    std::map<std::string, HeldWidth> bar;  ///< by the item's key
    double strip_end = 0;                  ///< frame at the right end of the time strip
    float strip_width = 0;                 ///< of the time strip, pixels
    /// A parameter whose slider is still held; the scene is rebuilt after its release.
    std::optional<std::pair<std::size_t, double>> held_parameter;
};

/// What a key or a button does with bodies.
enum class EditRequest : unsigned char { add, duplicate, remove };

struct PanelRequests {
    std::vector<Command> commands;
    std::vector<KeyAction> keys;         ///< as if their keys were pressed
    std::optional<std::size_t> lesson;   ///< start the lesson with this number
    std::vector<std::uint32_t> actions;  ///< StepInput::actions
    std::optional<EditRequest> edit;
    std::optional<std::uint32_t> partner;  ///< test the selected body against this one
    std::optional<std::pair<std::size_t, double>> parameter;
    std::optional<collision::WorldSettings> settings;
    std::optional<std::uint64_t> seed;
    std::optional<std::pair<std::size_t, std::string>> device_mapping;  ///< device and new mapping
    std::optional<std::size_t> listen;  ///< start or stop listening for this device
    std::optional<Recentre> recentre;
    std::optional<std::uint64_t> look_at;  ///< show this frame again
    std::string film_ending;               ///< ".gif", ".mp4", or "/" for a folder of pictures
    std::string export_ending;             ///< ".stl", or another one that engine::write_mesh() knows
    bool restart = false, toggle_pause = false, step = false, dismiss_hint = false, frame_scene = false,
         save_hardest = false, rest_hands = false, continue_leftover = false, discard_leftover = false,
         turntable = false, save_scene = false, copy_scene = false, step_back = false, return_to_now = false,
         cancel_branch = false, cancel_build = false, close_lesson = false;
    bool ask_all = false, check_pairs = false, cancel_check = false, save_pair = false,
         save_difference = false, tumble = false, cancel_tumble = false, heat = false, cancel_heat = false;
    std::optional<std::size_t> save_heat_cell;
    bool keep_run = false, clear_run = false, export_csv = false, export_json = false;
    void clear() { *this = {}; }
};

/// An event; lists keep the newest last.
struct EventRow {
    double time = 0;  ///< simulated seconds
    SceneEvent::Kind kind{};
    std::string text;
};

/// The selected pair and the answer of a query about it.
struct Inspection {
    std::string title;  ///< "Bodies 12 and 31"; empty without a selection
    std::string text;   ///< Scene::describe_pick
    struct Row {
        std::string key, value;
    };
    std::vector<Row> rows;
    /// The algorithm's steps, if requested.
    struct Steps {
        std::size_t count = 0, shown = 0;  ///< `shown`: the drawn step, counted from 1
        bool is_cut = false;               ///< there were more steps than are kept
        bool moves = false;                ///< the pair has moved since the frame before
        std::vector<Row> rows;             ///< about the drawn step
    } steps;
    bool has_verdict = false;
    collision::Verdict verdict = collision::Verdict::undecided;
};

/// A label of the scene in pixels of the window.
struct ScreenLabel {
    float x = 0, y = 0;
    std::string text;
    Ink ink = Ink::witness;
    bool engraved = false;  ///< painted on its surface: logged for tests, not drawn again
};

/// A body's circle in the window, pixels. Chips avoid it.
struct ScreenDisc {
    float x = 0, y = 0, radius = 0;
    bool colliding = false;
};

/// The drawn part of the broad phase's structure.
struct StructureFigures {
    std::uint32_t levels = 0;
    std::size_t shown = 0, total = 0;
    bool waits = false;             ///< the requested boxes come with the next pass
    std::uint32_t most_loaded = 0;  ///< bodies in the fullest box, if loads are shown
};

/// The frames that the program can show again, and the one that it shows.
struct PastModel {
    std::uint64_t oldest = 0, newest = 0;  ///< frame numbers; 0: none yet
    const PastFrame* shown = nullptr;      ///< null: the program shows what is now
    /// Going back there: frames repeated, and frames to repeat; 0: not going back.
    std::uint64_t repeated = 0, to_repeat = 0;
};

/// What another thread builds or saves.
struct BuildModel {
    std::string title;  ///< empty: nothing
    double seconds = 0;
    const char* cancel_help = "";
    std::optional<collision::ParameterValues> parameters;  ///< of the scene when it is built
};

struct PanelModel {
    Session* session = nullptr;
    BuildModel build;
    PastModel past;
    /// Number, report and figures of the frame that the window shows.
    std::uint64_t frame() const { return past.shown ? past.shown->frame() : session->frame(); }
    const FrameReport& report() const { return past.shown ? past.shown->report : session->report(); }
    /// Of the scene, with those that wait for a build.
    const collision::ParameterValues& scene_parameters() const {
        return build.parameters ? *build.parameters : session->options().scene_parameters;
    }
    std::vector<Figure> figures() const {
        return past.shown ? past.shown->figures : session->figures(session->report().pass);
    }
    const FrameHistory* history = nullptr;
    const std::deque<EventRow>* events = nullptr;        ///< up to the shown frame
    const std::deque<EventRow>* strip_events = nullptr;  ///< of the time strip; null: the same
    const Inspection* inspection = nullptr;
    const ObjectReport* object = nullptr;  ///< the selected body; null while its rows are folded
    const ProbeReport* probe = nullptr;
    const AskAll* asked = nullptr;     ///< all algorithms about the selected pair
    const PairCheck* check = nullptr;  ///< all algorithms about every pair of a frame
    const TumbleSweep* tumble = nullptr;
    const HeatMap* heat = nullptr;
    std::span<const ScreenLabel> labels;
    std::span<const ScreenDisc> discs;
    std::span<const ViewInset> insets;
    std::span<const ViewInset> step_insets;      ///< of the algorithm's drawn step
    std::span<const ViewInset> interval_insets;  ///< of the broad phase
    StructureFigures structure;
    std::span<const Lesson> lessons;
    const engine::LogicalDevices* devices = nullptr;
    engine::NetworkFigures network;
    std::array<const engine::HandSourceInfo*, 2> hand_sources{};  ///< right, left; null without a source
    HeadsetFigures headset;
    std::string_view message;  ///< temporary message, "Saved ..."
    bool leftover = false;     ///< a pot of a program that did not end regularly can be continued
};

/// Mark and colour of a kind of event.
engine::Mark event_mark(SceneEvent::Kind kind);
engine::Colour event_colour(const engine::Theme& theme, SceneEvent::Kind kind);

/// Draws all panels; call it between Ui::begin and Ui::end. Clears `requests` first.
void draw_panels(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests);

}  // namespace claybox::app
