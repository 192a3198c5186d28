// Z-3.2.1-X1, Z-3.2.1-X2 and Z-3.2.2-X: edges against polygons (Zachmann, thesis, 3.2). Measured by
// `claybox bench edge_polygon`.

#include "bench/experiments/shared/tables.hpp"
#include "bench/papers/paper_row.hpp"
#include "bench/papers/shared/from_experiment.hpp"

namespace claybox::bench {

using namespace collision;

const PaperRow& describe_z_3_2_1_x1();
const PaperRow& describe_z_3_2_1_x2();
const PaperRow& describe_z_3_2_2_x();

namespace {

Result<Findings> run_cage(const ExperimentOptions& options) {
    auto measured = Measured::run("edge_polygon", {"cage"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    const auto gain = [&](const char* level) { return m.ratio("cage/object_box", level); };
    const double face_box = gain("cage/face_box"), collect = gain("cage/face_collect"),
                 relaxed = gain("cage/relaxed_collect");
    out.claims = {
        judged("without pre-checks, compared with the box of the object", "many seconds instead of 5 s",
               format_number("%.1f times slower", m.ratio("cage/none", "cage/object_box")),
               m.ratio("cage/none", "cage/object_box") > 1),
        judged("speed-up of edge against box of the polygon", "11.3", format_number("%.1f", face_box),
               face_box > 2, "Holds if the check at least halves the time."),
        judged("speed-up of the collect phase", "10.3", format_number("%.1f", collect), collect > 2,
               "The same."),
        shown("collect phase compared with the box of the polygon",
              "0.92: slower on this machine, faster on "
              "a Skywriter",
              format_number("%.2f", m.ratio("cage/face_box", "cage/face_collect")),
              "The thesis says that it depends on the machine. Here boxes of polygons are computed once and "
              "kept."),
        judged("the relaxed collect phase gains little", "10.6 instead of 10.3",
               format_number("%.1f", relaxed) + format_number(" instead of %.1f", collect),
               relaxed < 1.5 * collect)};
    return out;
}

Result<Findings> run_pot(const ExperimentOptions& options) {
    auto measured = Measured::run("edge_polygon", {"pot"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    const double ratio = m.ratio("pot/face_collect", "pot/relaxed_collect");
    out.claims = {
        judged("speed-up of the relaxed collect phase", "about 2 (5 to 7 instead of 3 to 4 frames/s)",
               format_number("%.2f", ratio), ratio > 1.5,
               "The exact phase stores the boxes of the polygons in the frame of the pot and skips 64 "
               "polygons at once. The relaxed loop visits all vertices, so nothing is left to gain."),
        judged("the relaxed collect phase may miss collisions", "yes",
               format_number("%.0f missed", m.counter("pot/relaxed_collect", "missed")),
               m.counter("pot/relaxed_collect", "wrong") == 0, "No collision is invented.")};
    return out;
}

Result<Findings> run_shares(const ExperimentOptions& options) {
    auto measured = Measured::run("edge_polygon", {"cage"}, options);
    if (!measured) return measured.error();
    Findings out = measured.value().findings;
    std::erase_if(out.tables,
                  [](const FindingsTable& t) { return t.title.find("Z-3.2.2-X") == std::string::npos; });
    double first_three = 0;
    for (const FindingsTable& table : out.tables)
        for (std::size_t i = 0; i < 3 && i < table.rows.size(); ++i)
            first_three += std::stod(table.rows[i].at(2));
    out.claims = {judged("edges that the first three checks decide, boxes of the objects only", "98 %",
                         format_number("%.1f %%", first_three), first_three > 95)};
    return out;
}

}  // namespace

const PaperRow& describe_z_3_2_1_x1() {
    static const PaperRow row{"Z-3.2.1-X1", "Zachmann 1994, 3.2.1, table",
                              "Pre-checks of the algorithm for arbitrary polygons",
                              "Ten objects of 120 to 1450 polygons in a cage of six walls; speeds reverse on "
                              "collision; nothing is drawn. All levels get the same queries, frame by frame.",
                              run_cage};
    return row;
}

const PaperRow& describe_z_3_2_1_x2() {
    static const PaperRow row{"Z-3.2.1-X2", "Zachmann 1994, 3.2.1", "The relaxed collect phase on a pot",
                              "A pot of 9944 polygons and a hand of 16 parts whose fingertips move along the "
                              "wall. Collision detection only; the thesis includes drawing.",
                              run_pot};
    return row;
}

const PaperRow& describe_z_3_2_2_x() {
    static const PaperRow row{"Z-3.2.2-X", "Zachmann 1994, 3.2.2, table",
                              "Checks that decide an edge of a polygon against the ray",
                              "The ten objects of Z-3.2.1-X1.", run_shares};
    return row;
}

}  // namespace claybox::bench
