// Autosaved clay: whole at every moment, at most five seconds old after kill -9, gone after a regular end.

#include "app/session/autosave/autosave.hpp"

#include "collision/core/random.hpp"
#include "engine/assets/mesh_file.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <limits>
#include <set>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace claybox::app {
namespace {

namespace fs = std::filesystem;

constexpr double kStep = 1.0 / 60;

class AutosaveTest : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("claybox-autosave-" + std::to_string(getpid()));
        fs::remove_all(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    static std::unique_ptr<Session> potter(double polygons = 2000) {
        SessionOptions options = options_for("potter");
        set(options, "polygons", polygons);
        set(options, "speed", 40);  // a faster wheel soon leaves nothing for the hand to change
        return start(options);
    }
    /// The hand of the script, again and again.
    static void step(Session& session) {
        constexpr std::uint64_t kScript = 280;
        StepInput input;
        input.hand[0] = scripted_hand(session.scene(), 1 + session.frame() % kScript);
        session.step(input);
    }
    void frames(Session& session, Autosave& autosave, int count) {
        for (int i = 0; i < count; ++i) {
            step(session);
            autosave.frame(session, now_ += kStep);
        }
    }
    /// Goes on until the file is written: some frames, as many as the disk needs.
    void wait_until_saved(Session& session, Autosave& autosave) {
        const auto before = modified(autosave.file());
        for (int i = 0; i < 20000 && modified(autosave.file()) == before; ++i) {
            frames(session, autosave, 1);
            usleep(1000);
        }
        ASSERT_NE(modified(autosave.file()), before);
    }
    static fs::file_time_type modified(const fs::path& file) {
        std::error_code code;
        return fs::last_write_time(file, code);
    }
    std::size_t files() const {
        std::error_code code;
        const fs::directory_iterator list(folder_, code);
        return code ? 0 : static_cast<std::size_t>(std::distance(begin(list), end(list)));
    }
    static std::uint64_t hash(const void* data, std::size_t size) {
        std::uint64_t out = 14695981039346656037u;
        for (std::size_t i = 0; i < size; ++i)
            out = (out ^ static_cast<const unsigned char*>(data)[i]) * 1099511628211u;
        return out;
    }
    static std::uint64_t clay_hash(const Session& session) {
        const auto& p = session.scene().clay_surface()->positions();
        return hash(p.data(), p.size() * sizeof p[0]);
    }
    static std::uint64_t file_hash(const fs::path& file) {
        engine::FileMesh mesh;
        engine::FileError error;
        EXPECT_TRUE(engine::read_mesh(file, mesh, error)) << error.message;
        return hash(mesh.positions.data(), mesh.positions.size() * sizeof(float));
    }

    fs::path folder_;
    double now_ = 0;
};

TEST_F(AutosaveTest, untouched_clay_is_not_saved_and_a_stroke_is) {
    auto session = potter();
    Autosave autosave(folder_, true);
    frames(*session, autosave, 30);
    EXPECT_EQ(files(), 0u) << "the hand has not touched the clay yet";
    frames(*session, autosave, 300);
    EXPECT_EQ(files(), 2u) << "the pot and its lock";
    autosave.finish();
    EXPECT_EQ(files(), 0u) << "a regular end";
}

TEST_F(AutosaveTest, the_file_is_the_clay_bit_for_bit) {
    auto session = potter();
    Autosave autosave(folder_, true);
    std::set<std::uint64_t> states;
    for (int i = 0; i < 600; ++i) {
        frames(*session, autosave, 1);
        states.insert(clay_hash(*session));
        if (i % 100 != 99 || !fs::exists(autosave.file())) continue;
        EXPECT_TRUE(states.contains(file_hash(autosave.file()))) << i;
    }
    EXPECT_TRUE(fs::exists(autosave.file()));
}

TEST_F(AutosaveTest, a_scene_without_clay_saves_nothing) {
    SessionOptions options = options_for("cage");
    set(options, "bodies", 10);
    auto session = start(options);
    Autosave autosave(folder_, true);
    for (int i = 0; i < 10; ++i) {
        session->step({});
        autosave.frame(*session, now_ += 1);
    }
    EXPECT_EQ(files(), 0u);
}

TEST_F(AutosaveTest, savings_have_a_distance) {
    auto session = potter();
    Autosave autosave(folder_, true);
    std::set<fs::file_time_type> times;
    frames(*session, autosave, 60);
    for (int i = 0; i < 600; ++i) {
        frames(*session, autosave, 1);
        if (fs::exists(autosave.file())) times.insert(modified(autosave.file()));
    }
    EXPECT_GE(times.size(), 2u);
    EXPECT_LE(times.size(), 5u) << "10 seconds of work";
}

TEST_F(AutosaveTest, a_frame_never_waits_for_the_disk) {
    auto session = potter();
    Autosave autosave(folder_);
    fs::create_directories(folder_);
    // Opening a pipe waits for its reader: a very slow disk.
    ASSERT_EQ(mkfifo(autosave.file().c_str(), 0600), 0);
    frames(*session, autosave, 900);
    EXPECT_EQ(session->frame(), 900u) << "all frames ran while the writer waits";
    EXPECT_TRUE(fs::is_fifo(autosave.file()));
    std::ifstream reader(autosave.file(), std::ios::binary);
    std::string head(3, ' ');
    reader.read(head.data(), 3);
    EXPECT_EQ(head, "ply");
    reader.ignore(std::numeric_limits<std::streamsize>::max());
}

TEST_F(AutosaveTest, a_folder_that_cannot_be_written_is_reported_once_and_saving_goes_on_later) {
    auto session = potter();
    std::ofstream(folder_) << "a file where the folder should be";
    Autosave autosave(folder_, true);
    std::vector<std::string> problems;
    const auto run = [&](int count) {
        for (int i = 0; i < count; ++i) {
            frames(*session, autosave, 1);
            if (std::string p = autosave.take_problem(); !p.empty()) problems.push_back(std::move(p));
        }
    };
    run(1200);
    ASSERT_EQ(problems.size(), 1u) << "20 seconds with several attempts";
    EXPECT_NE(problems[0].find("not saved automatically"), std::string::npos) << problems[0];
    fs::remove(folder_);
    run(600);
    EXPECT_TRUE(fs::exists(autosave.file())) << "the folder is made when it is possible";
    fs::remove_all(folder_);
    run(600);
    EXPECT_TRUE(fs::exists(autosave.file()) && fs::exists(lock_file_of(autosave.file())))
        << "someone has deleted it";
    EXPECT_EQ(problems.size(), 1u);
}

TEST_F(AutosaveTest, a_full_disk_is_reported_once_and_keeps_the_last_whole_file) {
    fs::create_directories(folder_);
    if (mount("claybox-test", folder_.c_str(), "tmpfs", 0, "size=512k") != 0)
        GTEST_SKIP() << "no small file system: " << std::strerror(errno);
    struct Unmount {
        const fs::path& folder;
        ~Unmount() { umount2(folder.c_str(), MNT_DETACH); }
    } unmount{folder_};
    auto session = potter();
    const auto detail = collision::find_parameter(session->descriptor().parameters, "detail");
    ASSERT_TRUE(session->set_parameter(detail, 0).ok());  // the clay must not outgrow the disk
    Autosave autosave(folder_, true);
    frames(*session, autosave, 200);
    ASSERT_TRUE(fs::exists(autosave.file())) << autosave.take_problem();
    const std::uint64_t whole = file_hash(autosave.file());
    {
        std::ofstream filler(folder_ / "filler", std::ios::binary);
        filler << std::string(1 << 20, 'x') << std::flush;
    }
    std::size_t problems = 0;
    for (int i = 0; i < 900; ++i) {
        frames(*session, autosave, 1);
        const std::string problem = autosave.take_problem();
        problems += !problem.empty();
        EXPECT_TRUE(problem.empty() || problem.find("No space left") != std::string::npos) << problem;
    }
    EXPECT_EQ(problems, 1u);
    EXPECT_EQ(file_hash(autosave.file()), whole);
    EXPECT_EQ(files(), 3u) << "the pot, its lock and the filler: no torn file";
    fs::remove(folder_ / "filler");
    frames(*session, autosave, 600);
    EXPECT_NE(file_hash(autosave.file()), whole) << "it is saved again";
}

TEST_F(AutosaveTest, a_leftover_is_found_after_its_program_and_not_before) {
    auto session = potter();
    {
        Autosave autosave(folder_, true);
        frames(*session, autosave, 330);
        ASSERT_TRUE(fs::exists(autosave.file()));
        EXPECT_TRUE(find_leftovers(folder_).empty()) << "its program lives";
    }
    std::ofstream(folder_ / "pot-1-1.ply.new9-1") << "torn";
    std::ofstream(folder_ / "pot-2-2.ply.lock") << "";
    std::ofstream(folder_ / "letter.txt") << "not ours";
    {
        std::vector<Leftover> found = find_leftovers(folder_);
        ASSERT_EQ(found.size(), 1u);
        EXPECT_TRUE(find_leftovers(folder_).empty()) << "one window offers it";
        EXPECT_EQ(files(), 3u) << "the pot, its lock and the letter";
    }
    std::vector<Leftover> again = find_leftovers(folder_);
    ASSERT_EQ(again.size(), 1u) << "that window closed without an answer";
    again[0].remove();
    EXPECT_EQ(files(), 1u);
    EXPECT_TRUE(find_leftovers(folder_ / "absent").empty());
}

TEST_F(AutosaveTest, a_leftover_stays_until_the_pot_is_saved_again) {
    auto session = potter();
    {
        Autosave dead(folder_, true);
        frames(*session, dead, 330);
    }
    std::vector<Leftover> found = find_leftovers(folder_);
    ASSERT_EQ(found.size(), 1u);
    const fs::path old = found[0].file;
    Autosave autosave(folder_);
    autosave.take_over(*session, std::move(found[0]));
    EXPECT_TRUE(fs::exists(old));
    // The clay has not changed since, and is saved all the same.
    const std::uint64_t now = clay_hash(*session);
    for (int i = 0; i < 20000 && (fs::exists(old) || files() != 2); ++i) {
        autosave.frame(*session, now_ += kStep);
        usleep(1000);
    }
    EXPECT_FALSE(fs::exists(old));
    EXPECT_EQ(file_hash(autosave.file()), now);
    EXPECT_EQ(files(), 2u);
}

TEST_F(AutosaveTest, a_leftover_stays_if_another_clay_comes_first) {
    auto session = potter();
    {
        Autosave dead(folder_, true);
        frames(*session, dead, 330);
    }
    std::vector<Leftover> found = find_leftovers(folder_);
    ASSERT_EQ(found.size(), 1u);
    const fs::path old = found[0].file;
    {
        Autosave autosave(folder_, true);
        autosave.take_over(*session, std::move(found[0]));
        ASSERT_TRUE(session->rebuild().ok());
        frames(*session, autosave, 400);
        EXPECT_TRUE(fs::exists(old));
        autosave.finish();
    }
    EXPECT_EQ(find_leftovers(folder_).size(), 1u);
}

TEST_F(AutosaveTest, a_rebuilt_clay_is_saved_when_it_changes) {
    auto session = potter();
    Autosave autosave(folder_, true);
    frames(*session, autosave, 330);
    const std::uint64_t first = file_hash(autosave.file());
    ASSERT_TRUE(session->rebuild().ok());
    autosave.frame(*session, now_ += 10);
    autosave.frame(*session, now_ += 10);
    EXPECT_EQ(file_hash(autosave.file()), first) << "a new clay is no work";
    wait_until_saved(*session, autosave);
    EXPECT_NE(file_hash(autosave.file()), first);
}

/// Shared with the program that is killed.
struct Progress {
    volatile std::uint64_t frame;
};

TEST_F(AutosaveTest, killed_at_any_moment_it_loses_at_most_five_seconds) {
    constexpr int kKills = 6;
    constexpr std::uint64_t kFrames = 700, kMostLost = 5 * 60;
    std::vector<std::uint64_t> state;  // of each frame
    {
        auto session = potter();
        state.push_back(clay_hash(*session));
        for (std::uint64_t i = 0; i < kFrames + 200; ++i) {
            step(*session);
            state.push_back(clay_hash(*session));
        }
    }
    const std::uint64_t first_change = static_cast<std::uint64_t>(
        std::find_if(state.begin(), state.end(), [&](std::uint64_t s) { return s != state[0]; }) -
        state.begin());
    ASSERT_LT(first_change, kFrames / 2);
    auto* progress = static_cast<Progress*>(
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(progress, MAP_FAILED);
    collision::Random random(11);
    for (int kill_number = 0; kill_number < kKills; ++kill_number) {
        fs::remove_all(folder_);
        progress->frame = 0;
        const std::uint64_t target = first_change + random.bits() % (kFrames - first_change);
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            auto session = potter();
            Autosave autosave(folder_, true);
            for (std::uint64_t i = 1; i <= kFrames + 200; ++i) {
                step(*session);
                autosave.frame(*session, static_cast<double>(i) * kStep);
                progress->frame = i;
            }
            for (;;) pause();
        }
        while (progress->frame < target) usleep(200);
        usleep(static_cast<useconds_t>(random.bits() % 2000));
        kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        const std::uint64_t died = progress->frame;
        const std::vector<Leftover> found = find_leftovers(folder_);
        if (found.empty()) {
            EXPECT_LE(died, first_change + kMostLost);
            continue;
        }
        ASSERT_EQ(found.size(), 1u);
        const std::uint64_t saved = file_hash(found[0].file);
        std::uint64_t frame = std::min<std::uint64_t>(died + 1, state.size() - 1);
        while (frame > 0 && state[frame] != saved) --frame;
        ASSERT_EQ(state[frame], saved) << "the file is no state of the clay";
        EXPECT_LE(died, frame + kMostLost) << "killed in frame " << died;
    }
    munmap(progress, sizeof(Progress));
}

}  // namespace
}  // namespace claybox::app
