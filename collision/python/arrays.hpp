#pragma once
// Arrays of numpy as points, polygons and placements, and back. What does not fit raises ValueError with what
// was expected.

#include "collision/collision.hpp"

#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace claybox::python {

namespace py = pybind11;
using namespace collision;

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Indices = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;
using Indices32 = py::array_t<std::int32_t, py::array::c_style>;

/// Throws ValueError if `status` is an error.
template <class T>
void require(const Result<T>& result) {
    if (!result.ok()) throw py::value_error(result.error().text());
}

/// From an array of shape (n, 3), metres, n >= 1. `name` is the argument in errors.
std::vector<Vec3f> points_of(const py::object& points, const char* name);
/// From vertices (n, 3) and faces (m, k), k corners each; -1 fills the end of a row of a smaller face. At
/// least one face. Vertices that no face uses are dropped.
PolygonList polygons_of(const py::object& vertices, const py::object& faces);

/// One placement, or one per query: from None, an array (4, 4) or (3, 4), or (n, 4, 4) or (n, 3, 4). Every
/// number is rounded to float32; the answers are about the rounded numbers. A stack in C order of float32 or
/// float64 is not copied: each matrix is read when it is used. Made and destroyed with the interpreter's
/// lock, used without.
class Placements {
  public:
    Placements(const py::object& given, const char* name);
    std::size_t count() const { return count_; }
    bool many() const { return many_; }
    /// ValueError for a matrix with an entry that is not finite or too large, or with a wrong last row.
    Matrix34f operator[](std::size_t i) const { return many_ ? read(i) : one_; }

  private:
    Matrix34f read(std::size_t i) const;

    py::array kept_;  ///< the owner of the numbers
    const unsigned char* data_ = nullptr;
    const char* name_;
    std::size_t count_ = 1, entries_ = 0;  ///< entries of a matrix: 12 or 16
    bool is_float32_ = false, many_ = false;
    Matrix34f one_;
};

/// One placement; a stack of them is an error.
Matrix34f placement_of(const py::object& given, const char* name);
/// The same as rotation and translation. A matrix that is not rigid within 1e-5 is an error. to_matrix() of
/// the pose differs from the matrix by rounding.
Pose pose_of(const py::object& given, const char* name);

/// (3,) of doubles.
Numbers vector_of(const Vec3d& v);
/// (3,) of doubles, or None.
py::object vector_or_none(const std::optional<Vec3d>& v);
/// (4, 4) of float32.
py::array_t<float> matrix_of(const Matrix34f& m);

}  // namespace claybox::python
