#include "engine/assets/readers.hpp"
#include "engine/assets/text_lines.hpp"

#include <array>

namespace claybox::engine {

namespace {

class OffReader {
  public:
    OffReader(std::string_view text, FileMesh& mesh, FileError& error)
        : lines_(text), mesh_(mesh), error_(error) {}
    bool read();

  private:
    bool fail_here(std::string message) { return fail(error_, lines_.number(), std::move(message)); }
    bool next_line(const char* expected);
    bool header();
    bool vertex();
    bool face();

    LineReader lines_;
    FileMesh& mesh_;
    FileError& error_;
    std::string_view line_;  ///< rest of the current line
    std::int64_t vertices_ = 0, faces_ = 0;
};

/// Moves to the next line with content; comments are removed.
bool OffReader::next_line(const char* expected) {
    while (lines_.next(line_)) {
        line_ = trimmed(line_.substr(0, line_.find('#')));
        if (!line_.empty()) return true;
    }
    return fail_here(std::string("the file ends, expected ") + expected);
}

bool OffReader::header() {
    if (!next_line("OFF")) return false;
    const std::string_view keyword = take_token(line_);
    if (keyword != "OFF" && keyword != "COFF") {
        return fail_here("found " + in_quotes(keyword) + ", expected OFF or COFF in text form");
    }
    line_ = trimmed(line_);
    if (line_.empty() && !next_line("the counts of vertices, faces and edges")) return false;
    std::array<std::int64_t, 2> count{};
    std::string problem;
    for (std::int64_t& c : count) {
        const std::string_view word = take_token(line_);
        if (!parse_integer(word, c, problem)) return fail_here(problem + ", expected a count");
        if (c < 0) return fail_here("a count of " + std::to_string(c) + ", expected 0 or more");
    }
    vertices_ = count[0];
    faces_ = count[1];
    return true;
}

bool OffReader::vertex() {
    const std::string missing =
        "vertex " + std::to_string(vertex_count(mesh_) + 1) + " of " + std::to_string(vertices_);
    if (!next_line(missing.c_str())) return false;
    std::string problem;
    for (int i = 0; i < 3; ++i) {
        float value = 0;
        const std::string_view word = take_token(line_);
        if (word.empty()) return fail_here("a vertex with " + std::to_string(i) + " numbers, expected x y z");
        if (!parse_coordinate(word, value, problem)) return fail_here(problem);
        mesh_.positions.push_back(value);
    }
    double colour = 0;
    for (auto word = take_token(line_); !word.empty(); word = take_token(line_)) {
        if (!parse_number(word, colour, problem)) return fail_here(problem);
    }
    return true;
}

bool OffReader::face() {
    const std::string missing =
        "face " + std::to_string(mesh_.begin.size()) + " of " + std::to_string(faces_);
    if (!next_line(missing.c_str())) return false;
    std::int64_t corners = 0;
    std::string problem;
    if (!parse_integer(take_token(line_), corners, problem)) return fail_here(problem);
    if (corners < 3)
        return fail_here("a face with " + std::to_string(corners) + " vertices, expected at least 3");
    if (static_cast<std::uint64_t>(corners) > kMaxPolygonVertices)
        return fail_here("a face with " + std::to_string(corners) + " vertices, " + expected_polygon_size());
    for (std::int64_t i = 0; i < corners; ++i) {
        const std::string_view word = take_token(line_);
        std::int64_t index = 0;
        if (word.empty()) {
            return fail_here("a face with " + std::to_string(i) + " indices, expected " +
                             std::to_string(corners));
        }
        if (!parse_integer(word, index, problem)) return fail_here(problem);
        if (index < 0 || index >= vertices_) {
            return fail_here("vertex index " + std::to_string(index) + " is out of range, expected 0 to " +
                             std::to_string(vertices_ - 1));
        }
        mesh_.indices.push_back(static_cast<std::uint32_t>(index));
    }
    mesh_.begin.push_back(
        static_cast<std::uint32_t>(mesh_.indices.size()));  // colours may follow; they are not used
    return true;
}

bool OffReader::read() {
    if (!header()) return false;
    for (std::int64_t i = 0; i < vertices_; ++i) {
        if (!vertex()) return false;
    }
    for (std::int64_t i = 0; i < faces_; ++i) {
        if (!face()) return false;
    }
    return check_not_empty(mesh_, error_);
}

}  // namespace

bool read_off(std::string_view bytes, FileMesh& mesh, FileError& error) {
    return OffReader(bytes, mesh, error).read();
}

}  // namespace claybox::engine
