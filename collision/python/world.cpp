// Many bodies: a broad phase, pair tests, and which pairs collide.
#include "collision/python/body.hpp"

#include <map>
#include <optional>
#include <pybind11/stl.h>
#include <set>

namespace claybox::python {

namespace {

/// How an element of World.update() is stored. `kind`: 0 begin, 1 stay, 2 end.
struct EventRow {
    std::int64_t a, b;
    double point[3];
    std::uint8_t kind;
};

/// Bodies are known by numbers that are never used again.
class PyWorld {
  public:
    PyWorld(const std::optional<std::string>& algorithm, const std::optional<std::string>& broad_phase,
            std::int64_t workers, bool solid)
        : world_(settings_of(algorithm, broad_phase, workers, solid)) {}

    std::int64_t add(const PyShape& shape, const py::object& pose, bool continuous, std::int64_t group) {
        if (group < 0 || group >= static_cast<std::int64_t>(kGroupCount))
            throw py::value_error("group is " + std::to_string(group) + ", expected 0 to 63");
        BodyDef def{.shape = shape.shared(), .pose = stored_pose(pose)};
        def.group = static_cast<unsigned>(group);
        def.continuous = continuous;
        const auto body = world_.add_body(def);
        require(body);
        bodies_[next_] = {body.value(), def.pose};
        numbers_[body.value()] = next_;
        return next_++;
    }
    void remove(std::int64_t number) {
        const BodyId gone = body(number).id;
        require(world_.remove_body(gone));
        bodies_.erase(number);
        removed_.push_back(gone);
    }
    void move(std::int64_t number, const py::object& pose) {
        Body& moved = body(number);
        const Pose to = stored_pose(pose);
        if (to == moved.pose) return;
        require(world_.move(moved.id, to));
        moved.pose = to;
    }
    py::array_t<float> pose(std::int64_t number) { return matrix_of(to_matrix(body(number).pose)); }

    py::array_t<EventRow> update() {
        EventBatch batch;
        {
            const py::gil_scoped_release release;
            world_.publish(++frame_);
            world_.check();
            world_.poll_events(batch);
        }
        py::array_t<EventRow> out(static_cast<py::ssize_t>(batch.events.size()));
        EventRow* row = out.mutable_data();
        for (const Event& event : batch.events) *row++ = take(event);
        for (const BodyId gone : removed_) numbers_.erase(gone);
        removed_.clear();
        return out;
    }

    py::array_t<std::int64_t> pairs() const {
        py::array_t<std::int64_t> out({static_cast<py::ssize_t>(pairs_.size()), py::ssize_t{2}});
        std::int64_t* at = out.mutable_data();
        for (const auto& [a, b] : pairs_) {
            *at++ = a;
            *at++ = b;
        }
        return out;
    }
    std::size_t size() const { return bodies_.size(); }
    std::uint64_t tested_pairs() const { return world_.stats().tests; }

  private:
    struct Body {
        BodyId id;
        Pose pose;  ///< of the last add() or move()
    };

    /// As the World keeps it.
    static Pose stored_pose(const py::object& given) {
        const auto out = checked(pose_of(given, "pose"));
        require(out);
        return out.value();
    }

    static WorldSettings settings_of(const std::optional<std::string>& algorithm,
                                     const std::optional<std::string>& broad_phase, std::int64_t workers,
                                     bool solid) {
        WorldSettings out = default_settings();
        if (algorithm) {
            out.pair_algorithm = find_pair_algorithm(*algorithm);
            if (out.pair_algorithm == nullptr)
                throw py::value_error("unknown algorithm '" + *algorithm +
                                      "', expected one of claybox.algorithms()");
        } else if (!solid) {
            out.pair_algorithm = find_pair_algorithm("mesh_bvh");
        }
        if (!solid) require_surface(*out.pair_algorithm);
        out.pair_parameters = default_values(out.pair_algorithm->parameters);
        if (broad_phase) {
            out.broad_phase = find_broad_phase(*broad_phase);
            if (out.broad_phase == nullptr)
                throw py::value_error("unknown broad phase '" + *broad_phase + "'");
            out.broad_parameters = default_values(out.broad_phase->parameters);
        }
        if (workers < 1 || workers > 64)
            throw py::value_error("workers is " + std::to_string(workers) + ", expected 1 to 64");
        out.workers = static_cast<unsigned>(workers);
        out.parallel = workers > 1 ? ParallelMode::pairs : ParallelMode::serial;
        out.solid = solid;
        return out;
    }

    Body& body(std::int64_t number) {
        const auto found = bodies_.find(number);
        if (found == bodies_.end()) throw py::key_error("no body has the number " + std::to_string(number));
        return found->second;
    }

    EventRow take(const Event& event) {
        std::int64_t a = numbers_.at(event.a), b = numbers_.at(event.b);
        if (a > b) std::swap(a, b);
        if (event.kind == EventKind::begin) pairs_.insert({a, b});
        if (event.kind == EventKind::end) pairs_.erase({a, b});
        EventRow out{};
        out.a = a;
        out.b = b;
        for (std::size_t i = 0; i < 3; ++i) out.point[i] = static_cast<double>(event.point_w[i]);
        out.kind = static_cast<std::uint8_t>(event.kind);
        return out;
    }

    World world_;
    std::uint64_t frame_ = 0;
    std::int64_t next_ = 0;
    std::map<std::int64_t, Body> bodies_;
    std::map<BodyId, std::int64_t> numbers_;  ///< also of removed_
    std::vector<BodyId> removed_;             ///< since the last update(), which ends their contacts
    std::set<std::pair<std::int64_t, std::int64_t>> pairs_;
};

}  // namespace

void bind_world(py::module_& module) {
    PYBIND11_NUMPY_DTYPE(EventRow, a, b, point, kind);
    module.attr("BEGIN") = 0;
    module.attr("STAY") = 1;
    module.attr("END") = 2;
    py::class_<PyWorld>(
        module, "World",
        "Moving bodies: which of them collide. One thread at a time may use it. A body has a rigid pose, "
        "kept "
        "as a quaternion and a translation: the matrix made of them, pose(body), differs from the given one "
        "by rounding, up to 1e-5 if that is not quite a rotation. Verdicts are exact for the matrices "
        "pose(body), except with depth_buffer: collide() with these gives the same verdicts.")
        .def(
            py::init<const std::optional<std::string>&, const std::optional<std::string>&, std::int64_t,
                     bool>(),
            py::kw_only(), py::arg("algorithm") = py::none(), py::arg("broad_phase") = py::none(),
            py::arg("workers") = 1, py::arg("solid") = true,
            "Pairs that the algorithm does not accept or leaves undecided get another exact one. With solid, "
            "a body inside another one collides; with solid=False, surfaces are tested, by mesh_bvh or by "
            "another named algorithm for surfaces. workers: 1 to 64 threads. ValueError: an unknown name, a "
            "number out of range, or solid=False with an algorithm that decides solids.")
        .def("add", &PyWorld::add, py::arg("shape"), py::arg("pose") = py::none(), py::kw_only(),
             py::arg("continuous") = false, py::arg("group") = 0,
             "Adds a body from the next update() on and returns its number. The pose is None or a matrix (4, "
             "4) or (3, 4), world from shape, metres. continuous: contacts on the way between two poses "
             "count. group: 0 to 63. ValueError: a pose that is not rigid within 1e-5, or a bad group.")
        .def("remove", &PyWorld::remove, py::arg("body"),
             "Removes a body; its contacts end at the next update(). Its number is never used again. "
             "KeyError: "
             "no body has this number.")
        .def("move", &PyWorld::move, py::arg("body"), py::arg("pose"),
             "Sets the pose of a body, from the next update() on; None is the identity. A pose equal to that "
             "of the body changes nothing: its pairs are not tested again. Errors as in add() and remove().")
        .def("pose", &PyWorld::pose, py::arg("body"),
             "(4, 4) of float32: the matrix of the body's last pose, as it is tested. KeyError: no body has "
             "this number.")
        .def("update", &PyWorld::update,
             "Tests the pairs with a body that is new or moved. Returns an array (k,) of records with the "
             "numbers a < b, point (3,) in metres in the world frame, and kind: claybox.BEGIN, STAY (of "
             "pairs with a body that moved) or END. The point of END is zero. Releases the GIL.")
        .def("pairs", &PyWorld::pairs,
             "(k, 2) of int64: the pairs of numbers that collide since the last update(), sorted.")
        .def_property_readonly("tested_pairs", &PyWorld::tested_pairs,
                               "Number of pairs that the last update() tested, after the broad phase.")
        .def("__len__", &PyWorld::size, "Number of bodies.");
}

}  // namespace claybox::python
