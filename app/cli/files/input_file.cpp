#include "app/cli/files/input_file.hpp"

#include "engine/files/assets.hpp"

#include <string_view>

namespace claybox::app {

std::filesystem::path input_file(const std::string& name) {
    constexpr std::string_view kFolder = "assets/";
    std::error_code code;
    if (!name.starts_with(kFolder) || std::filesystem::exists(name, code)) return name;
    const std::filesystem::path asset = engine::find_asset(std::string_view(name).substr(kFolder.size()));
    return asset.empty() ? std::filesystem::path(name) : asset;
}

}  // namespace claybox::app
