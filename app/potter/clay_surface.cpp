#include "app/potter/clay_surface.hpp"

#include "collision/pairwise/mesh/triangle_distance.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace claybox::app {

using collision::Topology;
using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr float kVerticesInCell = 90;
constexpr float kMaxCellsAcross = 64;
/// A thrown groove has a curvature of about 400 / metre. Flat clay is slightly above the middle of the range.
constexpr float kFlatCavity = 0.72f, kCavityPerBend = 1.0f / 650;

/// Sorts items by cell: the items of cell c are out[begin[c] .. begin[c + 1]), ascending.
std::vector<std::uint32_t> sorted_by_cell(const std::vector<std::uint32_t>& cell_of, std::size_t cells,
                                          std::vector<std::uint32_t>& begin) {
    begin.assign(cells + 1, 0);
    for (const std::uint32_t c : cell_of) ++begin[c + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1), out(cell_of.size());
    for (std::uint32_t i = 0; i < cell_of.size(); ++i) out[next[cell_of[i]]++] = i;
    return out;
}

void mark(std::uint32_t item, std::vector<std::uint8_t>& marks, std::vector<std::uint32_t>& list) {
    if (marks[item]) return;
    marks[item] = 1;
    list.push_back(item);
}

void unmark(std::vector<std::uint8_t>& marks, std::vector<std::uint32_t>& list) {
    for (const std::uint32_t item : list) marks[item] = 0;
    list.clear();
}

/// Frees the memory of lists.
template <class... Lists>
void forget(Lists&... lists) {
    ((lists = Lists{}), ...);
}

/// What an edge adds to the mean curvature at both of its ends (1 / metre, negative in a groove); zero for an
/// edge without length.
float bend_along(const Vec3f& way, const Vec3f& turn) {
    const float square = dot(way, way);
    return square < 1e-16f ? 0 : dot(turn, way) / square;
}

/// Share of a side in the weight of its corners; 0 for a side without length.
float share_of(const Vec3f& side) {
    const float square = dot(side, side);
    return square > 1e-15f ? 1 / square : 0;
}

}  // namespace

ClaySurface::ClaySurface(collision::ShapePtr start)
    : start_(std::move(start)), positions_(start_->geometry().positions) {
    const std::uint32_t vertices = topology().vertex_count, polygons = topology().polygon_count();
    normals_.resize(vertices);
    cavity_.resize(vertices);
    run_versions_.assign((vertices + kRun - 1) / kRun, version_);
    polygon_area_.resize(polygons);
    vertex_moved_.resize(vertices);
    polygon_moved_.resize(polygons);
    dirty_place_.resize(vertices);
    polygon_marks_.resize((polygons + 63) / 64);
    for (std::uint32_t p = 0; p < polygons; ++p) polygon_area_[p] = area_of(p);
    dirty_vertices_.resize(vertices);
    std::iota(dirty_vertices_.begin(), dirty_vertices_.end(), 0u);
    for (std::uint32_t v = 0; v < vertices; ++v) dirty_place_[v] = v + 1;
    ring_polygons_.resize(polygons);
    std::iota(ring_polygons_.begin(), ring_polygons_.end(), 0u);
    update_vertices();
    forget(around_, ring_polygons_, dirty_vertices_);
    double sum = 0;
    for (const collision::Edge& e : topology().edges) {
        const float l = length(positions_[e.vertices[0]] - positions_[e.vertices[1]]);
        longest_edge_ = std::max(longest_edge_, l);
        sum += static_cast<double>(l);
    }
    mean_edge_ =
        static_cast<float>(sum / static_cast<double>(std::max<std::size_t>(topology().edges.size(), 1)));
    make_cells();
}

void ClaySurface::continue_from(std::uint64_t version) {
    version_ = version + 1;
    std::fill(run_versions_.begin(), run_versions_.end(), version_);
}

void ClaySurface::make_cells() {
    ClayBox all{positions_[0], positions_[0]};
    for (const Vec3f& p : positions_) all.add(p);
    const Vec3f size = all.high - all.low;
    const float extent = std::max({size.x, size.y, size.z, 1e-6f});
    const float across = std::sqrt(static_cast<float>(positions_.size()) / kVerticesInCell) / 1.5f;
    const float scale = std::clamp(across, 1.0f, kMaxCellsAcross) / extent;
    const auto step = [&](float x, float low) { return static_cast<std::uint32_t>((x - low) * scale); };
    const std::uint32_t nx = step(all.high.x, all.low.x) + 1, ny = step(all.high.y, all.low.y) + 1;
    cell_of_vertex_.resize(positions_.size());
    std::vector<std::uint32_t> number;  // cell number of each grid position; empty ones have none
    for (std::size_t v = 0; v < positions_.size(); ++v) {
        const Vec3f& p = positions_[v];
        const std::uint32_t place =
            step(p.x, all.low.x) + nx * (step(p.y, all.low.y) + ny * step(p.z, all.low.z));
        if (place >= number.size()) number.resize(place + 1, collision::kNoIndex);
        if (number[place] == collision::kNoIndex) {
            number[place] = static_cast<std::uint32_t>(cells_.size());
            cells_.emplace_back();
        }
        cell_of_vertex_[v] = number[place];
    }
    std::vector<std::uint32_t> cell_of(topology().polygon_count());
    for (std::uint32_t p = 0; p < cell_of.size(); ++p) cell_of[p] = cell_of_polygon(p);
    std::vector<std::uint32_t> vertex_begin, polygon_begin;
    cell_vertices_ = sorted_by_cell(cell_of_vertex_, cells_.size(), vertex_begin);
    cell_polygons_ = sorted_by_cell(cell_of, cells_.size(), polygon_begin);
    cell_is_dirty_.resize(cells_.size());
    tree_.resize(cells_.size());
    for (std::uint32_t c = 0; c < cells_.size(); ++c) {
        Cell& cell = cells_[c];
        cell.first_vertex = vertex_begin[c];
        cell.end_vertex = vertex_begin[c + 1];
        cell.first_polygon = polygon_begin[c];
        cell.end_polygon = polygon_begin[c + 1];
        bound(c);
        sum(c);
    }
    tree_.update_all();
}

void ClaySurface::bound(std::uint32_t number) {
    const Cell& cell = cells_[number];
    const Vec3f first = positions_[cell_vertices_[cell.first_vertex]];
    ClayBox box{first, first};
    float widest = 0;
    for (std::uint32_t i = cell.first_vertex; i < cell.end_vertex; ++i) {
        const Vec3f& p = positions_[cell_vertices_[i]];
        box.add(p);
        widest = std::max(widest, p.x * p.x + p.z * p.z);
    }
    tree_.cell(number).box = box;
    tree_.cell(number).widest = widest;
    cell.rim = std::numeric_limits<float>::quiet_NaN();
}

/// Six times the signed volume between the polygon's triangles and `origin`.
double ClaySurface::six_volumes_of(std::uint32_t polygon, const Vec3d& origin) const {
    const auto triangles = topology().triangles_of(polygon);
    const auto corner = [&](std::uint32_t v) { return collision::cast<double>(positions_[v]) - origin; };
    if (triangles.size() <= 2) {
        // All triangles meet at a corner, so that the area of the polygon says it all.
        std::uint32_t pivot = triangles.back().vertices[0];
        const std::uint32_t* const first = triangles.front().vertices;
        if (pivot != first[0] && pivot != first[1] && pivot != first[2]) pivot = triangles.back().vertices[1];
        return dot(corner(pivot), collision::cast<double>(polygon_area_[polygon]));
    }
    double sum = 0;
    for (const collision::Triangle& t : triangles)
        sum += dot(corner(t.vertices[0]), cross(corner(t.vertices[1]), corner(t.vertices[2])));
    return sum;
}

void ClaySurface::sum(std::uint32_t number) {
    const Cell& cell = cells_[number];
    // Relative to a start vertex instead of the origin: bodies far away lose no digits.
    const Vec3d origin = collision::cast<double>(start_positions()[0]);
    double six_volumes = 0;
    std::uint32_t polygons_moved = 0;
    for (std::uint32_t i = cell.first_polygon; i < cell.end_polygon; ++i) {
        six_volumes += six_volumes_of(cell_polygons_[i], origin);
        polygons_moved += polygon_moved_[cell_polygons_[i]];
    }
    tree_.cell(number).six_volumes = six_volumes;
    tree_.cell(number).polygons_moved = polygons_moved;
}

Vec3f ClaySurface::area_of(std::uint32_t polygon) const {
    const auto loop = topology().loop(polygon);
    const Vec3f origin = positions_[loop[0]];
    Vec3f out, before = positions_[loop[1]] - origin;
    for (const std::uint32_t v : loop.subspan(2)) {
        const Vec3f here = positions_[v] - origin;
        out += cross(before, here);
        before = here;
    }
    return out;
}

/// Cavity from the mean curvature towards the neighbours.
float ClaySurface::shade_of(std::uint32_t vertex, float bend, float edges) const {
    if (edges == 0) return 1;
    const float open = std::clamp(kFlatCavity + 2 * bend / edges * kCavityPerBend, 0.0f, 1.0f);
    const float frozen = mask_ ? (*mask_)[vertex] : 0;
    return open * (1 - frozen) - frozen;
}

float ClaySurface::cavity_of(std::uint32_t vertex) const {
    float bend = 0, edges = 0;
    for (const std::uint32_t p : topology().polygons_around(vertex)) {
        const auto loop = topology().loop(p);
        for (std::size_t i = 0; i < loop.size(); ++i) {
            if (loop[i] != vertex) continue;
            const std::uint32_t next = loop[i + 1 < loop.size() ? i + 1 : 0];
            bend += bend_along(positions_[next] - positions_[vertex], normals_[next] - normals_[vertex]);
            ++edges;
        }
    }
    return shade_of(vertex, bend, edges);
}

void ClaySurface::mark_polygons_around(std::span<const std::uint32_t> vertices) {
    std::size_t first = polygon_marks_.size(), last = 0;
    for (const std::uint32_t v : vertices) {
        for (const std::uint32_t p : topology().polygons_around(v)) {
            const std::size_t word = p / 64;
            polygon_marks_[word] |= std::uint64_t{1} << p % 64;
            first = std::min(first, word), last = std::max(last, word);
        }
    }
    first_mark_ = first, end_mark_ = std::max(first, last + 1);
}

/// Reads the marked polygons, ascending, and clears the marks. Their order makes sums independent of the
/// order of changes.
void ClaySurface::take_marked_polygons(std::vector<std::uint32_t>& out) {
    out.clear();
    for (std::size_t word = first_mark_; word < std::min(end_mark_, polygon_marks_.size()); ++word)
        for (std::uint64_t bits = std::exchange(polygon_marks_[word], 0); bits != 0; bits &= bits - 1)
            out.push_back(static_cast<std::uint32_t>(64 * word) +
                          static_cast<std::uint32_t>(std::countr_zero(bits)));
}

/// Areas of the polygons around the changed vertices; finds the vertices whose normals change.
void ClaySurface::update_polygons(std::span<const std::uint32_t> changed_vertices) {
    for (const std::uint32_t v : changed_vertices) {
        vertex_moved_[v] = !(positions_[v] == start_positions()[v]);
        mark(cell_of_vertex_[v], cell_is_dirty_, dirty_cells_);
    }
    mark_polygons_around(changed_vertices);
    take_marked_polygons(dirty_polygons_);
    for (const std::uint32_t p : dirty_polygons_) {
        mark(cell_of_polygon(p), cell_is_dirty_, dirty_cells_);
        polygon_area_[p] = area_of(p);
        std::uint8_t moved = 0;
        for (const std::uint32_t v : topology().loop(p)) {
            moved |= vertex_moved_[v];
            if (dirty_place_[v] != 0) continue;
            dirty_vertices_.push_back(v);
            dirty_place_[v] = static_cast<std::uint32_t>(dirty_vertices_.size());
        }
        polygon_moved_[p] = moved;
    }
}

/// Corners weigh by the sine of their angle over the lengths of their sides (Max 1999). Areas as weights
/// would make sharp edges look torn where long and short triangles meet at them.
void ClaySurface::sum_corners() {
    for (const std::uint32_t p : ring_polygons_) {
        const auto loop = topology().loop(p);
        std::uint32_t v = loop.back();
        Vec3f at = positions_[v], side = at - positions_[loop[loop.size() - 2]];
        float share = share_of(side);
        for (const std::uint32_t next : loop) {
            const Vec3f next_at = positions_[next], next_side = next_at - at;
            const float next_share = share_of(next_side);
            if (const std::uint32_t place = dirty_place_[v]; place != 0)
                around_[place - 1].normal += cross(side, next_side) * (share * next_share);
            v = next, at = next_at, side = next_side, share = next_share;
        }
    }
}

void ClaySurface::sum_bends() {
    for (const std::uint32_t p : ring_polygons_) {
        const auto loop = topology().loop(p);
        std::uint32_t v = loop.back();
        for (const std::uint32_t next : loop) {
            if (const std::uint32_t place = dirty_place_[v]; place != 0) {
                Around& at = around_[place - 1];
                at.bend += bend_along(positions_[next] - positions_[v], normals_[next] - normals_[v]);
                at.edges += 1;
            }
            v = next;
        }
    }
}

/// Normals and cavity of dirty_vertices_, with ring_polygons_ around them. Sums over polygons instead of
/// vertices read each polygon's corners once.
void ClaySurface::update_vertices() {
    around_.assign(dirty_vertices_.size(), {});
    sum_corners();
    for (std::size_t i = 0; i < dirty_vertices_.size(); ++i) {
        const Vec3f& normal = around_[i].normal;
        const float l = length(normal);
        normals_[dirty_vertices_[i]] = l > 1e-30f ? normal / l : Vec3f{0, 1, 0};
    }
    sum_bends();
    for (std::size_t i = 0; i < dirty_vertices_.size(); ++i) {
        const std::uint32_t v = dirty_vertices_[i];
        cavity_[v] = shade_of(v, around_[i].bend, around_[i].edges);
        run_versions_[v / kRun] = version_;
        dirty_place_[v] = 0;
    }
}

void ClaySurface::commit(std::span<const std::uint32_t> changed_vertices) {
    if (changed_vertices.empty()) return;
    ++version_;
    update_polygons(changed_vertices);
    mark_polygons_around(dirty_vertices_);
    take_marked_polygons(ring_polygons_);
    update_vertices();
    for (const std::uint32_t c : dirty_cells_) {
        bound(c);
        sum(c);
    }
    tree_.update(dirty_cells_);
    work_ = {dirty_polygons_.size(), dirty_vertices_.size()};
    dirty_vertices_.clear();
    unmark(cell_is_dirty_, dirty_cells_);
}

double ClaySurface::distance(const Vec3d& from, const Vec3d& to, double reach) const {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    const Vec3f middle = collision::cast<float>((from + to) * 0.5),
                half = collision::cast<float>(to - from) / 2;
    const float square = std::max(dot(half, half), 1e-12f), along = std::sqrt(square);
    const auto gap = [&](std::uint32_t v) {
        const Vec3f p = positions_[v] - middle;
        return length(p - half * std::clamp(dot(p, half) / square, -1.0f, 1.0f));
    };
    // Bound for the distance of a polygon's points from its first vertex; allows for moderately stretched
    // clay.
    const float size = 2 * longest_edge_;
    float nearest = static_cast<float>(reach);
    visit_near(middle, along + nearest, [&](std::uint32_t v) { nearest = std::min(nearest, gap(v)); });
    const collision::TriangleCorners<double> segment{{from, to, to}};
    double best = kFar;
    visit_near(middle, along + nearest + size, [&](std::uint32_t v) {
        if (gap(v) > nearest + size) return;
        for (const std::uint32_t p : topology().polygons_around(v)) {
            if (topology().loop(p)[0] != v) continue;
            for (const collision::Triangle& t : topology().triangles_of(p)) {
                const auto corner = [&](int i) { return collision::cast<double>(positions_[t.vertices[i]]); };
                const collision::TriangleCorners<double> triangle{{corner(0), corner(1), corner(2)}};
                best = std::min(best, collision::closest_of_triangles(segment, triangle, best).squared);
            }
        }
    });
    return best <= reach * reach ? std::sqrt(best) : kFar;
}

float ClaySurface::mouth_of(std::uint32_t number, float rim) const {
    const Cell& cell = cells_[number];
    if (cell.rim == rim) return cell.mouth;
    cell.rim = rim;
    cell.mouth = 0;
    for (std::uint32_t i = cell.first_vertex; i < cell.end_vertex; ++i) {
        const Vec3f& p = positions_[cell_vertices_[i]];
        if (p.y >= rim) cell.mouth = std::max(cell.mouth, p.x * p.x + p.z * p.z);
    }
    return cell.mouth;
}

ClayMeasures ClaySurface::measure() const {
    const CellSum& all = tree_.all();
    const float low = all.box.low.y, high = all.box.high.y, rim = high - 0.05f * (high - low);
    float mouth = 0;
    tree_.visit([&](const CellSum& sum) { return sum.box.high.y >= rim && sum.widest > mouth; },
                [&](std::uint32_t number) { mouth = std::max(mouth, mouth_of(number, rim)); });
    ClayMeasures out;
    out.polygons_moved = all.polygons_moved;
    out.volume = all.six_volumes / 6;
    out.height = static_cast<double>(high - low);
    out.widest = 2 * std::sqrt(static_cast<double>(all.widest));
    out.mouth = 2 * std::sqrt(static_cast<double>(mouth));
    return out;
}

}  // namespace claybox::app
