#include "bench/experiments/module/concurrent_report.hpp"
#include "bench/experiments/shared/busy_work.hpp"
#include "bench/experiments/shared/measure.hpp"
#include "bench/experiments/shared/tables.hpp"
#include "bench/streams/cage_motion.hpp"
#include "collision/module/world.hpp"

#include <algorithm>

namespace claybox::bench {

using namespace collision;

namespace {

enum Mode : std::size_t { kOff, kSerial, kConcurrent, kModes };
constexpr const char* kModeNames[kModes] = {"off", "serial", "concurrent"};
constexpr std::size_t kBodiesAtLoad1 = 100;
constexpr double kWorkNs = 8e6;

/// An application loop: moves bodies, works and polls events, with or without collision detection.
class Loop {
  public:
    Loop(Mode mode, std::size_t bodies, std::uint64_t seed, std::uint64_t rounds)
        : mode_(mode), rounds_(rounds), motion_(make(bodies, seed)) {
        WorldSettings settings = default_settings();
        settings.concurrent = mode == kConcurrent;
        world_ = std::make_unique<World>(settings);
        for (std::size_t i = 0; i < motion_.size(); ++i)
            ids_.push_back(world_->add_body({.shape = motion_.shape(i), .pose = motion_.pose(i)}).value());
    }
    double frame() {
        const double start = now_ns();
        motion_.advance();
        if (mode_ != kOff) {
            for (std::size_t i = 0; i < ids_.size(); ++i) (void)world_->move(ids_[i], motion_.pose(i));
            world_->publish(++frame_);
            world_->check();
            world_->poll_events(events_);
        }
        busy_work(rounds_);
        return now_ns() - start;
    }
    /// Waits for the last pass; nothing of this loop then runs during blocks of other loops.
    void rest() { world_->wait_idle(); }
    PassStats stats() const { return world_->stats(); }

  private:
    static streams::CageMotion make(std::size_t bodies, std::uint64_t seed) {
        streams::CageSettings settings;
        settings.vertices = 100;
        settings.bodies = bodies;
        settings.shapes = 16;
        settings.seed = seed;
        return streams::CageMotion::make(settings).value();
    }

    Mode mode_;
    std::uint64_t rounds_;
    streams::CageMotion motion_;
    std::unique_ptr<World> world_;
    std::vector<BodyId> ids_;
    EventBatch events_;
    std::uint64_t frame_ = 0;
};

double quantile(std::vector<double>& sorted, double part) {
    return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
}

void measure_load(std::size_t load, const ExperimentOptions& options, std::uint64_t rounds,
                  ExperimentReport& report) {
    const std::size_t blocks = options.quick ? 1 : 40, frames = options.quick ? 3 : 50;
    std::vector<std::unique_ptr<Loop>> loops;
    for (const Mode mode : {kOff, kSerial, kConcurrent})
        loops.push_back(std::make_unique<Loop>(mode, kBodiesAtLoad1 * load, options.seed, rounds));
    std::vector<double> times[kModes];
    for (std::size_t block = 0; block < blocks; ++block)
        for (std::size_t mode = 0; mode < kModes; ++mode) {
            // Two untimed frames wake sleeping threads.
            for (std::size_t i = 0; i < frames + 2; ++i) {
                const double ns = loops[mode]->frame();
                if (i >= 2) times[mode].push_back(ns);
            }
            loops[mode]->rest();
        }
    double p99_off = 0;
    for (std::size_t mode = 0; mode < kModes; ++mode) {
        std::sort(times[mode].begin(), times[mode].end());
        const double p99 = quantile(times[mode], 0.99);
        if (mode == kOff) p99_off = p99;
        std::vector<std::string> cells{std::to_string(load) + "x", kModeNames[mode]};
        Measurement m;
        m.name = "concurrent/frames/load-" + std::to_string(load) + "/" + kModeNames[mode];
        m.queries = times[mode].size();
        m.ns = quantile(times[mode], 0.5);
        for (const auto& [name, part] :
             {std::pair{"p50", 0.5}, std::pair{"p95", 0.95}, std::pair{"p99", 0.99}, std::pair{"max", 1.0}}) {
            cells.push_back(format_number("%.2f", quantile(times[mode], part) / 1e6));
            m.counters.emplace_back(std::string(name) + "_ms", quantile(times[mode], part) / 1e6);
        }
        cells.push_back(format_number("%.2f", p99 / p99_off));
        cells.push_back(mode == kOff ? "" : format_number("%.1f", 1e3 * loops[mode]->stats().seconds_total));
        cells.push_back(mode == kOff ? "" : std::to_string(loops[mode]->stats().pass));
        m.counters.emplace_back("p99_by_off", p99 / p99_off);
        report.markdown += table_row(cells);
        report.measurements.push_back(std::move(m));
    }
}

}  // namespace

void measure_frames(const ExperimentOptions& options, ExperimentReport& report) {
    const std::uint64_t rounds = options.quick ? 1000 : rounds_of_work(kWorkNs);
    report.markdown +=
        "### Frame times of a loop with 8 ms of work, ms\n\n" + std::to_string(kBodiesAtLoad1) +
        " polytopes of 100 vertices at load 1x, all moving; modes alternate in blocks of 50 frames.\n\n" +
        table_head(
            {"load", "collision", "p50", "p95", "p99", "max", "p99 / p99 of off", "last pass", "passes"}, 2);
    for (const std::size_t load : {1, 3, 10, 30, 100}) {
        if (options.quick && load > 3) break;
        if (options.progress) options.progress("load " + std::to_string(load) + "x");
        measure_load(load, options, rounds, report);
    }
    report.markdown += "\n";
}

}  // namespace claybox::bench
