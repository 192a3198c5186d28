#include "collision/module/ready_body.hpp"

#include "collision/module/world.hpp"

namespace claybox::collision {

namespace {

/// Whether a pass with these settings tests a deformed body of the shape with `algorithm`.
bool is_used(const PairAlgorithm* algorithm, const Shape& shape) {
    if (algorithm == nullptr || algorithm->prepare == nullptr) return false;
    return algorithm->needs == Needs::any_polygons ||
           (algorithm->needs == Needs::closed && shape.classification().closed);
}

}  // namespace

Result<std::shared_ptr<ReadyBody>> make_ready_body(const Shape& shape, std::span<const VertexChange> moved,
                                                   const WorldSettings& settings) {
    auto out = std::make_shared<ReadyBody>();
    out->geometry = std::make_unique<Geometry>(shape.geometry());
    std::vector<std::uint32_t> touched;
    if (!moved.empty()) {
        const Status status = deform(*out->geometry, moved, touched);
        if (!status.ok()) return status.error();
    }
    const auto make = [&](const PairAlgorithm* algorithm) {
        if (is_used(algorithm, shape))
            out->made.push_back({algorithm, algorithm->prepare(shape, *out->geometry)});
    };
    const PairAlgorithm* const chosen = settings.pair_algorithm;
    make(chosen);
    const bool chosen_answers_all = chosen && chosen->needs == Needs::any_polygons &&
                                    (chosen->gives & kWantAllHits) && chosen->bias == Bias::none;
    if (!chosen_answers_all && settings.fallback_algorithm != chosen) make(settings.fallback_algorithm);
    return out;
}

}  // namespace claybox::collision
