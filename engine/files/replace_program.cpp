#include "engine/files/replace_program.hpp"

#if defined(_WIN32)
#include <cstdlib>
#include <process.h>
#include <vector>
#else
#include <unistd.h>
#endif

namespace claybox::engine {

#if defined(_WIN32)

std::string quoted_argument(const std::string& argument) {
    std::string out = "\"";
    std::size_t backslashes = 0;
    for (const char c : argument) {
        if (c == '"') out.append(backslashes + 1, '\\');
        backslashes = c == '\\' ? backslashes + 1 : 0;
        out += c;
    }
    return out.append(backslashes, '\\') + '"';
}

void replace_program(const std::filesystem::path& program, char** arguments) {
    std::vector<std::string> words;
    for (; *arguments != nullptr; ++arguments) words.push_back(quoted_argument(*arguments));
    std::vector<const char*> list;
    for (const std::string& word : words) list.push_back(word.c_str());
    list.push_back(nullptr);
    const std::intptr_t status = _spawnv(_P_WAIT, program.string().c_str(), list.data());
    if (status != -1) std::exit(static_cast<int>(status));
}

#else

void replace_program(const std::filesystem::path& program, char** arguments) {
    execv(program.c_str(), arguments);
}

#endif

}  // namespace claybox::engine
