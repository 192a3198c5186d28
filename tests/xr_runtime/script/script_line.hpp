#pragma once
// One line of a script. Values are read by name; an unread name is an error.

#include "tests/xr_runtime/log.hpp"
#include "tests/xr_runtime/pose.hpp"

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace claybox::xr_runtime {

/// Names what was expected; the caller adds file and line.
struct ScriptError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class ScriptLine {
  public:
    /// Throws ScriptError unless the text is a JSON object.
    explicit ScriptLine(const std::string& text);

    bool has(const std::string& name) const { return json_.contains(name); }
    double number(const std::string& name, double fallback, double min, double max);
    std::int64_t integer(const std::string& name, std::int64_t fallback, std::int64_t min, std::int64_t max);
    bool flag(const std::string& name, bool fallback);
    std::string text(const std::string& name);
    std::vector<std::string> texts(const std::string& name);
    std::vector<double> numbers(const std::string& name);
    std::vector<double> numbers(const std::string& name, std::size_t count);
    std::vector<std::vector<double>> rows(const std::string& name, std::size_t count, std::size_t columns);
    /// Seven numbers: position, then the unit quaternion x y z w.
    Pose pose(const std::string& name);
    /// Throws for the first name that was never read.
    void expect_nothing_else() const;

  private:
    const Json& value(const std::string& name);
    Json json_;
    std::set<std::string> read_names_;
};

Pose pose_of(const std::vector<double>& row, const std::string& name);

}  // namespace claybox::xr_runtime
