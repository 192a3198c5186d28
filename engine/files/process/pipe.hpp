#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace claybox::engine {

/// Bytes for the standard input of another program, which is found in PATH. Its standard output and error are
/// those of this program. POSIX systems; elsewhere open() fails and says so. Single thread.
class Pipe {
  public:
    Pipe() = default;
    ~Pipe() { abort(); }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    /// Starts the program with its arguments. False with a sentence in `error` if it cannot be started.
    bool open(const std::vector<std::string>& command, std::string& error);
    /// Waits until the program has taken all bytes. False with a sentence if it has ended.
    bool write(const void* data, std::size_t size, std::string& error);
    /// Ends the input and waits for the program. False with a sentence if it reports a failure.
    bool close(std::string& error);
    /// Ends the program. Nothing happens if it does not run.
    void abort();

  private:
    int input_ = -1;
    long process_ = -1;
    std::string name_;
};

}  // namespace claybox::engine
