// Z-6.6-X1 to X4: workers (Zachmann, thesis, 6.6). Measured by `claybox bench parallel`.

#include "bench/experiments/shared/tables.hpp"
#include "bench/papers/paper_row.hpp"
#include "bench/papers/shared/from_experiment.hpp"
#include "collision/jobs/executor.hpp"

namespace claybox::bench {

using namespace collision;

const PaperRow& describe_z_6_6_x1();
const PaperRow& describe_z_6_6_x2();
const PaperRow& describe_z_6_6_x3();
const PaperRow& describe_z_6_6_x4();

namespace {

constexpr const char* kWorlds =
    "A world for each mode plays the same bodies, block by block in turn; all must end in the same state. "
    "Two "
    "workers, and four where the machine has four processors; the thesis used an Onyx with two processors "
    "and "
    "a Skywriter with eight.";
constexpr const char* kShort =
    "A test takes microseconds here and took milliseconds in 1994, so sharing it costs a larger part of it.";

std::string speed_up(const Measured& m, const std::string& row, const std::string& mode) {
    return format_number("%.2f", m.counter(row + "/" + mode, "speed_up"));
}

void note_processors(Findings& out) {
    out.notes.push_back("Processors of this machine: " + std::to_string(processor_count()) + ".");
}

Result<Findings> run_coarse(const ExperimentOptions& options) {
    auto measured = Measured::run("parallel", {"X1"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    const double arbitrary = m.counter("X1-arbitrary/pairs_2", "speed_up"),
                 tetrahedra = m.counter("X1-tetrahedra/pairs_2", "speed_up");
    const bool usable = m.usable({"X1-arbitrary/pairs_2", "X1-tetrahedra/pairs_2"});
    out.claims = {
        unless_refused(usable, judged("whole pairs on two workers are faster than on one, arbitrary polygons",
                                      "figure 6.3", format_number("%.2f times", arbitrary), arbitrary > 1)),
        unless_refused(
            usable, judged("100 tetrahedra gain least", "the lowest curve of figure 6.3",
                           format_number("%.2f", tetrahedra) + format_number(" instead of %.2f", arbitrary),
                           tetrahedra < arbitrary)),
        shown("convex bodies; box-trees", "curves only",
              speed_up(m, "X1-convex", "pairs_2") + "; " + speed_up(m, "X1-boxes", "pairs_2"))};
    note_processors(out);
    return out;
}

Result<Findings> run_medium(const ExperimentOptions& options) {
    auto measured = Measured::run("parallel", {"X2"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    constexpr std::pair<const char*, const char*> kRows[] = {
        {"X2-42", "1.15"}, {"X2-132", "1.73"}, {"X2-442", "1.76"}, {"X2-442-boxes", "1.83"}};
    for (const auto& [row, paper] : kRows)
        out.claims.push_back(
            shown(std::string(row) + ": speed-up by halves", paper, speed_up(m, row, "halves_2"), kShort));
    const double few = m.counter("X2-42/halves_2", "speed_up"),
                 many = m.counter("X2-442/halves_2", "speed_up");
    out.claims.insert(
        out.claims.begin(),
        unless_refused(m.usable({"X2-42/halves_2", "X2-442/halves_2"}),
                       judged("larger bodies gain more", "1.15 to 1.76",
                              format_number("%.2f", few) + format_number(" to %.2f", many), many > few)));
    note_processors(out);
    return out;
}

Result<Findings> run_dual_pairs(const ExperimentOptions& options) {
    auto measured = Measured::run("parallel", {"X3"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    constexpr struct {
        const char *row, *paper, *text;
    } kRows[] = {{"X3-tori-100", "1.5", "tori of 100"},
                 {"X3-tori-1000", "3.5", "tori of 1000"},
                 {"X3-hyperboloids-100", "2", "hyperboloids of 100"},
                 {"X3-hyperboloids-1000", "1.9", "hyperboloids of 1000"},
                 {"X3-spheres-100", "1.75", "spheres of 100"},
                 {"X3-spheres-1000", "2.8", "spheres of 1000"}};
    for (const auto& r : kRows)
        out.claims.push_back(shown(std::string(r.text) + " polygons: speed-up by dual algorithms", r.paper,
                                   speed_up(m, r.row, "dual_2"), kShort));
    const double few = m.counter("X3-tori-100/dual_2", "speed_up"),
                 many = m.counter("X3-tori-1000/dual_2", "speed_up");
    out.claims.insert(
        out.claims.begin(),
        unless_refused(m.usable({"X3-tori-100/dual_2", "X3-tori-1000/dual_2"}),
                       judged("large tori gain more than small ones", "1.5 to 3.5",
                              format_number("%.2f", few) + format_number(" to %.2f", many), many > few)));
    note_processors(out);
    return out;
}

Result<Findings> run_dual_many(const ExperimentOptions& options) {
    auto measured = Measured::run("parallel", {"X4"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    for (const auto& [row, paper] :
         {std::pair{"X4-4000", "6.2 with, 8.5 without: 0.73"}, {"X4-700", "66 with, 83 without: 0.80"}}) {
        const std::string at = std::string(row) + "/dual_2";
        const double gain = m.counter(at, "speed_up");
        out.claims.push_back(
            unless_refused(m.usable({at}),
                           judged(std::string(row) + ": dual algorithms with ten objects do not pay off",
                                  paper, format_number("%.2f", gain), gain < 1,
                                  "Where it pays off here, the search for a plane is far cheaper than in the "
                                  "thesis: it ends after at most 18 rounds.")));
        out.claims.push_back(shown(std::string(row) + ": decided by separating planes", "80 %",
                                   format_number("%.0f %%", m.counter(at, "gap_first_percent"))));
        out.claims.push_back(shown(std::string(row) + ": time until the other search stops", "7.2 ms",
                                   format_number("%.1f us", m.counter(at, "us_to_stop"))));
    }
    note_processors(out);
    return out;
}

}  // namespace

const PaperRow& describe_z_6_6_x1() {
    static const PaperRow row{"Z-6.6-X1", "Zachmann 1994, figure 6.3", "Workers that share whole pairs",
                              kWorlds, run_coarse};
    return row;
}

const PaperRow& describe_z_6_6_x2() {
    static const PaperRow row{"Z-6.6-X2", "Zachmann 1994, 6.6, table", "Two halves of a pair", kWorlds,
                              run_medium};
    return row;
}

const PaperRow& describe_z_6_6_x3() {
    static const PaperRow row{"Z-6.6-X3", "Zachmann 1994, 6.6, table", "Dual algorithms, two objects",
                              kWorlds, run_dual_pairs};
    return row;
}

const PaperRow& describe_z_6_6_x4() {
    static const PaperRow row{"Z-6.6-X4", "Zachmann 1994, 6.6, table", "Dual algorithms, ten objects",
                              kWorlds, run_dual_many};
    return row;
}

}  // namespace claybox::bench
