#include "engine/assets/gif_writer.hpp"
#include "engine/assets/mesh_file.hpp"

#include <gtest/gtest.h>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

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

constexpr std::uint32_t kTwo[] = {0, 1, 2, 0, 2, 3};

FileMesh read_back(const std::filesystem::path& file) {
    FileMesh back;
    FileError error;
    EXPECT_TRUE(read_mesh(file, back, error)) << file << ": " << error.message;
    return back;
}

/// Comparison of floats would take -0 for 0.
std::vector<std::uint32_t> bits(const std::vector<float>& values) {
    std::vector<std::uint32_t> out;
    for (const float v : values) out.push_back(std::bit_cast<std::uint32_t>(v));
    return out;
}

TEST(MeshWriter, obj_and_ply_keep_every_bit_and_every_polygon) {
    const Folder folder;
    std::string problem;
    const FileMesh mesh = quad();
    for (const char* name : {"quad.obj", "quad.ply"}) {
        ASSERT_TRUE(write_mesh(folder / name, view_of(mesh), problem)) << problem;
        const FileMesh back = read_back(folder / name);
        EXPECT_EQ(bits(back.positions), bits(mesh.positions)) << name;
        EXPECT_EQ(back.indices, mesh.indices) << name;
        EXPECT_EQ(back.begin, mesh.begin) << name;
        EXPECT_EQ(back.metres_per_unit, 1) << name << " says that it is ours";
    }
    EXPECT_EQ(folder.count(), 2u) << "no temporary file is left";
}

TEST(MeshWriter, ply_has_polygons_with_more_than_255_vertices) {
    const Folder folder;
    FileMesh mesh;
    for (std::uint32_t i = 0; i < 300; ++i) {
        mesh.positions.insert(mesh.positions.end(), {static_cast<float>(i), 0, 1});
        mesh.indices.push_back(i);
    }
    mesh.indices.insert(mesh.indices.end(), {0, 5, 9});
    mesh.begin = {0, 300, 303};
    std::string problem;
    ASSERT_TRUE(write_mesh(folder / "large.ply", view_of(mesh), problem)) << problem;
    const FileMesh back = read_back(folder / "large.ply");
    EXPECT_EQ(back.indices, mesh.indices);
    EXPECT_EQ(back.begin, mesh.begin);
}

TEST(MeshWriter, glb_keeps_every_bit_of_the_positions) {
    const Folder folder;
    std::string problem;
    const FileMesh mesh = quad();
    ASSERT_TRUE(write_mesh(folder / "quad.glb", view_of(mesh, kTwo), problem)) << problem;
    const FileMesh back = read_back(folder / "quad.glb");
    EXPECT_EQ(bits(back.positions), bits(mesh.positions));
    EXPECT_EQ(back.indices, std::vector<std::uint32_t>(std::begin(kTwo), std::end(kTwo)));
    EXPECT_EQ(back.metres_per_unit, 1);
    EXPECT_FALSE(back.z_up);
}

TEST(MeshWriter, stl_is_in_millimetres_with_z_up) {
    const Folder folder;
    std::string problem;
    const FileMesh mesh = quad();
    ASSERT_TRUE(write_mesh(folder / "quad.stl", view_of(mesh, kTwo), problem)) << problem;
    EXPECT_EQ(std::filesystem::file_size(folder / "quad.stl"), 84u + 2 * 50u);
    const FileMesh back = read_back(folder / "quad.stl");
    ASSERT_EQ(back.positions.size(), 18u);
    EXPECT_EQ(back.metres_per_unit, 0.001);
    EXPECT_TRUE(back.z_up);
    for (std::size_t corner = 0; corner < 6; ++corner) {
        const float *const read = &back.positions[corner * 3], *const made =
                                                                   &mesh.positions[kTwo[corner] * 3];
        const float expected[] = {made[0], -made[2], made[1]};
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_EQ(read[k], static_cast<float>(1000.0 * static_cast<double>(expected[k])));
    }
}

TEST(MeshWriter, unknown_extension_bad_index_and_missing_folder_are_errors) {
    const Folder folder;
    std::string problem;
    const FileMesh mesh = quad();
    EXPECT_FALSE(write_mesh(folder / "quad.dae", view_of(mesh), problem));
    EXPECT_NE(problem.find("expected .obj, .ply, .stl or .glb"), std::string::npos) << problem;
    constexpr std::uint32_t kBeyond[] = {0, 1, 4};
    EXPECT_FALSE(write_mesh(folder / "bad.stl", view_of(mesh, kBeyond), problem));
    EXPECT_FALSE(write_mesh(folder / "none.glb", view_of(mesh), problem)) << "no triangles";
    EXPECT_FALSE(write_mesh(folder / "none.ply", view_of({}), problem));
    FileMesh broken = quad();
    broken.positions[4] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(write_mesh(folder / "nan.ply", view_of(broken), problem));
    EXPECT_NE(problem.find("not finite"), std::string::npos) << problem;
    EXPECT_EQ(folder.count(), 0u);
    EXPECT_FALSE(write_mesh(folder / "no_folder/quad.obj", view_of(mesh), problem));
    EXPECT_NE(problem.find("its folder does not exist"), std::string::npos) << problem;
    EXPECT_EQ(folder.count(), 0u);
}

TEST(MeshWriter, a_full_disk_is_an_error_for_every_format) {
    if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full";
    const Folder folder;
    const FileMesh mesh = quad();
    for (const char* ending : kWrittenMeshes) {
        const std::filesystem::path file = folder / (std::string("full") + ending).c_str();
        std::filesystem::create_symlink("/dev/full", file);
        std::string problem;
        EXPECT_FALSE(write_mesh(file, view_of(mesh, kTwo), problem)) << ending;
        EXPECT_NE(problem.find("No space left"), std::string::npos) << problem;
    }
}

TEST(MeshReaders, every_cut_of_a_binary_file_is_an_error) {
    const Folder folder;
    const FileMesh mesh = quad();
    std::string problem;
    for (const char* name : {"quad.ply", "quad.stl", "quad.glb"}) {
        ASSERT_TRUE(write_mesh(folder / name, view_of(mesh, kTwo), problem)) << problem;
        const auto size = std::filesystem::file_size(folder / name);
        for (std::uintmax_t cut = size; cut-- > 0;) {
            std::filesystem::resize_file(folder / name, cut);
            FileMesh back;
            FileError error;
            EXPECT_FALSE(read_mesh(folder / name, back, error)) << name << " of " << cut << " bytes";
            EXPECT_FALSE(error.message.empty()) << name << " of " << cut << " bytes";
        }
    }
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

struct Animation {
    int width = 0, height = 0;
    std::vector<std::vector<std::uint8_t>> pictures;
    std::vector<int> milliseconds;
};

Animation read_gif(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    Animation out;
    int count = 0, channels = 0, *delays = nullptr;
    unsigned char* pixels = stbi_load_gif_from_memory(reinterpret_cast<const unsigned char*>(bytes.data()),
                                                      static_cast<int>(bytes.size()), &delays, &out.width,
                                                      &out.height, &count, &channels, 3);
    if (pixels == nullptr) return out;
    const std::size_t size = 3 * static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        out.pictures.emplace_back(pixels + i * size, pixels + (i + 1) * size);
    out.milliseconds.assign(delays, delays + count);
    stbi_image_free(pixels);
    stbi_image_free(delays);
    return out;
}

TEST(GifWriter, pictures_in_few_colours_read_back_bit_for_bit) {
    const Folder folder;
    constexpr int kWidth = 211, kHeight = 150;  // noise of this size fills the table of strings several times
    std::mt19937 random(3);
    std::vector<std::vector<std::uint8_t>> pictures(5);
    for (std::size_t n = 0; n < pictures.size(); ++n)
        for (int i = 0; i < kWidth * kHeight; ++i) {
            const bool plain = n == 2 || i < 20 * kWidth;
            for (unsigned k = 0, colour = plain ? 5 : random() % 27; k < 3; ++k, colour /= 3)
                pictures[n].push_back(static_cast<std::uint8_t>(colour % 3 * 120));
        }
    SharedPalette palette;
    for (const auto& picture : pictures) palette.sample(picture);
    palette.choose(255);
    EXPECT_EQ(palette.colours().size(), 27u);
    std::string problem;
    GifWriter gif;
    ASSERT_TRUE(gif.open(folder / "noise.gif", kWidth, kHeight, 7, palette, problem)) << problem;
    EXPECT_FALSE(std::filesystem::exists(folder / "noise.gif")) << "an unfinished file is visible";
    for (const auto& picture : pictures) gif.add(picture);
    ASSERT_TRUE(gif.commit(false, problem)) << problem;
    const Animation back = read_gif(folder / "noise.gif");
    EXPECT_EQ(back.width, kWidth);
    EXPECT_EQ(back.height, kHeight);
    ASSERT_EQ(back.pictures.size(), pictures.size());
    for (std::size_t n = 0; n < pictures.size(); ++n)
        EXPECT_TRUE(back.pictures[n] == pictures[n]) << "picture " << n;
    EXPECT_EQ(back.milliseconds, std::vector<int>(5, 70));
    EXPECT_EQ(folder.count(), 1u);
}

TEST(GifWriter, a_photograph_keeps_its_colours_on_average) {
    const Folder folder;
    constexpr int kSide = 96;
    std::vector<std::uint8_t> picture;
    for (int i = 0; i < kSide * kSide; ++i) {
        const int x = i % kSide, y = i / kSide;
        for (const int c : {40 + 2 * x, 30 + x + y, 200 - y - x / 2})
            picture.push_back(static_cast<std::uint8_t>(c));
    }
    SharedPalette palette;
    palette.sample(picture);
    palette.choose(255);
    EXPECT_GT(palette.colours().size(), 200u);
    std::string problem;
    GifWriter gif;
    ASSERT_TRUE(gif.open(folder / "ramp.gif", kSide, kSide, 5, palette, problem)) << problem;
    gif.add(picture);
    ASSERT_TRUE(gif.commit(false, problem)) << problem;
    const Animation back = read_gif(folder / "ramp.gif");
    ASSERT_EQ(back.pictures.size(), 1u);
    double sum = 0, largest = 0;
    for (std::size_t i = 0; i < picture.size(); ++i) {
        const double error = back.pictures[0][i] - picture[i];
        sum += error;
        largest = std::max(largest, std::abs(error));
    }
    EXPECT_LT(std::abs(sum) / static_cast<double>(picture.size()), 1.0);
    EXPECT_LT(largest, 40);
}

TEST(GifWriter, a_missing_folder_and_too_many_colours_are_errors) {
    const Folder folder;
    std::string problem;
    SharedPalette palette;
    palette.choose(255);
    EXPECT_EQ(palette.colours().size(), 1u);
    EXPECT_FALSE(GifWriter().open(folder / "no_folder/a.gif", 4, 4, 5, palette, problem));
    EXPECT_NE(problem.find("its folder does not exist"), std::string::npos) << problem;
    EXPECT_FALSE(GifWriter().open(folder / "a.gif", 0, 4, 5, palette, problem));
    {
        GifWriter unfinished;
        ASSERT_TRUE(unfinished.open(folder / "a.gif", 1, 1, 5, palette, problem)) << problem;
        const std::uint8_t pixel[] = {1, 2, 3};
        unfinished.add(pixel);
    }
    EXPECT_EQ(folder.count(), 0u);
}

}  // namespace
}  // namespace claybox::engine
