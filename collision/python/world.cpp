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
            unsigned workers, bool solid)
        : world_(settings_of(algorithm, broad_phase, workers, solid)) {}

    std::int64_t add(const PyShape& shape, const py::object& pose, bool continuous, unsigned group) {
        BodyDef def{.shape = shape.pointer(), .pose = pose_of(pose, "pose")};
        def.group = group;
        def.continuous = continuous;
        const auto body = world_.add_body(def);
        require(body);
        bodies_[next_] = body.value();
        numbers_[body.value()] = next_;
        return next_++;
    }
    void remove(std::int64_t number) {
        require(world_.remove_body(body(number)));
        bodies_.erase(number);
    }
    void move(std::int64_t number, const py::object& pose) {
        require(world_.move(body(number), pose_of(pose, "pose")));
    }

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

  private:
    static WorldSettings settings_of(const std::optional<std::string>& algorithm,
                                     const std::optional<std::string>& broad_phase, unsigned workers,
                                     bool solid) {
        WorldSettings out = default_settings();
        if (algorithm) {
            out.pair_algorithm = find_pair_algorithm(*algorithm);
            if (out.pair_algorithm == nullptr)
                throw py::value_error("unknown algorithm '" + *algorithm +
                                      "', expected one of claybox.algorithms()");
            out.pair_parameters = default_values(out.pair_algorithm->parameters);
        }
        if (broad_phase) {
            out.broad_phase = find_broad_phase(*broad_phase);
            if (out.broad_phase == nullptr)
                throw py::value_error("unknown broad phase '" + *broad_phase + "'");
            out.broad_parameters = default_values(out.broad_phase->parameters);
        }
        if (workers < 1 || workers > 64) throw py::value_error("workers must be 1 to 64");
        out.workers = workers;
        out.parallel = workers > 1 ? ParallelMode::pairs : ParallelMode::serial;
        out.solid = solid;
        return out;
    }

    BodyId body(std::int64_t number) const {
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
    std::map<std::int64_t, BodyId> bodies_;
    std::map<BodyId, std::int64_t> numbers_;  ///< also of removed bodies, whose contacts end later
    std::set<std::pair<std::int64_t, std::int64_t>> pairs_;
};

}  // namespace

void bind_world(py::module_& module) {
    PYBIND11_NUMPY_DTYPE(EventRow, a, b, point, kind);
    module.attr("BEGIN") = 0;
    module.attr("STAY") = 1;
    module.attr("END") = 2;
    py::class_<PyWorld>(module, "World",
                        "Moving bodies: which of them collide. One thread at a time may use it.")
        .def(
            py::init<const std::optional<std::string>&, const std::optional<std::string>&, unsigned, bool>(),
            py::kw_only(), py::arg("algorithm") = py::none(), py::arg("broad_phase") = py::none(),
            py::arg("workers") = 1, py::arg("solid") = true,
            "Pairs that the algorithm does not accept get another exact one. With solid=False, mesh_bvh asks "
            "about surfaces; the default algorithm still takes convex shapes as solids.")
        .def("add", &PyWorld::add, py::arg("shape"), py::arg("pose") = py::none(), py::kw_only(),
             py::arg("continuous") = false, py::arg("group") = 0,
             "Adds a body and returns its number. The pose is rigid.")
        .def("remove", &PyWorld::remove, py::arg("body"))
        .def("move", &PyWorld::move, py::arg("body"), py::arg("pose"), "Counts from the next update().")
        .def("update", &PyWorld::update,
             "Tests all pairs. Returns an array of records with a < b, point and kind: claybox.BEGIN, STAY "
             "or END.")
        .def("pairs", &PyWorld::pairs, "(k, 2): the pairs that collide since the last update(), sorted.")
        .def("__len__", &PyWorld::size);
}

}  // namespace claybox::python
