// Pair algorithms on coherent streams: polytopes that move and turn in a closed box as in the experiments of
// Chung and Wang, section 6 (5 % of the radius and 10 degrees a frame), and the support searches under them.

#include "collision/core/random.hpp"
#include "collision/geometry/primitives.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/parts/support.hpp"
#include "collision/simd/support_scan.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

namespace {

using namespace claybox::collision;

constexpr std::size_t kBodies = 100;
constexpr int kFrames = 60;
constexpr float kRadius = 1.0f;
constexpr double kStep = 0.05 * kRadius;
constexpr double kTurn = 10.0 * 3.14159265358979323846 / 180.0;
/// The bodies' bounding balls fill this part of the box.
constexpr double kFill = 0.1;

ShapePtr hull_shape(Primitive primitive, std::uint32_t vertices) {
    auto shape = make_primitive_shape(primitive, vertices, kRadius, 1);
    if (shape.ok()) return shape.value();
    std::fprintf(stderr, "%s\n", shape.error().text().c_str());
    std::exit(1);
}

/// The queries of all frames in order: pairs of bodies whose bounding spheres overlap.
struct Stream {
    struct Query {
        std::uint32_t a, b;
        Matrix34f world_from_a, world_from_b;
    };
    ShapePtr shape;
    std::vector<Query> queries;
    double colliding = 0;
};

struct Body {
    Pose pose;
    Vec3d step, axis;
};

void advance(Body& body, double half_box) {
    for (std::size_t k = 0; k < 3; ++k) {
        const double next = body.pose.translation[k] + body.step[k];
        if (std::abs(next) > half_box) body.step[k] = -body.step[k];
        body.pose.translation[k] += body.step[k];
    }
    body.pose.rotation = normalized(axis_angle(body.axis, kTurn) * body.pose.rotation);
}

Stream make_stream(Primitive primitive, std::uint32_t vertices) {
    Stream stream;
    stream.shape = hull_shape(primitive, vertices);
    const double ball = 4.0 / 3.0 * 3.14159265358979323846 * kRadius * kRadius * kRadius;
    const double half_box = 0.5 * std::cbrt(kBodies * ball / kFill);
    Random random(17);
    std::vector<Body> bodies(kBodies);
    for (Body& b : bodies) {
        for (std::size_t k = 0; k < 3; ++k) b.pose.translation[k] = random.uniform(-half_box, half_box);
        b.pose.rotation = axis_angle(random.unit_vector(), random.uniform(0, 3));
        b.step = kStep * random.unit_vector();
        b.axis = random.unit_vector();
    }
    for (int frame = 0; frame < kFrames; ++frame) {
        for (Body& b : bodies) advance(b, half_box);
        for (std::uint32_t i = 0; i < kBodies; ++i)
            for (std::uint32_t j = i + 1; j < kBodies; ++j) {
                const Vec3d between = bodies[i].pose.translation - bodies[j].pose.translation;
                if (length(between) > 2 * kRadius) continue;
                stream.queries.push_back({i, j, to_matrix(bodies[i].pose), to_matrix(bodies[j].pose)});
            }
    }
    return stream;
}

const Stream& stream_of(Primitive primitive, std::uint32_t vertices) {
    static std::map<std::pair<int, std::uint32_t>, Stream> streams;
    const auto key = std::pair{static_cast<int>(primitive), vertices};
    const auto at = streams.find(key);
    return at != streams.end() ? at->second
                               : streams.emplace(key, make_stream(primitive, vertices)).first->second;
}

struct Setting {
    const char* name;
    Exactness exactness;
    Wants wants;
    bool warm;
    const char* parameter = nullptr;  ///< set to `value` where the algorithm has it; else the row is left out
    double value = 0;
};

/// Time per query over the whole stream, with a cache per pair as the module keeps it.
void run_stream(benchmark::State& state, const PairAlgorithm* algorithm, Primitive primitive,
                std::uint32_t vertices, Setting setting) {
    const Stream& stream = stream_of(primitive, vertices);
    const Shape& shape = *stream.shape;
    std::shared_ptr<const Prepared> prepared;
    if (algorithm->prepare != nullptr) prepared = algorithm->prepare(shape, shape.geometry());
    if (algorithm->cache_bytes != nullptr && algorithm->cache_bytes(shape, shape) > 0) {
        state.SkipWithError("needs a cache pool");
        return;
    }
    ParameterValues parameters = default_values(algorithm->parameters);
    if (setting.parameter != nullptr)
        parameters[find_parameter(algorithm->parameters, setting.parameter)] = setting.value;
    std::vector<PairCache> caches(kBodies * kBodies);
    Scratch scratch;
    double rung[4] = {}, colliding = 0, iterations = 0;
    for (auto _ : state) {
        for (const Stream::Query& s : stream.queries) {
            PairQuery q = make_pair_query(shape, s.world_from_a, shape, s.world_from_b, scratch);
            q.a.prepared = q.b.prepared = prepared.get();
            q.parameters = parameters;
            q.exactness = setting.exactness;
            q.wants = setting.wants & algorithm->gives;
            PairCache cold;
            PairCache& cache = setting.warm ? caches[s.a * kBodies + s.b] : cold;
            const PairResult r = run_query(*algorithm, q, cache);
            rung[r.rung] += 1;
            iterations += r.iterations;
            colliding += r.verdict == Verdict::colliding ? 1 : 0;
        }
    }
    const double all = static_cast<double>(state.iterations()) * static_cast<double>(stream.queries.size());
    state.SetItemsProcessed(static_cast<std::int64_t>(all));
    state.counters["ns_per_query"] =
        benchmark::Counter(all * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters["queries"] = static_cast<double>(stream.queries.size());
    state.counters["colliding"] = colliding / all;
    state.counters["iterations"] = iterations / all;
    state.counters["rung_1"] = rung[1] / all;
    state.counters["rung_2"] = rung[2] / all;
    state.counters["rung_3"] = rung[3] / all;
}

enum class Search { scan, scalar, climb_cold, climb_warm };

/// Directions that turn by 10 degrees from call to call, as those of a coherent pair do.
void run_support(benchmark::State& state, Search search, std::uint32_t vertices) {
    const ShapePtr shape = hull_shape(Primitive::ellipsoid_hull, vertices);
    const ConvexHull& hull = *shape->hull();
    std::vector<Vec3f> directions;
    Random random(3);
    Quat turn;
    for (int i = 0; i < 256; ++i) {
        turn = normalized(axis_angle(random.unit_vector(), kTurn) * turn);
        directions.push_back(cast<float>(rotate(turn, Vec3d{1, 0, 0})));
    }
    std::size_t i = 0;
    std::uint32_t warm = 0;
    const auto count = static_cast<std::uint32_t>(hull.x.size());
    for (auto _ : state) {
        const Vec3f& d = directions[i++ & 255];
        if (search == Search::scan) {
            warm = support_scan(hull.x.data(), hull.y.data(), hull.z.data(), count, d);
        } else if (search == Search::scalar) {
            warm = support_scan_scalar(hull.x.data(), hull.y.data(), hull.z.data(), count, d);
        } else {
            warm = support_vertex(hull, d, search == Search::climb_warm ? warm : 0, SupportMethod::climb);
        }
        benchmark::DoNotOptimize(warm);
    }
}

void register_all() {
    const Setting settings[] = {{"exact", Exactness::exact, kWantVerdict, true},
                                {"fast", Exactness::fast, kWantVerdict, true},
                                {"exact_cold", Exactness::exact, kWantVerdict, false},
                                {"exact_distance", Exactness::exact, kWantDistance, true},
                                {"exact_scan", Exactness::exact, kWantVerdict, true, "support", 1},
                                {"exact_climb", Exactness::exact, kWantVerdict, true, "support", 2}};
    const Primitive shapes[] = {Primitive::ellipsoid_hull, Primitive::rod_hull, Primitive::plate_hull};
    for (const Primitive primitive : shapes)
        for (const std::uint32_t vertices : {20u, 100u, 500u, 2000u})
            for (const PairAlgorithm* algorithm : pair_algorithms())
                for (const Setting& setting : settings) {
                    if (algorithm->needs != Needs::convex && (!setting.warm || vertices > 500)) continue;
                    if ((setting.wants & ~algorithm->gives) != 0) continue;
                    const auto& table = algorithm->parameters;
                    if (setting.parameter != nullptr &&
                        find_parameter(table, setting.parameter) == table.size())
                        continue;
                    const std::string name = std::string("coherent_pairs/") + info(primitive).id + "_" +
                                             std::to_string(vertices) + "/" + algorithm->id + ":" +
                                             setting.name;
                    benchmark::RegisterBenchmark(name.c_str(), run_stream, algorithm, primitive, vertices,
                                                 setting)
                        ->Unit(benchmark::kMillisecond);
                }
    const std::pair<Search, const char*> searches[] = {{Search::scan, "scan"},
                                                       {Search::scalar, "scalar"},
                                                       {Search::climb_cold, "climb_cold"},
                                                       {Search::climb_warm, "climb_warm"}};
    for (const std::uint32_t vertices : {20u, 50u, 100u, 200u, 500u, 2000u})
        for (const auto& [search, name] : searches)
            benchmark::RegisterBenchmark(
                ("support/ellipsoid_hull_" + std::to_string(vertices) + "/" + name).c_str(), run_support,
                search, vertices);
}

}  // namespace

int main(int argc, char** argv) {
    register_all();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
