#include "app/potter/touch/touch_planner.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr double kMinFacing = 0.35;  // cosine; polygons that face further aside are skipped
constexpr int kMaxGrabSteps = 8;     // per frame

Vec3d closest_on_segment(const Vec3d& a, const Vec3d& b, const Vec3d& p) {
    const Vec3d d = b - a;
    const double l = length_squared(d);
    return l > 0 ? a + d * std::clamp(dot(p - a, d) / l, 0.0, 1.0) : a;
}

/// Distance that `p` must move along the unit vector `along` to leave the tool; 0 if it is
/// outside.
double exit_distance(std::span<const ToolPlane> planes, const Vec3d& p, const Vec3d& along) {
    double least = HUGE_VAL;
    for (const ToolPlane& plane : planes) {
        const double inside = plane.offset - dot(plane.normal, p), rise = dot(plane.normal, along);
        if (inside <= 0) return 0;
        if (rise > 0) least = std::min(least, inside / rise);
    }
    return least < HUGE_VAL ? least : 0;
}

double exit_distance(const ClayTouch& touch, const Vec3d& p, const Vec3d& along) {
    if (!touch.planes.empty()) return exit_distance(touch.planes, p, along);
    const Vec3d from_axis = p - closest_on_segment(touch.from, touch.to, p);
    const double c = length_squared(from_axis) - touch.radius * touch.radius;
    if (c >= 0) return 0;
    const double b = dot(from_axis, along);
    return -b + std::sqrt(b * b - c);
}

Vec3d middle_of(const ClaySurface& surface, std::uint32_t polygon) {
    const auto loop = surface.topology().loop(polygon);
    Vec3d sum;
    for (const std::uint32_t v : loop) sum += collision::cast<double>(surface.positions()[v]);
    return sum / static_cast<double>(loop.size());
}

/// Longest shift of one operation.
double longest_shift(const ClayBrush& brush) {
    return std::min(kMaxShare * brush.radius / relative_slope(brush.falloff), kMaxShift);
}

ClayOp op_of(const ClayTouch& touch, const ClayBrush& brush) {
    ClayOp op;
    op.effect = brush.effect;
    op.falloff = brush.falloff;
    op.radius = static_cast<float>(brush.radius);
    op.part = touch.part;
    return op;
}

}  // namespace

double longest_grab(const ClayBrush& brush) {
    return kMaxGrabSteps * longest_shift(brush);
}

Vec3d contact_of(const ClaySurface& surface, const ClayTouch& touch) {
    Vec3d sum;
    for (const Vec3d& p : touch.hit_points) sum += p;
    if (!touch.hit_points.empty()) return sum / static_cast<double>(touch.hit_points.size());
    for (const std::uint32_t polygon : touch.polygons) sum += middle_of(surface, polygon);
    return sum / static_cast<double>(touch.polygons.size());
}

/// Finds the reported polygons that face the finger, and their mean direction. Merges them in cells of a
/// third of the radius: thousands of small polygons then cost no more than a few large ones.
bool TouchPlanner::collect_contacts(const ClaySurface& surface, const ClayTouch& touch, double radius) {
    Vec3d& direction = direction_[touch.part];
    const bool known = !touch.fresh && length_squared(direction) > 0;
    Vec3d inward;
    double weight = 0;
    facing_.clear();
    for (const std::uint32_t polygon : touch.polygons) {
        const Vec3d area = collision::cast<double>(surface.polygon_area(polygon));
        const Vec3d middle = middle_of(surface, polygon);
        // A finger through a thin wall touches both of its sides; only the side that it came from counts. For
        // a new touch, that side follows from the axis of the finger; for a lasting touch, from the push
        // direction so far.
        const Vec3d away = known ? direction : middle - closest_on_segment(touch.from, touch.to, middle);
        if (dot(area, away) >= 0) continue;
        facing_.push_back(polygon);
        inward -= area;
        weight += length(area);
    }
    if (!(weight > 0) || !(length(inward) > 1e-3 * weight)) return false;
    direction = inward / length(inward);
    contacts_.clear();
    for (const std::uint32_t polygon : facing_) {
        const Vec3d area = collision::cast<double>(surface.polygon_area(polygon));
        const double size = length(area);
        if (-dot(area, direction) < kMinFacing * size) continue;
        const Vec3d middle = middle_of(surface, polygon);
        std::array<int, 3> place;
        for (std::size_t axis = 0; axis < 3; ++axis)
            place[axis] = static_cast<int>(std::floor(middle[axis] * 3 / radius));
        auto it = std::find_if(contacts_.begin(), contacts_.end(),
                               [&](const ClayContact& c) { return c.place == place; });
        if (it == contacts_.end()) it = contacts_.insert(it, {{}, {}, 0, place});
        it->centre += collision::cast<float>(middle * size);
        it->inward -= collision::cast<float>(area);
        it->area += static_cast<float>(size);
    }
    std::erase_if(contacts_, [](const ClayContact& c) { return !(c.area > 0); });
    for (ClayContact& contact : contacts_) contact.centre = contact.centre / contact.area;
    return !contacts_.empty();
}

/// Distance that the clay must yield to leave the finger.
double TouchPlanner::depth_of(const ClaySurface& surface, const ClayTouch& touch, const Vec3d& centre) const {
    const Vec3d& direction = direction_[touch.part];
    double depth = exit_distance(touch, centre, direction);
    for (const std::uint32_t polygon : touch.polygons) {
        for (const std::uint32_t v : surface.topology().loop(polygon)) {
            const Vec3d p = collision::cast<double>(surface.positions()[v]);
            // Vertices on the far side of the wall leave the finger once the near side has moved.
            if (dot(p - centre, direction) < touch.radius)
                depth = std::max(depth, exit_distance(touch, p, direction));
        }
    }
    return depth;
}

void TouchPlanner::plan_push(const ClaySurface& surface, const ClayTouch& touch, const ClayBrush& brush,
                             std::vector<ClayOp>& out) {
    if (!collect_contacts(surface, touch, brush.radius)) return;
    Vec3d centre;
    double weight = 0;
    for (const ClayContact& contact : contacts_) {
        centre += collision::cast<double>(contact.centre) * static_cast<double>(contact.area);
        weight += static_cast<double>(contact.area);
    }
    centre = touch.hit_points.empty() ? centre / weight : contact_of(surface, touch);
    const double amount =
        std::min(brush.strength * touch.pressure * depth_of(surface, touch, centre), longest_shift(brush));
    ClayOp op = op_of(touch, brush);
    op.centre = collision::cast<float>(centre);
    op.along = collision::cast<float>(direction_[touch.part]);
    op.amount = static_cast<float>(amount);
    op.contacts = contacts_;
    if (amount > 0 && collision::is_finite(op.centre) && collision::is_finite(op.along))
        out.push_back(std::move(op));
}

/// Long paths are divided into steps that do not fold the clay. The clay around the contact moves alike.
void TouchPlanner::plan_grab(const ClaySurface& surface, const ClayTouch& touch, const ClayBrush& brush,
                             std::vector<ClayOp>& out) {
    const double path = length(touch.motion), step = longest_shift(brush);
    if (!(path > 0) || touch.fresh) return;
    const Vec3d along = touch.motion / path;
    Vec3d centre = contact_of(surface, touch) - touch.motion;
    ClayOp op = op_of(touch, brush);
    op.along = collision::cast<float>(along);
    for (double left = std::min(path, longest_grab(brush)); left > 0; left -= step) {
        op.centre = collision::cast<float>(centre);
        op.amount = static_cast<float>(std::min(left, step));
        op.contacts = {{op.centre, op.along, 1, {}}};
        out.push_back(op);
        centre += along * static_cast<double>(op.amount);
    }
}

/// The centre is on the side of the wall that the finger came from, also where its tip is through the wall.
void TouchPlanner::plan_effect(const ClaySurface& surface, const ClayTouch& touch, const ClayBrush& brush,
                               std::vector<ClayOp>& out) {
    ClayOp op = op_of(touch, brush);
    op.amount = static_cast<float>(brush.strength * touch.pressure);
    if (collect_contacts(surface, touch, brush.radius)) {
        float weight = 0;
        for (const ClayContact& contact : contacts_) {
            op.centre += contact.centre * contact.area;
            weight += contact.area;
        }
        op.centre = op.centre / weight;
        op.along = collision::cast<float>(direction_[touch.part]);
    } else if (!touch.fresh && length_squared(direction_[touch.part]) > 0) {
        return;  // the finger touches the other side of the wall only
    } else {     // no polygon faces the axis of the finger: it lies in the clay
        Vec3f inward;
        for (const std::uint32_t polygon : touch.polygons) inward -= surface.polygon_area(polygon);
        const float l = length(inward);
        op.centre = collision::cast<float>(contact_of(surface, touch));
        op.along = l > 0 ? inward / l : Vec3f{0, -1, 0};
    }
    if (collision::is_finite(op.centre) && collision::is_finite(op.along)) out.push_back(std::move(op));
}

void TouchPlanner::plan(const ClaySurface& surface, const ClayTouch& touch, const ClayBrush& brush,
                        std::vector<ClayOp>& out) {
    switch (brush.effect) {
        case ClayEffect::push:
            return plan_push(surface, touch, brush, out);
        case ClayEffect::grab:
            return plan_grab(surface, touch, brush, out);
        case ClayEffect::trim:
        case ClayEffect::cut:
        case ClayEffect::facets:
            return;
        default:
            return plan_effect(surface, touch, brush, out);
    }
}

}  // namespace claybox::app
