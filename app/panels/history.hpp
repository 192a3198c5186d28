#pragma once
// Frame times of the last seconds and statistics of them. Plain data, no drawing.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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

/// Work of a frame's last pass.
struct FrameCounts {
    std::uint64_t pass = 0;  ///< its number; a frame with the number of the frame before had no pass
    std::uint64_t candidates = 0, tests = 0, colliding = 0, iterations = 0;
    std::array<std::uint64_t, 3> rung{};  ///< queries decided by float, by a certificate, by exact arithmetic
};

/// What percentiles are computed of: seconds or counts. Those after `work` are of passes.
enum class Series : unsigned char {
    frame,
    work,
    pass,
    broad,
    narrow,
    candidates,
    tests,
    iterations,
    by_float,
    by_certificate,
    by_exact
};
inline constexpr std::size_t kSeries = 11;

struct Percentiles {
    double p50 = 0, p95 = 0, p99 = 0, max = 0;  ///< seconds, or a count
};

/// Frames that a user sees as stutter.
struct SlowFrames {
    std::size_t frames = 0, late = 0;  ///< late: longer than the display's interval, with a tolerance
    double low = 0;                    ///< "1 % low": frames per second of the slowest 1 % of the frames
};

/// A run that was kept, to compare later ones with it.
struct KeptRun {
    struct Point {
        float t = 0;                  ///< 0 oldest .. 1
        float frame = 0, narrow = 0;  ///< ms
    };
    std::string label;
    double until = 0;  ///< the time of keeping it
    std::vector<Point> points;
    double frame = 0, pass = 0, narrow = 0;  ///< medians, seconds
};

/// A ring buffer of frames. Adding a frame does not allocate.
class FrameHistory {
  public:
    static constexpr double kWindow = 5;        ///< seconds covered by plots and percentiles
    static constexpr double kStored = 60;       ///< seconds covered by exported files
    static constexpr double kTolerance = 1e-3;  ///< a frame is late if it takes this much longer, seconds

    /// `now` is the time of the frame's end; it must not decrease.
    void add(double now, const FrameTimes& times, const FrameCounts& counts = {});
    /// Marks a switch in the plot.
    void mark(double now, std::string label);
    /// Seconds between two pictures of the display.
    void set_display_interval(double seconds) { interval_ = seconds; }
    double display_interval() const { return interval_; }

    /// Keeps the frames of the window for comparison, in place of the run kept before.
    void keep(std::string label);
    void forget_kept() { kept_.reset(); }
    const KeptRun* kept() const { return kept_ ? &*kept_ : nullptr; }
    /// Of the window's frames after the run was kept and after the last switch; updated with the percentiles.
    /// Seconds; empty while there are too few frames.
    const std::optional<KeptRun>& since_kept() const { return since_kept_; }

    struct Entry {
        double time = 0;
        FrameTimes times;
        FrameCounts counts;
        bool passed = false;  ///< a pass ran since the frame before
    };
    struct Switch {
        double time = 0;
        std::string label;
    };

    /// Of the window. 0 is the oldest.
    std::size_t size() const { return count_ - window_; }
    const Entry& at(std::size_t i) const { return stored_at(window_ + i); }
    /// All stored frames. 0 is the oldest.
    std::size_t stored() const { return count_; }
    const Entry& stored_at(std::size_t i) const { return ring_[(first_ + i) % kCapacity]; }
    const std::vector<Switch>& switches() const { return switches_; }
    double now() const { return now_; }
    /// Of the window's frames; updated four times a second, so that the numbers can be read.
    const Percentiles& percentiles() const { return of(Series::frame); }
    /// Percentiles of FrameTimes::work.
    const Percentiles& work() const { return of(Series::work); }
    const Percentiles& of(Series series) const { return percentiles_[static_cast<std::size_t>(series)]; }
    const SlowFrames& slow() const { return slow_; }
    /// Means of the last half second, updated with the percentiles.
    const FrameTimes& average() const { return average_; }

  private:
    void refresh();
    void refresh_average();
    std::span<const double> sorted(Series series, double after);
    double median(Series series, double after);
    static constexpr std::size_t kCapacity = 8192;
    std::vector<Entry> ring_ = std::vector<Entry>(kCapacity);
    std::vector<double> sorted_ = std::vector<double>(kCapacity);
    std::vector<Switch> switches_;
    std::size_t first_ = 0, count_ = 0;
    std::size_t window_ = 0;  ///< stored frames before the window
    double now_ = 0, refreshed_ = -1, switched_ = -1;
    double interval_ = 1.0 / 60;
    std::array<Percentiles, kSeries> percentiles_;
    SlowFrames slow_;
    FrameTimes average_;
    std::optional<KeptRun> kept_, since_kept_;
};

/// The value of a frame in a series. The values of passes count only in frames with a pass.
double value_of(Series series, const FrameHistory::Entry& entry);
constexpr bool is_of_pass(Series series) {
    return series > Series::work;
}
const char* series_title(Series series);

/// The largest frame and narrow phase of each of `buckets` intervals of the window, oldest first.
std::size_t bucketed(const FrameHistory& history, std::span<KeptRun::Point> buckets);

}  // namespace claybox::app
