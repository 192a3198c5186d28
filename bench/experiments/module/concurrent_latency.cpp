#include "bench/experiments/module/concurrent_report.hpp"
#include "bench/experiments/shared/measure.hpp"
#include "bench/experiments/shared/tables.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/module/world.hpp"

#include <algorithm>

namespace claybox::bench {

using namespace collision;

namespace {

constexpr std::size_t kBodies = 1000;

/// Durations of single calls.
class Times {
  public:
    explicit Times(std::size_t capacity) { ns_.reserve(capacity); }
    template <class Call>
    void time(Call&& call) {
        const double start = now_ns();
        call();
        ns_.push_back(static_cast<float>(now_ns() - start));
    }
    double quantile(double part) {
        const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(ns_.size() - 1));
        std::nth_element(ns_.begin(), ns_.begin() + at, ns_.end());
        return static_cast<double>(ns_[static_cast<std::size_t>(at)]);
    }
    std::size_t count() const { return ns_.size(); }

  private:
    std::vector<float> ns_;
};

void add_row(const char* name, Times& times, ExperimentReport& report) {
    std::vector<std::string> cells{name, std::to_string(times.count())};
    Measurement m;
    m.name = std::string("concurrent/latency/") + name;
    m.queries = times.count();
    m.ns = times.quantile(0.5);
    for (const auto& [label, part] :
         {std::pair{"p50", 0.5}, std::pair{"p99", 0.99}, std::pair{"p99.9", 0.999},
          std::pair{"p99.99", 0.9999}, std::pair{"max", 1.0}}) {
        cells.push_back(format_number("%.3g", times.quantile(part) / 1000));
        m.counters.emplace_back(std::string(label) + "_us", times.quantile(part) / 1000);
    }
    report.markdown += table_row(cells);
    report.measurements.push_back(std::move(m));
}

std::vector<BodyId> fill(World& world, Random& random, std::vector<Pose>& poses) {
    const ShapePtr shape = make_primitive_shape(Primitive::ellipsoid_hull, 50, 0.5f, 1).value();
    std::vector<BodyId> ids;
    for (std::size_t i = 0; i < kBodies; ++i) {
        poses.push_back({{}, {random.uniform(-6, 6), random.uniform(-6, 6), random.uniform(-6, 6)}});
        ids.push_back(world.add_body({.shape = shape, .pose = poses.back()}).value());
    }
    return ids;
}

}  // namespace

void measure_latency(const ExperimentOptions& options, ExperimentReport& report) {
    const std::size_t entries = options.quick ? 20000 : 10000000;
    WorldSettings settings = default_settings();
    settings.concurrent = true;
    settings.workers = 0;  // settings() then returns the number of processors
    World world(settings);
    Random random(options.seed);
    std::vector<Pose> poses;
    const std::vector<BodyId> ids = fill(world, random, poses);
    Times clock(entries), moves(entries), publishes(entries / kBodies + 1), polls(entries / kBodies + 1);
    EventBatch events;
    // One timed clock call and one timed move per body: a frame lasts about as long as a pass, and both
    // threads are always busy.
    for (std::uint64_t frame = 1; moves.count() < entries; ++frame) {
        for (std::size_t i = 0; i < kBodies; ++i) {
            Pose& pose = poses[i];
            pose.translation += 0.01 * random.unit_vector();
            clock.time([] {});
            moves.time([&] { (void)world.move(ids[i], pose); });
        }
        publishes.time([&] { world.publish(frame); });
        polls.time([&] { world.poll_events(events); });
    }
    world.wait_idle();
    const PassStats stats = world.stats();
    report.markdown += "### Duration of the producer's calls, µs\n\n" + std::to_string(kBodies) +
                       " bodies, all moved in every frame, while passes run; `clock`: an empty call.\n\n" +
                       table_head({"call", "calls", "p50", "p99", "p99.9", "p99.99", "max"}, 1);
    add_row("clock", clock, report);
    add_row("move", moves, report);
    add_row("publish", publishes, report);
    add_row("poll_events", polls, report);
    report.markdown += "\n" + std::to_string(stats.pass) + " passes over " + std::to_string(stats.frame) +
                       " frames, on " + std::to_string(world.settings().workers) + " processors.\n\n";
    if (stats.frame != (entries + kBodies - 1) / kBodies)
        report.failure = "latency: the last frame was not processed";
}

}  // namespace claybox::bench
