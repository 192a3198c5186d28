// Z-3.4.1-X1 and X2: clipping edges of convex bodies (Zachmann, thesis, 3.4.1).

#include "bench/experiments/shared/tables.hpp"
#include "bench/papers/paper_row.hpp"
#include "bench/papers/shared/from_experiment.hpp"
#include "bench/papers/shared/scene_stream.hpp"
#include "bench/papers/shared/stream_run.hpp"
#include "bench/papers/shared/timing.hpp"

namespace claybox::bench {

using namespace collision;

const PaperRow& describe_z_3_4_1_x1();
const PaperRow& describe_z_3_4_1_x2();

namespace {

/// Times of several settings on one stream, and whether their verdicts are equal.
struct Compared {
    std::vector<Timing> times;
    bool agree = true;
};

Compared compare(const streams::QueryStream& stream, const std::vector<PairSettings>& settings, int rounds) {
    std::vector<std::unique_ptr<StreamRun>> runs;
    std::vector<Round> subjects;
    std::vector<Verdict> first;
    Compared out;
    for (const PairSettings& s : settings) {
        runs.push_back(std::make_unique<StreamRun>(stream, s));
        std::vector<Verdict> verdicts;
        runs.back()->play(
            [&](const streams::StreamQuery&, const PairResult& r) { verdicts.push_back(r.verdict); });
        if (first.empty()) first = verdicts;
        out.agree &= verdicts == first;
        subjects.push_back([run = runs.back().get()] { return run->time(); });
    }
    out.times = time_in_turn(subjects, rounds);
    return out;
}

/// What each level of pre-checks does in a query, on average.
FindingsTable mean_counts(const streams::QueryStream& stream, const std::vector<PairSettings>& levels) {
    constexpr const char* kNames[] = {"none", "box of the object", "boxes of polygons"};
    constexpr const char* kCounters[] = {"edges", "planes", "boxes", "faces collected"};
    FindingsTable out{
        "Per query", 1, {"pre-check", "edges clipped", "planes", "boxes", "faces collected"}, {}};
    for (std::size_t i = 0; i < levels.size(); ++i) {
        StreamRun run(stream, levels[i]);
        double sums[4] = {};
        run.play([&](const streams::StreamQuery&, const PairResult& r) {
            for (std::size_t k = 0; k < 4; ++k) sums[k] += r.counters[run.counter(kCounters[k])];
        });
        std::vector<std::string> cells{kNames[i]};
        for (const double sum : sums)
            cells.push_back(format_number("%.1f", sum / static_cast<double>(stream.queries.size())));
        out.rows.push_back(std::move(cells));
    }
    return out;
}

Result<Findings> run_prechecks(const ExperimentOptions& options) {
    const auto sphere = make_primitive_shape(Primitive::uv_sphere, 250, 1, 1);
    if (!sphere) return sphere.error();
    const auto stream = options.quick ? record_bouncing(sphere.value(), 4, 40, options.seed)
                                      : record_bouncing(sphere.value(), 40, 150, options.seed);
    if (!stream) return stream.error();
    std::vector<PairSettings> levels;
    for (const double level : {0.0, 1.0, 3.0}) levels.push_back({"cyrus_beck", {{"precheck", level}}});
    const Compared c = compare(stream.value(), levels, options.quick ? 3 : 9);
    const Steady object = ratio_of(c.times[0], c.times[1]), face = ratio_of(c.times[1], c.times[2]);
    FindingsTable table = mean_counts(stream.value(), levels);
    Findings out;
    out.claims = {
        unless_refused(object.usable(), judged("edge against the box of the object, compared with no check",
                                               "1.3", ratio_text(object), object.median > 1)),
        unless_refused(face.usable(),
                       judged("edge against the boxes of polygons, compared with the check above", "1.8",
                              ratio_text(face), face.median > 1,
                              "It spares planes and compares more boxes (see the table)."))};
    out.tables.push_back(std::move(table));
    if (!c.agree) out.failure = "cyrus_beck: pre-checks change verdicts";
    return out;
}

/// What both algorithms do in a frame, on average.
struct Work {
    double colliding = 0;  ///< share of the frames
    double tests = 0;      ///< of an edge with a polygon, algorithm for arbitrary polygons
    double edges = 0;      ///< clipped by the algorithm for convex bodies
    double planes = 0;     ///< against which it clips them
};

Work work_of(const streams::QueryStream& stream) {
    Work out;
    StreamRun arbitrary(stream, {"edge_polygon"}), convex(stream, {"cyrus_beck"});
    arbitrary.play([&](const streams::StreamQuery&, const PairResult& r) {
        out.colliding += r.verdict == Verdict::colliding ? 1 : 0;
        out.tests += r.counters[arbitrary.counter("edge polygon tests")];
    });
    convex.play([&](const streams::StreamQuery&, const PairResult& r) {
        out.edges += r.counters[convex.counter("edges")];
        out.planes += r.counters[convex.counter("planes")];
    });
    for (double* sum : {&out.colliding, &out.tests, &out.edges, &out.planes})
        *sum /= static_cast<double>(stream.queries.size());
    return out;
}

std::string why(const Work& work) {
    return "In " + format_number("%.0f %%", 100 * work.colliding) +
           " of the frames the spheres collide. The algorithm for arbitrary polygons ends at its first hit, "
           "after " +
           format_number("%.1f", work.tests) +
           " tests of an edge with a polygon on average. The one for convex "
           "bodies clips " +
           format_number("%.1f", work.edges) + " edges against " + format_number("%.0f", work.planes) +
           " planes until one lies inside.";
}

struct TwoBodies {
    const char* name;
    Primitive primitive;
    std::uint32_t polygons;
    double paper_arbitrary, paper_convex;
};
// The columns of the table are reversed here: with the printed order, fewer polygons are slower.
constexpr TwoBodies kTwoBodies[] = {
    {"spheres", Primitive::uv_sphere, 60, 6.7, 7.4},  {"spheres", Primitive::uv_sphere, 120, 2.4, 2.1},
    {"spheres", Primitive::uv_sphere, 250, 1.1, 2.5}, {"cones", Primitive::cone, 60, 7.4, 6.2},
    {"cones", Primitive::cone, 120, 2.1, 2.3},        {"cones", Primitive::cone, 250, 0.8, 1.1}};

std::vector<std::string> work_row(const TwoBodies& k, const std::string& polygons, const Work& work) {
    return {k.name,
            polygons,
            format_number("%.1f", 100 * work.colliding),
            format_number("%.1f", work.tests),
            format_number("%.1f", work.edges),
            format_number("%.1f", work.planes)};
}

Result<Findings> run_two_bodies(const ExperimentOptions& options) {
    Findings out;
    FindingsTable table{"Microseconds per frame",
                        1,
                        {"bodies", "polygons each", "arbitrary", "convex", "convex is faster by",
                         "thesis: frames/s, arbitrary", "convex", "faster by"},
                        {}};
    FindingsTable counts{
        "Work per frame",
        1,
        {"bodies", "polygons each", "colliding frames, %", "arbitrary: tests of an edge with a polygon",
         "convex: edges clipped", "convex: planes"},
        {}};
    double largest = 0, least = 1e9;
    bool usable = true;
    for (const TwoBodies& k : kTwoBodies) {
        const auto shape = make_primitive_shape(k.primitive, k.polygons, 1, 1);
        if (!shape) return shape.error();
        const streams::QueryStream stream =
            record_two(shape.value(), 0.5, options.quick ? 40 : 10000, options.seed);
        const Compared c = compare(stream, {{"edge_polygon"}, {"cyrus_beck"}}, options.quick ? 3 : 5);
        const Steady ratio = ratio_of(c.times[0], c.times[1]);
        largest = std::max(largest, ratio.median);
        least = std::min(least, ratio.median);
        usable &= ratio.usable();
        const double frames = static_cast<double>(stream.queries.size());
        const std::string polygons = std::to_string(shape.value()->topology().polygon_count());
        table.rows.push_back(
            {k.name, polygons, format_number("%.2f", 1e-3 * c.times[0].steady().median / frames),
             format_number("%.2f", 1e-3 * c.times[1].steady().median / frames), ratio_text(ratio),
             format_number("%.1f", k.paper_arbitrary), format_number("%.1f", k.paper_convex),
             format_number("%.2f", k.paper_convex / k.paper_arbitrary)});
        const Work work = work_of(stream);
        counts.rows.push_back(work_row(k, polygons, work));
        out.values.push_back({std::string("cyrus_beck/") + k.name + "/" + std::to_string(k.polygons),
                              c.times[1].steady().median / frames, "ns", c.times[1].steady().spread});
        if (k.primitive == Primitive::uv_sphere && k.polygons == 250)
            out.claims.push_back(unless_refused(
                ratio.usable(), judged("spheres of 250 polygons: convex compared with arbitrary", "2.3",
                                       ratio_text(ratio), ratio.median > 1, why(work))));
    }
    out.claims.insert(
        out.claims.begin(),
        unless_refused(
            usable, judged("the algorithm for convex bodies is not the faster one in every case",
                           "0.84 to 2.27 times faster",
                           format_number("%.2f to ", least) + format_number("%.2f times", largest), least < 1,
                           "Bodies that overlap deeply end at the first edge inside, and the arbitrary "
                           "algorithm ends at its first hit.")));
    out.claims.push_back({"order of the columns", "2 x 250, 2 x 120, 2 x 60", "read as 60, 120, 250",
                          Judgement::doubtful,
                          "As printed, the frame rate would fall with the number of polygons (FIX-25)."});
    out.tables.push_back(std::move(table));
    out.tables.push_back(std::move(counts));
    return out;
}

}  // namespace

const PaperRow& describe_z_3_4_1_x1() {
    static const PaperRow row{"Z-3.4.1-X1", "Zachmann 1994, 3.4.1, table", "Pre-checks of edge clipping",
                              "Two spheres of 250 polygons in a cage turn back when they collide: 40 runs of "
                              "150 frames. The thesis "
                              "does not name its bodies.",
                              run_prechecks};
    return row;
}

const PaperRow& describe_z_3_4_1_x2() {
    static const PaperRow row{
        "Z-3.4.1-X2", "Zachmann 1994, 3.4.1, table",
        "The algorithm for convex bodies and the one for arbitrary polygons",
        "Two bodies with a size of 2 m in a cage of 1 m, so they collide in almost every "
        "frame; 10,000 frames.",
        run_two_bodies};
    return row;
}

}  // namespace claybox::bench
