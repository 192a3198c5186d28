#pragma once
// From the hand of a source to the hand of a StepInput: filter, stroke lead and pressure. Recordings store
// the result, so a replay needs none of this.

#include "app/panels/model.hpp"
#include "engine/hand/hand_filter.hpp"
#include "engine/hand/hand_pressure.hpp"
#include "engine/hand/stroke_lead.hpp"

namespace claybox::app {

/// What a step knows about a hand besides its pose.
struct HandMoment {
    bool held = false;      ///< tracking is lost; the pose is the last known one
    bool by_mouse = false;  ///< neither filtered nor led: a mouse does not tremble, and its pointer is led
    bool pressing = false;  ///< touches what it shapes
    std::optional<double> trigger;  ///< 0 .. 1; empty without a controller
    double dt = 1.0 / 60;           ///< seconds of the user since the last step
};

/// One side's hand over time.
class SteadyHand {
  public:
    HandInput update(const engine::HandState& hand, const HandSettings& settings, const HandMoment& moment);
    /// What update() would make of a hand that is newer than the last step, for pictures.
    HandInput preview(const engine::HandState& hand, const HandSettings& settings,
                      const HandMoment& moment) const;
    void reset() { *this = {}; }

  private:
    float pressure(const HandSettings& settings, const HandMoment& moment, double speed) const;

    engine::HandFilter filter_;
    engine::StrokeLead lead_;
    engine::HandSpeed speed_;
    HandInput last_;
    double unseen_ = 0;  ///< seconds for which the hand was held
};

}  // namespace claybox::app
