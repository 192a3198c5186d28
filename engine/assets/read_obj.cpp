// Reads OBJ in two steps. The scanner checks every relevant line and parses the numbers, because
// tinyobjloader trusts its input and does not round numbers correctly. Valid statements are passed on to
// tinyobjloader in a plain form, one per line; its polygons must agree with the scanner's. Its callback
// interface has no limit of 255 vertices per polygon and opens no material file.

#include "engine/assets/readers.hpp"
#include "engine/assets/text_lines.hpp"
#include "engine/files/byte_order_mark.hpp"

#include <tiny_obj_loader.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <istream>
#include <limits>
#include <streambuf>

namespace claybox::engine {

namespace {

/// Statements without polygons: attributes, groups, materials, display hints. `mtllib` is one of them:
/// material files are never opened.
constexpr std::array kIgnored{"vt",       "vn",         "vp",        "l",      "p",     "o",     "g",
                              "s",        "mg",         "usemtl",    "mtllib", "lod",   "bevel", "c_interp",
                              "d_interp", "shadow_obj", "trace_obj", "usemap", "maplib"};

class ObjScanner {
  public:
    ObjScanner(FileMesh& mesh, std::string& plain, FileError& error)
        : mesh_(mesh), plain_(plain), error_(error) {}

    bool scan(std::string_view text);

  private:
    bool fail_here(std::string message) { return fail(error_, line_, std::move(message)); }
    bool statement(std::string_view line);
    bool vertex(std::string_view arguments);
    bool face(std::string_view arguments);
    bool corner(std::string_view token, std::uint32_t& vertex);
    bool attributes(std::string_view rest, std::string_view token);
    bool check_forward_references();
    void write_vertex();
    void write_face();

    FileMesh& mesh_;
    std::string& plain_;
    FileError& error_;
    std::uint64_t line_ = 0;
    std::uint64_t largest_forward_ = 0, largest_forward_line_ = 0;  ///< 1-based index, 0: none
};

/// The next word; empty at the end of the line or where a comment begins.
std::string_view next_word(std::string_view& line) {
    const std::string_view word = take_token(line);
    return !word.empty() && word.front() == '#' ? std::string_view{} : word;
}

bool has_continuation(std::string_view line) {
    return !line.empty() && line.back() == '\\' && trimmed(line).front() != '#';
}

bool ObjScanner::scan(std::string_view text) {
    if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);  // a byte-order mark
    LineReader lines(text);
    std::string joined;
    for (std::string_view line; lines.next(line);) {
        line_ = lines.number();
        if (line.find('\0') != std::string_view::npos) return fail_here("found a byte 0, expected text");
        if (has_continuation(line)) {
            joined.clear();
            while (has_continuation(line)) {
                joined.append(line.substr(0, line.size() - 1)).push_back(' ');
                line = {};
                if (!lines.next(line))
                    return fail_here("the file ends after a backslash, expected another line");
            }
            if (line.find('\0') != std::string_view::npos) return fail_here("found a byte 0, expected text");
            line = joined.append(line);
        }
        if (!statement(line)) return false;
    }
    return check_forward_references() && check_not_empty(mesh_, error_);
}

bool ObjScanner::statement(std::string_view line) {
    const std::string_view keyword = next_word(line);
    if (keyword.empty()) return true;
    if (keyword == "v") return vertex(line);
    if (keyword == "f") return face(line);
    if (std::find(kIgnored.begin(), kIgnored.end(), keyword) != kIgnored.end()) return true;
    return fail_here("unknown statement " + in_quotes(keyword) +
                     ", expected v, vt, vn, f, l, p, o, g, s, usemtl or mtllib");
}

bool ObjScanner::vertex(std::string_view arguments) {
    std::array<float, 3> p{};
    std::size_t count = 0;
    std::string problem;
    for (auto word = next_word(arguments); !word.empty(); word = next_word(arguments), ++count) {
        double attribute = 0;
        const bool good =
            count < 3 ? parse_coordinate(word, p[count], problem) : parse_number(word, attribute, problem);
        if (!good) return fail_here(problem);
        if (count >= 7)
            return fail_here("a vertex with more than 7 numbers, expected x y z, then a weight or a colour");
    }
    if (count < 3 || count == 5) {
        return fail_here("a vertex with " + std::to_string(count) +
                         " numbers, expected x y z, then a weight or a colour");
    }
    if (vertex_count(mesh_) >= std::numeric_limits<std::int32_t>::max())
        return fail_here("too many vertices");
    mesh_.positions.insert(mesh_.positions.end(), p.begin(), p.end());
    write_vertex();
    return true;
}

bool ObjScanner::face(std::string_view arguments) {
    const std::size_t first = mesh_.indices.size();
    for (auto word = next_word(arguments); !word.empty(); word = next_word(arguments)) {
        std::uint32_t vertex = 0;
        if (!corner(word, vertex)) return false;
        if (mesh_.indices.size() - first == kMaxPolygonVertices)
            return fail_here("a face with too many vertices, " + expected_polygon_size());
        mesh_.indices.push_back(vertex);
    }
    const std::size_t count = mesh_.indices.size() - first;
    if (count < 3)
        return fail_here("a face with " + std::to_string(count) + " vertices, expected at least 3");
    mesh_.begin.push_back(static_cast<std::uint32_t>(mesh_.indices.size()));
    write_face();
    return true;
}

bool ObjScanner::corner(std::string_view token, std::uint32_t& vertex) {
    const std::size_t slash = std::min(token.find('/'), token.size());
    std::int64_t index = 0;
    std::string problem;
    if (!parse_integer(token.substr(0, slash), index, problem)) {
        return fail_here("the face corner " + in_quotes(token) + ": " + problem);
    }
    const auto count = static_cast<std::int64_t>(vertex_count(mesh_));
    if (index == 0) return fail_here("vertex index 0, expected 1 for the first vertex or -1 for the last");
    if (index < -count || index > std::numeric_limits<std::int32_t>::max()) {
        return fail_here("vertex index " + std::to_string(index) + " is out of range, expected one of " +
                         std::to_string(count) + " vertices");
    }
    if (index > count && static_cast<std::uint64_t>(index) > largest_forward_) {
        largest_forward_ = static_cast<std::uint64_t>(index);
        largest_forward_line_ = line_;
    }
    vertex = static_cast<std::uint32_t>(index > 0 ? index - 1 : count + index);
    return attributes(token.substr(slash), token);
}

/// Checks the text after the vertex index: "", "/t", "/t/n" or "//n"; a missing number after a slash is
/// accepted. Texture and normal indices must be integers, but their range does not matter: they are not used.
bool ObjScanner::attributes(std::string_view rest, std::string_view token) {
    for (int slashes = 0; !rest.empty(); ++slashes) {
        rest.remove_prefix(1);
        const std::size_t end = std::min(rest.find('/'), rest.size());
        std::int64_t ignored = 0;
        std::string problem;
        if (slashes == 2 || (end > 0 && !parse_integer(rest.substr(0, end), ignored, problem))) {
            return fail_here("the face corner " + in_quotes(token) +
                             " is malformed, expected v, v/t, v//n or v/t/n");
        }
        rest.remove_prefix(end);
    }
    return true;
}

/// Faces may precede their vertices, so forward references are checked at the end.
bool ObjScanner::check_forward_references() {
    if (largest_forward_ <= vertex_count(mesh_)) return true;
    line_ = largest_forward_line_;
    return fail_here("vertex index " + std::to_string(largest_forward_) +
                     " is out of range, expected one of " + std::to_string(vertex_count(mesh_)) +
                     " vertices");
}

void append_number(std::string& text, float value) {
    char buffer[32];
    text += ' ';
    text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

void ObjScanner::write_vertex() {
    plain_ += 'v';
    for (std::size_t i = mesh_.positions.size() - 3; i < mesh_.positions.size(); ++i)
        append_number(plain_, mesh_.positions[i]);
    plain_ += '\n';
}

void ObjScanner::write_face() {
    plain_ += 'f';
    char buffer[16];
    for (std::size_t i = mesh_.begin[mesh_.begin.size() - 2]; i < mesh_.indices.size(); ++i) {
        plain_ += ' ';
        plain_.append(buffer,
                      std::to_chars(buffer, buffer + sizeof buffer, std::uint64_t{mesh_.indices[i]} + 1).ptr);
    }
    plain_ += '\n';
}

/// A stream over existing memory, without a copy.
class MemoryBuffer : public std::streambuf {
  public:
    explicit MemoryBuffer(std::string& text) { setg(text.data(), text.data(), text.data() + text.size()); }
};

/// Compares what tinyobjloader reads with the scanner's mesh, without a second copy of it.
struct Comparison {
    const FileMesh& expected;
    std::uint64_t vertices = 0, corners = 0, polygons = 0;  ///< seen so far
    bool agrees = true;
};

void on_vertex(void* user, tinyobj::real_t x, tinyobj::real_t y, tinyobj::real_t z, tinyobj::real_t) {
    auto& seen = *static_cast<Comparison*>(user);
    const std::array<tinyobj::real_t, 3> p{x, y, z};
    for (std::size_t i = 0; i < 3; ++i) {
        // tinyobjloader may be off in the last bits. A larger difference means that it read another number.
        constexpr double kRelative = 1e-5, kSubnormal = 1e-37;
        const std::size_t at = seen.vertices * 3 + i;
        const double want = at < seen.expected.positions.size() ? seen.expected.positions[at] : NAN;
        if (!(std::abs(double{p[i]} - want) <= kRelative * std::abs(want) + kSubnormal)) seen.agrees = false;
    }
    ++seen.vertices;
}

void on_face(void* user, tinyobj::index_t* corners, int count) {
    auto& seen = *static_cast<Comparison*>(user);
    const FileMesh& expected = seen.expected;
    for (int i = 0; i < count; ++i, ++seen.corners) {
        const auto vertex = static_cast<std::uint32_t>(corners[i].vertex_index) - 1;
        if (seen.corners >= expected.indices.size() || expected.indices[seen.corners] != vertex)
            seen.agrees = false;
    }
    ++seen.polygons;
    if (seen.polygons >= expected.begin.size() || expected.begin[seen.polygons] != seen.corners)
        seen.agrees = false;
}

}  // namespace

bool read_obj(std::string_view bytes, FileMesh& mesh, FileError& error) {
    std::string plain;
    FileMesh scanned;
    if (!ObjScanner(scanned, plain, error).scan(bytes)) return false;
    if (without_byte_order_mark(bytes).starts_with("# " + std::string(kOurMetres)))
        scanned.metres_per_unit = 1;

    Comparison seen{scanned};
    tinyobj::callback_t callbacks;
    callbacks.vertex_cb = on_vertex;
    callbacks.index_cb = on_face;
    MemoryBuffer buffer(plain);
    std::istream stream(&buffer);
    const bool done = tinyobj::LoadObjWithCallback(stream, callbacks, &seen, nullptr, nullptr, nullptr);
    const bool same = seen.agrees && seen.vertices == vertex_count(scanned) &&
                      seen.polygons + 1 == scanned.begin.size() && seen.corners == scanned.indices.size();
    if (!done || !same) return fail(error, 0, "the scanner and tinyobjloader disagree about the mesh");
    mesh = std::move(scanned);
    return true;
}

}  // namespace claybox::engine
