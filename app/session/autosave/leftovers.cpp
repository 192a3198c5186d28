#include "app/session/autosave/leftovers.hpp"

#include "engine/files/folder.hpp"
#include "engine/files/path_text.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <system_error>

namespace claybox::app {

namespace {

constexpr const char* kLockEnding = ".lock";

/// "pot-1-2.ply" for it, its lock and its temporary files; empty for other names.
std::string owner_name(const std::string& name) {
    const std::size_t end = name.find(kAutosaveEnding);
    if (!name.starts_with("pot-") || end == std::string::npos) return {};
    const std::string file = name.substr(0, end + std::string(kAutosaveEnding).size());
    const std::string rest = name.substr(file.size());
    return rest.empty() || rest == kLockEnding || rest.starts_with(".new") ? file : std::string();
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
    std::vector<std::string> out;
    for (const std::filesystem::path& entry : engine::entries_of(folder))
        out.push_back(engine::text_of(entry.filename()));
    return out;
}

}  // namespace

std::filesystem::path lock_file_of(const std::filesystem::path& autosaved) {
    std::filesystem::path lock = autosaved;
    return lock += kLockEnding;
}

void Leftover::remove() {
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    lock.remove();
}

std::vector<Leftover> find_leftovers(const std::filesystem::path& folder) {
    const std::vector<std::string> names = names_in(folder);
    std::set<std::string> owners;
    for (const std::string& name : names)
        if (const std::string owner = owner_name(name); !owner.empty()) owners.insert(owner);
    std::vector<Leftover> out;
    for (const std::string& owner : owners) {
        Leftover leftover{folder / engine::path_of(owner), {}};
        if (!leftover.lock.take(lock_file_of(leftover.file))) continue;  // its owner is alive
        std::error_code code;
        for (const std::string& name : names)
            if (name.starts_with(owner + ".new"))
                std::filesystem::remove(folder / engine::path_of(name), code);
        if (std::filesystem::is_regular_file(leftover.file, code))
            out.push_back(std::move(leftover));
        else
            leftover.lock.remove();
    }
    std::stable_sort(out.begin(), out.end(), [](const Leftover& a, const Leftover& b) {
        std::error_code code;
        return std::filesystem::last_write_time(a.file, code) >
               std::filesystem::last_write_time(b.file, code);
    });
    return out;
}

}  // namespace claybox::app
