#pragma once
// The program's data files: folder assets/ of the project. See assets/README.md.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace claybox::engine {

/// Larger assets are refused. Meshes and recordings have readers with limits of their own.
inline constexpr std::uint64_t kMaxAssetBytes = 1 << 20;

/// The folder in the environment variable CLAYBOX_ASSETS, if it is set. Otherwise `assets` next to the
/// program (build tree) or ../share/claybox/assets (installed). Empty without such a folder.
std::filesystem::path asset_folder();

/// Path of an existing asset, for example "meshes/ring.obj". Empty if there is none, or if the name leaves
/// the folder.
std::filesystem::path find_asset(std::string_view name);

/// Reads a whole asset. Returns false with one sentence in `error`: the file or the folders searched, and
/// what to do. Without an asset folder the sentence is the same for every name.
bool read_asset(std::string_view name, std::string& content, std::string& error);

/// Prints a problem with an asset on standard error, each text once. Main thread only.
void report_asset_problem(const std::string& problem);
/// The problems so far, oldest first.
const std::vector<std::string>& asset_problems();

}  // namespace claybox::engine
