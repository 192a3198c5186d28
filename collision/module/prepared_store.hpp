#pragma once

#include "collision/pairwise/registry.hpp"

#include <map>
#include <memory>
#include <utility>

namespace claybox::collision {

/// What algorithms prepared of shapes, made when first asked for, shared by all bodies of a shape, and kept
/// as long as the shape lives, so that switching back to an algorithm costs nothing.
class PreparedStore {
  public:
    /// Null when the algorithm needs nothing.
    std::shared_ptr<const Prepared> get(const PairAlgorithm& algorithm, const ShapePtr& shape);
    /// Forgets what belongs to shapes that are gone.
    void forget_dead_shapes();
    /// Of one algorithm's, all shapes together.
    std::size_t memory_bytes(const PairAlgorithm& algorithm) const;

  private:
    struct Entry {
        std::weak_ptr<const Shape> shape;
        std::shared_ptr<const Prepared> prepared;
    };
    std::map<std::pair<const Shape*, const PairAlgorithm*>, Entry> entries_;
    std::size_t checked_size_ = 16;  ///< dead entries are looked for when there are twice as many
};

}  // namespace claybox::collision
