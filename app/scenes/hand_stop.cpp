#include "app/scenes/hand_stop.hpp"

#include "collision/geometry/bounds.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Pose;
using collision::Vec3d;

namespace {

constexpr double kStep = 0.004;       // metres; caps, plates and table tops are thicker
constexpr double kReturn = 0.008;     // metres a frame that it gains on the tracked hand
constexpr double kLost = 0.15;        // metres: farther from the tracked hand nobody takes it for theirs
constexpr double kTouching = 0.0001;  // metres that a part may be in a wall
constexpr int kMostSteps = 40, kMostPushes = 6;

collision::Aabb box_of(const collision::Shape& shape, const Pose& pose) {
    return collision::transform_aabb(collision::to_matrix(pose), shape.geometry().box);
}

}  // namespace

void HandStop::find_near(const HandInput& hand, const HandShapes& shapes, std::span<const HandWall> walls) {
    constexpr auto kReach = static_cast<float>(kLost);
    collision::Aabb reach = box_of(*shapes[0], hand.part[0]);
    for (std::size_t p = 1; p < shapes.size(); ++p) {
        const collision::Aabb box = box_of(*shapes[p], hand.part[p]);
        for (std::size_t k = 0; k < 3; ++k) {
            reach.min[k] = std::min(reach.min[k], box.min[k]);
            reach.max[k] = std::max(reach.max[k], box.max[k]);
        }
    }
    reach.min = reach.min - collision::Vec3f{kReach, kReach, kReach};
    reach.max = reach.max + collision::Vec3f{kReach, kReach, kReach};
    near_.clear();
    for (const HandWall& wall : walls) {
        const collision::Aabb box = box_of(*wall.shape, wall.pose);
        if (collision::overlap(reach, box)) near_.push_back({box, &wall});
    }
}

HandStop::Push HandStop::deepest(const HandInput& hand, const HandShapes& shapes, const Vec3d& offset) {
    static const collision::PairAlgorithm& algorithm = *collision::find_pair_algorithm("best");
    Push push;
    for (std::size_t p = 0; p < shapes.size(); ++p) {
        const Pose pose{hand.part[p].rotation, hand.part[p].translation + offset};
        const collision::Aabb part_box = box_of(*shapes[p], pose);
        for (const Near& near : near_) {
            if (!collision::overlap(part_box, near.box)) continue;
            collision::PairQuery query =
                collision::make_pair_query(*near.wall->shape, collision::to_matrix(near.wall->pose),
                                           *shapes[p], collision::to_matrix(pose), scratch_);
            query.wants = collision::kWantDepth;
            collision::PairCache cache;
            const collision::PairResult result = collision::run_query(algorithm, query, cache);
            if (result.verdict == collision::Verdict::colliding && result.depth > push.depth)
                push = {result.depth, result.depth_direction_w};
        }
    }
    return push;
}

void HandStop::push_out(const HandInput& hand, const HandShapes& shapes, Vec3d& offset) {
    for (int i = 0; i < kMostPushes; ++i) {
        const Push push = deepest(hand, shapes, offset);
        if (push.depth <= kTouching) return;
        offset = offset + push.direction * push.depth;
    }
}

Vec3d HandStop::offset(const HandInput& hand, const HandShapes& shapes, std::span<const HandWall> walls) {
    const Vec3d palm = hand.part[0].translation;
    Vec3d offset = known_ ? drawn_ - palm : Vec3d{};
    if (!(length(offset) < kLost)) offset = {};
    find_near(hand, shapes, walls);
    const double way = std::min(length(offset), length(palm - palm_) + kReturn);
    const int steps = std::clamp(static_cast<int>(std::ceil(way / kStep)), 1, kMostSteps);
    for (int i = 0; i < steps; ++i) {
        const double left = length(offset);
        offset = left > kStep ? offset * (1 - kStep / left) : Vec3d{};
        push_out(hand, shapes, offset);
    }
    if (!(length(offset) < kLost)) offset = {};
    known_ = true;
    palm_ = palm;
    drawn_ = palm + offset;
    return offset;
}

}  // namespace claybox::app
