// The Python module claybox._claybox. docs/how-to/use-from-python.md shows it; claybox/__init__.pyi has the
// types.
#include "collision/python/body.hpp"
#include "collision/version.hpp"

PYBIND11_MODULE(_claybox, module) {
    module.doc() = "Exact and fast collision detection.";
    module.attr("__version__") = CLAYBOX_VERSION;
    claybox::python::bind_shape(module);
    claybox::python::bind_pairs(module);
    claybox::python::bind_motion(module);
    claybox::python::bind_world(module);
}
