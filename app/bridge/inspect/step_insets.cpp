#include "app/bridge/inspect/step_insets.hpp"

#include "engine/ui/drawing/draw.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace claybox::app {
namespace {

using collision::TraceItem;
using collision::TracePixel;
using collision::TraceRecord;
using collision::TraceSpace;
using collision::Vec3d;
using Kind = TraceItem::Kind;
using Point = ViewInset::Point;

constexpr const char* kTitle = "Difference A − B";

/// Places points of space in the plot, without perspective.
struct Projection {
    Vec3d right, up, towards, centre;
    double scale = 1;

    Point operator()(const Vec3d& p) const {
        return {static_cast<float>(0.5 + scale * dot(right, p - centre)),
                static_cast<float>(0.5 + scale * dot(up, p - centre))};
    }
};

/// How an item of the difference is drawn.
struct Style {
    Ink ink = Ink::witness;
    float width = 2, fill = 0;
    bool arrow = false;
};

Style style_of(const TraceItem& item) {
    const std::string_view label = item.label;
    const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), label) != names.end();
    };
    if (item.kind == Kind::plane) return {Ink::separating, 1.5f, 0.10f};
    if (label == "search direction") return {Ink::candidate, 2, 0, true};
    if (is_one_of({"S", "axis", "best axis"})) return {Ink::separating, 2, 0, true};
    if (label == "relative motion") return {Ink::accent, 2, 0, true};
    if (label == "nearest face") return {Ink::candidate, 2.5f, 0.45f};
    if (label == "polytope") return {Ink::witness, 1, 0.02f};
    if (label == "visited p - q") return {Ink::witness, 1, 0};
    if (is_one_of({"nearest point", "depth so far", "distance", "line to the origin"}))
        return {Ink::colliding, 2.5f, 0};
    if (item.kind == Kind::point && label != "simplex" && label != "basis") return {Ink::accent, 2, 0};
    return {Ink::witness, 2, 0.16f};
}

constexpr Style kEarlier{Ink::bounds, 1, 0};

class Drawing {
  public:
    Drawing(const Projection& project, double reach, ViewInset& out)
        : project_(project), reach_(reach), out_(out) {}

    void line(const Vec3d& p, const Vec3d& q, Ink ink, float width, float opacity) {
        out_.begin(ink, width, opacity);
        add(p);
        add(q);
    }
    void item(const TraceItem& item, bool earlier) {
        const Style style = earlier ? kEarlier : style_of(item);
        const float opacity = earlier ? 0.25f : item.label == std::string_view("polytope") ? 0.55f : 1;
        switch (item.kind) {
            case Kind::point:
                out_.marks.push_back({project_(item.p), style.ink, "", true});
                break;
            case Kind::segment:
                line(item.p, item.p + item.along[0], style.ink, style.width, opacity);
                if (style.arrow) head(item.p, item.p + item.along[0], style);
                break;
            case Kind::triangle:
                polygon({item.p, item.p + item.along[0], item.p + item.along[1]}, style, opacity);
                break;
            case Kind::plane:
                if (!earlier) plane(item, style);
                break;
            case Kind::box:
            case Kind::value:
            case Kind::picture:
                return;
        }
        if (!earlier) explain(style.ink, item.label);
    }
    void explain(Ink ink, std::string_view text) {
        if (text.empty()) return;
        std::string words(text);
        if (words[0] >= 'a' && words[0] <= 'z' && words.size() > 1 && words[1] != ' ')
            words[0] = static_cast<char>(words[0] - 'a' + 'A');
        for (const ViewInset::LegendRow& row : out_.legend)
            if (row.text == words) return;
        out_.legend.push_back({ink, std::move(words)});
    }

  private:
    void add(const Vec3d& p) {
        const Point at = project_(p);
        out_.add(at.x, at.y);
    }
    void polygon(std::initializer_list<Vec3d> corners, const Style& style, float opacity) {
        std::vector<Point> points;
        for (const Vec3d& p : corners) points.push_back(project_(p));
        double area = 0;  // the fill must be counter-clockwise on the screen, whatever its side
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Point &p = points[i], &q = points[(i + 1) % points.size()];
            area += double(p.x) * double(q.y) - double(p.y) * double(q.x);
        }
        if (area > 0) std::reverse(points.begin(), points.end());
        if (style.fill > 0) out_.fill(points, style.ink, style.fill);
        out_.begin(style.ink, style.width, opacity);
        for (std::size_t i = 0; i <= points.size(); ++i)
            out_.add(points[i % points.size()].x, points[i % points.size()].y);
    }
    void plane(const TraceItem& item, const Style& style) {
        const double size = length(item.along[0]);
        if (!(size > 0)) return;
        const Vec3d n = (1 / size) * item.along[0];
        const Vec3d centre = item.p + (item.number / size - dot(n, item.p)) * n;
        const Vec3d u =
            0.55 * reach_ *
            collision::normalized(cross(n, std::abs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
        const Vec3d v = cross(n, u);
        polygon({centre - u - v, centre + u - v, centre + u + v, centre - u + v}, style, 0.8f);
    }
    /// The head of an arrow, flat on the plot.
    void head(const Vec3d& from, const Vec3d& to, const Style& style) {
        const Point p = project_(from), q = project_(to);
        const float x = q.x - p.x, y = q.y - p.y, size = std::hypot(x, y);
        if (!(size > 0.01f)) return;
        const float along = 0.035f / size, across = 0.015f / size;
        out_.begin(style.ink, style.width, 1);
        out_.add(q.x - along * x - across * y, q.y - along * y + across * x);
        out_.add(q.x, q.y);
        out_.add(q.x - along * x + across * y, q.y - along * y - across * x);
    }

    const Projection& project_;
    double reach_;
    ViewInset& out_;
};

/// Of points given in any order, the convex polygon around them.
std::vector<Point> outline_of(std::vector<Point> points) {
    if (points.size() < 3) return {};
    const auto turn = [](const Point& o, const Point& p, const Point& q) {
        return double(p.x - o.x) * double(q.y - o.y) - double(p.y - o.y) * double(q.x - o.x);
    };
    std::sort(points.begin(), points.end(),
              [](const Point& p, const Point& q) { return p.x != q.x ? p.x < q.x : p.y < q.y; });
    std::vector<Point> out;
    const auto pass = [&](auto begin, auto end) {
        const std::size_t base = out.size();
        for (auto it = begin; it != end; ++it) {
            while (out.size() >= base + 2 && turn(out[out.size() - 2], out.back(), *it) <= 0) out.pop_back();
            out.push_back(*it);
        }
        out.pop_back();
    };
    pass(points.begin(), points.end());
    pass(points.rbegin(), points.rend());
    std::reverse(out.begin(), out.end());  // y grows upwards here and downwards on the screen
    return out;
}

/// Calls `visit` with the items of a step in one space.
template <class Visit>
void for_items(const TraceRecord& trace, std::size_t step, TraceSpace space, const Visit& visit) {
    for (const TraceItem& item : trace.step(step))
        if (item.space == space && item.kind != Kind::value) visit(item);
}

/// A view that shows the origin and all corners, whatever the axes. Without a body: all items of the trace.
Projection projection_of(const TraceRecord& trace, const DifferenceBody& body, const ViewAxes& axes,
                         double& reach) {
    Vec3d low, high;  // the origin
    const auto take = [&](const Vec3d& p) {
        low = min(low, p);
        high = max(high, p);
    };
    for (const Vec3d& p : body.corners()) take(p);
    if (body.empty())
        for (const TraceItem& item : trace.items())
            if (item.space == TraceSpace::difference && item.kind != Kind::value) take(item.p);
    Projection out{axes.right, axes.up, axes.towards, 0.5 * (low + high), 1};
    reach = body.empty() ? 0.5 * length(high - low) : length(out.centre);
    for (const Vec3d& p : body.corners()) reach = std::max(reach, length(p - out.centre));
    reach = std::max(reach, 1e-30);
    out.scale = 0.44 / reach;
    return out;
}

void draw_body(const DifferenceBody& body, const Projection& project, Drawing& draw, ViewInset& out) {
    std::vector<Point> corners;
    for (const Vec3d& p : body.corners()) corners.push_back(project(p));
    const std::vector<Point> outline = outline_of(std::move(corners));
    if (outline.size() > 2) out.fill(outline, Ink::dimension, 0.07f);
    for (const DifferenceBody::Edge& e : body.edges()) {
        const bool front = dot(e.normal[0], project.towards) > 0 || dot(e.normal[1], project.towards) > 0;
        draw.line(e.from, e.to, Ink::dimension, 1, front ? 0.38f : 0.1f);
    }
    if (outline.size() < 3) return;
    out.begin(Ink::dimension, 1.5f, 0.7f);
    for (std::size_t i = 0; i <= outline.size(); ++i)
        out.add(outline[i % outline.size()].x, outline[i % outline.size()].y);
}

std::string body_note(const DifferenceBody& body) {
    if (body.empty()) return {};
    const std::string corners = engine::grouped(body.corners().size()) + " corners";
    return body.sampled() == 0 ? corners + ", exact"
                               : corners + ", sampled in " + std::to_string(body.sampled()) + " directions";
}

// The sphere of directions.

constexpr double kSphere = 0.42;

void sphere_point(const ViewAxes& axes, const Vec3d& p, ViewInset& out) {
    out.add(static_cast<float>(0.5 + kSphere * dot(axes.right, p)),
            static_cast<float>(0.5 + kSphere * dot(axes.up, p)));
}

void draw_sphere(ViewInset& out) {
    constexpr int kSides = 64;
    std::vector<Point> circle;
    for (int i = 0; i < kSides; ++i) {
        const double turn = -2 * 3.14159265358979323846 * i / kSides;
        circle.push_back({static_cast<float>(0.5 + kSphere * std::cos(turn)),
                          static_cast<float>(0.5 + kSphere * std::sin(turn))});
    }
    out.fill(circle, Ink::dimension, 0.07f);
    out.begin(Ink::dimension, 1.5f, 0.5f);
    for (int i = 0; i <= kSides; ++i)
        out.add(circle[static_cast<std::size_t>(i % kSides)].x,
                circle[static_cast<std::size_t>(i % kSides)].y);
}

// The algorithm's own picture.

Ink pixel_ink(TracePixel pixel) {
    switch (pixel) {
        case TracePixel::a:
            return Ink::accent;
        case TracePixel::b:
            return Ink::separating;
        case TracePixel::both:
            return Ink::candidate;
        default:
            return Ink::colliding;
    }
}

ViewInset picture_inset(const collision::TracePicture& picture, const char* label) {
    ViewInset out;
    const std::size_t width = picture.width;
    out.title = "Depth picture, " + std::to_string(width) + " × " + std::to_string(width);
    std::array<bool, 5> seen{};
    for (std::size_t y = 0; width > 0 && y * width < picture.pixels.size(); ++y)
        for (std::size_t x = 0, end = 0; x < width; x = end) {
            const TracePixel pixel = picture.pixels[y * width + x];
            end = x + 1;
            while (end < width && picture.pixels[y * width + end] == pixel) ++end;
            if (pixel == TracePixel::nothing) continue;
            seen[static_cast<std::size_t>(pixel)] = true;
            const auto at = [&](std::size_t i) { return static_cast<float>(i) / static_cast<float>(width); };
            const Point corners[] = {{at(x), at(y)}, {at(end), at(y + 1)}};
            out.fill(corners, pixel_ink(pixel), pixel == TracePixel::common ? 0.9f : 0.45f);
        }
    static constexpr const char* kWords[] = {"", "A", "B", "Both, no common depth", "Common depth"};
    for (std::size_t i = 1; i < seen.size(); ++i)
        if (seen[i]) out.legend.push_back({pixel_ink(static_cast<TracePixel>(i)), kWords[i]});
    const bool last = std::string_view(label) == "pixels in collision";
    if (!last && seen[3]) out.legend.back().text = "Both";
    out.note = last ? "Evaluated" : "After this pass";
    return out;
}

// Counts per level of a traversal.

std::optional<double> value_in(std::span<const TraceItem> items, std::string_view label) {
    for (const TraceItem& item : items)
        if (item.kind == Kind::value && item.label == label) return item.number;
    return std::nullopt;
}

/// Bars of what a traversal has visited and culled on each level.
std::optional<ViewInset> levels_inset(const TraceRecord& trace, std::size_t shown) {
    struct Level {
        std::size_t step;
        double visited, culled;
    };
    std::vector<Level> levels;
    bool pairs = false;
    double most = 1;
    for (std::size_t step = 0; step < trace.steps(); ++step) {
        const auto items = trace.step(step);
        auto visited = value_in(items, "visited boxes"), culled = value_in(items, "culled boxes");
        if (!visited) {
            visited = value_in(items, "tested pairs of boxes");
            culled = value_in(items, "culled pairs of boxes");
            pairs |= visited.has_value();
        }
        if (!visited) continue;
        levels.push_back({step, *visited, culled.value_or(0)});
        most = std::max(most, *visited);
    }
    if (levels.empty()) return std::nullopt;
    ViewInset out;
    out.title = pairs ? "Pairs of boxes per level" : "Boxes per level";
    out.aspect = 2;
    const float wide = 1.0f / static_cast<float>(levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const float x0 = (static_cast<float>(i) + 0.12f) * wide, x1 = (static_cast<float>(i) + 0.88f) * wide;
        const auto high = [&](double count) { return 0.03f + 0.87f * static_cast<float>(count / most); };
        const float culled = high(levels[i].culled), all = high(levels[i].visited);
        const Point lower[] = {{x0, 0.03f}, {x1, culled}}, upper[] = {{x0, culled}, {x1, all}};
        const bool now = levels[i].step == shown;
        out.fill(lower, Ink::separating, now ? 0.9f : 0.4f);
        out.fill(upper, Ink::candidate, now ? 1.0f : 0.5f);
        if (!now) continue;
        out.begin(Ink::dimension, 1.5f);
        for (const Point& p : {Point{x0, 0.03f}, {x1, 0.03f}, {x1, all}, {x0, all}, {x0, 0.03f}})
            out.add(p.x, p.y);
    }
    out.x_title = "Levels, from the root";
    out.y_title = "At most " + engine::grouped(static_cast<unsigned long long>(most));
    out.legend = {{Ink::candidate, "Overlap: opened"}, {Ink::separating, "Apart: culled"}};
    return out;
}

}  // namespace

bool has_space(const TraceRecord& trace, TraceSpace space) {
    return std::any_of(trace.items().begin(), trace.items().end(), [&](const TraceItem& item) {
        return item.space == space && item.kind != Kind::value;
    });
}

ViewInset difference_inset(const TraceRecord& trace, std::size_t step, bool before,
                           const DifferenceBody& body, const ViewAxes& axes) {
    ViewInset out;
    out.title = kTitle;
    double reach = 1;
    const Projection project = projection_of(trace, body, axes, reach);
    Drawing draw(project, reach, out);
    draw_body(body, project, draw, out);
    for (std::size_t i = 0; before && i < step; ++i)
        for_items(trace, i, TraceSpace::difference, [&](const TraceItem& item) { draw.item(item, true); });
    for_items(trace, step, TraceSpace::difference, [&](const TraceItem& item) { draw.item(item, false); });
    for (const Vec3d& axis : {Vec3d{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
        draw.line(-0.07 * reach * axis, 0.07 * reach * axis, Ink::dimension, 1.5f, 1);
    out.marks.push_back({project({}), Ink::dimension, "0", true});
    out.note = body_note(body);
    return out;
}

ViewInset directions_inset(const TraceRecord& trace, std::size_t step, const ViewAxes& axes) {
    ViewInset out;
    out.title = "Directions";
    draw_sphere(out);
    bool polygon = false;
    std::size_t rays = 0;
    for_items(trace, step, TraceSpace::directions, [&](const TraceItem& item) {
        const bool front = dot(axes.towards, item.p) > 0;
        if (item.kind == Kind::segment) {
            polygon = true;
            out.begin(Ink::candidate, 2.5f, front ? 1.0f : 0.3f);
            sphere_point(axes, item.p, out);
            sphere_point(axes, item.p + item.along[0], out);
            return;
        }
        if (item.kind != Kind::point) return;
        const std::string_view label = item.label;
        const Ink ink = label == "S" ? Ink::separating : label == "w" ? Ink::candidate : Ink::witness;
        const Point at{static_cast<float>(0.5 + kSphere * dot(axes.right, item.p)),
                       static_cast<float>(0.5 + kSphere * dot(axes.up, item.p))};
        out.begin(ink, front ? 1.5f : 1, front ? 0.8f : 0.25f);
        out.add(0.5f, 0.5f);
        out.add(at.x, at.y);
        rays += label == "r" ? 1 : 0;
        if (label == "S" && !out.marks.empty() && out.marks.back().text == "w" &&
            std::hypot(out.marks.back().at.x - at.x, out.marks.back().at.y - at.y) < 0.05f) {
            out.marks.back().text = "S, w";  // one name instead of two over each other
            return;
        }
        out.marks.push_back({at, ink, label == "r" ? "" : std::string(label), label == "r" || !front});
    });
    if (polygon) out.legend.push_back({Ink::candidate, "Possible w"});
    out.legend.push_back({Ink::separating, "S"});
    out.legend.push_back({Ink::witness, "Rays r: " + std::to_string(rays)});
    if (rays > 0 && !polygon) out.note = "No direction is left: the bodies collide.";
    return out;
}

void add_step_insets(const TraceRecord& trace, std::size_t step, bool before, const DifferenceBody& body,
                     const ViewAxes& axes, std::vector<ViewInset>& out) {
    if (has_space(trace, TraceSpace::difference))
        out.push_back(difference_inset(trace, step, before, body, axes));
    if (has_space(trace, TraceSpace::directions)) out.push_back(directions_inset(trace, step, axes));
    for (std::size_t i = step + 1; i-- > 0;) {  // the latest picture stays until the next one
        const auto items = trace.step(i);
        const auto found = std::find_if(items.begin(), items.end(),
                                        [](const TraceItem& item) { return item.kind == Kind::picture; });
        if (found == items.end()) continue;
        out.push_back(picture_inset(trace.picture_of(*found), found->label));
        break;
    }
    if (auto levels = levels_inset(trace, step)) out.push_back(std::move(*levels));
}

double time_of_step(const TraceRecord& trace, std::size_t step) {
    for (std::size_t i = step + 1; i-- > 0;)
        if (const auto time = value_in(trace.step(i), "time")) return *time;
    return 0;
}

}  // namespace claybox::app
