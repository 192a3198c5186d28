#include "app/cli/mesh_import.hpp"
#include "app/cli/output.hpp"
#include "app/cli/query_line.hpp"
#include "app/cli/subcommands.hpp"
#include "app/session/line_source.hpp"
#include "app/session/strict_json.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

namespace claybox::app {

using namespace collision;
using Json = nlohmann::ordered_json;

namespace {

/// An algorithm with the parameters that --set gave it.
struct Asked {
    const PairAlgorithm* algorithm = nullptr;
    ParameterValues parameters;
};

/// A shape with what algorithms prepared of it.
struct PreparedShape {
    ShapePtr shape;
    std::map<const PairAlgorithm*, std::shared_ptr<const Prepared>> prepared;

    const Prepared* prepare(const PairAlgorithm& algorithm) {
        if (algorithm.prepare == nullptr) return nullptr;
        auto& made = prepared[&algorithm];
        if (!made) made = algorithm.prepare(*shape, shape->geometry());
        return made.get();
    }
};

/// Meshes by name, read once; a mesh that cannot be read is remembered as its error.
class MeshCache {
  public:
    explicit MeshCache(const std::string& file)
        : folder_(file == "-" ? std::filesystem::path(".") : std::filesystem::path(file).parent_path()) {}

    Result<PreparedShape*> find(const std::string& name) {
        auto at = shapes_.find(name);
        if (at == shapes_.end()) at = shapes_.emplace(name, load(name)).first;
        if (!at->second) return at->second.error();
        return &at->second.value();
    }

  private:
    Result<PreparedShape> load(const std::string& name) const {
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

    std::filesystem::path folder_;
    std::map<std::string, Result<PreparedShape>> shapes_;
};

/// What a line asks, ready to be answered by one algorithm after the other.
struct Question {
    nlohmann::json id;
    std::uint64_t line = 0;
    bool solids_only = false;  ///< a vertices line is about solids
    PreparedShape *a = nullptr, *b = nullptr;
    Matrix34f matrix_a, matrix_b;
    PreparedShape own_a, own_b;  ///< hulls of this line
};

class Query {
  public:
    explicit Query(const QueryArguments& arguments) : arguments_(arguments), meshes_(arguments.file) {}

    Status configure();
    int run();

  private:
    Status assign_all();
    bool answer(const std::string& text, std::uint64_t number);
    Status understand(const std::string& text, Question& question);
    Result<PreparedShape*> shape_of(const QuerySide& side, PreparedShape& own);
    bool ask(Question& question);
    PairQuery make_query(const Asked& asked, Question& question);
    PairResult timed(const Asked& asked, const PairQuery& query, double& ns);
    Json describe(const Question& question, const Asked& asked, const PairResult& result, double ns) const;
    void refuse(std::uint64_t line, const std::string& message);
    void refuse(const Question& question, const std::string& algorithm, const std::string& message);

    QueryArguments arguments_;
    MeshCache meshes_;
    std::vector<Asked> asked_;
    Exactness exactness_ = Exactness::exact;
    bool all_ = false;
    Scratch scratch_;
    std::vector<std::byte> pool_;
};

Status Query::configure() {
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

Status Query::assign_all() {
    for (const std::string& assignment : arguments_.assignments) {
        bool known = false;
        std::string names;
        for (Asked& asked : asked_) {
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

Result<PreparedShape*> Query::shape_of(const QuerySide& side, PreparedShape& own) {
    if (!side.mesh.empty()) return meshes_.find(side.mesh);
    Result<ShapePtr> hull = Shape::from_hull(side.points);
    if (!hull) return hull.error();
    own.shape = std::move(hull).value();
    return &own;
}

Status Query::understand(const std::string& text, Question& question) {
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

PairQuery Query::make_query(const Asked& asked, Question& question) {
    const PairAlgorithm& algorithm = *asked.algorithm;
    PairQuery query = make_pair_query(*question.a->shape, question.matrix_a, *question.b->shape,
                                      question.matrix_b, scratch_);
    query.a.prepared = question.a->prepare(algorithm);
    query.b.prepared = question.b->prepare(algorithm);
    query.wants = algorithm.gives & (kWantDistance | kWantDepth);
    query.exactness = exactness_;
    query.seed = arguments_.seed;
    query.parameters = asked.parameters;
    return query;
}

/// The answer, and with --repeat the median time of a query that remembers nothing from the one before.
PairResult Query::timed(const Asked& asked, const PairQuery& query, double& ns) {
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

Json Query::describe(const Question& question, const Asked& asked, const PairResult& result,
                     double ns) const {
    Json out;
    if (!question.id.is_null()) out["id"] = question.id;
    if (question.id.is_null()) out["line"] = question.line;
    out["pair"] = asked.algorithm->id;
    out["meaning"] = to_string(result.meaning);
    if (result.verdict != Verdict::undecided) out["collide"] = result.verdict == Verdict::colliding;
    out["verdict"] = to_string(result.verdict);
    out["rung"] = result.rung;
    const bool has_distance =
        (asked.algorithm->gives & kWantDistance) != 0 && result.verdict == Verdict::separated;
    if (has_distance && std::isfinite(result.distance)) out["distance"] = result.distance;
    const bool has_depth = (asked.algorithm->gives & kWantDepth) != 0 && result.verdict == Verdict::colliding;
    if (has_depth && std::isfinite(result.depth)) out["depth"] = result.depth;
    if (arguments_.repeat > 0) out["ns"] = ns;
    return out;
}

void Query::refuse(std::uint64_t line, const std::string& message) {
    print(to_line({{"line", line}, {"error", message}}));
}

void Query::refuse(const Question& question, const std::string& algorithm, const std::string& message) {
    Json out{{"line", question.line}};
    if (!question.id.is_null()) out["id"] = question.id;
    if (!algorithm.empty()) out["pair"] = algorithm;
    out["error"] = message;
    print(to_line(out));
}

/// With one algorithm named: its answer or why it has none. With all: every one that fits. With none: the
/// first that fits.
bool Query::ask(Question& question) {
    bool answered = false;
    std::string reason;
    for (const Asked& asked : asked_) {
        const PairAlgorithm& algorithm = *asked.algorithm;
        if (question.solids_only && algorithm.meaning != Meaning::solid) {
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
        print(to_line(describe(question, asked, result, ns)));
        answered = true;
        if (!all_) break;
    }
    if (answered) return true;
    const bool one = asked_.size() == 1;
    refuse(question, one ? asked_[0].algorithm->id : "",
           one ? asked_[0].algorithm->id + (" " + reason) : "no algorithm fits this pair");
    return false;
}

bool Query::answer(const std::string& text, std::uint64_t number) {
    Question question;
    question.line = number;
    if (const Status understood = understand(text, question); !understood) {
        refuse(question, {}, understood.error().text());
        return false;
    }
    return ask(question);
}

int Query::run() {
    LineSource lines;
    if (const Status opened = lines.open(arguments_.file); !opened) return report_error(opened.error());
    std::string text;
    bool good = true;
    std::uint64_t asked = 0;
    for (;;) {
        const LineSource::Kind kind = lines.next(text);
        if (kind == LineSource::Kind::end) break;
        if (kind == LineSource::Kind::failed)
            return report_error(Error{"cannot be read further", arguments_.file, lines.number()});
        if (kind == LineSource::Kind::too_long) {
            refuse(lines.number(), "longer than " + std::to_string(LineSource::kMaxLineBytes) + " bytes");
            good = false;
        } else if (text.find_first_not_of(" \t") == std::string::npos) {
            continue;
        } else {
            good = answer(text, lines.number()) && good;
        }
        ++asked;
    }
    if (asked == 0)
        return report_error(Error{"holds no queries, expected one JSON object a line", arguments_.file, 0});
    return finish_output(good ? kExitDone : kExitBadInput);
}

}  // namespace

int query_command(const QueryArguments& arguments) {
    Query query(arguments);
    if (const Status configured = query.configure(); !configured) return report_error(configured.error());
    return query.run();
}

}  // namespace claybox::app
