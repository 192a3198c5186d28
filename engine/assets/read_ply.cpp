// Reads ASCII and binary little-endian PLY: vertex x, y, z and the vertex lists of faces. All other elements
// and properties are parsed and skipped.

#include "engine/assets/readers.hpp"
#include "engine/assets/text_lines.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace claybox::engine {

namespace {

enum class Kind : unsigned char { i8, u8, i16, u16, i32, u32, f32, f64 };

constexpr std::array<std::size_t, 8> kBytes{1, 1, 2, 2, 4, 4, 4, 8};

/// A stored property takes four times the memory of its line, so a header has limits of its own.
constexpr std::size_t kMaxElements = 100, kMaxProperties = 1000;

/// One byte can hold a coordinate or a corner, which takes four bytes in the mesh. With float coordinates and
/// 32-bit indices a file of the largest size stays below both limits.
constexpr auto kMaxPlyVertices = static_cast<std::int64_t>(kMaxMeshVertices);
constexpr std::size_t kMaxPlyCorners = kMaxMeshCorners;

bool parse_kind(std::string_view word, Kind& kind) {
    static constexpr struct {
        const char *name, *other;
    } kNames[] = {{"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"},   {"ushort", "uint16"},
                  {"int", "int32"}, {"uint", "uint32"}, {"float", "float32"}, {"double", "float64"}};
    for (std::size_t i = 0; i < std::size(kNames); ++i) {
        if (word != kNames[i].name && word != kNames[i].other) continue;
        kind = static_cast<Kind>(i);
        return true;
    }
    return false;
}

struct Property {
    std::string name;
    Kind kind = Kind::f32;
    bool list = false;
    Kind count_kind = Kind::u8;
};

bool is_corner_list(const Property& p) {
    return p.list && (p.name == "vertex_indices" || p.name == "vertex_index");
}

struct Element {
    std::string name;
    std::int64_t count = 0;
    std::vector<Property> properties;
};

class PlyReader {
  public:
    PlyReader(std::string_view bytes, FileMesh& mesh, FileError& error)
        : lines_(bytes), mesh_(mesh), error_(error) {}
    bool read();

  private:
    bool fail_here(std::string message) { return fail(error_, lines_.number(), std::move(message)); }
    bool fail_value(const std::string& message);
    bool header();
    bool header_line(std::string_view line);
    bool format(std::string_view rest);
    bool element(std::string_view rest);
    bool property(std::string_view rest);
    bool check_header();
    bool item(const Element& element);
    bool value(Kind kind, double& out);
    bool binary_value(Kind kind, double& out);
    bool list(const Property& property, bool is_face);
    bool coordinate(double number, float& out);
    bool check_indices();

    LineReader lines_;
    FileMesh& mesh_;
    FileError& error_;
    std::vector<Element> elements_;
    std::size_t properties_ = 0;  ///< of all elements
    bool format_seen_ = false, binary_ = false;
    std::string_view line_;             ///< ASCII: rest of the current line
    std::string_view bytes_;            ///< binary: rest of the file
    const Element* element_ = nullptr;  ///< the element being read, for messages
    std::int64_t item_ = 0;
};

bool PlyReader::fail_value(const std::string& message) {
    const std::string place = in_quotes(element_->name) + ' ' + std::to_string(item_ + 1) + " of " +
                              std::to_string(element_->count);
    return fail(error_, binary_ ? 0 : lines_.number(), place + ": " + message);
}

bool PlyReader::format(std::string_view rest) {
    const std::string_view word = take_token(rest);
    if (word != "ascii" && word != "binary_little_endian") {
        return fail_here("the format " + in_quotes(word) + ", expected ascii or binary_little_endian");
    }
    binary_ = word == "binary_little_endian";
    format_seen_ = true;
    return true;
}

bool PlyReader::element(std::string_view rest) {
    Element e;
    e.name = std::string(take_token(rest));
    std::string problem;
    if (!parse_integer(take_token(rest), e.count, problem)) return fail_here("the element count: " + problem);
    if (e.count < 0)
        return fail_here("an element count of " + std::to_string(e.count) + ", expected 0 or more");
    // Every item of an element named vertex is a vertex, also one without coordinates.
    const bool known = std::any_of(elements_.begin(), elements_.end(),
                                   [&](const Element& other) { return other.name == e.name; });
    if (known && (e.name == "vertex" || e.name == "face"))
        return fail_here("the element " + in_quotes(e.name) + " appears twice");
    if (elements_.size() == kMaxElements)
        return fail_here("too many elements, expected at most " + std::to_string(kMaxElements));
    elements_.push_back(std::move(e));
    return true;
}

bool PlyReader::property(std::string_view rest) {
    if (elements_.empty()) return fail_here("a property before the first element");
    Property p;
    std::string_view word = take_token(rest);
    if (word == "list") {
        p.list = true;
        const std::string_view count = take_token(rest);
        if (!parse_kind(count, p.count_kind) || p.count_kind >= Kind::f32) {
            return fail_here("a list counted by " + in_quotes(count) +
                             ", expected a whole-number type like uchar");
        }
        word = take_token(rest);
    }
    if (!parse_kind(word, p.kind))
        return fail_here("the type " + in_quotes(word) + ", expected one like float or int");
    p.name = std::string(take_token(rest));
    if (properties_++ == kMaxProperties)
        return fail_here("too many properties, expected at most " + std::to_string(kMaxProperties));
    elements_.back().properties.push_back(std::move(p));
    return true;
}

bool PlyReader::header_line(std::string_view line) {
    const std::string_view word = take_token(line);
    if (word == "comment" && trimmed(line) == kOurMetres) mesh_.metres_per_unit = 1;
    if (word == "comment" || word == "obj_info" || word.empty()) return true;
    if (word == "format") return format(line);
    if (word == "element") return element(line);
    if (word == "property") return property(line);
    return fail_here("found " + in_quotes(word) +
                     ", expected format, element, property, comment or end_header");
}

bool PlyReader::header() {
    std::string_view line;
    if (!lines_.next(line) || trimmed(line) != "ply")
        return fail_here("found " + in_quotes(line) + ", expected ply");
    for (;;) {
        if (!lines_.next(line)) return fail_here("the header does not end, expected end_header");
        if (trimmed(line) == "end_header") return check_header();
        if (!header_line(line)) return false;
    }
}

bool PlyReader::check_header() {
    if (!format_seen_) return fail_here("the header has no format line");
    int coordinates = 0, axes = 0, lists = 0;
    for (const Element& e : elements_) {
        // An item without properties has no bytes, so its count could not be checked against the file size.
        if (e.properties.empty() && e.count > 0)
            return fail_here("the element " + in_quotes(e.name) + " has no property");
        if (e.name == "vertex" && e.count > kMaxPlyVertices)
            return fail_here(std::to_string(e.count) + " vertices, expected at most " +
                             std::to_string(kMaxPlyVertices));
        for (const Property& p : e.properties) {
            const int axis = p.name == "x" ? 1 : p.name == "y" ? 2 : p.name == "z" ? 4 : 0;
            if (e.name == "vertex" && !p.list && axis != 0) {
                ++coordinates;
                axes |= axis;
            }
            if (e.name == "face" && is_corner_list(p) && p.kind < Kind::f32) ++lists;
        }
    }
    if (coordinates != 3 || axes != 7)
        return fail_here("the header needs one vertex element with the properties x, y and z");
    if (lists != 1)
        return fail_here("the header needs one face element with a list vertex_indices of whole numbers");
    bytes_ = lines_.rest();
    return true;
}

bool PlyReader::binary_value(Kind kind, double& out) {
    const std::size_t size = kBytes[static_cast<std::size_t>(kind)];
    if (bytes_.size() < size) return fail_value("the file ends, expected more bytes");
    std::uint64_t raw = 0;
    for (std::size_t i = size; i-- > 0;) raw = (raw << 8) | static_cast<unsigned char>(bytes_[i]);
    bytes_.remove_prefix(size);
    switch (kind) {
        case Kind::i8:
            out = static_cast<std::int8_t>(raw);
            break;
        case Kind::i16:
            out = static_cast<std::int16_t>(raw);
            break;
        case Kind::i32:
            out = static_cast<std::int32_t>(raw);
            break;
        case Kind::u8:
        case Kind::u16:
        case Kind::u32:
            out = static_cast<double>(raw);
            break;
        case Kind::f32:
            out = std::bit_cast<float>(static_cast<std::uint32_t>(raw));
            break;
        case Kind::f64:
            out = std::bit_cast<double>(raw);
            break;
    }
    return true;
}

bool PlyReader::value(Kind kind, double& out) {
    if (binary_) return binary_value(kind, out);
    const std::string_view word = take_token(line_);
    if (word.empty()) return fail_value("the line has too few values");
    std::string problem;
    if (!parse_number(word, out, problem)) return fail_value(problem);
    if (kind < Kind::f32 && out != std::floor(out))
        return fail_value(in_quotes(word) + " is not a whole number");
    return true;
}

bool PlyReader::coordinate(double number, float& out) {
    if (!(std::abs(number) <= kMaxCoordinate)) {
        return fail_value("a coordinate that is not finite or above 2^60 in magnitude");
    }
    out = static_cast<float>(number);
    return true;
}

bool PlyReader::list(const Property& p, bool is_face) {
    double count = 0;
    if (!value(p.count_kind, count)) return false;
    const std::size_t max_entries =
        binary_ ? bytes_.size() / kBytes[static_cast<std::size_t>(p.kind)] : (line_.size() + 1) / 2;
    if (!(count >= 0 && count <= static_cast<double>(max_entries))) {
        return fail_value("a list whose length is negative or too large, expected at most " +
                          std::to_string(max_entries) + " entries in the rest of the file");
    }
    if (is_face && count < 3) return fail_value("fewer than 3 vertices, expected at least 3");
    const auto entries = static_cast<std::size_t>(count);
    if (is_face && entries > kMaxPolygonVertices)
        return fail_value(std::to_string(entries) + " vertices, " + expected_polygon_size());
    if (is_face && entries > kMaxPlyCorners - mesh_.indices.size())
        return fail_value("too many corners, expected at most " + std::to_string(kMaxPlyCorners) +
                          " in all faces");
    for (std::size_t i = 0; i < entries; ++i) {
        double entry = 0;
        if (!value(p.kind, entry)) return false;
        if (!is_face) continue;
        if (!(entry >= 0 && entry < 4294967295.0)) {
            return fail_value("a vertex index below 0 or above 32 bits, expected the number of a vertex");
        }
        mesh_.indices.push_back(static_cast<std::uint32_t>(entry));
    }
    if (is_face) mesh_.begin.push_back(static_cast<std::uint32_t>(mesh_.indices.size()));
    return true;
}

bool PlyReader::item(const Element& e) {
    if (!binary_) {
        do {
            if (!lines_.next(line_)) return fail_value("the file ends, expected a line of values");
        } while (trimmed(line_).empty());
    }
    std::array<float, 3> position{};
    for (const Property& p : e.properties) {
        if (p.list) {
            if (!list(p, e.name == "face" && is_corner_list(p))) return false;
            continue;
        }
        double number = 0;
        if (!value(p.kind, number)) return false;
        const std::size_t axis = p.name == "x" ? 0 : p.name == "y" ? 1 : p.name == "z" ? 2 : 3;
        if (e.name == "vertex" && axis < 3 && !coordinate(number, position[axis])) return false;
    }
    if (e.name == "vertex") mesh_.positions.insert(mesh_.positions.end(), position.begin(), position.end());
    if (!binary_ && !trimmed(line_).empty()) return fail_value("the line has too many values");
    return true;
}

bool PlyReader::check_indices() {
    for (std::size_t p = 0; p + 1 < mesh_.begin.size(); ++p) {
        for (std::size_t i = mesh_.begin[p]; i < mesh_.begin[p + 1]; ++i) {
            if (mesh_.indices[i] < vertex_count(mesh_)) continue;
            return fail(error_, 0,
                        "face " + std::to_string(p + 1) + ": vertex index " +
                            std::to_string(mesh_.indices[i]) + " is out of range, expected one of " +
                            std::to_string(vertex_count(mesh_)));
        }
    }
    return true;
}

bool PlyReader::read() {
    if (!header()) return false;
    for (const Element& e : elements_) {
        element_ = &e;
        for (item_ = 0; item_ < e.count; ++item_) {
            if (!item(e)) return false;
        }
    }
    return check_indices() && check_not_empty(mesh_, error_);
}

}  // namespace

bool read_ply(std::string_view bytes, FileMesh& mesh, FileError& error) {
    return PlyReader(bytes, mesh, error).read();
}

}  // namespace claybox::engine
