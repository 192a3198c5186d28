// Scene files: what they write they read again, and a faulty line is an error with its place.

#include "app/cli/files/scene_file.hpp"

#include "app/scenes/shared/body_shapes.hpp"
#include "collision/core/random.hpp"
#include "engine/files/assets.hpp"
#include "tests/cli/support.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace claybox::test {
namespace {

using namespace app;
using namespace collision;

class SceneFile : public testing::Test {
  protected:
    std::filesystem::path write(const std::string& text, const char* name = "a.scene") {
        return folder_.write(name, text);
    }
    std::string error_of(const std::string& text) {
        SessionOptions options;
        const Status read = read_scene_file(write(text), options);
        EXPECT_FALSE(read.ok()) << text;
        if (read.ok()) return {};
        EXPECT_EQ(options.scene, SessionOptions().scene) << "a faulty file changes nothing";
        const std::string where = folder_.file("a.scene") + ':';
        EXPECT_EQ(read.error().text().rfind(where, 0), 0u) << read.error().text();
        return read.error().text().substr(where.size());
    }

    Folder folder_{"scene"};
};

/// Random values in the ranges of the table.
void shuffle(Random& random, std::span<const Parameter> table, ParameterValues& values) {
    for (std::size_t i = 0; i < table.size(); ++i) {
        const Parameter& p = table[i];
        if (random.below(2) == 0) continue;
        values[i] =
            p.kind == ParameterKind::real
                ? random.uniform(p.min, p.max)
                : p.min + static_cast<double>(random.below(static_cast<std::uint64_t>(p.max - p.min) + 1));
    }
}

SessionOptions random_options(Random& random) {
    SessionOptions out;
    const SceneDescriptor& scene = *scenes()[random.below(scenes().size())];
    out.scene = scene.id;
    out.seed = random.below(1000);
    WorldSettings& s = out.settings;
    s.seed = out.seed;
    s.pair_algorithm = pair_algorithms()[random.below(pair_algorithms().size())];
    s.broad_phase = broad_phases()[random.below(broad_phases().size())];
    s.continuous_algorithm = continuous_algorithms()[random.below(continuous_algorithms().size())];
    s.continuous = random.below(3) != 0;
    if (!s.continuous) s.continuous_algorithm = default_settings().continuous_algorithm;
    out.scene_parameters = default_values(scene.parameters);
    s.pair_parameters = default_values(s.pair_algorithm->parameters);
    s.broad_parameters = default_values(s.broad_phase->parameters);
    s.continuous_parameters = default_values(s.continuous_algorithm->parameters);
    shuffle(random, scene.parameters, out.scene_parameters);
    shuffle(random, s.pair_algorithm->parameters, s.pair_parameters);
    shuffle(random, s.broad_phase->parameters, s.broad_parameters);
    shuffle(random, bound_parameters(), s.bound_parameters);
    shuffle(random, s.continuous_algorithm->parameters, s.continuous_parameters);
    s.parallel = ParallelMode(random.below(32));
    s.workers = 1 + static_cast<unsigned>(random.below(8));
    s.exactness = random.below(2) == 0 ? Exactness::exact : Exactness::fast;
    s.concurrent = random.below(2) == 0;
    s.solid = random.below(2) == 0;
    for (std::uint64_t k = random.below(4); k > 0; --k)
        s.ignored_groups.set(static_cast<unsigned>(random.below(kGroupCount)),
                             static_cast<unsigned>(random.below(kGroupCount)), true);
    if (scene.edits != EditSupport::all || random.below(3) == 0) return out;
    out.bodies.emplace();
    for (std::uint64_t k = random.below(30); k > 0; --k) {
        PlacedBody body;
        body.shape = body_shape_names()[random.below(body_shape_names().size())];
        body.size = random.uniform(kMinBodySize, kMaxBodySize);
        body.pose = {random_rotation(random, 0, 3), random.unit_vector() * random.uniform(0, 900)};
        if (random.below(2) == 0) body.velocity = random.unit_vector() * random.uniform(0, 0.05);
        if (random.below(2) == 0) body.spin = random.unit_vector() * random.uniform(0, 0.3);
        out.bodies->push_back(std::move(body));
    }
    return out;
}

void expect_equal(const SessionOptions& a, const SessionOptions& b, const std::string& text) {
    const WorldSettings &s = a.settings, &t = b.settings;
    EXPECT_EQ(a.scene, b.scene) << text;
    EXPECT_EQ(a.seed, b.seed) << text;
    EXPECT_EQ(a.scene_parameters, b.scene_parameters) << text;
    EXPECT_EQ(s.pair_algorithm, t.pair_algorithm) << text;
    EXPECT_EQ(s.pair_parameters, t.pair_parameters) << text;
    EXPECT_EQ(s.broad_phase, t.broad_phase) << text;
    EXPECT_EQ(s.broad_parameters, t.broad_parameters) << text;
    EXPECT_EQ(s.bound_parameters, t.bound_parameters) << text;
    EXPECT_EQ(s.continuous, t.continuous) << text;
    EXPECT_EQ(s.continuous_algorithm, t.continuous_algorithm) << text;
    EXPECT_EQ(s.continuous_parameters, t.continuous_parameters) << text;
    EXPECT_EQ(s.parallel, t.parallel) << text;
    EXPECT_EQ(s.workers, t.workers) << text;
    EXPECT_EQ(s.exactness, t.exactness) << text;
    EXPECT_EQ(s.concurrent, t.concurrent) << text;
    EXPECT_EQ(s.solid, t.solid) << text;
    EXPECT_EQ(a.bodies, b.bodies) << text;
}

TEST_F(SceneFile, written_options_are_read_again_bit_for_bit) {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        const SessionOptions written = random_options(random);
        const std::string text = scene_file_text(written);
        SessionOptions read;
        const Status done = read_scene_file(write(text), read);
        ASSERT_TRUE(done.ok()) << done.error().text() << '\n' << text;
        expect_equal(written, read, text);
    }
}

TEST_F(SceneFile, the_command_starts_the_same_run) {
    SessionOptions options;
    options.scene_parameters = default_values(find_scene("cage")->parameters);
    options.seed = options.settings.seed = 5;
    options.scene_parameters[0] = 12;
    options.settings.broad_phase = find_broad_phase("tree");
    options.settings.broad_parameters = default_values(options.settings.broad_phase->parameters);
    const std::string command = scene_command(options);
    EXPECT_EQ(command, "claybox run --scene cage --seed 5 --broad tree --set bodies=12");
    const std::string file = write(scene_file_text(options)).string();
    const auto by_file = run_here({"run", "--scene", file, "--headless", "--frames", "40", "--hash"});
    const auto by_command = run_here({"run", "--scene", "cage", "--seed", "5", "--broad", "tree", "--set",
                                      "bodies=12", "--headless", "--frames", "40", "--hash"});
    EXPECT_EQ(by_file.status, 0) << by_file.err;
    EXPECT_EQ(by_file.out, by_command.out);
    const auto overridden =
        run_here({"run", "--scene", file, "--seed", "6", "--headless", "--frames", "40", "--hash"});
    EXPECT_NE(by_file.out, overridden.out) << "switches override the file";
}

TEST_F(SceneFile, order_comments_blanks_and_line_ends_do_not_matter) {
    SessionOptions a, b;
    ASSERT_TRUE(read_scene_file(write("claybox_scene = 1\nscene = crowd\nbroad = grid\nbodies = 2000\n"), a));
    const Status read = read_scene_file(write("\xEF\xBB\xBF# a crowd\r\n\r\nclaybox_scene=1\r\n"
                                              "Bodies = 2000 # many\r\n  broad =  Grid\r\nscene=Crowd"),
                                        b);
    ASSERT_TRUE(read.ok()) << read.error().text();
    expect_equal(a, b, "");
}

TEST_F(SceneFile, faults_name_line_and_expectation) {
    EXPECT_NE(error_of("").find("1: not a scene file, expected 'claybox_scene = 1'"), std::string::npos);
    EXPECT_NE(error_of("scene = cage\n").find("1: not a scene file"), std::string::npos);
    EXPECT_NE(error_of("claybox_scene = 2\n").find("1: not a scene file"), std::string::npos);
    const std::string head = "claybox_scene = 1\n";
    EXPECT_EQ(error_of(head + "\nscene cage\n"), "3: 'scene cage': expected NAME = VALUE");
    EXPECT_EQ(error_of(head + "seed =\n"), "2: 'seed =': expected NAME = VALUE");
    EXPECT_NE(error_of(head + "scene = cagw\n").find("2: unknown scene 'cagw': did you mean 'cage'?"),
              std::string::npos);
    EXPECT_NE(error_of(head + "scene = crowd\nbodes = 20\n").find("3: bodes=20: unknown parameter 'bodes'"),
              std::string::npos);
    EXPECT_NE(error_of(head + "bodies = many\n").find("2: bodies=many: parameter bodies: 'many' is not"),
              std::string::npos);
    EXPECT_NE(error_of(head + "seed = -1\n").find("2: seed: '-1' is not a whole number"), std::string::npos);
    EXPECT_NE(error_of(head + "workers = 100\n").find("2: workers 100: expected 1 to 64"), std::string::npos);
    EXPECT_EQ(error_of(head + "ignore = 0-1,64-2\n"),
              "2: ignore '64-2': expected pairs of groups from 0 to 63, such as 0-1,3-3");
    EXPECT_EQ(error_of(head + "solid = yes\n"), "2: solid: 'yes' is not on or off");
    EXPECT_EQ(error_of(head + "seed = 1\nseed = 2\n"), "3: seed appears twice, first in line 2");
    EXPECT_NE(error_of(head + "octree.depth = 5\n").find("2: octree.depth=5: unknown group 'octree'"),
              std::string::npos);
    EXPECT_NE(error_of(head + "scene = b.scene\n").find("2: scene: 'b.scene' is a file"), std::string::npos);
    EXPECT_NE(error_of(head + "mesh = none.obj\n").find("none.obj"), std::string::npos);
    EXPECT_EQ(error_of(head + "body = cube 60 0 0 0 1 0 0 0\n"),
              "2: body: the scene 'cage' has no place for bodies, expected workbench");
    const std::string bench = head + "scene = workbench\n";
    EXPECT_EQ(
        error_of(bench + "body = cube 60 0 0 0 1 0 0 0\nbody = cube 60 0 0\n"),
        "4: body cube 60 0 0: expected SHAPE SIZE X Y Z and a rotation W X Y Z, or six more numbers of a "
        "motion");
    EXPECT_NE(error_of(bench + "body = cubus 60 0 0 0 1 0 0 0\n")
                  .find("3: body cubus 60 0 0 0 1 0 0 0: unknown "
                        "shape 'cubus'"),
              std::string::npos);
}

TEST_F(SceneFile, a_mesh_is_found_beside_the_file_and_its_name_may_contain_a_number_sign) {
    write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", "wedge#1.obj");
    SessionOptions options;
    const Status read =
        read_scene_file(write("claybox_scene = 1\nmesh = wedge#1.obj # a comment\n"), options);
    ASSERT_TRUE(read.ok()) << read.error().text();
    ASSERT_EQ(options.meshes.size(), 1u);
}

TEST_F(SceneFile, random_bytes_give_an_error_or_a_valid_scene) {
    Random random(11);
    const std::string seed_text =
        "claybox_scene = 1\nscene = crowd\nbroad = octree\nbroad.depth = 4\nseed = 7\n";
    for (int i = 0; i < 400; ++i) {
        std::string text = seed_text;
        for (std::uint64_t k = 1 + random.below(6); k > 0; --k)
            text[random.below(text.size())] = static_cast<char>(random.below(256));
        SessionOptions options;
        const Status read = read_scene_file(write(text), options);
        if (read.ok()) {
            EXPECT_NE(find_scene(options.scene), nullptr);
        } else {
            EXPECT_FALSE(read.error().message.empty());
        }
    }
}

TEST_F(SceneFile, the_bodies_of_an_edited_scene_are_there_again_bit_for_bit) {
    write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", "my wedge.obj");
    SessionOptions options;
    ASSERT_TRUE(
        read_scene_file(write("claybox_scene = 1\nscene = workbench\nmesh = my wedge.obj\n"), options).ok());
    ASSERT_TRUE(options.bodies.has_value()) << "a mesh without bodies gets one";
    ASSERT_EQ(options.bodies->size(), 1u);
    const auto session = Session::create(options);
    ASSERT_TRUE(session.ok()) << session.error().text();
    StepInput throws;
    BodyEdit hold;
    hold.body = 0;
    hold.pose = options.bodies->front().pose;
    for (int i = 0; i < 8; ++i) {
        hold.pose.translation.x += 0.01;
        throws.edits = {hold};
        session.value()->step(throws);
    }
    hold.kind = BodyEdit::Kind::let_go;
    throws.edits = {hold};
    session.value()->step(throws);
    options.bodies = session.value()->scene().bodies();
    ASSERT_NE(options.bodies->front().velocity, Vec3d{});
    SessionOptions read;
    const Status again = read_scene_file(write(scene_file_text(options)), read);
    ASSERT_TRUE(again.ok()) << again.error().text();
    EXPECT_EQ(read.bodies, options.bodies);
    ASSERT_EQ(read.meshes.size(), 1u);
    EXPECT_EQ(read.meshes[0]->geometry().content, options.meshes[0]->geometry().content);
    EXPECT_NE(scene_command(options).find("my wedge.obj' --body 'mesh1 130 "), std::string::npos);
    options.bodies->clear();
    ASSERT_TRUE(read_scene_file(write(scene_file_text(options)), read).ok());
    ASSERT_TRUE(read.bodies.has_value());
    EXPECT_TRUE(read.bodies->empty()) << "an empty bench stays empty";
}

TEST_F(SceneFile, ten_thousand_bodies_fit_and_one_more_is_an_error) {
    SessionOptions options;
    options.scene = "workbench";
    options.scene_parameters = default_values(find_scene("workbench")->parameters);
    Random random(2);
    options.bodies.emplace();
    for (std::size_t i = 0; i < kMaxPlacedBodies; ++i)
        options.bodies->push_back({"cube",
                                   10 + 1.0 / 3,
                                   {random_rotation(random, 0, 3), random.unit_vector()},
                                   random.unit_vector() * 1e-3,
                                   {}});
    SessionOptions read;
    std::string text = scene_file_text(options);
    ASSERT_TRUE(read_scene_file(write(text), read).ok());
    EXPECT_EQ(read.bodies, options.bodies);
    EXPECT_EQ(error_of(text + "body = cube 60 0 0 0 1 0 0 0\n"),
              "10003: body: expected at most 10000 bodies");
}

TEST_F(SceneFile, random_bytes_in_bodies_give_an_error_or_valid_bodies) {
    Random random(12);
    const std::string seed_text =
        "claybox_scene = 1\nscene = workbench\nbody = ring 60 0.1 0.2 0.3 1 0 0 0\n"
        "body = mesh1 60 -1e-3 0.2 0.3 0.5 0.5 0.5 0.5 0 0.001 0 0 0 0.1\n";
    int valid = 0;
    for (int i = 0; i < 600; ++i) {
        std::string text = seed_text;
        for (std::uint64_t k = 1 + random.below(4); k > 0; --k)
            text[random.below(text.size())] = random.below(2) == 0 ? static_cast<char>(random.below(256))
                                                                   : "0123456789.-e nif"[random.below(17)];
        SessionOptions options;
        const Status read = read_scene_file(write(text), options);
        if (!read.ok()) {
            EXPECT_FALSE(read.error().message.empty());
            continue;
        }
        ++valid;
        if (!options.bodies) continue;
        for (const PlacedBody& body : *options.bodies) {
            EXPECT_TRUE(is_place(body.pose) && is_body_shape(body.shape)) << text;
            EXPECT_TRUE(body.size >= kMinBodySize && body.size <= kMaxBodySize) << text;
        }
        if (const auto session = Session::create(options); session.ok()) session.value()->step({});
    }
    EXPECT_GT(valid, 20);
}

TEST_F(SceneFile, the_shipped_scenes_run) {
    const std::filesystem::path folder = engine::asset_folder() / "scenes";
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const auto run = run_here({"run", "--scene", entry.path().string(), "--headless", "--frames", "3"});
        EXPECT_EQ(run.status, 0) << run.err;
        ++count;
    }
    EXPECT_GE(count, 3u);
}

}  // namespace
}  // namespace claybox::test
