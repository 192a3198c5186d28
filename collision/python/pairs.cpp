// Queries about two shapes: one pose, or thousands at once without the interpreter's lock.
#include "collision/python/body.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <pybind11/stl.h>
#include <stdexcept>

namespace claybox::python {

namespace {

/// How an element of contacts() is stored.
struct ContactRow {
    double point[3], normal[3], depth;
    std::uint32_t polygon_a, polygon_b;
};

bool accepts(const PairAlgorithm& algorithm, const PyShape& a, const PyShape& b) {
    Scratch unused(0);
    const PairQuery query = make_pair_query(a.shape(), {}, b.shape(), {}, unused);
    return applicable(algorithm, query.a, query.b);
}

/// What is asked about a pair.
struct Question {
    Wants gives = kWantVerdict;  ///< beside the verdict
    bool solid = true;           ///< false: about surfaces
    Wants wants() const { return solid ? gives | kWantSolid : gives; }
};

/// The first exact algorithm of the registry that answers.
const PairAlgorithm& default_for(const PyShape& a, const PyShape& b, const Question& question) {
    for (const PairAlgorithm* candidate : pair_algorithms()) {
        const bool answers = candidate->exact && (candidate->gives & question.gives) == question.gives &&
                             (question.solid || candidate->meaning == Meaning::surface);
        if (answers && accepts(*candidate, a, b)) return *candidate;
    }
    throw py::value_error((question.gives & kWantDepth) != 0
                              ? "a depth needs convex shapes; contacts() gives the depths of meshes"
                              : "no algorithm answers this question for these shapes");
}

const PairAlgorithm& algorithm_for(const PyShape& a, const PyShape& b, const std::optional<std::string>& name,
                                   const Question& question) {
    if (!name) return default_for(a, b, question);
    const PairAlgorithm* found = find_pair_algorithm(*name);
    if (found == nullptr)
        throw py::value_error("unknown algorithm '" + *name + "', expected one of claybox.algorithms()");
    if (!accepts(*found, a, b)) throw py::value_error(*name + " does not accept these shapes");
    if ((found->gives & question.gives) != question.gives)
        throw py::value_error(*name + " does not answer this question");
    if (!question.solid) require_surface(*found);
    return *found;
}

/// Asks one pair of shapes again and again, as a loop over frames would.
class Asker {
  public:
    Asker(const PyShape& a, const PyShape& b, const PairAlgorithm& algorithm, Wants wants)
        : algorithm_(algorithm),
          query_(make_pair_query(a.shape(), {}, b.shape(), {}, scratch_)),
          pool_(algorithm.cache_bytes == nullptr ? 0
                                                 : algorithm.cache_bytes(*query_.a.shape, *query_.b.shape)) {
        cache_.set_pool(pool_);
        query_.a.prepared = a.prepared(algorithm);
        query_.b.prepared = b.prepared(algorithm);
        query_.wants = wants;
        query_.parameters = default_values(algorithm.parameters);
    }
    PairResult ask(const Matrix34f& a, const Matrix34f& b) {
        query_.a.world_from_body = a;
        query_.b.world_from_body = b;
        scratch_.reset();
        return run_query(algorithm_, query_, cache_);
    }
    PairQuery& query() { return query_; }

  private:
    const PairAlgorithm& algorithm_;
    Scratch scratch_;
    PairQuery query_;
    PairCache cache_;
    std::vector<std::byte> pool_;
};

bool is_answer(const PairResult& r) {
    const bool ended = r.status == QueryStatus::done || r.status == QueryStatus::hits_full;
    return ended && r.verdict != Verdict::undecided;
}

/// Asks the chosen algorithm. Where it finds no answer, asks the exact default, as a World does.
class Answers {
  public:
    Answers(const PyShape& a, const PyShape& b, const PairAlgorithm& algorithm, const Question& question)
        : a_(a), b_(b), question_(question), first_(a, b, algorithm, question.wants()) {}
    PairResult ask(const Matrix34f& a, const Matrix34f& b) {
        const PairResult first = first_.ask(a, b);
        if (is_answer(first)) return first;
        if (!second_) second_.emplace(a_, b_, default_for(a_, b_, question_), question_.wants());
        const PairResult second = second_->ask(a, b);
        if (!is_answer(second)) throw std::runtime_error("no algorithm decides whether these shapes collide");
        return second;
    }

  private:
    const PyShape &a_, &b_;
    Question question_;
    Asker first_;
    std::optional<Asker> second_;
};

struct Distance {
    double distance = 0;
    std::optional<Vec3d> point_a, point_b;
};
struct Depth {
    double depth = 0;
    Vec3d direction;
};

Distance distance_in(const PairResult& r) {
    if (r.verdict != Verdict::separated) return {};
    return {r.distance, r.closest_a_w, r.closest_b_w};
}
Depth depth_in(const PairResult& r) {
    return r.verdict == Verdict::colliding ? Depth{r.depth, r.depth_direction_w} : Depth{};
}

using Name = std::optional<std::string>;
using Object = const py::object&;

/// Lets Python see Ctrl-C during a long loop without the interpreter's lock.
class SignalWatch {
  public:
    /// Throws KeyboardInterrupt, or what else a handler raises.
    void look() {
        if (++steps_ % kStepsPerLook != 0) return;
        const auto now = Clock::now();
        if (now - last_ < kPause) return;
        last_ = now;
        const py::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint64_t kStepsPerLook = 64;  ///< reading the clock is not free
    static constexpr auto kPause = std::chrono::milliseconds(50);
    std::uint64_t steps_ = 0;
    Clock::time_point last_ = Clock::now();
};

/// The value of every pair of placements, without the interpreter's lock.
template <class T, class Value>
py::array_t<T> ask_many(const PyShape& a, const PyShape& b, Object poses_a, Object poses_b, const Name& name,
                        const Question& question, Value value) {
    const PairAlgorithm& algorithm = algorithm_for(a, b, name, question);
    const Placements of_a(poses_a, "poses_a"), of_b(poses_b, "poses_b");
    if (of_a.many() && of_b.many() && of_a.count() != of_b.count())
        throw py::value_error("poses_a has " + std::to_string(of_a.count()) + " matrices and poses_b has " +
                              std::to_string(of_b.count()) + ", expected equal numbers");
    const std::size_t count = of_a.many() ? of_a.count() : of_b.count();
    py::array_t<T> out(static_cast<py::ssize_t>(count));
    T* const values = out.mutable_data();
    const py::gil_scoped_release release;
    Answers answers(a, b, algorithm, question);
    SignalWatch signals;
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = value(answers.ask(of_a[i], of_b[i]));
        signals.look();
    }
    return out;
}

PairResult ask_one(const PyShape& a, const PyShape& b, Object pose_a, Object pose_b, const Name& name,
                   const Question& question) {
    const PairAlgorithm& algorithm = algorithm_for(a, b, name, question);
    const Matrix34f of_a = placement_of(pose_a, "pose_a"), of_b = placement_of(pose_b, "pose_b");
    const py::gil_scoped_release release;
    return Answers(a, b, algorithm, question).ask(of_a, of_b);
}

bool collide(const PyShape& a, const PyShape& b, Object pose_a, Object pose_b, const Name& algorithm,
             bool solid) {
    return ask_one(a, b, pose_a, pose_b, algorithm, {kWantVerdict, solid}).verdict == Verdict::colliding;
}

py::array_t<bool> collide_many(const PyShape& a, const PyShape& b, Object poses_a, Object poses_b,
                               const Name& algorithm, bool solid) {
    return ask_many<bool>(a, b, poses_a, poses_b, algorithm, {kWantVerdict, solid},
                          [](const PairResult& r) { return r.verdict == Verdict::colliding; });
}

Distance distance(const PyShape& a, const PyShape& b, Object pose_a, Object pose_b, const Name& algorithm,
                  bool solid) {
    return distance_in(ask_one(a, b, pose_a, pose_b, algorithm, {kWantDistance, solid}));
}

py::array_t<double> distance_many(const PyShape& a, const PyShape& b, Object poses_a, Object poses_b,
                                  const Name& algorithm, bool solid) {
    return ask_many<double>(a, b, poses_a, poses_b, algorithm, {kWantDistance, solid},
                            [](const PairResult& r) { return distance_in(r).distance; });
}

constexpr Question kDepth{kWantDepth, true};

Depth depth(const PyShape& a, const PyShape& b, Object pose_a, Object pose_b, const Name& algorithm) {
    return depth_in(ask_one(a, b, pose_a, pose_b, algorithm, kDepth));
}

py::array_t<double> depth_many(const PyShape& a, const PyShape& b, Object poses_a, Object poses_b,
                               const Name& algorithm) {
    return ask_many<double>(a, b, poses_a, poses_b, algorithm, kDepth,
                            [](const PairResult& r) { return depth_in(r).depth; });
}

ContactRow row_of(const Contact& c) {
    ContactRow out{};
    for (std::size_t i = 0; i < 3; ++i) {
        out.point[i] = c.point_w[i];
        out.normal[i] = c.normal_w[i];
    }
    out.depth = c.depth;
    out.polygon_a = c.polygon_a;
    out.polygon_b = c.polygon_b;
    return out;
}

constexpr Question kContacts{kWantAllHits, true};

std::vector<Contact> find_all_contacts(const PyShape& a, const PyShape& b, const Matrix34f& of_a,
                                       const Matrix34f& of_b, const PairAlgorithm& algorithm) {
    Asker asker(a, b, algorithm, kContacts.gives);
    std::vector<Hit> storage(1024);
    for (;;) {
        HitSink hits(storage);
        asker.query().hits = &hits;
        const PairResult result = asker.ask(of_a, of_b);
        if (result.status == QueryStatus::hits_full) {
            storage.resize(4 * storage.size());
            continue;
        }
        if (!is_answer(result)) throw std::runtime_error("the algorithm does not find the contacts");
        std::vector<Contact> out(hits.hits().size());
        out.resize(find_contacts(asker.query(), hits.hits(), out));
        return out;
    }
}

py::array_t<ContactRow> contacts(const PyShape& a, const PyShape& b, Object pose_a, Object pose_b,
                                 const Name& algorithm) {
    const PairAlgorithm& chosen = algorithm_for(a, b, algorithm, kContacts);
    const Matrix34f of_a = placement_of(pose_a, "pose_a"), of_b = placement_of(pose_b, "pose_b");
    std::vector<Contact> found;
    {
        const py::gil_scoped_release release;
        found = find_all_contacts(a, b, of_a, of_b, chosen);
    }
    py::array_t<ContactRow> out(static_cast<py::ssize_t>(found.size()));
    std::transform(found.begin(), found.end(), out.mutable_data(), row_of);
    return out;
}

void bind_answers(py::module_& module) {
    py::class_<Distance>(module, "Distance", "Answer of distance(). Metres, world frame.")
        .def_readonly("distance", &Distance::distance, "Metres; 0 if the bodies collide.")
        .def_property_readonly(
            "point_a", [](const Distance& d) { return vector_or_none(d.point_a); },
            "(3,), metres, world frame: the point of A that is closest to B; None if they collide.")
        .def_property_readonly(
            "point_b", [](const Distance& d) { return vector_or_none(d.point_b); },
            "(3,), metres, world frame: the point of B that is closest to A; None if they collide.")
        .def(
            "__float__", [](const Distance& d) { return d.distance; }, "The distance.")
        .def(
            "__repr__",
            [](const Distance& d) { return "<claybox.Distance " + std::to_string(d.distance) + ">"; },
            "The distance as text.");
    py::class_<Depth>(module, "Depth",
                      "Answer of depth(). Moving B by depth * direction leaves the bodies just touching.")
        .def_readonly("depth", &Depth::depth, "Metres; 0 if the bodies are apart.")
        .def_property_readonly(
            "direction", [](const Depth& d) { return vector_of(d.direction); },
            "(3,), world frame: a unit vector; zero if they are apart.")
        .def(
            "__float__", [](const Depth& d) { return d.depth; }, "The depth.")
        .def(
            "__repr__", [](const Depth& d) { return "<claybox.Depth " + std::to_string(d.depth) + ">"; },
            "The depth as text.");
}

}  // namespace

void require_surface(const PairAlgorithm& algorithm) {
    if (algorithm.meaning != Meaning::surface)
        throw py::value_error(std::string(algorithm.id) +
                              " decides solids, expected solid=True or an algorithm for surfaces, such as "
                              "mesh_bvh");
}

void bind_pairs(py::module_& module) {
    PYBIND11_NUMPY_DTYPE(ContactRow, point, normal, depth, polygon_a, polygon_b);
    bind_answers(module);
    const auto a = py::arg("a"), b = py::arg("b");
    const auto pose_a = py::arg("pose_a") = py::none(), pose_b = py::arg("pose_b") = py::none();
    const auto poses_a = py::arg("poses_a") = py::none(), poses_b = py::arg("poses_b") = py::none();
    const auto algorithm = py::arg("algorithm") = py::none();
    const auto solid = py::arg("solid") = true;
    const py::kw_only named;
    module.def(
        "collide", &collide, a, b, pose_a, pose_b, named, algorithm, solid,
        "Whether two shapes collide; touching counts. A pose is None or a matrix (4, 4) or (3, 4), world "
        "from "
        "shape, metres, rounded to float32. It may scale, shear and mirror. With solid, a body inside "
        "another one collides; with solid=False, surfaces are tested. The answer is exact for the rounded "
        "numbers. A named algorithm that is one-sided or accepts only some meshes may find no answer: then "
        "an "
        "exact one decides. Only depth_buffer may be wrong. ValueError: a pose that does not fit, an unknown "
        "algorithm, or one that does not accept the shapes or this meaning of solid.");
    module.def(
        "collide_many", &collide_many, a, b, poses_a, poses_b, named, algorithm, solid,
        "The same as collide() for poses (n, 4, 4) or (n, 3, 4) of one or both shapes: an array (n,) of "
        "bool. Releases the GIL. Poses in C order of float32 or float64 are not copied: do not write "
        "to them meanwhile. A bad matrix raises ValueError with its number. Ctrl-C ends the call.");
    module.def(
        "distance", &distance, a, b, pose_a, pose_b, named, algorithm, solid,
        "How far two shapes are apart, and the closest points. Whether it is 0 is exact; other distances are "
        "rounded. Poses, solid and errors as in collide().");
    module.def("distance_many", &distance_many, a, b, poses_a, poses_b, named, algorithm, solid,
               "The distances for poses as in collide_many(): an array (n,) of float64, metres. Releases the "
               "GIL.");
    module.def("depth", &depth, a, b, pose_a, pose_b, named, algorithm,
               "The penetration depth of two convex shapes: the smallest translation that separates them, "
               "rounded. Poses and errors as in collide(); ValueError for shapes that are not convex.");
    module.def("depth_many", &depth_many, a, b, poses_a, poses_b, named, algorithm,
               "The depths for poses as in collide_many(): an array (n,) of float64, metres. Releases the "
               "GIL.");
    module.def(
        "contacts", &contacts, a, b, pose_a, pose_b, named, algorithm,
        "Where two surfaces intersect: an array (k,) of records with point and normal (3,) in the world "
        "frame, "
        "the normal from A to B, depth in metres, and polygon_a, polygon_b: the rows of faces of the two "
        "polygons with the longest common segment. After B moves by depth along the normal, a plane "
        "separates "
        "the parts that overlap there; a shorter move may be enough. The depth is 0 if a mesh is not closed, "
        "if the surfaces only touch, or if one passes through the other and nothing is cut off. Empty if one "
        "body is inside the other. Poses and errors as in collide().");
    module.def(
        "algorithms",
        [] {
            std::vector<std::string> out;
            for (const PairAlgorithm* one : pair_algorithms()) out.emplace_back(one->id);
            return out;
        },
        "Ids of all pair algorithms.");
}

}  // namespace claybox::python
