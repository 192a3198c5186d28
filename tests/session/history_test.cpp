// The kept pictures of the last frames, and going back to one of them.

#include "app/session/history/branch.hpp"
#include "app/session/history/scene_history.hpp"
#include "tests/session/session_support.hpp"

#include <map>

namespace claybox::app {
namespace {

using collision::Vec3f;

constexpr std::uint32_t kUndo = 1, kRemesh = 3;  // actions of the potter

/// A session that is kept as the window keeps it.
struct Kept {
    explicit Kept(const SessionOptions& options) : session(start(options)) { log.start(*session); }

    void step(StepInput input) {
        log.before_step(*session, input);
        session->step(std::move(input));
        log.after_step(take_passes(*session));
        past.keep(*session, {});
        hashes.push_back(session->report().state_hash);
    }
    /// Steps with the scripted hand. `change` may change the session and the input before each step.
    template <class Change>
    void run(int frames, Change&& change) {
        for (int i = 0; i < frames; ++i) {
            StepInput input;
            input.hand[0] = scripted_hand(session->scene(), session->frame() + 1);
            change(*session, input);
            step(std::move(input));
        }
    }
    void run(int frames) {
        run(frames, [](Session&, StepInput&) {});
    }

    std::unique_ptr<Session> session;
    InputLog log;
    SceneHistory past;
    std::vector<std::uint64_t> hashes;  ///< after each frame
};

std::unique_ptr<Session> go_back(Kept& kept, std::uint64_t frame) {
    auto branch = Branch::start(kept.log, frame);
    EXPECT_TRUE(branch.ok());
    if (!branch.ok()) return nullptr;
    while (!branch.value()->done()) {
        EXPECT_TRUE(branch.value()->advance(0).ok());
    }
    EXPECT_FALSE(branch.value()->difference().has_value()) << "frame " << branch.value()->difference()->frame;
    return branch.value()->take_session();
}

bool same(const collision::Pose& a, const collision::Pose& b) {
    return a == b;
}

void expect_same_view(const SceneView& a, const SceneView& b) {
    ASSERT_EQ(a.drawables.size(), b.drawables.size());
    for (std::size_t i = 0; i < a.drawables.size(); ++i) {
        const Drawable &x = a.drawables[i], &y = b.drawables[i];
        EXPECT_TRUE(x.mesh == y.mesh && same(x.pose, y.pose) && x.scale == y.scale &&
                    x.material == y.material && x.colliding == y.colliding && x.tint == y.tint &&
                    x.flash == y.flash && x.pick == y.pick)
            << "drawable " << i;
    }
    ASSERT_EQ(a.crowds.size(), b.crowds.size());
    for (std::size_t i = 0; i < a.crowds.size(); ++i) {
        const ViewCrowd &x = a.crowds[i], &y = b.crowds[i];
        EXPECT_TRUE(std::ranges::equal(x.positions, y.positions) && std::ranges::equal(x.before, y.before) &&
                    std::ranges::equal(x.rotations, y.rotations) && std::ranges::equal(x.shades, y.shades) &&
                    std::ranges::equal(x.poses, y.poses, same))
            << "crowd " << i;
    }
    ASSERT_EQ(a.lines.size(), b.lines.size());
    for (std::size_t i = 0; i < a.lines.size(); ++i)
        EXPECT_TRUE(a.lines[i].from == b.lines[i].from && a.lines[i].to == b.lines[i].to) << "line " << i;
    ASSERT_EQ(a.labels.size(), b.labels.size());
    for (std::size_t i = 0; i < a.labels.size(); ++i) EXPECT_EQ(a.labels[i].text, b.labels[i].text);
    EXPECT_EQ(a.points.size(), b.points.size());
    EXPECT_EQ(a.planes, b.planes);
    EXPECT_EQ(a.insets.size(), b.insets.size());
}

template <class T>
void expect_same_array(const std::vector<T>* a, const std::vector<T>* b) {
    ASSERT_EQ(a != nullptr, b != nullptr);
    if (a != nullptr) {
        EXPECT_EQ(*a, *b);
    }
}

void expect_same_meshes(const std::vector<ViewMesh>& shown, const Session& session) {
    std::vector<ViewMesh> meshes;
    session.scene().meshes(meshes);
    ASSERT_EQ(shown.size(), meshes.size());
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        EXPECT_EQ(shown[i].id, meshes[i].id);
        EXPECT_EQ(*shown[i].positions, *meshes[i].positions) << "mesh " << i;
        expect_same_array(shown[i].normals, meshes[i].normals);
        expect_same_array(shown[i].cavity, meshes[i].cavity);
        expect_same_array(shown[i].thickness, meshes[i].thickness);
        EXPECT_EQ(shown[i].topology->polygon_count(), meshes[i].topology->polygon_count());
    }
}

/// Compares the kept picture of frames with the picture of a session that was repeated up to them.
void expect_same_pictures(Kept& kept, std::initializer_list<std::uint64_t> frames) {
    ShownMeshes shown;
    std::uint64_t showing = 0;
    for (const std::uint64_t frame : frames) {
        SCOPED_TRACE("frame " + std::to_string(frame));
        const auto session = go_back(kept, frame);
        ASSERT_NE(session, nullptr);
        EXPECT_EQ(session->frame(), frame);
        SceneView view;
        session->scene().view({}, view);
        const PastFrame& past = kept.past.at(frame);
        expect_same_view(past.view, view);
        kept.past.show_meshes(std::exchange(showing, frame), frame, shown);
        expect_same_meshes(shown.meshes(), *session);
        const auto figures = session->figures(past.report.pass);
        ASSERT_EQ(past.figures.size(), figures.size());
        for (std::size_t i = 0; i < figures.size(); ++i)
            EXPECT_EQ(past.figures[i].value, figures[i].value) << figures[i].id;
    }
}

/// A coarse pot, with detail where the hand touches.
SessionOptions pot() {
    SessionOptions options = options_for("potter");
    set(options, "polygons", 3000);
    set(options, "budget", 8000);
    set(options, "detail_edge", 5);
    return options;
}

void shape_the_pot(Kept& kept, int frames) {
    kept.run(frames, [](Session& session, StepInput& input) {
        if (session.frame() == 200) input.actions = {kRemesh};
        if (session.frame() == 330) input.actions = {kUndo};
        if (session.frame() == 210) set_one(session, "radius", 40);
    });
}

void run_kept(SceneHistory& past, Session& session, int frames) {
    for (int i = 0; i < frames; ++i) {
        run(session, 1);
        past.keep(session, {});
    }
}

TEST(SceneHistory, keeps_the_newest_frames_up_to_its_count) {
    const auto session = start(options_for("cage"));
    SceneHistory past(50, std::size_t{1} << 30);
    EXPECT_TRUE(past.empty());
    for (int i = 0; i < 120; ++i) {
        session->step({});
        past.keep(*session, {});
        EXPECT_EQ(past.newest(), session->frame());
        EXPECT_EQ(past.at(past.newest()).report.state_hash, session->report().state_hash);
    }
    EXPECT_EQ(past.size(), 50u);
    EXPECT_EQ(past.oldest(), 71u);
    past.cut(100);
    EXPECT_EQ(past.newest(), 100u);
    EXPECT_EQ(past.size(), 30u);
    past.keep(*session, {});  // frame 120 does not follow frame 100
    EXPECT_EQ(past.oldest(), 120u);
    past.clear();
    EXPECT_EQ(past.bytes(), 0u);
}

TEST(SceneHistory, keeps_fewer_frames_of_a_crowd_within_its_bytes) {
    SessionOptions options = options_for("crowd");
    set(options, "bodies", 5000);
    const auto session = start(options);
    constexpr std::size_t kBytes = 5'000'000;
    SceneHistory past(2000, kBytes);
    for (int i = 0; i < 60; ++i) {
        session->step({});
        past.keep(*session, {});
        EXPECT_LE(past.bytes(), kBytes);
    }
    EXPECT_GT(past.size(), 20u);
    EXPECT_LT(past.size(), 60u);
    EXPECT_EQ(past.newest(), 60u);
}

TEST(SceneHistory, keeps_of_a_mesh_what_changes) {
    Kept kept(pot());
    kept.run(60);
    for (std::uint64_t frame = 2; frame <= 60; ++frame)
        EXPECT_TRUE(kept.past.at(frame).meshes.changes.empty()) << "nothing touches the clay yet: " << frame;
    kept.run(140);
    std::vector<ViewMesh> meshes;
    kept.session->scene().meshes(meshes);
    const std::size_t clay = meshes[0].positions->size() * 7 * sizeof(float);
    std::size_t changed = 0, bytes = 0;
    for (std::uint64_t frame = 150; frame <= 200; ++frame)
        for (const MeshChange& change : kept.past.at(frame).meshes.changes) {
            if (change.other_arrays) continue;
            ++changed;
            bytes += change.bytes();
        }
    ASSERT_GT(changed, 10u);
    EXPECT_LT(bytes / changed, clay / 4) << "a stroke changes a part of the clay";
}

TEST(SceneHistory, cut_frames_are_kept_anew) {
    Kept kept(pot());
    shape_the_pot(kept, 240);
    const auto branch = go_back(kept, 150);
    ASSERT_NE(branch, nullptr);
    kept.past.cut(150);
    run_kept(kept.past, *branch, 60);  // other clay than before
    ShownMeshes shown;
    kept.past.show_meshes(0, 210, shown);
    expect_same_meshes(shown.meshes(), *branch);
    kept.past.show_meshes(210, 150, shown);
    expect_same_meshes(shown.meshes(), *go_back(kept, 150));
}

// Walls are measured beside the frames, so that a repeated run may measure them some frames later.
TEST(SceneHistory, the_thickness_of_walls_is_kept_as_it_was) {
    SessionOptions options = pot();
    set(options, "thin_walls", 1);
    Kept kept(options);
    std::map<std::uint64_t, std::vector<float>> walls;
    for (int i = 0; i < 60; ++i) {
        kept.run(4);
        std::vector<ViewMesh> meshes;
        kept.session->scene().meshes(meshes);
        ASSERT_NE(meshes[0].thickness, nullptr);
        walls[kept.session->frame()] = *meshes[0].thickness;
    }
    EXPECT_NE(walls[100], walls[200]);
    ShownMeshes shown;
    std::uint64_t showing = 0;
    for (const std::uint64_t frame : {240u, 200u, 4u, 100u, 104u, 240u}) {
        kept.past.show_meshes(std::exchange(showing, frame), frame, shown);
        EXPECT_EQ(*shown.meshes()[0].thickness, walls[frame]) << frame;
    }
}

TEST(SceneHistory, memory_does_not_grow_over_ten_thousand_frames) {
    SessionOptions options = options_for("cage");
    set(options, "bodies", 12);
    Kept kept(options);
    kept.run(4000);
    const std::size_t past = kept.past.bytes(), log = kept.log.bytes();
    kept.run(10000);
    EXPECT_EQ(kept.past.size(), SceneHistory::kMaxFrames);
    EXPECT_LT(kept.past.bytes(), past + past / 10);
    EXPECT_LT((kept.log.bytes() - log) / 10000, 100u) << "bytes per frame without a hand";
}

TEST(Branch, stored_pictures_equal_those_of_a_repeated_run) {
    Kept cage(options_for("cage"));
    cage.run(200);
    expect_same_pictures(cage, {200, 1, 77, 78, 150});
    Kept crowd(options_for("crowd"));
    crowd.run(60);
    expect_same_pictures(crowd, {30, 59});
    SessionOptions many = options_for("cage");
    set(many, "bodies", 1000);
    Kept full_cage(many);
    full_cage.run(40);
    EXPECT_FALSE(full_cage.past.at(20).view.crowds.empty());
    expect_same_pictures(full_cage, {20, 39});
    Kept buttons(options_for("buttons"));
    buttons.run(200);
    expect_same_pictures(buttons, {120, 121, 40});
}

TEST(Branch, stored_pictures_of_shaped_and_remeshed_clay_equal_those_of_a_repeated_run) {
    Kept kept(pot());
    shape_the_pot(kept, 360);
    EXPECT_GE(figure(*kept.session, "remeshed"), 1);
    expect_same_pictures(kept, {360, 100, 150, 160, 230, 340, 331, 20});
}

TEST(Branch, goes_on_like_an_untouched_run_with_the_same_inputs) {
    for (const char* scene : {"cage", "potter", "buttons", "mobiles"}) {
        SCOPED_TRACE(scene);
        Kept kept(std::string_view(scene) == "potter" ? pot() : options_for(scene));
        kept.run(260);
        const auto branch = go_back(kept, 140);
        ASSERT_NE(branch, nullptr);
        EXPECT_EQ(branch->report().state_hash, kept.hashes[139]);
        for (std::uint64_t frame = 141; frame <= 260; ++frame) {
            StepInput input;
            input.hand[0] = scripted_hand(branch->scene(), frame);
            branch->step(input);
            ASSERT_EQ(branch->report().state_hash, kept.hashes[frame - 1]) << "frame " << frame;
        }
    }
}

TEST(Branch, differs_from_the_first_run_by_new_input_only) {
    Kept kept(options_for("cage"));
    const auto change = [](Session& session, StepInput&) {
        if (session.frame() == 40) set_one(session, "speed", 3);
    };
    kept.run(120, change);
    const auto branch = go_back(kept, 60);
    ASSERT_NE(branch, nullptr);
    kept.log.cut(60, *branch);
    kept.past.cut(60);
    EXPECT_EQ(kept.log.newest(), 60u);
    EXPECT_EQ(branch->options()
                  .scene_parameters[collision::find_parameter(branch->descriptor().parameters, "speed")],
              3);
    set_one(*branch, "speed", 0.5);
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 30; ++i) {
        kept.log.before_step(*branch, {});
        branch->step({});
        kept.log.after_step(take_passes(*branch));
        hashes.push_back(branch->report().state_hash);
        EXPECT_NE(hashes.back(), kept.hashes[static_cast<std::size_t>(60 + i)]);
    }
    const auto again = go_back(kept, 90);  // a branch of the branch
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(again->report().state_hash, hashes.back());
}

TEST(Branch, a_concurrent_run_is_repeated_to_the_same_hash_and_goes_on_concurrently) {
    for (const char* scene : {"cage", "potter"}) {
        SCOPED_TRACE(scene);
        SessionOptions options = options_for(scene);
        options.settings.concurrent = true;
        Kept kept(options);
        kept.run(200);
        kept.session->world().wait_idle();
        for (const std::uint64_t frame : {200u, 120u, 63u}) {
            const auto branch = go_back(kept, frame);
            ASSERT_NE(branch, nullptr);
            EXPECT_TRUE(branch->settings().concurrent);
            const std::uint64_t pass = branch->world().stats().pass;
            run(*branch, 30);
            branch->world().wait_idle();
            EXPECT_GT(branch->world().stats().pass, pass);
            EXPECT_EQ(branch->world().stats().frame, frame + 30);
        }
    }
}

TEST(Branch, modes_switched_during_the_run_are_those_of_the_frame) {
    Kept kept(options_for("cage"));
    kept.run(120, [](Session& session, StepInput&) {
        collision::WorldSettings settings = session.settings();
        settings.concurrent = session.frame() >= 30 && session.frame() < 90;
        if (session.frame() == 50) settings.exactness = collision::Exactness::fast;
        session.set_settings(settings);
    });
    EXPECT_FALSE(go_back(kept, 20)->settings().concurrent);
    EXPECT_TRUE(go_back(kept, 40)->settings().concurrent);
    EXPECT_EQ(go_back(kept, 40)->settings().exactness, collision::Exactness::exact);
    EXPECT_EQ(go_back(kept, 80)->settings().exactness, collision::Exactness::fast);
    EXPECT_FALSE(go_back(kept, 110)->settings().concurrent);
}

TEST(Branch, a_run_that_starts_with_a_rebuilt_scene_is_repeated_from_there) {
    Kept kept(options_for("cage"));
    kept.run(50);
    set_one(*kept.session, "bodies", 20);  // rebuilds the scene
    kept.log.start(*kept.session);
    kept.past.clear();
    kept.hashes.resize(50);
    kept.run(80);
    const auto branch = go_back(kept, 100);
    ASSERT_NE(branch, nullptr);
    EXPECT_EQ(branch->frame(), 100u);
    EXPECT_EQ(branch->report().state_hash, kept.hashes[99]);
}

TEST(InputLog, keeps_equal_hands_once) {
    const auto session = start(options_for("buttons"));
    InputLog log;
    log.start(*session);
    StepInput input;
    input.hand[0] = scripted_hand(session->scene(), 1);
    ASSERT_TRUE(input.hand[0].present);
    std::size_t first = 0;
    for (int i = 0; i < 100; ++i) {
        log.before_step(*session, input);
        session->step(input);
        log.after_step(take_passes(*session));
        if (i == 0) first = log.bytes();
    }
    EXPECT_LT(log.bytes() - first, 100u * 100u);
    const RecordedFrame frame = log.frame(57);
    EXPECT_TRUE(same(frame.input.hand[0].part[3], input.hand[0].part[3]));
    EXPECT_FALSE(frame.input.hand[1].present);
}

TEST(InputLog, a_run_that_is_too_long_says_so_and_is_forgotten) {
    const auto session = start(options_for("cage"));
    InputLog log(3 << 20);
    log.start(*session);
    for (int i = 0; log.missing().empty() && i < 100000; ++i) {
        log.before_step(*session, {});
        log.after_step(PassNotes{});
        session->step({});
    }
    EXPECT_EQ(log.missing(), "the run is too long: its inputs do not fit into 3 MB");
    EXPECT_EQ(log.bytes(), 0u);
    EXPECT_FALSE(Branch::start(log, 10).ok());
    log.start(*session);
    EXPECT_TRUE(log.missing().empty());
}

TEST(InputLog, frames_that_ran_unseen_are_reported) {
    const auto session = start(options_for("cage"));
    InputLog log;
    log.start(*session);
    session->step({});
    log.before_step(*session, {});
    EXPECT_EQ(log.missing(), "some frames have run unseen");
}

}  // namespace
}  // namespace claybox::app
