#include "bench/contestants/continuous.hpp"

namespace claybox::bench {

using namespace collision;

namespace {

/// Runs an algorithm of the registry, each query from a cold cache.
class OurContinuous final : public ContinuousContestant {
  public:
    OurContinuous(const ContinuousAlgorithm& algorithm, const ParameterValues& parameters)
        : algorithm_(algorithm), parameters_(parameters) {}

    bool prepare(std::span<const ShapePtr> shapes) override {
        shapes_.assign(shapes.begin(), shapes.end());
        prepared_.clear();
        for (const ShapePtr& shape : shapes) {
            if (algorithm_.needs == Needs::convex && shape->hull() == nullptr) return false;
            prepared_.push_back(
                algorithm_.prepare == nullptr ? nullptr : algorithm_.prepare(*shape, shape->geometry()));
        }
        return true;
    }
    bool load(std::span<const MovingQuery> queries) override {
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
    MovingAnswer answer(std::size_t i) override {
        PairCache cache;
        const ContinuousResult r = run_continuous(algorithm_, queries_[i], cache);
        return {r.verdict == Verdict::colliding, r.time_high};
    }

  private:
    /// Of bodies of about a metre: a time error of about 1e-4, as in the comparison's targets.
    static constexpr double kTolerance = 2e-5;

    const ContinuousAlgorithm& algorithm_;
    ParameterValues parameters_;
    std::vector<ShapePtr> shapes_;
    std::vector<std::shared_ptr<const Prepared>> prepared_;
    std::vector<ContinuousQuery> queries_;
    Scratch scratch_;
};

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
