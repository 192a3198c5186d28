#include "collision/module/world_query.hpp"

namespace claybox::collision {

namespace {

Error refused(const char* words) {
    return Error{std::string("query: ") + words, {}, 0};
}

bool acceptable(const Vec3d& p) {
    for (std::size_t k = 0; k < 3; ++k)
        if (!(std::abs(p[k]) <= kMaxMagnitude)) return false;
    return true;
}

Status make_good(RayQuery& q) {
    if (!(q.reach >= 0)) return refused("expected a reach of at least 0");
    return check(q.ray);
}

Status make_good(PointQuery& q) {
    if (!acceptable(q.point_w)) return refused("the point is not finite or too large");
    return Done{};
}

Status make_good(BoxQuery& q) {
    if (!acceptable(cast<double>(q.box_w.min)) || !acceptable(cast<double>(q.box_w.max)))
        return refused("the box is not finite or too large");
    if (q.box_w.empty()) return refused("the box is empty");
    return Done{};
}

Status make_good(Pose& pose) {
    const auto good = checked(pose);
    if (!good) return good.error();
    pose = good.value();
    return Done{};
}

Status make_good(ShapeQuery& q) {
    if (!q.shape) return refused("expected a shape");
    return make_good(q.pose);
}

Status make_good(ClosestQuery& q) {
    if (!(q.reach >= 0)) return refused("expected a reach of at least 0");
    return make_good(q.pose);
}

}  // namespace

Status make_good(WorldQuery& query) {
    return std::visit([](auto& what) { return make_good(what); }, query.what);
}

}  // namespace claybox::collision
