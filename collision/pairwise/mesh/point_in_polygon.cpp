#include "collision/pairwise/mesh/point_in_polygon.hpp"

#include "collision/core/trig.hpp"

namespace claybox::collision {

namespace {

/// Slightly more than sqrt(1/2): the smaller of two legs of a right triangle with hypotenuse 1 is never
/// longer, including rounding.
constexpr double kTableEnd = 0.7072;
constexpr std::size_t kTableCells = 256;

std::array<double, kTableCells + 1> make_table() {
    std::array<double, kTableCells + 1> out;
    for (std::size_t i = 0; i <= kTableCells; ++i) {
        const double cosine = kTableEnd * static_cast<double>(i) / kTableCells;
        out[i] = arc_tangent(std::sqrt(1 - cosine * cosine), cosine);
    }
    return out;
}

FlatLoop<float> flat_loop(const Geometry& geometry, std::uint32_t polygon) {
    return {geometry.positions.data(), geometry.topology->loop(polygon),
            flat_axes(polygon_normal(geometry, polygon))};
}

Vec3d mean_of(const Geometry& geometry, std::span<const std::uint32_t> loop) {
    Vec3d sum;
    for (const std::uint32_t v : loop) sum += cast<double>(geometry.positions[v]);
    return sum / static_cast<double>(loop.size());
}

template <class Counts>
bool inside_by(const PolygonTest& test, std::uint32_t polygon, const Vec3d& p, Counts& counts) {
    const FlatLoop<float> loop = flat_loop(*test.geometry, polygon);
    const double x = p[loop.axes.u], y = p[loop.axes.v];
    const PolygonTables::Entry* const entry = test.tables == nullptr ? nullptr : test.tables->find(polygon);
    const bool convex = entry != nullptr ? entry->convex : test.convex;
    switch (test.method) {
        case PointInPolygon::angle_sum:
            return angle_sum(loop, x, y, counts);
        case PointInPolygon::wedge:
            if (entry != nullptr ? entry->star : convex) {
                const Vec3d c = entry != nullptr ? entry->centre : mean_of(*test.geometry, loop.loop);
                return wedge_search(loop, c[loop.axes.u], c[loop.axes.v], x, y, counts);
            }
            break;
        case PointInPolygon::fibonacci:
            if (convex) return fibonacci(loop, x, y, counts);
            break;
        case PointInPolygon::box_tree:
            if (entry != nullptr) return box_tree(loop, test.tables->boxes(*entry), x, y, counts);
            break;
        case PointInPolygon::triangles:
        case PointInPolygon::one_shot:
            break;
    }
    return one_shot(loop, x, y, counts);
}

}  // namespace

double table_arccos(double cosine) {
    static const std::array<double, kTableCells + 1> table = make_table();
    const double at = cosine * (kTableCells / kTableEnd);
    const std::size_t cell = std::min(static_cast<std::size_t>(at), kTableCells - 1);
    return table[cell] + (table[cell + 1] - table[cell]) * (at - static_cast<double>(cell));
}

PolygonTables::PolygonTables(const Geometry& geometry, std::size_t min_vertices) {
    for (std::uint32_t p = 0; p < geometry.topology->polygon_count(); ++p) {
        const FlatLoop<float> loop = flat_loop(geometry, p);
        if (loop.size() < min_vertices) continue;
        Entry entry;
        entry.polygon = p;
        entry.centre = mean_of(geometry, loop.loop);
        entry.convex = is_convex_loop<double>(loop);
        entry.star = is_star_about<double>(loop, entry.centre[loop.axes.u], entry.centre[loop.axes.v]);
        const auto boxes = edge_boxes<float>(loop);
        entry.first_box = static_cast<std::uint32_t>(boxes_.size());
        entry.box_count = static_cast<std::uint32_t>(boxes.size());
        boxes_.insert(boxes_.end(), boxes.begin(), boxes.end());
        entries_.push_back(entry);
    }
}

const PolygonTables::Entry* PolygonTables::find(std::uint32_t polygon) const {
    const auto at = std::lower_bound(entries_.begin(), entries_.end(), polygon,
                                     [](const Entry& e, std::uint32_t p) { return e.polygon < p; });
    return at != entries_.end() && at->polygon == polygon ? &*at : nullptr;
}

std::size_t PolygonTables::memory_bytes() const {
    return sizeof *this + entries_.capacity() * sizeof(Entry) + boxes_.capacity() * sizeof(FlatBox<float>);
}

bool PolygonTest::inside(std::uint32_t polygon, const Vec3d& p) const {
    if (counts != nullptr) return inside_by(*this, polygon, p, *counts);
    NoCounts none;
    return inside_by(*this, polygon, p, none);
}

}  // namespace claybox::collision
