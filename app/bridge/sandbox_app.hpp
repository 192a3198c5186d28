#pragma once
// The running sandbox: everything between the window and the session. With a window or, for tests, without
// one.

#include "app/bridge/bridge.hpp"
#include "app/bridge/event_feel.hpp"
#include "app/bridge/input_devices.hpp"
#include "app/bridge/inspect.hpp"
#include "app/bridge/room.hpp"
#include "app/bridge/settings.hpp"
#include "app/cli/cli.hpp"
#include "app/panels/model.hpp"
#include "app/session/recording.hpp"
#include "engine/audio/click_player.hpp"
#include "engine/hand/hand_keeper.hpp"
#include "engine/input/mouse_hand.hpp"
#include "engine/input/mouse_poke.hpp"
#include "engine/ui/offscreen_target.hpp"
#include "engine/ui/ui.hpp"

#include <functional>

namespace claybox::app {

/// One eye's picture: from where, and into what.
struct EyePicture {
    engine::EyeView view;
    glm::dvec3 position{0};  ///< room
    int width = 0, height = 0;
    unsigned framebuffer = 0, depth_format = 0;
};

/// One frame of a headset, as the sandbox needs it.
struct HeadsetView {
    std::array<engine::HandOffers, 2> hands;  ///< right, left; scene
    const RoomPlace* place = nullptr;
    const Boards* boards = nullptr;
    const BoardPointer::State* pointer = nullptr;
    std::array<BoardFinger, 2> fingers;        ///< room
    RoomPose head;                             ///< room
    double near_plane = 0.02, far_plane = 60;  ///< metres of the room
    const engine::OffscreenTarget* panels = nullptr;
    int panel_width = 0, panel_height = 0;
    std::array<EyePicture, 2> eyes;  ///< nothing is drawn where the framebuffer is 0
    double dt = 1.0 / 90;
};

class Sandbox {
  public:
    /// Needs a current context, and `renderer` and `ui` for its whole life.
    Sandbox(engine::Renderer& renderer, engine::Ui& ui, std::unique_ptr<Session> session,
            const Settings& settings, bool hints_wanted = true);

    /// One frame of the loop into `framebuffer`: input, steps, picture, panels. `dt` is the time since the
    /// last one.
    void frame(int width, int height, double dt, unsigned framebuffer);
    /// The same for a headset: panels into their picture, the scene into both eyes.
    void headset_frame(const HeadsetView& view);
    void set_headset(const HeadsetFigures& figures) { headset_ = figures; }
    /// Of the time since the last frame so many seconds were spent waiting for the headset.
    void waited(double seconds) { clock_.skip(times_, Stage::wait, seconds); }
    /// What the Headset card asks for since the last call.
    std::optional<Recentre> take_recentre() { return std::exchange(recentre_, std::nullopt); }
    /// Hands of other sources than the mouse for the steps to come: right, left; scene. The mouse drives the
    /// right one where no other has it.
    void offer_hands(const std::array<engine::HandOffers, 2>& hands) { offers_ = hands; }
    /// The room was put elsewhere in the scene: no hand goes the way from its old place to its new one.
    void leap_hands() {
        for (engine::HandKeeper& keeper : keepers_) keeper.leap();
    }
    /// What the hands of the last headset_frame() are to feel, left and right; once. Nothing while haptics
    /// are off.
    std::array<Buzz, 2> take_buzzes() { return std::exchange(buzzes_, {}); }
    /// For pictures in time: how finely the scene is drawn, of its full size.
    void set_picture_share(double share);
    /// The end of the frame, after the swap: closes its times.
    void finish_frame();

    PanelState& state() { return state_; }
    Session& session() { return *session_; }
    const FrameHistory& history() const { return history_; }
    const Inspection& inspection() const { return inspection_; }
    /// What the last picture showed of the scene.
    const SceneView& view() const { return bridge_.view(); }
    InputDevices& devices() { return devices_; }
    /// What to remember; the window's size is the caller's.
    Settings settings() const;
    /// A scale that holds for this run only: of the monitor, or from the command line.
    void use_scale(float scale) { wanted_scale_ = first_scale_ = scale; }
    std::string report();
    bool wants_quit() const { return quit_; }
    /// From now on as fine as with a graphics card, however long it takes.
    void draw_finely();
    /// True once after F12.
    bool take_screenshot_request() { return std::exchange(screenshot_, false); }
    void say(std::string message);
    /// Opens the sound device; false with a sentence in `why` where there is none.
    bool open_sound(std::string& why) { return clicks_.open(why); }
    /// From the first frame on; ends with the session: another scene or seed closes the file.
    collision::Status start_recording(const std::filesystem::path& file);
    /// Puts the recording in its place; nothing when none runs.
    collision::Status finish_recording();
    /// Carries out what panels, keys or a scene ask for.
    void carry_out(const PanelRequests& requests);
    void carry_out(const Command& command);
    /// Counts the frame's time in the stage that has just run.
    void lap(Stage stage);
    const std::deque<EventRow>& events() const { return events_; }
    void select(std::uint32_t pick, bool second);

  private:
    // sandbox_input.cpp
    void handle_devices();
    void edit_devices(const PanelRequests& requests);
    void remap(std::size_t device, std::string_view mapping);
    void act(KeyAction action);
    std::string key_of(std::string_view device) const { return first_key(&devices_.logical(), device); }
    void act_on_session(KeyAction action);
    void move_camera(double dt);
    void turn_camera();
    void click();
    bool hand_active() const;
    void take_clicks();
    bool on_scene(float x, float y) const;
    void point_hand(float x, float y);
    std::optional<engine::HandState> mouse_hand(bool first_step);
    RoomPlace place_of_tracked_hands() const;
    void rest_hands_here();
    void offer_logical_hands();
    std::array<HandInput, 2> hands(bool first_step);
    std::array<HandInput, 2> newest_hands() const;
    // sandbox_headset.cpp
    void add_boards(const HeadsetView& view);
    void add_pointers(const HeadsetView& view);
    void add_signs(const HeadsetView& view);
    void draw_eyes(const HeadsetView& view);
    void draw_boards(const HeadsetView& view);
    // sandbox_app.cpp
    void update_layout(int width, int height);
    void step_session(double dt);
    void one_step(bool first);
    void collect_output();
    void answer(const SceneEvent& event);
    void choose_of_program(const std::string& text);
    void draw(unsigned framebuffer);
    void adapt_resolution();
    PanelModel model();
    void adopt(std::unique_ptr<Session> session);
    void take_drops();
    void fly_meshes(const std::vector<std::string>& files);
    /// Goes over to a session of these options; when there is none, says why and stays.
    void replace_session(const SessionOptions& options);
    /// "cage", or "cage speed=3 bodies=12".
    void switch_scene(const std::string& text);
    void rebuild();
    void set_parameter(std::size_t index, double value);
    /// Builds the scene; when that will be felt, after a picture that says so.
    void build(double expected_seconds, std::function<void()> work);
    void build_now(const std::function<void()>& work);
    void build_announced();
    void export_clay(const std::string& ending);
    void save_hardest_pair();
    void hint_done();
    void say_when_it_counts();
    void note(const collision::Status& status);

    engine::Renderer& renderer_;
    engine::Ui& ui_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<Recorder> recorder_;
    Bridge bridge_;
    Inspector inspector_;
    Camera camera_;
    PanelState state_;
    PanelRequests requests_;
    FrameHistory history_;
    std::deque<EventRow> events_;
    Inspection inspection_;
    engine::ClickPlayer clicks_;
    std::vector<std::uint32_t> pending_actions_;
    std::set<std::string> hints_seen_;
    bool hints_wanted_;

    InputDevices devices_;
    std::array<engine::HandOffers, 2> offers_;
    std::array<engine::HandKeeper, 2> keepers_;
    bool in_headset_ = false;
    int board_age_ = 0;  ///< frames since the boards' picture was drawn
    HeadsetFigures headset_;
    std::array<Buzz, 2> buzzes_;  ///< by Side
    std::optional<Recentre> recentre_;
    /// The forefinger's end, in the room of tracked hands, that is where that of each scene's hand rests.
    std::optional<glm::dvec3> hands_rest_at_;
    engine::MouseHand mouse_hand_;
    engine::MouseHandInput hand_input_;
    engine::MousePoke poke_;
    float press_x_ = 0, press_y_ = 0, travelled_ = 0;
    bool press_on_scene_ = false;

    int width_ = 0, height_ = 0;
    float wanted_scale_ = 1, first_scale_ = 1;
    double saved_scale_ = 0;  ///< stays as it was, 0 for the monitor's, until somebody changes the scale
    FreeArea area_;
    engine::CameraData view_camera_;
    double accumulator_ = 0;
    std::uint32_t selected_ = collision::kNoIndex, partner_ = collision::kNoIndex;
    std::string message_;
    double message_until_ = 0;
    bool quit_ = false, screenshot_ = false;
    std::function<void()> waiting_build_;
    int pictures_before_build_ = 0;
    double build_seconds_ = 0.1;  ///< of the last build; before the first a guess

    bool software_ = false;  ///< OpenGL is emulated: the picture is made as fine as time allows
    float resolution_ = 1;
    int slow_ = 0, quick_ = 0;  ///< frames in a row that took long, that left time

    LapClock clock_;
    FrameTimes times_;
    double frame_start_ = -1;
};

}  // namespace claybox::app
