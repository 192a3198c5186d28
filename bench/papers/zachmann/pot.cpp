// Z-8.2-X1 and X2: a hand on a pot (Zachmann, thesis, 8.2).

#include "bench/experiments/shared/busy_work.hpp"
#include "bench/experiments/shared/measure.hpp"
#include "bench/experiments/shared/tables.hpp"
#include "bench/papers/paper_row.hpp"
#include "bench/papers/shared/from_experiment.hpp"
#include "bench/papers/shared/scene_stream.hpp"
#include "bench/papers/shared/stream_run.hpp"
#include "bench/papers/shared/timing.hpp"
#include "collision/jobs/executor.hpp"
#include "collision/module/world.hpp"

#include <array>
#include <cmath>

namespace claybox::bench {

using namespace collision;

const PaperRow& describe_z_8_2_x1();
const PaperRow& describe_z_8_2_x2();

namespace {

enum Mode : std::size_t { kOff, kSerial, kConcurrent, kModes };

/// An application with work of its own that moves a hand along a pot.
class Application {
  public:
    Application(const RecordedScene& scene, Mode mode, std::uint64_t rounds)
        : scene_(scene), mode_(mode), rounds_(rounds), world_(settings(mode)) {
        for (std::size_t i = 0; i < scene.bodies.size(); ++i)
            ids_.push_back(
                world_.add_body({.shape = scene.bodies[i], .pose = {}, .group = i == 0 ? 0u : 1u}).value());
        world_.set_interest(1, 1, {.test = false});
        world_.set_interest(0, 1, {.wants = kWantAllHits});
    }
    /// Nanoseconds of one frame.
    double frame() {
        const double start = now_ns();
        if (mode_ != kOff) {
            const std::vector<Matrix34f>& at = scene_.placements[frame_ % scene_.placements.size()];
            for (std::size_t i = 1; i < ids_.size(); ++i) (void)world_.move(ids_[i], pose_of(at[i]));
            world_.publish(++frame_);
            world_.check();
            world_.poll_events(events_);
        }
        busy_work(rounds_);
        return now_ns() - start;
    }
    void rest() { world_.wait_idle(); }
    double pass_ms() const { return 1e3 * world_.stats().seconds_total; }

  private:
    static WorldSettings settings(Mode mode) {
        WorldSettings out = default_settings();
        out.concurrent = mode == kConcurrent;
        out.pair_algorithm = find_pair_algorithm("edge_polygon");
        out.pair_parameters = default_values(out.pair_algorithm->parameters);
        out.pair_parameters[find_parameter(out.pair_algorithm->parameters, "prechecks")] =
            1;  // boxes of faces
        return out;
    }
    /// The hand of the recorded scene turns about the y axis only.
    static Pose pose_of(const Matrix34f& m) {
        Pose out;
        out.rotation =
            axis_angle({0, 1, 0}, std::atan2(static_cast<double>(m.m[2]), static_cast<double>(m.m[0])));
        for (std::size_t k = 0; k < 3; ++k) out.translation[k] = static_cast<double>(m.translation()[k]);
        return out;
    }

    const RecordedScene& scene_;
    Mode mode_;
    std::uint64_t rounds_;
    World world_;
    std::vector<BodyId> ids_;
    EventBatch events_;
    std::uint64_t frame_ = 0;
};

Result<Findings> run_concurrent(const ExperimentOptions& options) {
    const auto scene = record_pot({}, HandParts::all, options.quick ? 4 : 120);
    if (!scene) return scene.error();
    const std::uint64_t rounds = options.quick ? 1000 : rounds_of_work(4e6);
    std::array<std::unique_ptr<Application>, kModes> applications;
    for (std::size_t mode = 0; mode < kModes; ++mode)
        applications[mode] = std::make_unique<Application>(scene.value(), static_cast<Mode>(mode), rounds);
    const int frames = options.quick ? 2 : 40;
    std::vector<Round> subjects;
    for (const auto& application : applications)
        subjects.push_back([frames, app = application.get()] {
            std::vector<double> times;
            for (int i = 0; i < frames; ++i) times.push_back(app->frame());
            app->rest();
            return median(times);
        });
    const auto times = time_in_turn(subjects, options.quick ? 3 : 15);
    const Steady serial = ratio_of(times[kSerial], times[kOff]),
                 concurrent = ratio_of(times[kConcurrent], times[kOff]);
    Findings out;
    Claim independent = judged("frame time with concurrent collision detection / without any",
                               "the rate is that of application and renderer alone", ratio_text(concurrent),
                               concurrent.median < 1.1);
    if (processor_count() < 2) {
        independent.judgement = Judgement::machine;
        independent.note = "One processor: the module's thread shares it with the application.";
    }
    out.claims = {unless_refused(concurrent.usable(), std::move(independent)),
                  shown("the same, serial", "", ratio_text(serial),
                        "A pass takes " + format_number("%.2f ms", applications[kSerial]->pass_ms()) +
                            " beside 4 ms of the application's own work."),
                  shown("frames per second", "13 to 15",
                        format_number("%.0f", 1e9 / times[kConcurrent].steady().median),
                        "The application's work stands for the renderer.")};
    return out;
}

struct PotCase {
    const char* text;
    PotSize pot;
    HandParts parts;
    const char *plain, *relaxed;  ///< frames per second in the thesis
};
constexpr PotCase kCases[] = {
    {"9944 polygons, whole hand", {88, 113}, HandParts::all, "3 to 4", "5 to 7"},
    {"9944 polygons, forefinger", {88, 113}, HandParts::forefinger, "8 to 10", "10 to 12"},
    {"4220 polygons, whole hand", {20, 211}, HandParts::all, "10 to 13", "15 to 20"},
    {"4220 polygons, forefinger", {20, 211}, HandParts::forefinger, "20", "23 to 28"}};

/// Tests of an edge with a polygon, edges and box tests per frame.
std::array<double, 3> work_per_frame(StreamRun& run, double frames) {
    constexpr const char* kCounters[] = {"edge polygon tests", "edges tested", "box tests"};
    std::array<double, 3> out{};
    run.play([&](const streams::StreamQuery&, const PairResult& r) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] += r.counters[run.counter(kCounters[i])] / frames;
    });
    return out;
}

Result<Findings> run_performance(const ExperimentOptions& options) {
    Findings out;
    FindingsTable table{
        "Microseconds of collision detection per frame",
        1,
        {"pot and hand", "plain", "relaxed", "plain / relaxed", "tests of an edge with a polygon, plain",
         "edges, plain", "box tests, plain", "thesis: frames/s, plain", "relaxed"},
        {}};
    std::vector<double> plain_us, tests;
    bool usable = true;
    for (const PotCase& k : kCases) {
        const auto scene = record_pot(k.pot, k.parts, options.quick ? 6 : 300);
        if (!scene) return scene.error();
        const streams::QueryStream stream = stream_of(scene.value());
        StreamRun plain(stream, {"edge_polygon"}), relaxed(stream, {"edge_polygon_relaxed"});
        const auto times = time_in_turn({[&] { return plain.time(); }, [&] { return relaxed.time(); }},
                                        options.quick ? 3 : 9);
        const double frames = static_cast<double>(scene.value().placements.size());
        const auto us = [&](std::size_t i) { return 1e-3 * times[i].steady().median / frames; };
        const Steady ratio = ratio_of(times[0], times[1]);
        usable &= times[0].steady().usable();
        plain_us.push_back(us(0));
        const std::array<double, 3> sums = work_per_frame(plain, frames);
        tests.push_back(sums[0]);
        table.rows.push_back({k.text, format_number("%.1f", us(0)), format_number("%.1f", us(1)),
                              ratio_text(ratio), format_number("%.1f", sums[0]),
                              format_number("%.1f", sums[1]), format_number("%.1f", sums[2]), k.plain,
                              k.relaxed});
        out.values.push_back({std::string("plain/") + k.text, us(0), "us", times[0].steady().spread});
        if (plain_us.size() == 1)
            out.claims.push_back(unless_refused(
                ratio.usable(),
                judged("whole hand, 9944 polygons: speed-up of the relaxed collect phase and the still pot",
                       "1.5 to 2", ratio_text(ratio), ratio.median > 1.2,
                       "The plain algorithm already keeps the boxes of a still pot in its own frame and "
                       "skips 64 "
                       "polygons at once (see Z-3.2.1-X2).")));
    }
    out.claims.push_back(unless_refused(
        usable, judged("the forefinger alone is faster than the whole hand", "about 2.5 and 1.7 times",
                       format_number("%.1f and ", plain_us[0] / plain_us[1]) +
                           format_number("%.1f times", plain_us[2] / plain_us[3]),
                       plain_us[0] > plain_us[1] && plain_us[2] > plain_us[3])));
    out.claims.push_back(unless_refused(
        usable,
        judged(
            "the smaller pot is faster, whole hand", "about 3.3 times",
            format_number("%.1f times", plain_us[0] / plain_us[2]), plain_us[0] > plain_us[2],
            "The time follows the work near the contact, which the pre-checks leave, and not the number of "
            "polygons: " +
                format_number("%.0f", tests[2]) +
                " tests of an edge with a polygon per frame on the "
                "smaller pot, " +
                format_number("%.0f", tests[0]) + " on the larger one.")));
    out.tables.push_back(std::move(table));
    return out;
}

}  // namespace

const PaperRow& describe_z_8_2_x1() {
    static const PaperRow row{
        "Z-8.2-X1", "Zachmann 1994, 8.2", "Frame rate with concurrent collision detection",
        "A pot of 9944 polygons, a hand of 16 parts, all hits, a slow level of pre-checks; "
        "an application with 4 ms of work of its own. The modes alternate.",
        run_concurrent};
    return row;
}

const PaperRow& describe_z_8_2_x2() {
    static const PaperRow row{
        "Z-8.2-X2", "Zachmann 1994, 8.2, tables", "Hand and pot, plain and relaxed",
        "A hand of 16 parts, or its forefinger of three, whose fingertips move along the wall of "
        "a still pot. Collision detection only; the thesis includes application and drawing.",
        run_performance};
    return row;
}

}  // namespace claybox::bench
