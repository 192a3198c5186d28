// The experiment `convex_parts`: the thesis' rule for convex parts (3.7.2). Decomposing an object with N
// notches pays off if t_c < t_a / N. t_c: time of a convex algorithm for bodies of the same complexity; t_a:
// time of an algorithm for any polygons. Measures both, and the time with parts.

#include "bench/experiments/experiment.hpp"
#include "bench/experiments/shared/measure.hpp"
#include "bench/experiments/shared/tables.hpp"
#include "bench/streams/voxel_solids.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/decomposition/convex_decomposition.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

namespace claybox::bench {

using namespace collision;

const Experiment& describe_convex_parts();

namespace {

constexpr const char* kRows[] = {"l_shape", "chair", "ring", "gear", "torus", "star"};
constexpr const char* kAlgorithms[] = {"convex_parts", "edge_polygon", "mesh_bvh"};
constexpr const char* kConvex = "best";

/// A gear wheel: an extruded concave outline.
PolygonList gear(std::uint32_t teeth) {
    PolygonList out;
    const std::uint32_t n = 4 * teeth;
    for (const float z : {-0.25f, 0.25f})
        for (std::uint32_t i = 0; i < n; ++i) {
            const double turn = 2 * std::numbers::pi * (i + 0.5) / n, radius = i % 4 < 2 ? 1.0 : 0.75;
            out.positions.push_back(cast<float>(Vec3d{radius * std::cos(turn), radius * std::sin(turn), z}));
        }
    std::vector<std::uint32_t> top, bottom;
    for (std::uint32_t i = 0; i < n; ++i) {
        top.push_back(n + i);
        bottom.push_back(n - 1 - i);
        const std::uint32_t k = (i + 1) % n;
        out.add_polygon(std::array<std::uint32_t, 4>{i, k, n + k, n + i});
    }
    out.add_polygon(top);
    out.add_polygon(bottom);
    return out;
}

/// A sphere with every third vertex pulled inwards.
PolygonList star() {
    PolygonList out = make_primitive(Primitive::uv_sphere, 128, 1);
    for (std::size_t i = 0; i < out.positions.size(); i += 3) out.positions[i] = out.positions[i] * 0.6f;
    return out;
}

Result<ShapePtr> shape_of(const std::string& row) {
    if (row == "l_shape") return Shape::from_polygons(streams::surface_of(streams::l_shape()), row);
    if (row == "chair") return Shape::from_polygons(streams::surface_of(streams::chair()), row);
    if (row == "ring") return Shape::from_polygons(streams::surface_of(streams::ring()), row);
    if (row == "gear") return Shape::from_polygons(gear(20), row);
    if (row == "torus") return Shape::from_polygons(make_primitive(Primitive::torus, 512, 1), row);
    return Shape::from_polygons(star(), row);
}

/// Runs queries of one algorithm on two copies of a shape.
struct Solver {
    const PairAlgorithm& algorithm;
    ShapePtr shape;
    std::shared_ptr<const Prepared> prepared;
    double prepare_ms = 0;
    std::vector<std::byte> pool;
    Scratch scratch;
    PairCache cache;

    Solver(const char* id, ShapePtr body) : algorithm(*find_pair_algorithm(id)), shape(std::move(body)) {
        const auto start = std::chrono::steady_clock::now();
        if (algorithm.prepare != nullptr) prepared = algorithm.prepare(*shape, shape->geometry());
        prepare_ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        if (algorithm.cache_bytes != nullptr) pool.resize(algorithm.cache_bytes(*shape, *shape));
        cache.set_pool(pool);
    }
    PairResult query(const Matrix34f& a, const Matrix34f& b) {
        PairQuery q = make_pair_query(*shape, a, *shape, b, scratch);
        q.a.prepared = q.b.prepared = prepared.get();
        q.parameters = default_values(algorithm.parameters);
        q.wants = kWantSolid;
        cache.clear();
        return run_query(algorithm, q, cache);
    }
    /// Plays all poses once. Returns nanoseconds per query.
    double time(const std::vector<std::array<Matrix34f, 2>>& poses) {
        const auto start = std::chrono::steady_clock::now();
        for (const auto& [a, b] : poses) query(a, b);
        const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
        return elapsed.count() / static_cast<double>(poses.size());
    }
};

/// Random poses, alternately 1 % of the size before and behind first contact.
std::vector<std::array<Matrix34f, 2>> near_poses(Solver& referee, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::array<Matrix34f, 2>> out;
    const double size = 2.0 * referee.shape->sphere().radius;
    while (out.size() < count) {
        const auto turned = [&] { return Pose{random_rotation(random, 0, 3.1), {}}; };
        const Pose a = turned();
        Pose b = turned();
        const Vec3d direction = random.unit_vector();
        double low = 0, high = 2 * size;
        const auto placed = [&](double by) {
            b.translation = by * direction;
            return std::array{to_matrix(a), to_matrix(b)};
        };
        for (int i = 0; i < 20; ++i) {
            const double middle = 0.5 * (low + high);
            const auto poses = placed(middle);
            (referee.query(poses[0], poses[1]).verdict == Verdict::colliding ? low : high) = middle;
        }
        out.push_back(placed(low + (out.size() % 2 == 0 ? 0.01 : -0.01) * size));
    }
    return out;
}

struct RowResult {
    std::vector<double> ns;  ///< kAlgorithms, then the convex algorithm
    double prepare_ms = 0;
    double exact_share = 0;  ///< queries decided on the exact rung
    std::size_t triangles = 0, parts = 0;
    std::uint32_t notches = 0, disagreements = 0;
};

RowResult measure(const ShapePtr& shape, bool quick, std::uint64_t seed) {
    RowResult out;
    const ConvexDecomposition d = decompose(shape->geometry(), shape->classification());
    out.triangles = shape->topology().triangles.size();
    out.parts = d.parts.size();
    out.notches = d.notches;
    std::vector<std::unique_ptr<Solver>> solvers;
    for (const char* id : kAlgorithms) solvers.push_back(std::make_unique<Solver>(id, shape));
    solvers.push_back(
        std::make_unique<Solver>(kConvex, Shape::from_hull(shape->geometry().positions).value()));
    out.prepare_ms = solvers[0]->prepare_ms;
    const auto poses = near_poses(*solvers[1], quick ? 20 : 200, seed);
    for (const auto& [a, b] : poses) {
        const PairResult parts = solvers[0]->query(a, b);
        out.exact_share += parts.rung == 3 ? 1.0 / static_cast<double>(poses.size()) : 0;
        for (std::size_t i = 1; i < std::size(kAlgorithms); ++i)
            out.disagreements += solvers[i]->query(a, b).verdict != parts.verdict;
    }
    std::vector<std::vector<double>> times(solvers.size());
    for (int round = 0; round < (quick ? 3 : 15); ++round)
        for (std::size_t i = 0; i < solvers.size(); ++i) times[i].push_back(solvers[i]->time(poses));
    for (const auto& t : times) out.ns.push_back(median(t));
    return out;
}

void add_row(const std::string& row, const RowResult& r, ExperimentReport& report) {
    for (std::size_t i = 0; i < r.ns.size(); ++i) {
        const std::string id =
            i < std::size(kAlgorithms) ? kAlgorithms[i] : std::string(kConvex) + "_of_hull";
        report.measurements.push_back({"convex_parts/" + row + "/" + id, r.ns[i], 1, {}});
    }
    auto& counters = report.measurements[report.measurements.size() - r.ns.size()].counters;
    counters = {{"triangles", static_cast<double>(r.triangles)},
                {"notches", r.notches},
                {"parts", static_cast<double>(r.parts)},
                {"prepare_ms", r.prepare_ms},
                {"exact_share", r.exact_share},
                {"disagreements", r.disagreements}};
    const double share = r.ns[1] / std::max(1u, r.notches), convex = r.ns.back();
    report.markdown += "| " + row + " | " + std::to_string(r.triangles) + " | " + std::to_string(r.notches) +
                       " | " + std::to_string(r.parts) + " | " + format_number("%.1f", r.prepare_ms) + " | " +
                       format_number("%.0f", convex) + " | " + format_number("%.0f", r.ns[1]) + " | " +
                       format_number("%.0f", share) + " | " + (convex < share ? "parts" : "polygons") +
                       " | " + format_number("%.0f", r.ns[0]) + " | " +
                       (r.ns[0] < r.ns[1] ? "parts" : "polygons") + " | " + format_number("%.0f", r.ns[2]) +
                       " | " + format_number("%.1f %%", 100 * r.exact_share) + " |\n";
    if (r.disagreements > 0) report.failure = row + ": the algorithms disagree";
}

Result<ExperimentReport> run_convex_parts(const ExperimentOptions& options) {
    for (const std::string& row : options.rows)
        if (std::find(std::begin(kRows), std::end(kRows), row) == std::end(kRows))
            return Error{"--rows " + row +
                             ": unknown, expected one or more of l_shape, chair, ring, gear, torus, star",
                         {},
                         0};
    if (!options.algorithms.empty())
        return Error{"--algorithms " + options.algorithms[0] +
                         ": this experiment has a fixed set of contestants, expected no --algorithms",
                     {},
                     0};
    ExperimentReport report;
    report.markdown =
        "Two equal bodies at random poses, 1 % of their size before or behind first contact; nanoseconds per "
        "query from an empty cache, medians. N: number of notches (concave edges); c: number of parts; t_c: "
        "`best` on the convex hulls; t_a: `edge_polygon`, solid answers. The thesis' rule (3.7.2): parts pay "
        "off if t_c < t_a / N.\n\n"
        "| body | triangles | N | c | prepare, ms | t_c | t_a | t_a / N | faster by the rule | "
        "`convex_parts` | measured faster | "
        "`mesh_bvh` | exact rung |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (const char* row : kRows) {
        const bool wanted = options.rows.empty() ||
                            std::find(options.rows.begin(), options.rows.end(), row) != options.rows.end();
        if (!wanted) continue;
        if (options.progress) options.progress(std::string("row ") + row);
        const auto shape = shape_of(row);
        if (!shape.ok()) return shape.error();
        add_row(row, measure(shape.value(), options.quick, options.seed), report);
    }
    return report;
}

}  // namespace

const Experiment& describe_convex_parts() {
    static const Experiment experiment{"convex_parts", "Convex parts compared with polygons (thesis, 3.7.2)",
                                       "l_shape, chair, ring, gear, torus or star", run_convex_parts};
    return experiment;
}

}  // namespace claybox::bench
