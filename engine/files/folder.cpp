#include "engine/files/folder.hpp"

#include <cerrno>
#include <memory>
#include <new>
#include <string_view>

#if defined(_WIN32)
#include <system_error>
#else
#include <dirent.h>
#endif

namespace claybox::engine {

#if defined(_WIN32)

std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> out;
    std::error_code code;
    std::filesystem::directory_iterator entry(folder, code), end;
    for (; !code && entry != end; entry.increment(code)) out.push_back(entry->path());
    return out;
}

#else

namespace {

struct CloseFolder {
    void operator()(DIR* folder) const { closedir(folder); }
};

}  // namespace

std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> out;
    const std::unique_ptr<DIR, CloseFolder> open(opendir(folder.c_str()));
    if (!open && errno == ENOMEM) throw std::bad_alloc();
    if (!open) return out;
    while (const dirent* entry = readdir(open.get())) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") out.push_back(folder / name);
    }
    return out;
}

#endif

}  // namespace claybox::engine
