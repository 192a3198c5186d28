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
    std::string out = "test file";
    out.resize(80, ' ');
    out += u32(declared);
    for (int t = 0; t < triangles; ++t) {
        for (const float v : {0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, static_cast<float>(t)})
            out += bytes_of(v);
        out += std::string(2, '\0');
    }
    return out;
}

TEST(ObjReader, reads_polygons_with_thousands_of_vertices) {
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
    // Long decimals near the midpoint of two floats: parsers without correct rounding fail here.
    for (const char* number : {"0.1", "1.00000017881393432617187500001", "1.0000001788139343261718749999",
                               "16777217.0000001", "3.40282346638528859811704183484516925e-5",
                               "8.589934591999999e9", "1e-45", "-2.5e-7", "+.5", "5."}) {
        const Outcome read = obj(std::string("v ") + number + " 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        ASSERT_TRUE(read.good) << number << ": " << read.error.message;
        EXPECT_EQ(read.mesh.positions[0], static_cast<float>(std::strtod(number, nullptr))) << number;
    }
}

TEST(ObjReader, accepts_every_line_ending_comments_and_continuations) {
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

TEST(ObjReader, an_error_has_its_line) {
    const struct {
        const char* text;
        std::uint64_t line;
        const char* words;
    } cases[] = {{"v 0 0\n", 1, "2 numbers"},
                 {"v 0 0 0\nv 1,5 0 0\n", 2, "'1,5'"},
                 {"v 0x10 0 0\n", 1, "'0x10'"},
                 {"v nan 0 0\n", 1, "'nan'"},
                 {"v 1e999 0 0\n", 1, "range of double"},
                 {"v 1e9223372036854775807 0 0\n", 1, "range of double"},
                 {"v 1e99999999999999999999 0 0\n", 1, "range of double"},
                 {"v 1e999m 0 0\n", 1, "not a number"},
                 {"v 1e-999m 0 0\n", 1, "not a number"},
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

TEST(ObjReader, unprintable_bytes_are_escaped_in_errors) {
    std::string text(100, '\x01');
    text += '\n';
    const Outcome read = obj(text);
    EXPECT_FALSE(read.good);
    EXPECT_EQ(read.error.message.find('\x01'), std::string::npos);
    EXPECT_LT(read.error.message.size(), 400u);
}

TEST(TextLines, numbers_below_the_range_of_double_are_zero) {
    for (const char* text : {"1e-999", "0.0001e-400", "-1e-9223372036854775807", "1e-99999999999999999999"}) {
        double value = 1;
        std::string error;
        EXPECT_TRUE(parse_number(text, value, error)) << text << error;
        EXPECT_EQ(value, 0) << text;
    }
}

/// Corner lists "1 2 3 1 2 3 ..." of one polygon.
std::string corners(std::size_t count, int first) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += ' ' + std::to_string(first + static_cast<int>(i % 3));
    return out;
}

TEST(MeshReaders, a_polygon_with_more_than_65536_vertices_is_an_error) {
    const std::string ply_head =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uint int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n";
    for (const std::size_t count : {kMaxPolygonVertices, kMaxPolygonVertices + 1}) {
        const bool fits = count == kMaxPolygonVertices;
        const std::string number = std::to_string(count);
        const Outcome read[] = {obj(kTriangle + ("f" + corners(count, 1)) + "\n"),
                                off("OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n" + number + corners(count, 0) + "\n"),
                                ply(ply_head + number + corners(count, 0) + "\n")};
        for (const Outcome& r : read) {
            EXPECT_EQ(r.good, fits) << r.error.message;
            if (fits) continue;
            EXPECT_NE(r.error.message.find("at most 65536 vertices"), std::string::npos) << r.error.message;
            EXPECT_NE(r.error.line, 0u);
        }
    }
}

TEST(PlyReader, a_header_with_very_many_elements_or_properties_is_an_error) {
    std::string elements = "ply\nformat ascii 1.0\n", properties = elements + "element vertex 1\n";
    for (int i = 0; i < 101; ++i) elements += "element e 0\n";
    for (int i = 0; i < 1001; ++i) properties += "property char p\n";
    EXPECT_NE(ply(elements).error.message.find("at most 100"), std::string::npos);
    EXPECT_NE(ply(properties).error.message.find("at most 1000"), std::string::npos);
}

// The second one would add vertices at the origin, one for each byte.
TEST(PlyReader, a_second_vertex_or_face_element_is_an_error) {
    const std::string vertices = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n",
                      faces = "element face 1\nproperty list uchar int vertex_indices\n",
                      body = "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n7\n";
    for (const char* name : {"vertex", "face"}) {
        const Outcome out = ply("ply\nformat ascii 1.0\n" + vertices + faces + "element " + name +
                                " 1\nproperty uchar other\n" + body);
        EXPECT_FALSE(out.good) << name;
        EXPECT_NE(out.error.message.find("appears twice"), std::string::npos) << out.error.message;
        EXPECT_EQ(out.error.line, 9u);
    }
    const Outcome other =
        ply("ply\nformat ascii 1.0\n" + vertices + faces + "element edge 1\nproperty uchar other\n" + body);
    EXPECT_TRUE(other.good) << other.error.message;
}

// The mesh would take more than 1 GB: one byte in the file becomes four or more in memory.
TEST(PlyReader, a_mesh_much_larger_than_its_file_is_an_error) {
    const auto head = [](std::size_t vertices, std::size_t faces) {
        return "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(vertices) +
               "\nproperty char x\nproperty char y\nproperty char z\nelement face " + std::to_string(faces) +
               "\nproperty list uchar uchar vertex_indices\nend_header\n";
    };
    EXPECT_NE(ply(head(20'000'001, 1)).error.message.find("at most 20000000"), std::string::npos);
    constexpr std::size_t kCorners = 250, kFaces = 50'000'000 / kCorners;
    std::string text = head(3, kFaces + 1) + std::string(9, '\0');
    for (std::size_t face = 0; face <= kFaces; ++face) {
        text += static_cast<char>(kCorners);
        text.append(kCorners, '\1');
    }
    const Outcome out = ply(text);
    EXPECT_FALSE(out.good);
    EXPECT_NE(out.error.message.find("at most 50000000 in all"), std::string::npos) << out.error.message;
    EXPECT_LE(out.mesh.indices.size(), 50'000'000u);
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

TEST(StlReader, a_count_that_does_not_match_the_file_size_is_an_error) {
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
        "ply\nformat ascii 1.0\ncomment test file\nelement vertex 3\nproperty double x\nproperty float "
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

TEST(PlyReader, a_broken_header_or_body_is_an_error_with_its_line) {
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

TEST(OffReader, inconsistent_counts_and_indices_are_errors) {
    for (const char* text :
         {"OFF\n2000000000 2000000000 0\n0 0 0\n", "OFF\n-3 -1 0\n", "OFF BINARY\n", "OFX\n1 1 1\n",
          "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1\n", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
          "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n", "OFF\n3 1 0\n0 0 0\n1 0\n0 1 0\n3 0 1 2\n"}) {
        EXPECT_FALSE(off(text).good) << text;
    }
}

TEST(MeshFile, folders_unknown_extensions_and_missing_files_are_errors) {
    FileMesh mesh;
    FileError error;
    EXPECT_FALSE(read_mesh("no_such_file.obj", mesh, error));
    EXPECT_NE(error.message.find("does not exist"), std::string::npos);
    EXPECT_FALSE(read_mesh(CLAYBOX_TEST_DATA, mesh, error));
    EXPECT_FALSE(read_mesh("/dev/null", mesh, error));
    EXPECT_NE(error.message.find(".obj, .stl, .ply, .off, .gltf or .glb"), std::string::npos);
}

}  // namespace
}  // namespace claybox::engine
