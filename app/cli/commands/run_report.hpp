#pragma once

#include "app/session/session.hpp"

#include <nlohmann/json.hpp>

#include <vector>

namespace claybox::app {

/// Collects the results of a headless run, frame by frame, for `run --json`.
class RunReport {
  public:
    /// Call it after each Session::step, outside the measured time.
    void add(const Session& session);
    /// Adds passes that ended after the last frame.
    void close(Session& session);
    std::uint64_t hash() const { return hash_; }
    nlohmann::ordered_json describe(Session& session) const;

  private:
    void add_pass(const collision::PassStats& pass);

    std::vector<double> frame_ms_;
    double stage_seconds_[6] = {};
    std::uint64_t last_pass_ = 0, passes_ = 0, candidates_ = 0, tests_ = 0, colliding_ = 0, exact_rung_ = 0,
                  undecided_ = 0, presses_ = 0, releases_ = 0, hash_ = 0;
};

}  // namespace claybox::app
