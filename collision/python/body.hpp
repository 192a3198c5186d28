#pragma once
// A shape as Python sees it: with what the algorithms have prepared for it.

#include "collision/python/arrays.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace claybox::python {

/// Thread-safe, so that queries may run without the interpreter's lock.
class PyShape {
  public:
    explicit PyShape(ShapePtr shape) : shape_(std::move(shape)) {}
    const Shape& shape() const { return *shape_; }
    const ShapePtr& shared() const { return shape_; }
    /// Made at the first call for each algorithm; null if the algorithm needs none.
    template <class Algorithm>
    const Prepared* prepared(const Algorithm& algorithm) const {
        return prepare(&algorithm, algorithm.prepare);
    }

  private:
    using Prepare = std::shared_ptr<const Prepared> (*)(const Shape&, const Geometry&);
    const Prepared* prepare(const void* algorithm, Prepare make) const;

    ShapePtr shape_;
    mutable std::mutex mutex_;
    mutable std::map<const void*, std::shared_ptr<const Prepared>> prepared_;  ///< by descriptor
};

/// ValueError for an algorithm that does not decide surfaces.
void require_surface(const PairAlgorithm& algorithm);

void bind_shape(py::module_& module);
void bind_pairs(py::module_& module);
void bind_motion(py::module_& module);
void bind_world(py::module_& module);

}  // namespace claybox::python
