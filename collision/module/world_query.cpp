#include "collision/module/world_query.hpp"

namespace claybox::collision {

namespace {

Error invalid(const char* message) {
    return Error{std::string("query: ") + message, {}, 0};
}

bool in_range(const Vec3d& p) {
    for (std::size_t k = 0; k < 3; ++k)
        if (!(std::abs(p[k]) <= kMaxMagnitude)) return false;
    return true;
}

Status validate(RayQuery& q) {
    if (!(q.reach >= 0)) return invalid("expected a reach of at least 0");
    return check(q.ray);
}

Status validate(PointQuery& q) {
    if (!in_range(q.point_w)) return invalid("the point is not finite or too large");
    return Done{};
}

Status validate(BoxQuery& q) {
    // First: an empty box may be infinite, as the default one.
    if (q.box_w.min.x > q.box_w.max.x || q.box_w.min.y > q.box_w.max.y || q.box_w.min.z > q.box_w.max.z)
        return invalid("the box is empty");
    if (!in_range(cast<double>(q.box_w.min)) || !in_range(cast<double>(q.box_w.max)))
        return invalid("the box is not finite or too large");
    return Done{};
}

Status validate(Pose& pose) {
    const auto normalized = checked(pose);
    if (!normalized) return normalized.error();
    pose = normalized.value();
    return Done{};
}

Status validate(ShapeQuery& q) {
    if (!q.shape) return invalid("expected a shape");
    return validate(q.pose);
}

Status validate(ClosestQuery& q) {
    if (!(q.reach >= 0)) return invalid("expected a reach of at least 0");
    return validate(q.pose);
}

}  // namespace

Status validate(WorldQuery& query) {
    return std::visit([](auto& spec) { return validate(spec); }, query.spec);
}

}  // namespace claybox::collision
