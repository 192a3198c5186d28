#pragma once
// A shape as Python sees it: with what the algorithms have prepared for it.

#include "collision/python/arrays.hpp"

#include <map>
#include <memory>
#include <mutex>

namespace claybox::python {

/// Thread-safe, so that queries may run without the interpreter's lock.
class PyShape {
  public:
    explicit PyShape(ShapePtr shape) : shape_(std::move(shape)) {}
    const Shape& shape() const { return *shape_; }
    const ShapePtr& pointer() const { return shape_; }
    /// Made at the first call for each algorithm; null if the algorithm needs none.
    const Prepared* prepared(const PairAlgorithm& algorithm) const {
        return prepare(algorithm, algorithm.prepare);
    }
    const Prepared* prepared(const ContinuousAlgorithm& algorithm) const {
        return prepare(algorithm, algorithm.prepare);
    }

  private:
    using Prepare = std::shared_ptr<const Prepared> (*)(const Shape&, const Geometry&);
    template <class Algorithm>
    const Prepared* prepare(const Algorithm& algorithm, Prepare make) const {
        if (make == nullptr) return nullptr;
        const std::lock_guard lock(mutex_);
        auto& entry = prepared_[&algorithm];
        if (!entry) entry = make(*shape_, shape_->geometry());
        return entry.get();
    }

    ShapePtr shape_;
    mutable std::mutex mutex_;
    mutable std::map<const void*, std::shared_ptr<const Prepared>> prepared_;
};

void bind_shape(py::module_& module);
void bind_pairs(py::module_& module);
void bind_motion(py::module_& module);
void bind_world(py::module_& module);

}  // namespace claybox::python
