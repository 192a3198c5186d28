#pragma once

#include "collision/pairwise/registry.hpp"

#include <map>
#include <memory>
#include <utility>

namespace claybox::collision {

/// Data that algorithms prepare per shape. Created on first use, shared by all bodies of a shape, and kept as
/// long as the shape lives: switching back to an algorithm costs nothing.
class PreparedStore {
  public:
    /// Returns null when the algorithm prepares nothing.
    std::shared_ptr<const Prepared> get(const PairAlgorithm& algorithm, const ShapePtr& shape);
    /// Removes the data of destroyed shapes.
    void forget_dead_shapes();
    /// Memory of one algorithm's data for all shapes.
    std::size_t memory_bytes(const PairAlgorithm& algorithm) const;

  private:
    struct Entry {
        std::weak_ptr<const Shape> shape;
        std::shared_ptr<const Prepared> prepared;
    };
    std::map<std::pair<const Shape*, const PairAlgorithm*>, Entry> entries_;
    std::size_t checked_size_ = 16;  ///< dead entries are removed when the size has doubled
};

}  // namespace claybox::collision
