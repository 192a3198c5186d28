#pragma once

#include <string>
#include <string_view>

namespace claybox::engine {

/// The text with control characters replaced by spaces: file names and quoted input must neither forge lines
/// nor control the terminal.
std::string printable_line(std::string_view text);

}  // namespace claybox::engine
