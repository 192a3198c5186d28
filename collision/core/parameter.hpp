#pragma once
/// \file
/// Named settings of algorithms, broad phases and scenes. The settings panels, the command line and the
/// generated documentation are built from these descriptions.

#include "collision/core/result.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

namespace claybox::collision {

/// How a parameter's number is read: any real, an integer, off/on as 0/1, or the index of a named choice.
enum class ParameterKind : unsigned char {
    real,     ///< any number in [min, max]
    integer,  ///< a whole number in [min, max]
    toggle,   ///< 0 is off, 1 is on
    choice,   ///< an index into Parameter::choices
};

/// Describes one parameter. Descriptions are static data: their pointers stay valid until the program ends.
struct Parameter {
    const char* id;                            ///< name on the command line: `--set id=value`
    const char* title;                         ///< label in panels, sentence case
    ParameterKind kind = ParameterKind::real;  ///< how the number is read
    double default_value = 0;                  ///< in `unit`, like min and max
    double min = 0;                            ///< smallest allowed value
    double max = 1;                            ///< largest allowed value
    const char* unit = "";                     ///< "m", "rad"; "" for a count
    const char* source = "";   ///< origin of the default: paper and section, or "ours: reason"
    const char* help = "";     ///< tooltip, one sentence
    bool logarithmic = false;  ///< whether sliders use a logarithmic scale
    std::span<const char* const> choices = {};  ///< the names of a choice; the parameter's value is the index
};

/// The maximum length of a parameter table.
inline constexpr std::size_t kMaxParameters = 32;

/// The values of one parameter table, in the order of the table. Trivially copyable.
struct ParameterValues {
    std::array<double, kMaxParameters> value{};  ///< in the units of the table; unused entries are 0

    /// Value i as a number.
    double operator[](std::size_t i) const { return value[i]; }
    /// Value i, to change it. Nothing checks the limits of the table.
    double& operator[](std::size_t i) { return value[i]; }
    /// Value i of an integer parameter or a choice.
    int integer(std::size_t i) const { return static_cast<int>(value[i]); }
    /// Value i of a toggle.
    bool on(std::size_t i) const { return value[i] != 0.0; }
    /// Stands for "use the defaults of the table".
    static ParameterValues unset() {
        ParameterValues out;
        out.value[0] = std::numeric_limits<double>::quiet_NaN();
        return out;
    }
    /// Whether these are the values of unset().
    bool is_unset() const { return value[0] != value[0]; }
    /// Whether all values are equal. Unset values are equal to nothing.
    friend bool operator==(const ParameterValues&, const ParameterValues&) = default;
};

/// The default value of every parameter in the table.
ParameterValues default_values(std::span<const Parameter> table);

/// The index of the parameter `id`, or table.size() if there is none.
std::size_t find_parameter(std::span<const Parameter> table, std::string_view id);

/// Parses a value: a number, on/true/1 or off/false/0, or the name of a choice. Text that does not parse and
/// values outside [min, max] are errors; the message contains the parameter, the text and the expected
/// values.
Result<double> parse_parameter(const Parameter& parameter, std::string_view text);

}  // namespace claybox::collision
