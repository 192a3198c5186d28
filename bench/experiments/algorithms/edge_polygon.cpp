// The experiment `edge_polygon`: the tables of Zachmann's thesis about edges against polygons (3.2.1, 3.2.2).
// The gain of each level of pre-checks, the gain of the relaxed collect phase on a pot, and the shares of
// decisions in point-in-polygon tests. Times are processor times; levels alternate frame by frame, which
// excludes other load on the machine.

#include "bench/experiments/algorithms/edge_polygon_scenes.hpp"
#include "bench/experiments/experiment.hpp"
#include "bench/experiments/shared/tables.hpp"
#include "collision/core/random.hpp"
#include "collision/pairwise/mesh/mesh_hits.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace claybox::bench {

using namespace collision;

const Experiment& describe_edge_polygon();

namespace {

constexpr const char* kRows = "cage, pot or points";

double cpu_ms() {
    return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// An algorithm with a level of pre-checks, and its results.
struct Level {
    const char* title;
    const char* id;
    int prechecks;  ///< -1: the algorithm has no such parameter
    double paper_ms[3];
    std::size_t every = 1;  ///< plays only every n-th frame, if slow
    std::vector<double> frame_ms{};
    std::uint64_t queries = 0, colliding = 0, missed = 0, wrong = 0;

    double average() const {
        double sum = 0;
        for (const double t : frame_ms) sum += t;
        return sum / static_cast<double>(frame_ms.size());
    }
};

class Player {
  public:
    Player(const RecordedScene& scene, Level& level)
        : scene_(scene), level_(level), algorithm_(*find_pair_algorithm(level.id)) {
        for (const ShapePtr& s : scene.bodies)
            prepared_.push_back(algorithm_.prepare == nullptr ? nullptr
                                                              : algorithm_.prepare(*s, s->geometry()));
    }

    std::vector<Verdict> play(std::size_t frame) {
        std::vector<Verdict> out;
        const double start = cpu_ms();
        for (const auto& [i, j] : scene_.pairs) {
            PairQuery q = make_pair_query(*scene_.bodies[i], scene_.placements[frame][i], *scene_.bodies[j],
                                          scene_.placements[frame][j], scratch_);
            q.a.prepared = prepared_[i].get();
            q.b.prepared = prepared_[j].get();
            q.parameters = default_values(algorithm_.parameters);
            if (level_.prechecks >= 0) q.parameters[0] = level_.prechecks;
            out.push_back(run_query(algorithm_, q, cache_).verdict);
        }
        level_.frame_ms.push_back(cpu_ms() - start);
        return out;
    }

  private:
    const RecordedScene& scene_;
    Level& level_;
    const PairAlgorithm& algorithm_;
    std::vector<std::shared_ptr<const Prepared>> prepared_;
    Scratch scratch_;
    PairCache cache_;
};

/// Plays all levels frame by frame. The first level is exact; the others are compared with it.
void play_all(const RecordedScene& scene, std::vector<Level>& levels) {
    std::vector<Player> players;
    players.reserve(levels.size());
    for (Level& level : levels) players.emplace_back(scene, level);
    for (std::size_t frame = 0; frame < scene.placements.size(); ++frame) {
        std::vector<Verdict> exact;
        for (std::size_t k = 0; k < levels.size(); ++k) {
            if (frame % levels[k].every != 0) continue;
            const std::vector<Verdict> verdicts = players[k].play(frame);
            if (k == 0) exact = verdicts;
            for (std::size_t i = 0; i < verdicts.size(); ++i) {
                ++levels[k].queries;
                levels[k].colliding += verdicts[i] == Verdict::colliding ? 1 : 0;
                levels[k].missed +=
                    verdicts[i] == Verdict::undecided && exact[i] == Verdict::colliding ? 1 : 0;
                levels[k].wrong += verdicts[i] != Verdict::undecided && verdicts[i] != exact[i] ? 1 : 0;
            }
        }
    }
}

void add_levels(const std::string& row, const std::vector<Level>& levels, ExperimentReport& report) {
    for (const Level& level : levels) {
        Measurement m{"edge_polygon/" + row + "/" + level.title, level.average() * 1e6, level.queries, {}};
        m.counters = {{"colliding", static_cast<double>(level.colliding)},
                      {"missed", static_cast<double>(level.missed)},
                      {"wrong", static_cast<double>(level.wrong)}};
        report.measurements.push_back(std::move(m));
        if (level.wrong != 0) report.failure = row + ": " + level.title + " gives wrong answers";
    }
}

/// Z-3.2.2-X: which check decides an edge of a polygon against the ray, without and with box pre-checks.
std::string shares(const RecordedScene& scene) {
    PolygonCounts by_level[2];
    const MeshPrechecks levels[2] = {MeshPrechecks::object_box, MeshPrechecks::face_collect};
    Scratch scratch;
    for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t frame = 0; frame < scene.placements.size(); frame += k == 0 ? 8 : 1)
            for (const auto& [i, j] : scene.pairs) {
                MeshSearch search;
                search.a = {&scene.bodies[i]->geometry(), &scene.placements[frame][i], false};
                search.b = {&scene.bodies[j]->geometry(), &scene.placements[frame][j], false};
                search.prechecks = levels[k];
                search.fast = true;
                search.point_test = PointInPolygon::one_shot;
                search.point_counts = &by_level[k];
                MeshCounts counts;
                find_mesh_hits(
                    search, scratch, [](const MeshHit&) { return true; }, counts);
            }
    const auto sum = [](const PolygonCounts& c) {
        double out = 0;
        for (const std::uint64_t n : c.by_check) out += static_cast<double>(n);
        return out;
    };
    std::string out =
        "\n### Checks that decide an edge of a polygon against the ray (Z-3.2.2-X)\n\n| check | thesis, % | "
        "object boxes only, % | face collect, % |\n|---|---:|---:|---:|\n";
    constexpr const char* kPaper[] = {"50", "22", "26", "1", "0.00003", "0.00002", "1"};
    constexpr const char* kNames[] = {"1", "2", "3", "4", "5", "6", "the rest"};
    for (std::size_t c = 0; c < 7; ++c) {
        out += std::string("| ") + kNames[c] + " | " + kPaper[c] + " | ";
        for (const PolygonCounts& counts : by_level)
            out += format_number("%.4g", 100 * static_cast<double>(counts.by_check[c]) / sum(counts)) + " | ";
        out += "\n";
    }
    return out + "\nEdges: " + format_number("%.0f", sum(by_level[0])) + " and " +
           format_number("%.0f", sum(by_level[1])) + "; thesis: about 3,000,000.\n";
}

Status run_cage(const ExperimentOptions& options, ExperimentReport& report) {
    const auto scene = record_cage(options.quick ? 8 : 400, options.seed);
    if (!scene) return scene.error();
    std::vector<Level> levels{{"face_collect", "edge_polygon", 0, {484, 111, 3220}},
                              {"none", "edge_polygon", 3, {0, 0, 0}, options.quick ? 8u : 40u},
                              {"object_box", "edge_polygon", 2, {5000, 150, 13000}},
                              {"face_box", "edge_polygon", 1, {444, 107, 2570}},
                              {"relaxed_collect", "edge_polygon_relaxed", -1, {470, 110, 2800}},
                              {"prechecks_only", "edge_polygon_boxes", -1, {0, 0, 0}}};
    play_all(scene.value(), levels);
    add_levels("cage", levels, report);
    report.markdown +=
        "\n### Ten objects in a cage (Z-3.2.1-X1)\n\n" + std::to_string(scene.value().polygons()) +
        " polygons (thesis: 4121), " + std::to_string(scene.value().pairs.size()) +
        " pairs per frame (thesis: 104), milliseconds per frame.\n\n| pre-checks | average | min. | max. "
        "| speed-up | thesis: average | min. | max. | speed-up | collisions missed |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    const double base = levels[2].average();
    for (const std::size_t k : {1u, 2u, 3u, 0u, 4u, 5u}) {
        const Level& l = levels[k];
        const auto [low, high] = std::minmax_element(l.frame_ms.begin(), l.frame_ms.end());
        report.markdown += std::string("| ") + l.title + " | " + format_number("%.3f", l.average()) + " | " +
                           format_number("%.3f", *low) + " | " + format_number("%.3f", *high) + " | " +
                           format_number("%.1f", base / l.average()) + " | ";
        if (l.paper_ms[0] > 0)
            for (const double v : l.paper_ms) report.markdown += format_number("%.0f", v) + " | ";
        else
            report.markdown += k == 1 ? "many seconds | | | " : "not built | | | ";
        report.markdown += (l.paper_ms[0] > 0 ? format_number("%.1f", 5000 / l.paper_ms[0]) : std::string()) +
                           " | " + std::to_string(l.missed) + " of " +
                           std::to_string(l.colliding + l.missed) + " |\n";
    }
    report.markdown += shares(scene.value());
    return Done{};
}

Status run_pot(const ExperimentOptions& options, ExperimentReport& report) {
    const auto scene = record_pot(options.quick ? 6 : 300);
    if (!scene) return scene.error();
    std::vector<Level> levels{{"face_collect", "edge_polygon", 0, {0, 0, 0}},
                              {"face_box", "edge_polygon", 1, {0, 0, 0}, options.quick ? 6u : 20u},
                              {"relaxed_collect", "edge_polygon_relaxed", -1, {0, 0, 0}}};
    play_all(scene.value(), levels);
    add_levels("pot", levels, report);
    const double ratio = levels[0].average() / levels[2].average();
    report.markdown += "\n### Hand and pot (Z-3.2.1-X2)\n\nA pot of " +
                       std::to_string(scene.value().bodies[0]->topology().polygon_count()) +
                       " polygons and 16 parts of a hand; milliseconds per frame for all parts. The relaxed "
                       "collect phase is " +
                       format_number("%.2f", ratio) +
                       " times as fast as the exact one (thesis: 5 to 7 frames per second instead of 3 to "
                       "4). Here the exact phase stores boxes in the body's frame and skips 64 polygons at "
                       "once; the relaxed loop over vertices "
                       "cannot do that.\n\n" +
                       "| pre-checks | average | collisions missed |\n|---|---:|---:|\n";
    for (const Level& l : levels)
        report.markdown += std::string("| ") + l.title + " | " + format_number("%.4f", l.average()) + " | " +
                           std::to_string(l.missed) + " of " + std::to_string(l.colliding + l.missed) +
                           " |\n";
    return Done{};
}

/// A convex polygon in the xy plane.
struct Polygon {
    std::vector<float> xs, ys;
    std::size_t size() const { return xs.size(); }
    float x(std::size_t i) const { return xs[i]; }
    float y(std::size_t i) const { return ys[i]; }
};

Polygon regular(std::size_t n, Random& random) {
    Polygon out;
    const double first = random.uniform(0, 1);
    for (std::size_t i = 0; i < n; ++i) {
        const double a = 6.283185307179586 * (static_cast<double>(i) + first) / static_cast<double>(n);
        out.xs.push_back(static_cast<float>(std::cos(a)));
        out.ys.push_back(static_cast<float>(std::sin(a)));
    }
    return out;
}

/// Nanoseconds per test, best of three runs of at least `min_ms`. `inside`: number of points inside.
template <class F>
double ns_per_test(const std::vector<Vec3d>& points, double min_ms, std::uint64_t& inside, F&& test) {
    double best = HUGE_VAL;
    for (int turn = 0; turn < 3; ++turn) {
        std::uint64_t tests = 0;
        const double start = cpu_ms();
        do {
            inside = 0;
            for (const Vec3d& p : points) inside += test(p) ? 1 : 0;
            tests += points.size();
        } while (cpu_ms() - start < min_ms);
        best = std::min(best, 1e6 * (cpu_ms() - start) / static_cast<double>(tests));
    }
    return best;
}

void run_points_of(std::size_t n, double min_ms, Random& random, ExperimentReport& report) {
    const Polygon polygon = regular(n, random);
    const auto boxes = edge_boxes<float>(polygon);
    const std::span<const FlatBox<float>> tree(boxes);
    std::vector<Vec3d> points(20000);  // too many for a branch predictor to memorise
    for (Vec3d& p : points) p = {random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2), 0};
    NoCounts none;
    PolygonCounts counts;
    std::uint64_t inside[6] = {};
    const double ns[6] = {
        ns_per_test(points, min_ms, inside[0],
                    [&](const Vec3d& p) { return one_shot(polygon, p.x, p.y, none); }),
        ns_per_test(points, min_ms, inside[1],
                    [&](const Vec3d& p) { return one_shot(polygon, p.x, p.y, counts); }),
        ns_per_test(points, min_ms, inside[2],
                    [&](const Vec3d& p) { return angle_sum(polygon, p.x, p.y, none); }),
        ns_per_test(points, min_ms, inside[3],
                    [&](const Vec3d& p) { return wedge_search(polygon, 0.0, 0.0, p.x, p.y, none); }),
        ns_per_test(points, min_ms, inside[4],
                    [&](const Vec3d& p) { return fibonacci(polygon, p.x, p.y, none); }),
        ns_per_test(points, min_ms, inside[5],
                    [&](const Vec3d& p) { return box_tree(polygon, tree, p.x, p.y, none); })};
    constexpr const char* kNames[] = {"one_shot", "one_shot_counted", "angle_sum",
                                      "wedge",    "fibonacci",        "box_tree"};
    report.markdown += "| " + std::to_string(n) + " | ";
    for (std::size_t k = 0; k < 6; ++k) {
        report.markdown += format_number("%.0f", ns[k]) + " | ";
        report.measurements.push_back(
            {"edge_polygon/points_" + std::to_string(n) + "/" + kNames[k], ns[k], points.size(), {}});
        if (inside[k] != inside[0])
            report.failure = std::string("points: ") + kNames[k] + " differs from one_shot";
    }
    report.markdown += "\n";
}

void run_points(const ExperimentOptions& options, ExperimentReport& report) {
    report.markdown +=
        "\n### Points in convex polygons (Z-3.2.2, Z-3.3)\n\nNanoseconds per test, for points inside and "
        "around the polygon. one_shot also with statistics, which cost 10 to 17 % in the thesis (7.3.2); "
        "without statistics it compares heights first.\n\n"
        "| vertices | one_shot | one_shot, counted | angle_sum | wedge | fibonacci | box_tree |\n"
        "|---:|---:|---:|---:|---:|---:|---:|\n";
    Random random(options.seed);
    for (const std::size_t n : {3u, 4u, 5u, 8u, 16u, 32u, 64u, 256u, 1024u, 4096u}) {
        if (options.quick && n > 16) break;
        run_points_of(n, options.quick ? 1 : 30, random, report);
    }
}

Result<ExperimentReport> run_edge_polygon(const ExperimentOptions& options) {
    if (!options.algorithms.empty())
        return Error{
            "--algorithms: this experiment has a fixed set of levels, expected no --algorithms", {}, 0};
    const std::vector<std::string> all{"cage", "pot", "points"};
    for (const std::string& row : options.rows)
        if (std::find(all.begin(), all.end(), row) == all.end())
            return Error{"--rows " + row + ": expected " + kRows, {}, 0};
    ExperimentReport report;
    report.context = {{"seed", std::to_string(options.seed)},
                      {"times", "processor time, levels alternate frame by frame"}};
    report.markdown = "## Edges against polygons, compared with Zachmann's thesis\n";
    for (const std::string& row : options.rows.empty() ? all : options.rows) {
        if (options.progress) options.progress("row " + row);
        if (row == "points") {
            run_points(options, report);
            continue;
        }
        const Status done = row == "cage" ? run_cage(options, report) : run_pot(options, report);
        if (!done) return done.error();
    }
    return report;
}

}  // namespace

const Experiment& describe_edge_polygon() {
    static const Experiment experiment{
        "edge_polygon", "Edges against polygons: the tables of Zachmann's thesis", kRows, run_edge_polygon};
    return experiment;
}

}  // namespace claybox::bench
