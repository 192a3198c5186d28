#include "engine/assets/mesh_file.hpp"

#include <gtest/gtest.h>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>

#include <fstream>
#include <limits>

namespace claybox::engine {
namespace {

/// A temporary folder, removed after the test.
class Folder {
  public:
    Folder()
        : path_(std::filesystem::temp_directory_path() /
                ("claybox_assets_" +
                 std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()))) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    std::filesystem::path operator/(const char* name) const { return path_ / name; }
    std::size_t count() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
    }

  private:
    std::filesystem::path path_;
};

FileMesh quad() {
    FileMesh mesh;
    mesh.positions = {
        0.1f, 1e-40f, -0.f, 1.f / 3, 0, 0, 16777216.f, 1, 0, 0, std::numeric_limits<float>::min(), 0.7f};
    mesh.indices = {0, 1, 2, 3};
    mesh.begin = {0, 4};
    return mesh;
}

TEST(MeshWriter, obj_keeps_every_bit_and_every_polygon) {
    const Folder folder;
    std::string problem;
    const FileMesh mesh = quad();
    ASSERT_TRUE(write_mesh(folder / "quad.obj", mesh, {}, problem)) << problem;
    FileMesh back;
    FileError error;
    ASSERT_TRUE(read_mesh(folder / "quad.obj", back, error)) << error.message;
    EXPECT_EQ(back.positions, mesh.positions);
    EXPECT_EQ(back.indices, mesh.indices);
    EXPECT_EQ(folder.count(), 1u) << "no temporary file is left";
}

TEST(MeshWriter, stl_is_in_millimetres) {
    const Folder folder;
    std::string problem;
    ASSERT_TRUE(write_mesh(folder / "quad.stl", quad(), {0, 1, 2, 0, 2, 3}, problem)) << problem;
    EXPECT_EQ(std::filesystem::file_size(folder / "quad.stl"), 84u + 2 * 50u);
    FileMesh back;
    FileError error;
    ASSERT_TRUE(read_mesh(folder / "quad.stl", back, error)) << error.message;
    ASSERT_EQ(back.positions.size(), 18u);
    EXPECT_FLOAT_EQ(back.positions[0], 100.f);
    EXPECT_FLOAT_EQ(back.positions[3], 1000.f / 3);
}

TEST(MeshWriter, unknown_extension_bad_index_and_missing_folder_are_errors) {
    const Folder folder;
    std::string problem;
    EXPECT_FALSE(write_mesh(folder / "quad.dae", quad(), {}, problem));
    EXPECT_FALSE(problem.empty());
    EXPECT_FALSE(write_mesh(folder / "bad.stl", quad(), {0, 1, 4}, problem));
    EXPECT_FALSE(write_mesh(folder / "no_folder/quad.obj", quad(), {}, problem));
    EXPECT_EQ(folder.count(), 0u);
}

TEST(PngWriter, written_image_reads_back) {
    const Folder folder;
    std::vector<std::uint8_t> rgb;
    for (int i = 0; i < 5 * 3 * 3; ++i) rgb.push_back(static_cast<std::uint8_t>(i * 5));
    std::string problem;
    ASSERT_TRUE(write_png(folder / "image.png", 5, 3, rgb, problem)) << problem;
    int width = 0, height = 0, channels = 0;
    unsigned char* back = stbi_load((folder / "image.png").string().c_str(), &width, &height, &channels, 3);
    ASSERT_NE(back, nullptr);
    EXPECT_EQ(width, 5);
    EXPECT_EQ(height, 3);
    EXPECT_EQ(std::vector<std::uint8_t>(back, back + rgb.size()), rgb);
    stbi_image_free(back);
    EXPECT_FALSE(write_png(folder / "wrong.png", 5, 4, rgb, problem));
}

}  // namespace
}  // namespace claybox::engine
