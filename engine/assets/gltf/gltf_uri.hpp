#pragma once
// Where a glTF file keeps the bytes of a buffer: inside of the JSON as text, or in a file beside it. Problems
// throw GltfProblem; `name` is the buffer's name in messages.

#include <filesystem>
#include <string>
#include <string_view>

namespace claybox::engine {

/// Decodes "data:...;base64,...".
std::string decoded_data_uri(std::string_view uri, const std::string& name);

/// Reads a file in `folder` or below, also if links would lead out of it. An empty `folder` has no files.
std::string external_buffer(std::string_view uri, const std::filesystem::path& folder,
                            const std::string& name);

}  // namespace claybox::engine
