#pragma once
// The running program as the system sees it: its arguments, its streams, and another program in its place.

#include <filesystem>
#include <string>

namespace claybox::engine {

struct ProgramArguments {
    int count = 0;
    char** list = nullptr;  ///< ends with a null pointer, lives until the program ends
};

/// The arguments of main() in UTF-8. Called once, by main().
ProgramArguments program_arguments(int count, char** list);

/// The standard streams carry the same bytes on every system. Windows would write "\r\n" for "\n", and its
/// console would show UTF-8 in another code page. Called once, by main().
void prepare_streams();

/// This program becomes another one with these arguments, a list that ends with a null pointer and begins
/// with the name. Windows cannot do that: there this program waits for the other one and ends with its
/// status. Returns only if the other program cannot start.
void replace_program(const std::filesystem::path& program, char** arguments);

#if defined(_WIN32)
/// Windows hands over one line of arguments, which the C library of the other program splits by these rules.
std::string quoted_argument(const std::string& argument);
#endif

}  // namespace claybox::engine
