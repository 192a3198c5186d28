#pragma once
// Asks one of our exact algorithms whether bodies collide, outside of what is timed.

#include "collision/pairwise/registry.hpp"

#include <string_view>

namespace claybox::streams {

/// The one that meshes are asked about, and the one that shares least with it.
inline constexpr std::string_view kMeshReferee = "mesh_bvh";
inline constexpr std::string_view kSecondMeshReferee = "edge_polygon";

bool all_convex(std::span<const collision::ShapePtr> shapes);

class Referee {
  public:
    /// Prepares each different shape once; shapes that repeat may stand next to each other or not.
    Referee(const collision::PairAlgorithm& algorithm, std::span<const collision::ShapePtr> shapes);

    /// Of shapes `a` and `b` where the matrices put them; from an empty cache.
    bool collide(std::size_t a, const collision::Matrix34f& world_from_a, std::size_t b,
                 const collision::Matrix34f& world_from_b);

  private:
    const collision::PairAlgorithm& algorithm_;
    std::vector<collision::PairBody> bodies_;
    std::vector<std::shared_ptr<const collision::Prepared>> prepared_;
    std::vector<std::byte> pool_;
    collision::Scratch scratch_;
    collision::PairQuery query_;
};

}  // namespace claybox::streams
