#pragma once
// Runs the command line, in this process or as the built program, and returns status and streams.

#include <filesystem>
#include <string>
#include <vector>

namespace claybox::test {

struct Outcome {
    int status = -1;
    std::string out, err;
    long peak_kilobytes = 0;  ///< of the built program
};

/// Runs run_command_line in this process, without graphics.
Outcome run_here(std::vector<std::string> arguments);
/// Runs the built program with empty standard input.
Outcome run_program(const std::vector<std::string>& arguments);

std::vector<std::string> lines_of(const std::string& text);

/// All switches in `claybox COMMAND --help`, such as "--scene". An empty command: of the program itself.
std::vector<std::string> switches_of(const std::string& command);

/// A temporary folder, deleted by the destructor.
class Folder {
  public:
    explicit Folder(const std::string& name);
    ~Folder();
    /// The name of a file in it. Names are UTF-8.
    std::string file(const std::string& name) const;
    /// Writes a file into it and returns its path.
    std::string write(const std::string& name, const std::string& content) const;
    std::size_t count() const;
    /// Of its files, sorted.
    std::vector<std::string> names() const;

  private:
    std::filesystem::path path_;
};

}  // namespace claybox::test
