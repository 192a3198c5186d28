#include "bench/streams/referee.hpp"

#include <algorithm>
#include <map>

namespace claybox::streams {

using namespace collision;

bool all_convex(std::span<const ShapePtr> shapes) {
    return std::all_of(shapes.begin(), shapes.end(), [](const ShapePtr& s) { return s->hull() != nullptr; });
}

Referee::Referee(const PairAlgorithm& algorithm, std::span<const ShapePtr> shapes) : algorithm_(algorithm) {
    std::map<const Shape*, const Prepared*> known;
    for (const ShapePtr& shape : shapes) {
        const auto [at, is_new] = known.try_emplace(shape.get(), nullptr);
        if (is_new && algorithm.prepare != nullptr) {
            prepared_.push_back(algorithm.prepare(*shape, shape->geometry()));
            at->second = prepared_.back().get();
        }
        bodies_.push_back({shape.get(), &shape->geometry(), at->second, {}});
    }
    query_.parameters = default_values(algorithm.parameters);
    query_.scratch = &scratch_;
}

bool Referee::collide(std::size_t a, const Matrix34f& world_from_a, std::size_t b,
                      const Matrix34f& world_from_b) {
    query_.a = bodies_[a];
    query_.b = bodies_[b];
    query_.a.world_from_body = world_from_a;
    query_.b.world_from_body = world_from_b;
    PairCache cache;
    if (algorithm_.cache_bytes != nullptr) {
        pool_.assign(algorithm_.cache_bytes(*query_.a.shape, *query_.b.shape), std::byte{0});
        cache.set_pool(pool_);
    }
    return run_query(algorithm_, query_, cache).verdict == Verdict::colliding;
}

}  // namespace claybox::streams
