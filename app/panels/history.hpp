#pragma once
// Frame times of the last seconds and what follows from them. Plain data, no drawing.

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace claybox::app {

/// The stages of a frame; together they are the frame.
enum class Stage : unsigned char { input, scene, collide, view, draw, panels, wait };
inline constexpr std::size_t kStages = 7;
const char* stage_title(Stage stage);
const char* stage_help(Stage stage);

/// One frame, measured on the thread of the window, seconds.
struct FrameTimes {
    std::array<double, kStages> stage{};
    double total = 0;   ///< between the starts of this frame and the next, measured apart from the stages
    double broad = 0;   ///< of the last pass
    double narrow = 0;  ///< of the last pass
    double pass = 0;    ///< of the last pass, all of it
    double alone = 0;   ///< about what one worker would have taken of it
    /// What the window's thread computes beside drawing, panels and the pass: devices, hands, buttons,
    /// handing over. Seconds of the processor, so that drivers' threads which take it away do not count.
    double work = 0;

    double& operator[](Stage s) { return stage[static_cast<std::size_t>(s)]; }
    double operator[](Stage s) const { return stage[static_cast<std::size_t>(s)]; }
    double sum() const;
    /// Of the passes, by the workers' busy times; 1 where no pass took time.
    double speed_up() const { return pass > 0 ? alone / pass : 1; }
};

/// By two clocks, seconds: the wall's, and what the window's thread has computed.
struct Instant {
    double wall = 0, thread = 0;
};

/// Stamps the stages of a frame; the laps follow each other without gaps.
class LapClock {
  public:
    void start(const Instant& now) { last_ = now; }
    void lap(FrameTimes& times, Stage stage, const Instant& now) {
        times[stage] += now.wall - last_.wall;
        if (stage == Stage::input || stage == Stage::scene) times.work += now.thread - last_.thread;
        last_ = now;
    }
    /// The last so many seconds are another stage's, which is told apart.
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

/// A ring of frames; adding allocates nothing.
class FrameHistory {
  public:
    static constexpr double kWindow = 5;  ///< seconds that plots and percentiles look back

    /// `now` is the time of the frame's end and grows.
    void add(double now, const FrameTimes& times);
    /// Remembers that something was switched now.
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
    /// Over the window; made anew four times a second, so that the numbers can be read.
    const Percentiles& percentiles() const { return percentiles_; }
    /// Of FrameTimes::work, likewise.
    const Percentiles& work() const { return work_; }
    /// Means over the last half second, made anew with the percentiles.
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
