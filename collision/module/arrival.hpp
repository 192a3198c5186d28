#pragma once
/// \file
/// Moves and teleports.

namespace claybox::collision {

/// How a body or scene group comes to a pose.
enum class Arrival : unsigned char {
    moved,   ///< from its pose in the last pass: continuous pairs are tested along the way
    placed,  ///< anew, without a way: a teleport. Later moves of the same frame start here
};

}  // namespace claybox::collision
