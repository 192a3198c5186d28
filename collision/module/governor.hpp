#pragma once

#include <cstdint>

namespace claybox::collision {

/// How accurate a pass is, in the steps in which the governor takes accuracy back (Zachmann, thesis, 1.2.2:
/// inexact algorithms below a tolerable frame rate). Each step keeps what the ones before took away.
enum class Accuracy : unsigned char {
    full,      ///< as the settings ask
    fast,      ///< answers of the first rung (Exactness::fast): signs as float has them, no proofs
    verdicts,  ///< and verdicts alone: no hits, distances, depths or axes
    boxes,     ///< and no pair tests: pairs whose bounds overlap count as colliding
};
inline constexpr unsigned kAccuracies = 4;
const char* to_string(Accuracy accuracy);

/// Chooses the accuracy of the next pass from what passes took. Knows no clock: it is told.
class Governor {
  public:
    static constexpr std::uint32_t kSlowPasses = 2;   ///< in a row, over the budget: one step down
    static constexpr std::uint32_t kCalmPasses = 30;  ///< in a row, below the share: one step up
    static constexpr double kCalmShare = 0.6;         ///< of the budget
    static constexpr std::uint32_t kMostCalm = 1920;  ///< what kCalmPasses grows to, see below

    /// Seconds a pass; 0 switches it off, and accuracy is full.
    void set_budget(double seconds);
    /// A pass took `seconds`: the accuracy of the next one. A step up that does not last (the next step down
    /// comes within as many passes as it waited for) doubles the wait for the next one, so that a load
    /// between two steps does not swing; a step up that lasts brings the first wait back.
    Accuracy after_pass(double seconds);
    Accuracy accuracy() const { return accuracy_; }

  private:
    double budget_ = 0;
    Accuracy accuracy_ = Accuracy::full;
    std::uint32_t slow_ = 0, calm_ = 0;   ///< passes in a row
    std::uint32_t wait_ = kCalmPasses;    ///< for the next step up
    std::uint32_t since_up_ = kMostCalm;  ///< passes since the last step up, at most kMostCalm
};

}  // namespace claybox::collision
