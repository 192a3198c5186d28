#pragma once
// Writing files: complete or not at all. See docs/explanation/robustness.md.

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace claybox::engine {

/// Writes a file piece by piece into a new temporary file in the same folder. commit() flushes it to the disk
/// and renames it; until then the target is unchanged. Links are followed. A device or pipe, such as
/// /dev/stdout, is written directly. Single thread.
class FileWriter {
  public:
    FileWriter() = default;
    /// Removes the temporary file unless commit() succeeded.
    ~FileWriter();
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;

    /// Call once. On error returns false with one sentence in `error`.
    bool open(const std::filesystem::path& target, std::string& error);
    /// After the first failure nothing more is written, and commit() reports that failure.
    void append(std::string_view content);
    /// Returns false with one sentence in `error` if any step failed; then the target is unchanged.
    bool commit(std::string& error);
    /// Like commit(), but never replaces a file.
    bool commit_as_new(std::string& error);
    /// `taken`: it failed because the name has a file by now.
    bool commit_as_new(std::string& error, bool& taken);

    /// The file that commit() writes, after links are followed.
    const std::filesystem::path& target() const { return target_; }
    /// The file that has the content until commit(). Another program may write it instead of append().
    const std::filesystem::path& unfinished() const { return temporary_.empty() ? target_ : temporary_; }

    /// Deletes the temporary files of all writers, for a program that must end without unwinding. Any thread;
    /// allocates nothing.
    static void remove_all_temporaries() noexcept;

  private:
    void create_temporary();
    void close_file();
    bool finish(std::string& error);
    void fail(int code);
    void enlist();
    void delist();
    void remove_temporary();
    std::string reason() const;

    std::FILE* file_ = nullptr;
    std::filesystem::path target_, temporary_;  ///< temporary_: empty for a device or pipe
    int code_ = 0;                              ///< errno of the first failure
    FileWriter* next_ = nullptr;                ///< in the list of writers with a temporary file
};

/// Writes a whole file with a FileWriter. Returns false with one sentence in `error`.
bool write_file_atomically(const std::filesystem::path& path, std::string_view content, std::string& error);

/// Writes a file under a new name, `start`N`ending` with N from 1, and never overwrites. `write` appends the
/// content to the open file, or returns false with a sentence; then no file is left. It runs again for the
/// next number if another program takes the name meanwhile. Sets `path` to the new file.
using WriteTo = std::function<bool(FileWriter& file, std::string& error)>;
bool write_new_file(const std::filesystem::path& folder, const std::string& start, const std::string& ending,
                    const WriteTo& write, std::filesystem::path& path, std::string& error);

}  // namespace claybox::engine
