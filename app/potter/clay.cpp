#include "app/potter/clay.hpp"

#include "app/potter/effects.hpp"
#include "app/potter/touched_polygons.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Topology;
using collision::Vec3d;
using collision::Vec3f;
using collision::VertexChange;

namespace {

// The shift must have a slope below 1, or the clay would fold. The mean of bumps (1 - t^2)^2 has a slope of
// at most 3.1 / radius, and its directions turn by at most 1.6 / radius: a shift of kMaxShare times the
// radius has a slope of 0.57. The hold of the foot has a slope of 125 / metre and adds 0.38 for a shift of
// kMaxShift.
constexpr double kMaxShare = 0.12, kMaxShift = 0.003;  // shift per frame: share of the radius; metres
constexpr double kMinFacing = 0.35;                    // cosine; polygons that face further aside are skipped
constexpr float kFootHold = 0.012f;                    // metres above the bat; below, the clay sticks to it
constexpr std::uint64_t kStrokePause = 12;             // frames without a touch that end a stroke
constexpr int kMaxDragSteps = 8;                       // a faster finger loses the clay
constexpr float kSwellFrom = 0.6f, kSwellTo = 3;       // ring that keeps the volume: multiples of the radius

Vec3d closest_on_segment(const Vec3d& a, const Vec3d& b, const Vec3d& p) {
    const Vec3d d = b - a;
    const double l = length_squared(d);
    return l > 0 ? a + d * std::clamp(dot(p - a, d) / l, 0.0, 1.0) : a;
}

/// Distance that `p` must move along the unit vector `along` to leave the capsule of the touch; 0 if it is
/// outside.
double exit_distance(const ClayTouch& touch, const Vec3d& p, const Vec3d& along) {
    const Vec3d from_axis = p - closest_on_segment(touch.from, touch.to, p);
    const double c = length_squared(from_axis) - touch.radius * touch.radius;
    if (c >= 0) return 0;
    const double b = dot(from_axis, along);
    return -b + std::sqrt(b * b - c);
}

/// Share of a shift that the clay at `p` makes: it sticks to the bat.
float hold_at(const Vec3f& p) {
    const float hold = std::clamp(p.y / kFootHold, 0.0f, 1.0f);
    return hold * hold * (3 - 2 * hold);
}

/// The bat is below.
Vec3f on_bat(const Vec3f& p) {
    return {p.x, std::max(p.y, 0.0f), p.z};
}

Vec3d middle_of(const Topology& topology, std::span<const Vec3f> positions, std::uint32_t polygon) {
    const auto loop = topology.loop(polygon);
    Vec3d sum;
    for (const std::uint32_t v : loop) sum += collision::cast<double>(positions[v]);
    return sum / static_cast<double>(loop.size());
}

}  // namespace

Clay::Clay(collision::ShapePtr start)
    : surface_(std::move(start)),
      angles_(topology()),
      strokes_(topology().vertex_count),
      is_changed_(topology().vertex_count) {}

/// Finds the reported polygons that face the finger, and their mean direction. Merges them in cells of a
/// third of the radius: thousands of small polygons then cost no more than a few large ones.
bool Clay::collect_contacts(const ClayTouch& touch, double radius) {
    Vec3d& direction = direction_[touch.part];
    const bool known = !touch.fresh && length_squared(direction) > 0;
    Vec3d inward;
    double weight = 0;
    facing_.clear();
    for (const std::uint32_t polygon : touch.polygons) {
        const Vec3d area = collision::cast<double>(surface_.polygon_area(polygon));
        const Vec3d middle = middle_of(topology(), positions(), polygon);
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
        const Vec3d area = collision::cast<double>(surface_.polygon_area(polygon));
        const double size = length(area);
        if (-dot(area, direction) < kMinFacing * size) continue;
        const Vec3d middle = middle_of(topology(), positions(), polygon);
        std::array<int, 3> place;
        for (std::size_t axis = 0; axis < 3; ++axis)
            place[axis] = static_cast<int>(std::floor(middle[axis] * 3 / radius));
        auto it = std::find_if(contacts_.begin(), contacts_.end(),
                               [&](const Contact& c) { return c.place == place; });
        if (it == contacts_.end()) it = contacts_.insert(it, {{}, {}, 0, place});
        it->centre += collision::cast<float>(middle * size);
        it->inward -= collision::cast<float>(area);
        it->area += static_cast<float>(size);
    }
    std::erase_if(contacts_, [](const Contact& c) { return !(c.area > 0); });
    for (Contact& contact : contacts_) contact.centre = contact.centre / contact.area;
    return !contacts_.empty();
}

/// Distance that the clay must yield to leave the finger.
double Clay::depth_of(const ClayTouch& touch, const Vec3d& centre) const {
    const Vec3d& direction = direction_[touch.part];
    double depth = exit_distance(touch, centre, direction);
    for (const std::uint32_t polygon : touch.polygons) {
        for (const std::uint32_t v : topology().loop(polygon)) {
            const Vec3d p = collision::cast<double>(positions()[v]);
            // Vertices on the far side of the wall leave the finger once the near side has moved.
            if (dot(p - centre, direction) < touch.radius)
                depth = std::max(depth, exit_distance(touch, p, direction));
        }
    }
    return depth;
}

bool Clay::plan(const ClayTouch& touch, const ClayBrush& brush, Push& push) {
    if (!collect_contacts(touch, brush.radius)) return false;
    Vec3d centre;
    double weight = 0;
    for (const Contact& contact : contacts_) {
        centre += collision::cast<double>(contact.centre) * static_cast<double>(contact.area);
        weight += static_cast<double>(contact.area);
    }
    centre = centre / weight;
    if (!touch.hit_points.empty()) {
        centre = {};
        for (const Vec3d& p : touch.hit_points) centre += p;
        centre = centre / static_cast<double>(touch.hit_points.size());
    }
    const double amount =
        std::min({brush.strength * depth_of(touch, centre), kMaxShare * brush.radius, kMaxShift});
    push = {collision::cast<float>(centre), collision::cast<float>(direction_[touch.part]),
            static_cast<float>(amount), touch.part};
    return amount > 0 && collision::is_finite(push.centre) && collision::is_finite(push.along);
}

/// Shift of a point as a share of the push, along the distance-weighted mean of the nearby normals.
Vec3f Clay::shift_at(const Vec3f& p, float inverse_square) const {
    Vec3f along;
    float weight = 0, fall = 0;
    for (const Contact& contact : contacts_) {
        const Vec3f offset = p - contact.centre;
        const float t = 1 - dot(offset, offset) * inverse_square;
        if (t <= 0) continue;
        const float w = t * t;
        along += contact.inward * w;
        weight += contact.area * w;
        fall += contact.area * w * w;
    }
    const float l = length(along);
    return weight > 0 && l > 0 ? along * (fall / (weight * l)) : Vec3f{};
}

void Clay::apply(const Push& push, float radius) {
    const float inverse = 1 / (radius * radius);
    float reach = 0;
    for (const Contact& contact : contacts_) reach = std::max(reach, length(contact.centre - push.centre));
    surface_.visit_near(push.centre, radius + reach, [&](std::uint32_t v) {
        const Vec3f& p = positions()[v];
        const Vec3f moved = on_bat(p + shift_at(p, inverse) * (push.amount * hold_at(p)));
        if (!(moved == p)) move(v, moved);
    });
}

void Clay::open_stroke() {
    strokes_.open();
    stroke_open_ = true;
    has_stroke_ = true;
}

void Clay::move(std::uint32_t vertex, const Vec3f& to) {
    if (!has_stroke_) continue_stroke();
    strokes_.save(vertex, positions()[vertex]);
    if (!is_changed_[vertex]) {
        is_changed_[vertex] = 1;
        changed_.push_back(vertex);
    }
    surface_.set(vertex, to);
}

std::span<const VertexChange> Clay::collect() {
    changes_.clear();
    for (const std::uint32_t v : changed_) {
        changes_.push_back({v, positions()[v]});
        is_changed_[v] = 0;
    }
    surface_.commit(changed_);
    changed_.clear();
    strokes_.close();
    return changes_;
}

Vec3d Clay::contact_of(const ClayTouch& touch) const {
    Vec3d sum;
    for (const Vec3d& p : touch.hit_points) sum += p;
    if (!touch.hit_points.empty()) return sum / static_cast<double>(touch.hit_points.size());
    for (const std::uint32_t polygon : touch.polygons) sum += middle_of(topology(), positions(), polygon);
    return sum / static_cast<double>(touch.polygons.size());
}

bool Clay::push_out(const ClayTouch& touch, const ClayBrush& brush, Push& push) {
    if (!plan(touch, brush, push)) return false;
    apply(push, static_cast<float>(brush.radius));
    return true;
}

/// Long paths are divided into steps that do not fold the clay. The clay around the contact moves alike.
bool Clay::push_drag(const ClayTouch& touch, const ClayBrush& brush, Push& push) {
    const double path = length(touch.motion), step = std::min(kMaxShare * brush.radius, kMaxShift);
    if (!(path > 0) || touch.fresh) return false;
    const Vec3d along = touch.motion / path;
    Vec3d centre = contact_of(touch) - touch.motion;
    double left = std::min(path, kMaxDragSteps * step);
    push = {{}, collision::cast<float>(along), static_cast<float>(left), touch.part};
    while (left > 0) {
        push.centre = collision::cast<float>(centre);
        push.amount = static_cast<float>(std::min(left, step));
        contacts_ = {{push.centre, push.along, 1, {}}};
        apply(push, static_cast<float>(brush.radius));
        centre += along * static_cast<double>(push.amount);
        left -= step;
    }
    return true;
}

void Clay::use_effect(const ClayTouch& touch, const ClayBrush& brush, Push& push) {
    constexpr void (*kEffects[])(const EffectArea&) = {&inflate, &deflate, &smooth, &flatten, &pinch};
    Vec3f inward;
    for (const std::uint32_t polygon : touch.polygons) inward -= surface_.polygon_area(polygon);
    const float l = length(inward);
    push = {collision::cast<float>(contact_of(touch)), l > 0 ? inward / l : Vec3f{0, -1, 0},
            static_cast<float>(brush.strength), touch.part};
    const auto move_held = [this](std::uint32_t v, const Vec3f& to) {
        const Vec3f p = positions()[v];
        move(v, on_bat(p + (to - p) * hold_at(p)));
    };
    const auto number =
        static_cast<std::size_t>(brush.effect) - static_cast<std::size_t>(ClayEffect::inflate);
    kEffects[number]({surface_, push.centre, static_cast<float>(brush.radius), push.amount, move_held});
}

bool Clay::push_one(const ClayTouch& touch, const ClayBrush& brush, Push& push) {
    if (brush.effect == ClayEffect::push) return push_out(touch, brush, push);
    if (brush.effect == ClayEffect::drag) return push_drag(touch, brush, push);
    use_effect(touch, brush, push);
    return true;
}

/// A polygon that several parts touch moves once. A vertex moves with each of its polygons.
bool Clay::push_facets(std::span<const ClayTouch> touches, const ClayBrush& brush, Push& push) {
    facing_.clear();
    for (const ClayTouch& touch : touches) {
        facing_.insert(facing_.end(), touch.polygons.begin(), touch.polygons.end());
        push.part = touch.part;
    }
    make_unique(facing_);
    if (facing_.empty()) return false;
    push.amount = static_cast<float>(brush.strength * kFacetStep);
    for (const std::uint32_t polygon : facing_) {
        const Vec3f area = surface_.polygon_area(polygon);
        const float size = length(area);
        if (!(size > 0)) continue;
        push.along = -area / size;
        push.centre = collision::cast<float>(middle_of(topology(), positions(), polygon));
        for (const std::uint32_t v : topology().loop(polygon))
            move(v, on_bat(positions()[v] + push.along * push.amount));
    }
    const std::vector<std::uint32_t> moved = changed_;
    angles_.relax(moved, positions(), [&](std::uint32_t v, const Vec3f& to) { move(v, on_bat(to)); });
    return true;
}

/// Lets a ring around the last push grow along its normals until the clay has `volume` again.
void Clay::swell(double volume, double radius) {
    struct Swelling {
        std::uint32_t vertex;
        float weight;
    };
    std::vector<Swelling> ring;
    double per_metre = 0;
    const float inner = kSwellFrom * static_cast<float>(radius),
                outer = kSwellTo * static_cast<float>(radius);
    surface_.visit_near(last_.centre, outer, [&](std::uint32_t v) {
        const Vec3f& p = positions()[v];
        const float s = (length(p - last_.centre) - inner) / (outer - inner);
        if (!(s > 0 && s < 1)) return;
        const float weight = 16 * s * s * (1 - s) * (1 - s) * hold_at(p);
        for (const std::uint32_t polygon : topology().polygons_around(v))
            per_metre +=
                static_cast<double>(weight * dot(surface_.polygon_area(polygon), surface_.normals()[v])) /
                (2 * static_cast<double>(topology().loop(polygon).size()));
        ring.push_back({v, weight});
    });
    if (!(per_metre > 0)) return;
    const double limit = kMaxShare * radius;
    const auto growth =
        static_cast<float>(std::clamp((volume - surface_.measure().volume) / per_metre, -limit, limit));
    for (const Swelling& at : ring)
        move(at.vertex, positions()[at.vertex] + surface_.normals()[at.vertex] * (growth * at.weight));
}

void Clay::continue_stroke() {
    if (!stroke_open_ || frame_ > last_frame_ + kStrokePause) open_stroke();
    last_frame_ = frame_;
    has_stroke_ = true;
}

std::span<const VertexChange> Clay::push(std::span<const ClayTouch> touches, const ClayBrush& brush,
                                         std::uint64_t frame) {
    const auto usable = [](const ClayTouch& t) { return !t.polygons.empty() && t.part < kClayParts; };
    if (std::none_of(touches.begin(), touches.end(), usable)) return {};
    if (!brush.keep_volume)
        kept_volume_.reset();
    else if (!kept_volume_)
        kept_volume_ = surface_.measure().volume;
    frame_ = frame;
    has_stroke_ = false;
    Push strongest;
    if (brush.effect == ClayEffect::facets) push_facets(touches, brush, strongest);
    for (const ClayTouch& touch : touches) {
        Push push;
        if (brush.effect == ClayEffect::facets || !usable(touch) || !push_one(touch, brush, push)) continue;
        if (push.amount > strongest.amount) strongest = push;
    }
    if (strongest.amount > 0) last_ = strongest;
    if (kept_volume_ && !changed_.empty()) {
        surface_.commit(changed_);
        swell(*kept_volume_, brush.radius);
    }
    return collect();
}

std::span<const VertexChange> Clay::restore(std::span<const VertexChange> stroke) {
    stroke_open_ = false;
    kept_volume_.reset();
    for (const VertexChange& change : stroke) {
        surface_.set(change.vertex, change.position);
        changed_.push_back(change.vertex);
    }
    surface_.commit(changed_);
    if (angles_.given_up() > 0) angles_.update(changed_, positions());
    changed_.clear();
    return stroke;
}

std::span<const VertexChange> Clay::undo() {
    return restore(strokes_.undo(positions()));
}

std::span<const VertexChange> Clay::redo() {
    return restore(strokes_.redo(positions()));
}

std::span<const VertexChange> Clay::reset() {
    kept_volume_.reset();
    if (positions() == start_positions()) return {};
    open_stroke();
    const std::vector<Vec3f>& start = start_positions();
    for (std::uint32_t v = 0; v < start.size(); ++v) {
        if (!(positions()[v] == start[v])) move(v, start[v]);
    }
    stroke_open_ = false;
    return collect();
}

}  // namespace claybox::app
