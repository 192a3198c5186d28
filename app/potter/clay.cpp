#include "app/potter/clay.hpp"

#include "app/potter/touch/effects.hpp"
#include "app/potter/touch/touched_polygons.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Vec3d;
using collision::Vec3f;
using collision::VertexChange;

namespace {

constexpr float kFootHold = 0.012f;               // metres above the bat; below, the clay sticks to it
constexpr std::uint64_t kStrokePause = 12;        // frames without a touch that end a stroke
constexpr float kSwellFrom = 0.6f, kSwellTo = 3;  // ring that keeps the volume: multiples of the radius
constexpr float kMaskPerFrame = 0.5f;             // at full strength
constexpr float kFacetShare = 0.25f;              // of the root of a polygon's area: longest step of `facets`

/// Share of a shift that the clay at `p` makes: it sticks to the bat.
float hold_at(const Vec3f& p) {
    const float hold = std::clamp(p.y / kFootHold, 0.0f, 1.0f);
    return hold * hold * (3 - 2 * hold);
}

/// The bat is below.
Vec3f on_bat(const Vec3f& p) {
    return {p.x, std::max(p.y, 0.0f), p.z};
}

/// Direction of a finger; a ball has none, so it counts as a wire into the clay.
Vec3d axis_of(const ClaySurface& surface, const ClayTouch& touch) {
    Vec3d inward;
    for (const std::uint32_t polygon : touch.polygons)
        inward -= collision::cast<double>(surface.polygon_area(polygon));
    return normalized(touch.to - touch.from, normalized(inward));
}

}  // namespace

Clay::Clay(collision::ShapePtr start)
    : surface_(std::move(start)),
      origin_(surface_.start()),
      fine_edge_(surface_.mean_edge()),
      mask_(topology().vertex_count),
      strokes_(topology().vertex_count),
      is_changed_(topology().vertex_count),
      is_touched_(topology().vertex_count) {
    surface_.use_mask(&mask_);
}

const AngleLimit& Clay::angles() const {
    if (!angles_) angles_ = std::make_unique<AngleLimit>(topology());
    return *angles_;
}

float Clay::hold_of(std::uint32_t vertex) const {
    return hold_at(positions()[vertex]) * (1 - mask_[vertex]);
}

void Clay::displace(const ClayOp& op) {
    push_field_.use(op);
    float reach = 0;
    for (const ClayContact& contact : op.contacts)
        reach = std::max(reach, length(contact.centre - op.centre));
    const float far = (op.radius + reach) * 1.00001f;  // rounding must not decide
    surface_.visit_near(op.centre, op.radius + reach, [&](std::uint32_t v) {
        const Vec3f& p = positions()[v];
        const Vec3f way = p - op.centre;
        if (dot(way, way) > far * far) return;
        const Vec3f moved = on_bat(p + push_field_.shift_at(p) * (op.amount * hold_of(v)));
        if (!(moved == p)) move(v, moved);
    });
}

void Clay::use_effect(const ClayOp& op) {
    constexpr void (*kEffects[])(const EffectArea&) = {&inflate, &deflate, &smooth, &flatten,
                                                       &pinch,   &crease,  &add,    &carve};
    const auto move_held = [this](std::uint32_t v, const Vec3f& to) {
        const Vec3f p = positions()[v];
        move(v, on_bat(p + (to - p) * hold_of(v)));
    };
    const auto number = static_cast<std::size_t>(op.effect) - static_cast<std::size_t>(ClayEffect::inflate);
    kEffects[number]({surface_, op.centre, op.radius, op.amount, op.falloff, move_held});
}

void Clay::paint_mask(const ClayOp& op) {
    const float inverse = 1 / (op.radius * op.radius), step = kMaskPerFrame * op.amount;
    surface_.visit_near(op.centre, op.radius, [&](std::uint32_t v) {
        const Vec3f offset = positions()[v] - op.centre;
        const float change = step * falloff_at(op.falloff, dot(offset, offset) * inverse);
        const float to =
            std::clamp(mask_[v] + (op.effect == ClayEffect::mask ? change : -change), 0.0f, 1.0f);
        if (to == mask_[v]) return;
        if (!has_stroke_) continue_stroke();
        strokes_.save_mask(v, mask_[v]);
        mask_[v] = to;
        surface_.mark_changed(v);
    });
}

void Clay::run(std::span<const ClayOp> ops, bool keep_volume) {
    for (const ClayOp& op : ops) {
        if (op.effect == ClayEffect::push || op.effect == ClayEffect::grab)
            displace(op);
        else if (op.effect == ClayEffect::mask || op.effect == ClayEffect::unmask)
            paint_mask(op);
        else
            use_effect(op);
    }
    if (!keep_volume || changed_.empty()) return;
    surface_.commit(changed_);
    swell(ops, *kept_volume_);
}

void Clay::open_stroke() {
    strokes_.open();
    stroke_open_ = true;
    has_stroke_ = true;
}

void Clay::continue_stroke() {
    if (!stroke_open_ || frame_ > last_frame_ + kStrokePause) open_stroke();
    last_frame_ = frame_;
    has_stroke_ = true;
}

void Clay::move(std::uint32_t vertex, const Vec3f& to) {
    if (!has_stroke_) continue_stroke();
    strokes_.save(vertex, positions()[vertex]);
    if (!is_changed_[vertex]) {
        is_changed_[vertex] = 1;
        changed_.push_back(vertex);
    }
    if (detail_.on && !is_touched_[vertex]) {
        is_touched_[vertex] = 1;
        touched_.push_back(vertex);
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

/// A polygon that several parts touch moves once. A vertex moves with each of its polygons.
bool Clay::push_facets(std::span<const ClayTouch> touches, const ClayBrush& brush) {
    std::vector<std::uint32_t> facing;
    ClayOp op;
    op.effect = ClayEffect::facets;
    op.radius = static_cast<float>(brush.radius);
    for (const ClayTouch& touch : touches) {
        // A finger through a thin wall touches both sides; the side with more touched clay counts.
        Vec3f side;
        for (const std::uint32_t polygon : touch.polygons) side += surface_.polygon_area(polygon);
        for (const std::uint32_t polygon : touch.polygons)
            if (dot(surface_.polygon_area(polygon), side) > 0) facing.push_back(polygon);
        op.part = touch.part;
    }
    make_unique(facing);
    for (const std::uint32_t polygon : facing) {
        const Vec3f area = surface_.polygon_area(polygon);
        const float size = length(area);
        if (!(size > 0)) continue;
        // A longer step than a share of the polygon's size makes a spike, which angles cannot correct.
        op.amount = static_cast<float>(brush.strength) *
                    std::min(static_cast<float>(kFacetStep), kFacetShare * std::sqrt(size));
        op.along = -area / size;
        const auto loop = topology().loop(polygon);
        op.centre = {};
        for (const std::uint32_t v : loop) op.centre += positions()[v] / static_cast<float>(loop.size());
        for (const std::uint32_t v : loop) move(v, on_bat(positions()[v] + op.along * op.amount));
    }
    const std::vector<std::uint32_t> moved = changed_;
    angles();
    angles_->relax(moved, positions(), [&](std::uint32_t v, const Vec3f& to) { move(v, on_bat(to)); });
    ops_ = {op};
    return !facing.empty();
}

/// Lets a ring around the strongest operation and its copies grow along the normals until the clay has
/// `volume` again.
void Clay::swell(std::span<const ClayOp> ops, double volume) {
    struct Swelling {
        std::uint32_t vertex;
        float weight;
    };
    const auto strongest = std::max_element(
        ops.begin(), ops.end(), [](const ClayOp& a, const ClayOp& b) { return a.amount < b.amount; });
    const float inner = kSwellFrom * strongest->radius, outer = kSwellTo * strongest->radius;
    std::vector<Swelling> ring;
    std::vector<std::uint32_t> visited;
    double per_metre = 0;
    const auto bump = [&](const Vec3f& p) {
        float weight = 0;
        for (const ClayOp& op : ops) {
            if (op.amount < strongest->amount) continue;
            const float s = (length(p - op.centre) - inner) / (outer - inner);
            if (s <= 0) return 0.0f;
            if (s < 1) weight = std::max(weight, 16 * s * s * (1 - s) * (1 - s));
        }
        return weight;
    };
    for (const ClayOp& op : ops) {
        if (op.amount < strongest->amount) continue;
        surface_.visit_near(op.centre, outer, [&](std::uint32_t v) {
            if (is_changed_[v] & 2) return;
            is_changed_[v] |= 2;
            visited.push_back(v);
            const float weight = bump(positions()[v]) * hold_of(v);
            if (!(weight > 0)) return;
            for (const std::uint32_t polygon : topology().polygons_around(v))
                per_metre +=
                    static_cast<double>(weight * dot(surface_.polygon_area(polygon), surface_.normals()[v])) /
                    (2 * static_cast<double>(topology().loop(polygon).size()));
            ring.push_back({v, weight});
        });
    }
    for (const std::uint32_t v : visited) is_changed_[v] &= 1;
    if (!(per_metre > 0)) return;
    const double limit = kMaxShare * static_cast<double>(strongest->radius);
    const auto growth =
        static_cast<float>(std::clamp((volume - surface_.measure().volume) / per_metre, -limit, limit));
    for (const Swelling& at : ring)
        move(at.vertex, positions()[at.vertex] + surface_.normals()[at.vertex] * (growth * at.weight));
}

/// Where the finger of a `trim` or `cut` went.
void Clay::follow_wire(std::span<const ClayTouch> touches, const ClayBrush& brush, std::uint64_t frame) {
    for (const ClayTouch& touch : touches) {
        if (touch.polygons.empty() || is_working()) continue;
        const Vec3d contact = contact_of(surface_, touch);
        if (brush.effect == ClayEffect::trim) {
            if (touch.fresh) cut_along({{0, 1, 0}, touch.cut_at.value_or(contact.y)}, CutKeep::below, frame);
            return;
        }
        wire_.path.push_back(contact);
        wire_.axis += axis_of(surface_, touch);
        wire_.frame = frame;
        wire_.keep = brush.cut_keep;
    }
}

std::span<const VertexChange> Clay::push(std::span<const ClayTouch> touches, const ClayBrush& brush,
                                         std::uint64_t frame) {
    const auto counts = [](const ClayTouch& t) { return t.counts(); };
    if (is_working() || std::none_of(touches.begin(), touches.end(), counts)) return {};
    if (brush.effect == ClayEffect::trim || brush.effect == ClayEffect::cut) {
        follow_wire(touches, brush, frame);
        return {};
    }
    if (!brush.keep_volume)
        kept_volume_.reset();
    else if (!kept_volume_)
        kept_volume_ = surface_.measure().volume;
    frame_ = frame;
    has_stroke_ = false;
    ops_.clear();
    if (brush.effect == ClayEffect::facets) {
        retire_job();
        push_facets(touches, brush);
    }
    for (const ClayTouch& touch : touches) {
        if (!touch.counts()) continue;
        const std::size_t before = ops_.size();
        planned_.clear();
        planner_.plan(surface_, touch, brush, planned_);
        for (const ClayOp& op : planned_) append_copies(brush.symmetry, op, ops_);
        run({ops_.data() + before, ops_.size() - before}, false);
    }
    const auto strongest = std::max_element(
        ops_.begin(), ops_.end(), [](const ClayOp& a, const ClayOp& b) { return a.amount < b.amount; });
    if (strongest != ops_.end()) last_ = *strongest;
    if (kept_volume_ && !changed_.empty()) {
        surface_.commit(changed_);
        swell(ops_, *kept_volume_);
    }
    if (job_ && !ops_.empty()) job_->log.push_back({frame, brush.keep_volume, ops_});
    return collect();
}

}  // namespace claybox::app
