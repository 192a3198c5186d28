// Edits of bodies in recordings and in the log of a run.

#include "app/session/history/branch.hpp"
#include "app/session/recording_json.hpp"
#include "tests/session/random_edits.hpp"
#include "tests/session/session_support.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace claybox::app {
namespace {

class Edits : public testing::Test {
  protected:
    void TearDown() override { std::filesystem::remove(file_); }
    /// Records random edits and returns the hashes.
    std::vector<std::uint64_t> record(const SessionOptions& options, int frames) {
        const auto session = start(options);
        auto recorder = Recorder::start(file_, *session);
        EXPECT_TRUE(recorder.ok());
        RandomEdits user(4);
        std::vector<std::uint64_t> hashes;
        for (int i = 0; i < frames; ++i) {
            StepInput input = user.next();
            if (session->descriptor().actions.empty()) input.actions.clear();
            recorder.value()->before_step(*session, input);
            hashes.push_back(session->step(input).state_hash);
            recorder.value()->after_step(*session);
        }
        EXPECT_TRUE(recorder.value()->finish(*session).ok());
        return hashes;
    }
    std::string error_of(const std::string& head, const std::string& frame) {
        std::ofstream(file_) << head << '\n' << frame << '\n';
        const auto read = read_recording(file_);
        EXPECT_FALSE(read.ok());
        return read.ok() ? "" : read.error().text().substr(file_.string().size());
    }
    /// The head of a recording of the scene.
    std::string head(const char* scene) {
        record(options_for(scene), 0);
        std::ifstream in(file_);
        std::string line;
        std::getline(in, line);
        return line;
    }
    std::filesystem::path file_ =
        std::filesystem::temp_directory_path() / ("claybox_edits_" + std::to_string(getpid()) + ".rec");
};

TEST_F(Edits, a_recording_with_edits_replays_to_the_same_hashes_on_any_workers_and_broad_phase) {
    SessionOptions options = options_for("workbench");
    options.bodies = std::vector<PlacedBody>{{"ring", 120, {{}, {0.1, 0.3, 0}}, {}, {}},
                                             {"cube", 60, {{}, {0.4, 0.3, 0}}, {0.01, 0, 0}, {0, 0.1, 0}}};
    const auto hashes = record(options, 400);
    const auto recording = read_recording(file_);
    ASSERT_TRUE(recording.ok()) << recording.error().text();
    EXPECT_EQ(recording.value().options.bodies, options.bodies);
    for (const unsigned workers : {1u, 3u}) {
        auto replay = Replay::start(recording.value(), recording.value().options, [&](auto& settings) {
            settings.parallel =
                workers > 1 ? collision::ParallelMode::pairs : collision::ParallelMode::serial;
            settings.workers = workers;
            settings.broad_phase = collision::find_broad_phase(workers > 1 ? "tree" : "all_pairs");
            settings.broad_parameters = collision::default_values(settings.broad_phase->parameters);
        });
        ASSERT_TRUE(replay.ok());
        std::size_t count = 0;
        for (auto more = replay.value()->step(); more.ok() && more.value(); more = replay.value()->step())
            EXPECT_EQ(replay.value()->session().report().state_hash, hashes[count++]);
        EXPECT_EQ(count, hashes.size());
        EXPECT_FALSE(replay.value()->difference().has_value());
    }
}

TEST_F(Edits, a_drag_in_the_cage_is_recorded) {
    const auto hashes = record(options_for("cage"), 200);
    const auto recording = read_recording(file_);
    ASSERT_TRUE(recording.ok()) << recording.error().text();
    auto replay = Replay::start(recording.value(), recording.value().options);
    ASSERT_TRUE(replay.ok());
    while (replay.value()->step().value()) {
    }
    EXPECT_FALSE(replay.value()->difference().has_value());
    EXPECT_EQ(replay.value()->session().report().state_hash, hashes.back());
    const auto untouched = start(options_for("cage"));
    run(*untouched, 200);
    EXPECT_NE(untouched->report().state_hash, hashes.back());
}

TEST_F(Edits, keep_every_bit_in_json) {
    RandomEdits user(9);
    for (int i = 0; i < 300; ++i) {
        const StepInput input = user.next();
        StepInput back;
        ASSERT_TRUE(input_from_json(nlohmann::json::parse(input_to_json(input).dump()),
                                    *find_scene("workbench"), back)
                        .ok());
        ASSERT_EQ(back.edits.size(), input.edits.size());
        for (std::size_t k = 0; k < back.edits.size(); ++k) {
            EXPECT_EQ(back.edits[k].kind, input.edits[k].kind);
            EXPECT_EQ(back.edits[k].shape, input.edits[k].shape);
            const BodyEdit::Kind kind = input.edits[k].kind;
            const bool placed = kind != BodyEdit::Kind::let_go && kind != BodyEdit::Kind::put_down &&
                                kind != BodyEdit::Kind::remove;
            EXPECT_TRUE(!placed || back.edits[k].pose == input.edits[k].pose);
        }
        EXPECT_EQ(back.frozen, input.frozen);
    }
}

TEST_F(Edits, faults_in_a_recording_name_the_line) {
    const std::string bench = head("workbench");
    const auto frame = [](const std::string& edits) {
        return "{\"frame\":1,\"dt\":0.01," + edits +
               ",\"took\":[],\"polled\":0,\"pass\":0,\"hash\":\"0000000000000000\"}";
    };
    const std::string place = "\"pose\":[1,0,0,0,0,0,0]",
                      bad = ":2: \"edits\" has an edit without its fields";
    for (const std::string& edit :
         {std::string("{\"do\":\"fly\",\"body\":1}"), std::string("{\"do\":\"hold\",\"body\":1}"),
          "{\"do\":\"hold\",\"body\":-1," + place + "}",
          "{\"do\":\"hold\",\"body\":5000000000," + place + "}",
          "{\"do\":\"add\",\"shape\":\"cubus\",\"size\":60," + place + "}",
          "{\"do\":\"add\",\"shape\":\"cube\",\"size\":6," + place + "}",
          std::string("{\"do\":\"copy\",\"body\":1,\"pose\":[0,0,0,0,0,0,0]}"),
          std::string("{\"do\":\"copy\",\"body\":1,\"pose\":[1,0,0,0,0,0,1e9]}"), std::string("7")})
        EXPECT_EQ(error_of(bench, frame("\"edits\":[" + edit + "]")).rfind(bad, 0), 0u) << edit;
    EXPECT_EQ(error_of(bench, frame("\"edits\":7")), ":2: \"edits\" must be an array");
    EXPECT_EQ(error_of(bench, frame("\"frozen\":7")), ":2: \"frozen\" must be true or false");
    EXPECT_EQ(error_of(head("potter"), frame("\"edits\":[]")), ":2: \"edits\" in a scene without edits");
    std::string with_bodies = bench;
    with_bodies.back() = ',';
    EXPECT_EQ(
        error_of(with_bodies + "\"bodies\":[\"cube 60\"]}", "").rfind(":1: \"bodies\": expected SHAPE", 0),
        0u);
    EXPECT_EQ(error_of(with_bodies + "\"bodies\":[7]}", ""), ":1: \"bodies\" must contain texts");
}

TEST_F(Edits, going_back_repeats_the_edits_and_goes_on_from_there) {
    const auto session = start(options_for("workbench"));
    InputLog log;
    log.start(*session);
    RandomEdits user(6);
    std::vector<std::uint64_t> hashes;
    std::vector<std::vector<PlacedBody>> bodies;
    for (int i = 0; i < 200; ++i) {
        const StepInput input = user.next();
        log.before_step(*session, input);
        hashes.push_back(session->step(input).state_hash);
        log.after_step(take_passes(*session));
        bodies.push_back(session->scene().bodies());
    }
    const std::size_t full = log.bytes();
    for (const std::uint64_t frame : {150u, 70u, 1u}) {
        auto branch = Branch::start(log, frame);
        ASSERT_TRUE(branch.ok());
        while (!branch.value()->done()) ASSERT_TRUE(branch.value()->advance(0).ok());
        EXPECT_FALSE(branch.value()->difference().has_value());
        const auto back = branch.value()->take_session();
        EXPECT_EQ(back->scene().bodies(), bodies[frame - 1]);
        log.cut(frame, *back);
        EXPECT_LT(log.bytes(), full);
        const StepInput next;
        log.before_step(*back, next);
        back->step(next);
        log.after_step(take_passes(*back));
    }
}

TEST_F(Edits, a_mesh_that_came_while_the_scene_ran_is_there_after_going_back) {
    const auto session = start(options_for("workbench"));
    InputLog log;
    log.start(*session);
    const auto step = [&](StepInput input) {
        log.before_step(*session, input);
        session->step(input);
        log.after_step(take_passes(*session));
    };
    step({});
    session->add_mesh(collision::Shape::from_polygons(gear_mesh(5), "five.obj").value(), "five.obj");
    log.note_meshes(*session);
    StepInput add;
    add.edits = {add_edit("mesh1", {0, 0.6, 0})};
    step(add);
    step({});
    auto branch = Branch::start(log, 3);
    ASSERT_TRUE(branch.ok());
    while (!branch.value()->done()) ASSERT_TRUE(branch.value()->advance(0).ok());
    EXPECT_FALSE(branch.value()->difference().has_value());
    EXPECT_EQ(branch.value()->take_session()->scene().bodies().back().shape, "mesh1");
}

}  // namespace
}  // namespace claybox::app
