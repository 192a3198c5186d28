#pragma once
// Report of the experiment `mesh`: measurements for JSON, and tables.

#include "bench/experiments/experiment.hpp"
#include "bench/experiments/mesh/mesh_measure.hpp"

namespace claybox::bench {

struct MeshRun {
    MeshEffort effort;
    std::vector<Entry> entries;                   ///< for rigid meshes, those of Claybox first
    std::vector<MeshRowResult> contacts, moving;  ///< results in the order of `entries`
    std::vector<Entry> threshold_entries;         ///< box_tree and edge_polygon, if selected
    std::vector<MeshRowResult> thresholds;        ///< results in the order of `threshold_entries`
    std::vector<DeformingEntry> deforming;
    std::vector<DentRowResult> dents;  ///< results in the order of `deforming`
    std::vector<std::string> missing_libraries;
    std::string without_files;  ///< why there are no rows with files; empty if there are some
};

/// The number of polygons above which box_tree is faster than edge_polygon, next to the thesis' values.
std::string summarise_thresholds(const MeshRun& run);

/// Target: how many times faster than the fastest library mesh_bvh must be; 0: no target.
double mesh_target(const MeshRow& row);

ExperimentReport report_mesh(const MeshRun& run);

}  // namespace claybox::bench
