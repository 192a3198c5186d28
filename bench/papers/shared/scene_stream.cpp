#include "bench/papers/shared/scene_stream.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/bounds/bounds.hpp"

#include <cmath>

namespace claybox::bench {

using namespace collision;

streams::QueryStream stream_of(const RecordedScene& scene) {
    streams::QueryStream out;
    out.shapes = scene.bodies;
    std::vector<Aabb> local;
    for (const ShapePtr& shape : scene.bodies) local.push_back(bound(shape->geometry().positions));
    for (std::uint32_t frame = 0; frame < scene.placements.size(); ++frame) {
        const std::vector<Matrix34f>& at = scene.placements[frame];
        for (const auto& [i, j] : scene.pairs) {
            if (!overlap(transform_aabb(at[i], local[i]), transform_aabb(at[j], local[j]))) continue;
            out.queries.push_back(
                {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), frame, at[i], at[j]});
        }
    }
    return out;
}

Result<streams::QueryStream> record_bouncing(const ShapePtr& shape, std::uint32_t pairs, std::uint32_t frames,
                                             std::uint64_t seed) {
    streams::QueryStream out;
    out.shapes.assign(2 * std::size_t{pairs}, shape);
    for (std::uint32_t pair = 0; pair < pairs; ++pair) {
        streams::CageSettings cage;
        cage.given = {shape};
        cage.shapes = 1;
        cage.bodies = 2;
        cage.filled = 0.3;
        cage.filled_by_balls = true;
        cage.seed = mix64(seed) + pair;
        const auto stream = streams::record_cage(cage, frames);
        if (!stream) return stream.error();
        for (const streams::StreamQuery& q : stream.value().queries)
            out.queries.push_back(
                {2 * pair, 2 * pair + 1, q.frame + pair * (frames + 2), q.world_from_a, q.world_from_b});
    }
    return out;
}

streams::QueryStream record_two(const ShapePtr& shape, double half, std::uint32_t frames,
                                std::uint64_t seed) {
    struct Flight {
        Pose pose;
        Vec3d step;
        Quat spin;
    };
    Random random(seed);
    std::vector<Flight> flights;
    for (int i = 0; i < 2; ++i) {
        const double x = random.uniform(-half, half), y = random.uniform(-half, half),
                     z = random.uniform(-half, half);
        const Vec3d step = 0.05 * random.unit_vector();
        flights.push_back(
            {{random_rotation(random, 0, 3), {x, y, z}}, step, axis_angle(random.unit_vector(), 0.1)});
    }
    streams::QueryStream out;
    out.shapes = {shape, shape};
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        out.queries.push_back({0, 1, frame, to_matrix(flights[0].pose), to_matrix(flights[1].pose)});
        for (Flight& f : flights) {
            f.pose.translation += f.step;
            f.pose.rotation = normalized(f.spin * f.pose.rotation);
            for (std::size_t k = 0; k < 3; ++k)
                if (std::abs(f.pose.translation[k]) > half)
                    f.step[k] = std::copysign(f.step[k], -f.pose.translation[k]);
        }
    }
    return out;
}

}  // namespace claybox::bench
