// The keys of the scene.

#include "app/bridge/sandbox/sandbox.hpp"

namespace claybox::app {

/// Makes the keys of the current scene act.
void Sandbox::enter_scope() {
    devices_.logical().set_scope(session_->descriptor().id);
}

void Sandbox::apply_change(const ParameterChange& change) {
    set_parameter(change.index, change.value);
    show_message(value_sentence(session_->descriptor().parameters[change.index], change.value));
}

void Sandbox::act_on_scene_key(std::string_view device, bool down) {
    if (!down) {
        if (swap_ && swap_->device == device) release_swap();
        return;
    }
    const SceneDescriptor& scene = session_->descriptor();
    for (const SceneKey& key : scene.keys) {
        if (device != key.device) continue;
        if (const auto action = requested_action(key, scene)) return pending_actions_.push_back(*action);
        if (key.kind == SceneKey::Kind::swap && swap_) return;  // one at a time
        const collision::ParameterValues& now = session_->options().scene_parameters;
        const auto change = change_of(key, scene, now);
        if (!change) return;
        if (key.kind == SceneKey::Kind::swap)
            swap_ = {&scene, key.device, change->index, now[change->index], change->value};
        return apply_change(*change);
    }
}

/// Takes the swap back, unless the user has chosen something else in the meantime.
void Sandbox::release_swap() {
    const Swap swap = *std::exchange(swap_, std::nullopt);
    const bool unchanged = swap.scene == &session_->descriptor() &&
                           session_->options().scene_parameters[swap.index] == swap.during;
    if (unchanged) set_parameter(swap.index, swap.before);
}

/// The key that turns the wheel with Shift into a parameter of the scene; null if there is none.
const SceneKey* Sandbox::wheel_key() const {
    const SceneDescriptor& scene = session_->descriptor();
    for (const SceneKey& key : scene.keys)
        if (key.kind == SceneKey::Kind::wheel && is_known(key, scene)) return &key;
    return nullptr;
}

void Sandbox::turn_wheel_key(const SceneKey& key, double notches) {
    const auto change = change_of(key, session_->descriptor(), session_->options().scene_parameters, notches);
    if (change) apply_change(*change);
}

}  // namespace claybox::app
