#pragma once

#include <filesystem>
#include <string>

namespace claybox::engine {

/// This program becomes another one with these arguments, a list that ends with a null pointer and begins
/// with the name. Windows cannot do that: there this program waits for the other one and ends with its
/// status. Returns only if the other program cannot start.
void replace_program(const std::filesystem::path& program, char** arguments);

#if defined(_WIN32)
/// Windows hands over one line of arguments, which the C library of the other program splits by these rules.
std::string quoted_argument(const std::string& argument);
#endif

}  // namespace claybox::engine
