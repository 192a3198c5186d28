#include "app/potter/clay.hpp"

#include "app/potter/lathe.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Topology;
using collision::Vec3d;
using collision::Vec3f;
using collision::VertexChange;

namespace {

// A bump (1 - t^2)^2 has the slope 1.54 / radius at its steepest; this share of the radius a frame keeps the
// map's slope at 0.25, far from folding even where the foot's hold adds to it.
constexpr double kMaxShare = 0.16;
constexpr float kFootHold = 0.012f;         // metres above the bat within which the clay sticks to it
constexpr std::uint64_t kStrokePause = 12;  // frames without a touch that end a stroke
constexpr std::size_t kMaxStrokes = 200;

Vec3d closest_on_segment(const Vec3d& a, const Vec3d& b, const Vec3d& p) {
    const Vec3d d = b - a;
    const double l = length_squared(d);
    return l > 0 ? a + d * std::clamp(dot(p - a, d) / l, 0.0, 1.0) : a;
}

/// How far `p` must go along the unit vector `along` to leave the touch's capsule; 0 when it is outside.
double way_out(const ClayTouch& touch, const Vec3d& p, const Vec3d& along) {
    const Vec3d from_axis = p - closest_on_segment(touch.from, touch.to, p);
    const double c = length_squared(from_axis) - touch.radius * touch.radius;
    if (c >= 0) return 0;
    const double b = dot(from_axis, along);
    return -b + std::sqrt(b * b - c);
}

/// Newell's normal (twice the area long) and the vertices' mean of a polygon.
struct Facet {
    Vec3d normal, centre;
};
Facet facet(const Topology& topology, std::span<const Vec3f> positions, std::uint32_t polygon) {
    const auto loop = topology.loop(polygon);
    Facet out;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const Vec3d p = collision::cast<double>(positions[loop[i]]);
        const Vec3d q = collision::cast<double>(positions[loop[(i + 1) % loop.size()]]);
        out.normal += cross(p, q);
        out.centre += p;
    }
    out.centre = out.centre / static_cast<double>(loop.size());
    return out;
}

}  // namespace

Clay::Clay(collision::ShapePtr start)
    : start_(std::move(start)),
      positions_(start_->geometry().positions),
      stroke_of_vertex_(positions_.size()),
      is_changed_(positions_.size()) {}

bool Clay::plan(const ClayTouch& touch, const ClayBrush& brush, Push& push) {
    if (touch.polygons.empty() || touch.part >= kClayParts) return false;
    Vec3d centre;
    for (const Vec3d& p : touch.hit_points) centre += p;
    if (!touch.hit_points.empty()) centre = centre / static_cast<double>(touch.hit_points.size());

    Vec3d& direction = direction_[touch.part];
    const bool known = !touch.fresh && length_squared(direction) > 0;
    Vec3d inward, middle;
    double weight = 0;
    for (const std::uint32_t polygon : touch.polygons) {
        const Facet f = facet(topology(), positions_, polygon);
        // A finger through a thin wall meets both of its sides; those that it came from count. A new touch
        // tells by where the finger's axis is, a lasting one by where it has pushed so far.
        const Vec3d away = known ? direction : f.centre - closest_on_segment(touch.from, touch.to, f.centre);
        if (dot(f.normal, away) >= 0) continue;
        const double area = length(f.normal);
        inward -= f.normal;
        middle += f.centre * area;
        weight += area;
    }
    if (!(weight > 0) || !(length(inward) > 1e-3 * weight)) return false;
    direction = inward / length(inward);
    if (touch.hit_points.empty()) centre = middle / weight;

    double depth = way_out(touch, centre, direction);
    for (const std::uint32_t polygon : touch.polygons) {
        for (const std::uint32_t v : topology().loop(polygon)) {
            const Vec3d p = collision::cast<double>(positions_[v]);
            // Vertices of the wall's far side leave the finger by themselves when the near side has moved.
            if (dot(p - centre, direction) < touch.radius)
                depth = std::max(depth, way_out(touch, p, direction));
        }
    }
    const double amount = std::min(brush.strength * depth, kMaxShare * brush.radius);
    push = {collision::cast<float>(centre), collision::cast<float>(direction), static_cast<float>(amount)};
    return amount > 0 && collision::is_finite(push.centre) && collision::is_finite(push.along);
}

void Clay::apply(const Push& push, float radius) {
    const float inverse = 1 / (radius * radius);
    for (std::size_t v = 0; v < positions_.size(); ++v) {
        const Vec3f offset = positions_[v] - push.centre;
        const float t = 1 - dot(offset, offset) * inverse;
        if (t <= 0) continue;
        const float hold = std::clamp(positions_[v].y / kFootHold, 0.0f, 1.0f);
        Vec3f moved = positions_[v] + push.along * (push.amount * t * t * hold * hold * (3 - 2 * hold));
        moved.y = std::max(moved.y, 0.0f);  // the bat is below
        if (moved == positions_[v]) continue;
        remember(static_cast<std::uint32_t>(v));
        positions_[v] = moved;
    }
}

void Clay::open_stroke() {
    if (strokes_.size() == kMaxStrokes) strokes_.erase(strokes_.begin());
    strokes_.emplace_back();
    ++stroke_number_;
    stroke_open_ = true;
}

void Clay::remember(std::uint32_t vertex) {
    if (stroke_of_vertex_[vertex] != stroke_number_) {
        stroke_of_vertex_[vertex] = stroke_number_;
        strokes_.back().moved.push_back({vertex, positions_[vertex]});
    }
    if (!is_changed_[vertex]) {
        is_changed_[vertex] = 1;
        changed_.push_back(vertex);
    }
}

std::span<const VertexChange> Clay::collect() {
    changes_.clear();
    for (const std::uint32_t v : changed_) {
        changes_.push_back({v, positions_[v]});
        is_changed_[v] = 0;
    }
    changed_.clear();
    if (!changes_.empty()) ++version_;
    return changes_;
}

std::span<const VertexChange> Clay::push(std::span<const ClayTouch> touches, const ClayBrush& brush,
                                         std::uint64_t frame) {
    for (const ClayTouch& touch : touches) {
        Push push;
        if (!plan(touch, brush, push)) continue;
        if (!stroke_open_ || frame > last_frame_ + kStrokePause) open_stroke();
        last_frame_ = frame;
        last_ = push;
        apply(push, static_cast<float>(brush.radius));
    }
    return collect();
}

std::span<const VertexChange> Clay::undo() {
    stroke_open_ = false;
    if (strokes_.empty()) return {};
    const Stroke stroke = std::move(strokes_.back());
    strokes_.pop_back();
    changes_.clear();
    for (const Moved& m : stroke.moved) {
        positions_[m.vertex] = m.before;
        changes_.push_back({m.vertex, m.before});
    }
    ++version_;
    return changes_;
}

std::span<const VertexChange> Clay::reset() {
    open_stroke();
    const std::vector<Vec3f>& start = start_positions();
    for (std::uint32_t v = 0; v < positions_.size(); ++v) {
        if (positions_[v] == start[v]) continue;
        remember(v);
        positions_[v] = start[v];
    }
    if (strokes_.back().moved.empty()) strokes_.pop_back();
    stroke_open_ = false;
    return collect();
}

ClayMeasures Clay::measure() const {
    ClayMeasures out;
    out.volume = enclosed_volume(topology(), positions_);
    float low = 1e30f, high = -1e30f, widest = 0;
    for (const Vec3f& p : positions_) {
        low = std::min(low, p.y);
        high = std::max(high, p.y);
        widest = std::max(widest, p.x * p.x + p.z * p.z);
    }
    const float rim = high - 0.05f * (high - low);
    float mouth = 0;
    for (const Vec3f& p : positions_) {
        if (p.y >= rim) mouth = std::max(mouth, p.x * p.x + p.z * p.z);
    }
    out.height = static_cast<double>(high - low);
    out.widest = 2 * std::sqrt(static_cast<double>(widest));
    out.mouth = 2 * std::sqrt(static_cast<double>(mouth));
    const std::vector<Vec3f>& start = start_positions();
    for (std::uint32_t p = 0; p < topology().polygon_count(); ++p) {
        for (const std::uint32_t v : topology().loop(p)) {
            if (positions_[v] == start[v]) continue;
            ++out.polygons_moved;
            break;
        }
    }
    return out;
}

}  // namespace claybox::app
