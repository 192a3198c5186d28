#include "engine/assets/readers.hpp"
#include "engine/assets/text_lines.hpp"
#include "engine/files/byte_order_mark.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace claybox::engine {

namespace {

constexpr std::size_t kHeaderBytes = 84, kTriangleBytes = 50;

std::uint32_t read_u32(const char* p) {
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i) value = (value << 8) | static_cast<unsigned char>(p[i]);
    return value;
}

void add_triangle(FileMesh& mesh) {
    for (int i = 0; i < 3; ++i) mesh.indices.push_back(static_cast<std::uint32_t>(mesh.indices.size()));
    mesh.begin.push_back(static_cast<std::uint32_t>(mesh.indices.size()));
}

bool read_binary(std::string_view bytes, FileMesh& mesh, FileError& error) {
    const std::uint64_t count = (bytes.size() - kHeaderBytes) / kTriangleBytes;
    mesh.positions.reserve(count * 9);
    mesh.indices.reserve(count * 3);
    mesh.begin.reserve(count + 1);
    for (std::uint64_t t = 0; t < count; ++t) {
        const char* p =
            bytes.data() + kHeaderBytes + t * kTriangleBytes + 12;  // after the normal, which is not used
        for (int i = 0; i < 9; ++i, p += 4) {
            const float value = std::bit_cast<float>(read_u32(p));
            if (!(std::abs(double{value}) <= kMaxCoordinate)) {
                return fail(error, 0,
                            "triangle " + std::to_string(t + 1) +
                                " has a coordinate that is not finite or above 2^60 in magnitude");
            }
            mesh.positions.push_back(value);
        }
        add_triangle(mesh);
    }
    return check_not_empty(mesh, error);
}

/// Splits an ASCII file into words, across lines.
class Words {
  public:
    explicit Words(std::string_view text) : lines_(text) {}
    std::string_view next() {
        for (;;) {
            const std::string_view word = take_token(line_);
            if (!word.empty() || !lines_.next(line_)) return word;
        }
    }
    /// Skips the rest of the line: names after `solid` and `endsolid` may contain anything.
    void skip_line() { line_ = {}; }
    std::uint64_t line() const { return lines_.number(); }

  private:
    LineReader lines_;
    std::string_view line_;
};

bool expect_words(Words& words, std::initializer_list<const char*> expected, FileError& error) {
    for (const char* want : expected) {
        const std::string_view found = words.next();
        if (found != want) {
            return fail(error, words.line(), "found " + in_quotes(found) + ", expected '" + want + "'");
        }
    }
    return true;
}

bool read_three(Words& words, std::array<float, 3>& value, FileError& error) {
    std::string problem;
    for (float& v : value) {
        if (!parse_coordinate(words.next(), v, problem)) return fail(error, words.line(), problem);
    }
    return true;
}

/// Reads one facet; the word `facet` is already consumed.
bool read_facet(Words& words, FileMesh& mesh, FileError& error) {
    if (!expect_words(words, {"normal"}, error)) return false;
    for (int i = 0; i < 3; ++i) words.next();  // unused; writers put nan here for triangles without area
    if (!expect_words(words, {"outer", "loop"}, error)) return false;
    for (int i = 0; i < 3; ++i) {
        std::array<float, 3> p{};
        if (!expect_words(words, {"vertex"}, error) || !read_three(words, p, error)) return false;
        mesh.positions.insert(mesh.positions.end(), p.begin(), p.end());
    }
    if (!expect_words(words, {"endloop", "endfacet"}, error)) return false;
    add_triangle(mesh);
    return true;
}

bool read_ascii(std::string_view bytes, FileMesh& mesh, FileError& error) {
    Words words(bytes);
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (word != "solid")
            return fail(error, words.line(), "found " + in_quotes(word) + ", expected 'solid'");
        words.skip_line();
        for (word = words.next(); word == "facet"; word = words.next()) {
            if (!read_facet(words, mesh, error)) return false;
        }
        if (word != "endsolid") {
            return fail(error, words.line(), "found " + in_quotes(word) + ", expected 'facet' or 'endsolid'");
        }
        words.skip_line();
    }
    return check_not_empty(mesh, error);
}

}  // namespace

bool read_stl(std::string_view bytes, FileMesh& mesh, FileError& error) {
    mesh.metres_per_unit = 0.001;  // the file does not say it, but all programs for 3D printers do it so
    mesh.z_up = true;
    const std::uint64_t declared = bytes.size() >= kHeaderBytes ? read_u32(bytes.data() + 80) : 0;
    const std::uint64_t wanted = kHeaderBytes + declared * kTriangleBytes;
    if (bytes.size() >= kHeaderBytes && wanted == bytes.size()) return read_binary(bytes, mesh, error);
    // Some binary files also begin with "solid"; the size check above has already recognised them.
    if (without_byte_order_mark(bytes).substr(0, 5) == "solid") return read_ascii(bytes, mesh, error);
    if (bytes.size() < kHeaderBytes) {
        return fail(error, 0,
                    "has " + std::to_string(bytes.size()) +
                        " bytes, expected 'solid' or a binary header of 84 bytes");
    }
    return fail(error, 0,
                "declares " + std::to_string(declared) + " triangles, expected " + std::to_string(wanted) +
                    " bytes but found " + std::to_string(bytes.size()));
}

}  // namespace claybox::engine
