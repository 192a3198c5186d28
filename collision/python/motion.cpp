// The time of impact of two moving shapes.
#include "collision/python/body.hpp"

#include <optional>
#include <pybind11/stl.h>
#include <stdexcept>

namespace claybox::python {

namespace {

struct TimeOfImpact {
    double time = 0;
    std::optional<Vec3d> point;
    Vec3d normal;
    bool at_start = false;
};

bool same_linear_part(const Matrix34f& a, const Matrix34f& b) {
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            if (a(row, column) != b(row, column)) return false;
    return true;
}

/// A matrix at the start, and the motion from there.
struct Way {
    Matrix34f start;
    Motion motion;
};

/// Any matrices with equal linear parts move in a straight line; others must be rigid and follow a screw.
Way way_of(const py::object& start, const char* start_name, const py::object& end, const char* end_name) {
    Way out{placement_of(start, start_name), {}};
    if (end.is_none()) return out;
    const Matrix34f to = placement_of(end, end_name);
    if (out.start == to) return out;
    out.motion = same_linear_part(out.start, to)
                     ? Motion::linear(to.translation())
                     : motion_between(pose_of(start, start_name), pose_of(end, end_name));
    return out;
}

std::optional<TimeOfImpact> answer_of(const ContinuousResult& r) {
    if (r.status == QueryStatus::not_applicable)
        throw py::value_error("no continuous algorithm accepts these shapes and motions");
    if (r.verdict == Verdict::undecided)
        throw std::runtime_error("the motion stays undecided from time " + std::to_string(r.time_low) +
                                 " on, expected a shorter motion or a larger tolerance");
    if (r.verdict == Verdict::separated) return std::nullopt;
    if (r.at_start) return TimeOfImpact{0, {}, {}, true};
    return TimeOfImpact{r.time_high, r.point_w, r.normal_w, false};
}

std::optional<TimeOfImpact> time_of_impact(const PyShape& a, const PyShape& b, const py::object& start_a,
                                           const py::object& end_a, const py::object& start_b,
                                           const py::object& end_b, double tolerance) {
    if (!(tolerance > 0)) throw py::value_error("tolerance must be larger than 0 m");
    const Way way_a = way_of(start_a, "start_a", end_a, "end_a");
    const Way way_b = way_of(start_b, "start_b", end_b, "end_b");
    Scratch scratch;
    PairCache cache;
    const ContinuousAlgorithm& algorithm = *default_continuous_algorithm();
    ContinuousQuery query = make_continuous_query(a.shape(), way_a.start, way_a.motion, b.shape(),
                                                  way_b.start, way_b.motion, scratch);
    require(check(query.motion_a));
    require(check(query.motion_b));
    query.tolerance = tolerance;
    query.pair.parameters = default_values(algorithm.parameters);
    const py::gil_scoped_release release;
    query.pair.a.prepared = a.prepared(algorithm);
    query.pair.b.prepared = b.prepared(algorithm);
    return answer_of(run_continuous(algorithm, query, cache));
}

}  // namespace

void bind_motion(py::module_& module) {
    py::class_<TimeOfImpact>(module, "TimeOfImpact", "Answer of time_of_impact(). World frame, metres.")
        .def_readonly("time", &TimeOfImpact::time, "0 at the start, 1 at the end of the motion.")
        .def_property_readonly(
            "point", [](const TimeOfImpact& t) { return vector_or_none(t.point); },
            "(3,), metres, world frame: the place of the first contact; None if at_start.")
        .def_property_readonly(
            "normal", [](const TimeOfImpact& t) { return vector_of(t.normal); },
            "(3,): unit vector from A to B; zero if the contact has none, and if at_start.")
        .def_readonly("at_start", &TimeOfImpact::at_start,
                      "In contact at time 0 already: contacts() and depth() say where and how deep.")
        .def(
            "__repr__",
            [](const TimeOfImpact& t) { return "<claybox.TimeOfImpact at " + std::to_string(t.time) + ">"; },
            "The time as text.");
    const auto none = [](const char* name) { return py::arg(name) = py::none(); };
    module.def(
        "time_of_impact", &time_of_impact, py::arg("a"), py::arg("b"), none("start_a"), none("end_a"),
        none("start_b"), none("end_b"), py::kw_only(), py::arg("tolerance") = 1e-6,
        "The first contact while the shapes move from their start poses to their end poses, or None if there "
        "is none. Poses as in collide(); without an end the shape rests. Poses that differ by a translation "
        "move straight, others must be rigid within 1e-5 and follow a screw with the smaller angle: split a "
        "turn of 180 degrees or more. Whether there is contact is "
        "exact for convex shapes that move straight. Otherwise no contact is missed, and shapes that come "
        "closer than tolerance (metres, larger than 0) may count as touching. ValueError: a pose or "
        "tolerance that does not fit, or shapes and motions that no algorithm accepts. RuntimeError: the "
        "motion stays "
        "undecided after many steps, as of a rod of 100 km that turns; a larger tolerance may help.");
}

}  // namespace claybox::python
