#include "tests/cli/support.hpp"

#include "app/bench/bench_command.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace claybox::test {

namespace {

std::vector<char*> argument_pointers(std::vector<std::string>& arguments) {
    std::vector<char*> out;
    for (std::string& a : arguments) out.push_back(a.data());
    out.push_back(nullptr);
    return out;
}

std::string content_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

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
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    std::vector<std::string> all = arguments;
    all.insert(all.begin(), CLAYBOX_PROGRAM);
    pid_t child = 0;
    Outcome outcome;
    if (posix_spawn(&child, CLAYBOX_PROGRAM, &actions, nullptr, argument_pointers(all).data(), environ) ==
        0) {
        int state = 0;
        rusage usage{};
        wait4(child, &state, 0, &usage);
        outcome.status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
        outcome.peak_kilobytes = usage.ru_maxrss;
    }
    posix_spawn_file_actions_destroy(&actions);
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

Folder::~Folder() {
    std::error_code code;
    std::filesystem::remove_all(path_, code);
}

std::string Folder::write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
    return file(name);
}

std::size_t Folder::count() const {
    std::size_t n = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) n += entry.exists() ? 1 : 0;
    return n;
}

}  // namespace claybox::test
