#pragma once

#include "collision/core/parameter.hpp"
#include "engine/ui/widgets/widgets.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace claybox::app {

/// Display of a parameter: metres up to 2 as millimetres, radians as degrees, seconds up to 1 as
/// milliseconds.
engine::SliderSpec slider_spec(const collision::Parameter& parameter);

/// Names of the keys that change parameters, shown with them.
struct ParameterKeys {
    struct Key {
        std::size_t parameter = 0;
        int choice = -1;  ///< -1: the key changes the parameter itself
        std::string name;
    };
    std::vector<Key> keys;

    /// The key that sets this choice; empty without one.
    const char* of_choice(std::size_t parameter, std::size_t choice) const;
    /// The help text, followed by "Keys: [, ]." if there are keys.
    std::string with_help(std::size_t parameter, const char* help) const;
};

/// Draws a row for each of the parameters [first, end) of a table. A choice is shown as pictures if each of
/// its names has an icon "SCENE_PARAMETER_CHOICE", else as a list. True when a value changed.
bool parameter_rows(engine::Ui& ui, std::span<const collision::Parameter> table,
                    collision::ParameterValues& values, std::size_t first, std::size_t end,
                    const ParameterKeys& keys = {}, std::string_view scene = {});

/// Draws a choice as pictures. `icons`: of all icons, those whose name begins so and ends with the choice.
/// `help`: a sentence for each choice. True when the value changed.
bool palette_row(engine::Ui& ui, const collision::Parameter& parameter, std::size_t index,
                 std::string_view icons, std::span<const char* const> help, const ParameterKeys& keys,
                 double& value);

}  // namespace claybox::app
