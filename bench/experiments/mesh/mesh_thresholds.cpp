// Compares box_tree and edge_polygon as the thesis does (figures 3.35 to 3.37 and the table below them).

#include "bench/experiments/mesh/mesh_report.hpp"
#include "bench/experiments/shared/tables.hpp"

namespace claybox::bench {

namespace {

/// Time of edge_polygon divided by time of box_tree, and the number of polygons above which box_tree is
/// faster.
struct Paper {
    MeshShape shape;
    const char* name;
    std::uint32_t threshold;
    const char *at_50, *at_100, *at_500, *at_1000;
};
constexpr Paper kPaper[] = {
    {MeshShape::sphere, "sphere", 300, "0.47", "0.36", "1.18", "2.25"},
    {MeshShape::torus, "torus", 60, "0.9", "1.58", "4.6", "200 (probably a misprint)"},
    {MeshShape::flake, "tetra-flake", 300, "0.4", "0.5", "1.6", "2.1"}};

const char* paper_ratio(const Paper& p, std::uint32_t polygons) {
    switch (polygons) {
        case 50:
            return p.at_50;
        case 100:
            return p.at_100;
        case 500:
            return p.at_500;
        case 1000:
            return p.at_1000;
        default:
            return "";
    }
}

}  // namespace

std::string summarise_thresholds(const MeshRun& run) {
    std::string table, lines;
    for (const Paper& paper : kPaper) {
        std::uint32_t from = 0;  // polygons from which on box_tree is faster in all rows
        bool measured = false;
        for (const MeshRowResult& row : run.thresholds) {
            const PlayResult* boxes = find_result(row, "box_tree");
            const PlayResult* plain = find_result(row, "edge_polygon");
            if (row.row.shape != paper.shape || boxes == nullptr || plain == nullptr) continue;
            measured = true;
            const double ratio = plain->all_ns / boxes->all_ns;
            from = ratio <= 1 ? 0 : from == 0 ? row.row.triangles : from;
            table += table_row({paper.name, std::to_string(row.polygons), format_us(plain->all_ns),
                                format_us(boxes->all_ns), format_number("%.2f", ratio),
                                paper_ratio(paper, row.row.triangles)});
        }
        if (measured)
            lines += std::string("- ") + paper.name + ": " +
                     (from == 0 ? "not in these rows" : "from " + std::to_string(from) + " polygons") +
                     " (thesis: about " + std::to_string(paper.threshold) + ")\n";
    }
    if (table.empty()) return {};
    return "\n### `box_tree` compared with `edge_polygon`, µs per query in coherent motion\n\n" +
           table_head({"shape", "polygons", "`edge_polygon`", "`box_tree`", "times faster", "thesis"}, 1) +
           table + "\nWhere `box_tree` is faster:\n\n" + lines;
}

}  // namespace claybox::bench
