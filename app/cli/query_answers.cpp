#include "app/cli/query_answers.hpp"

#include "app/cli/mesh_import.hpp"
#include "app/session/strict_json.hpp"
#include "collision/parts/contact_pair.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace claybox::app {

using namespace collision;
using Json = nlohmann::ordered_json;

namespace {

std::string refusal(const Question& question, const std::string& algorithm, const std::string& message) {
    Json out{{"line", question.line}};
    if (!question.id.is_null()) out["id"] = question.id;
    if (!algorithm.empty()) out["pair"] = algorithm;
    out["error"] = message;
    return to_line(out);
}

/// A point of each body deepest in the other: a - b is the depth along its direction.
Json describe_contact(const Question& question, const PairResult& result) {
    const Shape &a = *question.a->shape, &b = *question.b->shape;
    const ContactPair pair = contact_pair({a.hull(), &question.matrix_a, &a.geometry().box},
                                          {b.hull(), &question.matrix_b, &b.geometry().box}, result.depth,
                                          result.depth_direction_w);
    const auto point = [](const Vec3d& p) { return Json::array({p.x, p.y, p.z}); };
    return {{"a", point(pair.a_w)}, {"b", point(pair.b_w)}};
}

}  // namespace

const Prepared* PreparedShape::prepare(const PairAlgorithm& algorithm) {
    if (algorithm.prepare == nullptr) return nullptr;
    auto& made = prepared[&algorithm];
    if (!made) made = algorithm.prepare(*shape, shape->geometry());
    return made.get();
}

Result<PreparedShape*> MeshCache::find(const std::string& name) {
    auto at = shapes_.find(name);
    if (at == shapes_.end()) at = shapes_.emplace(name, load(name)).first;
    if (!at->second) return at->second.error();
    return &at->second.value();
}

Result<PreparedShape> MeshCache::load(const std::string& name) const {
    std::error_code code;
    for (const std::filesystem::path& file : {folder_ / name, folder_ / "meshes" / name}) {
        if (!std::filesystem::exists(file, code)) continue;
        const Result<PolygonList> polygons = import_polygons(file);
        if (!polygons) return polygons.error();
        const Result<ShapePtr> shape = Shape::from_polygons(polygons.value(), name);
        if (!shape) return Error{shape.error().message, file.string(), 0};
        return PreparedShape{shape.value(), {}};
    }
    return Error{
        "the mesh \"" + name + "\" is neither beside the query file nor in meshes/ next to it", {}, 0};
}

Status QueryAnswers::configure() {
    const Result<Exactness> exactness = exactness_by_name(arguments_.exactness);
    if (!exactness) return exactness.error();
    exactness_ = exactness.value();
    all_ = arguments_.pair == "all";
    if (all_ || arguments_.pair.empty()) {
        for (const PairAlgorithm* a : pair_algorithms()) asked_.push_back({a, default_values(a->parameters)});
    } else {
        const auto found = pair_by_id(arguments_.pair);
        if (!found) return found.error();
        asked_.push_back({found.value(), default_values(found.value()->parameters)});
    }
    return assign_all();
}

Status QueryAnswers::assign_all() {
    for (const std::string& assignment : arguments_.assignments) {
        bool known = false;
        std::string names;
        for (AskedAlgorithm& asked : asked_) {
            const Result<bool> assigned = assign(assignment, asked.algorithm->parameters, asked.parameters);
            if (!assigned) return assigned.error();
            known = known || assigned.value();
            const std::string ids = join(parameter_ids(asked.algorithm->parameters));
            if (!ids.empty())
                names += (names.empty() ? "" : "; ") + std::string(asked.algorithm->id) + ": " + ids;
        }
        if (!known) {
            return Error{"--set " + assignment + ": unknown parameter, expected " +
                             (names.empty() ? "none: the algorithm has no parameters" : "one of " + names),
                         {},
                         0};
        }
    }
    return Done{};
}

Result<PreparedShape*> QueryAnswers::shape_of(const QuerySide& side, PreparedShape& own) {
    if (!side.mesh.empty()) return meshes_.find(side.mesh);
    Result<ShapePtr> hull = Shape::from_hull(side.points);
    if (!hull) return hull.error();
    own.shape = std::move(hull).value();
    return &own;
}

Status QueryAnswers::understand(const std::string& text, Question& question) {
    const Result<QueryLine> parsed = parse_query_line(text);
    if (!parsed) return parsed.error();
    const QueryLine& line = parsed.value();
    question.id = line.id;
    question.solids_only = line.a.mesh.empty() || line.b.mesh.empty();
    question.matrix_a = line.a.world_from_body;
    question.matrix_b = line.b.world_from_body;
    const Result<PreparedShape*> a = shape_of(line.a, question.own_a);
    if (!a) return a.error();
    const Result<PreparedShape*> b = shape_of(line.b, question.own_b);
    if (!b) return b.error();
    question.a = a.value();
    question.b = b.value();
    return Done{};
}

PairQuery QueryAnswers::make_query(const AskedAlgorithm& asked, Question& question) {
    const PairAlgorithm& algorithm = *asked.algorithm;
    PairQuery query = make_pair_query(*question.a->shape, question.matrix_a, *question.b->shape,
                                      question.matrix_b, scratch_);
    query.a.prepared = question.a->prepare(algorithm);
    query.b.prepared = question.b->prepare(algorithm);
    query.wants = algorithm.gives & (kWantDistance | kWantDepth);
    if (arguments_.solid) query.wants |= kWantSolid;
    query.exactness = exactness_;
    query.seed = arguments_.seed;
    query.parameters = asked.parameters;
    return query;
}

/// The answer, and with --repeat the median time of a query that remembers nothing from the one before.
PairResult QueryAnswers::timed(const AskedAlgorithm& asked, const PairQuery& query, double& ns) {
    const PairAlgorithm& algorithm = *asked.algorithm;
    const std::size_t pool_bytes =
        algorithm.cache_bytes == nullptr ? 0 : algorithm.cache_bytes(*query.a.shape, *query.b.shape);
    std::vector<double> times;
    PairResult result;
    for (std::uint32_t i = 0; i < std::max(1u, arguments_.repeat); ++i) {
        pool_.assign(pool_bytes, std::byte{0});
        PairCache cache;
        cache.set_pool(pool_);
        const auto start = std::chrono::steady_clock::now();
        result = run_query(algorithm, query, cache);
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        if (arguments_.repeat > 0) times.push_back(took.count());
    }
    if (!times.empty()) {
        const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
        std::nth_element(times.begin(), middle, times.end());
        ns = *middle;
    }
    return result;
}

Json QueryAnswers::describe(const Question& question, const AskedAlgorithm& asked, const PairResult& result,
                            double ns) const {
    Json out;
    if (!question.id.is_null()) out["id"] = question.id;
    if (question.id.is_null()) out["line"] = question.line;
    out["pair"] = asked.algorithm->id;
    out["meaning"] = to_string(result.meaning);
    if (result.verdict != Verdict::undecided) out["collide"] = result.verdict == Verdict::colliding;
    out["verdict"] = to_string(result.verdict);
    const PairAlgorithm& algorithm = *asked.algorithm;
    if (!algorithm.exact && algorithm.bias == Bias::none) out["approximate"] = true;
    out["rung"] = result.rung;
    out["iterations"] = result.iterations;
    const bool has_distance =
        (asked.algorithm->gives & kWantDistance) != 0 && result.verdict == Verdict::separated;
    if (has_distance && std::isfinite(result.distance)) out["distance"] = result.distance;
    const bool has_depth = (asked.algorithm->gives & kWantDepth) != 0 &&
                           asked.algorithm->needs == Needs::convex && result.verdict == Verdict::colliding;
    if (has_depth && std::isfinite(result.depth)) {
        out["depth"] = result.depth;
        out["contact"] = describe_contact(question, result);
    }
    if (arguments_.repeat > 0) out["ns"] = ns;
    return out;
}

void QueryAnswers::refuse(std::uint64_t line, const std::string& message, std::string& out) {
    out += to_line({{"line", line}, {"error", message}});
}

/// With one algorithm named: its answer or why it has none. With all: every one that fits. With none: the
/// first that fits.
bool QueryAnswers::ask(Question& question, std::string& out) {
    bool answered = false;
    std::string reason;
    for (const AskedAlgorithm& asked : asked_) {
        const PairAlgorithm& algorithm = *asked.algorithm;
        if (question.solids_only && algorithm.meaning != Meaning::solid && !arguments_.solid) {
            reason = "decides surfaces, but a line with vertices asks about solids";
            continue;
        }
        const PairQuery query = make_query(asked, question);
        if (!applicable(algorithm, query.a, query.b)) {
            reason = std::string("does not fit this pair, it needs: ") + to_string(algorithm.needs);
            continue;
        }
        double ns = 0;
        const PairResult result = timed(asked, query, ns);
        if (result.status != QueryStatus::done) {
            reason = "gave no answer";
            continue;
        }
        if (question.solids_only && result.meaning != Meaning::solid) {
            reason = "does not fit this pair, it needs bodies with polygons";
            continue;
        }
        out += to_line(describe(question, asked, result, ns));
        answered = true;
        if (!all_) break;
    }
    if (answered) return true;
    const bool one = asked_.size() == 1;
    out += refusal(question, one ? asked_[0].algorithm->id : "",
                   one ? asked_[0].algorithm->id + (" " + reason) : "no algorithm fits this pair");
    return false;
}

bool QueryAnswers::answer(const std::string& text, std::uint64_t number, std::string& out) {
    Question question;
    question.line = number;
    if (const Status understood = understand(text, question); !understood) {
        out += refusal(question, {}, understood.error().text());
        return false;
    }
    return ask(question, out);
}

}  // namespace claybox::app
