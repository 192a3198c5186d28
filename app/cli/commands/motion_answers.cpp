// Answers to lines with motions, by continuous algorithms.

#include "app/cli/commands/query_answers.hpp"
#include "app/cli/name_lookup.hpp"
#include "app/cli/switches.hpp"
#include "app/session/strict_json.hpp"

#include <cmath>

namespace claybox::app {

using namespace collision;
using Json = nlohmann::ordered_json;

namespace {

Json numbers(const Vec3d& v) {
    return Json::array({v.x, v.y, v.z});
}

Json describe_feature(const Feature& feature) {
    Json out{{"kind", to_string(feature.kind)}};
    if (feature.index != kNoIndex) out["index"] = feature.index;
    return out;
}

/// Time, place, normal and features of a hit.
void describe_hit(const ContinuousResult& result, Json& out) {
    out["toi"] = result.time_high;
    out["toi_low"] = result.time_low;
    if (result.at_start) {
        out["at_start"] = true;
        return;
    }
    if (result.normal_w == Vec3d{}) return;
    out["toi_normal"] = numbers(result.normal_w);
    out["point"] = numbers(result.point_w);
    out["feature_a"] = describe_feature(result.feature_a);
    out["feature_b"] = describe_feature(result.feature_b);
}

Json describe_hits(std::span<const MotionHit> hits) {
    Json out = Json::array();
    for (const MotionHit& hit : hits)
        out.push_back({{"toi", hit.time},
                       {"point", numbers(hit.point_w)},
                       {"normal", numbers(hit.normal_w)},
                       {"feature_a", describe_feature(hit.a)},
                       {"feature_b", describe_feature(hit.b)},
                       {"properness", hit.properness}});
    return out;
}

Json describe_motion(const Question& question, const ContinuousAlgorithm& algorithm,
                     const ContinuousQuery& query, const ContinuousResult& result) {
    Json out;
    if (!question.id.is_null()) out["id"] = question.id;
    if (question.id.is_null()) out["line"] = question.line;
    out["pair"] = algorithm.id;
    out["meaning"] = to_string(result.meaning);
    const bool hit = result.verdict == Verdict::colliding;
    if (result.verdict != Verdict::undecided) out["hit"] = hit;
    out["verdict"] = to_string(result.verdict);
    out["promise"] = to_string(promise_for(algorithm, query));
    out["rung"] = result.rung;
    out["iterations"] = result.iterations;
    if (hit && algorithm.gives_time) describe_hit(result, out);
    if (result.swept_hulls != Verdict::undecided)
        out["swept_hull_collide"] = result.swept_hulls == Verdict::colliding;
    if (hit && algorithm.gives_all_hits) out["hits"] = describe_hits(query.hits->hits());
    return out;
}

}  // namespace

Status QueryAnswers::choose_continuous() {
    all_continuous_ = normalised_name(arguments_.continuous) == "all";
    if (all_continuous_ || arguments_.continuous.empty()) {
        for (const ContinuousAlgorithm* a : continuous_algorithms())
            continuous_.push_back({a, default_values(a->parameters)});
        return Done{};
    }
    const auto found = entry_by_name("continuous algorithm", arguments_.continuous, continuous_algorithms());
    if (!found) return found.error();
    continuous_.push_back({found.value(), default_values(found.value()->parameters)});
    return Done{};
}

ContinuousQuery QueryAnswers::make_query(const ChosenContinuous& chosen, Question& question) {
    const ContinuousAlgorithm& algorithm = *chosen.algorithm;
    ContinuousQuery query =
        make_continuous_query(*question.a->shape, question.matrix_a, question.motion_a, *question.b->shape,
                              question.matrix_b, question.motion_b, scratch_);
    query.pair.a.prepared = question.a->prepare(algorithm.prepare);
    query.pair.b.prepared = question.b->prepare(algorithm.prepare);
    query.pair.exactness = exactness_;
    query.pair.seed = arguments_.seed;
    query.pair.parameters = chosen.parameters;
    query.tolerance = arguments_.tolerance;
    return query;
}

/// Like answer(), for continuous algorithms. A line with vertices is about solids.
bool QueryAnswers::answer_motion(Question& question, std::string& out) {
    bool answered = false;
    std::string reason;
    std::vector<MotionHit> storage(64);
    for (const ChosenContinuous& chosen : continuous_) {
        const ContinuousAlgorithm& algorithm = *chosen.algorithm;
        ContinuousQuery query = make_query(chosen, question);
        if (!applicable(algorithm, query)) {
            reason = std::string("does not fit this pair and its motions, expected: ") +
                     to_string(algorithm.needs);
            continue;
        }
        double ns = 0;
        ContinuousResult result;
        MotionHitSink sink;
        for (;;) {
            sink = MotionHitSink(storage);
            query.hits = &sink;
            result = timed(
                [&] {
                    PairCache cache;
                    return run_continuous(algorithm, query, cache);
                },
                ns);
            constexpr std::size_t kMaxHits = 1 << 20;
            if (result.status != QueryStatus::hits_full || storage.size() >= kMaxHits) break;
            storage.resize(storage.size() * 4);
        }
        if (result.status != QueryStatus::done && result.status != QueryStatus::hits_full) {
            reason = "found no answer";
            continue;
        }
        Json json = describe_motion(question, algorithm, query, result);
        if (arguments_.repeat > 0) json["ns"] = ns;
        out += to_line(json);
        answered = true;
        if (!all_continuous_) break;
    }
    if (answered) return true;
    const bool one = continuous_.size() == 1;
    out += refusal(question, one ? continuous_[0].algorithm->id : "",
                   one ? continuous_[0].algorithm->id + (" " + reason)
                       : "no continuous algorithm fits this pair and its motions");
    return false;
}

}  // namespace claybox::app
