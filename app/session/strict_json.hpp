#pragma once

#include "collision/core/result.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace claybox::app {

/// Parses one JSON text. Duplicate keys, more than 32 levels, invalid UTF-8 and numbers outside double are
/// errors. The depth limit bounds recursion.
collision::Result<nlohmann::json> parse_strict_json(std::string_view text);

/// One line of JSON. Invalid UTF-8 is replaced, so messages may quote any bytes.
std::string to_line(const nlohmann::ordered_json& value);

}  // namespace claybox::app
