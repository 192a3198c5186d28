#pragma once
// The rows of the comparison of mesh algorithms: contact/SHAPE/TRIANGLES, moving/SHAPE/TRIANGLES,
// slow/SHAPE/TRIANGLES, contact/file/NAME, threshold/SHAPE/POLYGONS, deform/TRIANGLES/MOVED.

#include "collision/core/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace claybox::bench {

enum class MeshPart : unsigned char { contact, moving, slow, threshold, deform };
enum class MeshShape : unsigned char { torus, flake, sphere, file };

struct MeshRow {
    MeshPart part = MeshPart::contact;
    MeshShape shape = MeshShape::torus;
    std::uint32_t triangles = 0;  ///< polygons of a threshold row
    std::uint32_t moved = 0;      ///< vertices a frame, of a deforming sphere
    std::string file;             ///< its name without the ending

    std::string name() const;  ///< "contact/torus/1000"
    friend bool operator==(const MeshRow&, const MeshRow&) = default;
};

inline constexpr const char* kMeshRows =
    "contact/SHAPE[/TRIANGLES], moving/SHAPE[/TRIANGLES] or slow/SHAPE[/TRIANGLES]: torus, flake or sphere, "
    "50 to 1000000 "
    "triangles; "
    "contact/file/NAME: a mesh of --meshes, of 150 triangles or more, against itself; "
    "threshold/SHAPE[/POLYGONS]: box_tree against "
    "edge_polygon on few polygons; deform/TRIANGLES[/MOVED]: a sphere of which so "
    "many "
    "vertices move a frame; * or nothing for all of the default rows";

/// 0.5 % of a sphere's vertices.
std::uint32_t default_moved(std::uint32_t triangles);

/// The rows that the patterns name, in order and without repeats; all default rows for no pattern, few when
/// `quick`. `files`: names of the meshes that are there.
collision::Result<std::vector<MeshRow>> mesh_rows(const std::vector<std::string>& patterns,
                                                  const std::vector<std::string>& files, bool quick);

}  // namespace claybox::bench
