#include "collision/python/arrays.hpp"

#include <algorithm>
#include <cstring>

namespace claybox::python {

namespace {

std::string shape_of(const py::array& a) {
    std::string out = "(";
    for (py::ssize_t i = 0; i < a.ndim(); ++i) out += (i == 0 ? "" : ", ") + std::to_string(a.shape(i));
    return out + ")";
}

/// The array as it is, if its numbers are of one of these kinds: i and u are integers, f is floating point.
py::array array_of_kind(const py::object& given, const std::string& name, const char* kinds,
                        const char* expected) {
    py::array out = py::array::ensure(given);
    if (!out) throw py::value_error(name + " is not an array, expected " + expected);
    if (std::strchr(kinds, out.dtype().kind()) == nullptr)
        throw py::value_error(name + " has the dtype " + std::string(py::str(out.dtype())) + ", expected " +
                              expected);
    return out;
}

Numbers numbers_of(const py::object& given, const std::string& name) {
    Numbers out = Numbers::ensure(array_of_kind(given, name, "iuf", "real numbers"));
    if (!out) throw py::value_error(name + " is not an array of real numbers");
    return out;
}

/// Rounds the first 12 numbers of a matrix of 3 or 4 rows. The numbers need not be aligned.
template <class T, class Name>
Matrix34f read_matrix(const unsigned char* data, std::size_t entries, const Name& name) {
    T numbers[16];
    std::memcpy(numbers, data, entries * sizeof(T));
    Matrix34f out;
    for (std::size_t i = 0; i < 12; ++i) out.m[i] = static_cast<float>(numbers[i]);
    const bool affine =
        entries == 12 || (numbers[12] == 0 && numbers[13] == 0 && numbers[14] == 0 && numbers[15] == 1);
    if (!affine) throw py::value_error(name() + ": the last row is not 0, 0, 0, 1");
    if (const Status good = check(out); !good.ok())
        throw py::value_error(name() + ": " + good.error().text());
    return out;
}

/// The number at an address that need not be aligned.
template <class T>
T load(const unsigned char* at) {
    T out;
    std::memcpy(&out, at, sizeof out);
    return out;
}

/// Rounds n points of three numbers each, in C order.
template <class T>
std::vector<Vec3f> read_points(const py::array& numbers) {
    std::vector<Vec3f> out(static_cast<std::size_t>(numbers.shape(0)));
    const auto* at = static_cast<const unsigned char*>(numbers.data());
    for (Vec3f& p : out) {
        for (std::size_t k = 0; k < 3; ++k) p[k] = static_cast<float>(load<T>(at + k * sizeof(T)));
        at += 3 * sizeof(T);
    }
    return out;
}

/// Integers of 32 or 64 bits in C order.
py::array integers_of(const py::array& faces) {
    if (faces.ndim() != 2 || faces.shape(1) < 3)
        throw py::value_error("faces has the shape " + shape_of(faces) +
                              ", expected (m, k) with m >= 1 and k >= 3");
    if (faces.shape(0) == 0)
        throw py::value_error("faces has the shape " + shape_of(faces) + ", expected at least one face");
    const py::array given = array_of_kind(faces, "faces", "iu", "integers");
    if (py::isinstance<Indices32>(given)) return given;
    const Indices out = Indices::ensure(given);  // the same array if it has this type already
    if (!out) throw py::value_error("faces is not an array of integers");
    return out;
}

/// The corners of rows of faces, checked.
class FaceReader {
  public:
    FaceReader(const py::array& faces, std::size_t vertices)
        : faces_(integers_of(faces)),
          data_(static_cast<const unsigned char*>(faces_.data())),
          has_32_bits_(faces_.itemsize() == 4),
          is_unsigned_(faces.dtype().kind() == 'u'),
          vertices_(static_cast<std::int64_t>(vertices)) {}
    py::ssize_t count() const { return faces_.shape(0); }
    void read(py::ssize_t f, std::vector<std::uint32_t>& loop) const {
        loop.clear();
        py::ssize_t corners = faces_.shape(1);
        while (!is_unsigned_ && corners > 0 && corner(f, corners - 1) == -1) --corners;
        for (py::ssize_t i = 0; i < corners; ++i) {
            const std::int64_t vertex = corner(f, i);
            if (vertex < 0 || vertex >= vertices_) refuse(f, vertex);
            loop.push_back(static_cast<std::uint32_t>(vertex));
        }
        if (corners < 3) throw py::value_error("face " + std::to_string(f) + " has fewer than three corners");
    }

  private:
    std::int64_t corner(py::ssize_t f, py::ssize_t i) const {
        const auto at = static_cast<std::size_t>(f * faces_.shape(1) + i);
        return has_32_bits_ ? load<std::int32_t>(data_ + 4 * at) : load<std::int64_t>(data_ + 8 * at);
    }
    [[noreturn]] void refuse(py::ssize_t f, std::int64_t vertex) const {
        const std::string number =
            is_unsigned_ ? std::to_string(static_cast<std::uint64_t>(vertex)) : std::to_string(vertex);
        throw py::value_error("face " + std::to_string(f) + " has vertex " + number + ", expected 0 to " +
                              std::to_string(vertices_ - 1) + ", and -1 at the end of a row only");
    }

    py::array faces_;
    const unsigned char* data_;
    bool has_32_bits_, is_unsigned_;
    std::int64_t vertices_;
};

/// A vertex that no polygon uses is no part of the surface. With it, no mesh is convex.
void drop_unused_vertices(PolygonList& list) {
    constexpr std::uint32_t kUnused = kNoIndex;
    std::vector<std::uint32_t> number(list.positions.size(), kUnused);
    for (const std::uint32_t v : list.indices) number[v] = 0;
    std::uint32_t count = 0;
    for (std::size_t v = 0; v < number.size(); ++v) {
        if (number[v] == kUnused) continue;
        list.positions[count] = list.positions[v];
        number[v] = count++;
    }
    list.positions.resize(count);
    for (std::uint32_t& v : list.indices) v = number[v];
}

}  // namespace

std::vector<Vec3f> points_of(const py::object& points, const char* name) {
    const py::array given = array_of_kind(points, name, "iuf", "real numbers");
    if (given.ndim() != 2 || given.shape(1) != 3 || given.shape(0) == 0)
        throw py::value_error(std::string(name) + " has the shape " + shape_of(given) +
                              ", expected (n, 3) with n >= 1");
    const bool is_float32 = py::isinstance<py::array_t<float, py::array::c_style>>(given);
    return is_float32 ? read_points<float>(given) : read_points<double>(numbers_of(given, name));
}

PolygonList polygons_of(const py::object& vertices, const py::object& faces) {
    PolygonList out;
    out.positions = points_of(vertices, "vertices");
    const py::array rows = py::array::ensure(faces);
    if (!rows) throw py::value_error("faces is not an array, expected integers (m, k)");
    const FaceReader reader(rows, out.positions.size());
    std::vector<std::uint32_t> loop;
    for (py::ssize_t f = 0; f < reader.count(); ++f) {
        reader.read(f, loop);
        out.add_polygon(loop);
    }
    drop_unused_vertices(out);
    return out;
}

Placements::Placements(const py::object& given, const char* name) : name_(name) {
    if (given.is_none()) return;
    kept_ = array_of_kind(given, name, "iuf", "real numbers");
    const py::ssize_t n = kept_.ndim();
    const bool fits =
        (n == 2 || n == 3) && kept_.shape(n - 1) == 4 && (kept_.shape(n - 2) == 3 || kept_.shape(n - 2) == 4);
    if (!fits)
        throw py::value_error(std::string(name) + " has the shape " + shape_of(kept_) +
                              ", expected (4, 4), (3, 4), (n, 4, 4) or (n, 3, 4)");
    is_float32_ = py::isinstance<py::array_t<float, py::array::c_style>>(kept_);
    if (!is_float32_) kept_ = numbers_of(kept_, name);  // the same array if it has this type already
    data_ = static_cast<const unsigned char*>(kept_.data());
    entries_ = static_cast<std::size_t>(4 * kept_.shape(n - 2));
    many_ = n == 3;
    if (many_)
        count_ = static_cast<std::size_t>(kept_.shape(0));
    else
        one_ = read(0);
}

Matrix34f Placements::read(std::size_t i) const {
    const auto name = [&] { return many_ ? std::string(name_) + "[" + std::to_string(i) + "]" : name_; };
    return is_float32_ ? read_matrix<float>(data_ + i * entries_ * sizeof(float), entries_, name)
                       : read_matrix<double>(data_ + i * entries_ * sizeof(double), entries_, name);
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

py::object vector_or_none(const std::optional<Vec3d>& v) {
    return v ? py::object(vector_of(*v)) : py::object(py::none());
}

py::array_t<float> matrix_of(const Matrix34f& m) {
    py::array_t<float> out({py::ssize_t{4}, py::ssize_t{4}});
    float* const at = out.mutable_data();
    std::copy(m.m.begin(), m.m.end(), at);
    std::fill(at + 12, at + 15, 0.0f);
    at[15] = 1;
    return out;
}

}  // namespace claybox::python
