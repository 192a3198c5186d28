#include "engine/assets/gltf/gltf_uri.hpp"

#include "engine/assets/gltf/gltf_file.hpp"
#include "engine/assets/readers.hpp"
#include "engine/assets/text_lines.hpp"
#include "engine/files/path_text.hpp"

#include <algorithm>
#include <array>
#include <system_error>

namespace claybox::engine {

namespace {

/// Value of each letter of base64; 255 for all other bytes.
constexpr std::array<unsigned char, 256> kBase64 = [] {
    std::array<unsigned char, 256> out{};
    out.fill(255);
    constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < kLetters.size(); ++i)
        out[static_cast<unsigned char>(kLetters[i])] = static_cast<unsigned char>(i);
    return out;
}();

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// "my%20pot.bin" is "my pot.bin".
std::string without_percents(std::string_view uri, const std::string& name) {
    std::string out;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        if (uri[i] != '%') {
            out += uri[i];
            continue;
        }
        const int high = i + 2 < uri.size() ? hex_digit(uri[i + 1]) : -1,
                  low = i + 2 < uri.size() ? hex_digit(uri[i + 2]) : -1;
        if (high < 0 || low < 0)
            throw GltfProblem(name + ": " + in_quotes(uri) +
                              " has a percent sign without two hexadecimal digits");
        out += static_cast<char>(16 * high + low);
        i += 2;
    }
    return out;
}

/// Whether `file` is in `folder` or below. Both are free of links.
bool is_below(const std::filesystem::path& file, const std::filesystem::path& folder) {
    const auto [end, unused] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    return end == folder.end();
}

}  // namespace

std::string decoded_data_uri(std::string_view uri, const std::string& name) {
    const std::size_t comma = uri.find(',');
    if (comma == std::string_view::npos || !uri.substr(0, comma).ends_with(";base64"))
        throw GltfProblem(name + ": found " + in_quotes(uri.substr(0, comma)) +
                          ", expected data:...;base64,...");
    std::string_view text = uri.substr(comma + 1);
    for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
    std::string out;
    out.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    int held = 0;
    for (const char c : text) {
        const unsigned char value = kBase64[static_cast<unsigned char>(c)];
        if (value == 255)
            throw GltfProblem(name + ": found " + in_quotes({&c, 1}) + " in its data, expected base64");
        bits = bits << 6 | value;
        held += 6;
        if (held < 8) continue;
        held -= 8;
        out += static_cast<char>(bits >> held & 0xff);
    }
    if (held >= 6) throw GltfProblem(name + ": its base64 data is cut off");
    return out;
}

std::string external_buffer(std::string_view uri, const std::filesystem::path& folder,
                            const std::string& name) {
    const std::string text = without_percents(uri, name);
    const auto refuse = [&](const std::string& why) {
        return GltfProblem(name + ": the file " + in_quotes(text) + " " + why);
    };
    if (folder.empty() || text.empty()) throw refuse("is not read, expected the data in the file itself");
    const std::filesystem::path relative = path_of(text);
    const bool leaves = relative.is_absolute() || relative.has_root_path() ||
                        text.find('\0') != std::string::npos || text.find('\\') != std::string::npos ||
                        text.find(':') != std::string::npos ||
                        std::find(relative.begin(), relative.end(), "..") != relative.end();
    if (leaves) throw refuse("leaves the folder, expected a file beside it");
    std::error_code code;
    const std::filesystem::path base = std::filesystem::canonical(folder, code),
                                file = std::filesystem::canonical(base / relative, code);
    if (code) throw refuse("does not exist");
    if (!is_below(file, base)) throw refuse("leaves the folder, expected a file beside it");
    std::string bytes;
    FileError problem;
    if (!load_bytes(file, bytes, problem)) throw refuse(problem.message);
    return bytes;
}

}  // namespace claybox::engine
