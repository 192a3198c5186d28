#include "engine/files/process/pipe.hpp"

#if (defined(__unix__) && !defined(__EMSCRIPTEN__)) || defined(__APPLE__)

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#if defined(__APPLE__)
extern char** environ;  // other systems declare it
#endif

namespace claybox::engine {
namespace {

/// A write to a program that has ended is an error of this writer, not the end of our own program.
class IgnoreBrokenPipes {
  public:
    IgnoreBrokenPipes() {
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        ::sigaction(SIGPIPE, &ignore, &before_);
    }
    ~IgnoreBrokenPipes() { ::sigaction(SIGPIPE, &before_, nullptr); }
    IgnoreBrokenPipes(const IgnoreBrokenPipes&) = delete;
    IgnoreBrokenPipes& operator=(const IgnoreBrokenPipes&) = delete;

  private:
    struct sigaction before_ {};
};

/// The exit status of an ended process; -1 if a signal ended it.
int wait_for(long process) {
    int status = 0;
    while (::waitpid(static_cast<pid_t>(process), &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

bool Pipe::open(const std::vector<std::string>& command, std::string& error) {
    abort();
    int ends[2];
    if (::pipe(ends) != 0) {
        error = std::string("no pipe: ") + std::strerror(errno);
        return false;
    }
    ::fcntl(ends[1], F_SETFD, FD_CLOEXEC);  // or the program would never see the end of its input
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& part : command) arguments.push_back(const_cast<char*>(part.c_str()));
    arguments.push_back(nullptr);
    pid_t process = -1;
    const int failed = ::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[0]);
    if (failed != 0) {
        ::close(ends[1]);
        error = "'" + command[0] + "' cannot be started (" + std::strerror(failed) + ")";
        return false;
    }
    input_ = ends[1];
    process_ = process;
    name_ = command[0];
    return true;
}

bool Pipe::write(const void* data, std::size_t size, std::string& error) {
    const IgnoreBrokenPipes guard;
    const auto* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t written = ::write(input_, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            error = "'" + name_ + "' has ended before its input";
            return false;
        }
        bytes += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

bool Pipe::close(std::string& error) {
    if (process_ < 0) {
        error = "no program is running";
        return false;
    }
    ::close(std::exchange(input_, -1));
    const int status = wait_for(std::exchange(process_, -1));
    if (status != 0) error = "'" + name_ + "' failed with status " + std::to_string(status);
    return status == 0;
}

void Pipe::abort() {
    if (process_ < 0) return;
    ::close(std::exchange(input_, -1));
    ::kill(static_cast<pid_t>(process_), SIGKILL);  // one that is stopped does not see SIGTERM
    wait_for(std::exchange(process_, -1));
}

}  // namespace claybox::engine

#else

namespace claybox::engine {

bool Pipe::open(const std::vector<std::string>& command, std::string& error) {
    error = "'" + command[0] + "' cannot be started on this system";
    return false;
}
bool Pipe::write(const void*, std::size_t, std::string& error) {
    error = "no program is running";
    return false;
}
bool Pipe::close(std::string& error) {
    error = "no program is running";
    return false;
}
void Pipe::abort() {}

}  // namespace claybox::engine

#endif
