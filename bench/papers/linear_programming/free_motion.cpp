#include "bench/papers/linear_programming/free_motion.hpp"

#include "bench/streams/referee.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/bounds/oriented_box.hpp"

#include <cmath>
#include <numbers>

namespace claybox::bench {

using namespace collision;

namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr std::uint32_t kLastFrames = 5;

Quat random_turn(Random& random, double most) {
    const double x = random.uniform(0, most) * kDegree, y = random.uniform(0, most) * kDegree,
                 z = random.uniform(0, most) * kDegree;
    return axis_angle({1, 0, 0}, x) * axis_angle({0, 1, 0}, y) * axis_angle({0, 0, 1}, z);
}

struct Body {
    Pose pose;
    Vec3d velocity;
};

/// Matrix and oriented box of a body in a frame.
struct Placed {
    Matrix34f matrix;
    OrientedBox box;
};

Placed place(const Body& body, const Shape& shape) {
    const Matrix34f m = to_matrix(body.pose);
    return {m, orient(m, bound(shape.geometry().positions))};
}

void advance(Body& body, double half, double turn, Random& random) {
    body.pose.translation += body.velocity;
    for (std::size_t k = 0; k < 3; ++k)
        if (std::abs(body.pose.translation[k]) > half)
            body.velocity[k] = std::copysign(body.velocity[k], -body.pose.translation[k]);
    body.pose.rotation = normalized(random_turn(random, turn) * body.pose.rotation);
}

}  // namespace

FreeStream record_free_motion(const FreeMotion& settings) {
    FreeStream out;
    Random random(settings.seed);
    std::vector<Body> bodies(settings.bodies);
    const double half = settings.side / 2;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        out.stream.shapes.push_back(settings.objects[i % settings.objects.size()]);
        const double x = random.uniform(-half, half), y = random.uniform(-half, half),
                     z = random.uniform(-half, half);
        bodies[i] = {{random_rotation(random, 0, 3), {x, y, z}}, settings.step * random.unit_vector()};
    }
    std::vector<Placed> placed(bodies.size());
    for (std::uint32_t frame = 0; frame < settings.frames; ++frame) {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            placed[i] = place(bodies[i], *out.stream.shapes[i]);
            advance(bodies[i], half, settings.turn, random);
        }
        for (std::uint32_t i = 0; i < bodies.size(); ++i)
            for (std::uint32_t j = i + 1; j < bodies.size(); ++j) {
                ++out.pairs;
                if (settings.box_test && !overlap(placed[i].box, placed[j].box)) continue;
                out.stream.queries.push_back({i, j, frame, placed[i].matrix, placed[j].matrix});
            }
    }
    return out;
}

std::size_t Approach::timed() const {
    std::size_t out = 0;
    for (const auto& [first, end] : last_frames) out += end - first;
    return out;
}

Approach record_approach(const ShapePtr& object, std::size_t repeats, std::uint64_t seed) {
    constexpr double kHalf = 3, kStep = 0.02, kTurn = 10;
    Approach out;
    out.stream.shapes.assign(2 * repeats, object);
    streams::Referee referee(*find_pair_algorithm("gjk"), out.stream.shapes);
    Random random(seed);
    std::uint32_t frame = 0;
    for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
        // Side by side by up to a quarter of the size, so that not all pairs meet centre to centre.
        const double aside = random.uniform(-0.25, 0.25), above = random.uniform(-0.25, 0.25);
        Body a{{random_rotation(random, 0, 3), {-kHalf, 0, 0}}, {kStep, 0, 0}},
            b{{random_rotation(random, 0, 3), {kHalf, aside, above}}, {-kStep, 0, 0}};
        const std::size_t first = out.stream.queries.size();
        std::uint32_t hit_frame = frame;
        for (; frame < hit_frame + 400; ++frame) {
            const Placed at_a = place(a, *object), at_b = place(b, *object);
            if (overlap(at_a.box, at_b.box)) {
                if (referee.collide(2 * repeat, at_a.matrix, 2 * repeat + 1, at_b.matrix)) break;
                out.stream.queries.push_back({2 * repeat, 2 * repeat + 1, frame, at_a.matrix, at_b.matrix});
            }
            advance(a, 2 * kHalf, kTurn, random);
            advance(b, 2 * kHalf, kTurn, random);
        }
        hit_frame = frame;
        frame += 2;  // the pairs of different repeats are not neighbours in time
        std::size_t begin = out.stream.queries.size();
        while (begin > first && out.stream.queries[begin - 1].frame + kLastFrames >= hit_frame) --begin;
        out.last_frames.emplace_back(begin, out.stream.queries.size());
    }
    return out;
}

}  // namespace claybox::bench
