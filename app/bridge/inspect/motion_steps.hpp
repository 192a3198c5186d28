#pragma once
// The steps of a continuous algorithm on the motion of a pair: the bodies at the time of the step, and the
// time on a bar.

#include "app/bridge/inspect/step_insets.hpp"
#include "app/session/compare/ask_all.hpp"

namespace claybox::app {

class MotionSteps {
  public:
    /// Asks the algorithm again, with a trace. Returns why it cannot be asked; empty if it was.
    std::string ask(const collision::ContinuousAlgorithm& algorithm, const PairSubject& subject,
                    const collision::WorldSettings& settings, collision::TraceRecord& trace);
    /// The edges of both bodies at the time of the step.
    void view(const PairSubject& subject, double time, SceneView& out) const;
    /// Difference, bar of time, collision screen.
    void add_insets(const collision::TraceRecord& trace, std::size_t step, bool before,
                    const PairSubject& subject, const ViewAxes& axes, std::vector<ViewInset>& out);
    const collision::ContinuousResult& result() const { return result_; }
    void clear();

  private:
    PreparedShapes prepared_;
    collision::Scratch scratch_;
    collision::ContinuousResult result_;
    std::optional<collision::ContinuousQuery> query_;
    bool has_screen_ = false;
    DifferenceBody body_;
};

}  // namespace claybox::app
