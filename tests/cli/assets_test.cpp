// The assets as the command line uses them: the default device map, sample meshes, recordings, and damaged or
// missing folders.

#include "engine/files/assets.hpp"

#include "app/cli/files/mesh_import.hpp"
#include "app/devices/app_devices.hpp"
#include "app/scenes/scene.hpp"
#include "app/session/recording.hpp"
#include "collision/geometry/classification.hpp"
#include "tests/cli/support.hpp"
#include "tests/support/asset_folder.hpp"

#include <gtest/gtest.h>

namespace claybox::test {
namespace {

std::vector<std::filesystem::path> files_of(const char* folder) {
    std::vector<std::filesystem::path> out;
    for (const auto& entry : std::filesystem::directory_iterator(engine::asset_folder() / folder))
        out.push_back(entry.path());
    std::sort(out.begin(), out.end());
    return out;
}

std::string default_map() {
    std::string text, error;
    EXPECT_TRUE(engine::read_asset("devices/default.map", text, error)) << error;
    return text;
}

const std::string& mapping_of(const app::DefaultMap& map, std::string_view device) {
    const auto declared = app::app_devices();
    for (std::size_t i = 0; i < declared.size(); ++i)
        if (device == declared[i].name) return map.mappings[i];
    static const std::string kNothing = "no device";
    return kNothing;
}

TEST(DefaultMap, maps_every_device_of_the_program) {
    const app::DefaultMap map = app::read_default_map(default_map(), "default.map");
    EXPECT_TRUE(map.problems.empty()) << map.problems.front();
    for (const engine::DeviceDeclaration& device : app::app_devices())
        EXPECT_EQ(mapping_of(map, device.name), device.mapping) << device.name;
    EXPECT_EQ(mapping_of(map, "undo"), "keyboard.ctrl+z | gamepad.x");
    EXPECT_EQ(mapping_of(map, "fly_z"), "keyboard.w minus keyboard.s | gamepad.left_y invert deadzone 0.15");
}

/// The keys of the mapping, as words after "keyboard.".
std::vector<std::string> keys_in(const char* mapping) {
    std::vector<engine::MapTerm> terms;
    std::string error;
    EXPECT_TRUE(engine::parse_mapping(mapping, terms, error)) << error;
    std::vector<std::string> out;
    const auto add = [&](const engine::MapRef& ref) {
        if (ref.text.starts_with("keyboard.")) out.push_back(ref.text.substr(9));
    };
    for (const engine::MapTerm& term : terms) {
        add(term.first);
        if (term.join != engine::MapJoin::none) add(term.second);
    }
    return out;
}

// Only the curls of the fingers give way to a scene: there they have Shift.
TEST(DefaultMap, no_key_has_two_meanings_in_a_scene) {
    for (const app::SceneDescriptor* scene : app::scenes()) {
        std::map<std::string, std::string> owner;
        for (const engine::DeviceDeclaration& device : app::app_devices()) {
            const std::string_view scope = device.scope, name = device.name;
            if (!scope.empty() && scope != scene->id) continue;
            for (const std::string& key : keys_in(device.mapping)) {
                const auto [place, is_new] = owner.emplace(key, name);
                EXPECT_TRUE(is_new || place->second.starts_with("curl_")) << scene->id << ": " << key;
            }
        }
    }
}

TEST(DefaultMap, every_device_has_a_name_of_its_own) {
    std::set<std::string> names;
    for (const engine::DeviceDeclaration& device : app::app_devices())
        EXPECT_TRUE(names.insert(device.name).second) << device.name;
}

TEST(DefaultMap, a_line_replaces_the_key_of_a_scene) {
    const app::DefaultMap own = app::read_default_map(default_map(), "default.map");
    EXPECT_EQ(mapping_of(own, "potter_smooth"), "keyboard.5");
    const app::DefaultMap map =
        app::read_default_map(default_map() + "button potter_smooth = keyboard.j\n", "default.map");
    EXPECT_TRUE(map.problems.empty()) << map.problems.front();
    EXPECT_EQ(mapping_of(map, "potter_smooth"), "keyboard.j");
}

TEST(DefaultMap, wrong_lines_are_left_out_and_named_and_quitting_works_in_any_case) {
    const app::DefaultMap map = app::read_default_map(
        "button help = keyboard.f1\nbutton undo = keyboard.no_such_key\nvalue pause = keyboard.p\nbutton "
        "extra = keyboard.x\n",
        "default.map");
    EXPECT_EQ(mapping_of(map, "help"), "keyboard.f1");
    EXPECT_EQ(mapping_of(map, "undo"), "none");
    EXPECT_EQ(mapping_of(map, "quit"), "keyboard.ctrl+q");
    ASSERT_EQ(map.problems.size(), 4u);
    EXPECT_TRUE(map.problems[1].starts_with("default.map:2: ")) << map.problems[1];
    EXPECT_TRUE(map.problems[0].starts_with("default.map:3: expected button pause")) << map.problems[0];
    EXPECT_EQ(map.problems[2], "default.map:4: there is no device 'extra'");
    EXPECT_TRUE(map.problems[3].starts_with("default.map: expected lines for take_hand, "))
        << map.problems[3];
}

TEST(DefaultMap, a_damaged_file_keeps_ctrl_q_and_names_its_problems) {
    const std::string whole = default_map();
    std::vector<std::string> texts{"", garbage(), std::string(1000, '\n') + garbage(),
                                   std::string(100000, 'x')};
    for (std::size_t size = 1; size < whole.size(); size += 211) texts.push_back(whole.substr(0, size));
    for (const std::string& text : texts) {
        const app::DefaultMap map = app::read_default_map(text, "default.map");
        ASSERT_EQ(map.mappings.size(), app::app_devices().size());
        EXPECT_FALSE(map.problems.empty());
        EXPECT_LE(map.problems.size(), 101u);
        EXPECT_EQ(mapping_of(map, "quit"), "keyboard.ctrl+q");
    }
}

TEST(SampleMeshes, every_mesh_is_closed_and_small) {
    const auto files = files_of("meshes");
    EXPECT_EQ(files.size(), 6u);
    for (const std::filesystem::path& file : files) {
        EXPECT_LE(std::filesystem::file_size(file), 100'000u) << file;
        const auto polygons = app::import_polygons(file);
        ASSERT_TRUE(polygons.ok()) << polygons.error().text();
        const auto polyhedron = collision::build_polyhedron(polygons.value());
        ASSERT_TRUE(polyhedron.ok()) << polyhedron.error().text();
        const collision::Classification c = collision::classify(polyhedron.value());
        EXPECT_TRUE(c.closed && c.manifold && c.oriented) << file;
        EXPECT_EQ(c.degenerate_polygons, 0u) << file;
    }
}

/// The root folder as current folder: it has no `assets` of its own.
class InRootFolder {
  public:
    InRootFolder() : before_(std::filesystem::current_path()) { std::filesystem::current_path("/"); }
    ~InRootFolder() { std::filesystem::current_path(before_); }

  private:
    std::filesystem::path before_;
};

TEST(SampleMeshes, are_found_by_their_name_in_every_folder) {
    const InRootFolder here;
    const Outcome inspected = run_here({"inspect", "assets/meshes/ring.obj"});
    const Outcome run =
        run_here({"run", "--headless", "--frames", "2", "--mesh", "assets/meshes/gear.stl", "--hash"});
    const Outcome unknown = run_here({"inspect", "assets/meshes/none.obj"});
    EXPECT_EQ(inspected.status, 0) << inspected.err;
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(unknown.status, 2);
    EXPECT_NE(unknown.err.find("assets/meshes/none.obj"), std::string::npos) << unknown.err;
}

TEST(SampleRecordings, each_replays_to_the_hash_of_every_frame) {
    const InRootFolder here;
    const auto files = files_of("recordings");
    EXPECT_EQ(files.size(), 3u);
    for (const std::filesystem::path& file : files) {
        EXPECT_LE(std::filesystem::file_size(file), 2'500'000u) << file;
        const auto recording = app::read_recording(file);
        ASSERT_TRUE(recording.ok()) << recording.error().text();
        EXPECT_GE(recording.value().frames.size(), 60u);
        const Outcome replayed = run_here({"replay", "assets/recordings/" + file.filename().string()});
        EXPECT_EQ(replayed.status, 0) << replayed.err;
        EXPECT_NE(replayed.out.find("all hashes equal"), std::string::npos) << replayed.out;
    }
}

TEST(SampleFiles, cut_off_or_damaged_they_are_errors_and_no_crash) {
    const InRootFolder here;
    const AssetFolder folder;
    for (const auto& file : {"meshes/ring.obj", "meshes/gear.stl", "recordings/cage.rec"}) {
        const std::filesystem::path source = std::filesystem::path(CLAYBOX_SOURCE_DIR) / "assets" / file;
        const auto size = std::filesystem::file_size(source);
        std::string whole(static_cast<std::size_t>(size), '\0');
        std::ifstream(source, std::ios::binary).read(whole.data(), static_cast<std::streamsize>(size));
        const std::string name = std::string("assets/") + file;
        const bool mesh = name.find("meshes") != std::string::npos;
        for (const std::string& text : {std::string(), garbage(), whole.substr(0, whole.size() / 2 + 1)}) {
            folder.write(file, text);
            const Outcome out = run_here(mesh ? std::vector<std::string>{"run", "--headless", "--mesh", name}
                                              : std::vector<std::string>{"replay", name});
            // Half a mesh of polygons is a mesh.
            if (mesh && text.size() > 3000 && out.status == 0) continue;
            EXPECT_EQ(out.status, 2) << name << " of " << text.size() << " bytes: " << out.out;
            EXPECT_NE(out.err.find(folder.path().string()), std::string::npos) << out.err;
            EXPECT_EQ(lines_of(out.err).size(), 1u) << out.err;
        }
    }
}

/// Runs the built program for one frame, with a picture of scene and panels where it has graphics.
Outcome run_with_picture(const Folder& pictures) {
#ifdef CLAYBOX_HEADLESS
    return run_program({"list", "device"});
#else
    return run_program({"run", "--headless", "--frames", "1", "--size", "640x400", "--screenshot",
                        pictures.file("picture.png")});
#endif
}

TEST(AssetProblems, without_the_folder_the_program_runs_and_says_where_it_searched) {
    const Folder pictures("assets_pictures");
    const Variable nowhere("CLAYBOX_ASSETS", "/nowhere/at/all");
    const Outcome out = run_with_picture(pictures);
    EXPECT_EQ(out.status, 0) << out.err;
    EXPECT_EQ(lines_of(out.err).size(), 1u) << "one cause has one message: " << out.err;
    EXPECT_NE(out.err.find("searched /nowhere/at/all"), std::string::npos) << out.err;
    const Outcome version = run_program({"--version"});
    EXPECT_EQ(version.status, 0);
    EXPECT_EQ(version.err, "");
}

TEST(AssetProblems, the_program_runs_with_damaged_assets_and_names_each) {
    const Folder pictures("assets_pictures");
    for (const std::string& content :
         {std::string(), garbage(), std::string(engine::kMaxAssetBytes + 1, 'x')}) {
        const AssetFolder folder;
        folder.fill();
        for (const char* name : {"icons/cage.svg", "devices/default.map", "materials/materials.txt"})
            folder.write(name, content);
        const Outcome out = run_with_picture(pictures);
        EXPECT_EQ(out.status, 0) << out.err;
#ifdef CLAYBOX_HEADLESS
        EXPECT_NE(out.err.find("devices/default.map"), std::string::npos) << out.err;
#else
        for (const char* name : {"icons/cage.svg", "materials/materials.txt"})
            EXPECT_NE(out.err.find((folder.path() / name).string()), std::string::npos) << out.err;
#endif
    }
}

}  // namespace
}  // namespace claybox::test
