#include "bench/contestants/ours_continuous.hpp"

namespace claybox::bench {

using namespace collision;

bool OurContinuous::prepare(std::span<const ShapePtr> shapes) {
    shapes_.assign(shapes.begin(), shapes.end());
    prepared_.clear();
    for (const ShapePtr& shape : shapes) {
        if (algorithm_.needs == Needs::convex && shape->hull() == nullptr) return false;
        prepared_.push_back(algorithm_.prepare == nullptr ? nullptr
                                                          : algorithm_.prepare(*shape, shape->geometry()));
    }
    return true;
}

bool OurContinuous::load(std::span<const MovingQuery> queries) {
    queries_.clear();
    for (const MovingQuery& q : queries) {
        ContinuousQuery query =
            make_continuous_query(*shapes_[q.shape_a], q.world_from_a, {}, *shapes_[q.shape_b],
                                  q.world_from_b, q.motion_b, scratch_);
        query.pair.a.prepared = prepared_[q.shape_a].get();
        query.pair.b.prepared = prepared_[q.shape_b].get();
        query.pair.parameters = parameters_;
        query.tolerance = kTolerance;
        if (!applicable(algorithm_, query)) return false;
        queries_.push_back(query);
    }
    return true;
}

MovingAnswer OurContinuous::answer(std::size_t query) {
    const ContinuousResult r = ask(query);
    return {r.verdict == Verdict::colliding, r.time_high};
}

ContinuousResult OurContinuous::ask(std::size_t query) const {
    PairCache cache;
    return run_continuous(algorithm_, queries_[query], cache);
}

namespace {

ContinuousEntry make_entry(const ContinuousAlgorithm& algorithm, std::string id, std::string title,
                           const ParameterValues& parameters) {
    return {std::move(id), std::move(title), true,
            [&algorithm, parameters] { return std::make_unique<OurContinuous>(algorithm, parameters); }};
}

}  // namespace

std::vector<ContinuousEntry> our_continuous_entries() {
    std::vector<ContinuousEntry> out;
    for (const ContinuousAlgorithm* a : continuous_algorithms()) {
        ParameterValues values = default_values(a->parameters);
        const std::size_t pixels = find_parameter(a->parameters, "pixels");
        if (pixels == a->parameters.size()) {
            out.push_back(make_entry(*a, a->id, a->title, values));
            continue;
        }
        for (const int resolution : {6, 12, 24}) {  // Buss, section 9.1
            values[pixels] = resolution;
            const std::string text = std::to_string(resolution);
            out.push_back(make_entry(*a, std::string(a->id) + "_" + text,
                                     std::string(a->title) + ", " + text + " pixels", values));
        }
    }
    return out;
}

}  // namespace claybox::bench
