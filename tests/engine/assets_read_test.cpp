#include "engine/assets/mesh_file.hpp"
#include "engine/assets/readers.hpp"
#include "engine/assets/text_lines.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>

namespace claybox::engine {
namespace {

constexpr const char* kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

struct Outcome {
    bool good = false;
    FileMesh mesh;
    FileError error;
};

Outcome obj(const std::string& text) {
    Outcome out;
    out.good = read_obj(text, out.mesh, out.error);
    return out;
}

Outcome stl(const std::string& bytes) {
    Outcome out;
    out.good = read_stl(bytes, out.mesh, out.error);
    return out;
}

Outcome ply(const std::string& bytes) {
    Outcome out;
    out.good = read_ply(bytes, out.mesh, out.error);
    return out;
}

Outcome off(const std::string& bytes) {
    Outcome out;
    out.good = read_off(bytes, out.mesh, out.error);
    return out;
}

std::string bytes_of(float value) {
    const auto raw = std::bit_cast<std::uint32_t>(value);
    std::string out;
    for (int i = 0; i < 4; ++i) out += static_cast<char>(raw >> (8 * i) & 0xff);
    return out;
}

std::string u32(std::uint32_t value) {
    return bytes_of(std::bit_cast<float>(value));
}

std::string binary_stl(std::uint32_t declared, int triangles) {
    std::string out = "made for a test";
    out.resize(80, ' ');
    out += u32(declared);
    for (int t = 0; t < triangles; ++t) {
        for (const float v : {0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, static_cast<float>(t)})
            out += bytes_of(v);
        out += std::string(2, '\0');
    }
    return out;
}

TEST(ObjReader, reads_polygons_of_any_size) {
    std::string text;
    std::string face = "f";
    for (int i = 0; i < 1000; ++i) {
        text += "v " + std::to_string(std::cos(i * 0.00628)) + " " + std::to_string(std::sin(i * 0.00628)) +
                " 0\n";
        face += " " + std::to_string(i + 1);
    }
    const Outcome read = obj(text + face + "\n");
    ASSERT_TRUE(read.good) << read.error.message;
    EXPECT_EQ(read.mesh.begin.back(), 1000u);
    EXPECT_EQ(read.mesh.indices[999], 999u);
}

TEST(ObjReader, rounds_every_number_to_the_nearest_float) {
    // Long decimals near the middle of two floats, where readers that are not correctly rounded fail.
    for (const char* number : {"0.1", "1.00000017881393432617187500001", "1.0000001788139343261718749999",
                               "16777217.0000001", "3.40282346638528859811704183484516925e-5",
                               "8.589934591999999e9", "1e-45", "-2.5e-7", "+.5", "5."}) {
        const Outcome read = obj(std::string("v ") + number + " 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        ASSERT_TRUE(read.good) << number << ": " << read.error.message;
        EXPECT_EQ(read.mesh.positions[0], static_cast<float>(std::strtod(number, nullptr))) << number;
    }
}

TEST(ObjReader, accepts_every_line_end_marks_comments_and_continuations) {
    for (const char* text :
         {"v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n", "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r",
          "\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", "v 0 0 \\\n0\nv 1 0 0\nv 0 1 0\nf 1 \\\r\n2 3\n",
          "# caf\xe9\\\nv 0 0 0 # first\nv 1 0 0\nv 0 1 0\n\tf  1\t2 3 # all\n"}) {
        const Outcome read = obj(text);
        ASSERT_TRUE(read.good) << text << read.error.message;
        EXPECT_EQ(read.mesh.positions.size(), 9u) << text;
        EXPECT_EQ(read.mesh.indices, (std::vector<std::uint32_t>{0, 1, 2})) << text;
    }
}

TEST(ObjReader, reads_slashes_negative_and_forward_indices) {
    const Outcome read = obj("f 1 2 3\n" + std::string(kTriangle) +
                             "vt 0 0\nvn 0 0 1\nf 1/1/1 2//1 3/1\nf -3 -2 -1\nf 1/ 2/ 3/\n");
    ASSERT_TRUE(read.good) << read.error.message;
    EXPECT_EQ(read.mesh.indices, (std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

TEST(ObjReader, names_the_line_of_what_is_wrong) {
    const struct {
        const char* text;
        std::uint64_t line;
        const char* words;
    } cases[] = {{"v 0 0\n", 1, "2 numbers"},
                 {"v 0 0 0\nv 1,5 0 0\n", 2, "'1,5'"},
                 {"v 0x10 0 0\n", 1, "'0x10'"},
                 {"v nan 0 0\n", 1, "'nan'"},
                 {"v 1e999 0 0\n", 1, "range of double"},
                 {"v 1e39 0 0\n", 1, "2^60"},
                 {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", 4, "out of range"},
                 {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", 4, "index 0"},
                 {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3.5\n", 4, "whole number"},
                 {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4294967297\n", 4, "out of range"},
                 {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 18446744073709551617\n", 4, "too large"},
                 {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", 4, "2 vertices"},
                 {"v 0 0 0\nf 1/a 1 1\n", 2, "malformed"},
                 {"v 0 0 0\nf 1/1/1/1 1 1\n", 2, "malformed"},
                 {"curv 0 1 2\n", 1, "'curv'"},
                 {"v 0 0 0 1 1\n", 1, "5 numbers"},
                 {"v 1 2 3 1 1 1 1 1\n", 1, "more than 7"},
                 {"v 0 0 0\n", 0, "no polygons"},
                 {"# nothing\n", 0, "no vertices"}};
    for (const auto& c : cases) {
        const Outcome read = obj(c.text);
        EXPECT_FALSE(read.good) << c.text;
        EXPECT_EQ(read.error.line, c.line) << c.text;
        EXPECT_NE(read.error.message.find(c.words), std::string::npos) << c.text << read.error.message;
    }
}

TEST(ObjReader, quotes_unprintable_bytes_safely) {
    const Outcome read = obj(std::string(100, '\x01') + "\n");
    EXPECT_FALSE(read.good);
    EXPECT_EQ(read.error.message.find('\x01'), std::string::npos);
    EXPECT_LT(read.error.message.size(), 400u);
}

TEST(StlReader, reads_binary_and_text) {
    const Outcome binary = stl(binary_stl(2, 2));
    ASSERT_TRUE(binary.good) << binary.error.message;
    EXPECT_EQ(binary.mesh.begin.size(), 3u);
    EXPECT_EQ(binary.mesh.positions[17], 1.f);
    const std::string facet =
        "facet normal nan nan nan\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
        "2.5e-1\nendloop\nendfacet\n";
    const Outcome text = stl("solid a name\n" + facet + facet + "endsolid a name\n");
    ASSERT_TRUE(text.good) << text.error.message;
    EXPECT_EQ(text.mesh.begin.size(), 3u);
    EXPECT_EQ(text.mesh.positions[8], 0.25f);
}

TEST(StlReader, believes_bytes_and_not_counts) {
    for (const std::uint32_t declared : {1u, 3u, 4000000000u})
        EXPECT_FALSE(stl(binary_stl(declared, 2)).good) << declared;
    EXPECT_FALSE(stl("short").good);
    const Outcome cut = stl("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n");
    EXPECT_FALSE(cut.good);
    EXPECT_NE(cut.error.line, 0u);
    std::string broken = binary_stl(1, 1);
    broken.replace(84 + 12, 4, bytes_of(NAN));
    EXPECT_FALSE(stl(broken).good);
}

TEST(PlyReader, reads_text_and_binary_with_other_properties) {
    const std::string head =
        "ply\nformat ascii 1.0\ncomment made for a test\nelement vertex 3\nproperty double x\nproperty float "
        "y\n"
        "property float z\nproperty uchar red\nelement face 1\nproperty list uchar int "
        "vertex_indices\nend_header\n";
    const Outcome text = ply(head + "0 0 0 255\n1 0 0 0\n0 1.5 0 7\n3 0 1 2\n");
    ASSERT_TRUE(text.good) << text.error.message;
    EXPECT_EQ(text.mesh.positions[7], 1.5f);
    const std::string little =
        "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float "
        "y\nproperty float z\n"
        "element face 1\nproperty uchar flag\nproperty list uchar uint vertex_index\nend_header\n";
    std::string body;
    for (const float v : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, -1.f, 0.f}) body += bytes_of(v);
    body += std::string("\x09\x03", 2) + u32(2) + u32(1) + u32(0);
    const Outcome binary = ply(little + body);
    ASSERT_TRUE(binary.good) << binary.error.message;
    EXPECT_EQ(binary.mesh.positions[7], -1.f);
    EXPECT_EQ(binary.mesh.indices, (std::vector<std::uint32_t>{2, 1, 0}));
    EXPECT_FALSE(ply(little + body.substr(0, body.size() - 1)).good);
}

TEST(PlyReader, refuses_broken_heads_and_bodies_with_their_line) {
    const std::string head =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    const std::string vertices = "0 0 0\n1 0 0\n0 1 0\n";
    const struct {
        std::string text;
        std::uint64_t line;
    } cases[] = {
        {"plyx\n", 1},
        {"ply\nformat binary_big_endian 1.0\n", 2},
        {"ply\nformat ascii 1.0\nelement vertex -3\n", 3},
        {"ply\nformat ascii 1.0\nelement vertex 4000000000\nelement face 1\nend_header\n", 5},
        {"ply\nformat ascii 1.0\nproperty float x\n", 3},
        {"ply\nformat ascii 1.0\nend_header\n", 3},
        {"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float x\nproperty float y\n"
         "element face 1\nproperty list uchar int vertex_indices\nend_header\n" +
             vertices + "3 0 1 2\n",
         9},
        {head + "0 0\n", 10},
        {head + "0 0 0 0\n", 10},
        {head + "0 0 x\n", 10},
        {head + vertices + "3 0 1\n", 13},
        {head + vertices + "2 0 1\n", 13},
        {head + vertices + "3 0 1 3\n", 0},
        {head + vertices + "3 0 1 -1\n", 13},
        {head + vertices + "1e180 0 1 2\n", 13},
        {head + vertices, 12}};
    for (const auto& c : cases) {
        const Outcome read = ply(c.text);
        EXPECT_FALSE(read.good) << c.text;
        EXPECT_EQ(read.error.line, c.line) << c.text << read.error.message;
    }
}

TEST(OffReader, reads_polygons_comments_and_colours) {
    const Outcome read =
        off("# a square\nOFF 4 1 0\n0 0 0\n1 0 0 # corner\n1 1 0\n\n0 1 0\n4 0 1 2 3 255 0 0\n");
    ASSERT_TRUE(read.good) << read.error.message;
    EXPECT_EQ(read.mesh.indices, (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(OffReader, refuses_what_does_not_add_up) {
    for (const char* text :
         {"OFF\n2000000000 2000000000 0\n0 0 0\n", "OFF\n-3 -1 0\n", "OFF BINARY\n", "OFX\n1 1 1\n",
          "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1\n", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
          "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n", "OFF\n3 1 0\n0 0 0\n1 0\n0 1 0\n3 0 1 2\n"}) {
        EXPECT_FALSE(off(text).good) << text;
    }
}

TEST(MeshFile, refuses_folders_other_endings_and_missing_files) {
    FileMesh mesh;
    FileError error;
    EXPECT_FALSE(read_mesh("no_such_file.obj", mesh, error));
    EXPECT_NE(error.message.find("no such file"), std::string::npos);
    EXPECT_FALSE(read_mesh(CLAYBOX_TEST_DATA, mesh, error));
    EXPECT_FALSE(read_mesh("/dev/null", mesh, error));
    EXPECT_NE(error.message.find(".obj, .stl, .ply or .off"), std::string::npos);
}

}  // namespace
}  // namespace claybox::engine
