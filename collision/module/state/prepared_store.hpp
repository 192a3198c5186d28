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
    /// Returns null when the algorithm prepares nothing. `Algorithm`: PairAlgorithm or ContinuousAlgorithm.
    template <class Algorithm>
    std::shared_ptr<const Prepared> get(const Algorithm& algorithm, const ShapePtr& shape) {
        return algorithm.prepare ? find_or_make(&algorithm, algorithm.prepare, shape) : nullptr;
    }
    /// Removes the data of destroyed shapes.
    void forget_dead_shapes();
    /// Memory of one algorithm's data for all shapes.
    template <class Algorithm>
    std::size_t memory_bytes(const Algorithm& algorithm) const {
        return bytes_of(&algorithm);
    }

  private:
    using Prepare = std::shared_ptr<const Prepared> (*)(const Shape& shape, const Geometry& geometry);
    std::shared_ptr<const Prepared> find_or_make(const void* algorithm, Prepare prepare,
                                                 const ShapePtr& shape);
    std::size_t bytes_of(const void* algorithm) const;
    struct Entry {
        std::weak_ptr<const Shape> shape;
        std::shared_ptr<const Prepared> prepared;
    };
    std::map<std::pair<const Shape*, const void*>, Entry> entries_;  ///< by shape and descriptor
    std::size_t checked_size_ = 16;  ///< dead entries are removed when the size has doubled
};

}  // namespace claybox::collision
