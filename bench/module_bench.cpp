// Passes of the module in a cage: bodies of 100 vertices fill 10 % of the volume, move by 5 % of their radius
// and turn by 10 degrees per frame, reverse on collision and turn back at the walls.
//
//   module_bench                              passes with their stage times
//   module_bench --seconds=60 --repeats=5     length of the runs of the concurrency row
#include "bench/streams/cage_motion.hpp"
#include "collision/module/world.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace claybox::collision {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// CageMotion in a world. Bodies turn back when the world reports a collision.
class Cage {
  public:
    Cage(World& world, std::size_t bodies, double filled) : world_(world), motion_(make(bodies, filled)) {
        for (std::size_t i = 0; i < motion_.size(); ++i) {
            const BodyId id =
                world_.add_body({.shape = motion_.shape(i), .pose = motion_.pose(i), .data = i}).value();
            if (id.slot >= body_of_slot_.size()) body_of_slot_.resize(id.slot + 1);
            body_of_slot_[id.slot] = i;
            ids_.push_back(id);
        }
    }

    void step() {
        world_.poll_events(events_);
        for (const Event& event : events_.events) {
            if (event.kind != EventKind::begin) continue;
            for (const BodyId id : {event.a, event.b}) motion_.reverse(body_of_slot_[id.slot]);
        }
        motion_.advance();
        for (std::size_t i = 0; i < ids_.size(); ++i) (void)world_.move(ids_[i], motion_.pose(i));
        world_.publish(++frame_);
    }

  private:
    static streams::CageMotion make(std::size_t bodies, double filled) {
        streams::CageSettings settings;
        settings.vertices = 100;
        settings.bodies = bodies;
        settings.shapes = 16;
        settings.filled = filled;
        return streams::CageMotion::make(settings).value();
    }

    World& world_;
    streams::CageMotion motion_;
    std::vector<BodyId> ids_;
    std::vector<std::size_t> body_of_slot_;
    EventBatch events_;
    std::uint64_t frame_ = 0;
};

WorldSettings settings_of(const char* pair, const char* broad, unsigned workers) {
    WorldSettings settings = default_settings();
    settings.pair_algorithm = find_pair_algorithm(pair);
    settings.pair_parameters = default_values(settings.pair_algorithm->parameters);
    settings.broad_phase = find_broad_phase(broad);
    settings.broad_parameters = default_values(settings.broad_phase->parameters);
    settings.parallel = workers > 1 ? ParallelMode::pairs : ParallelMode::serial;
    settings.workers = workers;
    return settings;
}

/// One iteration is one pass. Its time excludes the application's moves.
void pass(benchmark::State& state, const char* pair, const char* broad, std::size_t bodies,
          unsigned workers) {
    World world(settings_of(pair, broad, workers));
    Cage cage(world, bodies, 0.1);
    for (int i = 0; i < 10; ++i) {
        cage.step();
        world.check();
    }
    PassStats sum;
    double moves = 0;
    for (auto _ : state) {
        const auto start = Clock::now();
        cage.step();
        moves += seconds_since(start);
        world.check();
        const PassStats one = world.stats();
        state.SetIterationTime(one.seconds_total);
        sum.seconds_take += one.seconds_take;
        sum.seconds_shared += one.seconds_shared;
        sum.seconds_busy += one.seconds_busy;
        sum.seconds_bounds += one.seconds_bounds;
        sum.seconds_broad += one.seconds_broad;
        sum.seconds_narrow += one.seconds_narrow;
        sum.seconds_events += one.seconds_events;
        sum.raw_candidates += one.raw_candidates;
        sum.tests += one.tests;
        sum.colliding += one.colliding;
        sum.rung[2] += one.rung[2];
    }
    const auto mean_ms = [](double seconds) {
        return benchmark::Counter(1e3 * seconds, benchmark::Counter::kAvgIterations);
    };
    const auto mean = [](std::uint64_t v) {
        return benchmark::Counter(static_cast<double>(v), benchmark::Counter::kAvgIterations);
    };
    state.counters["take_ms"] = mean_ms(sum.seconds_take);
    state.counters["shared_ms"] = mean_ms(sum.seconds_shared);
    state.counters["busy_ms"] = mean_ms(sum.seconds_busy);
    state.counters["bounds_ms"] = mean_ms(sum.seconds_bounds);
    state.counters["broad_ms"] = mean_ms(sum.seconds_broad);
    state.counters["narrow_ms"] = mean_ms(sum.seconds_narrow);
    state.counters["events_ms"] = mean_ms(sum.seconds_events);
    state.counters["application_ms"] = mean_ms(moves);
    state.counters["raw"] = mean(sum.raw_candidates);
    state.counters["tests"] = mean(sum.tests);
    state.counters["colliding"] = mean(sum.colliding);
    state.counters["exact_rung"] = mean(sum.rung[2]);
}

/// Keeps one core busy for a fixed amount of work, like a renderer.
double busy_work(std::size_t rounds) {
    double x = 0.5;
    for (std::size_t i = 0; i < rounds; ++i) x = std::sqrt(x * x + 1.0) * 0.7;
    return x;
}

std::size_t rounds_of(double seconds) {
    // The fastest of many short runs, because other load must not reduce the work.
    constexpr std::size_t kRounds = 1'000'000;
    double best = 1;
    for (int i = 0; i < 50; ++i) {
        const auto start = Clock::now();
        benchmark::DoNotOptimize(busy_work(kRounds));
        best = std::min(best, seconds_since(start));
    }
    return static_cast<std::size_t>(kRounds * seconds / best);
}

struct Run {
    double p99_ms, pass_ms, passes_per_frame;
};

Run render_loop(std::size_t bodies, double seconds, std::size_t rounds) {
    WorldSettings settings = settings_of("gjk", "grid", 1);
    settings.concurrent = true;
    World world(settings);
    Cage cage(world, bodies, 0.1);
    std::vector<double> frames;
    double pass_seconds = 0;
    const auto begin = Clock::now();
    while (seconds_since(begin) < seconds) {
        const auto start = Clock::now();
        cage.step();
        benchmark::DoNotOptimize(busy_work(rounds));
        frames.push_back(seconds_since(start));
        pass_seconds += world.stats().seconds_total;
    }
    world.wait_idle();
    const auto count = static_cast<double>(frames.size());
    const auto p99 = frames.begin() + static_cast<std::ptrdiff_t>(0.99 * (count - 1));
    std::nth_element(frames.begin(), p99, frames.end());
    return {1e3 * *p99, 1e3 * pass_seconds / count, static_cast<double>(world.stats().pass) / count};
}

/// 99th percentile of the frame times of an 8 ms loop while the module works on another core, with 100 and
/// with 1,000 bodies. The two runs alternate.
void concurrency(benchmark::State& state, double seconds, int repeats) {
    const std::size_t rounds = rounds_of(0.008);
    for (auto _ : state) {
        std::vector<double> growth;
        for (int repeat = 0; repeat < repeats; ++repeat) {
            const Run light = render_loop(100, seconds, rounds), heavy = render_loop(1000, seconds, rounds);
            growth.push_back(heavy.p99_ms / light.p99_ms);
            std::fprintf(stderr,
                         "repeat %d: 1x p99 %.3f ms (pass %.3f ms, %.2f passes per frame), 10x p99 %.3f ms "
                         "(pass %.3f ms, %.2f passes per frame), growth %.1f %%\n",
                         repeat, light.p99_ms, light.pass_ms, light.passes_per_frame, heavy.p99_ms,
                         heavy.pass_ms, heavy.passes_per_frame, 100 * (growth.back() - 1));
            const std::string index = std::to_string(repeat);
            state.counters["p99_1x_ms_" + index] = light.p99_ms;
            state.counters["p99_10x_ms_" + index] = heavy.p99_ms;
        }
        std::sort(growth.begin(), growth.end());
        state.counters["growth_median"] = growth[growth.size() / 2];
    }
}

/// Removes the argument NAMEVALUE from the list and returns its value, or `fallback`.
double take_number(int& argc, char** argv, const char* name, double fallback) {
    for (int i = 1; i < argc; ++i) {
        if (std::strncmp(argv[i], name, std::strlen(name)) != 0) continue;
        const double value = std::atof(argv[i] + std::strlen(name));
        std::rotate(argv + i, argv + i + 1, argv + argc--);
        return value > 0 ? value : fallback;
    }
    return fallback;
}

void register_rows(double seconds, int repeats) {
    struct Row {
        const char *name, *pair, *broad;
        std::size_t bodies;
        unsigned workers;
    };
    for (const Row& row : {Row{"pass/500_bodies/best_best", "best", "best", 500, 1},
                           Row{"pass/500_bodies/best_best_2_workers", "best", "best", 500, 2},
                           Row{"pass/10000_bodies/best_best", "best", "best", 10000, 1},
                           Row{"pass/10000_bodies/best_best_2_workers", "best", "best", 10000, 2},
                           Row{"pass/1000_bodies/gjk_grid", "gjk", "grid", 1000, 1},
                           Row{"pass/1000_bodies/gjk_all_pairs", "gjk", "all_pairs", 1000, 1},
                           Row{"pass/1000_bodies/gjk_grid_2_workers", "gjk", "grid", 1000, 2},
                           Row{"pass/10000_bodies/gjk_grid", "gjk", "grid", 10000, 1},
                           Row{"pass/10000_bodies/gjk_all_pairs", "gjk", "all_pairs", 10000, 1}})
        benchmark::RegisterBenchmark(
            row.name,
            [row](benchmark::State& state) { pass(state, row.pair, row.broad, row.bodies, row.workers); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("concurrency/render_loop_8_ms/gjk_grid",
                                 [=](benchmark::State& state) { concurrency(state, seconds, repeats); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace claybox::collision

int main(int argc, char** argv) {
    const double seconds = claybox::collision::take_number(argc, argv, "--seconds=", 2);
    const auto repeats = static_cast<int>(claybox::collision::take_number(argc, argv, "--repeats=", 3));
    claybox::collision::register_rows(seconds, repeats);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
}
