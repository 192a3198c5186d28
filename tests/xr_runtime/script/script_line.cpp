#include "tests/xr_runtime/script/script_line.hpp"

#include <limits>

namespace claybox::xr_runtime {

namespace {

constexpr double kMaxDistance = 1e6;  // metres; anything near it is a typing error

std::vector<double> numbers_of(const Json& list, const std::string& name) {
    if (!list.is_array()) throw ScriptError("'" + name + "' must be a list of numbers");
    std::vector<double> numbers;
    for (const Json& entry : list) {
        if (!entry.is_number()) throw ScriptError("'" + name + "' must contain only numbers");
        numbers.push_back(entry.get<double>());
    }
    return numbers;
}

void expect_count(std::size_t found, std::size_t expected, const std::string& name, const char* what) {
    if (found != expected)
        throw ScriptError("'" + name + "' must contain " + std::to_string(expected) + " " + what +
                          ", found " + std::to_string(found));
}

}  // namespace

Pose pose_of(const std::vector<double>& row, const std::string& name) {
    const Pose pose{{row[0], row[1], row[2]}, {row[6], row[3], row[4], row[5]}};
    if (!(glm::length(pose.position) < kMaxDistance))
        throw ScriptError("'" + name + "' is more than 1000 km away");
    if (!(std::abs(glm::length(pose.rotation) - 1) < 1e-3))
        throw ScriptError("'" + name + "' needs a unit quaternion x y z w after its position");
    return pose;
}

ScriptLine::ScriptLine(const std::string& text) : json_(Json::parse(text, nullptr, false)) {
    if (!json_.is_object()) throw ScriptError("expected one JSON object on the line");
}

const Json& ScriptLine::value(const std::string& name) {
    read_names_.insert(name);
    static const Json kNothing;
    const auto found = json_.find(name);
    return found != json_.end() ? *found : kNothing;
}

double ScriptLine::number(const std::string& name, double fallback, double min, double max) {
    const Json& found = value(name);
    if (found.is_null()) return fallback;
    if (!found.is_number()) throw ScriptError("'" + name + "' must be a number");
    const double number = found.get<double>();
    if (number < min || number > max)
        throw ScriptError("'" + name + "' must be between " + std::to_string(min) + " and " +
                          std::to_string(max));
    return number;
}

std::int64_t ScriptLine::integer(const std::string& name, std::int64_t fallback, std::int64_t min,
                                 std::int64_t max) {
    const Json& found = value(name);
    if (found.is_null()) return fallback;
    if (!found.is_number_integer()) throw ScriptError("'" + name + "' must be a whole number");
    const std::int64_t number = found.get<std::int64_t>();
    if (number < min || number > max)
        throw ScriptError("'" + name + "' must be between " + std::to_string(min) + " and " +
                          std::to_string(max));
    return number;
}

bool ScriptLine::flag(const std::string& name, bool fallback) {
    const Json& found = value(name);
    if (found.is_null()) return fallback;
    if (!found.is_boolean()) throw ScriptError("'" + name + "' must be true or false");
    return found.get<bool>();
}

std::string ScriptLine::text(const std::string& name) {
    const Json& found = value(name);
    if (found.is_null()) return {};
    if (!found.is_string()) throw ScriptError("'" + name + "' must be a string");
    return found.get<std::string>();
}

std::vector<std::string> ScriptLine::texts(const std::string& name) {
    std::vector<std::string> texts;
    const Json& found = value(name);
    if (found.is_null()) return texts;
    if (!found.is_array()) throw ScriptError("'" + name + "' must be a list of strings");
    for (const Json& entry : found) {
        if (!entry.is_string()) throw ScriptError("'" + name + "' must contain only strings");
        texts.push_back(entry.get<std::string>());
    }
    return texts;
}

std::vector<double> ScriptLine::numbers(const std::string& name) {
    return numbers_of(value(name), name);
}

std::vector<double> ScriptLine::numbers(const std::string& name, std::size_t count) {
    std::vector<double> found = numbers(name);
    expect_count(found.size(), count, name, "numbers");
    return found;
}

std::vector<std::vector<double>> ScriptLine::rows(const std::string& name, std::size_t count,
                                                  std::size_t columns) {
    const Json& found = value(name);
    if (!found.is_array()) throw ScriptError("'" + name + "' must be a list of lists of numbers");
    expect_count(found.size(), count, name, "rows");
    std::vector<std::vector<double>> rows;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string row = name + "[" + std::to_string(i) + "]";
        rows.push_back(numbers_of(found[i], row));
        expect_count(rows.back().size(), columns, row, "numbers");
    }
    return rows;
}

Pose ScriptLine::pose(const std::string& name) {
    return pose_of(numbers(name, 7), name);
}

void ScriptLine::expect_nothing_else() const {
    for (const auto& [name, ignored] : json_.items())
        if (!read_names_.contains(name)) throw ScriptError("'" + name + "' has no meaning on this line");
}

}  // namespace claybox::xr_runtime
