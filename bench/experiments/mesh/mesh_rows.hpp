#pragma once
// Rows of the experiment `mesh`: contact/SHAPE/TRIANGLES, moving/SHAPE/TRIANGLES, slow/SHAPE/TRIANGLES,
// contact/file/NAME, threshold/SHAPE/POLYGONS, deform/TRIANGLES/MOVED.

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
    std::uint32_t triangles = 0;  ///< polygons in a threshold row
    std::uint32_t moved = 0;      ///< vertices moved per frame, in a deform row
    std::string file;             ///< file name without the extension

    std::string name() const;  ///< "contact/torus/1000"
    friend bool operator==(const MeshRow&, const MeshRow&) = default;
};

inline constexpr const char* kMeshRows =
    "contact/SHAPE[/TRIANGLES], moving/SHAPE[/TRIANGLES] or slow/SHAPE[/TRIANGLES]: torus, flake or sphere, "
    "50 to 1000000 triangles; contact/file/NAME: a mesh from the folder of --meshes with at least 150 "
    "triangles, against itself; threshold/SHAPE[/POLYGONS]: box_tree against edge_polygon on few polygons; "
    "deform/TRIANGLES[/MOVED]: a sphere of which MOVED vertices move per frame; * or nothing for all default "
    "rows";

/// 0.5 % of a sphere's vertices.
std::uint32_t default_moved(std::uint32_t triangles);

/// The rows that match the patterns, in order, each once. Without patterns: all default rows, fewer if
/// `quick`. `files`: names of the loaded meshes. An invalid pattern is an error.
collision::Result<std::vector<MeshRow>> mesh_rows(const std::vector<std::string>& patterns,
                                                  const std::vector<std::string>& files, bool quick);

}  // namespace claybox::bench
