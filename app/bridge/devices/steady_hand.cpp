#include "app/bridge/devices/steady_hand.hpp"

#include <algorithm>

namespace claybox::app {

namespace {

double strength_of(const HandSettings& settings, const HandMoment& moment) {
    return moment.by_mouse ? 0 : settings.filter / 100;
}

void move(engine::HandState& hand, const glm::dvec3& by) {
    if (by == glm::dvec3(0)) return;
    for (engine::HandPart& part : hand.part) part.position += by;
}

}  // namespace

float SteadyHand::pressure(const HandSettings& settings, const HandMoment& moment, double speed) const {
    switch (settings.pressure) {
        case PressureFrom::speed:
            return engine::pressure_of_speed(speed);
        case PressureFrom::trigger:
            return static_cast<float>(std::clamp(moment.trigger.value_or(1), 0.0, 1.0));
        case PressureFrom::none:
            break;
    }
    return 1;
}

HandInput SteadyHand::update(const engine::HandState& hand, const HandSettings& settings,
                             const HandMoment& moment) {
    if (!hand.present) {
        reset();
        return to_hand_input(hand);
    }
    if (moment.held && last_.present) {
        unseen_ += moment.dt;
        last_.held = true;
        return last_;
    }
    const double dt = moment.dt + std::exchange(unseen_, 0);
    engine::HandState steady = filter_.update(hand, strength_of(settings, moment), dt);
    if (!moment.by_mouse) {
        const double length = settings.lead * 1e-3 * static_cast<double>(hand.scale);
        lead_.follow(engine::tip_of(steady.part[engine::kIndexTipPart]), length, moment.pressing, dt);
        move(steady, lead_.slack());
    }
    last_ = to_hand_input(steady);
    last_.held = moment.held;
    last_.pressure = pressure(settings, moment, speed_.update(steady, dt));
    return last_;
}

HandInput SteadyHand::preview(const engine::HandState& hand, const HandSettings& settings,
                              const HandMoment& moment) const {
    SteadyHand copy = *this;
    return copy.update(hand, settings, moment);
}

}  // namespace claybox::app
