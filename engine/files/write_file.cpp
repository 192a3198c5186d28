#include "engine/files/write_file.hpp"

#include "engine/files/path_text.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <sys/stat.h>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace claybox::engine {

namespace {

int process_number() {
#if defined(_WIN32)
    return _getpid();
#else
    return static_cast<int>(getpid());
#endif
}

/// Creates a file that does not exist yet; does not follow links. Null with errno otherwise. `permissions`:
/// limited by the umask.
std::FILE* create_file(const std::filesystem::path& path, [[maybe_unused]] unsigned permissions) {
#if defined(_WIN32)
    const int handle =
        _wopen(path.c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    if (handle < 0) return nullptr;
    std::FILE* const file = _fdopen(handle, "wb");
    if (file == nullptr) _close(handle);  // the memory is exhausted
    return file;
#else
    const int handle = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
    if (handle < 0) return nullptr;
    std::FILE* const file = fdopen(handle, "wb");
    if (file != nullptr) return file;
    const int code = errno;  // the memory is exhausted
    close(handle);
    unlink(path.c_str());
    errno = code;
    return nullptr;
#endif
}

/// A private file stays private when it is replaced.
unsigned permissions_for([[maybe_unused]] const std::filesystem::path& target) {
    constexpr unsigned kDefault = 0666;
#if defined(_WIN32)
    return kDefault;
#else
    struct stat existing {};
    return stat(target.c_str(), &existing) == 0 ? existing.st_mode & 0777u : kDefault;
#endif
}

/// Restores the permissions that the umask has removed: a file that a group may write stays so.
void keep_permissions([[maybe_unused]] std::FILE* file,
                      [[maybe_unused]] const std::filesystem::path& target) {
#if !defined(_WIN32)
    struct stat existing {};
    if (stat(target.c_str(), &existing) != 0) return;
    [[maybe_unused]] const int changed = fchmod(fileno(file), existing.st_mode & 0777u);
#endif
}

/// Without this, a power cut after the rename could leave an empty file.
bool sync_file([[maybe_unused]] std::FILE* file) {
#if defined(_WIN32)
    return true;
#else
    return fsync(fileno(file)) == 0;
#endif
}

/// Makes the rename itself permanent. Some file systems cannot do it; the content is safe anyway.
void sync_folder([[maybe_unused]] const std::filesystem::path& file) {
#if !defined(_WIN32)
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0) return;
    [[maybe_unused]] const int synced = fsync(handle);
    close(handle);
#endif
}

/// Allocates nothing.
void remove_file(const std::filesystem::path& path) {
#if defined(_WIN32)
    _wremove(path.c_str());
#else
    unlink(path.c_str());
#endif
}

/// Renames a file unless the target exists. Returns 0 or errno.
int rename_to_new(const std::filesystem::path& from, const std::filesystem::path& to) {
#if defined(_WIN32)
    return _wrename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
#else
    if (link(from.c_str(), to.c_str()) == 0) {
        remove_file(from);
        return 0;
    }
    const int code = errno;
    const bool no_links = code == EPERM || code == ENOSYS || code == EOPNOTSUPP || code == EMLINK;
    if (!no_links) return code;
    // On file systems such as FAT another program may take the name between these two calls.
    struct stat existing {};
    if (lstat(to.c_str(), &existing) == 0) return EEXIST;
    return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
#endif
}

/// Writers with a temporary file. Recordings and saves in the background write at the same time.
std::mutex writers_mutex;
FileWriter* first_writer = nullptr;

}  // namespace

void FileWriter::enlist() {
    const std::lock_guard lock(writers_mutex);
    next_ = first_writer;
    first_writer = this;
}

void FileWriter::delist() {
    const std::lock_guard lock(writers_mutex);
    for (FileWriter** at = &first_writer; *at != nullptr; at = &(*at)->next_) {
        if (*at != this) continue;
        *at = next_;
        return;
    }
}

void FileWriter::remove_all_temporaries() noexcept {
    // Without the lock a writer is about to change the list: then its file stays.
    const std::unique_lock lock(writers_mutex, std::try_to_lock);
    if (!lock.owns_lock()) return;
    for (const FileWriter* writer = first_writer; writer != nullptr; writer = writer->next_)
        remove_file(writer->temporary_);
}

FileWriter::~FileWriter() {
    if (file_ != nullptr) std::fclose(file_);
    remove_temporary();
}

void FileWriter::fail(int code) {
    if (code_ == 0) code_ = code != 0 ? code : EIO;
}

std::string FileWriter::reason() const {
    const std::string text = std::generic_category().message(code_);
    if (code_ == ENOENT) return "its folder does not exist";
    if (code_ == EACCES || code_ == EPERM || code_ == EROFS)
        return "expected a folder that you may write to (" + text + ")";
    return text;
}

void FileWriter::remove_temporary() {
    std::error_code ignored;
    if (temporary_.empty()) return;
    std::filesystem::remove(temporary_, ignored);
    delist();
    temporary_.clear();
}

/// The name is new, so neither a leftover nor a planted link is ever written to. `temporary_` never names a
/// file of somebody else, not even while memory is exhausted here: the destructor removes what it names.
void FileWriter::create_temporary() {
    constexpr int kAttempts = 100;
    const unsigned permissions = permissions_for(target_);
    for (int attempt = 1; attempt <= kAttempts; ++attempt) {
        std::filesystem::path name = target_;
        name += ".new" + std::to_string(process_number()) + "-" + std::to_string(attempt);
        errno = 0;
        file_ = create_file(name, permissions);
        if (file_ != nullptr) {
            temporary_ = std::move(name);
            enlist();
            return keep_permissions(file_, target_);
        }
        if (errno != EEXIST) break;
    }
    fail(errno);
}

bool FileWriter::open(const std::filesystem::path& target, std::string& error) {
    std::error_code code;
    target_ = target;
    const std::filesystem::file_status status = std::filesystem::status(target, code);
    const auto refuse = [&](const std::string& why) {
        error = "cannot write '" + text_of(target) + "': " + why;
        return false;
    };
    if (std::filesystem::is_directory(status)) return refuse("it is a folder, not a file");
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        // Replacing /dev/null by a file would break the system.
        file_ = open_file(target, "wb");
        if (file_ == nullptr) fail(errno);
    } else {
        const bool link = std::filesystem::is_symlink(std::filesystem::symlink_status(target, code));
        if (link) target_ = std::filesystem::canonical(target, code);
        if (link && code) return refuse("it is a link to a file that does not exist");
        create_temporary();
    }
    return file_ != nullptr || refuse(reason());
}

void FileWriter::append(std::string_view content) {
    if (file_ == nullptr || code_ != 0) return;
    errno = 0;
    if (std::fwrite(content.data(), 1, content.size(), file_) != content.size()) fail(errno);
}

void FileWriter::close_file() {
    errno = 0;
    std::FILE* const file = std::exchange(file_, nullptr);
    if (file == nullptr) return fail(EBADF);
    if (std::fflush(file) != 0) fail(errno);
    if (code_ == 0 && !temporary_.empty() && !sync_file(file)) fail(errno);
    if (std::fclose(file) != 0) fail(errno);
}

/// After the rename.
bool FileWriter::finish(std::string& error) {
    if (code_ != 0) {
        error = "cannot write '" + text_of(target_) + "': " + reason();
        remove_temporary();
        return false;
    }
    if (temporary_.empty()) return true;
    delist();
    sync_folder(target_);
    temporary_.clear();
    return true;
}

bool FileWriter::commit(std::string& error) {
    close_file();
    std::error_code code;
    if (code_ == 0 && !temporary_.empty()) {
        std::filesystem::rename(temporary_, target_, code);
        if (code) fail(code.value());
    }
    return finish(error);
}

bool FileWriter::commit_as_new(std::string& error) {
    bool taken = false;
    return commit_as_new(error, taken);
}

bool FileWriter::commit_as_new(std::string& error, bool& taken) {
    close_file();
    const int code = code_ == 0 && !temporary_.empty() ? rename_to_new(temporary_, target_) : 0;
    if (code != 0) fail(code);
    taken = code == EEXIST;
    return finish(error);
}

bool write_file_atomically(const std::filesystem::path& path, std::string_view content, std::string& error) {
    FileWriter writer;
    if (!writer.open(path, error)) return false;
    writer.append(content);
    return writer.commit(error);
}

bool write_new_file(const std::filesystem::path& folder, const std::string& start, const std::string& ending,
                    const WriteTo& write, std::filesystem::path& path, std::string& error) {
    constexpr int kMaxNumber = 1'000'000;
    for (int number = 1; number <= kMaxNumber; ++number) {
        std::string name = start;
        name += std::to_string(number);
        name += ending;
        path = folder / path_of(name);
        std::error_code ignored;
        if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) continue;
        FileWriter file;
        bool taken = false;
        if (!file.open(path, error) || !write(file, error)) return false;
        if (file.commit_as_new(error, taken)) return true;
        if (!taken) return false;
    }
    error = "cannot write '" + text_of(path) + "': a million files with this name exist";
    return false;
}

}  // namespace claybox::engine
