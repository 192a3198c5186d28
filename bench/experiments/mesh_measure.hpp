#pragma once
// One row of the comparison of mesh algorithms.

#include "bench/experiments/measure.hpp"
#include "bench/experiments/mesh_rows.hpp"

namespace claybox::bench {

struct MeshEffort : Effort {
    std::uint32_t contacts = 256;                ///< queries of a contact row
    std::uint32_t bodies = 8, frames = 61;       ///< of a moving row
    std::uint32_t dents = 61, dent_repeats = 3;  ///< frames of a deforming row, and how often it is played
    double dent_seconds = 6;                     ///< of one contestant, roughly; a slow one sees fewer frames
};

struct MeshRowResult : StreamResult {
    MeshRow row;
    std::uint64_t triangles = 0, polygons = 0;  ///< of a mesh, as made
};

/// The mesh of a row that is not about files. Those of threshold rows are the start shapes, whose polygons
/// are not all triangles.
collision::Result<collision::ShapePtr> make_mesh(const MeshRow& row);

/// The recorded queries of a contact or moving row about this mesh.
collision::Result<streams::JudgedStream> record_mesh_row(const MeshRow& row, const collision::ShapePtr& mesh,
                                                         const MeshEffort& effort);

struct DentResult {
    const DeformingEntry* entry = nullptr;
    double build_ms = 0;                               ///< median of the repeats
    double update_ms = 0, query_ms = 0, frame_ms = 0;  ///< medians over the frames, and of their sums
    std::uint64_t frames = 0;                          ///< timed
    std::uint64_t asked = 0, wrong = 0;                ///< parts
};

struct DentRowResult {
    MeshRow row;
    std::uint64_t triangles = 0, meeting = 0;  ///< of all parts of all frames
    std::vector<DentResult> results;
};

collision::Result<DentRowResult> measure_dents(const MeshRow& row, const std::vector<DeformingEntry>& entries,
                                               const MeshEffort& effort);

}  // namespace claybox::bench
