#include "bench/experiments/module/parallel_rows.hpp"

#include "collision/geometry/primitives/primitives.hpp"
#include "collision/jobs/executor.hpp"

#include <algorithm>

namespace claybox::bench {

using namespace collision;

namespace {

using Mode = ParallelMode;
using Shapes = std::vector<std::pair<Primitive, std::uint32_t>>;

/// Serial, then each mode with two workers, and with four if there are that many processors.
std::vector<ParallelConfig> configs(const std::vector<std::pair<Mode, const char*>>& modes) {
    std::vector<ParallelConfig> out{{}};
    for (const auto& [mode, thesis] : modes)
        for (const unsigned workers : {2u, 4u})
            if (workers == 2 || workers <= processor_count()) out.push_back({mode, workers, thesis});
    return out;
}

void add_cage_rows(std::vector<ParallelRow>& out) {
    ParallelRow row{"cage", "500 hulls of 100 vertices that fill a tenth of the cage."};
    row.bodies = 500;
    row.filled = 0.2;
    row.shapes = Shapes(10, {Primitive::ellipsoid_hull, 100});
    row.configs = configs({{Mode::pairs, ""}});
    // From passes of a fraction of a millisecond with few tests to passes that consist almost only of tests.
    for (const auto& [name, pair] : {std::pair{"cage", "best"},
                                     {"cage-gjk", "gjk"},
                                     {"cage-edges", "edge_polygon"},
                                     {"cage-lp", "seidel"}}) {
        row.name = name;
        row.pair = pair;
        out.push_back(row);
    }

    row = {"mixed", "60 meshes of 100 to 5,000 polygons."};
    row.pair = "mesh_bvh";
    row.bodies = 60;
    row.filled = 0.4;
    row.shapes = {{Primitive::torus, 5000},
                  {Primitive::hyperboloid, 1000},
                  {Primitive::tetra_flake, 500},
                  {Primitive::uv_sphere, 2000},
                  {Primitive::torus, 100}};
    row.configs =
        configs({{Mode::pairs, ""}, {Mode::pairs | Mode::fine, ""}, {Mode::pairs | Mode::dual, ""}});
    out.push_back(row);

    row = {"jojo",
           "Matrices down and boxes up a tree of groups: 24 levels of at most 2,048 groups with one body "
           "each; all rotate. The column of tests shows the groups without the bodies."};
    row.groups = true;
    row.configs = configs({{Mode::pairs, ""}});
    out.push_back(row);
}

void add_pair_rows(std::vector<ParallelRow>& out) {
    ParallelRow row{"tori-edges", "Two tori of 10,000 polygons."};
    row.pair = "edge_polygon";
    row.filled = 0.3;
    row.shapes = {{Primitive::torus, 10000}};
    row.configs =
        configs({{Mode::halves, ""}, {Mode::fine, ""}, {Mode::dual, ""}, {Mode::dual | Mode::halves, ""}});
    out.push_back(row);
    row.name = "tori-boxes";
    row.pair = "box_tree";
    out.push_back(row);
    row.name = "tori-hits";
    row.text = "Two tori of 10,000 polygons; all hits.";
    row.pair = "mesh_bvh";
    row.all_hits = true;
    row.filled = 0.5;
    row.configs = configs({{Mode::fine, ""}, {Mode::dual | Mode::fine, ""}});
    out.push_back(row);
    row = {"spheres-three", "Two spheres of 5,000 polygons, as solids."};
    row.pair = "cyrus_beck";
    row.filled = 0.4;
    row.shapes = {{Primitive::uv_sphere, 5000}};
    row.configs = configs({{Mode::dual, ""}, {Mode::three, ""}});
    out.push_back(row);
}

/// Figure 6.3 of the thesis. Its spheres of "-x n" have about n^2 polygons.
void add_coarse_rows(std::vector<ParallelRow>& out) {
    const Shapes spheres{{Primitive::uv_sphere, 100},
                         {Primitive::uv_sphere, 225},
                         {Primitive::uv_sphere, 400},
                         {Primitive::uv_sphere, 625},
                         {Primitive::uv_sphere, 900}};
    const char* curves = "curves of figure 6.3";
    ParallelRow row{"X1-arbitrary", "Ten spheres of 100 to 900 polygons; grid."};
    row.pair = "edge_polygon";
    row.broad = "grid";
    row.bodies = 10;
    row.filled = 0.3;
    row.shapes = spheres;
    row.configs = configs({{Mode::pairs, curves}});
    out.push_back(row);
    row.name = "X1-convex";
    row.pair = "cyrus_beck";
    row.configs = configs({{Mode::pairs, curves}, {Mode::pairs | Mode::dual, curves}});
    out.push_back(row);
    row.name = "X1-boxes";
    row.pair = "box_tree";
    row.configs = configs({{Mode::pairs, curves}});
    out.push_back(row);
    row.name = "X1-tetrahedra";
    row.text = "100 tetrahedra; grid.";
    row.pair = "edge_polygon";
    row.bodies = 100;
    row.filled = 0.2;
    row.shapes = {{Primitive::tetrahedron, 4}};
    row.configs = configs({{Mode::pairs, "lowest curve of figure 6.3"}});
    out.push_back(row);
}

void add_medium_rows(std::vector<ParallelRow>& out) {
    constexpr struct {
        const char* name;
        const char* pair;
        std::uint32_t polygons;
        const char* thesis;
    } kRows[] = {{"X2-42", "edge_polygon", 42, "1.15"},
                 {"X2-132", "edge_polygon", 132, "1.73"},
                 {"X2-442", "edge_polygon", 442, "1.76"},
                 {"X2-442-boxes", "box_tree", 442, "1.83"}};
    for (const auto& r : kRows) {
        ParallelRow row{r.name, "Two spheres; halves, also for small pairs."};
        row.pair = r.pair;
        row.filled = 0.5;
        row.share_from = 1;
        row.frames = 100;
        row.shapes = {{Primitive::uv_sphere, r.polygons}};
        row.configs = configs({{Mode::halves, r.thesis}});
        out.push_back(row);
    }
}

void add_dual_rows(std::vector<ParallelRow>& out) {
    constexpr struct {
        const char* name;
        Primitive primitive;
        std::uint32_t polygons;
        const char* thesis;
    } kRows[] = {{"X3-tori-100", Primitive::torus, 100, "1.5"},
                 {"X3-tori-1000", Primitive::torus, 1000, "3.5"},
                 {"X3-hyperboloids-100", Primitive::hyperboloid, 100, "2"},
                 {"X3-hyperboloids-1000", Primitive::hyperboloid, 1000, "1.9"},
                 {"X3-spheres-100", Primitive::uv_sphere, 100, "1.75"},
                 {"X3-spheres-1000", Primitive::uv_sphere, 1000, "2.8"}};
    for (const auto& r : kRows) {
        ParallelRow row{r.name, "Two bodies; dual, also for small pairs."};
        row.pair = "edge_polygon";
        row.broad = "grid";
        row.filled = 0.3;
        row.share_from = 1;
        row.frames = 100;
        row.shapes = {{r.primitive, r.polygons}};
        row.configs = configs({{Mode::dual, r.thesis}});
        out.push_back(row);
    }
    for (const bool many : {true, false}) {
        ParallelRow row{many ? "X4-4000" : "X4-700",
                        "Ten spheres; dual for each pair, also for small ones. Thesis: 80 % decided by "
                        "separating planes, 7.2 ms to stop."};
        row.pair = "edge_polygon";
        row.broad = "grid";
        row.bodies = 10;
        row.filled = 0.3;
        row.share_from = 1;
        const std::uint32_t unit = many ? 4 : 1;
        for (const std::uint32_t n : {30u, 50u, 70u, 90u, 110u})
            row.shapes.emplace_back(Primitive::uv_sphere, many ? n * unit * 10 / 7 : n);
        row.configs = configs({{Mode::dual, many ? "0.73" : "0.80"}, {Mode::pairs | Mode::dual, ""}});
        out.push_back(row);
    }
}

}  // namespace

Result<std::vector<ParallelRow>> parallel_rows(const std::vector<std::string>& wanted) {
    std::vector<ParallelRow> all, out;
    add_cage_rows(all);
    add_pair_rows(all);
    add_coarse_rows(all);
    add_medium_rows(all);
    add_dual_rows(all);
    if (wanted.empty()) return all;
    for (const ParallelRow& row : all)
        if (std::any_of(wanted.begin(), wanted.end(),
                        [&](const std::string& word) { return std::string(row.name).starts_with(word); }))
            out.push_back(row);
    for (const std::string& word : wanted)
        if (std::none_of(all.begin(), all.end(),
                         [&](const ParallelRow& row) { return std::string(row.name).starts_with(word); }))
            return Error{"--rows " + word + ": expected one or more of " + kParallelRows, {}, 0};
    return out;
}

streams::CageMotion motion_of(const ParallelRow& row, std::uint64_t seed) {
    streams::CageSettings settings;
    settings.bodies = row.bodies;
    settings.filled = row.filled;
    settings.filled_by_balls = true;
    settings.seed = seed;
    for (std::size_t i = 0; i < row.shapes.size(); ++i)
        settings.given.push_back(
            make_primitive_shape(row.shapes[i].first, row.shapes[i].second, 1, seed + i).value());
    settings.shapes = settings.given.size();
    return streams::CageMotion::make(settings).value();
}

}  // namespace claybox::bench
