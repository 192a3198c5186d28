#pragma once
// The colours and surfaces in assets/materials/materials.txt.

#include "app/scenes/view.hpp"
#include "engine/render/render_list.hpp"

namespace claybox::app {

inline constexpr std::size_t kMaterials = static_cast<std::size_t>(Material::glazed_cream) + 1;
inline constexpr unsigned kBodyColours = 8;
inline constexpr unsigned kLevelColours = 6;

/// Colours of the file. The first ones are the inks, in the order of Ink.
enum class SceneColour : unsigned char {
    first_ink,
    paper = static_cast<unsigned char>(Ink::grid) + 1,  ///< background, for casings and borders
    collision,                                          ///< tint of colliding bodies
    glow,                                               ///< lamps and keys under a fingertip
    first_body,
    first_level = first_body + kBodyColours,
    end = first_level + kLevelColours
};

struct Materials {
    std::array<engine::MaterialData, kMaterials> material;
    /// sRGB, in the light and the dark theme.
    std::array<std::array<glm::vec3, 2>, static_cast<std::size_t>(SceneColour::end)> colour;
};

/// Parses the file. What is missing or wrong stays neutral grey and is named in `problems`, one sentence
/// each, with file and line.
Materials parse_materials(std::string_view text, const std::string& file, std::vector<std::string>& problems);

/// The materials of the program, read at the first call; problems are reported.
const Materials& materials();

}  // namespace claybox::app
