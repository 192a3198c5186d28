#include "engine/files/process/program.hpp"

#if defined(_WIN32)
#include "engine/files/path_text.hpp"
#include "engine/files/windows.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <vector>
// After windows.h, which it needs.
#include <shellapi.h>
#else
#include <unistd.h>
#endif

namespace claybox::engine {

#if defined(_WIN32)

ProgramArguments program_arguments(int count, char** list) {
    int found = 0;
    wchar_t** const wide = CommandLineToArgvW(GetCommandLineW(), &found);
    if (wide == nullptr) return {count, list};
    static std::vector<std::string> texts;
    static std::vector<char*> pointers;
    for (int i = 0; i < found; ++i) texts.push_back(text_of(wide[i]));
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    LocalFree(wide);
    return {found, pointers.data()};
}

void prepare_streams() {
    SetConsoleOutputCP(CP_UTF8);
    for (std::FILE* stream : {stdin, stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
}

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
    std::vector<std::wstring> words;
    for (; *arguments != nullptr; ++arguments) words.push_back(wide_text(quoted_argument(*arguments)));
    std::vector<const wchar_t*> list;
    for (const std::wstring& word : words) list.push_back(word.c_str());
    list.push_back(nullptr);
    const std::intptr_t status = _wspawnv(_P_WAIT, program.c_str(), list.data());
    if (status != -1) std::exit(static_cast<int>(status));
}

#else

ProgramArguments program_arguments(int count, char** list) {
    return {count, list};
}

void prepare_streams() {}

void replace_program(const std::filesystem::path& program, char** arguments) {
    execv(program.c_str(), arguments);
}

#endif

}  // namespace claybox::engine
