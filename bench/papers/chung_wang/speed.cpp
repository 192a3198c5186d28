// CW-X5 to CW-X7: separating vector against closest features, by translation, rotation and density (Chung and
// Wang 1996, figure 4(iv) to (vi)). The baseline is our V-Clip; the paper used I-COLLIDE.

#include "bench/experiments/shared/tables.hpp"
#include "bench/papers/chung_wang/mixed_cage.hpp"
#include "bench/papers/paper_row.hpp"
#include "bench/papers/shared/stream_run.hpp"
#include "bench/papers/shared/timing.hpp"

namespace claybox::bench {

using namespace collision;

const PaperRow& describe_cw_x5();
const PaperRow& describe_cw_x6();
const PaperRow& describe_cw_x7();

namespace {

constexpr const char* kSetup =
    "100 polytopes of three mixed shapes with equal numbers of vertices in a closed box. The queries of each "
    "setting are recorded once and asked in turn. Closest features: V-Clip, which replaced the Lin-Canny "
    "walk "
    "of the paper's I-COLLIDE. Both answer exactly, with a proof in double; both start from the last answer "
    "of the pair.";
constexpr const char* kBaseline =
    "The paper's baseline walks from feature to feature without shortcuts and calls a linear program when "
    "features come back. V-Clip's walk ends earlier, so it is a much faster opponent.";

/// One setting of the swept quantity.
struct Point {
    double x = 0;
    MixedCage cage;
};

/// Times per query and mean steps of both algorithms, by setting.
struct Series {
    Curve sv{"separating vector", {}}, cf{"closest features", {}}, sv_steps{"steps, separating vector", {}},
        cf_steps{"steps, closest features", {}};
    Steady first_ratio, last_ratio;  ///< closest features / separating vector
    bool faster_everywhere = true, usable = true;
};

double mean_iterations(StreamRun& run, std::size_t queries) {
    double sum = 0;
    run.play([&](const streams::StreamQuery&, const PairResult& r) { sum += r.iterations; });
    return sum / static_cast<double>(queries);
}

Status measure_point(const Point& point, const ExperimentOptions& options, Series& out) {
    const auto stream = record_mixed_cage(point.cage);
    if (!stream) return stream.error();
    const std::size_t queries = stream.value().queries.size();
    if (queries == 0) return Error{"no boxes overlap in this cage, expected candidate pairs", {}, 0};
    StreamRun sv(stream.value(), {"separating_vector", {{"recall_collision", 0}}}),
        cf(stream.value(), {"v_clip"});
    const auto times =
        time_in_turn({[&] { return sv.time(); }, [&] { return cf.time(); }}, options.quick ? 3 : 9);
    const auto per_query = [&](const Timing& t) { return t.steady().median / static_cast<double>(queries); };
    out.sv.points.emplace_back(point.x, per_query(times[0]));
    out.cf.points.emplace_back(point.x, per_query(times[1]));
    out.sv_steps.points.emplace_back(point.x, mean_iterations(sv, queries));
    out.cf_steps.points.emplace_back(point.x, mean_iterations(cf, queries));
    const Steady ratio = ratio_of(times[1], times[0]);
    if (out.sv.points.size() == 1) out.first_ratio = ratio;
    out.last_ratio = ratio;
    out.faster_everywhere &= ratio.median > 1;
    out.usable &= ratio.usable();
    return Done{};
}

/// The ratio of the last and the first value of a curve.
double growth(const Curve& curve) {
    return curve.points.back().second / curve.points.front().second;
}

/// What the three figures say in common, for one number of vertices.
struct Text {
    const char* swept;    ///< "translation"
    const char* x;        ///< title of the axis
    const char* from_to;  ///< "2 % to 20 %"
};

/// Why the times may not grow as published although the steps do.
std::string growth_reason(const Series& s) {
    const auto with_spread = [](const Steady& ratio) {
        return format_number("%.2f", ratio.median) + format_number(" (spread %.0f %%)", 100 * ratio.spread);
    };
    return "Closest features / separating vector: " + with_spread(s.first_ratio) + " in the first setting, " +
           with_spread(s.last_ratio) +
           " in the last. Where these differ by less than their spread, the steps in the next line say more.";
}

void add_claims(const Text& text, std::uint32_t vertices, const Series& s, Findings& out) {
    const std::string n = std::to_string(vertices) + " vertices: ";
    const double sv = growth(s.sv), cf = growth(s.cf);
    const std::string grow = format_number("%.2f", sv) + " and " + format_number("%.2f times", cf);
    Claim claim = judged(n + "time from " + text.from_to + ", separating vector and closest features",
                         "grows slightly, and substantially", grow, cf > sv, cf > sv ? "" : growth_reason(s));
    if (!s.usable) claim.judgement = Judgement::refused;
    out.claims.push_back(std::move(claim));
    out.claims.push_back(judged(
        n + "steps, separating vector and closest features", "",
        format_number("%.2f", growth(s.sv_steps)) + " and " + format_number("%.2f times", growth(s.cf_steps)),
        growth(s.cf_steps) > growth(s.sv_steps), "Independent of the machine."));
    Claim faster = judged(n + "separating vector is faster in all settings", "yes",
                          s.faster_everywhere ? "yes" : "no", s.faster_everywhere, kBaseline);
    if (!s.usable) faster.judgement = Judgement::refused;
    out.claims.push_back(std::move(faster));
    out.values.push_back({"separating_vector/" + std::to_string(vertices), s.sv.points.back().second, "ns",
                          s.last_ratio.spread});
}

template <class MakePoint>
Result<Findings> sweep(const Text& text, const std::vector<double>& xs, const ExperimentOptions& options,
                       MakePoint&& make_point) {
    Findings out;
    for (const std::uint32_t vertices : {20u, 100u, 500u}) {
        if (options.quick && vertices == 500) continue;
        Series series;
        for (const double x : xs) {
            if (options.quick && x != xs.front() && x != xs.back()) continue;
            if (options.progress)
                options.progress(std::to_string(vertices) + " vertices, " + format_number("%g", x));
            Point point{x, {}};
            point.cage.vertices = vertices;
            point.cage.seed = options.seed;
            point.cage.frames = options.quick ? 8 : 60;
            make_point(x, point.cage);
            if (const Status done = measure_point(point, options, series); !done) return done.error();
        }
        add_claims(text, vertices, series, out);
        if (text.swept == std::string("translation") && (vertices == 500 || options.quick))
            out.claims.push_back(shown(
                "closest features / separating vector at 20 %, " + std::to_string(vertices) + " vertices",
                "nearly 28 (500 vertices)", ratio_text(series.last_ratio), kBaseline));
        out.plots.push_back({"Time per query, " + std::to_string(vertices) + " vertices",
                             text.x,
                             "ns",
                             false,
                             true,
                             {series.sv, series.cf}});
        out.plots.push_back({"Mean steps, " + std::to_string(vertices) + " vertices",
                             text.x,
                             "steps",
                             false,
                             false,
                             {series.sv_steps, series.cf_steps}});
    }
    return out;
}

Result<Findings> run_translation(const ExperimentOptions& options) {
    return sweep({"translation", "translation per frame, % of the radius", "2 % to 20 % of the radius"},
                 {2, 5, 10, 15, 20}, options, [](double x, MixedCage& cage) { cage.step = x / 100; });
}

Result<Findings> run_rotation(const ExperimentOptions& options) {
    return sweep({"rotation", "rotation per frame, degrees", "5 to 40 degrees"}, {5, 10, 20, 30, 40}, options,
                 [](double x, MixedCage& cage) { cage.turn = x; });
}

Result<Findings> run_density(const ExperimentOptions& options) {
    return sweep({"density", "share of the box that the bounding balls fill, %", "5 % to 40 % of the box"},
                 {5, 10, 20, 40}, options, [](double x, MixedCage& cage) { cage.filled = x / 100; });
}

}  // namespace

const PaperRow& describe_cw_x5() {
    static const PaperRow row{"CW-X5", "Chung and Wang 1996, figure 4(iv)",
                              "Separating vector and closest features over translational speed", kSetup,
                              run_translation};
    return row;
}

const PaperRow& describe_cw_x6() {
    static const PaperRow row{"CW-X6", "Chung and Wang 1996, figure 4(v)",
                              "Separating vector and closest features over rotational speed", kSetup,
                              run_rotation};
    return row;
}

const PaperRow& describe_cw_x7() {
    static const PaperRow row{"CW-X7", "Chung and Wang 1996, figure 4(vi), which the text calls 4(v)",
                              "Separating vector and closest features over density", kSetup, run_density};
    return row;
}

}  // namespace claybox::bench
