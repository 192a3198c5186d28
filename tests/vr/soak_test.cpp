// The whole program for a long time: scenes, strokes, switches, steps back, recordings, exports, and headset
// sessions that begin, end and are lost. CLAYBOX_SOAK_MINUTES=120 gives the time, CLAYBOX_SOAK_SEED another
// sequence; without it the run is short. `scripts/soak` starts the long one.

#include "tests/support/environment.hpp"
#include "tests/support/random_user.hpp"
#include "tests/vr/vr_fixture.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <execinfo.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <malloc.h>
#include <unistd.h>

namespace claybox::app {
namespace {

namespace fs = std::filesystem;
using test::number_from;

/// All threads share one arena from now on. malloc_trim() gives back nothing of the top of the other arenas,
/// up to 64 MB each: memory would seem to grow with the number of threads that ever ran at the same time.
void one_arena() {
    ::mallopt(M_ARENA_MAX, 1);
}

double resident_megabytes() {
    malloc_trim(0);
    std::ifstream file("/proc/self/statm");
    double all = 0, resident = 0;
    file >> all >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

/// On the heap. What is resident beyond that belongs to libraries, or to blocks that were freed.
double allocated_megabytes() {
    const auto info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd) / 1e6;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// A hand that wanders, and sessions that are lost or paused now and then.
std::vector<std::string> runtime_script(std::uint64_t frames) {
    std::vector<std::string> lines{head_line()};
    engine::HandPose pose;
    collision::Random random(5);
    for (std::uint64_t frame = 100; frame < frames; frame += 200) {
        pose.wrist = {random.uniform(-0.3, 0.3), random.uniform(1.0, 1.5), random.uniform(-0.5, -0.2)};
        lines.push_back(hand_line(static_cast<int>(frame), pose));
    }
    // Early and often: the short soak has few frames.
    for (std::uint64_t frame = 30; frame < frames; frame += 700)
        lines.push_back(Json{{"frame", frame}, {"session", "pause"}, {"polls", 5}}.dump());
    for (std::uint64_t frame = 50; frame < frames; frame += 700)
        lines.push_back(Json{{"frame", frame}, {"fault", "session_lost"}, {"call", "xrEndFrame"}}.dump());
    return lines;
}

/// What the user did, so that a soak that does nothing fails.
struct Deeds {
    std::uint64_t clicks = 0, scenes = 0, strokes = 0, recordings = 0, exports = 0, looks_back = 0,
                  sessions = 0;
};

/// Where a crash came from: the addresses are offsets in the program.
void print_trace(int signal) {
    void* addresses[64];
    backtrace_symbols_fd(addresses, backtrace(addresses, 64), STDERR_FILENO);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

class Soak : public VrTest {
  protected:
    using Clock = std::chrono::steady_clock;

    void SetUp() override {
        before_ = fs::current_path();
        folder_ = fs::path(testing::TempDir()) / ("claybox-soak-" + std::to_string(::getpid()));
        fs::create_directories(folder_ / "saves");
        // Stays small enough for a long visit (stay_small), and quick to draw without a graphics card.
        std::ofstream(folder_ / kPot)
            << "claybox_scene = 1\nscene = potter\npolygons = 8000\nbudget = 20000\n";
        fs::current_path(folder_);
        width_ = 900;
        height_ = 560;
        std::signal(SIGSEGV, print_trace);
        std::signal(SIGABRT, print_trace);
    }
    void TearDown() override {
        VrTest::TearDown();
        fs::current_path(before_);
        fs::remove_all(folder_);
    }
    double minutes() const { return std::chrono::duration<double>(Clock::now() - begin_).count() / 60; }

    void request(const std::function<void(PanelRequests&)>& fill) {
        PanelRequests requests;
        fill(requests);
        sandbox_->carry_out(requests);
    }
    void command(Command::Kind kind, std::string text) {
        sandbox_->carry_out(Command{kind, std::move(text)});
    }
    /// What a random user would find too rarely.
    void act_on_purpose(RandomUser& user) {
        const auto pick = [&](const auto& list) { return std::string(list[user.below(list.size())]->id); };
        switch (user.below(16)) {
            case 0:
                ++deeds_.scenes;
                if (user.below(2) == 0) return ui_->inject_drop((folder_ / kPot).string());
                return command(Command::Kind::scene, pick(scenes()));
            case 1:
                return command(Command::Kind::pair_algorithm, pick(collision::pair_algorithms()));
            case 2:
                return command(Command::Kind::broad_phase, pick(collision::broad_phases()));
            case 3:
                return request([&](PanelRequests& r) {
                    r.settings = sandbox_->session().settings();
                    r.settings->concurrent = user.below(2) == 0;
                    r.settings->workers = static_cast<unsigned>(user.below(3));
                });
            case 4: {
                const std::uint64_t oldest = sandbox_->past().oldest(), newest = sandbox_->past().newest();
                if (newest <= oldest) return;
                ++deeds_.looks_back;
                return request(
                    [&](PanelRequests& r) { r.look_at = oldest + user.below(newest - oldest + 1); });
            }
            case 5:
                return request([](PanelRequests& r) { r.step_back = true; });
            case 6:
                return request([](PanelRequests& r) { r.return_to_now = true; });
            case 7:  // a recording begins with its scene
                command(Command::Kind::scene, pick(scenes()));
                if (sandbox_->session().frame() > 0) return;
                deeds_.recordings += sandbox_->start_recording(folder_ / "soak.rec").ok() ? 1 : 0;
                return;
            case 8:
                return (void)sandbox_->finish_recording();
            case 9:
                return request([](PanelRequests& r) { r.export_ending = ".stl"; });
            case 10:
                sandbox_->state().headset.on = !sandbox_->state().headset.on;
                return;
            case 11:
                return request([](PanelRequests& r) { r.toggle_pause = true; });
            default:
                return shape_clay(user);
        }
    }
    /// Everything that keeps the mouse from the clay ends: the past, a pause, a headset, the probe, flying.
    void shape_clay(RandomUser& user) {
        request([](PanelRequests& r) {
            r.return_to_now = true;
            r.frame_scene = true;
        });
        PanelState& state = sandbox_->state();
        state.paused = state.headset.on = state.probe.on = state.fly = state.help = state.finder.open = false;
        state.hand = true;
        user.begin_stroke();
    }
    /// Strokes that Undo can take back, since the last call.
    void count_strokes() {
        double now = 0;
        for (const Figure& figure : sandbox_->session().scene().figures())
            if (figure.id == std::string_view("strokes")) now = figure.value;
        if (now > strokes_) deeds_.strokes += static_cast<std::uint64_t>(now - strokes_);
        strokes_ = now;
    }
    void stay_small() {
        const ExportMesh mesh = sandbox_->session().scene().export_mesh();
        const bool large = sandbox_->session().world().body_count() > 3000 ||
                           (mesh.positions != nullptr && mesh.positions->size() > 60000);
        if (large) rest();
    }
    /// The state in which memory is compared: a small scene, and nothing else.
    void rest() {
        sandbox_->state().headset.on = false;
        (void)sandbox_->finish_recording();
        command(Command::Kind::scene,
                sandbox_->session().descriptor().id == std::string("mobiles") ? "cage" : "mobiles");
        for (int i = 0; i < 30; ++i) turn();
        for (const auto& entry : fs::directory_iterator(folder_)) {
            const std::string ending = entry.path().extension().string();
            if (!entry.is_regular_file() || ending == ".scene" || ending == ".obj") continue;
            deeds_.exports += ending == ".stl" ? 1 : 0;
            fs::remove(entry.path());
        }
    }
    void check() {
        const engine::CameraData& camera = sandbox_->camera();
        ASSERT_TRUE(std::isfinite(camera.position.x + camera.position.y + camera.position.z));
        ASSERT_LE(sandbox_->past().bytes(), SceneHistory::kMaxBytes * 2);
    }
    void begin_program() {
        start("cage", script_);
        if (HasFatalFailure()) return;
        sandbox_->state().hidden = false;
        sandbox_->set_patience(0.25);
        sandbox_->start_autosave(folder_ / "saves");
    }
    /// After the random user has quit.
    void start_again() {
        VrTest::TearDown();
        begin_program();
        ++starts_;
    }

    static constexpr const char* kPot = "pot.scene";
    fs::path before_, folder_;
    std::vector<std::string> script_;
    std::uint64_t starts_ = 1;
    Deeds deeds_;
    double strokes_ = 0;  ///< of the clay that is on the wheel
    Clock::time_point begin_ = Clock::now();
};

TEST_F(Soak, the_whole_program_runs_without_fault_and_without_growth) {
    const double length = static_cast<double>(number_from("CLAYBOX_SOAK_MINUTES", 0));
    const bool is_long = length > 0;
    constexpr std::uint64_t kFramesOfRound = 1500, kShort = 400;
    constexpr double kFirst = 10;  // minutes, in which caches fill: three rounds or more
    script_ = runtime_script(is_long ? 1000000 : 1000);
    one_arena();
    begin_program();
    if (HasFatalFailure()) return;
    RandomUser user(number_from("CLAYBOX_SOAK_SEED", 1), width_, height_, folder_);
    std::vector<double> before, after;  // megabytes at rest, in and after the first minutes
    std::uint64_t frames = 0;
    bool running = false;
    do {
        for (std::uint64_t i = 0; i < (is_long ? kFramesOfRound : kShort); ++i) {
            user.act(*ui_);
            if (user.below(40) == 0) {
                count_strokes();
                act_on_purpose(user);
            }
            turn();
            ++frames;
            deeds_.clicks += ui_->input().pressed[0] ? 1 : 0;
            if (!std::exchange(running, headset_->figures().running) && running) ++deeds_.sessions;
            stay_small();
            check();
            if (sandbox_->wants_quit()) start_again();
            if (HasFatalFailure()) return;
        }
        rest();
        if (!is_long) break;
        (minutes() < kFirst || before.size() < 3 ? before : after).push_back(resident_megabytes());
        std::printf(
            "%.1f min, %llu frames, %llu starts, %llu headset sessions, %llu strokes, %llu exports, "
            "%.1f MB, %.1f of them in use\n",
            minutes(), static_cast<unsigned long long>(frames), static_cast<unsigned long long>(starts_),
            static_cast<unsigned long long>(deeds_.sessions), static_cast<unsigned long long>(deeds_.strokes),
            static_cast<unsigned long long>(deeds_.exports), resident_megabytes(), allocated_megabytes());
        std::fflush(stdout);
    } while (minutes() < length);
    EXPECT_GT(deeds_.sessions, 0u) << "no headset session began";
    EXPECT_GT(deeds_.clicks, 0u);
    if (!is_long) return;
    EXPECT_GT(deeds_.sessions, 10u) << "lost sessions did not open again";
    EXPECT_GT(deeds_.clicks, frames / 50);
    EXPECT_GT(deeds_.scenes, 0u);
    EXPECT_GT(deeds_.strokes, 0u);
    EXPECT_GT(deeds_.recordings, 0u);
    EXPECT_GT(deeds_.exports, 0u);
    EXPECT_GT(deeds_.looks_back, 0u);
    if (after.size() < 6) return;  // too short for a comparison
    const std::vector<double> newest(after.end() - static_cast<std::ptrdiff_t>(after.size() / 3),
                                     after.end());
    const std::vector<double> oldest(before.end() - static_cast<std::ptrdiff_t>(before.size() / 2),
                                     before.end());
    EXPECT_LT(median(newest), 1.1 * median(oldest) + 10) << "megabytes, against those after ten minutes";
}

}  // namespace
}  // namespace claybox::app
