#include "engine/assets/gltf/gltf_file.hpp"

#include "engine/assets/gltf/gltf_uri.hpp"
#include "engine/assets/readers.hpp"
#include "engine/assets/text_lines.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace claybox::engine {

using nlohmann::json;

namespace {

/// A value takes up to about 100 bytes in memory, also one that is two bytes in the file.
constexpr std::size_t kMaxValues = 2'000'000;
constexpr int kMaxLevels = 64;

std::uint32_t little_endian(const char* p, std::size_t size) {
    std::uint32_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(p[i]);
    return value;
}

std::size_t component_bytes(std::size_t component) {
    return component == 5121 ? 1 : component == 5123 ? 2 : 4;
}

json parse_bounded(std::string_view text, bool has_lines) {
    std::size_t values = 0;
    const auto count = [&](int depth, json::parse_event_t, json&) {
        if (++values > kMaxValues)
            throw GltfProblem("the JSON has too many values, expected at most " + std::to_string(kMaxValues));
        if (depth > kMaxLevels)
            throw GltfProblem("the JSON is nested too deeply, expected at most " +
                              std::to_string(kMaxLevels) + " levels");
        return true;
    };
    try {
        return json::parse(text.begin(), text.end(), count);
    } catch (const json::parse_error& e) {
        const std::size_t at = std::min(e.byte, text.size());
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        throw GltfProblem("byte " + std::to_string(e.byte) + " of the JSON is not valid, expected glTF 2.0",
                          has_lines ? static_cast<std::uint64_t>(line) : 0);
    } catch (const json::exception&) {
        throw GltfProblem("the JSON has a number out of range, expected glTF 2.0");
    }
}

void check_version(const json& file) {
    const auto asset = file.find("asset");
    const bool named = asset != file.end() && asset->is_object() && asset->contains("version") &&
                       asset->at("version").is_string();
    if (!named) throw GltfProblem("has no asset with a version, expected glTF 2.0");
    const auto& version = asset->at("version").get_ref<const std::string&>();
    if (!version.starts_with("2."))
        throw GltfProblem("is glTF " + in_quotes(version) + ", expected glTF 2.0");
}

/// Materials and lights do not change the shape. Every other required extension might, like a compression.
void check_extensions(const json& file) {
    for (const json& name : array_member(file, "extensionsRequired", "the file")) {
        const std::string text = name.is_string() ? name.get<std::string>() : name.dump();
        const auto harmless = {"KHR_materials_", "KHR_texture_", "KHR_lights_", "EXT_texture_",
                               "MSFT_texture_"};
        if (std::none_of(harmless.begin(), harmless.end(),
                         [&](const char* s) { return text.starts_with(s); }))
            throw GltfProblem("needs the extension " + in_quotes(text) +
                              ", expected a file without it and without compression");
    }
}

}  // namespace

const json& checked_object(const json& value, const std::string& where) {
    if (!value.is_object()) throw GltfProblem(where + " is not an object");
    return value;
}

const json& array_member(const json& object, const char* name, std::string_view where) {
    static const json none = json::array();
    const auto found = object.find(name);
    if (found == object.end()) return none;
    if (!found->is_array()) throw GltfProblem(std::string(where) + ": '" + name + "' is not an array");
    return *found;
}

std::optional<std::size_t> whole_member(const json& object, const char* name, const std::string& where) {
    const auto found = object.find(name);
    if (found == object.end()) return std::nullopt;
    const double value = found->is_number() ? found->get<double>() : -1;
    if (!(value >= 0 && value < 0x1p32 && value == std::floor(value)))
        throw GltfProblem(
            where + ": '" + name + "' is " +
            (found->is_number() ? found->dump() : std::string("of type ") + found->type_name()) +
            ", expected a whole number from 0");
    return static_cast<std::size_t>(value);
}

std::optional<std::size_t> index_member(const json& object, const char* name, std::size_t count,
                                        const std::string& where) {
    const auto value = whole_member(object, name, where);
    if (value && *value >= count)
        throw GltfProblem(where + ": '" + name + "' is " + std::to_string(*value) + ", expected one of " +
                          std::to_string(count));
    return value;
}

std::uint32_t GltfArray::whole(std::size_t i) const {
    return little_endian(first + i * stride, component_bytes(component));
}

float GltfArray::real(std::size_t i, std::size_t component_number) const {
    return std::bit_cast<float>(little_endian(first + i * stride + 4 * component_number, 4));
}

GltfFile::GltfFile(std::string bytes, const std::filesystem::path& folder) : bytes_(std::move(bytes)) {
    if (bytes_.starts_with("glTF")) {
        take_glb();
    } else {
        std::string_view text = bytes_;
        if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
        json_ = parse_bounded(text, true);
        bytes_ = {};  // a large file would be in memory twice
    }
    checked_object(json_, "the file");
    check_version(json_);
    check_extensions(json_);
    read_buffers(folder);
}

/// Container: 12 bytes of header, a chunk of JSON, and at most one chunk of bytes that counts.
void GltfFile::take_glb() {
    std::string_view rest = bytes_;
    const auto need = [&](std::size_t size, const char* what) {
        if (rest.size() < size)
            throw GltfProblem("the file ends after " + std::to_string(bytes_.size()) + " bytes, expected " +
                              what);
    };
    need(12, "a header of 12 bytes");
    const std::uint32_t version = little_endian(rest.data() + 4, 4),
                        length = little_endian(rest.data() + 8, 4);
    if (version != 2) throw GltfProblem("is GLB version " + std::to_string(version) + ", expected 2");
    if (length < 12 || length > bytes_.size())
        throw GltfProblem("declares " + std::to_string(length) + " bytes but has " +
                          std::to_string(bytes_.size()));
    rest = rest.substr(12, length - 12);
    for (int chunk = 0; !rest.empty(); ++chunk) {
        need(8, "a chunk with a header of 8 bytes");
        const std::uint32_t size = little_endian(rest.data(), 4), type = little_endian(rest.data() + 4, 4);
        rest.remove_prefix(8);
        need(size, "all bytes of its chunks");
        const std::string_view content = rest.substr(0, size);
        rest.remove_prefix(size);
        if ((chunk == 0) != (type == 0x4e4f534a))
            throw GltfProblem("chunk " + std::to_string(chunk + 1) +
                              " has a wrong type, expected JSON first and once");
        if (chunk == 0) json_ = parse_bounded(content, false);
        if (chunk == 1 && type == 0x004e4942) {
            binary_ = content;
            has_binary_ = true;
        }
    }
    if (json_.is_null()) throw GltfProblem("has no chunk, expected JSON");
}

std::string_view GltfFile::buffer_from(std::string& uri, const std::filesystem::path& folder,
                                       const std::string& name, std::size_t& budget) {
    std::string content =
        uri.starts_with("data:") ? decoded_data_uri(uri, name) : external_buffer(uri, folder, name);
    uri = {};
    if (content.size() > budget)
        throw GltfProblem("the buffers have too many bytes, expected at most " +
                          std::to_string(kMaxMeshFileBytes));
    budget -= content.size();
    owned_.push_back(std::move(content));
    return owned_.back();
}

void GltfFile::read_buffers(const std::filesystem::path& folder) {
    array_member(json_, "buffers", "the file");
    if (!json_.contains("buffers")) return;
    std::size_t budget = kMaxMeshFileBytes;
    for (json& buffer : json_["buffers"]) {
        const std::string name = "buffer " + std::to_string(buffers_.size());
        checked_object(buffer, name);
        const auto uri = buffer.find("uri");
        if (uri != buffer.end() && !uri->is_string()) throw GltfProblem(name + ": its 'uri' is not a text");
        if (uri == buffer.end() && !(buffers_.empty() && has_binary_))
            throw GltfProblem(name + " has no 'uri', expected one or the binary chunk of a .glb file");
        const std::string_view content =
            uri == buffer.end() ? binary_ : buffer_from(uri->get_ref<std::string&>(), folder, name, budget);
        const std::size_t length = whole_member(buffer, "byteLength", name).value_or(0);
        if (length > content.size())
            throw GltfProblem(name + " has " + std::to_string(content.size()) + " bytes, expected " +
                              std::to_string(length));
        buffers_.push_back(content.substr(0, length));
    }
}

GltfArray GltfFile::array(std::size_t accessor, std::string_view type, std::size_t components) const {
    const std::string name = "accessor " + std::to_string(accessor);
    const json& a = checked_object(array_member(json_, "accessors", "the file").at(accessor), name);
    const json& views = array_member(json_, "bufferViews", "the file");
    if (a.contains("sparse")) throw GltfProblem(name + " is sparse, expected a plain one");
    const auto found = a.find("type");
    if (found == a.end() || !found->is_string() || found->get_ref<const std::string&>() != type)
        throw GltfProblem(name + ": expected the type " + std::string(type));
    const auto view = index_member(a, "bufferView", views.size(), name);
    if (!view) throw GltfProblem(name + " has no 'bufferView'");
    const std::string view_name = "buffer view " + std::to_string(*view);
    const json& v = checked_object(views[*view], view_name);
    const auto buffer = index_member(v, "buffer", buffers_.size(), view_name);
    if (!buffer) throw GltfProblem(view_name + " has no 'buffer'");
    const std::string_view bytes = buffers_[*buffer];
    const std::size_t view_offset = whole_member(v, "byteOffset", view_name).value_or(0),
                      view_length = whole_member(v, "byteLength", view_name).value_or(0);
    if (view_offset > bytes.size() || view_length > bytes.size() - view_offset)
        throw GltfProblem(view_name + " ends beyond its buffer, which has " + std::to_string(bytes.size()) +
                          " bytes");
    GltfArray out;
    out.component = static_cast<std::uint32_t>(whole_member(a, "componentType", name).value_or(0));
    out.count = whole_member(a, "count", name).value_or(0);
    const std::size_t size = components * component_bytes(out.component),
                      offset = whole_member(a, "byteOffset", name).value_or(0);
    out.stride = whole_member(v, "byteStride", view_name).value_or(size);
    if (out.stride < size || out.stride > 252)
        throw GltfProblem(view_name + ": 'byteStride' is " + std::to_string(out.stride) + ", expected " +
                          std::to_string(size) + " to 252");
    // Numbers are below 2^32 and the stride is small, so nothing overflows 64 bits.
    if (out.count == 0 || offset + out.stride * (out.count - 1) + size > view_length)
        throw GltfProblem(name + " has " + std::to_string(out.count) +
                          " elements, expected 1 or more within the " + std::to_string(view_length) +
                          " bytes of its buffer view");
    out.first = bytes.data() + view_offset + offset;
    return out;
}

GltfArray GltfFile::positions(std::size_t accessor) const {
    const GltfArray out = array(accessor, "VEC3", 3);
    if (out.component != 5126)
        throw GltfProblem("accessor " + std::to_string(accessor) + " has positions of type " +
                          std::to_string(out.component) + ", expected floats (5126)");
    return out;
}

GltfArray GltfFile::indices(std::size_t accessor) const {
    const GltfArray out = array(accessor, "SCALAR", 1);
    if (out.component != 5121 && out.component != 5123 && out.component != 5125)
        throw GltfProblem("accessor " + std::to_string(accessor) + " has indices of type " +
                          std::to_string(out.component) + ", expected unsigned bytes, shorts or ints");
    return out;
}

}  // namespace claybox::engine
