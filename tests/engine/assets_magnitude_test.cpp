// Every format refuses numbers that are not finite or above 2^60 in magnitude, and accepts all others,
// including subnormals and numbers below double's range.

#include "engine/assets/readers.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace claybox::engine {
namespace {

std::string raw(float v) {
    const auto bits = std::bit_cast<std::uint32_t>(v);
    std::string out;
    for (int i = 0; i < 4; ++i) out += static_cast<char>(bits >> (8 * i) & 0xff);
    return out;
}

using Reader = bool (*)(std::string_view, FileMesh&, FileError&);

struct Form {
    const char* name;
    Reader reader;
    std::string before, after;
};

// Texts of one triangle without its first coordinate.
const std::vector<Form> kTexts{
    {"obj", read_obj, "v ", " 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"},
    {"off", read_off, "OFF\n3 1 0\n", " 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"},
    {"stl", read_stl, "solid x\nfacet normal 0 0 1\nouter loop\nvertex ",
     " 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid x\n"},
    {"ply", read_ply,
     "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
     "element face 1\nproperty list uchar int vertex_indices\nend_header\n",
     " 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"}};

const std::string kRest = raw(0) + raw(0) + raw(1) + raw(0) + raw(0) + raw(0) + raw(1) + raw(0);

const std::vector<Form> kBinaries{
    {"binary stl", read_stl, std::string(80, ' ') + std::string("\1\0\0\0", 4) + std::string(12, '\0'),
     kRest + std::string(2, '\0')},
    {"binary ply", read_ply,
     "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
     "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n",
     kRest + std::string("\3\0\0\0\0\1\0\0\0\2\0\0\0", 13)}};

TEST(MeshMagnitude, text_coordinates_are_limited_to_two_to_the_sixty) {
    for (const Form& form : kTexts) {
        const auto read = [&](const std::string& number, FileMesh& mesh, FileError& error) {
            return form.reader(form.before + number + form.after, mesh, error);
        };
        for (const char* number : {"nan", "inf", "-inf", "1e300", "1e999", "-1e99999999999999999999",
                                   "1.2e18", "1152921504606846977000"}) {
            FileMesh mesh;
            FileError error;
            EXPECT_FALSE(read(number, mesh, error)) << form.name << ' ' << number;
            EXPECT_FALSE(error.message.empty()) << form.name << ' ' << number;
        }
        const std::pair<const char*, float> good[] = {{"1152921504606846976", 0x1p60f},
                                                      {"-1152921504606846976", -0x1p60f},
                                                      {"1e-45", std::numeric_limits<float>::denorm_min()},
                                                      {"-1e-40", -1e-40f},
                                                      {"1e-320", 0.0f},
                                                      {"1e-400", 0.0f},
                                                      {"-123.5e-99999999999999999999", 0.0f},
                                                      {"0.0e999", 0.0f}};
        for (const auto& [number, expected] : good) {
            FileMesh mesh;
            FileError error;
            EXPECT_TRUE(read(number, mesh, error)) << form.name << ' ' << number << ": " << error.message;
            ASSERT_EQ(mesh.positions.size(), 9u) << form.name << ' ' << number;
            EXPECT_EQ(mesh.positions[0], expected) << form.name << ' ' << number;
        }
        FileMesh mesh;
        FileError error;
        EXPECT_TRUE(read("0." + std::string(400, '0') + "1", mesh, error)) << form.name;
        EXPECT_FALSE(read(std::string(400, '9') + ".5", mesh, error)) << form.name;
    }
}

TEST(MeshMagnitude, binary_coordinates_are_limited_to_two_to_the_sixty) {
    const float above = std::nextafter(0x1p60f, std::numeric_limits<float>::infinity());
    for (const Form& form : kBinaries) {
        for (const float v : {std::nanf(""), std::numeric_limits<float>::infinity(), above, -above}) {
            FileMesh mesh;
            FileError error;
            EXPECT_FALSE(form.reader(form.before + raw(v) + form.after, mesh, error))
                << form.name << ' ' << v;
            EXPECT_NE(error.message.find("2^60"), std::string::npos) << error.message;
        }
        for (const float v :
             {0x1p60f, -0x1p60f, std::numeric_limits<float>::denorm_min(), -0x1p-140f, -0.0f}) {
            FileMesh mesh;
            FileError error;
            ASSERT_TRUE(form.reader(form.before + raw(v) + form.after, mesh, error))
                << form.name << ' ' << v << error.message;
            EXPECT_EQ(mesh.positions[0], v) << form.name;
        }
    }
}

}  // namespace
}  // namespace claybox::engine
