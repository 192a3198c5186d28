#pragma once
// Records and measures one row of the experiment `mesh`.

#include "bench/experiments/mesh/mesh_rows.hpp"
#include "bench/experiments/shared/measure.hpp"

namespace claybox::bench {

struct MeshEffort : Effort {
    std::uint32_t contacts = 256;                ///< queries per contact row
    std::uint32_t bodies = 8, frames = 61;       ///< per moving row
    std::uint32_t dents = 61, dent_repeats = 3;  ///< frames per deforming row, and repeats
    double dent_seconds = 6;                     ///< approximate, per contestant; slow ones get fewer frames
};

struct MeshRowResult : StreamResult {
    MeshRow row;
    std::uint64_t triangles = 0, polygons = 0;  ///< of the generated mesh
};

/// The mesh of a row without a file. Meshes of threshold rows keep polygons with more than three vertices.
collision::Result<collision::ShapePtr> make_mesh(const MeshRow& row);

/// Records the queries of a contact, moving, slow or threshold row.
collision::Result<streams::JudgedStream> record_mesh_row(const MeshRow& row, const collision::ShapePtr& mesh,
                                                         const MeshEffort& effort);

struct DentResult {
    const DeformingEntry* entry = nullptr;
    double build_ms = 0;                               ///< median of the repeats
    double update_ms = 0, query_ms = 0, frame_ms = 0;  ///< medians over the frames; frame_ms: of the sums
    double spread = 0;                                 ///< of the frames' times: see spread_of()
    std::uint64_t frames = 0;                          ///< timed
    std::uint64_t answered = 0, wrong = 0;             ///< one answer per part and frame
};

struct DentRowResult {
    MeshRow row;
    std::uint64_t triangles = 0, colliding = 0;  ///< colliding: parts, over all frames
    std::vector<DentResult> results;
};

collision::Result<DentRowResult> measure_dents(const MeshRow& row, const std::vector<DeformingEntry>& entries,
                                               const MeshEffort& effort);

}  // namespace claybox::bench
