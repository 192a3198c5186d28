#include "collision/python/body.hpp"

#include <pybind11/stl.h>

namespace claybox::python {

namespace {

std::unique_ptr<PyShape> from_mesh(const Numbers& vertices, const Indices& faces, std::string name) {
    const PolygonList polygons = polygons_of(vertices, faces);
    const py::gil_scoped_release release;
    auto shape = Shape::from_polygons(polygons, std::move(name));
    const py::gil_scoped_acquire acquire;
    require(shape);
    return std::make_unique<PyShape>(std::move(shape).value());
}

std::unique_ptr<PyShape> from_hull(const Numbers& points, std::string name) {
    auto shape = Shape::from_hull(points_of(points), std::move(name));
    require(shape);
    return std::make_unique<PyShape>(std::move(shape).value());
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

std::vector<std::string> defects_of(const PyShape& self) {
    std::vector<std::string> out;
    for (const Defect& defect : self.shape().classification().defects)
        out.push_back(std::string(to_string(defect.kind)) + " at " + describe_location(defect));
    return out;
}

bool is_solid(const PyShape& self) {
    const Classification& c = self.shape().classification();
    return c.closed && c.manifold && c.oriented;
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

void bind_shape(py::module_& module) {
    py::class_<PyShape>(module, "Shape", "A polyhedron that never changes. Bodies and threads share it.")
        .def_static("from_mesh", &from_mesh, py::arg("vertices"), py::arg("faces"), py::arg("name") = "",
                    "From vertices (n, 3) in metres and faces (m, k), counter-clockwise seen from outside; "
                    "-1 fills rows of smaller "
                    "faces. ValueError says what is wrong.")
        .def_static("from_hull", &from_hull, py::arg("points"), py::arg("name") = "",
                    "The convex hull of points (n, 3) in metres.")
        .def_property_readonly("name", [](const PyShape& s) { return s.shape().name(); })
        .def_property_readonly("vertices", &vertices_of,
                               "(n, 3) of float32, read-only, not copied. Equal vertices are merged.")
        .def_property_readonly("convex", [](const PyShape& s) { return s.shape().classification().convex; })
        .def_property_readonly("solid", &is_solid, "Closed, manifold and oriented: it has an inside.")
        .def_property_readonly("defects", &defects_of, "What is wrong with the mesh, as texts.")
        .def("__repr__", &text_of);
}

}  // namespace claybox::python
