#pragma once
// Arrays of numpy as points, polygons and placements, and back. What does not fit raises ValueError with what
// was expected.

#include "collision/collision.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace claybox::python {

namespace py = pybind11;
using namespace collision;

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Indices = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

/// Throws ValueError if `status` is an error.
template <class T>
void require(const Result<T>& result) {
    if (!result.ok()) throw py::value_error(result.error().text());
}

/// From an array of shape (n, 3), metres.
std::vector<Vec3f> points_of(const Numbers& points);
/// From vertices (n, 3) and faces (m, k), k corners each; -1 fills the end of a row of a smaller face.
PolygonList polygons_of(const Numbers& vertices, const Indices& faces);

/// One placement, or one per query: from None, an array (4, 4) or (3, 4), or (n, 4, 4) or (n, 3, 4). Every
/// number is rounded to float32; the answers are exact for the rounded numbers.
class Placements {
  public:
    Placements(const py::object& given, const char* name);
    std::size_t count() const { return all_.size(); }
    bool many() const { return many_; }
    const Matrix34f& operator[](std::size_t i) const { return all_[many_ ? i : 0]; }

  private:
    std::vector<Matrix34f> all_{1};
    bool many_ = false;
};

/// One placement; a stack of them is an error.
Matrix34f placement_of(const py::object& given, const char* name);
/// The same as rotation and translation. A matrix that is not rigid within 1e-5 is an error.
Pose pose_of(const py::object& given, const char* name);

/// (3,) of doubles.
Numbers vector_of(const Vec3d& v);

}  // namespace claybox::python
