// Interpolates key frames: poses of head, hands and controllers at a time.

#include "tests/xr_runtime/script/script.hpp"

#include <algorithm>

namespace claybox::xr_runtime {

namespace {

template <class Key>
struct Between {
    const Key* from = nullptr;  ///< null before the first key frame
    const Key* to = nullptr;    ///< null after the last
    double share = 0;
};

template <class Key>
Between<Key> between(const std::vector<Key>& keys, double frame) {
    const auto next = std::upper_bound(keys.begin(), keys.end(), frame, [](double f, const Key& key) {
        return f < static_cast<double>(key.frame);
    });
    Between<Key> found;
    if (next != keys.end()) found.to = &*next;
    if (next != keys.begin()) found.from = &*(next - 1);
    if (found.from != nullptr && found.to != nullptr)
        found.share = (frame - static_cast<double>(found.from->frame)) /
                      static_cast<double>(found.to->frame - found.from->frame);
    return found;
}

bool is_switch(const std::string& component) {
    return component.ends_with("/click") || component.ends_with("/touch");
}

}  // namespace

HeadKey Script::head_at(double frame) const {
    const auto found = between(head, frame);
    if (found.from == nullptr) return HeadKey();
    HeadKey key = *found.from;
    if (found.to != nullptr) key.pose = mix(key.pose, found.to->pose, found.share);
    return key;
}

ViewKey Script::view_at(double frame) const {
    const auto found = between(views, frame);
    return found.from != nullptr ? *found.from : ViewKey();
}

HandKey Script::hand_at(int side, double frame) const {
    const auto found = between(hands[static_cast<std::size_t>(side)], frame);
    if (found.from == nullptr) return HandKey();
    HandKey key = *found.from;
    if (!key.active || found.to == nullptr || !found.to->active) return key;
    for (std::size_t i = 0; i < key.joints.size(); ++i) {
        const Joint& next = found.to->joints[i];
        key.joints[i].pose = mix(key.joints[i].pose, next.pose, found.share);
        key.joints[i].radius += (next.radius - key.joints[i].radius) * found.share;
    }
    return key;
}

ControllerKey Script::controller_at(int side, double frame) const {
    const auto found = between(controllers[static_cast<std::size_t>(side)], frame);
    if (found.from == nullptr) return ControllerKey();
    ControllerKey key = *found.from;
    if (!key.active || found.to == nullptr || !found.to->active) return key;
    for (auto& [which, pose] : key.poses) {
        const auto next = found.to->poses.find(which);
        if (next != found.to->poses.end()) pose = mix(pose, next->second, found.share);
    }
    for (auto& [which, value] : key.values) {
        const auto next = found.to->values.find(which);
        if (next != found.to->values.end() && !is_switch(which))
            value += (next->second - value) * found.share;
    }
    return key;
}

Pose Script::origin_at(XrReferenceSpaceType type, double frame) const {
    const auto keys = origins.find(type);
    if (keys == origins.end()) return {};
    const auto found = between(keys->second, frame);
    return found.from != nullptr ? found.from->pose : Pose();
}

}  // namespace claybox::xr_runtime
