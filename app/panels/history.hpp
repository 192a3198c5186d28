#pragma once
// Frame times of the last seconds and statistics of them. Plain data, no drawing.

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace claybox::app {

/// The stages of a frame; they add up to the whole frame.
enum class Stage : unsigned char { input, scene, collide, view, draw, panels, wait };
inline constexpr std::size_t kStages = 7;
const char* stage_title(Stage stage);
const char* stage_help(Stage stage);

/// Times of one frame in seconds, measured on the window's thread.
struct FrameTimes {
    std::array<double, kStages> stage{};
    double total = 0;   ///< from the start of this frame to the start of the next, measured separately
    double broad = 0;   ///< broad phase of the last pass
    double narrow = 0;  ///< narrow phase of the last pass
    double pass = 0;    ///< the whole last pass
    double alone = 0;   ///< estimate of the last pass with one worker
    /// CPU time of the window's thread for devices, hands, buttons and the hand-over to the pass. CPU time
    /// instead of wall-clock time, so that driver threads on the same core do not count.
    double work = 0;

    double& operator[](Stage s) { return stage[static_cast<std::size_t>(s)]; }
    double operator[](Stage s) const { return stage[static_cast<std::size_t>(s)]; }
    double sum() const;
    /// Speed-up of the passes, from the workers' busy times; 1 without passes.
    double speed_up() const { return pass > 0 ? alone / pass : 1; }
};

/// A point in time by two clocks, seconds: wall-clock time and CPU time of the window's thread.
struct Instant {
    double wall = 0, thread = 0;
};

/// Measures the stages of a frame as laps without gaps.
class LapClock {
  public:
    void start(const Instant& now) { last_ = now; }
    void lap(FrameTimes& times, Stage stage, const Instant& now) {
        times[stage] += now.wall - last_.wall;
        if (stage == Stage::input || stage == Stage::scene) times.work += now.thread - last_.thread;
        last_ = now;
    }
    /// Assigns `seconds` of the current lap to another stage.
    void skip(FrameTimes& times, Stage stage, double seconds) {
        times[stage] += seconds;
        last_.wall += seconds;
    }

  private:
    Instant last_;
};

struct Percentiles {
    double p50 = 0, p95 = 0, p99 = 0;  ///< seconds
};

/// A ring buffer of frames. Adding a frame does not allocate.
class FrameHistory {
  public:
    static constexpr double kWindow = 5;  ///< seconds covered by plots and percentiles

    /// `now` is the time of the frame's end; it must not decrease.
    void add(double now, const FrameTimes& times);
    /// Marks a switch in the plot.
    void mark(double now, std::string label);

    struct Entry {
        double time = 0;
        FrameTimes times;
    };
    struct Switch {
        double time = 0;
        std::string label;
    };

    std::size_t size() const { return count_; }
    /// 0 is the oldest.
    const Entry& at(std::size_t i) const { return ring_[(first_ + i) % kCapacity]; }
    const std::vector<Switch>& switches() const { return switches_; }
    double now() const { return now_; }
    /// Of the window's frames; updated four times a second, so that the numbers can be read.
    const Percentiles& percentiles() const { return percentiles_; }
    /// Percentiles of FrameTimes::work.
    const Percentiles& work() const { return work_; }
    /// Means of the last half second, updated with the percentiles.
    const FrameTimes& average() const { return average_; }

  private:
    void refresh();
    template <class F>
    Percentiles percentiles_of(F&& seconds);
    static constexpr std::size_t kCapacity = 2048;
    std::vector<Entry> ring_ = std::vector<Entry>(kCapacity);
    std::vector<double> sorted_ = std::vector<double>(kCapacity);
    std::vector<Switch> switches_;
    std::size_t first_ = 0, count_ = 0;
    double now_ = 0, refreshed_ = -1;
    Percentiles percentiles_, work_;
    FrameTimes average_;
};

}  // namespace claybox::app
