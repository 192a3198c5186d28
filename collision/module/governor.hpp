#pragma once
/// \file
/// Keeps passes within a time budget.

#include <cstdint>

namespace claybox::collision {

/// How accurate a pass is. The governor lowers accuracy step by step (Zachmann, thesis, 1.2.2: inexact
/// algorithms below a tolerable frame rate). Each step includes the reductions of the steps before it.
enum class Accuracy : unsigned char {
    full,      ///< as the settings say
    fast,      ///< answers of the first rung only (Exactness::fast): signs as computed in float, no proofs
    verdicts,  ///< verdicts only: no hits, distances, depths or axes
    boxes,     ///< no pair tests: a pair collides when its bounds overlap
};
/// Number of accuracies.
inline constexpr unsigned kAccuracies = 4;
/// The name of the accuracy, in words.
const char* to_string(Accuracy accuracy);

/// Chooses the accuracy of the next pass from the durations of past passes. Reads no clock.
class Governor {
  public:
    static constexpr std::uint32_t kPassesBeforeStepDown = 2;  ///< consecutive passes over the budget
    static constexpr std::uint32_t kPassesBeforeStepUp = 30;   ///< consecutive passes below kStepUpShare
    static constexpr double kStepUpShare = 0.6;                ///< of the budget
    static constexpr std::uint32_t kMaxWait = 1920;            ///< passes; limit of the doubling below

    /// Seconds per pass; 0 switches the governor off (full accuracy).
    void set_budget(double seconds);
    /// Records a pass of `seconds` and returns the accuracy of the next pass. A step up does not last if the
    /// next step down follows within the number of passes that the step up waited for. Such a step up doubles
    /// the wait for the next one, which damps oscillation under a load between two steps. A step up that
    /// lasts resets the wait.
    Accuracy after_pass(double seconds);
    /// The accuracy of the next pass.
    Accuracy accuracy() const { return accuracy_; }

  private:
    double budget_ = 0;
    Accuracy accuracy_ = Accuracy::full;
    std::uint32_t over_budget_ = 0, below_share_ = 0;  ///< consecutive passes
    std::uint32_t wait_ = kPassesBeforeStepUp;         ///< passes before the next step up
    std::uint32_t since_up_ = kMaxWait;                ///< passes since the last step up, at most kMaxWait
};

}  // namespace claybox::collision
