// Z-3.5-X: random points in closed bodies (Zachmann, thesis, 3.5).

#include "bench/experiments/shared/tables.hpp"
#include "bench/papers/paper_row.hpp"
#include "bench/papers/shared/from_experiment.hpp"
#include "bench/papers/shared/scene_stream.hpp"
#include "bench/papers/shared/stream_run.hpp"
#include "bench/papers/shared/timing.hpp"

namespace claybox::bench {

using namespace collision;

const PaperRow& describe_z_3_5_x();

namespace {

PairSettings points_of(double points, bool vertices) {
    return {"random_points", {{"points", points}, {"vertices", vertices ? 1 : 0}, {"keep_point", 0}}};
}

Result<Findings> run_points(const ExperimentOptions& options) {
    constexpr CageBody kObjects[] = {
        {Primitive::uv_sphere, 84}, {Primitive::torus, 84}, {Primitive::hyperboloid, 82}};
    const auto scene = record_cage(kObjects, options.quick ? 60 : 4000, options.seed);
    if (!scene) return scene.error();
    const streams::QueryStream stream = stream_of(scene.value());
    StreamRun few(stream, points_of(100, false)), vertices(stream, points_of(100, true)),
        many(stream, points_of(1000, false)), both(stream, points_of(1000, true));
    const auto times = time_in_turn(
        {[&] { return few.time(); }, [&] { return vertices.time(); }, [&] { return many.time(); }},
        options.quick ? 3 : 5);
    Findings out;
    for (const auto& [run, points] : {std::pair<StreamRun*, int>{&vertices, 100}, {&both, 1000}}) {
        const std::size_t by_point = run->counter("found by a random point");
        std::uint64_t only_points = 0, all = 0;
        run->play([&](const streams::StreamQuery&, const PairResult& r) {
            ++all;
            only_points += r.counters[by_point] > 0 ? 1 : 0;
        });
        const double percent = 100 * static_cast<double>(only_points) / static_cast<double>(all);
        out.claims.push_back(judged("vertices first: found only by one of " + std::to_string(points) +
                                        " random points, of all queries",
                                    "< 1 %", format_number("%.2f %%", percent), percent < 1));
    }
    const double frames = static_cast<double>(scene.value().placements.size());
    const auto rate = [&](std::size_t i) { return 1e9 * frames / times[i].steady().median; };
    const Steady thousand = ratio_of(times[2], times[0]), first = ratio_of(times[1], times[0]);
    out.claims.push_back(unless_refused(
        thousand.usable(), judged("time of 1000 random points divided by that of 100",
                                  "2.4 (17 and 7 frames/s)", ratio_text(thousand), thousand.median > 1)));
    out.claims.push_back(
        shown("time of vertices first divided by that of 100 points alone", "1.4 (17 and 12 frames/s)",
              ratio_text(first),
              "Here the vertices are tested in random order with a tree of boxes. Where bodies "
              "overlap, one of the first vertices is inside and ends the query."));
    out.claims.push_back(shown("frames per second: 100 points; vertices and 100; 1000", "17; 12; 7",
                               format_number("%.0f; ", rate(0)) + format_number("%.0f; ", rate(1)) +
                                   format_number("%.0f", rate(2))));
    out.notes.push_back(std::to_string(scene.value().polygons()) + " polygons with the walls, " +
                        std::to_string(stream.queries.size()) + " queries with overlapping boxes.");
    return out;
}

}  // namespace

const PaperRow& describe_z_3_5_x() {
    static const PaperRow row{
        "Z-3.5-X", "Zachmann 1994, 3.5, results", "Random points and vertices",
        "Three closed objects of 250 polygons together in a cage of six walls; pairs with "
        "overlapping boxes.",
        run_points};
    return row;
}

}  // namespace claybox::bench
