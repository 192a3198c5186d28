#include "app/scenes/hand_stop.hpp"

#include "collision/geometry/bounds.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::app {

using collision::Pose;
using collision::Vec3d;

namespace {

constexpr double kStep = 0.004;       // metres; caps, plates and table tops are thicker
constexpr double kShortWay = 0.006;   // metres: a step and something
constexpr double kReturn = 0.008;     // metres a frame that it gains on the tracked hand
constexpr double kLost = 0.15;        // metres: farther from the tracked hand nobody takes it for theirs
constexpr double kTouching = 0.0001;  // metres that a part may be in a wall
constexpr int kMostSteps = 40, kMostPushes = 6;

/// How far a convex shape reaches along a direction of unit length, from the world's origin, metres.
double reach(const collision::Shape& shape, const Pose& pose, const Vec3d& direction) {
    const Vec3d local = collision::rotate(collision::conjugate(pose.rotation), direction);
    double farthest = -std::numeric_limits<double>::infinity();
    for (const collision::Vec3f& p : shape.geometry().positions)
        farthest = std::max(farthest, dot(local, collision::cast<double>(p)));
    return farthest + dot(direction, pose.translation);
}

collision::PairResult ask(const collision::Shape& part, const Pose& pose, const HandWall& wall,
                          collision::Wants wants, collision::Scratch& scratch) {
    static const collision::PairAlgorithm& algorithm = *collision::find_pair_algorithm("best");
    collision::PairQuery query = collision::make_pair_query(*wall.shape, collision::to_matrix(wall.pose),
                                                            part, collision::to_matrix(pose), scratch);
    query.wants = wants;
    collision::PairCache cache;
    return collision::run_query(algorithm, query, cache);
}

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

bool HandStop::is_in(const collision::Shape& shape, const Pose& pose, const HandWall& wall) {
    return ask(shape, pose, wall, collision::kWantVerdict, scratch_).verdict == collision::Verdict::colliding;
}

/// The tracked hand.
bool HandStop::meets_wall(const HandInput& hand, const HandShapes& shapes) {
    for (std::size_t p = 0; p < shapes.size(); ++p) {
        const collision::Aabb part_box = box_of(*shapes[p], hand.part[p]);
        for (const Near& near : near_)
            if (collision::overlap(part_box, near.box) && is_in(*shapes[p], hand.part[p], *near.wall))
                return true;
    }
    return false;
}

/// How deep a part is in a wall, and the way out. A short way in the direction of the last one will do, for
/// it is a fiftieth of the work of the exact depth; no way where both are apart.
HandStop::Push HandStop::way_out(std::size_t part, const collision::Shape& shape, const Pose& pose,
                                 const HandWall& wall) {
    const Vec3d way = last_way_[part];
    const bool known = way != Vec3d{};
    const double along = known ? reach(*wall.shape, wall.pose, way) + reach(shape, pose, -way) : 0;
    if (known && along <= 0) return {};
    if (!is_in(shape, pose, wall)) return {};
    met_[part] = true;
    if (known && along <= kShortWay) return {along, way};
    const collision::PairResult result = ask(shape, pose, wall, collision::kWantDepth, scratch_);
    last_way_[part] = result.depth_direction_w;
    return {result.depth, result.depth_direction_w};
}

HandStop::Push HandStop::deepest(const HandInput& hand, const HandShapes& shapes, const Vec3d& offset) {
    Push push;
    for (std::size_t p = 0; p < shapes.size(); ++p) {
        const Pose pose{hand.part[p].rotation, hand.part[p].translation + offset};
        const collision::Aabb part_box = box_of(*shapes[p], pose);
        for (const Near& near : near_) {
            if (!collision::overlap(part_box, near.box)) continue;
            const Push out = way_out(p, *shapes[p], pose, *near.wall);
            if (out.depth > push.depth) push = out;
        }
    }
    return push;
}

/// False where the walls push it to and fro: parts of it are on both sides of one.
bool HandStop::push_out(const HandInput& hand, const HandShapes& shapes, Vec3d& offset) {
    for (int i = 0; i < kMostPushes; ++i) {
        const Push push = deepest(hand, shapes, offset);
        if (push.depth <= kTouching) return true;
        if (i + 1 == kMostPushes && push.depth > kStep) return false;
        offset = offset + push.direction * push.depth;
    }
    return true;
}

Vec3d HandStop::offset(const HandInput& hand, const HandShapes& shapes, std::span<const HandWall> walls) {
    const Vec3d palm = hand.part[0].translation;
    Vec3d offset = known_ ? drawn_ - palm : Vec3d{};
    if (!(length(offset) < kLost)) offset = {};
    find_near(hand, shapes, walls);
    const double moved = known_ ? length(palm - palm_) : 0;
    known_ = true;
    palm_ = drawn_ = palm;
    through_ = through_ && meets_wall(hand, shapes);
    if (through_) return {};
    met_.fill(false);
    const double way = std::min(length(offset), moved + kReturn);
    const int steps = std::clamp(static_cast<int>(std::ceil(way / kStep)), 1, kMostSteps);
    for (int i = 0; i < steps && !through_; ++i) {
        const double left = length(offset);
        offset = left > kStep ? offset * (1 - kStep / left) : Vec3d{};
        through_ = !push_out(hand, shapes, offset) || !(length(offset) < kLost);
    }
    if (through_) offset = {};
    for (std::size_t p = 0; p < met_.size(); ++p)
        if (!met_[p]) last_way_[p] = {};
    drawn_ = palm + offset;
    return offset;
}

}  // namespace claybox::app
