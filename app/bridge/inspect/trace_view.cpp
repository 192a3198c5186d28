#include "app/bridge/inspect/trace_view.hpp"

#include "app/scenes/shared/decor.hpp"
#include "engine/ui/drawing/draw.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace claybox::app {
namespace {

using collision::TraceItem;
using collision::Vec3d;
using Kind = collision::TraceItem::Kind;

/// More lines would be slow and unreadable. The most important ones of a step come first.
constexpr std::size_t kMaxLines = 30000;

struct Stroke {
    Ink ink;
    float width;
    bool casing;
};

/// Earlier steps are context: thin and grey.
constexpr Stroke kBefore{Ink::bounds, 1.0f, false};

Stroke stroke_of(const TraceItem& item) {
    const std::string_view label = item.label;
    switch (item.kind) {
        case Kind::box:  // overlapping boxes are the step's result, the others context
            return label.starts_with("overlapping") ? Stroke{Ink::candidate, 2.0f, true} : kBefore;
        case Kind::plane:
            return {Ink::separating, 2.0f, true};
        default:
            // Voronoi regions and levels of a hierarchy are context for what the step tests.
            if (label.starts_with("Voronoi region")) return {Ink::candidate, 1.0f, false};
            if (label.starts_with("level of")) return {Ink::candidate, 1.5f, false};
            return label.starts_with("side of") ? Stroke{Ink::candidate, 1.5f, false}
                                                : Stroke{Ink::witness, 2.5f, true};
    }
}

void add_line(const Vec3d& from, const Vec3d& to, const Stroke& stroke, SceneView& out) {
    out.lines.push_back(
        {collision::cast<float>(from), collision::cast<float>(to), stroke.ink, stroke.width, stroke.casing});
}

/// A square in the plane, centred at the plane's point nearest to the item's position, and its normal.
void add_plane(const TraceItem& item, double half_side, const Stroke& stroke, SceneView& out) {
    const double size = length(item.along[0]);
    if (!(size > 0)) return;
    const Vec3d n = (1 / size) * item.along[0];
    const Vec3d centre = item.p + (item.number / size - dot(n, item.p)) * n;
    const Vec3d u =
        half_side * collision::normalized(cross(n, std::abs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
    const Vec3d v = cross(n, u);
    const Vec3d corner[] = {centre - u - v, centre + u - v, centre + u + v, centre - u + v};
    for (std::size_t i = 0; i < 4; ++i) add_line(corner[i], corner[(i + 1) % 4], stroke, out);
    add_line(centre, centre + 0.3 * half_side * n, stroke, out);
}

void add_item(const TraceItem& item, double half_side, bool before, SceneView& out) {
    const Stroke stroke = before ? kBefore : stroke_of(item);
    switch (item.kind) {
        case Kind::point: {
            const bool hit = std::string_view(item.label).starts_with("intersects");
            out.points.push_back({collision::cast<float>(item.p),
                                  before ? Ink::bounds
                                  : hit  ? Ink::colliding
                                         : Ink::witness,
                                  before ? 3.0f : 5.0f});
            return;
        }
        case Kind::segment:
            return add_line(item.p, item.p + item.along[0], stroke, out);
        case Kind::box:
            return view_box(item.p, item.along, stroke.ink, stroke.casing, out);
        case Kind::plane:
            return add_plane(item, half_side, stroke, out);
        case Kind::triangle:
            add_line(item.p, item.p + item.along[0], stroke, out);
            add_line(item.p + item.along[0], item.p + item.along[1], stroke, out);
            return add_line(item.p + item.along[1], item.p, stroke, out);
        case Kind::value:
        case Kind::picture:
            return;
    }
}

std::string number_text(double value) {
    if (value == std::floor(value) && value >= 0 && value < 1e15)
        return engine::grouped(static_cast<unsigned long long>(value));
    const double size = std::abs(value);
    return engine::fixed(value, size < 0.01 ? 6 : size < 10 ? 4 : 1);
}

}  // namespace

void view_trace(const collision::TraceRecord& trace, std::size_t step, bool before, double half_side,
                SceneView& out) {
    const auto add = [&](std::size_t i, bool foremost) {
        for (const TraceItem& item : trace.step(i))
            if (item.space == collision::TraceSpace::world && out.lines.size() < kMaxLines &&
                stroke_of(item).casing == foremost)
                add_item(item, half_side, i != step, out);
    };
    add(step, true);
    add(step, false);
    for (std::size_t i = before ? step : 0; i-- > 0;)  // the latest first, up to the limit
        for (const bool foremost : {true, false}) add(i, foremost);
}

void add_step_rows(const collision::TraceRecord& trace, std::size_t step,
                   std::vector<Inspection::Row>& rows) {
    struct LabelCount {
        std::string_view label;
        std::size_t count;
    };
    std::vector<LabelCount> counts;
    const auto add = [&](std::string_view label, std::string value) {
        std::string key(label);
        if (key[0] >= 'a' && key[0] <= 'z') key[0] = static_cast<char>(key[0] - 'a' + 'A');
        rows.push_back({std::move(key), std::move(value)});
    };
    for (const TraceItem& item : trace.step(step)) {
        if (item.label[0] == 0) continue;
        if (item.kind == Kind::value) {
            add(item.label, number_text(item.number));
            continue;
        }
        if (item.space != collision::TraceSpace::world || item.kind == Kind::picture) continue;
        const auto same = std::find_if(counts.begin(), counts.end(),
                                       [&](const LabelCount& c) { return c.label == item.label; });
        if (same == counts.end())
            counts.push_back({item.label, 1});
        else
            ++same->count;
    }
    for (const LabelCount& c : counts) add(c.label, engine::grouped(c.count));
}

}  // namespace claybox::app
