#include "app/potter/files/watertight.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>

namespace claybox::app {

using collision::Topology;
using collision::Vec3d;
using collision::Vec3f;

namespace {

/// Use of an edge by a polygon.
struct EdgeUse {
    std::uint32_t low = 0, high = 0;
    bool forward = false;  ///< from low to high
};

/// A stable counting sort by one end.
void sort_by(std::uint32_t EdgeUse::*end, std::uint32_t vertices, std::vector<EdgeUse>& uses) {
    std::vector<std::uint32_t> place(std::size_t{vertices} + 1);
    for (const EdgeUse& use : uses) ++place[use.*end + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    std::vector<EdgeUse> sorted(uses.size());
    for (const EdgeUse& use : uses) sorted[place[use.*end]++] = use;
    uses = std::move(sorted);
}

/// All uses, equal edges next to each other.
std::vector<EdgeUse> edge_uses(const Topology& topology) {
    std::vector<EdgeUse> uses;
    uses.reserve(topology.half_edge_count());
    for (std::uint32_t p = 0; p < topology.polygon_count(); ++p) {
        const auto loop = topology.loop(p);
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const std::uint32_t a = loop[i], b = loop[i + 1 < loop.size() ? i + 1 : 0];
            if (a != b) uses.push_back({std::min(a, b), std::max(a, b), a < b});
        }
    }
    sort_by(&EdgeUse::high, topology.vertex_count, uses);
    sort_by(&EdgeUse::low, topology.vertex_count, uses);
    return uses;
}

void count_edges(const Topology& topology, Watertight& out) {
    const std::vector<EdgeUse> uses = edge_uses(topology);
    for (std::size_t first = 0, end = 0; first < uses.size(); first = end) {
        std::size_t forward = 0;
        for (end = first;
             end < uses.size() && uses[end].low == uses[first].low && uses[end].high == uses[first].high;
             ++end)
            forward += uses[end].forward;
        const std::size_t count = end - first;
        out.open_edges += count == 1;
        out.crowded_edges += count > 2;
        out.twisted_edges += count == 2 && forward != 1;
    }
}

std::string counted(std::size_t count, const char* one, const char* many, const char* rest = "") {
    return std::to_string(count) + (count == 1 ? one : many) + rest;
}

}  // namespace

Watertight check_watertight(const Topology& topology, std::span<const Vec3f> positions) {
    Watertight out;
    count_edges(topology, out);
    if (positions.empty()) return out;
    // Relative to a vertex instead of the origin: bodies far away lose no digits.
    const Vec3d origin = collision::cast<double>(positions[0]);
    double six_volumes = 0;
    for (const collision::Triangle& t : topology.triangles) {
        const Vec3d a = collision::cast<double>(positions[t.vertices[0]]) - origin;
        const Vec3d b = collision::cast<double>(positions[t.vertices[1]]) - origin;
        const Vec3d c = collision::cast<double>(positions[t.vertices[2]]) - origin;
        six_volumes += dot(a, cross(b, c));
        out.degenerate_triangles += length_squared(cross(b - a, c - a)) == 0;
    }
    out.volume = six_volumes / 6;
    return out;
}

std::string describe(const Watertight& w) {
    std::string faults;
    const auto add = [&](std::size_t count, const std::string& text) {
        if (count != 0) faults += (faults.empty() ? "" : ", ") + text;
    };
    add(w.open_edges, counted(w.open_edges, " open edge", " open edges"));
    add(w.crowded_edges, counted(w.crowded_edges, " edge", " edges", " with more than two polygons"));
    add(w.twisted_edges, counted(w.twisted_edges, " edge", " edges", " with a polygon inside out"));
    if (w.closed() && w.volume <= 0)
        faults = w.volume < 0 ? "all polygons are inside out" : "it encloses no volume";
    if (!faults.empty()) return "not watertight: " + faults;
    char volume[64];
    std::snprintf(volume, sizeof volume, "watertight, %.1f cm³", w.volume * 1e6);
    std::string text = volume;
    if (w.degenerate_triangles != 0)
        text += ", " + counted(w.degenerate_triangles, " triangle", " triangles", " without area");
    return text;
}

}  // namespace claybox::app
