#include "app/potter/clay_surface.hpp"

#include "collision/pairwise/mesh/triangle_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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

}  // namespace

ClaySurface::ClaySurface(collision::ShapePtr start)
    : start_(std::move(start)), positions_(start_->geometry().positions) {
    const std::uint32_t vertices = topology().vertex_count, polygons = topology().polygon_count();
    normals_.resize(vertices);
    cavity_.resize(vertices);
    run_versions_.assign((vertices + kRun - 1) / kRun, version_);
    polygon_area_.resize(polygons);
    vertex_is_dirty_.resize(vertices);
    polygon_is_dirty_.resize(polygons);
    for (std::uint32_t p = 0; p < polygons; ++p) polygon_area_[p] = area_of(p);
    for (std::uint32_t v = 0; v < vertices; ++v) normals_[v] = normal_of(v);
    for (std::uint32_t v = 0; v < vertices; ++v) cavity_[v] = cavity_of(v);
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
    cell_of_polygon_.resize(topology().polygon_count());
    for (std::uint32_t p = 0; p < cell_of_polygon_.size(); ++p)
        cell_of_polygon_[p] = cell_of_vertex_[topology().loop(p)[0]];
    std::vector<std::uint32_t> vertex_begin, polygon_begin;
    cell_vertices_ = sorted_by_cell(cell_of_vertex_, cells_.size(), vertex_begin);
    cell_polygons_ = sorted_by_cell(cell_of_polygon_, cells_.size(), polygon_begin);
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

void ClaySurface::sum(std::uint32_t number) {
    const Cell& cell = cells_[number];
    // Relative to a start vertex instead of the origin: bodies far away lose no digits.
    const Vec3d origin = collision::cast<double>(start_positions()[0]);
    const std::vector<Vec3f>& start = start_positions();
    double six_volumes = 0;
    std::uint32_t polygons_moved = 0;
    for (std::uint32_t i = cell.first_polygon; i < cell.end_polygon; ++i) {
        const std::uint32_t p = cell_polygons_[i];
        for (const collision::Triangle& t : topology().triangles_of(p)) {
            const Vec3d a = collision::cast<double>(positions_[t.vertices[0]]) - origin;
            const Vec3d b = collision::cast<double>(positions_[t.vertices[1]]) - origin;
            const Vec3d c = collision::cast<double>(positions_[t.vertices[2]]) - origin;
            six_volumes += dot(a, cross(b, c));
        }
        const auto loop = topology().loop(p);
        polygons_moved += std::any_of(loop.begin(), loop.end(),
                                      [&](std::uint32_t v) { return !(positions_[v] == start[v]); });
    }
    tree_.cell(number).six_volumes = six_volumes;
    tree_.cell(number).polygons_moved = polygons_moved;
}

Vec3f ClaySurface::area_of(std::uint32_t polygon) const {
    const auto loop = topology().loop(polygon);
    const Vec3f origin = positions_[loop[0]];
    Vec3f out;
    for (std::size_t i = 1; i + 1 < loop.size(); ++i)
        out += cross(positions_[loop[i]] - origin, positions_[loop[i + 1]] - origin);
    return out;
}

/// Corners weigh by the sine of their angle over the lengths of their sides (Max 1999). Areas as weights
/// would make sharp edges look torn where long and short triangles meet at them.
Vec3f ClaySurface::normal_of(std::uint32_t vertex) const {
    Vec3f out;
    const Vec3f& at = positions_[vertex];
    for (const std::uint32_t p : topology().polygons_around(vertex)) {
        const auto loop = topology().loop(p);
        const auto corner =
            static_cast<std::size_t>(std::find(loop.begin(), loop.end(), vertex) - loop.begin());
        const Vec3f next = positions_[loop[corner + 1 < loop.size() ? corner + 1 : 0]] - at;
        const Vec3f before = positions_[loop[corner > 0 ? corner - 1 : loop.size() - 1]] - at;
        const float squares = dot(next, next) * dot(before, before);
        if (squares > 1e-30f) out += cross(next, before) / squares;
    }
    const float l = length(out);
    return l > 1e-30f ? out / l : Vec3f{0, 1, 0};
}

/// Cavity from the mean curvature towards the neighbours (1 / metre, negative in a groove).
float ClaySurface::cavity_of(std::uint32_t vertex) const {
    const Topology& t = topology();
    float bend = 0, count = 0;
    for (const std::uint32_t p : t.polygons_around(vertex)) {
        const auto loop = t.loop(p);
        const auto at = static_cast<std::size_t>(std::find(loop.begin(), loop.end(), vertex) - loop.begin());
        const std::uint32_t next = loop[at + 1 < loop.size() ? at + 1 : 0];
        const Vec3f way = positions_[next] - positions_[vertex];
        const float square = dot(way, way);
        if (square < 1e-16f) continue;
        bend += dot(normals_[next] - normals_[vertex], way) / square;
        ++count;
    }
    if (count == 0) return 1;
    const float open = std::clamp(kFlatCavity + 2 * bend / count * kCavityPerBend, 0.0f, 1.0f);
    const float frozen = mask_ ? (*mask_)[vertex] : 0;
    return open * (1 - frozen) - frozen;
}

void ClaySurface::find_polygons(std::span<const std::uint32_t> changed_vertices) {
    for (const std::uint32_t v : changed_vertices) {
        mark(cell_of_vertex_[v], cell_is_dirty_, dirty_cells_);
        for (const std::uint32_t p : topology().polygons_around(v))
            mark(p, polygon_is_dirty_, dirty_polygons_);
    }
    for (const std::uint32_t p : dirty_polygons_) {
        mark(cell_of_polygon_[p], cell_is_dirty_, dirty_cells_);
        polygon_area_[p] = area_of(p);
        for (const std::uint32_t v : topology().loop(p)) mark(v, vertex_is_dirty_, dirty_vertices_);
    }
}

void ClaySurface::commit(std::span<const std::uint32_t> changed_vertices) {
    if (changed_vertices.empty()) return;
    ++version_;
    find_polygons(changed_vertices);
    for (const std::uint32_t v : dirty_vertices_) normals_[v] = normal_of(v);
    for (const std::uint32_t v : dirty_vertices_) {
        cavity_[v] = cavity_of(v);
        run_versions_[v / kRun] = version_;
    }
    for (const std::uint32_t c : dirty_cells_) {
        bound(c);
        sum(c);
    }
    tree_.update(dirty_cells_);
    work_ = {dirty_polygons_.size(), dirty_vertices_.size()};
    unmark(polygon_is_dirty_, dirty_polygons_);
    unmark(vertex_is_dirty_, dirty_vertices_);
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
