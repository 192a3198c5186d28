#pragma once
// The comparison of mesh algorithms in words: measurements for JSON, and tables.

#include "bench/experiments/experiment.hpp"
#include "bench/experiments/mesh_measure.hpp"

namespace claybox::bench {

struct MeshRun {
    MeshEffort effort;
    std::vector<Entry> entries;                   ///< of rigid meshes, ours first
    std::vector<MeshRowResult> contacts, moving;  ///< results in the order of `entries`
    std::vector<Entry> threshold_entries;         ///< box_tree and edge_polygon, or fewer
    std::vector<MeshRowResult> thresholds;        ///< results in the order of `threshold_entries`
    std::vector<DeformingEntry> deforming;
    std::vector<DentRowResult> dents;  ///< results in the order of `deforming`
    std::vector<std::string> left_out;
    std::string without_files;  ///< why there are no rows of files; empty when there are
};

/// From how many polygons on box_tree beats edge_polygon, beside what the thesis found.
std::string summarise_thresholds(const MeshRun& run);

/// The aim: how many times faster than the fastest library mesh_bvh is to be; 0 when there is none.
double mesh_target(const MeshRow& row);

ExperimentReport report_mesh(const MeshRun& run);

}  // namespace claybox::bench
