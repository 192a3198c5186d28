#include "engine/files/assets.hpp"

#include "engine/files/path_text.hpp"
#include "engine/files/paths.hpp"
#include "engine/files/printable_line.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <system_error>

namespace claybox::engine {

namespace {

constexpr const char* kVariable = "CLAYBOX_ASSETS";

std::vector<std::filesystem::path> searched_folders() {
    const std::filesystem::path chosen = path_in_variable(kVariable);
    if (!chosen.empty()) return {chosen};
    const std::filesystem::path program = program_folder();
    if (program.empty()) return {};
    return {program / "assets", (program / "../share/claybox/assets").lexically_normal()};
}

bool stays_inside(const std::filesystem::path& name) {
    return !name.empty() && name.is_relative() && !name.has_root_path() &&
           std::none_of(name.begin(), name.end(), [](const auto& part) { return part == ".."; });
}

std::string no_folder() {
    std::string places;
    for (const std::filesystem::path& folder : searched_folders())
        places += (places.empty() ? "" : " and ") + text_of(folder);
    return "the assets folder was not found, searched " + (places.empty() ? "nothing" : places) + "; set " +
           kVariable + " to the folder 'assets' of the project or install the program again";
}

std::string cannot_read(const std::filesystem::path& file, const std::string& reason) {
    return text_of(file) + ": " + reason + "; install the program again or set " + kVariable +
           " to a complete assets folder";
}

std::vector<std::string>& problems() {
    static std::vector<std::string> list;
    return list;
}

}  // namespace

std::filesystem::path asset_folder() {
    std::error_code code;
    for (const std::filesystem::path& folder : searched_folders())
        if (std::filesystem::is_directory(folder, code)) return folder;
    return {};
}

std::filesystem::path find_asset(std::string_view name) {
    const std::filesystem::path folder = asset_folder();
    const std::filesystem::path inside = path_of(name);
    if (folder.empty() || !stays_inside(inside)) return {};
    std::error_code code;
    const std::filesystem::path file = folder / inside;
    return std::filesystem::is_regular_file(file, code) ? file : std::filesystem::path();
}

bool read_asset(std::string_view name, std::string& content, std::string& error) {
    content.clear();
    const std::filesystem::path inside = path_of(name);
    if (!stays_inside(inside)) {
        error = "'" + std::string(name) + "' is not an asset, expected a name inside the assets folder";
        return false;
    }
    const std::filesystem::path folder = asset_folder();
    if (folder.empty()) {
        error = no_folder();
        return false;
    }
    const std::filesystem::path file = folder / inside;
    std::error_code code;
    // Opening something else than a file could block.
    if (!std::filesystem::is_regular_file(file, code)) {
        error = cannot_read(file, "the asset is missing");
        return false;
    }
    const std::uintmax_t size = std::filesystem::file_size(file, code);
    if (!code && size > kMaxAssetBytes) {
        error = cannot_read(file, "the asset has " + std::to_string(size) + " bytes, expected at most " +
                                      std::to_string(kMaxAssetBytes));
        return false;
    }
    std::ifstream in(file, std::ios::binary);
    if (code || !in) {
        error = cannot_read(file, "the asset cannot be read");
        return false;
    }
    content.resize(static_cast<std::size_t>(size));
    in.read(content.data(), static_cast<std::streamsize>(size));
    content.resize(static_cast<std::size_t>(in.gcount()));
    return true;
}

void report_asset_problem(const std::string& text) {
    const std::string problem = printable_line(text);
    std::vector<std::string>& known = problems();
    if (std::find(known.begin(), known.end(), problem) != known.end()) return;
    known.push_back(problem);
    std::fprintf(stderr, "claybox: %s\n", problem.c_str());
}

const std::vector<std::string>& asset_problems() {
    return problems();
}

}  // namespace claybox::engine
