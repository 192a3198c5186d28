// A shaped pot there and back through every file format: exported, imported, and shaped again.

#include "app/bridge/sandbox/export_mesh.hpp"
#include "app/cli/files/mesh_import.hpp"
#include "app/potter/files/watertight.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

namespace claybox::app {
namespace {

namespace fs = std::filesystem;

class PotFiles : public testing::TestWithParam<const char*> {
  protected:
    PotFiles()
        : folder_(fs::temp_directory_path() /
                  ("claybox_pot_files_" + std::to_string(::getpid()) + std::string(GetParam()))) {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~PotFiles() override { fs::remove_all(folder_); }

    static Watertight check(const Session& session) {
        const ExportMesh clay = session.scene().export_mesh();
        return check_watertight(*clay.topology, *clay.positions);
    }

    fs::path folder_;
};

TEST_P(PotFiles, a_shaped_pot_comes_back_watertight_with_its_volume_and_can_be_shaped_again) {
    SessionOptions options = options_for("potter");
    set(options, "polygons", 3000);
    const auto before = start(options);
    run(*before, 230);
    ASSERT_GE(figure(*before, "remeshed"), 1) << "the detail follows the hand";
    const std::string said =
        save_mesh(before->scene().export_mesh(), folder_, GetParam(), [] { return false; });
    EXPECT_NE(said.find("watertight, "), std::string::npos) << said;
    EXPECT_EQ(said.find("not watertight"), std::string::npos) << said;

    const fs::path file = folder_ / ("claybox-pot-1" + std::string(GetParam()));
    const auto shape = import_shape(file, *find_scene("potter"));
    ASSERT_TRUE(shape.ok()) << shape.error().text();
    options.meshes = {shape.value()};
    const auto after = start(options);
    EXPECT_TRUE(check(*after).good());
    const double volume = figure(*before, "volume_after");
    EXPECT_NEAR(figure(*after, "volume_after"), volume, 1e-5 * volume);
    EXPECT_NEAR(figure(*after, "height"), figure(*before, "height"), 1e-3);
    EXPECT_EQ(after->scene().export_mesh().topology->triangles.size(),
              before->scene().export_mesh().topology->triangles.size());
    if (std::string(GetParam()) != ".stl") {  // its numbers are millimetres
        EXPECT_TRUE(*after->scene().export_mesh().positions == *before->scene().export_mesh().positions);
    }
    run(*after, 230);
    EXPECT_LT(figure(*after, "volume_after"), 0.999 * volume) << "a finger dents it";
    EXPECT_TRUE(check(*after).good());
}

TEST_P(PotFiles, a_cancelled_save_leaves_no_file) {
    SessionOptions options = options_for("potter");
    set(options, "polygons", 300);
    save_mesh(start(options)->scene().export_mesh(), folder_, GetParam(), [] { return true; });
    EXPECT_TRUE(fs::is_empty(folder_));
}

INSTANTIATE_TEST_SUITE_P(Formats, PotFiles, testing::Values(".obj", ".ply", ".stl", ".glb"),
                         [](const auto& instance) { return std::string(instance.param + 1); });

}  // namespace
}  // namespace claybox::app
