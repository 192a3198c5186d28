#include "app/cli/files/input_file.hpp"

#include "engine/files/assets.hpp"
#include "engine/files/path_text.hpp"

#include <string_view>

namespace claybox::app {

std::filesystem::path input_file(const std::string& name) {
    constexpr std::string_view kFolder = "assets/";
    const std::filesystem::path path = engine::path_of(name);
    std::error_code code;
    if (!name.starts_with(kFolder) || std::filesystem::exists(path, code)) return path;
    const std::filesystem::path asset = engine::find_asset(std::string_view(name).substr(kFolder.size()));
    return asset.empty() ? path : asset;
}

}  // namespace claybox::app
