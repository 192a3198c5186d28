#include "app/panels/history.hpp"

#include "tests/pairwise/counting_new.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace claybox::app {
namespace {

TEST(LapClock, stages_are_wall_clock_time_and_work_is_cpu_time_of_input_and_scene) {
    FrameTimes times;
    LapClock clock;
    clock.start({10, 1});
    clock.lap(times, Stage::input, {11, 1.25});
    clock.lap(times, Stage::scene, {14, 1.75});
    clock.lap(times, Stage::draw, {20, 4});
    clock.skip(times, Stage::wait, 0.5);
    clock.lap(times, Stage::input, {21, 4.125});
    EXPECT_DOUBLE_EQ(times[Stage::input], 1.5);
    EXPECT_DOUBLE_EQ(times[Stage::scene], 3);
    EXPECT_DOUBLE_EQ(times[Stage::draw], 6);
    EXPECT_DOUBLE_EQ(times[Stage::wait], 0.5);
    EXPECT_DOUBLE_EQ(times.sum(), 11);
    EXPECT_DOUBLE_EQ(times.work, 0.25 + 0.5 + 0.125);
}

TEST(FrameHistory, work_has_its_own_percentiles) {
    FrameHistory history;
    for (int i = 1; i <= 3; ++i) {
        FrameTimes times;
        times.total = 0.011;
        times.work = 1e-4 * i;
        history.add(0.011 * i, times);
    }
    EXPECT_DOUBLE_EQ(history.work().p50, 2e-4);
    EXPECT_DOUBLE_EQ(history.percentiles().p50, 0.011);
}

/// A frame with random times and counts; every third one has no pass.
FrameHistory::Entry random_frame(std::mt19937& random, int i) {
    std::lognormal_distribution<double> time(-5, 0.6);
    FrameHistory::Entry out;
    out.times.total = time(random);
    out.times.work = 0.1 * time(random);
    out.times.pass = 0.5 * time(random);
    out.times.narrow = 0.4 * time(random);
    out.counts.pass = static_cast<std::uint64_t>(i - i / 3);
    out.counts.candidates = random() % 1000;
    out.counts.tests = random() % 500;
    out.counts.iterations = random() % 5000;
    for (std::uint64_t& rung : out.counts.rung) rung = random() % 50;
    return out;
}

/// The smallest value that at least this share of the values does not exceed, up to rounding of the rank.
double brute_rank(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(std::floor(share * static_cast<double>(values.size() - 1) + 0.5))];
}

TEST(FrameHistory, APP_stats_percentiles_of_every_series_equal_a_brute_force_computation) {
    std::mt19937 random(5);
    FrameHistory history;
    std::vector<FrameHistory::Entry> all;
    double now = 0;
    std::uint64_t last_pass = 0;
    for (int i = 1; i < 3000; ++i) {
        FrameHistory::Entry entry = random_frame(random, i);
        now += entry.times.total;
        entry.time = now;
        entry.passed = entry.counts.pass != last_pass;
        last_pass = entry.counts.pass;
        all.push_back(entry);
        history.add(now, entry.times, entry.counts);
    }
    history.add(now + 0.3, {}, {});  // so that the figures are up to date
    all.push_back({now + 0.3, {}, {}, false});
    std::vector<FrameHistory::Entry> window;
    for (const FrameHistory::Entry& entry : all)
        if (entry.time >= now + 0.3 - FrameHistory::kWindow) window.push_back(entry);
    ASSERT_EQ(history.size(), window.size());
    ASSERT_LT(window.size(), all.size());
    for (std::size_t s = 0; s < kSeries; ++s) {
        const auto series = static_cast<Series>(s);
        std::vector<double> values;
        for (const FrameHistory::Entry& entry : window)
            if (!is_of_pass(series) || entry.passed) values.push_back(value_of(series, entry));
        const Percentiles& p = history.of(series);
        EXPECT_EQ(p.p50, brute_rank(values, 0.5)) << series_title(series);
        EXPECT_EQ(p.p95, brute_rank(values, 0.95)) << series_title(series);
        EXPECT_EQ(p.p99, brute_rank(values, 0.99)) << series_title(series);
        EXPECT_EQ(p.max, *std::max_element(values.begin(), values.end())) << series_title(series);
    }
    std::vector<double> frames;
    for (const FrameHistory::Entry& entry : window) frames.push_back(entry.times.total);
    std::sort(frames.begin(), frames.end(), std::greater<>());
    const std::size_t worst = (frames.size() + 99) / 100;
    EXPECT_NEAR(history.slow().low,
                static_cast<double>(worst) /
                    std::accumulate(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(worst), 0.0),
                1e-9);
}

TEST(FrameHistory, APP_stats_a_frame_longer_than_the_interval_of_the_display_is_dropped) {
    for (const auto& [interval, late] : {std::pair{1.0 / 60, 1u}, {1.0 / 120, 11u}}) {
        FrameHistory history;
        history.set_display_interval(interval);
        double now = 0;
        for (const double ms : {16.6, 17.0, 16.7, 16.9, 16.0, 17.2, 40.0, 16.6, 15.0, 16.6, 16.6, 8.0}) {
            FrameTimes times;
            times.total = ms * 1e-3;
            now += times.total;
            history.add(now, times);
        }
        history.add(now + 0.3, {});
        EXPECT_EQ(history.slow().late, late);
        EXPECT_EQ(history.slow().frames, 13u);
        EXPECT_NEAR(history.slow().low, 25, 1e-9) << "the slowest of 13 frames";
    }
}

TEST(FrameHistory, a_minute_is_stored_and_the_window_stays_five_seconds) {
    FrameHistory history;
    for (int i = 0; i < 100 * 60; ++i) {
        FrameTimes times;
        times.total = 1.0 / 60;
        history.add(i / 60.0, times);
    }
    EXPECT_NEAR(static_cast<double>(history.size()), 5 * 60, 2);
    EXPECT_NEAR(static_cast<double>(history.stored()), 60 * 60, 2);
    EXPECT_EQ(history.at(history.size() - 1).time, history.stored_at(history.stored() - 1).time);
}

TEST(FrameHistory, frames_allocate_nothing_in_a_steady_state) {
    FrameHistory history;
    double now = 0;
    const auto run = [&](int frames) {
        for (int i = 0; i < frames; ++i) {
            FrameTimes times;
            times.total = 1.0 / 60;
            now += times.total;
            history.add(now, times, {static_cast<std::uint64_t>(i) + 1, 1, 1, 0, 1, {}});
        }
    };
    run(400);
    history.keep("kept");
    run(400);
    const std::size_t before = test::allocations_of_this_thread();
    run(10000);
    EXPECT_EQ(test::allocations_of_this_thread(), before);
    ASSERT_TRUE(history.since_kept());
}

TEST(FrameHistory, a_kept_run_is_compared_with_the_frames_after_the_last_switch) {
    FrameHistory history;
    double now = 0;
    std::uint64_t pass = 0;
    const auto run = [&](int frames, double ms) {
        for (int i = 0; i < frames; ++i) {
            FrameTimes times;
            times.total = ms * 1e-3;
            times.pass = 0.5 * times.total;
            now += times.total;
            history.add(now, times, {++pass, 1, 1, 0, 1, {}});
        }
    };
    run(100, 10);
    history.keep("A, grid, serial");
    ASSERT_NE(history.kept(), nullptr);
    EXPECT_EQ(history.kept()->label, "A, grid, serial");
    EXPECT_DOUBLE_EQ(history.kept()->frame, 0.010);
    EXPECT_DOUBLE_EQ(history.kept()->pass, 0.005);
    EXPECT_FALSE(history.kept()->points.empty());
    EXPECT_FALSE(history.since_kept());
    const float first = history.kept()->points.front().frame;
    run(50, 30);
    history.mark(now, "Switched");
    run(100, 20);
    ASSERT_TRUE(history.since_kept());
    EXPECT_DOUBLE_EQ(history.since_kept()->frame, 0.020) << "the slow frames before the switch do not count";
    EXPECT_DOUBLE_EQ(history.since_kept()->pass, 0.010);
    EXPECT_DOUBLE_EQ(history.kept()->frame, 0.010) << "the kept run is frozen";
    EXPECT_EQ(history.kept()->points.front().frame, first);
    history.forget_kept();
    EXPECT_EQ(history.kept(), nullptr);
}

}  // namespace
}  // namespace claybox::app
