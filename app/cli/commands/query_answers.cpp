#include "app/cli/commands/query_answers.hpp"

#include "app/cli/commands/answer_line.hpp"
#include "app/cli/commands/query_scan.hpp"
#include "app/cli/name_lookup.hpp"
#include "app/cli/switches.hpp"
#include "app/session/strict_json.hpp"
#include "collision/pairwise/gjk/contact_pair.hpp"

#include <cmath>

namespace claybox::app {

using namespace collision;
using Json = nlohmann::ordered_json;

std::string refusal(const Question& question, const std::string& algorithm, const std::string& message) {
    Json out{{"line", question.line}};
    if (!question.id.is_null()) out["id"] = question.id;
    if (!algorithm.empty()) out["pair"] = algorithm;
    out["error"] = message;
    return to_line(out);
}

namespace {

/// The deepest point of each body in the other: a - b is the depth along its direction.
void describe_contact(const Question& question, const PairResult& result, AnswerLine& line) {
    const Shape &a = *question.a->shape, &b = *question.b->shape;
    const ContactPair pair = contact_pair({a.hull(), &question.matrix_a, &a.geometry().box},
                                          {b.hull(), &question.matrix_b, &b.geometry().box}, result.depth,
                                          result.depth_direction_w);
    line.open("contact");
    line.point("a", pair.a_w);
    line.point("b", pair.b_w);
    line.close();
}

}  // namespace

Status QueryAnswers::configure() {
    const Result<Exactness> exactness = exactness_by_name(arguments_.exactness);
    if (!exactness) return exactness.error();
    exactness_ = exactness.value();
    all_ = normalised_name(arguments_.pair) == "all";
    if (all_ || arguments_.pair.empty()) {
        for (const PairAlgorithm* a : pair_algorithms())
            algorithms_.push_back({a, default_values(a->parameters)});
    } else {
        const auto found = pair_by_name(arguments_.pair);
        if (!found) return found.error();
        algorithms_.push_back({found.value(), default_values(found.value()->parameters)});
    }
    if (const Status chosen = choose_continuous(); !chosen) return chosen;
    return assign_all();
}

Status QueryAnswers::assign_all() {
    // The parameters of continuous algorithms count only if one was chosen.
    std::vector<ParameterOwner> owners;
    if (arguments_.continuous.empty()) {
        for (const ChosenAlgorithm& chosen : algorithms_)
            owners.push_back({chosen.algorithm->id, chosen.algorithm->parameters});
    } else {
        for (const ChosenContinuous& chosen : continuous_)
            owners.push_back({chosen.algorithm->id, chosen.algorithm->parameters});
    }
    for (const std::string& assignment : arguments_.assignments) {
        const Result<std::string> by_id = with_parameter_id(assignment, owners);
        if (!by_id) return by_id.error();
        for (ChosenAlgorithm& chosen : algorithms_) {
            const Result<bool> assigned =
                assign(by_id.value(), chosen.algorithm->parameters, chosen.parameters);
            if (!assigned) return assigned.error();
        }
        for (ChosenContinuous& chosen : continuous_) {
            const Result<bool> assigned =
                assign(by_id.value(), chosen.algorithm->parameters, chosen.parameters);
            if (!assigned) return assigned.error();
        }
    }
    return Done{};
}

Result<PreparedShape*> QueryAnswers::shape_of(const QuerySide& side) {
    if (side.known != nullptr) return side.known;
    if (!side.mesh.empty()) return meshes_.find(side.mesh);
    return side.points_text.empty() ? hulls_.find(side.points) : hulls_.find(side.points, side.points_text);
}

Status QueryAnswers::parse(const std::string& text, Question& question) {
    std::optional<QueryLine> scanned =
        scan_query_line(text, [this](std::string_view points) { return hulls_.find(points); });
    if (!scanned) {
        Result<QueryLine> parsed = parse_query_line(text);
        if (!parsed) return parsed.error();
        scanned = std::move(parsed).value();
    }
    QueryLine& line = *scanned;
    question.id = std::move(line.id);
    question.solids_only = line.a.mesh.empty() || line.b.mesh.empty();
    question.matrix_a = line.a.world_from_body;
    question.matrix_b = line.b.world_from_body;
    question.motion_a = line.a.motion;
    question.motion_b = line.b.motion;
    question.has_motion = line.has_motion;
    const Result<PreparedShape*> a = shape_of(line.a);
    if (!a) return a.error();
    const Result<PreparedShape*> b = shape_of(line.b);
    if (!b) return b.error();
    question.a = a.value();
    question.b = b.value();
    return Done{};
}

PairQuery QueryAnswers::make_query(const ChosenAlgorithm& chosen, Question& question) {
    const PairAlgorithm& algorithm = *chosen.algorithm;
    PairQuery query = make_pair_query(*question.a->shape, question.matrix_a, *question.b->shape,
                                      question.matrix_b, scratch_);
    // The same for every line, whatever came before: the answers must not depend on the worker. Times are
    // those of prepared shapes.
    const auto prepared = [&](PreparedShape& shape) -> const Prepared* {
        const bool pays = shape.often || arguments_.repeat > 0 || !algorithm.prepares_for_many;
        return pays ? shape.prepare(algorithm.prepare) : nullptr;
    };
    query.a.prepared = prepared(*question.a);
    query.b.prepared = prepared(*question.b);
    query.wants = algorithm.gives & (kWantDistance | kWantDepth);
    if (arguments_.solid) query.wants |= kWantSolid;
    query.exactness = exactness_;
    query.seed = arguments_.seed;
    query.parameters = chosen.parameters;
    return query;
}

void QueryAnswers::describe(const Question& question, const ChosenAlgorithm& chosen, const PairResult& result,
                            double ns, std::string& out) const {
    const PairAlgorithm& algorithm = *chosen.algorithm;
    AnswerLine line(out);
    if (!question.id.is_null()) line.value("id", question.id);
    if (question.id.is_null()) line.integer("line", question.line);
    line.word("pair", algorithm.id);
    line.word("meaning", to_string(result.meaning));
    if (result.verdict != Verdict::undecided) line.truth("collide", result.verdict == Verdict::colliding);
    line.word("verdict", to_string(result.verdict));
    if (!algorithm.exact && algorithm.bias == Bias::none) line.truth("approximate", true);
    line.integer("rung", result.rung);
    line.integer("iterations", result.iterations);
    const bool has_distance = (algorithm.gives & kWantDistance) != 0 && result.verdict == Verdict::separated;
    if (has_distance && std::isfinite(result.distance)) line.number("distance", result.distance);
    const bool has_depth = (algorithm.gives & kWantDepth) != 0 && algorithm.needs == Needs::convex &&
                           result.verdict == Verdict::colliding;
    if (has_depth && std::isfinite(result.depth)) {
        line.number("depth", result.depth);
        describe_contact(question, result, line);
    }
    if (arguments_.repeat > 0) line.number("ns", ns);
    line.finish();
}

void QueryAnswers::refuse(std::uint64_t line, const std::string& message, std::string& out) {
    out += to_line({{"line", line}, {"error", message}});
}

/// One chosen algorithm: its answer, or the reason why it has none. All: the answers of every algorithm that
/// fits. None chosen: the answer of the first algorithm that fits.
bool QueryAnswers::answer(Question& question, std::string& out) {
    bool answered = false;
    std::string reason;
    for (const ChosenAlgorithm& chosen : algorithms_) {
        const PairAlgorithm& algorithm = *chosen.algorithm;
        if (question.solids_only && algorithm.meaning != Meaning::solid && !arguments_.solid) {
            reason = "tests surfaces, but a line with vertices is about solids";
            continue;
        }
        const PairQuery query = make_query(chosen, question);
        if (!applicable(algorithm, query.a, query.b)) {
            reason = std::string("does not fit this pair, expected: ") + to_string(algorithm.needs);
            continue;
        }
        double ns = 0;
        const std::size_t pool_bytes =
            algorithm.cache_bytes == nullptr ? 0 : algorithm.cache_bytes(*query.a.shape, *query.b.shape);
        const PairResult result = timed(
            [&] {
                pool_.assign(pool_bytes, std::byte{0});
                PairCache cache;
                cache.set_pool(pool_);
                return run_query(algorithm, query, cache);
            },
            ns);
        if (result.status != QueryStatus::done) {
            reason = "found no answer";
            continue;
        }
        describe(question, chosen, result, ns, out);
        answered = true;
        if (!all_) break;
    }
    if (answered) return true;
    const bool one = algorithms_.size() == 1;
    out += refusal(question, one ? algorithms_[0].algorithm->id : "",
                   one ? algorithms_[0].algorithm->id + (" " + reason) : "no algorithm fits this pair");
    return false;
}

bool QueryAnswers::answer(const std::string& text, std::uint64_t number, std::string& out) {
    Question question;
    question.line = number;
    meshes_.limit();
    hulls_.limit();
    if (const Status parsed = parse(text, question); !parsed) {
        out += refusal(question, {}, parsed.error().text());
        return false;
    }
    if (arguments_.continuous.empty() && !question.has_motion) return answer(question, out);
    if (arguments_.continuous.empty() && !arguments_.pair.empty()) {
        out += refusal(question, {},
                       "the line has a motion, which pair algorithms do not test: expected --continuous");
        return false;
    }
    return answer_motion(question, out);
}

}  // namespace claybox::app
