#include "collision/python/arrays.hpp"

namespace claybox::python {

namespace {

std::string shape_of(const py::array& a) {
    std::string out = "(";
    for (py::ssize_t i = 0; i < a.ndim(); ++i) out += (i == 0 ? "" : ", ") + std::to_string(a.shape(i));
    return out + ")";
}

/// Reads 12 of the numbers of a matrix of 3 or 4 rows.
Matrix34f read_matrix(const double* numbers, bool has_last_row, const std::string& name) {
    Matrix34f out;
    for (std::size_t i = 0; i < 12; ++i) out.m[i] = static_cast<float>(numbers[i]);
    const bool affine =
        !has_last_row || (numbers[12] == 0 && numbers[13] == 0 && numbers[14] == 0 && numbers[15] == 1);
    if (!affine) throw py::value_error(name + ": the last row is not 0, 0, 0, 1");
    if (const Status good = check(out); !good.ok()) throw py::value_error(name + ": " + good.error().text());
    return out;
}

}  // namespace

std::vector<Vec3f> points_of(const Numbers& points) {
    if (points.ndim() != 2 || points.shape(1) != 3)
        throw py::value_error("points have the shape " + shape_of(points) + ", expected (n, 3)");
    std::vector<Vec3f> out(static_cast<std::size_t>(points.shape(0)));
    const double* at = points.data();
    for (Vec3f& p : out) {
        p = {static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])};
        at += 3;
    }
    return out;
}

PolygonList polygons_of(const Numbers& vertices, const Indices& faces) {
    if (faces.ndim() != 2 || faces.shape(1) < 3)
        throw py::value_error("faces have the shape " + shape_of(faces) + ", expected (m, k) with k >= 3");
    PolygonList out;
    out.positions = points_of(vertices);
    const auto count = static_cast<std::int64_t>(out.positions.size());
    std::vector<std::uint32_t> loop;
    for (py::ssize_t f = 0; f < faces.shape(0); ++f) {
        loop.clear();
        for (py::ssize_t i = 0; i < faces.shape(1) && *faces.data(f, i) != -1; ++i) {
            const std::int64_t v = *faces.data(f, i);
            if (v < 0 || v >= count)
                throw py::value_error("face " + std::to_string(f) + " has vertex " + std::to_string(v) +
                                      ", expected 0 to " + std::to_string(count - 1));
            loop.push_back(static_cast<std::uint32_t>(v));
        }
        if (loop.size() < 3)
            throw py::value_error("face " + std::to_string(f) + " has fewer than three corners");
        out.add_polygon(loop);
    }
    return out;
}

Placements::Placements(const py::object& given, const char* name) {
    if (given.is_none()) return;
    const Numbers a = Numbers::ensure(given);
    if (!a) throw py::value_error(std::string(name) + " is not an array of numbers");
    const py::ssize_t n = a.ndim();
    const bool fits =
        (n == 2 || n == 3) && a.shape(n - 1) == 4 && (a.shape(n - 2) == 3 || a.shape(n - 2) == 4);
    if (!fits)
        throw py::value_error(std::string(name) + " has the shape " + shape_of(a) +
                              ", expected (4, 4), (3, 4), (n, 4, 4) or (n, 3, 4)");
    many_ = n == 3;
    all_.resize(many_ ? static_cast<std::size_t>(a.shape(0)) : 1);
    const auto size = static_cast<std::size_t>(4 * a.shape(n - 2));
    for (std::size_t i = 0; i < all_.size(); ++i)
        all_[i] = read_matrix(a.data() + i * size, size == 16,
                              many_ ? std::string(name) + "[" + std::to_string(i) + "]" : name);
}

Matrix34f placement_of(const py::object& given, const char* name) {
    const Placements out(given, name);
    if (out.many()) throw py::value_error(std::string(name) + " is a stack of matrices, expected one");
    return out[0];
}

Pose pose_of(const py::object& given, const char* name) {
    const Matrix34f rounded = placement_of(given, name);
    const Matrix34d m = to_double(rounded);
    const Vec3d x{m(0, 0), m(1, 0), m(2, 0)}, y{m(0, 1), m(1, 1), m(2, 1)}, z{m(0, 2), m(1, 2), m(2, 2)};
    constexpr double kTolerance = 1e-5;
    const auto near = [](double a, double b) { return std::abs(a - b) <= kTolerance; };
    const bool rigid = near(dot(x, x), 1) && near(dot(y, y), 1) && near(dot(z, z), 1) && near(dot(x, y), 0) &&
                       near(dot(y, z), 0) && near(dot(z, x), 0) && dot(cross(x, y), z) > 0;
    if (!rigid)
        throw py::value_error(
            std::string(name) +
            " is not rigid: it scales, shears or mirrors, expected a rotation and a translation");
    // The largest of the four numbers of the quaternion is divided by, so that none is lost to rounding.
    const double four[4] = {1 + x.x + y.y + z.z, 1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z,
                            1 - x.x - y.y + z.z};
    Quat q;
    if (four[0] >= 1)
        q = {four[0], y.z - z.y, z.x - x.z, x.y - y.x};
    else if (four[1] >= 1)
        q = {y.z - z.y, four[1], x.y + y.x, z.x + x.z};
    else if (four[2] >= 1)
        q = {z.x - x.z, x.y + y.x, four[2], y.z + z.y};
    else
        q = {x.y - y.x, z.x + x.z, y.z + z.y, four[3]};
    return {normalized(q), m.translation()};
}

Numbers vector_of(const Vec3d& v) {
    Numbers out(3);
    for (std::size_t i = 0; i < 3; ++i) out.mutable_data()[i] = v[i];
    return out;
}

}  // namespace claybox::python
