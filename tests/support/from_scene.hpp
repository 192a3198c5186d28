#pragma once
// Converts hand poses of a scene to the poses that a tracking device in the user's room would report.

#include "app/bridge/headset/room.hpp"

namespace claybox::app {

/// The pose of the head in that room. It looks along -Z.
inline const RoomPose kHead{{0, 1.6, 0}, {1, 0, 0, 0}};

/// Converts from the scene to the room of a viewer who has just been placed at `camera`.
class FromScene {
  public:
    explicit FromScene(const ViewCamera& camera) { place_.place_viewer(kHead, camera, Recentre::both); }
    glm::dvec3 operator()(const glm::dvec3& scene) const {
        return turn() * ((scene - place_.to_scene(glm::dvec3(0))) / place_.scale());
    }
    engine::HandPose operator()(engine::HandPose pose) const {
        pose.wrist = (*this)(pose.wrist);
        pose.rotation = glm::normalize(turn() * pose.rotation);
        return pose;
    }
    const RoomPlace& place() const { return place_; }

  private:
    glm::dquat turn() const { return glm::conjugate(place_.to_scene(glm::dquat(1, 0, 0, 0))); }
    RoomPlace place_;
};

}  // namespace claybox::app
