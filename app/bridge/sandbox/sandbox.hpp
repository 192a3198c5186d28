#pragma once
// The running sandbox: everything between the window and the session. Tests use it without a window.

#include "app/bridge/devices/event_feedback.hpp"
#include "app/bridge/devices/input_devices.hpp"
#include "app/bridge/devices/steady_hand.hpp"
#include "app/bridge/edit/object_report.hpp"
#include "app/bridge/edit/probe.hpp"
#include "app/bridge/headset/room.hpp"
#include "app/bridge/inspect/inspector.hpp"
#include "app/bridge/pictures/clip.hpp"
#include "app/bridge/pictures/turntable.hpp"
#include "app/bridge/view/bridge.hpp"
#include "app/cli/cli.hpp"
#include "app/cli/files/lesson_file.hpp"
#include "app/cli/files/settings_file.hpp"
#include "app/panels/model.hpp"
#include "app/session/autosave/autosave.hpp"
#include "app/session/background_build.hpp"
#include "app/session/history/branch.hpp"
#include "engine/audio/click_player.hpp"
#include "engine/hand/hand_selector.hpp"
#include "engine/input/sources/mouse_hand.hpp"
#include "engine/input/sources/mouse_poke.hpp"
#include "engine/ui/offscreen_target.hpp"
#include "engine/ui/ui.hpp"

#include <functional>
#include <optional>

namespace claybox::app {

/// The viewpoint and the framebuffer of one eye.
struct EyeTarget {
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
    std::array<EyeTarget, 2> eyes;  ///< a framebuffer 0 is skipped
    double dt = 1.0 / 90;
};

class Sandbox {
  public:
    /// Needs a current OpenGL context; `renderer` and `ui` must outlive it.
    Sandbox(engine::Renderer& renderer, engine::Ui& ui, std::unique_ptr<Session> session,
            const Settings& settings, bool hints_wanted = true);

    /// Runs one frame of the main loop and draws it into `framebuffer`: input, steps, scene, panels. Without
    /// a framebuffer nobody looks at the frame, so nothing is drawn. `dt`: seconds since the last frame.
    void frame(int width, int height, double dt, std::optional<unsigned> framebuffer);
    /// The same for a headset: draws the panels into their own picture and the scene for both eyes.
    void headset_frame(const HeadsetView& view);
    void set_headset(const HeadsetFigures& figures) { headset_ = figures; }
    /// Counts `seconds` of this frame as waiting for the headset.
    void waited(double seconds) { clock_.skip(times_, Stage::wait, seconds); }
    /// The recentring requested since the last call.
    std::optional<Recentre> take_recentre() { return std::exchange(recentre_, std::nullopt); }
    /// Sets the hands of sources other than the mouse for the next steps: right, left; scene coordinates.
    /// Without them, the mouse drives the right hand.
    void offer_hands(const std::array<engine::HandOffers, 2>& hands) { offers_ = hands; }
    /// Call it when the room has moved in the scene: hands jump to their new place instead of sweeping there.
    void leap_hands() {
        for (engine::HandSelector& selector : hand_selectors_) selector.note_jump();
    }
    /// Vibrations for the hands of the last headset_frame(), left and right; cleared by the call. None while
    /// haptics are off.
    std::array<Buzz, 2> take_buzzes() { return std::exchange(buzzes_, {}); }
    /// Sets the resolution of the scene relative to its full size, to keep frames on time.
    void set_resolution_share(double share);
    /// Ends the frame's time measurement; call it after the swap.
    void finish_frame();
    /// Whether the next frame would show the same, as nothing has happened for a second: the caller may wait
    /// for the next event. Call it between two frames.
    bool may_sleep() const;
    /// How long a frame waits for a new build before it goes on without the result, seconds. Negative:
    /// results are not used until the next call, for tests.
    void set_patience(double seconds) { patience_ = seconds; }
    bool is_building() const { return build_.running(); }
    bool is_saving() const { return save_.running(); }
    /// Call it before the first frame after a wait: the wait belongs to no frame.
    void wake();

    PanelState& state() { return state_; }
    Session& session() { return *session_; }
    /// The session's options with its present settings.
    SessionOptions current_options() const;
    const FrameHistory& history() const { return history_; }
    void set_display_interval(double seconds) { history_.set_display_interval(seconds); }
    const Inspection& inspection() const { return inspection_; }
    const ObjectReport& object() const { return object_; }
    const ProbeReport& probed() const { return probed_; }
    /// Of the last frame.
    const engine::CameraData& camera() const { return view_camera_; }
    const std::vector<ScreenLabel>& labels() const { return bridge_.labels(); }
    AskAll& asked() { return asked_; }
    PairCheck& check() { return check_; }
    TumbleSweep& tumble() { return tumble_; }
    HeatMap& heat() { return heat_; }
    /// The scene's view in the last frame.
    const SceneView& view() const { return bridge_.view(); }
    InputDevices& devices() { return devices_; }
    /// The settings to save; the caller adds the window's size.
    Settings settings() const;
    /// Sets a scale for this run only, from the monitor or the command line.
    void use_scale(float scale) { wanted_scale_ = first_scale_ = scale; }
    std::string report();
    bool wants_quit() const { return quit_; }
    /// Draws at full quality from now on, however long it takes.
    void draw_finely();
    /// True once after F12.
    bool take_screenshot_request() { return std::exchange(screenshot_, false); }
    /// Shows a message for some seconds.
    void show_message(std::string message);
    /// Opens the sound device; false with a sentence in `why` if that fails.
    bool open_sound(std::string& why) { return clicks_.open(why); }
    /// Starts a recording before the first frame. Another scene or seed starts a file of its own beside this
    /// one, with "-2" and so on in its name.
    collision::Status start_recording(const std::filesystem::path& file);
    /// Finishes the recording, if one is running.
    collision::Status finish_recording();
    /// Saves the clay into this folder from now on, and offers what dead programs left there.
    void start_autosave(const std::filesystem::path& folder);
    /// The regular end: nothing is left to offer. Without it the file stays.
    void finish_autosave();
    /// Executes requests of panels, keys or the scene.
    void carry_out(const PanelRequests& requests);
    void carry_out(const Command& command);
    /// Counts the time since the last call for this stage.
    void lap(Stage stage);
    const std::deque<EventRow>& events() const { return events_; }
    const SceneHistory& past() const { return past_; }
    /// The past frame that is shown; empty while the program shows what is now.
    std::optional<std::uint64_t> looking_at() const { return looking_; }
    bool going_back() const { return branch_ != nullptr; }
    void select(std::uint32_t pick, bool second);

  private:
    // sandbox_input.cpp
    void handle_devices();
    void edit_devices(const PanelRequests& requests);
    void remap(std::size_t device, std::string_view mapping);
    void act(KeyAction action);
    void show_keys_on_hold(double dt);
    std::string key_of(std::string_view device) const { return first_key(&devices_.logical(), device); }
    void act_on_session(KeyAction action);
    void act_on_scene(std::string_view title, const char* otherwise);
    void move_camera(double dt);
    void turn_camera();
    void click();
    /// The keys that select bodies.
    void choose_body(KeyAction action);
    void ask_for_body();
    bool hand_active() const;
    void take_clicks();
    bool on_scene(float x, float y) const;
    void point_hand(float x, float y);
    void keep_idle_hand_in_front();
    engine::PointerPlace steady_pointer(const engine::PointerPlace& at, bool pressing);
    HandMoment hand_moment(std::size_t side) const;
    std::optional<engine::HandState> mouse_hand(bool first_step);
    RoomPlace place_of_tracked_hands() const;
    void rest_hands_here();
    void offer_logical_hands();
    std::array<HandInput, 2> hands(bool first_step);
    std::array<HandInput, 2> newest_hands() const;
    // edit/sandbox_edit.cpp
    EditSupport editable() const;
    bool refuse_edit(const char* what);
    collision::Vec3d free_place(const collision::Vec3d& wanted, double radius) const;
    void add_body(std::string shape, double size);
    void edit(EditRequest request);
    void drag_bodies();
    void drag_with_keys(double dt);
    double axis(const char* device) const;
    void end_drag(BodyEdit::Kind how);
    bool was_dragged() const;
    void add_edits(StepInput& input, bool frozen);
    bool edits_wait() const;
    void forget_edits();
    void report_bodies(const ViewSetup& setup);
    ProbeAim probe_aim() const;
    // sandbox_sleep.cpp
    bool has_work() const;
    bool feels_input() const;
    bool picture_rests();
    void watch_for_rest();
    // sandbox_keys.cpp
    void enter_scope();
    void act_on_scene_key(std::string_view device, bool down);
    void release_swap();
    const SceneKey* wheel_key() const;
    void turn_wheel_key(const SceneKey& key, double notches);
    void apply_change(const ParameterChange& change);
    // sandbox_lesson.cpp
    void start_lesson(std::size_t number);
    void show_lesson(std::size_t number);
    void pause_for_lesson();
    void open_lesson(const std::string& file);
    // sandbox_autosave.cpp
    void keep_clay();
    void continue_leftover();
    void discard_leftover();
    // sandbox_rewind.cpp
    void begin_run();
    void keep_frame();
    void look_at(std::uint64_t frame);
    void step_back();
    void step_on();
    void repeat_step_keys(double dt);
    void toggle_pause();
    void leave_past();
    void return_to_now();
    void gather_kept_events();
    void start_branch();
    void advance_branch();
    void finish_branch();
    void add_changes_of_the_past(const collision::WorldSettings& settings,
                                 const collision::ParameterValues& values, const ChangeWatch& before);
    bool refuse_in_past(const char* what);
    void build_picture(const ViewOptions& options, const ViewSetup& setup);
    PastModel past_model() const;
    // sandbox_headset.cpp
    void add_boards(const HeadsetView& view);
    void add_pointers(const HeadsetView& view);
    void add_signs(const HeadsetView& view);
    void draw_eyes(const HeadsetView& view);
    void draw_boards(const HeadsetView& view);
    // sandbox.cpp
    void update_layout(int width, int height);
    void step_session(double dt);
    void one_step(bool first, bool frozen = false);
    void collect_output();
    void give_feedback(const SceneEvent& event);
    void set_program_choice(const std::string& text);
    void draw(unsigned framebuffer);
    void adapt_resolution();
    PanelModel model();
    void record_next();
    void forget_hands();
    void remember_meshes();
    // sandbox_scenes.cpp
    /// Starts the work beside the frames. If it ends soon, its result is used at once.
    void build(std::string title, BackgroundBuild::Work work);
    void use_build();
    bool cancel_build();
    collision::ParameterValues parameters_with_build() const;
    void adopt(std::unique_ptr<Session> session);
    void take_drops();
    void use_meshes(std::vector<std::string> files);
    /// Switches to a new session; if it cannot be created, shows the error and keeps the current one.
    void replace_session(const SessionOptions& options, const std::function<void()>& then = {});
    void use_session(std::unique_ptr<Session> session);
    /// `text`: "cage", or "cage speed=3 bodies=12".
    void switch_scene(const std::string& text);
    void rebuild();
    void set_parameter(std::size_t index, double value);
    void set_parameter(const std::string& text);  ///< "name=value"
    void add_mesh_bodies(const std::vector<std::string>& files);
    void add_mesh_body(const collision::ShapePtr& mesh, const std::string& file);
    void open_scene(const std::filesystem::path& file);
    void export_clay(const std::string& ending);
    // sandbox_pictures.cpp
    void start_turntable();
    void continue_turntable();
    void start_film(const std::string& ending);
    void continue_film();
    void save_hardest_pair();
    SessionOptions shared_options() const;
    void save_scene();
    void copy_scene();
    // sandbox_compare.cpp
    void compare();
    void carry_out_comparisons(const PanelRequests& requests);
    void compare_by_key(KeyAction action);
    void ask_all();
    void start_heat_map();
    void finish_heat_map();
    void finish_check();
    void save_subject(const PairSubject& subject, std::span<const AlgorithmAnswer> answers);
    void export_times(const char* ending);
    FrameCounts counts_of_pass() const;
    void complete_hint();
    void announce_delayed_effect();
    void show_error(const collision::Status& status);
    void show_exhausted_memory(const std::string& title);
    void watch_opengl();
    void show_file_error(collision::Error error);

    engine::Renderer& renderer_;
    engine::Ui& ui_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<Recorder> recorder_;
    std::vector<std::filesystem::path> recorded_;  ///< files so far; the last one belongs to recorder_
    std::unique_ptr<Autosave> autosave_;
    std::vector<Leftover> leftovers_;  ///< newest first
    /// The user's meshes of other scenes, by the scene's id: each scene places them in its own way.
    std::map<std::string, std::vector<collision::ShapePtr>> meshes_of_;
    std::map<std::string, std::vector<std::string>> mesh_files_of_;
    std::map<std::string, std::vector<PlacedBody>> bodies_of_;  ///< of scenes that were left with edits
    Bridge bridge_;
    Inspector inspector_;
    ObjectDescriber describer_;
    ObjectReport object_;
    Probe probe_;
    ProbeReport probed_;
    SceneView probe_marks_;
    AskAll asked_;
    PairCheck check_;
    TumbleSweep tumble_;
    HeatMap heat_;
    std::vector<ViewInset> intervals_;  ///< of the broad phase, if shown
    Camera camera_;
    PanelState state_;
    PanelRequests requests_;
    FrameHistory history_;
    std::deque<EventRow> events_;
    InputLog log_;
    SceneHistory past_;
    std::uint64_t builds_ = 0;              ///< Session::builds() of the run that log_ and past_ keep
    std::optional<std::uint64_t> looking_;  ///< number of the past frame that is shown
    ShownMeshes shown_meshes_;
    ViewOptions past_options_;                        ///< of the last picture of the past
    std::deque<EventRow> kept_events_, past_events_;  ///< of all kept frames; up to the shown one
    std::unique_ptr<Branch> branch_;                  ///< while the run is repeated up to the shown frame
    double help_held_ = 0, control_held_ = 0;         ///< seconds that F1 and Ctrl have been down
    double step_held_ = 0;                            ///< seconds that a key for steps has been down
    Inspection inspection_;
    engine::ClickPlayer clicks_;
    std::vector<std::uint32_t> pending_actions_;
    std::vector<Lesson> lessons_ = lessons();  ///< those of the assets folder, then the user's own
    std::uint64_t lesson_pause_ = 0;           ///< frame after which the lesson pauses; 0: none
    std::vector<BodyEdit> pending_edits_;
    PointerDrag drag_;
    collision::Pose sent_drag_;                       ///< of the drag, in the last step
    bool keys_drag_ = false;                          ///< the drag follows the keys, not the mouse
    bool put_down_ = false;                           ///< the next step ends a drag that was interrupted
    std::uint32_t press_body_ = collision::kNoIndex;  ///< on which the left button went down
    bool select_newest_ = false;                      ///< after the next step: the body that it adds
    std::set<std::string> hints_seen_;
    bool hints_wanted_;

    InputDevices devices_;
    std::array<engine::HandOffers, 2> offers_;
    std::array<engine::HandSelector, 2> hand_selectors_;
    std::array<SteadyHand, 2> steady_hands_;
    engine::StrokeLead pointer_lead_;  ///< of the mouse, pixels
    /// While a key of Kind::swap is held: the parameter's value before, and the one that the key has set.
    struct Swap {
        const SceneDescriptor* scene = nullptr;
        std::string device;
        std::size_t index = 0;
        double before = 0, during = 0;
    };
    std::optional<Swap> swap_;
    bool in_headset_ = false;
    int board_age_ = 0;  ///< frames since the panels' picture was drawn
    HeadsetFigures headset_;
    std::array<Buzz, 2> buzzes_;  ///< index: Side
    std::optional<Recentre> recentre_;
    /// The forefinger's tip, in the room of tracked hands, that maps to the rest position of each scene's
    /// hand.
    std::optional<glm::dvec3> hands_rest_at_;
    engine::MouseHand mouse_hand_;
    engine::MouseHandInput hand_input_;
    engine::MousePoke poke_;
    float press_x_ = 0, press_y_ = 0, travelled_ = 0;
    bool press_on_scene_ = false;

    int width_ = 0, height_ = 0;
    float wanted_scale_ = 1, first_scale_ = 1;
    double saved_scale_ = 0;  ///< the saved scale, 0 for the monitor's; kept until the user changes the scale
    FreeArea area_;
    engine::CameraData view_camera_;
    double accumulator_ = 0;
    std::uint32_t selected_ = collision::kNoIndex, partner_ = collision::kNoIndex;
    std::string message_;
    double message_until_ = 0;
    double next_opengl_check_ = 0;
    bool opengl_failed_ = false;  ///< and was reported
    bool quit_ = false, screenshot_ = false;
    std::unique_ptr<Turntable> turntable_;  ///< while its pictures are drawn
    std::unique_ptr<Clip> film_;            ///< while its pictures are drawn; the scene waits
    BackgroundBuild build_, save_;
    double patience_ = 0.25;  ///< seconds that a frame waits for a build
    /// The scene's parameters after the running build, if it is about them.
    std::optional<collision::ParameterValues> building_;

    bool software_ = false;  ///< OpenGL is emulated: the resolution adapts to the frame time
    float resolution_ = 1;
    int slow_ = 0, quick_ = 0;  ///< slow and quick frames in a row

    SceneView resting_;      ///< of a scene that waits, in the frame before
    double busy_until_ = 0;  ///< seconds: when something last happened

    LapClock clock_;
    FrameTimes times_;
    double frame_start_ = -1;
};

}  // namespace claybox::app
