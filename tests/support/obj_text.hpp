#pragma once
// Reads the simple OBJ files of the ground truth: only `v x y z` and `f i j k ...` with positive indices.

#include "collision/geometry/polyhedron.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace claybox::test {

inline collision::PolygonList read_obj(const std::filesystem::path& file) {
    collision::PolygonList out;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string key;
        words >> key;
        if (key == "v") {
            double x = 0, y = 0, z = 0;
            words >> x >> y >> z;
            out.positions.push_back(collision::cast<float>(collision::Vec3d{x, y, z}));
        } else if (key == "f") {
            std::vector<std::uint32_t> loop;
            for (std::string corner; words >> corner;)
                loop.push_back(static_cast<std::uint32_t>(std::stoul(corner)) - 1);
            out.add_polygon(loop);
        }
    }
    return out;
}

}  // namespace claybox::test
