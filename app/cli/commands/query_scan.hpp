#pragma once

#include "app/cli/commands/query_line.hpp"
#include "collision/core/function_ref.hpp"

#include <optional>

namespace claybox::app {

/// Reads a line of the usual form without building a JSON value, several times faster: "a", "b", "matrix_a",
/// "matrix_b", perhaps a text "id", and other members, at most 24 in all; no motion, no escapes. Nothing for
/// any other line, right or wrong. What it returns equals the answer of parse_query_line().
/// `known`: returns the hull of points that were read from the same text before, or null.
std::optional<QueryLine> scan_query_line(std::string_view text,
                                         collision::FunctionRef<PreparedShape*(std::string_view)> known);
/// Reads all points.
std::optional<QueryLine> scan_query_line(std::string_view text);

}  // namespace claybox::app
