// Z-3.6.5-X1 to X4: box-trees (Zachmann, thesis, 3.6.5). X2 to X4 are measured by `claybox bench box_tree`.

#include "bench/experiments/shared/tables.hpp"
#include "bench/papers/paper_row.hpp"
#include "bench/papers/shared/from_experiment.hpp"
#include "bench/papers/shared/scene_stream.hpp"
#include "bench/papers/shared/stream_run.hpp"
#include "bench/papers/shared/timing.hpp"

namespace claybox::bench {

using namespace collision;

const PaperRow& describe_z_3_6_5_x1();
const PaperRow& describe_z_3_6_5_x2();
const PaperRow& describe_z_3_6_5_x3();
const PaperRow& describe_z_3_6_5_x4();

namespace {

constexpr const char* kBodies[] = {"sphere", "torus", "tetra-flake"};
constexpr const char* kPairs =
    "Two equal bodies of radius 1 m approach and separate; of four queries one collides by 1 %, one is apart "
    "by 1 %, two are farther apart. The thesis lets them bounce in a cage.";

/// Reads more memory than the processor's caches hold, so that the next query finds nothing there.
class CacheFlush {
  public:
    CacheFlush() : block_(kBytes / sizeof(std::uint64_t), 1) {}
    void operator()() {
        constexpr std::size_t kLine = 64 / sizeof(std::uint64_t);
        for (std::size_t i = 0; i < block_.size(); i += kLine) ++block_[i];
    }

  private:
    static constexpr std::size_t kBytes = std::size_t{64} << 20;
    std::vector<std::uint64_t> block_;
};

Result<Findings> run_caches(const ExperimentOptions& options) {
    const auto torus = make_primitive_shape(Primitive::torus, options.quick ? 200 : 1000, 1, 1);
    if (!torus) return torus.error();
    const streams::QueryStream stream = record_two(torus.value(), 1.2, options.quick ? 8 : 60, options.seed);
    StreamRun edges(stream, {"edge_polygon"}), boxes(stream, {"box_tree"});
    CacheFlush flush;
    const auto cold = [&] { flush(); };
    const auto nothing = [] {};
    const auto times =
        time_in_turn({[&] { return edges.time_each(nothing); }, [&] { return boxes.time_each(nothing); },
                      [&] { return edges.time_each(cold); }, [&] { return boxes.time_each(cold); }},
                     options.quick ? 3 : 7);
    const Steady warm = ratio_of(times[0], times[1]), flushed = ratio_of(times[2], times[3]);
    Findings out;
    out.claims = {
        unless_refused(warm.usable(),
                       judged("time of the arbitrary algorithm / box-tree, warm caches",
                              "Onyx, Indigo: much more than 1", ratio_text(warm), warm.median > 1)),
        shown("the same, caches flushed before every query", "VGX: 0.5", ratio_text(flushed),
              "The thesis gives no cause for the slow box-trees of the older machine. A walk through a tree "
              "reads memory "
              "in no order; this run shows how much of the gain cold caches cost."),
        shown("cost of cold caches: arbitrary algorithm; box-tree", "",
              ratio_text(ratio_of(times[2], times[0])) + "; " + ratio_text(ratio_of(times[3], times[1])))};
    out.notes.push_back("Two tori of " + std::to_string(torus.value()->topology().polygon_count()) +
                        " polygons. To flush, 64 MB are read and written.");
    return out;
}

// Counted in a run with these bodies: 11.5 million groups of parallel edges, 25.8 % of them flagged whole.
constexpr const char* kFlagsReason =
    "74 % of the box edges have a flag, but four parallel edges are clipped together here, and only a group "
    "whose four edges all have flags is skipped: 26 % of the groups.";

/// How many edge tests the collect phase saves.
std::string collect_reason(const Measured& m, const std::string& at) {
    const auto tests = [&](const char* subject) { return m.counter(at + subject, "edge tests"); };
    return "Edge tests per query: " + format_number("%.0f without the collect phase, ", tests("no-collect")) +
           format_number("%.0f with the box of the object (as in the thesis), ", tests("object-box")) +
           format_number("%.0f with the box of the leaf.", tests("all"));
}

Result<Findings> run_parts(const ExperimentOptions& options) {
    auto measured = Measured::run("box_tree", {"parts"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    for (const char* body : kBodies) {
        const std::string at = std::string("parts-") + body + "/";
        const double flags = m.ratio(at + "no-flags", at + "all"),
                     collect = m.ratio(at + "no-collect", at + "object-box");
        out.claims.push_back(unless_refused(
            m.usable({at + "no-flags", at + "all"}),
            judged(std::string(body) + ": speed-up by flags for empty intervals", "1.14 in the worst case",
                   format_number("%.2f", flags), flags > 1.02, kFlagsReason)));
        out.claims.push_back(
            unless_refused(m.usable({at + "no-collect", at + "object-box"}),
                           judged(std::string(body) + ": speed-up by collecting polygons of a leaf", "1.5",
                                  format_number("%.2f", collect), collect > 1, collect_reason(m, at))));
    }
    return out;
}

/// The value of the smallest time in a row of a sweep.
std::string best_of(const Measured& m, const std::string& row, const std::string& id,
                    const std::vector<int>& values) {
    int best = values[0];
    const auto ns = [&](int value) { return m.ns(row + "/" + id + "-" + std::to_string(value)); };
    for (const int value : values)
        if (ns(value) < ns(best)) best = value;
    return std::to_string(best);
}

Result<Findings> run_parameters(const ExperimentOptions& options) {
    auto measured = Measured::run("box_tree", {"parameters"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    const std::vector<int> depths{4, 6, 8, 10, 12, 16, 24};
    const std::string large = options.quick ? "300" : "5000";
    for (const char* body : kBodies) {
        Plot plot{std::string("Maximum depth, ") + body, "maximum depth", "us per query", false, true, {}};
        for (const std::string& count : {std::string("200"), large}) {
            const std::string row = std::string("d_max-") + body + "-" + count;
            Curve curve{count + " polygons", {}};
            for (const int depth : depths)
                curve.points.emplace_back(depth, 1e-3 * m.ns(row + "/d_max-" + std::to_string(depth)));
            plot.curves.push_back(std::move(curve));
        }
        out.plots.push_back(std::move(plot));
        const std::string few = std::string("d_max-") + body + "-200",
                          many = std::string("d_max-") + body + "-" + large;
        out.claims.push_back(
            shown(std::string(body) + ": best maximum depth, 200 and " + large + " polygons",
                  "figures 3.32 to 3.34: grows with the number of polygons",
                  best_of(m, few, "d_max", depths) + " and " + best_of(m, many, "d_max", depths)));
    }
    return out;
}

Result<Findings> run_crossover(const ExperimentOptions& options) {
    auto measured = Measured::run("box_tree", {"crossover"}, options);
    if (!measured) return measured.error();
    const Measured& m = measured.value();
    Findings out = m.findings;
    std::vector<int> counts{20, 50, 100, 200, 300, 500, 1000, 2000, 5000, 10000, 20000};
    if (options.quick) counts = {20, 100, 300};
    constexpr const char* kThresholds[] = {"300", "60", "300"};
    Plot plot{"Arbitrary algorithm / box-tree", "polygons", "ratio of times", true, true, {}};
    double at_100[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
        Curve curve{kBodies[i], {}};
        for (const int n : counts) {
            const std::string at = std::string(kBodies[i]) + "-" + std::to_string(n) + "/";
            curve.points.emplace_back(n, m.ratio(at + "edge_polygon", at + "box_tree"));
            if (n == 100) at_100[i] = curve.points.back().second;
        }
        const auto first = std::find_if(curve.points.begin(), curve.points.end(),
                                        [](const auto& p) { return p.second >= 1; });
        out.claims.push_back(
            judged(std::string(kBodies[i]) + ": box-trees gain with the number of polygons",
                   std::string("yes, faster above ") + kThresholds[i],
                   first == curve.points.end()
                       ? std::string("never faster")
                       : "faster from " + format_number("%.0f", first->first) +
                             format_number(" on; %.1f times at the end", curve.points.back().second),
                   curve.points.back().second > curve.points.front().second));
        plot.curves.push_back(std::move(curve));
    }
    out.claims.push_back(shown("ratio at 100 polygons: sphere, torus, flake", "0.36, 1.58, 0.5",
                               format_number("%.2f, ", at_100[0]) + format_number("%.2f, ", at_100[1]) +
                                   format_number("%.2f", at_100[2])));
    if (!options.quick)
        out.claims.push_back(
            {"torus of 1000 polygons: ratio", "200",
             format_number("%.1f", m.ratio("torus-1000/edge_polygon", "torus-1000/box_tree")),
             Judgement::doubtful, "The printed 200 does not fit its neighbour 4.6 (FIX-25)."});
    out.plots.push_back(std::move(plot));
    return out;
}

}  // namespace

const PaperRow& describe_z_3_6_5_x1() {
    static const PaperRow row{"Z-3.6.5-X1", "Zachmann 1994, 3.6.5",
                              "The very first result: effects of caches",
                              "Two tori of 1000 polygons whose centres fly in a cube of 2.4 m.", run_caches};
    return row;
}

const PaperRow& describe_z_3_6_5_x2() {
    static const PaperRow row{"Z-3.6.5-X2", "Zachmann 1994, 3.6.5", "Gain of single parts of box-trees",
                              kPairs, run_parts};
    return row;
}

const PaperRow& describe_z_3_6_5_x3() {
    static const PaperRow row{"Z-3.6.5-X3", "Zachmann 1994, figures 3.32 to 3.34", "Depth and size of leaves",
                              kPairs, run_parameters};
    return row;
}

const PaperRow& describe_z_3_6_5_x4() {
    static const PaperRow row{"Z-3.6.5-X4", "Zachmann 1994, figures 3.35 to 3.37, table",
                              "Box-trees and the algorithm for arbitrary polygons", kPairs, run_crossover};
    return row;
}

}  // namespace claybox::bench
