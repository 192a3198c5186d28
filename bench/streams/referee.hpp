#pragma once
// Decides with an exact algorithm whether bodies collide, outside of the measured time.

#include "collision/pairwise/registry.hpp"

#include <string_view>

namespace claybox::streams {

/// Exact mesh algorithms: the referee, and the one that shares the least code with it.
inline constexpr std::string_view kMeshReferee = "mesh_bvh";
inline constexpr std::string_view kSecondMeshReferee = "edge_polygon";

bool all_convex(std::span<const collision::ShapePtr> shapes);

class Referee {
  public:
    /// Prepares each different shape once.
    Referee(const collision::PairAlgorithm& algorithm, std::span<const collision::ShapePtr> shapes);

    /// Whether shapes `a` and `b` (indices) collide at these poses. Starts from an empty cache.
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
