#pragma once
// A glTF 2.0 file taken apart: its JSON, the bytes of its buffers, and checked access to its arrays of
// numbers. Everything that is wrong throws GltfProblem; read_gltf() turns it into an error.

#include "engine/assets/mesh_file.hpp"

#include <nlohmann/json.hpp>

#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace claybox::engine {

/// One sentence with what was found and what was expected.
struct GltfProblem : std::runtime_error {
    explicit GltfProblem(const std::string& message, std::uint64_t line_number = 0)
        : std::runtime_error(message), line(line_number) {}
    std::uint64_t line;
};

/// Elements of an accessor: element i begins at first + i * stride. The bytes of all elements exist.
struct GltfArray {
    const char* first = nullptr;
    std::size_t stride = 0, count = 0;
    std::uint32_t component = 0;  ///< 5121 byte, 5123 short, 5125 int (all unsigned), 5126 float

    std::uint32_t whole(std::size_t i) const;
    float real(std::size_t i, std::size_t component_number) const;
};

class GltfFile {
  public:
    /// `folder`: of the file; empty: its buffers must be inside of the file.
    GltfFile(std::string bytes, const std::filesystem::path& folder);
    GltfFile(const GltfFile&) = delete;
    GltfFile& operator=(const GltfFile&) = delete;

    const nlohmann::json& root() const { return json_; }
    /// Positions: vectors of 3 floats.
    GltfArray positions(std::size_t accessor) const;
    /// Indices: unsigned whole numbers.
    GltfArray indices(std::size_t accessor) const;

  private:
    void take_glb();
    void read_buffers(const std::filesystem::path& folder);
    std::string_view buffer_from(std::string& uri, const std::filesystem::path& folder,
                                 const std::string& name, std::size_t& budget);
    GltfArray array(std::size_t accessor, std::string_view type, std::size_t components) const;

    std::string bytes_;
    std::string_view binary_;  ///< the binary chunk of a .glb
    bool has_binary_ = false;
    nlohmann::json json_;
    std::deque<std::string> owned_;  ///< decoded and external buffers
    std::vector<std::string_view> buffers_;
};

// Checked access to JSON. `where` names the object in messages: "node 3".

/// The member as an array; an empty one if there is none.
const nlohmann::json& array_member(const nlohmann::json& object, const char* name, std::string_view where);
/// The member as a whole number from 0 to 2^32 - 1; nothing if there is none.
std::optional<std::size_t> whole_member(const nlohmann::json& object, const char* name,
                                        const std::string& where);
/// The member as the number of one of `count` things; nothing if there is none.
std::optional<std::size_t> index_member(const nlohmann::json& object, const char* name, std::size_t count,
                                        const std::string& where);
/// Fails unless it is an object.
const nlohmann::json& checked_object(const nlohmann::json& value, const std::string& where);

}  // namespace claybox::engine
