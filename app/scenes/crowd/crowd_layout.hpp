#pragma once
// Kinds of bodies and obstacles in the arena of the crowd.

#include "app/scenes/crowd/flock.hpp"
#include "app/scenes/shared/solid_shapes.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <vector>

namespace claybox::app {

inline constexpr const char* kCrowdMixes[] = {"mixed", "solids", "cubes", "balls", "rings"};
inline constexpr int kCrowdMixCount = 5;

/// One kind of a mix. `size` is relative to the usual body, `share` to the other kinds.
struct CrowdRecipe {
    bool is_solid = true;
    Solid solid = Solid::cube;
    collision::Primitive primitive = collision::Primitive::torus;
    std::uint32_t detail = 32;
    float size = 1;
    float share = 1;
};

/// The kinds of a mix; `mix` is an index into kCrowdMixes.
std::vector<CrowdRecipe> crowd_recipes(int mix);
collision::Result<collision::ShapePtr> make_crowd_shape(const CrowdRecipe& recipe, float radius,
                                                        std::uint64_t seed);

inline constexpr int kMaxObstacles = 9;
/// The first `count` obstacles, ordered from the middle outwards.
std::vector<Obstacle> crowd_obstacles(int count);
/// The axis of a ring is z.
collision::Result<collision::ShapePtr> make_obstacle_shape(const Obstacle& obstacle);

}  // namespace claybox::app
