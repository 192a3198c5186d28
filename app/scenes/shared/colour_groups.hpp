#pragma once
// Interest groups by the colour of the bodies.

#include "app/scenes/scene.hpp"

namespace claybox::app {

/// Group i holds the bodies of colour i; `bodies` are their numbers. Groups without bodies are left out.
inline std::vector<SceneGroup> colour_groups(const std::array<std::size_t, kPaletteSize>& bodies) {
    // Of assets/materials/materials.txt.
    static constexpr const char* kNames[kPaletteSize] = {"Apricot", "Sage",  "Sky",   "Sand",
                                                         "Plum",    "Olive", "Slate", "Rose"};
    std::vector<SceneGroup> out;
    for (std::size_t i = 0; i < kPaletteSize; ++i)
        if (bodies[i] > 0)
            out.push_back({static_cast<unsigned>(i), kNames[i], static_cast<int>(i), bodies[i]});
    return out;
}

}  // namespace claybox::app
