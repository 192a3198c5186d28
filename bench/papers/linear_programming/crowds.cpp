// LP-6-lib, LP-6-base and LP-X1 to LP-X4: the experiments of IVRI-CD, section 6. The linear program
// (interior_point) against closest features (our V-Clip; the paper used I-COLLIDE).

#include "bench/experiments/shared/tables.hpp"
#include "bench/papers/linear_programming/free_motion.hpp"
#include "bench/papers/linear_programming/library.hpp"
#include "bench/papers/paper_row.hpp"
#include "bench/papers/shared/stream_run.hpp"
#include "bench/papers/shared/timing.hpp"
#include "collision/geometry/hull/hull_check.hpp"

#include <algorithm>

namespace claybox::bench {

using namespace collision;

const PaperRow& describe_lp_6_lib();
const PaperRow& describe_lp_6_base();
const PaperRow& describe_lp_x1();
const PaperRow& describe_lp_x2();
const PaperRow& describe_lp_x3();
const PaperRow& describe_lp_x4();

namespace {

constexpr const char* kMotion =
    "Objects of the library with a radius of 0.5 m in a closed cube; they pass through each other. Each "
    "frame "
    "turns a body by up to 10 degrees about each of three axes. A test of oriented boxes precedes all "
    "algorithms. The queries are recorded once and asked in turn.";
constexpr const char* kBaseline =
    "I-COLLIDE is not among the packages. V-Clip, our closest-features algorithm, takes its place and starts "
    "from the last pair of features; without that memory it is the third curve.";

/// Algorithms of a comparison.
constexpr const char* kProgram = "linear program";
constexpr const char* kFeatures = "closest features";
constexpr const char* kColdFeatures = "closest features, without memory";

std::vector<std::pair<const char*, PairSettings>> contestants() {
    return {{kProgram, {"interior_point"}},
            {kFeatures, {"v_clip"}},
            {kColdFeatures, {"v_clip", {{"warm_start", 0}}}}};
}

/// What the contestants do per query: the reason for the ratio of their times.
struct Work {
    std::vector<double> steps;    ///< of the main loop, by contestant
    double program_vertices = 0;  ///< that the linear program reads
};

/// Times per query in ns, by contestant.
struct Compared {
    std::vector<double> ns;
    Steady program_by_features;  ///< the ratio of their times
    Work work;                   ///< of all queries of the stream
};

Work work_of(std::vector<std::unique_ptr<StreamRun>>& runs, std::size_t queries) {
    Work out;
    const std::size_t vertices = runs[0]->counter("vertices visited");
    const double n = std::max(1.0, static_cast<double>(queries));
    for (auto& run : runs) {
        double steps = 0, read = 0;
        run->play([&](const streams::StreamQuery&, const PairResult& r) {
            steps += r.iterations;
            read += r.counters[vertices];
        });
        if (out.steps.empty()) out.program_vertices = read / n;
        out.steps.push_back(steps / n);
    }
    return out;
}

template <class TimeOf>
Compared compare(const streams::QueryStream& stream, std::size_t queries, int rounds, TimeOf&& time_of) {
    std::vector<std::unique_ptr<StreamRun>> runs;
    std::vector<Round> subjects;
    for (const auto& [name, settings] : contestants()) {
        runs.push_back(std::make_unique<StreamRun>(stream, settings));
        subjects.push_back([run = runs.back().get(), &time_of] { return time_of(*run); });
    }
    const std::vector<Timing> times = time_in_turn(subjects, rounds);
    Compared out;
    for (const Timing& t : times) out.ns.push_back(t.steady().median / static_cast<double>(queries));
    out.program_by_features = ratio_of(times[0], times[1]);
    out.work = work_of(runs, stream.queries.size());
    return out;
}

/// The curves of all contestants over a swept quantity.
struct Sweep {
    std::vector<Curve> curves;
    std::vector<std::pair<double, Steady>> ratios;  ///< linear program / closest features
    Work last_work;                                 ///< in the last setting

    void add(double x, const Compared& c) {
        const auto all = contestants();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (curves.size() <= i) curves.push_back({all[i].first, {}});
            curves[i].points.emplace_back(x, c.ns[i]);
        }
        ratios.emplace_back(x, c.program_by_features);
        last_work = c.work;
    }
    /// Which baseline takes part, and how much each contestant does in the last setting.
    std::string reason() const {
        return std::string(kBaseline) + " Per query of the last setting, the linear program takes " +
               format_number("%.1f", last_work.steps[0]) + " steps and reads " +
               format_number("%.0f vertices; closest features take ", last_work.program_vertices) +
               format_number("%.1f steps, each to a neighbouring feature (without memory: ",
                             last_work.steps[1]) +
               format_number("%.1f).", last_work.steps[2]);
    }
    bool usable() const {
        return std::all_of(ratios.begin(), ratios.end(), [](const auto& r) { return r.second.usable(); });
    }
};

/// The published statement that the linear program gains from the first to the last setting.
Claim gains(const std::string& what, const std::string& published, const Sweep& sweep) {
    const double first = sweep.ratios.front().second.median, last = sweep.ratios.back().second.median;
    Claim out = judged(what, published,
                       format_number("%.2f", first) + " to " + format_number("%.2f", last) +
                           " (time of the linear program / closest features)",
                       last < first, sweep.reason());
    if (!sweep.usable()) out.judgement = Judgement::refused;
    return out;
}

Claim faster_at_end(const Sweep& sweep) {
    const Steady& last = sweep.ratios.back().second;
    Claim out = judged("the linear program is faster in the last setting", "yes",
                       "time of the linear program / closest features: " + ratio_text(last), last.median < 1,
                       sweep.reason());
    if (!last.usable()) out.judgement = Judgement::refused;
    return out;
}

Result<Findings> run_library(const ExperimentOptions& options) {
    const auto library = make_library(options.seed);
    if (!library) return library.error();
    Findings out;
    FindingsTable table{"The library", 1, {"object", "vertices", "edges", "faces"}, {}};
    bool correct = true;
    for (const LibraryObject& object : library.value()) {
        const ConvexHull& hull = *object.shape->hull();
        const Topology& t = object.shape->topology();
        correct &= check_hull(hull, object.shape->geometry().positions).ok();
        table.rows.push_back({object.name, std::to_string(hull.vertex_count),
                              std::to_string(t.half_edge_count() / 2), std::to_string(t.polygon_count())});
    }
    const auto count = [&](std::size_t i) { return library.value()[i].shape->hull()->vertex_count; };
    out.claims.push_back(judged("number of objects", "20", std::to_string(library.value().size()),
                                library.value().size() == 20));
    out.claims.push_back(judged("vertices, from tetrahedron to sphere", "4 to 264",
                                std::to_string(count(0)) + " to " + std::to_string(count(19)),
                                count(0) == 4 && count(19) == 264));
    out.claims.push_back(judged("all hulls pass the exact check", "", correct ? "yes" : "no", correct));
    if (!correct) out.failure = "a hull of the library fails the exact check";
    out.tables.push_back(std::move(table));
    return out;
}

std::vector<ShapePtr> shapes_of(const std::vector<LibraryObject>& library, std::size_t every) {
    std::vector<ShapePtr> out;
    for (std::size_t i = 0; i < library.size(); i += every) out.push_back(library[i].shape);
    return out;
}

std::uint64_t colliding(const streams::QueryStream& stream, const PairSettings& settings) {
    std::uint64_t out = 0;
    StreamRun(stream, settings).play([&](const streams::StreamQuery&, const PairResult& r) {
        out += r.verdict == Verdict::colliding ? 1 : 0;
    });
    return out;
}

Result<Findings> run_box_test(const ExperimentOptions& options) {
    const auto library = make_library(options.seed);
    if (!library) return library.error();
    FreeMotion motion;
    motion.objects = shapes_of(library.value(), 2);
    motion.frames = options.quick ? 100 : 1500;
    motion.seed = options.seed;
    const FreeStream with = record_free_motion(motion);
    motion.box_test = false;
    const FreeStream without = record_free_motion(motion);
    Findings out;
    const double excluded =
        100.0 - 100.0 * static_cast<double>(with.stream.queries.size()) / static_cast<double>(with.pairs);
    out.claims.push_back(shown("pairs that the test of oriented boxes excludes", "on, for all algorithms",
                               format_number("%.1f %%", excluded)));
    for (const auto& [name, settings] : contestants()) {
        const std::uint64_t a = colliding(with.stream, settings), b = colliding(without.stream, settings);
        out.claims.push_back(judged(std::string(name) + ": collisions with and without the test", "equal",
                                    std::to_string(a) + " and " + std::to_string(b), a == b));
        if (a != b) out.failure = std::string(name) + ": the box test changes verdicts";
    }
    return out;
}

Result<Findings> run_approach(const ExperimentOptions& options) {
    const auto library = make_library(options.seed);
    if (!library) return library.error();
    Findings out;
    Sweep sweep;
    for (std::size_t i = 0; i < library.value().size(); ++i) {
        if (options.quick && i % 6 != 1) continue;
        const LibraryObject& object = library.value()[i];
        if (options.progress) options.progress(object.name);
        const Approach approach = record_approach(object.shape, options.quick ? 4 : 20, options.seed + i);
        if (approach.timed() == 0) {  // such as a cube, which is its own oriented box
            out.notes.push_back(
                "The " + std::string(object.name) +
                " has no time: the test of oriented boxes decides every pair until it collides.");
            continue;
        }
        sweep.add(object.shape->hull()->vertex_count,
                  compare(approach.stream, approach.timed(), options.quick ? 3 : 9,
                          [&](StreamRun& run) { return run.time(approach.last_frames); }));
    }
    Claim few = shown("the least vertices: time of the linear program / closest features", "roughly the same",
                      ratio_text(sweep.ratios.front().second));
    out.claims = {few, gains("from 4 to 264 vertices the linear program gains", "yes, significantly", sweep),
                  faster_at_end(sweep)};
    out.values.push_back({"linear_program/264", sweep.curves[0].points.back().second, "ns",
                          sweep.ratios.back().second.spread});
    out.plots.push_back({"Last five frames before collision", "vertices", "ns per query", true, true,
                         std::move(sweep.curves)});
    return out;
}

/// Measures a crowd for every setting x; `set` changes the motion.
template <class Set>
Sweep sweep_crowd(FreeMotion motion, const std::vector<double>& xs, const ExperimentOptions& options,
                  Set&& set) {
    Sweep out;
    motion.frames = options.quick ? 60 : 1500;
    motion.seed = options.seed;
    for (const double x : xs) {
        if (options.quick && x != xs.front() && x != xs.back()) continue;
        if (options.progress) options.progress(format_number("%g", x));
        set(x, motion);
        const FreeStream recorded = record_free_motion(motion);
        out.add(x, compare(recorded.stream, std::max<std::size_t>(1, recorded.stream.queries.size()),
                           options.quick ? 3 : 7, [](StreamRun& run) { return run.time(); }));
    }
    return out;
}

Result<Findings> run_numbers(const ExperimentOptions& options) {
    const auto library = make_library(options.seed);
    if (!library) return library.error();
    Findings out;
    for (const std::size_t object : {7u, 19u}) {  // dodecahedron and sphere
        FreeMotion motion;
        motion.objects = {library.value()[object].shape};
        Sweep sweep = sweep_crowd(motion, {10, 20, 40, 70, 100}, options,
                                  [](double x, FreeMotion& m) { m.bodies = static_cast<std::size_t>(x); });
        const std::string name = library.value()[object].name;
        out.claims.push_back(gains(name + ": from 10 to 100 objects the linear program gains", "yes", sweep));
        out.claims.push_back(faster_at_end(sweep));
        out.plots.push_back(
            {"Cube of 6 m, " + name, "objects", "ns per query", false, true, std::move(sweep.curves)});
    }
    return out;
}

Result<Findings> run_density(const ExperimentOptions& options) {
    const auto library = make_library(options.seed);
    if (!library) return library.error();
    FreeMotion motion;
    motion.objects = shapes_of(library.value(), 2);
    Sweep sweep = sweep_crowd(motion, {12, 11, 10, 9, 8, 7, 6, 5, 4}, options,
                              [](double x, FreeMotion& m) { m.side = x; });
    Findings out;
    out.claims = {gains("from a side of 12 to one of 4, the linear program gains", "yes", sweep),
                  faster_at_end(sweep)};
    out.plots.push_back(
        {"Ten different objects", "side of the cube", "ns per query", false, true, std::move(sweep.curves)});
    return out;
}

Result<Findings> run_speeds(const ExperimentOptions& options) {
    const auto library = make_library(options.seed);
    if (!library) return library.error();
    FreeMotion motion;
    motion.objects = shapes_of(library.value(), 2);
    Findings out;
    Sweep steps = sweep_crowd(motion, {0.01, 0.02, 0.05, 0.1, 0.2}, options,
                              [](double x, FreeMotion& m) { m.step = x; });
    Sweep turns =
        sweep_crowd(motion, {2, 5, 10, 20, 40}, options, [](double x, FreeMotion& m) { m.turn = x; });
    for (const auto& [name, sweep] :
         {std::pair<const char*, const Sweep*>{"translation", &steps}, {"rotation", &turns}})
        out.claims.push_back(shown(
            std::string(name) + ": growth of the time, linear program and closest features", "curves only",
            format_number("%.2f",
                          sweep->curves[0].points.back().second / sweep->curves[0].points.front().second) +
                " and " +
                format_number("%.2f times", sweep->curves[1].points.back().second /
                                                sweep->curves[1].points.front().second)));
    out.plots.push_back({"Ten objects in a cube of 6 m, translation", "metres per frame", "ns per query",
                         true, true, std::move(steps.curves)});
    out.plots.push_back({"Ten objects in a cube of 6 m, rotation",
                         "largest angle per axis and frame, degrees", "ns per query", true, true,
                         std::move(turns.curves)});
    return out;
}

}  // namespace

const PaperRow& describe_lp_6_lib() {
    static const PaperRow row{
        "LP-6-lib", "IVRI-CD, section 6", "The library of 20 objects",
        "Platonic solids, prisms, a pyramid, a cuboctahedron, ten bodies of revolved random "
        "segments, and a sphere. The paper took some objects from I-COLLIDE.",
        run_library};
    return row;
}

const PaperRow& describe_lp_6_base() {
    static const PaperRow row{"LP-6-base", "IVRI-CD, section 6",
                              "Test of oriented boxes before all algorithms", kMotion, run_box_test};
    return row;
}

const PaperRow& describe_lp_x1() {
    static const PaperRow row{
        "LP-X1", "IVRI-CD, experiment 1, figure 8", "Two objects just before they collide",
        "Two equal objects start at opposite sides of a cube of 6 m and move towards each other by 0.02 m "
        "per "
        "frame, with random rotations of up to 10 degrees about each axis; 20 repeats. Only the last five "
        "frames before each collision count.",
        run_approach};
    return row;
}

const PaperRow& describe_lp_x2() {
    static const PaperRow row{"LP-X2", "IVRI-CD, experiment 2, figure 9", "A growing number of equal objects",
                              kMotion, run_numbers};
    return row;
}

const PaperRow& describe_lp_x3() {
    static const PaperRow row{"LP-X3", "IVRI-CD, experiment 3, figure 10",
                              "Ten different objects in cubes of different size", kMotion, run_density};
    return row;
}

const PaperRow& describe_lp_x4() {
    static const PaperRow row{"LP-X4", "IVRI-CD, experiment 4, figures 11 and 12",
                              "Different speeds of translation and rotation", kMotion, run_speeds};
    return row;
}

}  // namespace claybox::bench
