#pragma once
// The continuous algorithms of the registry as contestants.

#include "bench/contestants/continuous.hpp"

namespace claybox::bench {

/// Runs an algorithm of the registry, each query from an empty cache.
class OurContinuous final : public ContinuousContestant {
  public:
    /// `algorithm` must outlive the contestant.
    OurContinuous(const collision::ContinuousAlgorithm& algorithm,
                  const collision::ParameterValues& parameters)
        : algorithm_(algorithm), parameters_(parameters) {}

    bool prepare(std::span<const collision::ShapePtr> shapes) override;
    bool load(std::span<const MovingQuery> queries) override;
    MovingAnswer answer(std::size_t query) override;
    /// The whole result, with its counters.
    collision::ContinuousResult ask(std::size_t query) const;

  private:
    /// Of bodies of about a metre: a time error of about 1e-4, as in the comparison's targets.
    static constexpr double kTolerance = 2e-5;

    const collision::ContinuousAlgorithm& algorithm_;
    collision::ParameterValues parameters_;
    std::vector<collision::ShapePtr> shapes_;
    std::vector<std::shared_ptr<const collision::Prepared>> prepared_;
    std::vector<collision::ContinuousQuery> queries_;
    collision::Scratch scratch_;
};

}  // namespace claybox::bench
