// Pair algorithms on recorded streams (bench/streams): polytopes in a cage, the cost of exactness, and stacks
// that touch exactly. Also the support searches that they use.

#include "bench/streams/stream_player.hpp"
#include "collision/core/random.hpp"
#include "collision/pairwise/support/support.hpp"
#include "collision/simd/support_scan.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <numbers>
#include <vector>

namespace {

using namespace claybox::collision;
using namespace claybox::streams;

constexpr std::uint32_t kFrames = 120;
constexpr Primitive kShapes[] = {Primitive::ellipsoid_hull, Primitive::rod_hull, Primitive::plate_hull};
constexpr std::uint32_t kVertices[] = {20, 100, 500, 2000};

[[noreturn]] void exit_with(const Error& error) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    std::exit(1);
}

const QueryStream& stream_of(Primitive primitive, std::uint32_t vertices) {
    static std::map<std::pair<int, std::uint32_t>, QueryStream> streams;
    const auto key = std::pair{static_cast<int>(primitive), vertices};
    const auto at = streams.find(key);
    if (at != streams.end()) return at->second;
    CageSettings settings;
    settings.primitive = primitive;
    settings.vertices = vertices;
    settings.filled_by_balls = true;
    auto stream = record_cage(settings, kFrames);
    if (!stream.ok()) exit_with(stream.error());
    return streams.emplace(key, std::move(stream.value())).first->second;
}

struct Setting {
    const char* name;
    Exactness exactness;
    Wants wants;
    bool warm;
    const char* parameter = nullptr;  ///< set to `value`; algorithms without it have no row
    double value = 0;
};

PlaySettings play_settings(const PairAlgorithm& algorithm, const Setting& setting) {
    PlaySettings out{setting.exactness, setting.wants, setting.warm, default_values(algorithm.parameters)};
    if (setting.parameter != nullptr)
        out.parameters[find_parameter(algorithm.parameters, setting.parameter)] = setting.value;
    return out;
}

void count(benchmark::State& state, const PlayCounts& tally) {
    const auto part = [&](std::uint64_t n) {
        return static_cast<double>(n) / static_cast<double>(tally.queries);
    };
    state.counters["queries"] = static_cast<double>(tally.queries);
    state.counters["colliding"] = part(tally.colliding);
    state.counters["iterations"] = part(tally.iterations);
    state.counters["rung_1"] = part(tally.rung[1]);
    state.counters["rung_2"] = part(tally.rung[2]);
    state.counters["rung_3"] = part(tally.rung[3]);
}

/// Time per query over the whole stream, with one cache per pair as in the module.
void run_stream(benchmark::State& state, const PairAlgorithm* algorithm, Primitive primitive,
                std::uint32_t vertices, Setting setting) {
    const QueryStream& stream = stream_of(primitive, vertices);
    StreamPlayer player(stream, *algorithm);
    const PlaySettings settings = play_settings(*algorithm, setting);
    PlayCounts tally;
    for (auto _ : state) tally = player.play(settings);
    const double all = static_cast<double>(state.iterations()) * static_cast<double>(stream.queries.size());
    state.SetItemsProcessed(static_cast<std::int64_t>(all));
    state.counters["s_per_query"] =
        benchmark::Counter(all, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    count(state, tally);
}

double median(std::vector<double> v) {
    const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
    std::nth_element(v.begin(), middle, v.end());
    return *middle;
}

/// Processor time, which excludes most other load on the machine.
double seconds_of(StreamPlayer& player, const PlaySettings& settings, PlayCounts& tally) {
    const std::clock_t start = std::clock();
    tally = player.play(settings);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Cost of exactness: plays the whole stream in exact and in fast mode in turn, with separate caches. Median
/// of the ratios.
void run_ratio(benchmark::State& state, const PairAlgorithm* algorithm, Primitive primitive,
               std::uint32_t vertices) {
    constexpr int kRepeats = 101, kMinRepeats = 5;
    constexpr double kMaxSeconds = 20;  // fewer repeats for slow references
    const QueryStream& stream = stream_of(primitive, vertices);
    StreamPlayer exact(stream, *algorithm), fast(stream, *algorithm);
    const PlaySettings exact_settings = play_settings(*algorithm, {"", Exactness::exact, kWantVerdict, true}),
                       fast_settings = play_settings(*algorithm, {"", Exactness::fast, kWantVerdict, true});
    PlayCounts tally, unused;
    for (auto _ : state) {
        std::vector<double> ratios, exact_ns, fast_ns;
        double spent = 0;
        for (int i = 0; i <= kRepeats && (i <= kMinRepeats || spent < kMaxSeconds); ++i) {
            const double e = seconds_of(exact, exact_settings, tally),
                         f = seconds_of(fast, fast_settings, unused);
            spent += e + f;
            if (i == 0) continue;  // cold caches
            ratios.push_back(e / f);
            exact_ns.push_back(1e9 * e / static_cast<double>(tally.queries));
            fast_ns.push_back(1e9 * f / static_cast<double>(tally.queries));
        }
        state.counters["exact_ns"] = median(exact_ns);
        state.counters["fast_ns"] = median(fast_ns);
        state.counters["ratio"] = median(ratios);
    }
    count(state, tally);
}

struct StackRow {
    const char* name;
    StackedShape shape;
    std::uint32_t vertices;
    bool tilted;
};

/// Exactly touching pairs. Medians of single queries: new poses (moved), unchanged poses (rest), from an
/// empty cache (cold), and in fast mode. Wall-clock times without the cost of the clock.
void run_stacks(benchmark::State& state, const PairAlgorithm* algorithm, StackRow row) {
    StackSettings settings;
    settings.shape = row.shape;
    settings.vertices = row.vertices;
    settings.tilted = row.tilted;
    auto stream = record_stacks(settings, 40);
    if (!stream.ok()) exit_with(stream.error());
    StreamPlayer player(stream.value(), *algorithm);
    PlaySettings warm = play_settings(*algorithm, {"", Exactness::exact, kWantVerdict, true}), cold = warm,
                 fast = play_settings(*algorithm, {"", Exactness::fast, kWantVerdict, true});
    cold.warm = false;
    using Clock = std::chrono::steady_clock;
    const auto time = [](auto&& body) {
        const auto start = Clock::now();
        body();
        return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    };
    std::vector<double> moved_ns, cold_ns, rest_ns, fast_ns, clock_ns;
    PlayCounts tally;
    for (auto _ : state) {
        for (std::size_t i = 0; i < stream.value().queries.size(); ++i) {
            PairResult r;
            const auto time_query = [&](const PlaySettings& s) {
                return time([&] { r = player.run_one(i, s); });
            };
            moved_ns.push_back(time_query(warm));
            rest_ns.push_back(time_query(warm));
            cold_ns.push_back(time_query(cold));
            fast_ns.push_back(time_query(fast));
            time_query(warm);
            clock_ns.push_back(time([] {}));
            ++tally.queries;
            ++tally.rung[r.rung & 3];
            tally.colliding += r.verdict == Verdict::colliding ? 1 : 0;
        }
    }
    const double clock = median(clock_ns);
    state.counters["moved_ns"] = median(moved_ns) - clock;
    state.counters["cold_ns"] = median(cold_ns) - clock;
    state.counters["rest_ns"] = median(rest_ns) - clock;
    state.counters["fast_ns"] = median(fast_ns) - clock;
    count(state, tally);
}

enum class Search { scan, scalar, climb_cold, climb_warm };

/// Support searches in directions that turn by 10 degrees per call, as for a coherent pair.
void run_support(benchmark::State& state, Search search, std::uint32_t vertices) {
    auto made = make_primitive_shape(Primitive::ellipsoid_hull, vertices, 1, 1);
    if (!made.ok()) exit_with(made.error());
    const ConvexHull& hull = *made.value()->hull();
    std::vector<Vec3f> directions;
    Random random(3);
    Quat turn;
    for (int i = 0; i < 256; ++i) {
        turn = normalized(axis_angle(random.unit_vector(), std::numbers::pi / 18) * turn);
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

/// Whether the algorithm accepts bodies with this number of vertices.
bool fits(const PairAlgorithm& algorithm, std::uint32_t vertices) {
    if (algorithm.fits == nullptr) return true;
    const auto shape = make_primitive_shape(Primitive::ellipsoid_hull, vertices, 1, 1);
    return shape.ok() && algorithm.fits(*shape.value(), *shape.value());
}

bool supports(const PairAlgorithm& algorithm, const Setting& s) {
    const auto& table = algorithm.parameters;
    return (s.wants & ~algorithm.gives) == 0 &&
           (s.parameter == nullptr || find_parameter(table, s.parameter) < table.size());
}

void register_streams() {
    const Setting settings[] = {{"exact", Exactness::exact, kWantVerdict, true},
                                {"fast", Exactness::fast, kWantVerdict, true},
                                {"exact_cold", Exactness::exact, kWantVerdict, false},
                                {"exact_distance", Exactness::exact, kWantDistance, true},
                                {"exact_depth", Exactness::exact, kWantDepth, true},
                                {"exact_scan", Exactness::exact, kWantVerdict, true, "support", 1},
                                {"exact_climb", Exactness::exact, kWantVerdict, true, "support", 2}};
    for (const Primitive primitive : kShapes)
        for (const std::uint32_t vertices : kVertices)
            for (const PairAlgorithm* algorithm : pair_algorithms()) {
                if (!fits(*algorithm, vertices)) continue;
                const std::string row =
                    std::string(info(primitive).id) + "_" + std::to_string(vertices) + "/" + algorithm->id;
                const bool convex = algorithm->needs == Needs::convex;
                for (const Setting& setting : settings) {
                    if (!supports(*algorithm, setting) || (!convex && (!setting.warm || vertices > 500)))
                        continue;
                    benchmark::RegisterBenchmark(("coherent_pairs/" + row + ":" + setting.name).c_str(),
                                                 run_stream, algorithm, primitive, vertices, setting)
                        ->Unit(benchmark::kMillisecond);
                }
                if (convex && algorithm->exact)
                    benchmark::RegisterBenchmark(("exactness/" + row).c_str(), run_ratio, algorithm,
                                                 primitive, vertices)
                        ->Iterations(1)
                        ->Unit(benchmark::kMillisecond);
            }
}

void register_stacks() {
    for (const StackRow& row :
         {StackRow{"box_8", StackedShape::box, 8, false}, StackRow{"prism_8", StackedShape::prism, 8, false},
          StackRow{"block_8", StackedShape::block, 8, false},
          StackRow{"block_8_tilted", StackedShape::block, 8, true},
          StackRow{"mirror_8", StackedShape::mirror, 8, false},
          StackRow{"prism_500", StackedShape::prism, 500, false},
          StackRow{"block_500", StackedShape::block, 500, false},
          StackRow{"block_500_tilted", StackedShape::block, 500, true},
          StackRow{"mirror_500", StackedShape::mirror, 500, false}})
        for (const PairAlgorithm* algorithm : pair_algorithms())
            if (algorithm->needs == Needs::convex && algorithm->exact && fits(*algorithm, row.vertices))
                benchmark::RegisterBenchmark(
                    (std::string("stacks/") + row.name + "/" + algorithm->id).c_str(), run_stacks, algorithm,
                    row)
                    ->Iterations(1)
                    ->Unit(benchmark::kMillisecond);
}

void register_supports() {
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
    register_streams();
    register_stacks();
    register_supports();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
