#pragma once
// Zachmann's group: two bodies at a distance turn in small steps, and every algorithm is timed at each
// distance. Source: Zachmann, thesis, chapter 10.

#include "app/session/compare/ask_all.hpp"

#include <span>

namespace claybox::app {

/// One algorithm at one distance.
struct TumblePoint {
    double distance = 0;             ///< of the centres of the bounding spheres, metres
    double mean_ns = 0, max_ns = 0;  ///< of a query, with the memory of the steps before
    std::uint32_t queries = 0, colliding = 0;
};

struct TumbleCurve {
    const collision::PairAlgorithm* algorithm = nullptr;
    std::vector<TumblePoint> points;  ///< by distance, ascending
};

class TumbleSweep {
  public:
    static constexpr std::uint32_t kSteps = 5000;
    static constexpr std::size_t kDistances = 12;
    static constexpr double kMaxSeconds = 0.5;  ///< of one point: slow algorithms make fewer steps

    /// For tests: another number of steps.
    void set_steps(std::uint32_t steps) { steps_ = steps; }
    void start(const PairSubject& subject, const collision::WorldSettings& settings);
    /// Works for about this long; true when this completes the sweep.
    bool advance(double seconds);
    void cancel() { running_ = false; }
    void clear();

    bool running() const { return running_; }
    std::size_t done() const { return done_; }  ///< points
    std::size_t total() const { return curves_.size() * kDistances; }
    /// The curves so far.
    std::span<const TumbleCurve> curves() const { return curves_; }
    const PairSubject& subject() const { return subject_; }
    double least_distance() const { return reach_ * kLeast; }
    double greatest_distance() const { return reach_ * kGreatest; }

  private:
    static constexpr double kLeast = 0.3, kGreatest = 1.1;  // of the sum of the bounding spheres' radii
    void begin_point();
    bool run_steps(double until);

    PairSubject subject_;
    collision::WorldSettings settings_;
    std::uint32_t steps_ = kSteps;
    double reach_ = 0;
    std::vector<collision::Matrix34f> turned_a_, turned_b_;  ///< by step, both centres at the origin
    std::vector<TumbleCurve> curves_;
    std::size_t done_ = 0;
    bool running_ = false;
    // The current point:
    TumblePoint point_;
    double point_seconds_ = 0;
    collision::PairCache cache_;
    PreparedShapes prepared_;
    collision::Scratch scratch_;
    std::vector<std::byte> pool_;
};

}  // namespace claybox::app
