#include "bench/papers/chung_wang/mixed_cage.hpp"

namespace claybox::bench {

using namespace collision;

Result<streams::QueryStream> record_mixed_cage(const MixedCage& settings) {
    constexpr std::size_t kSeeds = 4;  // different bodies of each shape
    streams::CageSettings cage;
    for (std::size_t k = 0; k < kSeeds; ++k)
        for (const ChungWangShape& shape : kChungWangShapes) {
            if (settings.only != nullptr && settings.only->primitive != shape.primitive) continue;
            auto made = make_primitive_shape(shape.primitive, settings.vertices, 1, mix64(settings.seed) + k);
            if (!made) return made.error();
            cage.given.push_back(std::move(made.value()));
        }
    cage.shapes = cage.given.size();
    cage.bodies = settings.bodies;
    cage.step = settings.step;
    cage.turn = settings.turn;
    cage.filled = settings.filled;
    cage.filled_by_balls = true;
    cage.lead_in = 60;  // bodies that start inside each other part before the first frame
    cage.seed = settings.seed;
    return streams::record_cage(cage, settings.frames);
}

}  // namespace claybox::bench
