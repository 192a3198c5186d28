#include "collision/geometry/polyhedron.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/polygons/keyhole.hpp"
#include "collision/geometry/polygons/triangulate.hpp"
#include "collision/geometry/transform.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace claybox::collision {

namespace {

Status check_list(const PolygonList& list) {
    const std::size_t n = list.positions.size();
    if (n == 0) return Error{"a mesh has no vertices", {}, 0};
    if (n >= kNoIndex || list.indices.size() >= kNoIndex)
        return Error{"a mesh has more than 2^32 - 2 elements", {}, 0};
    for (std::size_t v = 0; v < n; ++v) {
        const Vec3f& p = list.positions[v];
        if (!is_finite(p))
            return Error{"vertex " + std::to_string(v) + " has a coordinate that is not finite", {}, 0};
        const float largest = std::fmax(std::fmax(std::fabs(p.x), std::fabs(p.y)), std::fabs(p.z));
        if (static_cast<double>(largest) > kMaxMagnitude)
            return Error{"vertex " + std::to_string(v) + " has a coordinate of magnitude above 2^60", {}, 0};
    }
    if (list.begin.empty() || list.begin.front() != 0 || list.begin.back() != list.indices.size())
        return Error{"a mesh's polygon table does not fit its indices", {}, 0};
    for (std::size_t p = 0; p + 1 < list.begin.size(); ++p) {
        if (list.begin[p + 1] < list.begin[p] || list.begin[p + 1] - list.begin[p] < 3)
            return Error{"polygon " + std::to_string(p) + " has fewer than three vertices", {}, 0};
        if (list.begin[p + 1] > list.indices.size())
            return Error{"a mesh's polygon table does not fit its indices", {}, 0};
        for (const std::uint32_t v : list.polygon(p)) {
            if (v >= n)
                return Error{"polygon " + std::to_string(p) + " refers to vertex " + std::to_string(v) +
                                 "; expected 0 to " + std::to_string(n - 1),
                             {},
                             0};
        }
    }
    return Done{};
}

// Merges equal positions; vertices are numbered by first occurrence. Returns the new index of every old
// vertex.
std::vector<std::uint32_t> merge_positions(const std::vector<Vec3f>& in, std::vector<Vec3f>& out) {
    const std::size_t mask = std::bit_ceil(2 * in.size()) - 1;
    std::vector<std::uint32_t> slots(mask + 1, kNoIndex), merged(in.size());
    out.reserve(in.size());
    for (std::size_t v = 0; v < in.size(); ++v) {
        const Vec3f p = in[v] + Vec3f{};  // adding +0 turns -0 into 0
        const auto bits = [](float f) { return std::uint64_t{std::bit_cast<std::uint32_t>(f)}; };
        std::size_t slot = mix64((bits(p.x) | bits(p.y) << 32) ^ mix64(bits(p.z))) & mask;
        while (slots[slot] != kNoIndex && !(out[slots[slot]] == p)) slot = (slot + 1) & mask;
        if (slots[slot] == kNoIndex) {
            slots[slot] = static_cast<std::uint32_t>(out.size());
            out.push_back(p);
        }
        merged[v] = slots[slot];
    }
    out.shrink_to_fit();
    return merged;
}

// Half-edges sorted by their smaller vertex (counting sort), then within each bucket by the larger vertex and
// the half-edge's number: key = larger << 32 | half-edge. Linear, apart from the logarithm of the largest
// bucket.
struct SortedHalfEdges {
    std::vector<std::uint32_t> begin;
    std::vector<std::uint64_t> key;
};

SortedHalfEdges sort_half_edges(const Topology& t) {
    SortedHalfEdges out;
    out.begin.assign(t.vertex_count + 1, 0);
    const std::uint32_t n = t.half_edge_count();
    for (std::uint32_t h = 0; h < n; ++h) {
        const std::uint32_t a = t.origin[h], b = t.origin[t.next(h)];
        if (a != b) ++out.begin[std::min(a, b) + 1];
    }
    for (std::uint32_t v = 0; v < t.vertex_count; ++v) out.begin[v + 1] += out.begin[v];
    out.key.resize(out.begin.back());
    for (std::uint32_t h = 0; h < n; ++h) {
        const std::uint32_t a = t.origin[h], b = t.origin[t.next(h)];
        if (a != b) out.key[out.begin[std::min(a, b)]++] = std::uint64_t{std::max(a, b)} << 32 | h;
    }
    for (std::uint32_t v = t.vertex_count; v > 0; --v) out.begin[v] = out.begin[v - 1];
    out.begin[0] = 0;
    for (std::uint32_t v = 0; v < t.vertex_count; ++v) {
        std::sort(out.key.begin() + out.begin[v], out.key.begin() + out.begin[v + 1]);
    }
    return out;
}

void add_edge(Topology& t, std::uint32_t smaller, std::span<const std::uint64_t> uses) {
    const auto index = static_cast<std::uint32_t>(t.edges.size());
    Edge edge;
    edge.vertices[0] = smaller;
    edge.vertices[1] = static_cast<std::uint32_t>(uses[0] >> 32);
    edge.use_count = static_cast<std::uint32_t>(uses.size());
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const auto h = static_cast<std::uint32_t>(uses[i]);
        t.edge_of[h] = index;
        if (i < 2) edge.polygons[i] = t.polygon_of[h];
    }
    if (uses.size() == 2) {
        const auto g = static_cast<std::uint32_t>(uses[0]), h = static_cast<std::uint32_t>(uses[1]);
        if (t.origin[g] != t.origin[h]) {
            t.twin[g] = h;
            t.twin[h] = g;
        }
    }
    t.edges.push_back(edge);
}

void find_edges(Topology& t) {
    const SortedHalfEdges sorted = sort_half_edges(t);
    const auto starts_edge = [&](std::uint32_t v, std::uint32_t i) {
        return i == sorted.begin[v] || sorted.key[i] >> 32 != sorted.key[i - 1] >> 32;
    };
    std::size_t count = 0;
    for (std::uint32_t v = 0; v < t.vertex_count; ++v) {
        for (std::uint32_t i = sorted.begin[v]; i < sorted.begin[v + 1]; ++i)
            count += starts_edge(v, i) ? 1 : 0;
    }
    t.edges.clear();
    t.edges.reserve(count);
    t.edge_of.assign(t.half_edge_count(), kNoIndex);
    t.twin.assign(t.half_edge_count(), kNoIndex);
    for (std::uint32_t v = 0; v < t.vertex_count; ++v) {
        for (std::uint32_t i = sorted.begin[v]; i < sorted.begin[v + 1];) {
            std::uint32_t end = i + 1;
            while (end < sorted.begin[v + 1] && !starts_edge(v, end)) ++end;
            add_edge(t, v, {sorted.key.data() + i, sorted.key.data() + end});
            i = end;
        }
    }
}

// Fills the table of polygons around each vertex. A polygon that repeats a vertex is listed once.
void find_polygons_around(Topology& t) {
    auto& begin = t.vertex_polygon_begin;
    begin.assign(t.vertex_count + 1, 0);
    t.vertex_first.assign(t.vertex_count, kNoIndex);
    std::vector<std::uint32_t> last(t.vertex_count, kNoIndex);
    const auto each = [&](auto&& visit) {
        std::fill(last.begin(), last.end(), kNoIndex);
        for (std::uint32_t h = 0; h < t.half_edge_count(); ++h) {
            const std::uint32_t v = t.origin[h], p = t.polygon_of[h];
            if (last[v] == p) continue;
            last[v] = p;
            visit(v, p, h);
        }
    };
    each([&](std::uint32_t v, std::uint32_t, std::uint32_t h) {
        ++begin[v + 1];
        if (t.vertex_first[v] == kNoIndex) t.vertex_first[v] = h;
    });
    for (std::uint32_t v = 0; v < t.vertex_count; ++v) begin[v + 1] += begin[v];
    t.vertex_polygons.resize(begin.back());
    each([&](std::uint32_t v, std::uint32_t p, std::uint32_t) { t.vertex_polygons[begin[v]++] = p; });
    for (std::uint32_t v = t.vertex_count; v > 0; --v) begin[v] = begin[v - 1];
    begin[0] = 0;
}

void triangulate_all(Topology& t, const std::vector<Vec3f>& positions) {
    const std::uint32_t n = t.polygon_count();
    t.triangles.reserve(t.half_edge_count() - 2 * std::size_t{n});
    t.triangle_begin.assign(1, 0);
    t.triangle_begin.reserve(n + std::size_t{1});
    Triangulator triangulator;
    std::vector<std::uint32_t> corners;
    for (std::uint32_t p = 0; p < n; ++p) {
        corners.clear();
        triangulator.triangulate(positions, t.loop(p), corners);
        for (std::size_t i = 0; i < corners.size(); i += 3)
            t.triangles.push_back({{corners[i], corners[i + 1], corners[i + 2]}, p});
        t.triangle_begin.push_back(static_cast<std::uint32_t>(t.triangles.size()));
    }
}

template <class T>
std::size_t bytes(const std::vector<T>& v) {
    return v.capacity() * sizeof(T);
}

}  // namespace

std::size_t Topology::memory_bytes() const {
    return sizeof *this + bytes(polygon_begin) + bytes(origin) + bytes(twin) + bytes(polygon_of) +
           bytes(edge_of) + bytes(vertex_first) + bytes(edges) + bytes(triangles) + bytes(triangle_begin) +
           bytes(vertex_polygon_begin) + bytes(vertex_polygons) + bytes(outlines) + bytes(outline_vertices);
}

std::span<const Outline> Topology::outlines_of(std::uint32_t p) const {
    const auto [low, high] =
        std::equal_range(outlines.begin(), outlines.end(), Outline{p, 0, 0, false},
                         [](const Outline& a, const Outline& b) { return a.polygon < b.polygon; });
    return std::span(outlines).subspan(static_cast<std::size_t>(low - outlines.begin()),
                                       static_cast<std::size_t>(high - low));
}

void connect(Topology& topology) {
    topology.polygon_of.resize(topology.origin.size());
    for (std::uint32_t p = 0; p < topology.polygon_count(); ++p) {
        for (std::uint32_t h = topology.polygon_begin[p]; h < topology.polygon_begin[p + 1]; ++h)
            topology.polygon_of[h] = p;
    }
    find_edges(topology);
    find_polygons_around(topology);
}

void merge_equal_positions(PolygonList& polygons) {
    std::vector<Vec3f> positions;
    const std::vector<std::uint32_t> merged = merge_positions(polygons.positions, positions);
    polygons.positions = std::move(positions);
    for (std::uint32_t& v : polygons.indices) v = merged[v];
}

Result<Polyhedron> build_polyhedron(const PolygonList& polygons) {
    if (Status status = check_list(polygons); !status) return status.error();
    Topology topology;
    std::vector<Vec3f> positions;
    topology.origin.reserve(polygons.indices.size());
    {
        const std::vector<std::uint32_t> merged = merge_positions(polygons.positions, positions);
        for (const std::uint32_t v : polygons.indices) topology.origin.push_back(merged[v]);
    }
    topology.vertex_count = static_cast<std::uint32_t>(positions.size());
    topology.polygon_begin = polygons.begin;
    connect(topology);
    return triangulated(std::move(topology), std::move(positions));
}

Polyhedron triangulated(Topology connected, std::vector<Vec3f> positions) {
    triangulate_all(connected, positions);
    find_outlines(connected, positions);
    return {std::make_shared<const Topology>(std::move(connected)), std::move(positions)};
}

}  // namespace claybox::collision
