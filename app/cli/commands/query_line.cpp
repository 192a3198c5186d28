#include "app/cli/commands/query_line.hpp"

#include "app/session/strict_json.hpp"

namespace claybox::app {

using namespace collision;
using nlohmann::json;

namespace {

Error wrong(const std::string& field, const std::string& what) {
    return Error{"\"" + field + "\" " + what, {}, 0};
}

/// Reads a JSON number as the nearest float32. False for other types and for magnitudes above 2^60.
bool read_float(const json& value, float& out) {
    if (!value.is_number()) return false;
    const double number = value.get<double>();
    if (!(std::abs(number) <= kMaxMagnitude)) return false;
    out = static_cast<float>(number);
    return true;
}

Status read_matrix(const json& line, const std::string& field, Matrix34f& out) {
    const auto found = line.find(field);
    if (found == line.end()) return wrong(field, "is missing, expected 12 numbers");
    if (!found->is_array() || found->size() != 12) return wrong(field, "is not an array of 12 numbers");
    for (std::size_t i = 0; i < 12; ++i) {
        if (!read_float((*found)[i], out.m[i])) {
            return wrong(field, "entry " + std::to_string(i) + " is not a number of magnitude up to 2^60");
        }
    }
    return Done{};
}

Status read_points(const json& points, const std::string& field, std::vector<Vec3f>& out) {
    if (!points.is_array() || points.empty()) return wrong(field, "is not an array of at least one point");
    if (points.size() > kMaxQueryPoints)
        return wrong(field, "has " + std::to_string(points.size()) + " points, expected at most " +
                                std::to_string(kMaxQueryPoints));
    out.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const json& p = points[i];
        Vec3f v;
        const bool good = p.is_array() && p.size() == 3 && read_float(p[0], v.x) && read_float(p[1], v.y) &&
                          read_float(p[2], v.z);
        if (!good) {
            return wrong(field, "entry " + std::to_string(i) +
                                    " is not [x, y, z] with numbers of magnitude up to 2^60");
        }
        out.push_back(v);
    }
    return Done{};
}

Status read_side(const json& line, const std::string& field, QuerySide& out) {
    const auto found = line.find(field);
    if (found == line.end())
        return wrong(field, "is missing, expected {\"kind\":\"vertices\",...} or {\"mesh\":...}");
    if (!found->is_object()) return wrong(field, "is not an object");
    if (const auto mesh = found->find("mesh"); mesh != found->end()) {
        if (!mesh->is_string()) return wrong(field + ".mesh", "is not a string");
        out.mesh = mesh->get<std::string>();
        if (!is_plain_name(out.mesh))
            return wrong(field + ".mesh", "is not a plain file name, expected one without folders");
        return Done{};
    }
    const auto kind = found->find("kind");
    if (kind == found->end() || !kind->is_string() || kind->get<std::string>() != "vertices") {
        return wrong(field + ".kind", "is not \"vertices\"");
    }
    const auto points = found->find("points");
    if (points == found->end()) return wrong(field + ".points", "is missing");
    return read_points(*points, field + ".points", out.points);
}

Status read_vector(const json& value, const std::string& field, Vec3d& out) {
    const bool good = value.is_array() && value.size() == 3;
    for (std::size_t k = 0; k < 3; ++k) {
        if (!good || !value[k].is_number() || !(std::abs(value[k].get<double>()) <= kMaxMagnitude))
            return wrong(field, "is not [x, y, z] with numbers of magnitude up to 2^60");
        out[k] = value[k].get<double>();
    }
    return Done{};
}

/// A linear motion: two matrices with equal 3x3 parts.
Status read_linear(const json& line, const std::string& side, QuerySide& out) {
    const std::string from = "matrix_" + side + "0", to = "matrix_" + side + "1";
    if (const Status read = read_matrix(line, from, out.world_from_body); !read) return read;
    Matrix34f end;
    if (const Status read = read_matrix(line, to, end); !read) return read;
    for (std::size_t i = 0; i < 12; ++i) {
        if (i % 4 != 3 && end.m[i] != out.world_from_body.m[i])
            return wrong(to, "has another 3x3 part than \"" + from + "\": expected a translation");
    }
    out.motion = Motion::linear(end.translation());
    return Done{};
}

/// A screw motion from "matrix_a"; null or a missing field: the body is fixed.
Status read_screw(const json& line, const std::string& side, QuerySide& out) {
    if (const Status read = read_matrix(line, "matrix_" + side, out.world_from_body); !read) return read;
    const std::string field = "screw_" + side;
    const auto found = line.find(field);
    if (found == line.end() || found->is_null()) return Done{};
    if (!found->is_object()) return wrong(field, "is neither an object nor null");
    for (const char* name : {"point", "axis", "theta", "g"}) {
        if (!found->contains(name)) return wrong(field + "." + name, "is missing");
    }
    out.motion.kind = Motion::Kind::screw;
    for (const Status& step : {read_vector((*found)["point"], field + ".point", out.motion.point_w),
                               read_vector((*found)["axis"], field + ".axis", out.motion.axis_w),
                               read_vector((*found)["g"], field + ".g", out.motion.travel_w)}) {
        if (!step) return step.error();
    }
    if (!(*found)["theta"].is_number()) return wrong(field + ".theta", "is not a number");
    out.motion.angle = (*found)["theta"].get<double>();
    if (const Status good = check(out.motion); !good) return wrong(field, ": " + good.error().message);
    return Done{};
}

/// The matrices and motions of both bodies.
Status read_placement(const json& line, QueryLine& out) {
    bool linear = false, screw = false;
    for (const char* field : {"matrix_a0", "matrix_a1", "matrix_b0", "matrix_b1"})
        linear = linear || line.contains(field);
    for (const char* field : {"screw_a", "screw_b"}) screw = screw || line.contains(field);
    if (linear && screw)
        return wrong("screw_a", "and \"matrix_a0\" are both given, expected one kind of motion");
    out.has_motion = linear || screw;
    const auto read = linear ? read_linear : read_screw;
    for (const Status& step : {read(line, "a", out.a), read(line, "b", out.b)}) {
        if (!step) return step.error();
    }
    return Done{};
}

}  // namespace

bool is_plain_name(const std::string& name) {
    constexpr std::size_t kMaxNameBytes = 255;
    return !name.empty() && name.size() <= kMaxNameBytes && name != "." && name != ".." &&
           name.find_first_of(std::string("/\\:\0", 4)) == std::string::npos;
}

Result<QueryLine> parse_query_line(std::string_view text) {
    const Result<json> parsed = parse_strict_json(text);
    if (!parsed) return parsed.error();
    const json& line = parsed.value();
    if (!line.is_object())
        return Error{
            "the line is not a JSON object, expected {\"id\":...,\"matrix_a\":...,\"a\":...}", {}, 0};
    QueryLine out;
    if (const auto id = line.find("id"); id != line.end()) {
        if (!id->is_string() && !id->is_number()) return wrong("id", "is not a string or a number");
        out.id = *id;
    }
    for (const Status& step :
         {read_side(line, "a", out.a), read_side(line, "b", out.b), read_placement(line, out)}) {
        if (!step) return step.error();
    }
    return out;
}

}  // namespace claybox::app
