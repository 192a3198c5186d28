// The experiment `parallel`: parallel modes of the module. One world per mode plays the same bodies, block by
// block in turn. Own rows, and the tables of Zachmann's thesis (6.6).

#include "bench/experiments/module/parallel_player.hpp"
#include "bench/experiments/shared/measure.hpp"
#include "bench/experiments/shared/tables.hpp"
#include "bench/streams/cage_motion.hpp"
#include "collision/jobs/speed_up.hpp"

#include <memory>

namespace claybox::bench {

using namespace collision;

const Experiment& describe_parallel();

void Sums::add(const PassStats& s) {
    seconds += s.seconds_total;
    narrow += s.seconds_narrow;
    estimate += estimated_speed_up(s) * s.seconds_total;
    stopping += s.seconds_to_stop;
    ++passes;
    tests += s.tests;
    colliding += s.colliding;
    shared += s.shared_pairs;
    parts += s.shared_parts;
    raced += s.won_by_algorithm + s.won_by_gap_search + s.won_by_point_search;
    gap += s.won_by_gap_search;
    point += s.won_by_point_search;
}

namespace {

/// A world in one mode, with moving bodies that turn back when it reports their collision.
class Player final : public RowPlayer {
  public:
    Player(const ParallelRow& row, const ParallelConfig& config, const streams::CageMotion& motion)
        : world_(settings_of(row, config)), motion_(motion) {
        Interest interest;
        if (row.all_hits) interest.wants = kWantAllHits;
        world_.set_interest(0, 0, interest);
        for (std::size_t i = 0; i < motion_.size(); ++i)
            ids_.push_back(world_.add_body({motion_.shape(i), motion_.pose(i), 0, false, i}).value());
    }
    Sums play(std::size_t frames) override {
        Sums out;
        for (std::size_t i = 0; i < frames; ++i) {
            step();
            out.add(world_.stats());
        }
        return out;
    }
    std::uint64_t hash() const override { return world_.stats().state_hash; }

  private:
    static WorldSettings settings_of(const ParallelRow& row, const ParallelConfig& config) {
        WorldSettings out = default_settings();
        out.pair_algorithm = find_pair_algorithm(row.pair);
        out.pair_parameters = default_values(out.pair_algorithm->parameters);
        if (row.broad != nullptr) {
            out.broad_phase = find_broad_phase(row.broad);
            out.broad_parameters = default_values(out.broad_phase->parameters);
        }
        out.parallel = config.mode;
        out.workers = config.workers;
        if (row.share_from != 0) out.share_from = row.share_from;
        return out;
    }
    void step() {
        for (const Event& event : events_.events) {
            if (event.kind != EventKind::begin) continue;
            motion_.reverse(event.a.slot);
            motion_.reverse(event.b.slot);
        }
        motion_.advance();
        for (std::size_t i = 0; i < ids_.size(); ++i) (void)world_.move(ids_[i], motion_.pose(i));
        world_.publish(++frame_);
        world_.check();
        world_.poll_events(events_);
    }

    World world_;
    streams::CageMotion motion_;
    std::vector<BodyId> ids_;  ///< by slot
    EventBatch events_;
    std::uint64_t frame_ = 0;
};

/// Results of one configuration, per block.
struct Series {
    std::vector<Sums> blocks;
    double ms() const {
        std::vector<double> out;
        for (const Sums& b : blocks) out.push_back(1e3 * b.seconds / static_cast<double>(b.passes));
        return median(out);
    }
    /// Median of the ratios of equal blocks, which other load on the machine affects equally.
    double speed_up_over(const Series& one, double Sums::*seconds) const {
        std::vector<double> out;
        for (std::size_t i = 0; i < blocks.size(); ++i)
            out.push_back(speed_up(one.blocks[i].*seconds, blocks[i].*seconds));
        return median(out);
    }
    double spread() const {
        std::vector<double> out;
        for (const Sums& b : blocks) out.push_back(b.seconds);
        return spread_of(out);
    }
    double estimated_speed_up() const {
        std::vector<double> out;
        for (const Sums& b : blocks) out.push_back(b.estimate / b.seconds);
        return median(out);
    }
    Sums all() const {
        Sums out;
        for (const Sums& b : blocks) {
            out.passes += b.passes;
            out.tests += b.tests;
            out.colliding += b.colliding;
            out.shared += b.shared;
            out.parts += b.parts;
            out.raced += b.raced;
            out.gap += b.gap;
            out.point += b.point;
            out.stopping += b.stopping;
        }
        return out;
    }
};

double ratio(double x, double y) {
    return y > 0 ? x / y : 0;
}

class Run {
  public:
    explicit Run(const ExperimentOptions& options) : options_(options) {}

    void play(const ParallelRow& row) {
        const std::size_t frames = options_.quick ? 6 : row.frames, blocks = options_.quick ? 2 : row.blocks;
        const auto players = players_of(row);
        std::vector<Series> series(players.size());
        for (std::size_t block = 0; block <= blocks; ++block)
            for (std::size_t i = 0; i < players.size(); ++i) {
                Sums sums = players[i]->play(frames);
                if (block > 0) series[i].blocks.push_back(sums);  // the first one is a warm-up
                if (players[i]->hash() != players[0]->hash())
                    report_.failure = std::string(row.name) + ": " + row.configs[i].name() +
                                      " ends in a different state from " + row.configs[0].name();
            }
        add_tables(row, series);
    }

    /// Begins with one table of all rows.
    ExperimentReport result() && {
        report_.markdown = "\n### Speed-up of all rows\n\n" +
                           table_head({"row", "pair algorithm", "mode", "serial, ms per pass", "ms per pass",
                                       "spread, %", "S_p", "E_p"},
                                      3) +
                           summary_ + report_.markdown + build_warning();
        return std::move(report_);
    }

  private:
    std::vector<std::unique_ptr<RowPlayer>> players_of(const ParallelRow& row) const {
        std::vector<std::unique_ptr<RowPlayer>> out;
        if (row.groups) {
            for (const ParallelConfig& config : row.configs)
                out.push_back(make_jojo_player(config, options_.seed));
            return out;
        }
        const streams::CageMotion motion = motion_of(row, options_.seed);
        for (const ParallelConfig& config : row.configs)
            out.push_back(std::make_unique<Player>(row, config, motion));
        return out;
    }
    void add_tables(const ParallelRow& row, const std::vector<Series>& series) {
        const Sums serial = series[0].all();
        report_.markdown +=
            std::string("\n### ") + row.name + "\n\n" + row.text +
            (row.groups ? " " : ' ' + pair_of(row) + ", ") +
            format_number("%.1f", ratio(serial.tests, serial.passes)) + " tests and " +
            format_number("%.1f", ratio(serial.colliding, serial.passes)) + " collisions per pass.\n\n" +
            table_head({"mode", "ms per pass", "spread, %", "S_p", "E_p", "S_p of tests",
                        "S_p from busy times", "shared pairs", "parts", "won by gap search, %",
                        "won by point search, %", "µs to stop", "thesis, S_p"},
                       1);
        for (std::size_t i = 0; i < series.size(); ++i) add_config(row, row.configs[i], series[0], series[i]);
    }
    void add_config(const ParallelRow& row, const ParallelConfig& config, const Series& one,
                    const Series& s) {
        const Sums all = s.all();
        const double gain = s.speed_up_over(one, &Sums::seconds);
        const struct {
            const char *name, *format;
            double value;
        } columns[] = {{"speed_up", "%.2f", gain},
                       {"efficiency", "%.2f", efficiency(gain, 1, config.workers)},
                       {"speed_up_of_tests", "%.2f", s.speed_up_over(one, &Sums::narrow)},
                       {"estimated_speed_up", "%.2f", s.estimated_speed_up()},
                       {"shared_pairs", "%.2f", ratio(all.shared, all.passes)},
                       {"parts", "%.1f", ratio(all.parts, all.passes)},
                       {"gap_first_percent", "%.0f", 100 * ratio(all.gap, all.raced)},
                       {"point_first_percent", "%.0f", 100 * ratio(all.point, all.raced)},
                       {"us_to_stop", "%.1f", 1e6 * ratio(all.stopping, all.raced)}};
        Measurement m;
        m.name = std::string("parallel/") + row.name + "/" + config.name();
        m.ns = 1e6 * s.ms();
        m.queries = all.passes;
        m.spread = s.spread();
        m.counters = {{"workers", config.workers}, {"ms", s.ms()}};
        std::vector<std::string> cells{config.name(), format_number("%.3f", s.ms()),
                                       format_number("%.0f", 100 * m.spread)};
        for (const auto& column : columns) {
            m.counters.emplace_back(column.name, column.value);
            cells.push_back(format_number(column.format, column.value));
        }
        cells.push_back(config.thesis);
        report_.markdown += table_row(cells);
        if (&s != &one)
            summary_ += table_row({row.name, pair_of(row), config.name(), format_number("%.3f", one.ms()),
                                   cells[1], cells[2], cells[3], cells[4]});
        report_.measurements.push_back(std::move(m));
    }

    /// Rows of groups have no pair algorithm.
    static std::string pair_of(const ParallelRow& row) {
        return row.groups ? "" : std::string("`") + row.pair + "`";
    }

    const ExperimentOptions& options_;
    ExperimentReport report_;
    std::string summary_;
};

Result<ExperimentReport> run_parallel(const ExperimentOptions& options) {
    if (!options.algorithms.empty())
        return Error{"--algorithms " + options.algorithms[0] +
                         ": this experiment has a fixed set of contestants, expected no --algorithms",
                     {},
                     0};
    const auto rows = parallel_rows(options.rows);
    if (!rows) return rows.error();
    Run run(options);
    for (const ParallelRow& row : rows.value()) {
        if (options.progress) options.progress(row.name);
        run.play(row);
    }
    ExperimentReport report = std::move(run).result();
    report.context = {{"time",
                       "of a pass, without the application's moves; worlds of all modes play blocks of "
                       "frames in turn; S_p is the median of the blocks' ratios"}};
    return report;
}

}  // namespace

const Experiment& describe_parallel() {
    static const Experiment experiment{"parallel", "The parallel modes of the module, with 1 and 2 workers",
                                       kParallelRows, run_parallel};
    return experiment;
}

}  // namespace claybox::bench
