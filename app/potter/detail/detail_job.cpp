#include "app/potter/detail/detail_job.hpp"

#include "app/potter/detail/merge.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace claybox::app {

using collision::Vec3f;

namespace {

bool is_less(const Vec3f& a, const Vec3f& b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

void separate_equal_positions(std::vector<Vec3f>& positions) {
    for (Vec3f& p : positions) p = p + Vec3f{};  // -0 becomes 0
    std::vector<std::uint32_t> order(positions.size());
    std::iota(order.begin(), order.end(), 0u);
    bool found = true;
    while (found) {
        found = false;
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return is_less(positions[a], positions[b]) || (positions[a] == positions[b] && a < b);
        });
        for (std::size_t i = 1; i < order.size(); ++i) {
            Vec3f& p = positions[order[i]];
            if (!(p == positions[order[i - 1]])) continue;
            p.x = std::nextafter(p.x, 2 * std::abs(p.x) + 1);
            found = true;
        }
    }
}

bool is_triangles(const collision::Topology& topology) {
    return topology.half_edge_count() == 3 * topology.polygon_count();
}

/// All of a clay that has other polygons than triangles.
ClayDelta whole_clay(const collision::ShapePtr& shape, const ClayMesh& before) {
    ClayDelta out;
    out.remeshed = true;
    out.whole = shape;
    for (std::uint32_t v = 0; v < before.positions.size(); ++v) {
        out.vertices.push_back({v, before.positions[v]});
        out.masks.push_back({v, before.mask[v]});
    }
    return out;
}

/// A thread of clay that is thinner than its edges are long stays, because no triangle of it can go.
bool has_free_sliver(const ClayMesh& mesh) {
    std::vector<std::uint32_t> corners;
    add_slivers(mesh, corners);
    return std::any_of(corners.begin(), corners.end(), [&](std::uint32_t v) { return mesh.mask[v] == 0; });
}

constexpr int kMerges = 4;

}  // namespace

std::uint64_t job_frames(std::size_t polygons) {
    return 2 + polygons / 2500;
}

collision::Result<collision::ShapePtr> shape_of(ClayMesh& mesh) {
    separate_equal_positions(mesh.positions);
    return collision::Shape::from_polygons(polygon_list(mesh), "clay");
}

void DetailJob::refine_mesh(ClayMesh& mesh) {
    EditMesh editable(std::move(mesh));
    work = refine(editable, seeds, limits);
    mesh = std::move(editable).take();
}

void DetailJob::run() {
    const collision::Topology& topology = shape->topology();
    const ClayMesh start = clay_mesh(topology, positions, mask);
    ClayMesh mesh = start;
    if (edit) {
        auto edited = edit.change(start, seeds);
        if (!edited.ok()) {
            problem = edited.error().text();
            return;
        }
        mesh = std::move(edited).value();
    }
    add_slivers(mesh, seeds);
    refine_mesh(mesh);
    if (work.total() == 0 && !edit) return;
    // Another spacing cuts a crumpled place at other points.
    for (int round = 0; round < kMerges && edit.may_merge && (has_free_sliver(mesh) || has_fold(mesh));
         ++round) {
        mesh = merged(mesh, limits.edge * (1 + 0.1f * static_cast<float>(round)), limits.budget);
        seeds.resize(mesh.positions.size());
        std::iota(seeds.begin(), seeds.end(), 0u);
        refine_mesh(mesh);
    }
    auto made = shape_of(mesh);
    if (!made.ok() || mesh.triangles.empty()) {
        problem = made.ok() ? "No clay would be left" : made.error().text();
        return;
    }
    surface = std::make_unique<ClaySurface>(std::move(made).value());
    if (to_before.whole) {
        delta = std::move(to_before);
    } else {
        ClayMesh before = start;
        apply(to_before, before);
        delta = is_triangles(topology) ? difference(mesh, before) : whole_clay(shape, before);
    }
    new_mask = std::move(mesh.mask);
    if (make_extras) extras = make_extras(*surface);
}

}  // namespace claybox::app
