// The thesis' question about convex parts (3.7.2): an object with N edges that turn inward is worth cutting
// when t_c < t_a / N, where t_c is what a convex algorithm takes for bodies as complex as the object, and t_a
// what an algorithm for any objects takes. Both sides are measured in one run, beside what the parts take.

#include "bench/experiments/experiment.hpp"
#include "bench/streams/voxel_solids.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/primitives.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/parts/convex_decomposition.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace claybox::bench {

using namespace collision;

const Experiment& describe_convex_parts();

namespace {

constexpr const char* kRows[] = {"l_shape", "chair", "ring", "gear", "torus", "star"};
constexpr const char* kAlgorithms[] = {"convex_parts", "edge_polygon", "mesh_bvh"};
constexpr const char* kConvex = "best";

/// A wheel with teeth: an outline that is not convex between two planes.
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

/// A sphere whose vertices stand out by turns.
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

/// What one algorithm needs to answer about one shape against itself.
struct Asker {
    const PairAlgorithm& algorithm;
    ShapePtr shape;
    std::shared_ptr<const Prepared> prepared;
    double prepare_ms = 0;
    std::vector<std::byte> pool;
    Scratch scratch;
    PairCache cache;

    Asker(const char* id, ShapePtr body) : algorithm(*find_pair_algorithm(id)), shape(std::move(body)) {
        const auto start = std::chrono::steady_clock::now();
        if (algorithm.prepare != nullptr) prepared = algorithm.prepare(*shape, shape->geometry());
        prepare_ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        if (algorithm.cache_bytes != nullptr) pool.resize(algorithm.cache_bytes(*shape, *shape));
        cache.set_pool(pool);
    }
    PairResult ask(const Matrix34f& a, const Matrix34f& b) {
        PairQuery q = make_pair_query(*shape, a, *shape, b, scratch);
        q.a.prepared = q.b.prepared = prepared.get();
        q.parameters = default_values(algorithm.parameters);
        q.wants = kWantSolid;
        cache.clear();
        return run_query(algorithm, q, cache);
    }
    /// Nanoseconds a query for all poses, once.
    double time(const std::vector<std::array<Matrix34f, 2>>& poses) {
        const auto start = std::chrono::steady_clock::now();
        for (const auto& [a, b] : poses) ask(a, b);
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        return took.count() / static_cast<double>(poses.size());
    }
};

/// Random poses, half of them just before and half just after the bodies touch, by a hundredth of the size.
std::vector<std::array<Matrix34f, 2>> near_poses(Asker& judge, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::array<Matrix34f, 2>> out;
    const double size = 2.0 * judge.shape->sphere().radius;
    while (out.size() < count) {
        const auto turned = [&] { return Pose{random_rotation(random, 0, 3.1), {}}; };
        const Pose a = turned();
        Pose b = turned();
        const Vec3d way = random.unit_vector();
        double low = 0, high = 2 * size;
        const auto placed = [&](double by) {
            b.translation = by * way;
            return std::array{to_matrix(a), to_matrix(b)};
        };
        for (int i = 0; i < 20; ++i) {
            const double middle = 0.5 * (low + high);
            const auto poses = placed(middle);
            (judge.ask(poses[0], poses[1]).verdict == Verdict::colliding ? low : high) = middle;
        }
        out.push_back(placed(low + (out.size() % 2 == 0 ? 0.01 : -0.01) * size));
    }
    return out;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

struct RowResult {
    std::vector<double> ns;  ///< of kAlgorithms, then of the convex algorithm
    double prepare_ms = 0, open = 0;
    std::size_t triangles = 0, parts = 0;
    std::uint32_t notches = 0, disagreements = 0;
};

RowResult measure(const ShapePtr& shape, bool quick, std::uint64_t seed) {
    RowResult out;
    const ConvexDecomposition d = decompose(shape->geometry(), shape->classification());
    out.triangles = shape->topology().triangles.size();
    out.parts = d.parts.size();
    out.notches = d.notches;
    std::vector<std::unique_ptr<Asker>> askers;
    for (const char* id : kAlgorithms) askers.push_back(std::make_unique<Asker>(id, shape));
    askers.push_back(std::make_unique<Asker>(kConvex, Shape::from_hull(shape->geometry().positions).value()));
    out.prepare_ms = askers[0]->prepare_ms;
    const auto poses = near_poses(*askers[1], quick ? 20 : 200, seed);
    for (const auto& [a, b] : poses) {
        const PairResult parts = askers[0]->ask(a, b);
        out.open += parts.rung == 3 ? 1.0 / static_cast<double>(poses.size()) : 0;
        for (std::size_t i = 1; i < std::size(kAlgorithms); ++i)
            out.disagreements += askers[i]->ask(a, b).verdict != parts.verdict;
    }
    std::vector<std::vector<double>> times(askers.size());
    for (int round = 0; round < (quick ? 3 : 15); ++round)
        for (std::size_t i = 0; i < askers.size(); ++i) times[i].push_back(askers[i]->time(poses));
    for (const auto& t : times) out.ns.push_back(median(t));
    return out;
}

std::string text(const char* format, double value) {
    char out[64];
    std::snprintf(out, sizeof out, format, value);
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
                {"exact_share", r.open},
                {"disagreements", r.disagreements}};
    const double share = r.ns[1] / std::max(1u, r.notches), convex = r.ns.back();
    report.markdown += "| " + row + " | " + std::to_string(r.triangles) + " | " + std::to_string(r.notches) +
                       " | " + std::to_string(r.parts) + " | " + text("%.1f", r.prepare_ms) + " | " +
                       text("%.0f", convex) + " | " + text("%.0f", r.ns[1]) + " | " + text("%.0f", share) +
                       " | " + (convex < share ? "parts" : "polygons") + " | " + text("%.0f", r.ns[0]) +
                       " | " + (r.ns[0] < r.ns[1] ? "parts" : "polygons") + " | " + text("%.0f", r.ns[2]) +
                       " | " + text("%.1f %%", 100 * r.open) + " |\n";
    if (r.disagreements > 0) report.failure = row + ": algorithms disagree";
}

Result<ExperimentReport> run_convex_parts(const ExperimentOptions& options) {
    for (const std::string& row : options.rows)
        if (std::find(std::begin(kRows), std::end(kRows), row) == std::end(kRows))
            return Error{
                "--rows " + row + ": unknown, expected some of l_shape, chair, ring, gear, torus, star",
                {},
                0};
    if (!options.algorithms.empty()) return Error{"convex_parts always asks the same algorithms", {}, 0};
    ExperimentReport report;
    report.markdown =
        "Two equal bodies at random poses, 1 % of their size before or after they touch; nanoseconds a query "
        "from an empty cache, medians. N: edges that turn inward; c: parts; t_c: `best` on the convex hulls; "
        "t_a: `edge_polygon`, solid answers. The thesis' rule (3.7.2): parts are worth it when "
        "t_c < t_a / N.\n\n"
        "| body | triangles | N | c | prepare, ms | t_c | t_a | t_a / N | rule says | parts take | faster | "
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
    static const Experiment experiment{"convex_parts", "Convex parts against polygons (thesis, 3.7.2)",
                                       "l_shape, chair, ring, gear, torus or star", run_convex_parts};
    return experiment;
}

}  // namespace claybox::bench
