#include "collision/geometry/polygons/loops.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

// The first half-edge of h's fan: the one at its border, or h itself if the fan is closed.
std::uint32_t fan_start(const Topology& t, std::uint32_t h) {
    std::uint32_t at = h;
    for (std::uint32_t g = prev_around_origin(t, at); g != kNoIndex && g != h; g = prev_around_origin(t, at))
        at = g;
    return prev_around_origin(t, at) == kNoIndex ? at : h;
}

}  // namespace

void fans_around(const Topology& t, std::uint32_t vertex, VertexFans& out) {
    out.half_edges.clear();
    out.begin.assign(1, 0);
    out.closed.clear();
    std::vector<std::uint32_t> corners;  // ascending, because polygons are
    for (const std::uint32_t p : t.polygons_around(vertex)) {
        for (std::uint32_t h = t.polygon_begin[p]; h < t.polygon_begin[p + 1]; ++h) {
            if (t.origin[h] == vertex) corners.push_back(h);
        }
    }
    std::vector<bool> seen(corners.size(), false);
    for (std::size_t i = 0; i < corners.size(); ++i) {
        if (seen[i]) continue;
        const std::uint32_t start = fan_start(t, corners[i]);
        std::uint32_t h = start;
        do {
            const auto at = std::lower_bound(corners.begin(), corners.end(), h);
            seen[static_cast<std::size_t>(at - corners.begin())] = true;
            out.half_edges.push_back(h);
            h = next_around_origin(t, h);
        } while (h != kNoIndex && h != start);
        out.closed.push_back(h == start);
        out.begin.push_back(static_cast<std::uint32_t>(out.half_edges.size()));
    }
}

std::vector<std::uint32_t> vertex_neighbours(const Topology& t, std::uint32_t vertex) {
    VertexFans fans;
    fans_around(t, vertex, fans);
    std::vector<std::uint32_t> out;
    const auto add = [&](std::uint32_t v) {
        if (v != vertex && std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
    };
    for (std::size_t f = 0; f < fans.count(); ++f) {
        for (std::uint32_t i = fans.begin[f]; i < fans.begin[f + 1]; ++i)
            add(t.origin[t.next(fans.half_edges[i])]);
        // The last edge of an open fan ends at the vertex, so no outgoing half-edge covers it.
        if (!fans.closed[f]) add(t.origin[t.prev(fans.half_edges[fans.begin[f + 1] - 1])]);
    }
    return out;
}

std::vector<std::uint32_t> polygon_neighbours(const Topology& t, std::uint32_t polygon) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t h = t.polygon_begin[polygon]; h < t.polygon_begin[polygon + 1]; ++h)
        out.push_back(t.twin[h] == kNoIndex ? kNoIndex : t.polygon_of[t.twin[h]]);
    return out;
}

}  // namespace claybox::collision
