// CW-X1 to CW-X4: the number k of steps of the separating vector search (Chung and Wang 1996, figure 4(i) to
// (iii)). Counts, so the machine does not matter.

#include "bench/experiments/shared/tables.hpp"
#include "bench/papers/chung_wang/mixed_cage.hpp"
#include "bench/papers/paper_row.hpp"
#include "bench/papers/shared/stream_run.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace claybox::bench {

using namespace collision;

const PaperRow& describe_cw_x1();
const PaperRow& describe_cw_x2();
const PaperRow& describe_cw_x3();
const PaperRow& describe_cw_x4();

namespace {

constexpr const char* kSetup =
    "500 polytopes of one shape in a closed box, 5 % of the radius and 10 degrees per frame; pairs whose "
    "boxes "
    "overlap are tested; both bodies turn back when they begin to collide. Direction table of 8 x 16, hill "
    "climbing; the memory of collisions, which is ours, is off. The paper gives neither the proportions of "
    "rods and plates nor the size of the box: here the half axes are 1, 0.7, 0.5 (ellipsoid), 1, 0.1, 0.1 "
    "(rod) and 1, 1, 0.1 (plate), and the bounding balls fill a tenth of the box (rods: 0.4 of it).";

/// Numbers of queries by number of steps.
struct Steps {
    std::map<std::uint32_t, std::uint64_t> separated, colliding;
    std::vector<bool> returned;  ///< of each query: separated, and a pair of vertices came back
};

/// The queries of one shape, and how they are asked.
struct Recorded {
    streams::QueryStream stream;
    Steps steps;
};

std::uint64_t count_up_to(const std::map<std::uint32_t, std::uint64_t>& h, std::uint32_t last) {
    std::uint64_t out = 0;
    for (const auto& [k, n] : h) out += k <= last ? n : 0;
    return out;
}

std::uint64_t count_all(const std::map<std::uint32_t, std::uint64_t>& h) {
    return count_up_to(h, UINT32_MAX);
}

std::map<std::uint32_t, std::uint64_t> sum(std::map<std::uint32_t, std::uint64_t> a,
                                           const std::map<std::uint32_t, std::uint64_t>& b) {
    for (const auto& [k, n] : b) a[k] += n;
    return a;
}

double percent(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all);
}

Result<Recorded> record_steps(const ChungWangShape& shape, std::uint32_t vertices,
                              const ExperimentOptions& options) {
    MixedCage cage;
    cage.vertices = vertices;
    cage.bodies = options.quick ? 250 : 500;
    cage.frames = options.quick ? 30 : 400;
    cage.filled = shape.primitive == Primitive::rod_hull ? 0.4 : 0.1;
    cage.seed = options.seed;
    cage.only = &shape;
    auto stream = record_mixed_cage(cage);
    if (!stream) return stream.error();
    if (options.progress) options.progress(std::string(shape.name) + ", " + std::to_string(vertices));
    Recorded out{std::move(stream.value()), {}};
    StreamRun run(out.stream, {"separating_vector", {{"table", 2}, {"support", 2}, {"recall_collision", 0}}});
    const std::size_t steps = run.counter("steps"), returned = run.counter("revisited pairs");
    run.play([&](const streams::StreamQuery&, const PairResult& r) {
        const bool separated = r.verdict == Verdict::separated;
        ++(separated ? out.steps.separated : out.steps.colliding)[r.counters[steps]];
        out.steps.returned.push_back(separated && r.counters[returned] > 0);
    });
    return out;
}

Result<Steps> count_steps(const ChungWangShape& shape, std::uint32_t vertices,
                          const ExperimentOptions& options) {
    auto recorded = record_steps(shape, vertices, options);
    if (!recorded) return recorded.error();
    return std::move(recorded.value().steps);
}

Result<std::array<Steps, 3>> count_all_shapes(const ExperimentOptions& options) {
    std::array<Steps, 3> out;
    for (std::size_t i = 0; i < out.size(); ++i) {
        auto steps = count_steps(kChungWangShapes[i], 500, options);
        if (!steps) return steps.error();
        out[i] = std::move(steps.value());
    }
    return out;
}

Curve cumulative(const char* name, const std::map<std::uint32_t, std::uint64_t>& h) {
    Curve out{name, {}};
    for (std::uint32_t k = 1; k <= 12; ++k)
        out.points.emplace_back(k, percent(count_up_to(h, k), count_all(h)));
    return out;
}

Result<Findings> run_separated(const ExperimentOptions& options) {
    const auto steps = count_all_shapes(options);
    if (!steps) return steps.error();
    Findings out;
    Plot plot{"Separated pairs decided within k steps", "steps k", "% of queries", false, false, {}};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& h = steps.value()[i].separated;
        const std::string name = kChungWangShapes[i].name;
        plot.curves.push_back(cumulative(kChungWangShapes[i].name, h));
        const double three = percent(count_up_to(h, 3), count_all(h));
        out.claims.push_back(
            judged(name + ": decided within 3 steps", "> 95 %", format_number("%.2f %%", three), three > 95));
        out.notes.push_back(name + ": " + std::to_string(count_all(h)) + " separated queries.");
    }
    const auto& h = steps.value()[0].separated;
    const double four = percent(count_up_to(h, 4), count_all(h));
    out.claims.push_back(
        judged("ellipsoid: decided within 4 steps", "> 99 %", format_number("%.2f %%", four), four > 99));
    out.plots.push_back(std::move(plot));
    return out;
}

Result<Findings> run_all_tests(const ExperimentOptions& options) {
    const auto steps = count_all_shapes(options);
    if (!steps) return steps.error();
    Findings out;
    Plot plot{"All pairs decided within k steps", "steps k", "% of queries", false, false, {}};
    std::map<std::uint32_t, std::uint64_t> total;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto h = sum(steps.value()[i].separated, steps.value()[i].colliding);
        total = sum(total, h);
        plot.curves.push_back(cumulative(kChungWangShapes[i].name, h));
        out.claims.push_back(shown(std::string(kChungWangShapes[i].name) + ": completed within 3 steps",
                                   "figure 4(ii), no number",
                                   format_number("%.1f %%", percent(count_up_to(h, 3), count_all(h)))));
    }
    const double three = percent(count_up_to(total, 3), count_all(total));
    out.claims.insert(out.claims.begin(), judged("on average: completed within 3 steps", "> 80 %",
                                                 format_number("%.1f %%", three), three > 80));
    out.plots.push_back(std::move(plot));
    return out;
}

/// Separated queries by distance, and those for which a pair of vertices came back.
struct GapClass {
    const char* name;
    double from = 0;  ///< radii
    std::uint64_t queries = 0, returned = 0;
};

void add_by_gap(const Recorded& recorded, std::vector<GapClass>& classes) {
    std::size_t i = 0;
    StreamRun(recorded.stream, {"gjk", {}, Exactness::exact, kWantDistance})
        .play([&](const streams::StreamQuery&, const PairResult& r) {
            const bool returned = recorded.steps.returned[i++];
            if (r.verdict != Verdict::separated) return;
            for (std::size_t k = classes.size(); k-- > 0;)
                if (r.distance >= classes[k].from) {
                    ++classes[k].queries;
                    classes[k].returned += returned ? 1 : 0;
                    break;
                }
        });
}

Result<Findings> run_returns(const ExperimentOptions& options) {
    Findings out;
    std::vector<GapClass> classes{
        {"below 1 %", 0}, {"1 to 5 %", 0.01}, {"5 to 20 %", 0.05}, {"above 20 %", 0.2}};
    for (const ChungWangShape& shape : kChungWangShapes) {
        const auto recorded = record_steps(shape, 500, options);
        if (!recorded) return recorded.error();
        const Steps& s = recorded.value().steps;
        const auto returned =
            static_cast<std::uint64_t>(std::count(s.returned.begin(), s.returned.end(), true));
        out.claims.push_back(shown(std::string(shape.name) + ": a pair of vertices comes back", "",
                                   format_number("%.3f %%", percent(returned, count_all(s.separated)))));
        add_by_gap(recorded.value(), classes);
    }
    FindingsTable table{"By distance of the bodies, of the radius",
                        1,
                        {"distance", "separated queries", "share of them", "a pair comes back"},
                        {}};
    std::uint64_t queries = 0, returned = 0, far = 0, far_returned = 0;
    for (const GapClass& c : classes) queries += c.queries;
    for (const GapClass& c : classes) {
        returned += c.returned;
        if (c.from >= 0.05) {
            far += c.queries;
            far_returned += c.returned;
        }
        table.rows.push_back({c.name, std::to_string(c.queries),
                              format_number("%.1f %%", percent(c.queries, queries)),
                              format_number("%.3f %%", percent(c.returned, c.queries))});
    }
    const double all = percent(returned, queries);
    out.claims.insert(
        out.claims.begin(),
        {judged("a pair of support vertices comes back, separated pairs", "< 0.1 %",
                format_number("%.3f %%", all), all < 0.1,
                "Nearly all of them are close to contact. The share therefore depends on how close the "
                "bodies of an environment come, which the paper does not say."),
         judged("the same, bodies farther apart than one step (5 % of the radius)", "< 0.1 %",
                format_number("%.3f %%", percent(far_returned, far)), percent(far_returned, far) < 0.1)});
    out.tables.push_back(std::move(table));
    return out;
}

Result<Findings> run_largest(const ExperimentOptions& options) {
    Findings out;
    Plot plot{"Largest number of steps", "vertices", "largest k", true, false, {}};
    constexpr const char* kPaper[] = {"about 22, flat", "20 to 40", "25 to 55"};
    for (std::size_t i = 0; i < 3; ++i) {
        const ChungWangShape& shape = kChungWangShapes[i];
        Curve curve{shape.name, {}};
        double rarest = 0;
        for (const std::uint32_t n : {10u, 20u, 50u, 100u, 200u, 500u, 1000u}) {
            if (options.quick && n != 10 && n != 100) continue;
            const auto steps = count_steps(shape, n, options);
            if (!steps) return steps.error();
            const auto h = sum(steps.value().separated, steps.value().colliding);
            curve.points.emplace_back(n, h.rbegin()->first);
            rarest = std::max(rarest, percent(h.rbegin()->second, count_all(h)));
        }
        const double first = curve.points.front().second, last = curve.points.back().second;
        const double bound = i == 0 ? 25 : i == 1 ? 40 : 55;
        out.claims.push_back(
            judged(std::string(shape.name) + ": largest k from the fewest to the most vertices", kPaper[i],
                   format_number("%.0f", first) + " to " + format_number("%.0f", last),
                   std::max(first, last) <= bound, "Holds if k stays below the largest value of the paper."));
        out.claims.push_back(shown(std::string(shape.name) + ": share of queries with the largest k",
                                   "at most 0.01 %", format_number("%.4f %%", rarest),
                                   "The largest share of all numbers of vertices; it shrinks with the length "
                                   "of the run."));
        plot.curves.push_back(std::move(curve));
    }
    out.plots.push_back(std::move(plot));
    return out;
}

}  // namespace

const PaperRow& describe_cw_x1() {
    static const PaperRow row{"CW-X1", "Chung and Wang 1996, figure 4(i)",
                              "Steps for separated pairs with overlapping boxes, 500 vertices", kSetup,
                              run_separated};
    return row;
}

const PaperRow& describe_cw_x2() {
    static const PaperRow row{"CW-X2", "Chung and Wang 1996, figure 4(ii)",
                              "Steps for all pairs, 500 vertices", kSetup, run_all_tests};
    return row;
}

const PaperRow& describe_cw_x3() {
    static const PaperRow row{"CW-X3", "Chung and Wang 1996, section 6",
                              "Support vertices that come back during a search", kSetup, run_returns};
    return row;
}

const PaperRow& describe_cw_x4() {
    static const PaperRow row{"CW-X4", "Chung and Wang 1996, figure 4(iii)",
                              "Largest number of steps, 10 to 1000 vertices", kSetup, run_largest};
    return row;
}

}  // namespace claybox::bench
