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
    explicit PyShape(ShapePtr shape);
    const Shape& shape() const { return *shape_; }
    /// The same with polygons: a point or a segment is a triangle without area, as algorithms for surfaces
    /// and the exact tests of meshes need it. It has no hull then.
    const ShapePtr& surface() const { return surface_; }
    /// The one of the two that the algorithm is asked about.
    const Shape& shape_for(const PairAlgorithm& algorithm) const {
        return algorithm.meaning == Meaning::surface ? *surface_ : *shape_;
    }
    /// Data for shape() or surface(), made at the first call for each algorithm; null if the algorithm needs
    /// none.
    template <class Algorithm>
    const Prepared* prepared(const Algorithm& algorithm, const Shape& shape) const {
        return prepare(&algorithm, shape, algorithm.prepare);
    }

  private:
    using Prepare = std::shared_ptr<const Prepared> (*)(const Shape&, const Geometry&);
    const Prepared* prepare(const void* algorithm, const Shape& shape, Prepare make) const;

    ShapePtr shape_, surface_;
    mutable std::mutex mutex_;
    mutable std::map<std::pair<const void*, const Shape*>, std::shared_ptr<const Prepared>> prepared_;
};

/// ValueError for an algorithm that does not decide surfaces.
void require_surface(const PairAlgorithm& algorithm);

void bind_shape(py::module_& module);
void bind_pairs(py::module_& module);
void bind_motion(py::module_& module);
void bind_world(py::module_& module);

}  // namespace claybox::python
