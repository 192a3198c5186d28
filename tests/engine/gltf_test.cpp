// glTF files: what is read, what is refused, and that broken bytes are errors and nothing else.

#include "collision/core/random.hpp"
#include "engine/assets/readers.hpp"
#include "engine/files/write_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <unistd.h>

namespace claybox::engine {
namespace {

using nlohmann::json;

std::string float_bytes(std::initializer_list<float> values) {
    std::string out;
    for (const float value : values) {
        const auto raw = std::bit_cast<std::uint32_t>(value);
        for (int i = 0; i < 4; ++i) out += static_cast<char>(raw >> (8 * i) & 0xff);
    }
    return out;
}

std::string base64(const std::string& bytes) {
    constexpr const char* kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    std::uint32_t bits = 0;
    int held = 0;
    for (const char c : bytes) {
        bits = bits << 8 | static_cast<unsigned char>(c);
        for (held += 8; held >= 6; held -= 6) out += kLetters[bits >> (held - 6) & 63];
    }
    if (held > 0) out += kLetters[bits << (6 - held) & 63];
    while (out.size() % 4 != 0) out += '=';
    return out;
}

/// Four corners of a unit square, then two triangles as bytes.
const std::string kSquare =
    float_bytes({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}) + std::string("\0\1\2\0\2\3", 6);

/// A square in the plane z = 0 with its buffer inside of the JSON.
json square() {
    return {{"asset", {{"version", "2.0"}}},
            {"scenes", {{{"nodes", {0}}}}},
            {"nodes", {{{"mesh", 0}}}},
            {"meshes", {{{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"indices", 1}}}}}}},
            {"buffers",
             {{{"byteLength", kSquare.size()},
               {"uri", "data:application/octet-stream;base64," + base64(kSquare)}}}},
            {"bufferViews",
             {{{"buffer", 0}, {"byteLength", 48}}, {{"buffer", 0}, {"byteOffset", 48}, {"byteLength", 6}}}},
            {"accessors",
             {{{"bufferView", 0}, {"componentType", 5126}, {"count", 4}, {"type", "VEC3"}},
              {{"bufferView", 1}, {"componentType", 5121}, {"count", 6}, {"type", "SCALAR"}}}}};
}

struct GltfOutcome {
    bool good = false;
    FileMesh mesh;
    FileError error;
};

GltfOutcome read_text(const std::string& text, const std::filesystem::path& folder = {}) {
    GltfOutcome out;
    out.good = read_gltf(text, folder, out.mesh, out.error);
    return out;
}

GltfOutcome read_json(const json& file, const std::filesystem::path& folder = {}) {
    return read_text(file.dump(), folder);
}

TEST(GltfReader, reads_the_triangles_of_a_data_uri) {
    const GltfOutcome read = read_json(square());
    ASSERT_TRUE(read.good) << read.error.message;
    EXPECT_EQ(read.mesh.positions, (std::vector<float>{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}));
    EXPECT_EQ(read.mesh.indices, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
    EXPECT_EQ(read.mesh.begin, (std::vector<std::uint32_t>{0, 3, 6}));
    EXPECT_EQ(read.mesh.metres_per_unit, 1);
}

TEST(GltfReader, applies_the_transforms_of_all_parents) {
    json file = square();
    // A quarter turn about +Y brings +X to -Z; then 2 along +X; then everything three times as large.
    const double h = std::sqrt(0.5);
    file["nodes"] = {{{"scale", {3, 3, 3}}, {"children", {1}}},
                     {{"translation", {2, 0, 0}}, {"children", {2}}},
                     {{"rotation", {0, h, 0, h}}, {"mesh", 0}}};
    const GltfOutcome read = read_json(file);
    ASSERT_TRUE(read.good) << read.error.message;
    const float expected[] = {6, 0, 0, 6, 0, -3, 6, 3, -3, 6, 3, 0};
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(read.mesh.positions[i], expected[i], 1e-6f) << i;
    EXPECT_EQ(read.mesh.indices[1], 1u) << "a rotation does not mirror";
}

TEST(GltfReader, a_matrix_is_stored_by_columns_and_a_mirror_turns_the_triangles) {
    json file = square();
    file["nodes"] = {{{"matrix", {-2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1}}, {"mesh", 0}}};
    const GltfOutcome read = read_json(file);
    ASSERT_TRUE(read.good) << read.error.message;
    EXPECT_EQ(read.mesh.positions, (std::vector<float>{5, 6, 7, 3, 6, 7, 3, 7, 7, 5, 7, 7}));
    EXPECT_EQ(read.mesh.indices, (std::vector<std::uint32_t>{0, 2, 1, 0, 3, 2}));
}

TEST(GltfReader, a_mesh_that_two_nodes_show_is_there_twice) {
    json file = square();
    file["nodes"] = {{{"mesh", 0}}, {{"mesh", 0}, {"translation", {0, 0, 1}}}};
    file["scenes"] = {{{"nodes", {0, 1}}}};
    const GltfOutcome read = read_json(file);
    ASSERT_TRUE(read.good) << read.error.message;
    EXPECT_EQ(read.mesh.begin.size(), 5u);
    EXPECT_EQ(read.mesh.positions.size(), 24u);
    file.erase("scenes");
    EXPECT_EQ(read_json(file).mesh.begin.size(), 5u) << "without scenes all nodes are shown";
    file["scenes"] = {{{"nodes", {0}}}, {{"nodes", {1}}}};
    file["scene"] = 1;
    const GltfOutcome chosen = read_json(file);
    EXPECT_EQ(chosen.mesh.begin.size(), 3u);
    EXPECT_EQ(chosen.mesh.positions[2], 1);
}

TEST(GltfReader, strips_and_fans_have_one_orientation) {
    json file = square();
    json& primitive = file["meshes"][0]["primitives"][0];
    primitive.erase("indices");
    primitive["mode"] = 5;
    EXPECT_EQ(read_json(file).mesh.indices, (std::vector<std::uint32_t>{0, 1, 2, 1, 3, 2}));
    primitive["mode"] = 6;
    EXPECT_EQ(read_json(file).mesh.indices, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
    primitive["mode"] = 1;
    EXPECT_NE(read_json(file).error.message.find("no vertices"), std::string::npos) << "lines are no surface";
}

class GltfFolder : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / ("claybox-gltf-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_ / "inner/deep");
        put("inner/my pot.bin", kSquare);
        put("inner/deep/pot.bin", kSquare);
        put("secret.bin", kSquare);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    void put(const char* name, const std::string& content) const {
        std::string error;
        ASSERT_TRUE(write_file_atomically(folder_ / name, content, error)) << error;
    }
    GltfOutcome read(const std::string& uri) const {
        json file = square();
        file["buffers"][0]["uri"] = uri;
        put("inner/pot.gltf", file.dump());
        GltfOutcome out;
        out.good = read_mesh(folder_ / "inner/pot.gltf", out.mesh, out.error);
        return out;
    }
    std::filesystem::path folder_;
};

TEST_F(GltfFolder, buffers_in_the_folder_or_below_are_read) {
    for (const char* uri : {"my%20pot.bin", "my pot.bin", "deep/pot.bin", "./deep/pot.bin"}) {
        const GltfOutcome out = read(uri);
        EXPECT_TRUE(out.good) << uri << out.error.message;
        EXPECT_EQ(out.mesh.begin.size(), 3u) << uri;
    }
}

TEST_F(GltfFolder, buffers_elsewhere_are_refused) {
    std::filesystem::create_symlink(folder_ / "secret.bin", folder_ / "inner/link.bin");
    for (const std::string& uri :
         {std::string("../secret.bin"), std::string("deep/../../secret.bin"),
          (folder_ / "secret.bin").string(), std::string("%2e%2e/secret.bin"), std::string("..%2Fsecret.bin"),
          std::string("..\\secret.bin"), std::string("link.bin"),
          "file://" + (folder_ / "secret.bin").string(), std::string("http://x/y.bin")}) {
        const GltfOutcome out = read(uri);
        EXPECT_FALSE(out.good) << uri;
        EXPECT_NE(out.error.message.find("leaves the folder"), std::string::npos) << uri << out.error.message;
    }
    for (const char* uri : {"absent.bin", "deep", "my%2", "my%zzpot.bin", ""}) {
        const GltfOutcome out = read(uri);
        EXPECT_FALSE(out.good) << uri;
        EXPECT_NE(out.error.message.find("buffer 0"), std::string::npos) << uri << out.error.message;
    }
}

/// Changes one member of the square and names words of the expected error.
struct GltfBreak {
    const char* pointer;
    json value;
    const char* words;
};

TEST(GltfReader, wrong_values_are_errors_that_name_the_place) {
    const GltfBreak cases[] = {
        {"/asset/version", "1.0", "expected glTF 2.0"},
        {"/asset", 3, "no asset"},
        {"/extensionsRequired", {"KHR_draco_mesh_compression"}, "KHR_draco_mesh_compression"},
        {"/scenes/0/nodes/0", 1, "scene 0"},
        {"/scenes/0/nodes/0", -1, "scene 0"},
        {"/scenes/0/nodes/0", "0", "scene 0"},
        {"/scenes", 7, "'scenes' is not an array"},
        {"/scene", 1, "'scene' is 1"},
        {"/nodes/0/children", {0}, "appears twice"},
        {"/nodes/0/mesh", 5, "'mesh' is 5, expected one of 1"},
        {"/nodes/0/mesh", 0.5, "expected a whole number"},
        {"/nodes/0/matrix", {1, 2, 3}, "16 numbers"},
        {"/nodes/0/matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2}, "last row"},
        {"/nodes/0/rotation", {0, 0, 0, 0}, "unit quaternion"},
        {"/nodes/0/scale", {1e300, 1, 1}, "2^60"},
        {"/meshes/0/primitives/0/mode", 7, "'mode' is 7"},
        {"/meshes/0/primitives/0/attributes", json::array(), "not an object"},
        {"/meshes/0/primitives/0/attributes/POSITION", 9, "'POSITION' is 9"},
        {"/meshes/0/primitives/0/indices", 0, "expected the type SCALAR"},
        {"/accessors/0/count", 5, "accessor 0 has 5 elements"},
        {"/accessors/0/count", 4294967295u, "accessor 0 has 4294967295 elements"},
        {"/accessors/0/count", 1e300, "'count'"},
        {"/accessors/0/count", 0, "accessor 0 has 0 elements"},
        {"/accessors/0/type", "VEC4", "expected the type VEC3"},
        {"/accessors/0/componentType", 5125, "expected floats"},
        {"/accessors/0/byteOffset", 4, "accessor 0"},
        {"/accessors/0/sparse", json::object(), "sparse"},
        {"/accessors/1/componentType", 5126, "accessor 1"},
        {"/accessors/1/componentType", 5122, "accessor 1"},
        {"/accessors/1/count", 5, "three for each triangle"},
        {"/accessors/0/count", 3, "vertex index 3 is out of range"},
        {"/bufferViews/0/byteLength", 55, "buffer view 0 ends beyond its buffer"},
        {"/bufferViews/0/byteOffset", 4294967295u, "buffer view 0 ends beyond its buffer"},
        {"/bufferViews/0/byteStride", 4, "'byteStride' is 4"},
        {"/bufferViews/0/byteStride", 1000, "'byteStride' is 1000"},
        {"/bufferViews/0/buffer", 1, "'buffer' is 1"},
        {"/buffers/0/byteLength", 55, "buffer 0 has 54 bytes, expected 55"},
        {"/buffers/0/uri", 8, "not a text"},
        {"/buffers/0/uri", "data:text/plain,abc", "base64"},
        {"/buffers/0/uri", "data:;base64,AA*A", "base64"},
        {"/buffers/0/uri", "data:;base64,AAAAA", "cut off"},
        {"/buffers/0/uri", "pot.bin", "expected the data in the file itself"},
        {"/buffers/0", json::object(), "buffer 0 has no 'uri'"}};
    for (const GltfBreak& c : cases) {
        json file = square();
        file[json::json_pointer(c.pointer)] = c.value;
        const GltfOutcome read = read_json(file);
        EXPECT_FALSE(read.good) << c.pointer << c.value;
        EXPECT_NE(read.error.message.find(c.words), std::string::npos)
            << c.pointer << ": " << read.error.message;
    }
}

TEST(GltfReader, coordinates_that_are_not_finite_are_errors) {
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::max()}) {
        json file = square();
        std::string bytes = kSquare;
        bytes.replace(16, 4, float_bytes({bad}));
        file["buffers"][0]["uri"] = "data:;base64," + base64(bytes);
        const GltfOutcome read = read_json(file);
        EXPECT_FALSE(read.good);
        EXPECT_NE(read.error.message.find("vertex 1"), std::string::npos) << read.error.message;
    }
}

TEST(GltfReader, text_that_is_no_json_is_an_error_with_its_line) {
    const GltfOutcome torn = read_text("{\n\"asset\": {\"version\": \"2.0\"},\n oops }");
    EXPECT_FALSE(torn.good);
    EXPECT_EQ(torn.error.line, 3u) << torn.error.message;
    EXPECT_NE(read_text(std::string(100000, '[')).error.message.find("nested too deeply"), std::string::npos);
    std::string many = "[0";
    for (int i = 0; i < 2'100'000; ++i) many += ",0";
    EXPECT_NE(read_text(many + "]").error.message.find("too many values"), std::string::npos);
    EXPECT_FALSE(read_text("{\"asset\": {\"version\": \"2.0\"}, \"scene\": 1e999}").good);
    for (const char* text : {"", " ", "[]", "3", "null", "{}", "glTF", "\xff\xfe"}) {
        const GltfOutcome read = read_text(text);
        EXPECT_FALSE(read.good) << text;
        EXPECT_FALSE(read.error.message.empty()) << text;
    }
}

// A few bytes would become a mesh of any size.
TEST(GltfReader, a_mesh_that_very_many_nodes_show_is_an_error) {
    json file = square();
    constexpr std::size_t kVertices = 100'000, kNodes = 201;
    file["buffers"][0]["uri"] =
        "data:;base64," + base64(std::string(kVertices * 12, '\0') + kSquare.substr(48));
    file["buffers"][0]["byteLength"] = kVertices * 12 + 6;
    file["bufferViews"][0]["byteLength"] = kVertices * 12;
    file["bufferViews"][1]["byteOffset"] = kVertices * 12;
    file["accessors"][0]["count"] = kVertices;
    json nodes = json::array(), shown = json::array();
    for (std::size_t i = 0; i < kNodes; ++i) {
        nodes.push_back({{"mesh", 0}});
        shown.push_back(i);
    }
    file["nodes"] = nodes;
    file["scenes"] = {{{"nodes", shown}}};
    const GltfOutcome read = read_json(file);
    EXPECT_FALSE(read.good);
    EXPECT_NE(read.error.message.find("too many vertices"), std::string::npos) << read.error.message;
}

/// A .glb with the square; valid.
std::string square_glb() {
    json file = square();
    file["buffers"][0].erase("uri");
    std::string text = file.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const std::string binary = kSquare + std::string(2, '\0');
    const auto u32 = [](std::size_t value) {
        return float_bytes({std::bit_cast<float>(static_cast<std::uint32_t>(value))});
    };
    return "glTF" + u32(2) + u32(28 + text.size() + binary.size()) + u32(text.size()) + "JSON" + text +
           u32(binary.size()) + std::string("BIN\0", 4) + binary;
}

TEST(GltfReader, broken_bytes_are_errors_or_valid_meshes) {
    const std::string glb = square_glb();
    ASSERT_TRUE(read_text(glb).good) << read_text(glb).error.message;
    collision::Random random(7);
    std::size_t refused = 0;
    constexpr int kRuns = 5000;
    for (int run = 0; run < kRuns; ++run) {
        std::string bytes = glb;
        for (std::uint64_t i = 0; i <= random.bits() % 4; ++i) {
            const std::size_t at = random.bits() % bytes.size();
            bytes[at] =
                static_cast<char>(random.bits() % 3 == 0 ? '0' + random.bits() % 10 : random.bits() % 256);
        }
        const GltfOutcome read = read_text(bytes);
        refused += !read.good;
        if (!read.good) {
            ASSERT_FALSE(read.error.message.empty());
            continue;
        }
        ASSERT_EQ(read.mesh.begin.back(), read.mesh.indices.size());
        for (const std::uint32_t i : read.mesh.indices) ASSERT_LT(i, vertex_count(read.mesh));
        for (const float x : read.mesh.positions) ASSERT_LE(std::abs(x), 0x1p60f);
    }
    EXPECT_GT(refused, kRuns / 2u);
    EXPECT_LT(refused, kRuns * 1u);
}

TEST(GltfReader, a_wrong_container_is_an_error) {
    const std::string glb = square_glb();
    const auto with = [&](std::size_t at, const char* bytes) {
        std::string out = glb;
        return read_text(out.replace(at, 4, bytes, 4)).error.message;
    };
    EXPECT_NE(with(4, "\1\0\0\0").find("GLB version 1"), std::string::npos);
    EXPECT_NE(with(8, "\xff\xff\xff\xff").find("declares"), std::string::npos);
    EXPECT_NE(with(12, "\xff\xff\xff\xff").find("the file ends"), std::string::npos);
    EXPECT_NE(with(16, "NOSJ").find("wrong type"), std::string::npos);
}

}  // namespace
}  // namespace claybox::engine
