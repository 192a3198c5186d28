#pragma once

#include "collision/core/result.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace claybox::app {

/// Parses one JSON text: no duplicate keys, at most 32 levels deep (so that nothing recurses far), valid
/// UTF-8, numbers within double. The error says what was found.
collision::Result<nlohmann::json> parse_strict_json(std::string_view text);

/// One line of JSON; bytes that are no UTF-8 are replaced, so that messages may quote anything.
std::string to_line(const nlohmann::ordered_json& value);

}  // namespace claybox::app
