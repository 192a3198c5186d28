// The experiment `mesh`: compares all mesh algorithms with each other and with other libraries. Rigid meshes
// near contact and in coherent motion, and a mesh that a hand deforms.

#include "bench/experiments/mesh/mesh_report.hpp"
#include "bench/experiments/shared/choice.hpp"
#include "bench/streams/mesh_stream.hpp"

namespace claybox::bench {

using namespace collision;

const Experiment& describe_mesh();

namespace {

/// Smaller mesh files are skipped: they say little about speed.
constexpr std::size_t kMinTriangles = 150;

MeshEffort effort_of(const ExperimentOptions& options) {
    MeshEffort out;
    out.seconds = 2;
    out.seed = options.seed;
    if (!options.quick) return out;
    out.contacts = 24;
    out.bodies = 4;
    out.frames = 8;
    out.dents = 5;
    out.dent_repeats = 1;
    out.max_repeats = 3;
    out.min_repeats = 2;
    out.seconds = 0.1;
    return out;
}

/// Meshes from files, by name.
using Files = std::map<std::string, ShapePtr>;

Result<Files> load_files(const ExperimentOptions& options, std::string& why_none) {
    Files out;
    if (!options.load_meshes) {
        why_none = "No rows with mesh files: no folder is set (`--meshes`).";
        return out;
    }
    auto loaded = options.load_meshes();
    if (!loaded) return loaded.error();
    for (const ShapePtr& shape : loaded.value()) {
        if (shape->topology().triangles.size() < kMinTriangles) continue;
        auto mesh = streams::as_triangles(*shape);
        if (!mesh) return mesh.error();
        out.emplace(shape->name(), std::move(mesh.value()));
    }
    return out;
}

Status choose(const ExperimentOptions& options, MeshRun& run) {
    run.entries = our_mesh_entries();
    run.deforming = our_deforming_entries();
    for (const Library& library : mesh_libraries()) {
        run.entries.insert(run.entries.end(), library.entries.begin(), library.entries.end());
        run.deforming.insert(run.deforming.end(), library.deforming.begin(), library.deforming.end());
    }
    std::vector<std::string> known;
    add_ids(run.entries, known);
    add_ids(run.deforming, known);
    run.entries = select(options.algorithms, std::move(run.entries));
    run.deforming = select(options.algorithms, std::move(run.deforming));
    run.threshold_entries = select({"box_tree", "edge_polygon"}, run.entries);
    run.missing_libraries = list_missing(mesh_libraries());
    return check_ids(options.algorithms, known, mesh_libraries());
}

Status run_row(const MeshRow& row, const Files& files, MeshRun& run) {
    if (row.part == MeshPart::deform) {
        if (run.deforming.empty()) return Done{};
        auto result = measure_dents(row, run.deforming, run.effort);
        if (!result) return result.error();
        run.dents.push_back(std::move(result.value()));
        return Done{};
    }
    if (row.part == MeshPart::threshold && run.threshold_entries.empty()) return Done{};
    const auto mesh = row.shape == MeshShape::file ? Result<ShapePtr>(files.at(row.file)) : make_mesh(row);
    if (!mesh) return mesh.error();
    const auto stream = record_mesh_row(row, mesh.value(), run.effort);
    if (!stream) return stream.error();
    MeshRowResult result;
    const bool threshold = row.part == MeshPart::threshold;
    static_cast<StreamResult&>(result) =
        measure(stream.value(), threshold ? run.threshold_entries : run.entries, run.effort);
    result.row = row;
    result.triangles = mesh.value()->topology().triangles.size();
    result.polygons = mesh.value()->topology().polygon_count();
    (threshold                       ? run.thresholds
     : row.part == MeshPart::contact ? run.contacts
                                     : run.moving)
        .push_back(std::move(result));
    return Done{};
}

Result<ExperimentReport> run_mesh(const ExperimentOptions& options) {
    MeshRun run;
    run.effort = effort_of(options);
    const auto files = load_files(options, run.without_files);
    if (!files) return files.error();
    std::vector<std::string> names;
    for (const auto& [name, mesh] : files.value()) names.push_back(name);
    const auto rows = mesh_rows(options.rows, names, options.quick);
    if (!rows) return rows.error();
    if (const Status good = choose(options, run); !good) return good.error();
    std::size_t number = 0;
    for (const MeshRow& row : rows.value()) {
        if (options.progress)
            options.progress("row " + std::to_string(++number) + " of " +
                             std::to_string(rows.value().size()) + ": " + row.name());
        if (const Status done = run_row(row, files.value(), run); !done) return done.error();
    }
    return report_mesh(run);
}

}  // namespace

const Experiment& describe_mesh() {
    static const Experiment experiment{
        "mesh", "Mesh algorithms, compared with each other and with FCL, Bullet, CGAL, ODE and Embree",
        kMeshRows, run_mesh};
    return experiment;
}

}  // namespace claybox::bench
