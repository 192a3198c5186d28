#include "tests/cli/support.hpp"

#include "app/bench/bench_command.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/process/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <unistd.h>

#if defined(_WIN32)
#include "engine/files/windows.hpp"

// After windows.h, which it needs.
#include <psapi.h>
#else
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#endif

namespace claybox::test {

namespace {

std::vector<char*> argument_pointers(std::vector<std::string>& arguments) {
    std::vector<char*> out;
    for (std::string& a : arguments) out.push_back(a.data());
    out.push_back(nullptr);
    return out;
}

std::string content_of(const std::string& file) {
    std::ifstream in(engine::path_of(file), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

#if defined(_WIN32)

HANDLE open_stream(const std::string& file, DWORD access, DWORD creation) {
    SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
    return CreateFileW(engine::path_of(file).c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                       creation, FILE_ATTRIBUTE_NORMAL, nullptr);
}

/// Runs a program with the words as its arguments; the first one is its name.
void run_words(const std::vector<std::string>& words, const std::string& out, const std::string& err,
               Outcome& outcome) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + engine::quoted_argument(word);
    std::wstring wide_line = engine::wide_text(line);
    STARTUPINFOW streams{};
    streams.cb = sizeof streams;
    streams.dwFlags = STARTF_USESTDHANDLES;
    streams.hStdInput = open_stream("NUL", GENERIC_READ, OPEN_EXISTING);
    streams.hStdOutput = open_stream(out, GENERIC_WRITE, CREATE_ALWAYS);
    streams.hStdError = open_stream(err, GENERIC_WRITE, CREATE_ALWAYS);
    PROCESS_INFORMATION child{};
    if (CreateProcessW(nullptr, wide_line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &streams,
                       &child)) {
        WaitForSingleObject(child.hProcess, INFINITE);
        DWORD status = 0;
        GetExitCodeProcess(child.hProcess, &status);
        outcome.status = static_cast<int>(status);
        PROCESS_MEMORY_COUNTERS memory{};
        GetProcessMemoryInfo(child.hProcess, &memory, sizeof memory);
        outcome.peak_kilobytes = static_cast<long>(memory.PeakWorkingSetSize / 1024);
        CloseHandle(child.hThread);
        CloseHandle(child.hProcess);
    }
    for (const HANDLE stream : {streams.hStdInput, streams.hStdOutput, streams.hStdError})
        CloseHandle(stream);
}

#else

/// Runs a program with the words as its arguments; the first one is its name.
void run_words(std::vector<std::string> words, const std::string& out, const std::string& err,
               Outcome& outcome) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = 0;
    if (posix_spawn(&child, words.front().c_str(), &actions, nullptr, argument_pointers(words).data(),
                    environ) == 0) {
        int state = 0;
        rusage usage{};
        wait4(child, &state, 0, &usage);
        outcome.status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
        outcome.peak_kilobytes = usage.ru_maxrss;
    }
    posix_spawn_file_actions_destroy(&actions);
}

#endif

}  // namespace

Outcome run_here(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "claybox");
    std::vector<char*> pointers = argument_pointers(arguments);
    app::Frontend frontend;
    frontend.bench = app::bench_command;
    Outcome outcome;
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    outcome.status = app::run_command_line(static_cast<int>(arguments.size()), pointers.data(), frontend);
    outcome.out = ::testing::internal::GetCapturedStdout();
    outcome.err = ::testing::internal::GetCapturedStderr();
    return outcome;
}

Outcome run_program(const std::vector<std::string>& arguments) {
    const Folder folder("program_" + std::to_string(getpid()));
    const std::string out = folder.file("out"), err = folder.file("err");
    std::vector<std::string> words = arguments;
    words.insert(words.begin(), CLAYBOX_PROGRAM);
    Outcome outcome;
    run_words(words, out, err, outcome);
    outcome.out = content_of(out);
    outcome.err = content_of(err);
    return outcome;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> switches_of(const std::string& command) {
    std::vector<std::string> words{"--help"}, out;
    if (!command.empty()) words.insert(words.begin(), command);
    for (const std::string& line : lines_of(run_here(words).out)) {
        const std::size_t at = line.find("--");
        if (at == std::string::npos || line.find_first_not_of(" -h,") < at) continue;
        out.push_back(line.substr(at, line.find_first_of(" ,", at) - at));
    }
    return out;
}

Folder::Folder(const std::string& name)
    : path_(std::filesystem::temp_directory_path() / ("claybox_" + name + "_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
}

std::string Folder::file(const std::string& name) const {
    return engine::text_of(path_ / engine::path_of(name));
}

std::vector<std::string> Folder::names() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
        out.push_back(engine::text_of(entry.path().filename()));
    std::sort(out.begin(), out.end());
    return out;
}

Folder::~Folder() {
    std::error_code code;
    std::filesystem::remove_all(path_, code);
}

std::string Folder::write(const std::string& name, const std::string& content) const {
    const std::filesystem::path target = path_ / engine::path_of(name);
    std::filesystem::create_directories(target.parent_path());
    std::ofstream(target, std::ios::binary) << content;
    return file(name);
}

std::size_t Folder::count() const {
    std::size_t n = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) n += entry.exists() ? 1 : 0;
    return n;
}

}  // namespace claybox::test
