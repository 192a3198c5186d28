#pragma once
// Named numbers of algorithms, broad phases and scenes; panels, the command line and documentation read them.

#include "collision/core/result.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

namespace claybox::collision {

enum class ParameterKind : unsigned char { real, integer, toggle, choice };

/// One parameter of something registered. Static data: pointers live for ever.
struct Parameter {
    const char* id;     ///< word for `--set id=value`
    const char* title;  ///< sentence case, for panels
    ParameterKind kind = ParameterKind::real;
    double default_value = 0;
    double min = 0;
    double max = 1;
    const char* unit = "";     ///< "m", "rad", "" for a count
    const char* source = "";   ///< where the default comes from: paper and section, or "ours: reason"
    const char* help = "";     ///< one sentence for a tooltip
    bool logarithmic = false;  ///< sliders use a logarithmic scale
    std::span<const char* const> choices = {};  ///< names of a choice; the value is the index
};

inline constexpr std::size_t kMaxParameters = 24;

/// Values in the order of a parameter table; a plain copyable block, so it travels to other threads.
struct ParameterValues {
    std::array<double, kMaxParameters> value{};

    double operator[](std::size_t i) const { return value[i]; }
    double& operator[](std::size_t i) { return value[i]; }
    int integer(std::size_t i) const { return static_cast<int>(value[i]); }
    bool on(std::size_t i) const { return value[i] != 0.0; }
    /// Nobody has chosen any: who reads them takes the defaults of the table.
    static ParameterValues unset() {
        ParameterValues out;
        out.value[0] = std::numeric_limits<double>::quiet_NaN();
        return out;
    }
    bool is_unset() const { return value[0] != value[0]; }
    friend bool operator==(const ParameterValues&, const ParameterValues&) = default;
};

ParameterValues default_values(std::span<const Parameter> table);

/// The index of `id`, or table.size().
std::size_t find_parameter(std::span<const Parameter> table, std::string_view id);

/// Parses text ("0.5", "on", "off", a choice's name) and checks the range; the error names what was expected.
Result<double> parse_parameter(const Parameter& parameter, std::string_view text);

}  // namespace claybox::collision
