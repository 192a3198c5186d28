// BU-X1 to BU-X3: relative screw motion (Buss 2004, section 9).

#include "bench/contestants/ours_continuous.hpp"
#include "bench/experiments/continuous/continuous_rows.hpp"
#include "bench/experiments/shared/measure.hpp"
#include "bench/experiments/shared/tables.hpp"
#include "bench/papers/paper_row.hpp"
#include "bench/papers/shared/from_experiment.hpp"
#include "bench/papers/shared/timing.hpp"
#include "collision/continuous/screw_motion/collision_screen.hpp"
#include "collision/continuous/screw_motion/screw_examples.hpp"
#include "collision/core/random.hpp"

#include <cmath>
#include <numbers>

namespace claybox::bench {

using namespace collision;

const PaperRow& describe_bu_x1();
const PaperRow& describe_bu_x2();
const PaperRow& describe_bu_x3();

namespace {

/// screw_motion on recorded queries, each from an empty cache.
class ScrewRun {
  public:
    ScrewRun(const std::vector<ShapePtr>& shapes, const std::vector<MovingQuery>& queries, double pixels,
             bool draw)
        : contestant_(algorithm_, settings(pixels, draw)), count_(queries.size()) {
        [[maybe_unused]] const bool fits = contestant_.prepare(shapes) && contestant_.load(queries);
        CLAYBOX_ASSERT(fits);
    }
    /// Nanoseconds per query.
    double time() {
        const double start = now_ns();
        for (std::size_t i = 0; i < count_; ++i) (void)contestant_.answer(i);
        return (now_ns() - start) / static_cast<double>(count_);
    }
    /// Mean of a counter.
    double mean(std::string_view counter) const {
        const auto& names = algorithm_.counters;
        const auto at =
            static_cast<std::size_t>(std::find(names.begin(), names.end(), counter) - names.begin());
        CLAYBOX_ASSERT(at < names.size());
        double sum = 0;
        for (std::size_t i = 0; i < count_; ++i) sum += contestant_.ask(i).counters[at];
        return sum / static_cast<double>(count_);
    }

  private:
    ParameterValues settings(double pixels, bool draw) const {
        ParameterValues out = default_values(algorithm_.parameters);
        out[find_parameter(algorithm_.parameters, "pixels")] = pixels;
        if (draw) out[find_parameter(algorithm_.parameters, "hierarchy")] = 0;
        return out;
    }

    const ContinuousAlgorithm& algorithm_ = *find_continuous_algorithm("screw_motion");
    OurContinuous contestant_;
    std::size_t count_;
};

constexpr double kPixels[] = {6, 12, 24};

Result<Findings> run_times(const ExperimentOptions& options) {
    struct Case {
        const char *row, *text;
        double paper_us[3];
    };
    constexpr Case kCases[] = {{"cube", "cubes", {56, 63, 77}},
                               {"car", "cars of 16 vertices, 12 faces", {109, 128, 170}},
                               {"torus", "tori of 300 faces", {2040, 2560, 3480}}};
    Findings out;
    FindingsTable table{
        "Microseconds per query; Pentium 4 at 2.4 GHz in brackets",
        1,
        {"bodies", "6 pixels", "12 pixels", "24 pixels", "drawn, 6", "drawn, 12", "drawn, 24"},
        {}};
    for (const Case& k : kCases) {
        if (options.progress) options.progress(k.text);
        const ContinuousRow row = make_continuous_row(k.row, options.quick ? 12 : 168, options.seed);
        std::vector<std::unique_ptr<ScrewRun>> runs;
        std::vector<Round> subjects;
        for (const bool draw : {false, true})
            for (const double pixels : kPixels) {
                runs.push_back(std::make_unique<ScrewRun>(row.shapes, row.queries, pixels, draw));
                subjects.push_back([run = runs.back().get()] { return run->time(); });
            }
        const auto times = time_in_turn(subjects, options.quick ? 3 : 15);
        std::vector<std::string> cells{k.text};
        for (std::size_t i = 0; i < 3; ++i)
            cells.push_back(format_number("%.2f", 1e-3 * times[i].steady().median) +
                            format_number(" (%.0f)", k.paper_us[i]));
        for (std::size_t i = 3; i < 6; ++i)
            cells.push_back(format_number("%.2f", 1e-3 * times[i].steady().median));
        table.rows.push_back(std::move(cells));
        const Steady ours = ratio_of(times[2], times[0]), drawn = ratio_of(times[5], times[3]);
        const std::string paper = format_number("%.2f", k.paper_us[2] / k.paper_us[0]);
        out.claims.push_back(unless_refused(
            drawn.usable(), judged(std::string(k.text) + ": 24 pixels / 6 pixels, everything drawn", paper,
                                   ratio_text(drawn), drawn.median > 1)));
        out.claims.push_back(
            shown(std::string(k.text) + ": 24 pixels / 6 pixels, default", paper, ratio_text(ours),
                  "So few pairs of parts may meet that all are solved and nothing is drawn."));
        out.values.push_back(
            {std::string("screw_motion/") + k.row, times[0].steady().median, "ns", times[0].steady().spread});
    }
    out.tables.push_back(std::move(table));
    return out;
}

/// Random screws of 20 degrees of one body towards another.
std::vector<MovingQuery> screws(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<MovingQuery> out;
    for (std::size_t i = 0; i < count; ++i) {
        MovingQuery q;
        q.shape_b = 1;
        const Vec3d from = random.vector(2.0, 2.4);
        q.world_from_a = to_matrix({random_rotation(random, 0, 3), {}});
        q.world_from_b = to_matrix({random_rotation(random, 0, 3), from});
        q.motion_b.kind = Motion::Kind::screw;
        q.motion_b.axis_w = random.unit_vector();
        q.motion_b.angle = 20 * std::numbers::pi / 180;
        q.motion_b.point_w = from + 0.3 * random.unit_vector();
        q.motion_b.travel_w = -random.uniform(0.4, 0.8) * from;
        out.push_back(q);
    }
    return out;
}

/// The exponent of a power law between the first and the last point.
double exponent(const Curve& curve) {
    const auto &first = curve.points.front(), &last = curve.points.back();
    return std::log(last.second / first.second) / std::log(last.first / first.first);
}

Result<Findings> run_scaling(const ExperimentOptions& options) {
    Plot plot{
        "Tori of n faces, everything drawn", "faces", "us per query", true, true, {{"screw_motion", {}}}};
    Plot counts{"The same, counts", "faces", "per query", true, true, {{"pixel runs", {}}, {"pairs", {}}}};
    bool usable = true;
    const std::vector<MovingQuery> queries = screws(options.quick ? 4 : 24, options.seed);
    for (const std::uint32_t along : {6u, 12u, 24u, 48u, 96u}) {
        if (options.quick && along > 12) break;
        const ShapePtr torus = make_torus(2 * along, along, 0.7, 0.3);
        ScrewRun run({torus, torus}, queries, 6, true);
        const auto times = time_in_turn({[&] { return run.time(); }}, options.quick ? 3 : 7);
        usable &= times[0].steady().usable();
        const double n = torus->topology().polygon_count();
        plot.curves[0].points.emplace_back(n, 1e-3 * times[0].steady().median);
        counts.curves[0].points.emplace_back(n, run.mean("pixel runs"));
        counts.curves[1].points.emplace_back(n, run.mean("pairs"));
    }
    const double time = exponent(plot.curves[0]), runs = exponent(counts.curves[0]);
    Findings out;
    out.claims = {
        judged("pixel runs grow as n to the power of", "1", format_number("%.2f", runs), runs < 1.2,
               "Independent of the machine. A pixel is a part of the shortest edge, so each edge covers a "
               "bounded number of rows."),
        unless_refused(usable, judged("time grows as n to the power of", "1, and a logarithm",
                                      format_number("%.2f", time), time < 1.5)),
        shown("tori of some hundred faces, compared with 0.3 to 3.7 s of another method",
              "two to three orders of magnitude faster",
              format_number("%.0f us", plot.curves[0].points[1].second) + " for " +
                  format_number("%.0f faces", plot.curves[0].points[1].first),
              "That method solves another problem, penetration depth, on older hardware.")};
    out.plots = {std::move(plot), std::move(counts)};
    return out;
}

Result<Findings> run_tori(const ExperimentOptions&) {
    const ScrewExample e = tori_example();
    const ContinuousAlgorithm& algorithm = *find_continuous_algorithm("screw_motion");
    Scratch scratch;
    ContinuousQuery query =
        make_continuous_query(*e.a, e.matrix_a, e.motion_a, *e.b, e.matrix_b, e.motion_b, scratch);
    std::vector<MotionHit> storage(200);
    MotionHitSink sink(storage);
    query.hits = &sink;
    query.pair.parameters = default_values(algorithm.parameters);
    query.pair.parameters[find_parameter(algorithm.parameters, "pixels")] = 6;
    PairCache cache;
    (void)run_continuous(algorithm, query, cache);
    Findings out;
    FindingsTable table{"Contacts", 0, {"time", "x, m", "y, m", "z, m", "properness"}, {}};
    std::size_t proper = 0;
    for (const MotionHit& hit : sink.hits()) {
        proper += hit.properness >= 0 ? 1 : 0;
        table.rows.push_back({format_number("%.4f", hit.time), format_number("%.3f", hit.point_w.x),
                              format_number("%.3f", hit.point_w.y), format_number("%.3f", hit.point_w.z),
                              format_number("%.2f", hit.properness)});
    }
    const CollisionScreen screen = draw_collision_screen(query);
    Plot plot{"The collision screen, figure 14",         "h, m", "r, m", false, false,
              {{"curves of A", {}}, {"curves of B", {}}}};
    for (const CollisionScreen::Curve& curve : screen.curves) {
        Curve& drawn = plot.curves[curve.of_b ? 1 : 0];
        drawn.breaks.push_back(drawn.points.size());
        for (const CollisionScreen::Point& p : curve.points) drawn.points.emplace_back(p.h, p.r);
    }
    out.claims = {
        judged("proper collisions of torus A with torus B", "3", std::to_string(proper), proper == 3),
        shown("size of the collision screen, pixels", "28 x 50",
              std::to_string(screen.rows) + " x " + std::to_string(screen.columns),
              "With 6 pixels per short edge. The paper gives neither the poses of its tori nor the size of "
              "a pixel in this figure.")};
    out.tables.push_back(std::move(table));
    out.plots.push_back(std::move(plot));
    return out;
}

}  // namespace

const PaperRow& describe_bu_x1() {
    static const PaperRow row{
        "BU-X1", "Buss 2004, section 9.1, table", "Times at three resolutions",
        "Random screws of 20 degrees; half of them collide. By default parts that cannot meet are "
        "left out; 'drawn' draws everything, as the paper does.",
        run_times};
    return row;
}

const PaperRow& describe_bu_x2() {
    static const PaperRow row{
        "BU-X2", "Buss 2004, section 9.1", "Cost by number of faces",
        "Two equal tori of 72 to 18,432 faces, 6 pixels per short edge, random screws of 20 degrees.",
        run_scaling};
    return row;
}

const PaperRow& describe_bu_x3() {
    static const PaperRow row{"BU-X3", "Buss 2004, figures 13 and 14", "A torus passes through a torus",
                              "The two tori of figure 13, of 300 quadrangles each, rebuilt from the picture.",
                              run_tori};
    return row;
}

}  // namespace claybox::bench
