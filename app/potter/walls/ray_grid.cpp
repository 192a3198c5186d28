#include "app/potter/walls/ray_grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace claybox::app {

using collision::kNoIndex;
using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr double kEdgesInCell = 3, kSmallestCell = 0.5e-3;
constexpr int kMostCells = 64;     // of one polygon; larger ones are tested by every ray
constexpr double kMostCell = 3e4;  // cells are numbered with 16 bits

const CellBox kNoCells{{1, 1, 1}, {0, 0, 0}};

double mean_edge(const collision::Topology& topology, const std::vector<Vec3f>& positions) {
    double sum = 0;
    for (const collision::Edge& e : topology.edges)
        sum += static_cast<double>(length(positions[e.vertices[0]] - positions[e.vertices[1]]));
    return topology.edges.empty() ? 0 : sum / static_cast<double>(topology.edges.size());
}

std::size_t hash(int x, int y, int z) {
    return static_cast<std::uint32_t>(x) * 73856093u ^ static_cast<std::uint32_t>(y) * 19349663u ^
           static_cast<std::uint32_t>(z) * 83492791u;
}

/// Where a ray crosses the borders of cells.
struct Walk {
    std::array<int, 3> cell{}, sign{};
    std::array<double, 3> next{}, step{};  ///< distance to the next border per axis, and between borders

    Walk(const Vec3d& from, const Vec3d& along, double size) {
        const double start[3] = {from.x, from.y, from.z}, way[3] = {along.x, along.y, along.z};
        for (std::size_t k = 0; k < 3; ++k) {
            const double at = std::clamp(std::floor(start[k] / size), -kMostCell, kMostCell);
            cell[k] = static_cast<int>(at);
            sign[k] = way[k] < 0 ? -1 : 1;
            next[k] = way[k] == 0 ? HUGE_VAL : ((way[k] < 0 ? at : at + 1) * size - start[k]) / way[k];
            step[k] = way[k] == 0 ? HUGE_VAL : size / std::abs(way[k]);
        }
    }
    /// Enters the next cell. Returns the distance at which the ray enters it.
    double advance() {
        const std::size_t k =
            static_cast<std::size_t>(std::min_element(next.begin(), next.end()) - next.begin());
        const double entered = next[k];
        cell[k] += sign[k];
        next[k] += step[k];
        return entered;
    }
};

}  // namespace

RayGrid::RayGrid(const collision::Topology& topology, const std::vector<Vec3f>& positions)
    : topology_(&topology),
      positions_(&positions),
      cell_(std::max(kSmallestCell, kEdgesInCell * mean_edge(topology, positions))),
      cells_(topology.polygon_count(), kNoCells),
      heads_(std::bit_ceil(std::max<std::size_t>(1024, 2 * std::size_t{topology.polygon_count()})), kNoIndex),
      free_(kNoIndex) {
    entries_.reserve(3 * cells_.size());
    for (std::uint32_t p = 0; p < cells_.size(); ++p) insert(p);
}

CellBox RayGrid::box_of(std::uint32_t polygon) const {
    double low[3], high[3];
    std::fill(low, low + 3, HUGE_VAL);
    std::fill(high, high + 3, -HUGE_VAL);
    for (const std::uint32_t v : topology_->loop(polygon)) {
        const Vec3f& p = (*positions_)[v];
        const double at[3] = {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], at[k]);
            high[k] = std::max(high[k], at[k]);
        }
    }
    constexpr double kSlack = 1e-3;  // a ray that rounds into the neighbouring cell still finds the polygon
    const auto number = [&](double x) {
        return static_cast<std::int16_t>(std::clamp(std::floor(x), -kMostCell, kMostCell));
    };
    CellBox box;
    int cells = 1;
    for (std::size_t k = 0; k < 3; ++k) {
        if (!(low[k] <= high[k])) return kNoCells;
        box.low[k] = number(low[k] / cell_ - kSlack);
        box.high[k] = number(high[k] / cell_ + kSlack);
        cells = std::min(kMostCells + 1, cells * (box.high[k] - box.low[k] + 1));
    }
    return cells <= kMostCells ? box : kNoCells;
}

std::uint32_t& RayGrid::head(int x, int y, int z) {
    return heads_[hash(x, y, z) & (heads_.size() - 1)];
}

void RayGrid::add_entry(std::uint32_t& head, std::uint32_t polygon) {
    if (free_ == kNoIndex) {
        entries_.push_back({polygon, head});
        head = static_cast<std::uint32_t>(entries_.size() - 1);
        return;
    }
    const std::uint32_t entry = free_;
    free_ = entries_[entry].next;
    entries_[entry] = {polygon, head};
    head = entry;
}

void RayGrid::remove_entry(std::uint32_t& head, std::uint32_t polygon) {
    std::uint32_t* link = &head;
    while (*link != kNoIndex && entries_[*link].polygon != polygon) link = &entries_[*link].next;
    if (*link == kNoIndex) return;
    const std::uint32_t entry = *link;
    *link = entries_[entry].next;
    entries_[entry].next = free_;
    free_ = entry;
}

void RayGrid::insert(std::uint32_t polygon) {
    const CellBox box = cells_[polygon] = box_of(polygon);
    if (box == kNoCells) large_.push_back(polygon);
    for (int z = box.low[2]; z <= box.high[2]; ++z)
        for (int y = box.low[1]; y <= box.high[1]; ++y)
            for (int x = box.low[0]; x <= box.high[0]; ++x) add_entry(head(x, y, z), polygon);
}

void RayGrid::remove(std::uint32_t polygon) {
    const CellBox box = cells_[polygon];
    if (box == kNoCells) large_.erase(std::find(large_.begin(), large_.end(), polygon));
    for (int z = box.low[2]; z <= box.high[2]; ++z)
        for (int y = box.low[1]; y <= box.high[1]; ++y)
            for (int x = box.low[0]; x <= box.high[0]; ++x) remove_entry(head(x, y, z), polygon);
}

void RayGrid::update(std::uint32_t polygon) {
    if (box_of(polygon) == cells_[polygon]) return;
    remove(polygon);
    insert(polygon);
}

bool RayGrid::touches(std::uint32_t polygon, std::uint32_t vertex) const {
    const auto loop = topology_->loop(polygon);
    return std::find(loop.begin(), loop.end(), vertex) != loop.end();
}

/// Takes the polygon if the ray leaves through it nearer than `best` and it is not around `start`.
void RayGrid::leave(std::uint32_t polygon, const Vec3d& from, const Vec3d& along, std::uint32_t start,
                    Nearest& best) const {
    constexpr double kBorder = 1e-7;  // a ray through an edge must not slip between two polygons
    for (const collision::Triangle& t : topology_->triangles_of(polygon)) {
        const auto corner = [&](int i) { return collision::cast<double>((*positions_)[t.vertices[i]]); };
        const Vec3d a = corner(0), ab = corner(1) - a, ac = corner(2) - a;
        const Vec3d across = cross(along, ac);
        const double facing = dot(ab, across);  // negative where the ray and the outward normal agree
        if (!(facing < 0)) continue;
        const Vec3d to = from - a;
        const double u = dot(to, across) / facing;
        const Vec3d other = cross(to, ab);
        const double v = dot(along, other) / facing;
        if (!(u >= -kBorder && v >= -kBorder && u + v <= 1 + kBorder)) continue;
        const double distance = dot(ac, other) / facing;
        const bool nearer = distance < best.distance || (distance == best.distance && polygon < best.polygon);
        if (distance > 0 && nearer && !touches(polygon, start)) best = {distance, polygon, cross(ab, ac)};
    }
}

WayOut RayGrid::way_out(const Vec3d& from, const Vec3d& along, double reach, std::uint32_t start) const {
    Nearest best{reach, kNoIndex, {}};
    const auto test = [&](std::uint32_t polygon) { leave(polygon, from, along, start, best); };
    for (const std::uint32_t polygon : large_) test(polygon);
    Walk walk(from, along, cell_);
    const int most = 3 * (static_cast<int>(std::min(reach / cell_, kMostCell)) + 2);
    for (int i = 0; i < most; ++i) {
        const auto& [x, y, z] = walk.cell;
        for (std::uint32_t e = heads_[hash(x, y, z) & (heads_.size() - 1)]; e != kNoIndex;
             e = entries_[e].next)
            test(entries_[e].polygon);
        if (!(walk.advance() < best.distance)) break;
    }
    return {best.distance, normalized(best.normal, Vec3d{})};
}

}  // namespace claybox::app
