#pragma once
// Hands of a scene as whoever tracks them would tell them, in a room of their own.

#include "app/bridge/room.hpp"

namespace claybox::app {

/// Where the head of that room is: it looks along -Z.
inline const RoomPose kHead{{0, 1.6, 0}, {1, 0, 0, 0}};

/// From a scene to the room of a viewer who has just been placed in it.
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
