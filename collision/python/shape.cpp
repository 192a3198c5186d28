#include "collision/exact/contained.hpp"
#include "collision/python/body.hpp"

#include <algorithm>
#include <pybind11/stl.h>

namespace claybox::python {

namespace {

/// Without the interpreter's lock.
template <class Make>
std::unique_ptr<PyShape> make_shape(const Make& make) {
    const py::gil_scoped_release release;
    auto shape = make();
    require(shape);
    return std::make_unique<PyShape>(std::move(shape).value());
}

std::unique_ptr<PyShape> from_mesh(const py::object& vertices, const py::object& faces,
                                   const std::string& name) {
    const PolygonList polygons = polygons_of(vertices, faces);
    return make_shape([&] { return Shape::from_polygons(polygons, name); });
}

std::unique_ptr<PyShape> from_hull(const py::object& points, const std::string& name) {
    const std::vector<Vec3f> all = points_of(points, "points");
    return make_shape([&] { return Shape::from_hull(all, name); });
}

/// Without a copy: the array keeps the shape alive.
py::array_t<float> vertices_of(const py::object& self) {
    const auto& positions = self.cast<const PyShape&>().shape().geometry().positions;
    static_assert(sizeof(Vec3f) == 3 * sizeof(float));
    py::array_t<float> out({static_cast<py::ssize_t>(positions.size()), py::ssize_t{3}},
                           positions.empty() ? nullptr : &positions.data()->x, self);
    out.attr("flags").attr("writeable") = false;
    return out;
}

py::array_t<std::int32_t> faces_of(const PyShape& self) {
    const Topology& t = self.shape().topology();
    std::size_t corners = 0;
    for (std::uint32_t p = 0; p < t.polygon_count(); ++p) corners = std::max(corners, t.loop(p).size());
    py::array_t<std::int32_t> out({py::ssize_t{t.polygon_count()}, static_cast<py::ssize_t>(corners)});
    std::int32_t* row = out.mutable_data();
    for (std::uint32_t p = 0; p < t.polygon_count(); ++p, row += corners) {
        const auto loop = t.loop(p);
        std::fill(std::copy(loop.begin(), loop.end(), row), row + corners, -1);
    }
    return out;
}

/// Bodies without a volume are hulls of their points; their polygons do not say that they are convex.
py::tuple state_of(const py::object& self) {
    const auto& shape = self.cast<const PyShape&>();
    const ConvexHull* const hull = shape.shape().hull();
    const bool flat = hull != nullptr && hull->dimension < 3;
    const py::object faces = flat ? py::object(py::none()) : py::object(faces_of(shape));
    return py::make_tuple(shape.shape().name(), vertices_of(self), faces);
}

std::unique_ptr<PyShape> from_state(const py::tuple& state) {
    if (state.size() != 3) throw py::value_error("this is not the state of a claybox.Shape");
    const auto name = state[0].cast<std::string>();
    return state[2].is_none() ? from_hull(state[1], name) : from_mesh(state[1], state[2], name);
}

std::vector<std::string> defects_of(const PyShape& self) {
    std::vector<std::string> out;
    for (const Defect& defect : self.shape().classification().defects)
        out.push_back(std::string(to_string(defect.kind)) + " at " + describe_location(defect));
    return out;
}

bool is_solid(const PyShape& self) {
    const Classification& c = self.shape().classification();
    return has_inside(c) && c.oriented && c.degenerate_polygons < c.polygons;
}

std::string text_of(const PyShape& self) {
    const Classification& c = self.shape().classification();
    return "<claybox.Shape '" + self.shape().name() + "': " + std::to_string(c.vertices) + " vertices, " +
           std::to_string(c.polygons) + " polygons, " +
           (c.convex         ? "convex"
            : is_solid(self) ? "solid"
                             : "surface") +
           ">";
}

}  // namespace

const Prepared* PyShape::prepare(const void* algorithm, Prepare make) const {
    if (make == nullptr) return nullptr;
    const std::lock_guard lock(mutex_);
    auto& entry = prepared_[algorithm];
    if (!entry) entry = make(*shape_, shape_->geometry());
    return entry.get();
}

void bind_shape(py::module_& module) {
    py::class_<PyShape>(module, "Shape",
                        "A polyhedron that never changes, in its own frame. Bodies and threads share it.")
        .def_static(
            "from_mesh", &from_mesh, py::arg("vertices"), py::arg("faces"), py::arg("name") = "",
            "From vertices (n, 3) in metres and faces (m, k) of vertex numbers, m >= 1, counter-clockwise "
            "seen from outside; -1 fills the end of rows of smaller faces. Coordinates are rounded to "
            "float32. "
            "Raises ValueError that says what was expected: for shapes of arrays, faces that are not "
            "integers, "
            "vertex numbers out of range, coordinates that are not finite or exceed 2^60.")
        .def_static("from_hull", &from_hull, py::arg("points"), py::arg("name") = "",
                    "The convex hull of points (n, 3) in metres, rounded to float32; a point, a segment or a "
                    "flat polygon is fine. ValueError as for from_mesh().")
        .def_property_readonly(
            "name", [](const PyShape& s) { return s.shape().name(); }, "The name given to it, or ''.")
        .def_property_readonly("vertices", &vertices_of,
                               "(n, 3) of float32, metres, in the shape's frame: a read-only view without a "
                               "copy. Equal vertices are merged; vertices that no face uses are dropped.")
        .def_property_readonly("faces", &faces_of,
                               "(m, k) of int32: rows of vertices, counter-clockwise seen from outside; -1 "
                               "fills the end of rows of smaller faces. contacts() counts these rows.")
        .def_property_readonly(
            "convex", [](const PyShape& s) { return s.shape().classification().convex; },
            "Whether it is the boundary of its convex hull; algorithms for convex shapes accept it.")
        .def_property_readonly("solid", &is_solid, "Closed, manifold and oriented: it has an inside.")
        .def_property_readonly("defects", &defects_of, "What is wrong with the mesh, as texts.")
        .def("__repr__", &text_of, "Name, counts and kind.")
        .def(py::pickle(&state_of, &from_state));
}

}  // namespace claybox::python
