#pragma once
// The features that prove a collision, drawn on both bodies.

#include "app/scenes/view.hpp"
#include "collision/pairwise/query.hpp"

namespace claybox::app {

/// The certificate of a pair, with the common point in the frame of A, and the polygon of each body nearest
/// to it.
struct Witness {
    collision::Certificate certificate;
    collision::Vec3d point_a;
    std::uint32_t face[2] = {collision::kNoIndex, collision::kNoIndex};
};

struct WitnessBody {
    const collision::Geometry* geometry = nullptr;
    collision::Pose pose;
};

/// `point_w`: the common point.
Witness make_witness(const collision::Certificate& certificate, const collision::Vec3f& point_w,
                     const WitnessBody& a, const WitnessBody& b);
/// Outlines the features.
void view_witness(const Witness& witness, const WitnessBody& a, const WitnessBody& b, SceneView& out);
/// The common point, world frame.
collision::Vec3f witness_point(const Witness& witness, const collision::Pose& a);
/// "Edge 3 touches face 7", or the sentence `otherwise` if the certificate names no edge.
std::string witness_words(const Witness& witness, const char* verb, std::string otherwise);

}  // namespace claybox::app
