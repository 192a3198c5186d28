#include "app/session/recording.hpp"

#include "app/session/recording_json.hpp"
#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace claybox::app {
namespace {

using namespace collision;

class Folder {
  public:
    Folder()
        : path_(std::filesystem::temp_directory_path() / ("claybox_recording_" + std::to_string(getpid()))) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

SessionOptions options_for(const SceneDescriptor& scene) {
    SessionOptions options;
    options.scene = scene.id;
    options.scene_parameters = default_values(scene.parameters);
    options.seed = 11;
    return options;
}

std::unique_ptr<Session> session_for(const SessionOptions& options) {
    auto session = Session::create(options);
    EXPECT_TRUE(session.ok()) << (session ? "" : session.error().message);
    return std::move(session).value();
}

/// Runs and records a scene. `before` may change settings before each frame.
template <class Before>
void record(const std::filesystem::path& file, const SessionOptions& options, std::uint64_t frames,
            Before&& before) {
    const auto session = session_for(options);
    auto recorder = Recorder::start(file, *session);
    ASSERT_TRUE(recorder.ok());
    for (std::uint64_t frame = 1; frame <= frames; ++frame) {
        before(*session, *recorder.value(), frame);
        StepInput input;
        input.hand[0] = scripted_hand(session->scene(), frame);
        recorder.value()->before_step(*session, input);
        session->step(input);
        recorder.value()->after_step(*session);
    }
    const Status finished = recorder.value()->finish(*session);
    ASSERT_TRUE(finished.ok()) << finished.error().text();
}

void expect_same(const std::filesystem::path& file, std::uint64_t frames, const Replay::Adjust& adjust = {}) {
    const auto recording = read_recording(file);
    ASSERT_TRUE(recording.ok()) << recording.error().text();
    EXPECT_EQ(recording.value().frames.size(), frames);
    auto replay = Replay::start(recording.value(), recording.value().options, adjust);
    ASSERT_TRUE(replay.ok());
    std::uint64_t count = 0;
    for (auto stepped = replay.value()->step(); stepped && stepped.value(); stepped = replay.value()->step())
        ++count;
    EXPECT_EQ(count, frames);
    EXPECT_FALSE(replay.value()->difference().has_value())
        << "frame " << replay.value()->difference()->frame << " differs";
}

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

constexpr auto kNothing = [](Session&, Recorder&, std::uint64_t) {};

TEST(Recording, every_scene_replays_to_the_same_hash_in_every_frame) {
    const Folder folder;
    for (const SceneDescriptor* scene : scenes()) {
        record(folder / scene->id, options_for(*scene), 60, kNothing);
        expect_same(folder / scene->id, 60);
        expect_same(folder / scene->id, 60, [](WorldSettings& s) {
            s.parallel = ParallelMode::pairs | ParallelMode::halves | ParallelMode::dual;
            s.workers = 3;
            s.broad_phase = broad_phases().back();
            s.broad_parameters = default_values(s.broad_phase->parameters);
        });
    }
}

TEST(Recording, a_concurrent_run_replays_serially_to_the_same_hashes) {
    const Folder folder;
    for (const SceneDescriptor* scene : scenes()) {
        SessionOptions options = options_for(*scene);
        options.settings.concurrent = true;
        record(folder / scene->id, options, 300, kNothing);
        expect_same(folder / scene->id, 300);
    }
}

TEST(Recording, a_pot_carried_in_concurrent_mode_replays_to_the_same_hashes) {
    const Folder folder;
    const SceneDescriptor& potter = *find_scene("potter");
    SessionOptions options = options_for(potter);
    options.scene_parameters[find_parameter(potter.parameters, "hands")] = 2;
    options.settings.concurrent = true;
    bool carried = false;
    record(folder / "carried", options, 260, [&](Session& session, Recorder&, std::uint64_t) {
        carried = carried || session.scene().hand_holds();
    });
    EXPECT_TRUE(carried);
    expect_same(folder / "carried", 260);
}

TEST(Recording, APP_conc_runs_that_switch_concurrent_and_parallel_modes_replay_serially_to_the_same_hashes) {
    const Folder folder;
    for (const char* scene : {"cage", "potter"}) {
        Random random(5);
        record(folder / scene, options_for(*find_scene(scene)), 200,
               [&](Session& session, Recorder&, std::uint64_t frame) {
                   if (frame % 7 != 0) return;
                   WorldSettings settings = session.settings();
                   settings.concurrent = random.below(3) != 0;
                   settings.parallel = static_cast<ParallelMode>(random.below(1u << kParallelModes));
                   settings.share_from = 1;
                   settings.workers = 1 + static_cast<unsigned>(random.below(3));
                   settings.broad_phase = broad_phases()[random.below(broad_phases().size())];
                   settings.broad_parameters = default_values(settings.broad_phase->parameters);
                   session.set_settings(settings);
               });
        expect_same(folder / scene, 200);
    }
}

// A budget that every pass exceeds, then one that no pass exceeds: the result does not depend on the clock.
TEST(Recording, Z_1_2_adapt_accuracy_reduced_by_the_governor_is_recorded_and_replays_to_the_same_hashes) {
    const Folder folder;
    const SceneDescriptor& cage = *find_scene("cage");
    SessionOptions options = options_for(cage);
    options.settings.budget_ms = 1e-9;
    bool reduced = false;
    record(folder / "governed", options, 60, [&](Session& session, Recorder&, std::uint64_t frame) {
        reduced = reduced || session.report().pass.accuracy == Accuracy::boxes;
        if (frame != 40) return;
        WorldSettings settings = session.settings();
        settings.budget_ms = 1e9;
        session.set_settings(settings);
    });
    EXPECT_TRUE(reduced);
    EXPECT_NE(text_of(folder / "governed").find("\"accuracy\":[3]"), std::string::npos);
    expect_same(folder / "governed", 60);
}

TEST(Recording, keeps_settings_changed_between_frames) {
    const Folder folder;
    const SceneDescriptor& cage = *find_scene("cage");
    record(folder / "switches", options_for(cage), 60,
           [](Session& session, Recorder& recorder, std::uint64_t frame) {
               WorldSettings settings = session.settings();
               if (frame == 10) settings.broad_phase = broad_phases().back();
               if (frame == 10) settings.broad_parameters = default_values(settings.broad_phase->parameters);
               if (frame == 12) settings.parallel = ParallelMode::fine | ParallelMode::three;
               if (frame == 12) settings.ignored_groups.set(0, 1, true);
               if (frame == 15) settings.concurrent = true;
               if (frame == 35) settings.concurrent = false;
               if (frame == 10 || frame == 12 || frame == 15 || frame == 35) session.set_settings(settings);
               if (frame == 20) {
                   const std::size_t bodies = find_parameter(session.descriptor().parameters, "bodies");
                   EXPECT_TRUE(session.set_parameter(bodies, 25).ok());
               }
               if (frame != 40) return;
               EXPECT_TRUE(session.rebuild().ok());
               recorder.note_rebuild();
           });
    expect_same(folder / "switches", 60);
}

// The desk shows the settings of the program, so a replay needs them too.
TEST(Recording, keeps_the_continuous_algorithm_and_its_switch) {
    const Folder folder;
    const auto file = folder / "bullets.rec";
    SessionOptions options = options_for(*find_scene("bullets"));
    options.scene_parameters[find_parameter(find_scene("bullets")->parameters, "bullets")] = 60;
    options.settings.continuous_tolerance = 2e-6;
    record(file, options, 60, [](Session& session, Recorder&, std::uint64_t frame) {
        if (frame == 20 || frame == 40) {
            ASSERT_TRUE(session.apply({Command::Kind::continuous, "toggle"}).ok());
        }
    });
    const auto recording = read_recording(file);
    ASSERT_TRUE(recording.ok());
    EXPECT_TRUE(recording.value().options.settings.continuous);
    EXPECT_EQ(recording.value().options.settings.continuous_tolerance, 2e-6);
    EXPECT_EQ(recording.value().options.settings.continuous_algorithm,
              default_settings().continuous_algorithm);
    expect_same(file, 60);
    const auto without = [](WorldSettings& settings) { settings.continuous = false; };
    auto replay = Replay::start(
        recording.value(),
        [&] {
            SessionOptions other = recording.value().options;
            without(other.settings);
            return other;
        }(),
        without);
    ASSERT_TRUE(replay.ok());
    while (replay.value()->step().value()) {
    }
    EXPECT_TRUE(replay.value()->difference().has_value()) << "the switch is part of the run";
}

TEST(Recording, settings_without_a_continuous_algorithm_replay_without) {
    nlohmann::json settings = nlohmann::json::parse(settings_to_json(default_settings()).dump());
    settings.erase("continuous");
    const auto read = settings_from_json(settings);
    ASSERT_TRUE(read.ok());
    EXPECT_FALSE(read.value().continuous);
    for (const char* broken :
         {R"({"on": 1, "algorithm": "best_continuous"})", R"({"on": true, "algorithm": "guess"})",
          R"({"on": true, "algorithm": "best_continuous", "tolerance": 0})", "3"}) {
        settings["continuous"] = nlohmann::json::parse(broken);
        EXPECT_FALSE(settings_from_json(settings).ok()) << broken;
    }
}

TEST(Recording, keeps_settings_of_the_program) {
    const Folder folder;
    const auto file = folder / "program.rec";
    const auto choose = [](std::uint64_t frame) {
        ParameterValues program = default_values(program_parameters());
        if (frame >= 20) program[program_choice::theme] = 1;
        if (frame >= 30) program[program_choice::world_size] = 2.5;
        return program;
    };
    const auto session = session_for(options_for(*find_scene("buttons")));
    auto recorder = Recorder::start(file, *session);
    ASSERT_TRUE(recorder.ok());
    for (std::uint64_t frame = 1; frame <= 40; ++frame) {
        StepInput input;
        input.program = choose(frame);
        recorder.value()->before_step(*session, input);
        session->step(input);
        recorder.value()->after_step(*session);
    }
    ASSERT_TRUE(recorder.value()->finish(*session).ok());
    const auto recording = read_recording(file);
    ASSERT_TRUE(recording.ok()) << recording.error().text();
    for (std::uint64_t frame = 1; frame <= 40; ++frame)
        EXPECT_EQ(recording.value().frames[frame - 1].input.program, choose(frame)) << frame;
}

TEST(Recording, a_changed_input_is_a_difference) {
    const Folder folder;
    record(folder / "potter", options_for(*find_scene("potter")), 120, kNothing);
    auto recording = read_recording(folder / "potter");
    ASSERT_TRUE(recording.ok());
    for (RecordedFrame& frame : recording.value().frames) frame.input.hand[0].present = false;
    auto replay = Replay::start(recording.value(), recording.value().options);
    ASSERT_TRUE(replay.ok());
    while (replay.value()->step().value()) {
    }
    EXPECT_TRUE(replay.value()->difference().has_value());
}

TEST(Recording, hands_keep_every_bit) {
    StepInput input;
    input.dt = 1.0 / 3;
    input.actions = {0, 1, 0};
    HandInput& hand = input.hand[1];
    hand.present = true;
    hand.pinch = 0.1f;
    collision::Random random(3);
    for (std::size_t i = 0; i < kHandParts; ++i) {
        hand.part[i].rotation = {random.uniform(-1, 1), random.uniform(-1, 1), 5e-324, 1.0 / 3};
        hand.part[i].translation = random.unit_vector();
        hand.radius[i] = std::nextafter(0.01f, 1.0f);
        hand.length[i] = 0.1f;
    }
    StepInput back;
    ASSERT_TRUE(
        input_from_json(nlohmann::json::parse(input_to_json(input).dump()), *find_scene("potter"), back)
            .ok());
    EXPECT_EQ(back.dt, input.dt);
    EXPECT_EQ(back.actions, input.actions);
    EXPECT_FALSE(back.hand[0].present);
    EXPECT_EQ(back.hand[1].part, hand.part);
    EXPECT_EQ(back.hand[1].radius, hand.radius);
    EXPECT_EQ(back.hand[1].length, hand.length);
    EXPECT_EQ(back.hand[1].pinch, hand.pinch);
}

TEST(Recording, a_hand_that_rests_is_written_once) {
    const Folder folder;
    const auto session = session_for(options_for(*find_scene("potter")));
    auto recorder = Recorder::start(folder / "rest", *session);
    ASSERT_TRUE(recorder.ok());
    for (std::uint64_t frame = 1; frame <= 20; ++frame) {
        StepInput input;
        if (frame != 15) input.hand[0] = scripted_hand(session->scene(), frame <= 10 ? 1 : 40);
        recorder.value()->before_step(*session, input);
        session->step(input);
        recorder.value()->after_step(*session);
    }
    ASSERT_TRUE(recorder.value()->finish(*session).ok());
    const std::string text = text_of(folder / "rest");
    std::size_t written = 0, same = 0;
    for (std::size_t at = 0; (at = text.find("\"parts\":", at)) != std::string::npos; ++at) ++written;
    for (std::size_t at = 0; (at = text.find("\"hands\":\"same\"", at)) != std::string::npos; ++at) ++same;
    EXPECT_EQ(written, 3u) << "at the start, after a move, and after a frame without a hand";
    EXPECT_EQ(same, 16u);
    expect_same(folder / "rest", 20);
    StepInput input;
    EXPECT_FALSE(input_from_json({{"dt", 0.1}, {"hands", "same"}}, *find_scene("cage"), input).ok())
        << "nothing is before it";
}

TEST(Recording, the_pressure_of_a_hand_is_kept_where_it_is_not_full) {
    StepInput input;
    for (HandInput& hand : input.hand) {
        hand.present = true;
        hand.radius.fill(0.01f);
        hand.length.fill(0.03f);
    }
    input.hand[1].pressure = std::nextafter(0.3f, 1.0f);
    const auto json = input_to_json(input);
    EXPECT_FALSE(json.at("hands").at(0).contains("pressure")) << "full pressure costs nothing";
    StepInput back;
    ASSERT_TRUE(input_from_json(nlohmann::json::parse(json.dump()), *find_scene("cage"), back).ok());
    EXPECT_EQ(back.hand[0].pressure, 1) << "as in recordings of before";
    EXPECT_EQ(back.hand[1].pressure, input.hand[1].pressure) << "every bit";
}

TEST(Recording, a_run_with_filter_pressure_and_lead_replays_to_the_same_hashes) {
    const Folder folder;
    const auto file = folder / "pressed.rec";
    const auto session = session_for(options_for(*find_scene("potter")));
    auto recorder = Recorder::start(file, *session);
    ASSERT_TRUE(recorder.ok());
    std::vector<float> pressures;
    for (std::uint64_t frame = 1; frame <= 160; ++frame) {
        StepInput input;
        input.hand[0] = scripted_hand(session->scene(), frame);
        input.hand[0].pressure = frame % 3 == 0 ? 1.0f : static_cast<float>(frame) / 200;
        input.program[program_choice::hand_filter] = 80;
        input.program[program_choice::stroke_lead] = 5;
        input.program[program_choice::pressure_from] = static_cast<double>(PressureFrom::speed);
        pressures.push_back(input.hand[0].pressure);
        recorder.value()->before_step(*session, input);
        session->step(input);
        recorder.value()->after_step(*session);
    }
    ASSERT_TRUE(recorder.value()->finish(*session).ok());
    expect_same(file, 160);
    const auto recording = read_recording(file);
    ASSERT_TRUE(recording.ok()) << recording.error().text();
    for (std::size_t i = 0; i < pressures.size(); ++i)
        EXPECT_EQ(recording.value().frames[i].input.hand[0].pressure, pressures[i]) << i;
}

/// A frame's input with one hand whose parts all are `part`: w x y z, position, radius, length.
bool hand_is_read(const std::string& part, const std::string& more = "\"pinch\":0.5,\"grip\":0") {
    std::string parts = part;
    for (std::size_t i = 1; i < kHandParts; ++i) parts += "," + part;
    const std::string text = R"({"dt":0.01,"hands":[{)" + more + R"(,"parts":[)" + parts + "]},null]}";
    StepInput input;
    return input_from_json(nlohmann::json::parse(text), *find_scene("cage"), input).ok();
}

// Scenes build bodies from these numbers: without limits a recording could abort or hang the program.
TEST(Recording, a_hand_that_no_device_could_send_is_an_error) {
    EXPECT_TRUE(hand_is_read("[1,0,0,0, 0,1,0, 0.01,0.03]"));
    EXPECT_TRUE(hand_is_read("[0.5,0.5,-0.5,0.5, 1e5,-1e5,1e5, 1e-5,100]"));
    for (const char* part :
         {"[0,0,0,0, 0,0,0, 0.01,0.03]", "[1e-200,0,0,0, 0,0,0, 0.01,0.03]", "[1e9,0,0,0, 0,0,0, 0.01,0.03]",
          "[1,0,0,0, 1e18,0,0, 0.01,0.03]", "[1,0,0,0, 0,0,0, -1,0.03]", "[1,0,0,0, 0,0,0, 0,0.03]",
          "[1,0,0,0, 0,0,0, 0.01,0]", "[1,0,0,0, 0,0,0, 1e18,1e18]"})
        EXPECT_FALSE(hand_is_read(part)) << part;
    const std::string good = "[1,0,0,0, 0,1,0, 0.01,0.03]";
    EXPECT_FALSE(hand_is_read(good, "\"pinch\":1e300,\"grip\":0"));
    EXPECT_FALSE(hand_is_read(good, "\"pinch\":0,\"grip\":-1e300"));
    EXPECT_FALSE(hand_is_read(good, "\"pinch\":0,\"grip\":0,\"scale\":1e300"));
    EXPECT_TRUE(hand_is_read(good, "\"pinch\":0,\"grip\":0,\"pressure\":0"));
    for (const char* pressure : {"-0.1", "1.01", "1e300", "\"full\"", "null"})
        EXPECT_FALSE(hand_is_read(good, "\"pinch\":0,\"grip\":0,\"pressure\":" + std::string(pressure)));
}

TEST(Recording, a_time_step_that_no_run_makes_is_an_error) {
    const auto is_read = [](const std::string& dt) {
        StepInput input;
        return input_from_json(nlohmann::json::parse("{\"dt\":" + dt + "}"), *find_scene("cage"), input).ok();
    };
    for (const char* dt : {"0.016", "1", "10"}) EXPECT_TRUE(is_read(dt)) << dt;
    for (const char* dt : {"0", "-1", "10.01", "1e308", "\"1\"", "null"}) EXPECT_FALSE(is_read(dt)) << dt;
}

TEST(Recording, a_write_that_fails_is_an_error_and_other_files_are_unchanged) {
    const Folder folder;
    const auto session = session_for(options_for(*find_scene("cage")));
    std::ofstream(folder / "cage.part") << "mine";
    {
        auto recorder = Recorder::start(folder / "cage", *session);
        ASSERT_TRUE(recorder.ok());
    }
    EXPECT_EQ(text_of(folder / "cage.part"), "mine") << "no name is taken for granted";
    if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full";
    std::filesystem::create_symlink("/dev/full", folder / "full");
    auto recorder = Recorder::start(folder / "full", *session);
    ASSERT_TRUE(recorder.ok());
    recorder.value()->before_step(*session, {});
    session->step({});
    recorder.value()->after_step(*session);
    const Status finished = recorder.value()->finish(*session);
    ASSERT_FALSE(finished.ok());
    EXPECT_NE(finished.error().text().find("No space left"), std::string::npos) << finished.error().text();
    EXPECT_TRUE(std::filesystem::is_character_file(folder / "full"));
}

/// As after a step that has run out of memory: before or after its pass.
TEST(Recording, ends_with_the_last_whole_frame_if_a_step_throws) {
    for (const bool passed : {false, true}) {
        const Folder folder;
        const auto session = session_for(options_for(*find_scene("cage")));
        auto recorder = Recorder::start(folder / "cage", *session);
        ASSERT_TRUE(recorder.ok());
        for (int frame = 0; frame < 3; ++frame) {
            recorder.value()->before_step(*session, {});
            session->step({});
            recorder.value()->after_step(*session);
        }
        recorder.value()->before_step(*session, {});
        if (passed) session->step({});
        ASSERT_TRUE(recorder.value()->finish(*session).ok());
        expect_same(folder / "cage", 3);
    }
}

TEST(Recording, without_finish_no_file_remains) {
    const Folder folder;
    {
        const auto session = session_for(options_for(*find_scene("cage")));
        auto recorder = Recorder::start(folder / "cage", *session);
        ASSERT_TRUE(recorder.ok());
        EXPECT_FALSE(std::filesystem::exists(folder / "cage"));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder / ""));
    EXPECT_FALSE(
        Recorder::start(folder / "absent/file", *session_for(options_for(*find_scene("cage")))).ok());
}

TEST(Recording, parameters_newer_than_the_recording_have_their_defaults) {
    const Folder folder;
    const SessionOptions options = options_for(*find_scene("cage"));
    record(folder / "new", options, 4, kNothing);
    std::string text = text_of(folder / "new");
    const std::string last = std::string("\"") + find_scene(options.scene)->parameters.back().id + "\":";
    const std::size_t begin = text.find(last), end = text.find('}', begin);
    ASSERT_NE(begin, std::string::npos);
    text.erase(begin - 1, end - begin + 1);  // with the comma before it
    std::ofstream(folder / "old", std::ios::binary) << text;
    const auto read = read_recording(folder / "old");
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(read.value().options.scene_parameters, options.scene_parameters);
}

TEST(Recording, a_broken_file_is_an_error_with_its_line) {
    const Folder folder;
    record(folder / "good", options_for(*find_scene("potter")), 4, kNothing);
    const std::string good = text_of(folder / "good");
    const auto replaced = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        EXPECT_NE(text.find(from), std::string::npos) << from;
        return text.replace(text.find(from), from.size(), to);
    };
    const std::size_t second = good.find('\n') + 1, third = good.find('\n', second) + 1;
    const struct {
        std::string text;
        std::uint64_t line;
    } cases[] = {{"", 0},
                 {"{}\n", 1},
                 {"[\n", 1},
                 {good.substr(second), 1},
                 {good.substr(0, third) + "{}\n", 3},
                 {good.substr(0, good.size() - 1 - 40), 6},
                 {good.substr(0, good.rfind("{\"end\"")), 5},
                 {good + "{}\n", 7},
                 {replaced("\"frame\":2", "\"frame\":3"), 3},
                 {replaced("\"scene\":\"potter\"", "\"scene\":\"opera\""), 1},
                 {replaced("\"pair\":\"", "\"pair\":\"no"), 1},
                 {replaced("\"broad_parameters\":{", "\"broad_parameters\":{\"gadget\":1"), 1},
                 {replaced("\"dt\":", "\"dt\":-"), 2},
                 {replaced("\"hash\":\"", "\"hash\":\"x"), 2},
                 {replaced("\"took\":[", "\"took\":[99,"), 2},
                 {replaced("\"frames\":4", "\"frames\":5"), 6}};
    for (const auto& c : cases) {
        std::ofstream(folder / "bad", std::ios::binary) << c.text;
        const auto read = read_recording(folder / "bad");
        ASSERT_FALSE(read.ok()) << c.text.substr(0, 200);
        EXPECT_EQ(read.error().line, c.line) << read.error().text();
        EXPECT_NE(read.error().text().find("bad"), std::string::npos);
    }
}

}  // namespace
}  // namespace claybox::app
