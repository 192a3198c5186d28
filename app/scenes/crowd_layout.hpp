#pragma once
// What the crowd's arena holds: kinds of bodies and obstacles.

#include "app/scenes/cage_solids.hpp"
#include "app/scenes/flock.hpp"
#include "collision/geometry/primitives.hpp"

#include <vector>

namespace claybox::app {

inline constexpr const char* kCrowdMixes[] = {"mixed", "solids", "cubes", "balls", "rings"};
inline constexpr int kCrowdMixCount = 5;

/// What one kind of the mix is made of; the size is relative to that of most.
struct CrowdRecipe {
    bool is_solid = true;
    Solid solid = Solid::cube;
    collision::Primitive primitive = collision::Primitive::torus;
    std::uint32_t detail = 32;
    float size = 1;
    float share = 1;
};

/// The kinds of a mix, by its number in kCrowdMixes.
std::vector<CrowdRecipe> crowd_recipes(int mix);
collision::Result<collision::ShapePtr> make_crowd_shape(const CrowdRecipe& recipe, float radius,
                                                        std::uint64_t seed);

inline constexpr int kMostObstacles = 9;
/// The first so many, from the middle outwards.
std::vector<Obstacle> crowd_obstacles(int count);
/// A ring stands across z.
collision::Result<collision::ShapePtr> make_obstacle_shape(const Obstacle& obstacle);

}  // namespace claybox::app
