#include "app/scenes/hands/hand_stop.hpp"

#include "collision/geometry/bounds/bounds.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::app {

using collision::Pose;
using collision::Vec3d;

namespace {

constexpr double kStep = 0.004;          // metres; caps, plates and table tops are thicker
constexpr double kShallowDepth = 0.006;  // metres; slightly more than a step
constexpr double kReturn = 0.008;     // metres per frame by which the drawn hand approaches the tracked one
constexpr double kMaxOffset = 0.15;   // metres; beyond it, people do not recognise the hand as theirs
constexpr double kTouching = 0.0001;  // metres that a part may be inside a wall
constexpr int kMaxSteps = 40, kMaxPushes = 6;

/// Support value of a convex shape: its largest extent along a unit direction, from the world origin, metres.
double support(const collision::Shape& shape, const Pose& pose, const Vec3d& direction) {
    const Vec3d local = collision::rotate(collision::conjugate(pose.rotation), direction);
    double farthest = -std::numeric_limits<double>::infinity();
    for (const collision::Vec3f& p : shape.geometry().positions)
        farthest = std::max(farthest, dot(local, collision::cast<double>(p)));
    return farthest + dot(direction, pose.translation);
}

collision::PairResult query_wall(const collision::Shape& part, const Pose& pose, const HandWall& wall,
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
    constexpr auto kReach = static_cast<float>(kMaxOffset);
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
    return query_wall(shape, pose, wall, collision::kWantVerdict, scratch_).verdict ==
           collision::Verdict::colliding;
}

/// True if the tracked hand touches a wall.
bool HandStop::touches_wall(const HandInput& hand, const HandShapes& shapes) {
    for (std::size_t p = 0; p < shapes.size(); ++p) {
        const collision::Aabb part_box = box_of(*shapes[p], hand.part[p]);
        for (const Near& near : near_)
            if (collision::overlap(part_box, near.box) && is_in(*shapes[p], hand.part[p], *near.wall))
                return true;
    }
    return false;
}

/// Depth of a part in a wall and the separating direction; depth 0 if both are apart. A short push along the
/// last direction is good enough: it costs a fiftieth of the exact depth.
HandStop::Push HandStop::separation(std::size_t part, const collision::Shape& shape, const Pose& pose,
                                    const HandWall& wall) {
    const Vec3d direction = last_direction_[part];
    const bool known = direction != Vec3d{};
    const double along =
        known ? support(*wall.shape, wall.pose, direction) + support(shape, pose, -direction) : 0;
    if (known && along <= 0) return {};
    if (!is_in(shape, pose, wall)) return {};
    touched_[part] = true;
    if (known && along <= kShallowDepth) return {along, direction};
    const collision::PairResult result = query_wall(shape, pose, wall, collision::kWantDepth, scratch_);
    last_direction_[part] = result.depth_direction_w;
    return {result.depth, result.depth_direction_w};
}

HandStop::Push HandStop::deepest(const HandInput& hand, const HandShapes& shapes, const Vec3d& offset) {
    Push push;
    for (std::size_t p = 0; p < shapes.size(); ++p) {
        const Pose pose{hand.part[p].rotation, hand.part[p].translation + offset};
        const collision::Aabb part_box = box_of(*shapes[p], pose);
        for (const Near& near : near_) {
            if (!collision::overlap(part_box, near.box)) continue;
            const Push out = separation(p, *shapes[p], pose, *near.wall);
            if (out.depth > push.depth) push = out;
        }
    }
    return push;
}

/// False if walls push the hand back and forth: parts of it are on both sides of a wall.
bool HandStop::push_out(const HandInput& hand, const HandShapes& shapes, Vec3d& offset) {
    for (int i = 0; i < kMaxPushes; ++i) {
        const Push push = deepest(hand, shapes, offset);
        if (push.depth <= kTouching) return true;
        if (i + 1 == kMaxPushes && push.depth > kStep) return false;
        offset = offset + push.direction * push.depth;
    }
    return true;
}

Vec3d HandStop::offset(const HandInput& hand, const HandShapes& shapes, std::span<const HandWall> walls) {
    const Vec3d palm = hand.part[0].translation;
    Vec3d offset = known_ ? drawn_ - palm : Vec3d{};
    if (!(length(offset) < kMaxOffset)) offset = {};
    find_near(hand, shapes, walls);
    const double moved = known_ ? length(palm - palm_) : 0;
    known_ = true;
    palm_ = drawn_ = palm;
    passing_through_ = passing_through_ && touches_wall(hand, shapes);
    if (passing_through_) return {};
    touched_.fill(false);
    const double distance = std::min(length(offset), moved + kReturn);
    const int steps = std::clamp(static_cast<int>(std::ceil(distance / kStep)), 1, kMaxSteps);
    for (int i = 0; i < steps && !passing_through_; ++i) {
        const double left = length(offset);
        offset = left > kStep ? offset * (1 - kStep / left) : Vec3d{};
        passing_through_ = !push_out(hand, shapes, offset) || !(length(offset) < kMaxOffset);
    }
    if (passing_through_) offset = {};
    for (std::size_t p = 0; p < touched_.size(); ++p)
        if (!touched_[p]) last_direction_[p] = {};
    drawn_ = palm + offset;
    return offset;
}

}  // namespace claybox::app
