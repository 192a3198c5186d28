// Z-5.4.4-X1 to X4 and Z-5.5.2-X1 to X5: octree and grid (Zachmann, thesis, 5.4 and 5.5). Measured by
// `claybox bench space`.

#include "bench/experiments/shared/tables.hpp"
#include "bench/papers/paper_row.hpp"
#include "bench/papers/shared/from_experiment.hpp"

namespace claybox::bench {

using namespace collision;

const PaperRow& describe_z_5_4_4_x1();
const PaperRow& describe_z_5_4_4_x2();
const PaperRow& describe_z_5_4_4_x3();
const PaperRow& describe_z_5_4_4_x4();
const PaperRow& describe_z_5_5_2_x1();
const PaperRow& describe_z_5_5_2_x2();
const PaperRow& describe_z_5_5_2_x3();
const PaperRow& describe_z_5_5_2_x4();
const PaperRow& describe_z_5_5_2_x5();

namespace {

constexpr const char* kCage =
    "100 rotating cubes of 1 m in a cage of 10 m. The thesis gives neither speed nor rotation: here 0.05 m "
    "and "
    "0.05 rad per frame.";
constexpr const char* kMovers =
    "A cage of 5 m; 5,000 frames; exact tests after the broad phase. All methods play the same bodies in "
    "turn "
    "and must end in the same state.";

Result<Findings> run_levels(const ExperimentOptions& options) {
    auto measured = Measured::run("space", {"levels"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    const double four = m.counter("levels/depth-4/octree", "percent_4"),
                 five = m.counter("levels/depth-5/octree", "percent_5");
    out.claims = {
        judged("references on the last level, depth 4", "99.4 %", format_number("%.1f %%", four), four > 85),
        judged("references on the last level, depth 5", "96.4 %", format_number("%.1f %%", five), five > 85,
               "Eight full sub-octants are joined here, which the structure of the thesis does only "
               "at insertion: so more references lie above the last level.")};
    return out;
}

Result<Findings> run_octree_memory(const ExperimentOptions& options) {
    auto measured = Measured::run("space", {"memory"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    std::erase_if(out.tables, [](const FindingsTable& t) { return t.title.starts_with("Grid"); });
    const auto at = [&](int depth, const char* what) {
        return m.counter("memory/depth-" + std::to_string(depth) + "-hysteresis-5/octree", what);
    };
    const double memory = at(5, "kilobytes") / at(4, "kilobytes"), made = at(5, "made") / at(4, "made");
    out.claims = {judged("memory of depth 5 divided by that of depth 4", "8.6", format_number("%.1f", memory),
                         memory > 3, "Nodes are 13 bytes here."),
                  judged("allocations per frame, depth 5 divided by depth 4", "5.7",
                         format_number("%.1f", made), made > 2)};
    return out;
}

/// What the box difference saves, and how much of a frame that is.
std::string difference_reason(const Measured& m, const std::string& at) {
    const auto of = [&](const char* variant, const char* counter) {
        return m.counter(at + variant, counter);
    };
    const double update = of("octant arrays", "update_ns") / of("box difference", "update_ns");
    const double rest = 100 - 100 * of("box difference", "update_ns") / m.ns(at + "box difference");
    return "It changes " + format_number("%.0f", of("box difference", "references_changed")) +
           " references per frame instead of " +
           format_number("%.0f", of("octant arrays", "references_changed")) + ". Its update alone is " +
           format_number("%.2f", update) +
           " times as fast. The search for pairs, which is the same in both, takes " +
           format_number("%.0f %%", rest) + " of the frame.";
}

Result<Findings> run_octree(const ExperimentOptions& options) {
    auto measured = Measured::run("space", {"octree"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    Plot plot{"Octree, update and pairs", "depth", "ns per frame", false, true, {}};
    for (const char* name : {"naive", "octant arrays", "box difference"}) {
        Curve curve{name, {}};
        for (int depth = 2; depth <= 6; ++depth)
            curve.points.emplace_back(depth, m.ns("octree/depth-" + std::to_string(depth) + "/" + name));
        plot.curves.push_back(std::move(curve));
    }
    const std::string at = "octree/depth-5/";
    const bool usable = m.usable({at + "naive", at + "octant arrays", at + "box difference"});
    out.claims = {
        unless_refused(usable,
                       judged("octant arrays are faster than the naive way, depth 5", "yes",
                              format_number("%.2f times", m.ratio(at + "naive", at + "octant arrays")),
                              m.ratio(at + "naive", at + "octant arrays") > 1)),
        unless_refused(usable, judged("the box difference is the fastest, depth 5", "yes",
                                      format_number("%.2f times the speed of octant arrays",
                                                    m.ratio(at + "octant arrays", at + "box difference")),
                                      m.ratio(at + "octant arrays", at + "box difference") > 1,
                                      difference_reason(m, at)))};
    out.plots.push_back(std::move(plot));
    return out;
}

Result<Findings> run_tries(const ExperimentOptions& options) {
    auto measured = Measured::run("space", {"tries"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    for (const int depth : {3, 4, 5}) {
        const std::string at = "tries/depth-" + std::to_string(depth) + "/hysteresis_";
        for (const char* more : {"10", "64"}) {
            const double gain = m.ratio(at + "5", at + more);
            out.claims.push_back(
                unless_refused(m.usable({at + "5", at + more}),
                               judged("depth " + std::to_string(depth) + ": speed-up of a hysteresis of " +
                                          more + " instead of 5",
                                      "none that matters", format_number("%.2f", gain), gain < 1.2)));
        }
    }
    out.notes.push_back(
        "The thesis also tried a faster malloc and lists that are not freed when empty. Here all lists share "
        "one "
        "block with free lists, so nothing is allocated in steady state; the hysteresis of 64 stands for "
        "lists "
        "that keep their memory.");
    return out;
}

Result<Findings> run_grid_memory(const ExperimentOptions& options) {
    auto measured = Measured::run("space", {"memory"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    std::erase_if(out.tables, [](const FindingsTable& t) { return !t.title.starts_with("Grid"); });
    const auto kilobytes = [&](int size, const char* scheme) {
        return m.counter("memory/size-" + std::to_string(size) + "/" + scheme, "kilobytes");
    };
    const auto ratio = [&](int size) { return kilobytes(size, "doubly_indexed") / kilobytes(size, "plain"); };
    out.claims = {
        judged("the doubly indexed scheme needs more memory, 4^3 cells", "1.5 times",
               format_number("%.1f times", ratio(4)), ratio(4) > 1),
        judged("the same, 32^3 cells", "3.4 times", format_number("%.1f times", ratio(32)), ratio(32) > 1,
               "In a fine grid most cells hold one body. Here a plain cell is a whole cache line with room "
               "for 11 bodies; a doubly indexed cell has room for its own ones only."),
        judged("memory of 64^3 cells divided by that of 16^3, plain", "88",
               format_number("%.1f", kilobytes(64, "plain") / kilobytes(16, "plain")),
               kilobytes(64, "plain") / kilobytes(16, "plain") < 88,
               "The thesis stores every cell, n^3 of them. Claybox stores occupied cells in a hash "
               "table.")};
    return out;
}

Result<Findings> run_grid(const ExperimentOptions& options) {
    auto measured = Measured::run("space", {"grid"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    Plot plot{"Grid, update and pairs", "cells per side", "ns per frame", true, true, {}};
    for (const char* name :
         {"plain_no_exit", "doubly_indexed_no_exit", "plain", "doubly_indexed", "oriented"}) {
        Curve curve{name, {}};
        for (const int size : {4, 8, 16, 32, 64})
            curve.points.emplace_back(size, m.ns("grid/size-" + std::to_string(size) + "/" + name));
        plot.curves.push_back(std::move(curve));
    }
    const std::string at = "grid/size-32/";
    const double indexed = m.ratio(at + "doubly_indexed_no_exit", at + "plain_no_exit"),
                 exit = m.ratio(at + "plain_no_exit", at + "plain");
    const bool usable = m.usable({at + "doubly_indexed_no_exit", at + "plain_no_exit", at + "plain"});
    out.claims = {
        unless_refused(usable,
                       judged("time of the doubly indexed scheme divided by that of the plain one, 32^3",
                              "about 1.5", format_number("%.2f", indexed), indexed > 1)),
        unless_refused(usable, judged("the early exit for unchanged boxes helps, 32^3", "yes",
                                      format_number("%.2f times faster", exit), exit > 1)),
        shown("oriented boxes, 32^3", "curve only",
              format_number("%.2f times the time of aligned boxes", m.ratio(at + "oriented", at + "plain")))};
    out.plots.push_back(std::move(plot));
    return out;
}

/// The rows of `exact` that begin with a word.
void keep_tables(Findings& findings, const char* title) {
    std::erase_if(findings.tables, [&](const FindingsTable& t) { return !t.title.starts_with(title); });
    std::erase_if(findings.values, [](const FindingsValue&) { return true; });
}

Result<Findings> run_tetrahedra(const ExperimentOptions& options) {
    auto measured = Measured::run("space", {"exact"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    keep_tables(out, "Tetrahedra");
    Plot plot{"Tetrahedra with boxes of 1 m in a cage of 5 m",  "bodies", "ns per frame", true, true,
              {{"all pairs of boxes", {}}, {"grid of 8^3", {}}}};
    int pays_off = 0;
    for (const int bodies : {10, 20, 50, 100, 200}) {
        if (options.quick && bodies > 20) break;
        const std::string at = "exact/tetrahedra-" + std::to_string(bodies) + "/";
        plot.curves[0].points.emplace_back(bodies, m.ns(at + "all_pairs"));
        plot.curves[1].points.emplace_back(bodies, m.ns(at + "grid"));
        if (pays_off == 0 && m.ratio(at + "all_pairs", at + "grid") > 1) pays_off = bodies;
    }
    out.claims = {shown("the grid pays off from", "figure 5.22: \"even 100^2 / 2 box checks are cheap\"",
                        pays_off == 0 ? "no measured number of bodies" : std::to_string(pays_off) + " bodies",
                        "The number of boxes is what counts: the exact tests are the same.")};
    out.plots.push_back(std::move(plot));
    return out;
}

Result<Findings> run_mixed(const ExperimentOptions& options) {
    auto measured = Measured::run("space", {"exact"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    keep_tables(out, "30 movers");
    const std::string at = "exact/mixed/";
    const double pairs =
        m.counter(at + "no index, box_tree", "pairs") / m.counter(at + "grid, box_tree", "pairs");
    out.claims = {judged("pairs of boxes without and with the grid", "615 and 155: 4.0 times",
                         format_number("%.1f times", pairs), pairs > 2),
                  shown("time without index and box-trees, with box-trees, with both", "260, 234, 219 ms",
                        format_number("%.3g, ", 1e-6 * m.ns(at + "no index, edge_polygon")) +
                            format_number("%.3g, ", 1e-6 * m.ns(at + "no index, box_tree")) +
                            format_number("%.3g ms", 1e-6 * m.ns(at + "grid, box_tree")))};
    return out;
}

Result<Findings> run_one_mover(const ExperimentOptions& options) {
    auto measured = Measured::run("space", {"exact"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    keep_tables(out, "One mover");
    const double gain = m.ratio("exact/one-mover/all_pairs", "exact/one-mover/grid");
    out.claims = {unless_refused(
        options.quick || m.usable({"exact/one-mover/all_pairs", "exact/one-mover/grid"}),
        judged("speed-up by a grid of 8^3", "5 (1.0 instead of 0.2 ms)", format_number("%.1f", gain),
               gain > 1,
               "Without an index, Claybox compares the boxes of moved bodies only, eight at a time."))};
    return out;
}

}  // namespace

const PaperRow& describe_z_5_4_4_x1() {
    static const PaperRow row{"Z-5.4.4-X1", "Zachmann 1994, 5.4.4, table", "References of an octree by level",
                              kCage, run_levels};
    return row;
}

const PaperRow& describe_z_5_4_4_x2() {
    static const PaperRow row{"Z-5.4.4-X2", "Zachmann 1994, 5.4.4, table",
                              "Memory of an octree and changes of its lists", kCage, run_octree_memory};
    return row;
}

const PaperRow& describe_z_5_4_4_x3() {
    static const PaperRow row{"Z-5.4.4-X3", "Zachmann 1994, figures 5.13 and 5.14",
                              "Ways to move a body in an octree", kCage, run_octree};
    return row;
}

const PaperRow& describe_z_5_4_4_x4() {
    static const PaperRow row{"Z-5.4.4-X4", "Zachmann 1994, 5.4.4", "Attempts without gain", kCage,
                              run_tries};
    return row;
}

const PaperRow& describe_z_5_5_2_x1() {
    static const PaperRow row{"Z-5.5.2-X1", "Zachmann 1994, 5.5.2, table", "Memory of a grid", kCage,
                              run_grid_memory};
    return row;
}

const PaperRow& describe_z_5_5_2_x2() {
    static const PaperRow row{"Z-5.5.2-X2", "Zachmann 1994, figures 5.20 and 5.21", "Variants of the grid",
                              kCage, run_grid};
    return row;
}

const PaperRow& describe_z_5_5_2_x3() {
    static const PaperRow row{"Z-5.5.2-X3", "Zachmann 1994, figure 5.22",
                              "Where a grid pays off, with exact tests", kMovers, run_tetrahedra};
    return row;
}

const PaperRow& describe_z_5_5_2_x4() {
    static const PaperRow row{"Z-5.5.2-X4", "Zachmann 1994, 5.5.2, table", "30 movers and 6 walls", kMovers,
                              run_mixed};
    return row;
}

const PaperRow& describe_z_5_5_2_x5() {
    static const PaperRow row{"Z-5.5.2-X5", "Zachmann 1994, 5.5.2, table", "One mover among 500 flakes",
                              kMovers, run_one_mover};
    return row;
}

}  // namespace claybox::bench
