#include "collision/continuous/screw_motion/screw_mesh.hpp"

#include "collision/geometry/polygons/polygon_plane.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// One side of an edge: the loop of `face` goes from `from` to `to`.
struct Side {
    std::uint32_t low, high, face, source;
    bool forward;  ///< from low to high
};

void add_faces(const Geometry& geometry, ScrewMesh& mesh) {
    const Topology& t = *geometry.topology;
    double largest = 0;
    for (const Vec3f& p : geometry.positions)
        for (std::size_t k = 0; k < 3; ++k) largest = std::max(largest, std::fabs(static_cast<double>(p[k])));
    const double rounding = 4 * 0x1p-23 * largest;
    const auto add = [&](std::span<const std::uint32_t> loop, std::uint32_t polygon) {
        mesh.face_vertices.insert(mesh.face_vertices.end(), loop.begin(), loop.end());
        mesh.face_begin.push_back(static_cast<std::uint32_t>(mesh.face_vertices.size()));
        mesh.face_source.push_back(polygon);
    };
    for (std::uint32_t p = 0; p < t.polygon_count(); ++p) {
        if (t.loop(p).size() <= 3 || is_flat(geometry.positions, t.loop(p), rounding)) {
            add(t.loop(p), p);
        } else {
            for (const Triangle& triangle : t.triangles_of(p)) add(triangle.vertices, p);
        }
    }
}

void add_normals(ScrewMesh& mesh) {
    for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
        const auto loop = mesh.loop(f);
        const Vec3d first = cast<double>(mesh.positions[loop[0]]);
        Vec3d normal;
        double farthest = 0;
        for (const std::uint32_t v : loop)
            farthest = std::max(farthest, length(cast<double>(mesh.positions[v]) - first));
        mesh.face_sizes.push_back(farthest);
        for (std::size_t i = 1; i + 1 < loop.size(); ++i)
            normal += cross(cast<double>(mesh.positions[loop[i]]) - first,
                            cast<double>(mesh.positions[loop[i + 1]]) - first);
        const double size = length(normal);
        mesh.face_normals.push_back(size > 0 ? normal / size : Vec3d{});
    }
}

std::vector<Side> sides_of(const Geometry& geometry, const ScrewMesh& mesh) {
    std::vector<Side> sides;
    for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
        const auto loop = mesh.loop(f);
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const std::uint32_t from = loop[i], to = loop[i + 1 < loop.size() ? i + 1 : 0];
            if (from == to) continue;
            sides.push_back({std::min(from, to), std::max(from, to), f, kNoIndex, from < to});
        }
    }
    const Topology& t = *geometry.topology;
    std::vector<std::uint32_t> order(t.edges.size());
    for (std::uint32_t e = 0; e < order.size(); ++e) order[e] = e;
    const auto key = [&](std::uint32_t e) {
        return std::pair{t.edges[e].vertices[0], t.edges[e].vertices[1]};
    };
    std::sort(order.begin(), order.end(), [&](auto x, auto y) { return key(x) < key(y); });
    for (Side& side : sides) {
        const std::pair wanted{side.low, side.high};
        const auto at =
            std::lower_bound(order.begin(), order.end(), wanted, [&](auto e, auto w) { return key(e) < w; });
        if (at != order.end() && key(*at) == wanted) side.source = *at;
    }
    std::stable_sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
        return std::pair{x.low, x.high} < std::pair{y.low, y.high};
    });
    return sides;
}

/// Edges with more than two sides become several edges. A bridge of a keyhole polygon, which has the same
/// face on both sides, is no edge.
void add_edges(const std::vector<Side>& sides, ScrewMesh& mesh) {
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t end = i;
        while (end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high)
            ++end;
        std::size_t first = mesh.edges.size();
        for (; i < end; ++i) {
            const Side& side = sides[i];
            ScrewMesh::Edge* open = nullptr;
            for (std::size_t e = first; e < mesh.edges.size() && open == nullptr; ++e)
                if ((side.forward ? mesh.edges[e].left : mesh.edges[e].right) == kNoIndex)
                    open = &mesh.edges[e];
            if (open == nullptr) {
                mesh.edges.push_back({{side.low, side.high}, kNoIndex, kNoIndex, side.source});
                open = &mesh.edges.back();
            }
            (side.forward ? open->left : open->right) = side.face;
        }
        while (first < mesh.edges.size()) {
            if (mesh.edges[first].left == mesh.edges[first].right)
                mesh.edges.erase(mesh.edges.begin() + static_cast<std::ptrdiff_t>(first));
            else
                ++first;
        }
    }
}

/// Halves the faces along the longest side of their centres' box until kBlock remain.
void split_blocks(ScrewMesh& mesh, const std::vector<Vec3d>& centres, std::uint32_t begin,
                  std::uint32_t end) {
    const auto first = mesh.block_faces.begin() + begin, last = mesh.block_faces.begin() + end;
    if (end - begin > ScrewMesh::kBlock) {
        Vec3d low = centres[*first], high = low;
        for (auto f = first; f != last; ++f) low = min(low, centres[*f]), high = max(high, centres[*f]);
        const Vec3d size = high - low;
        const std::size_t axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        const std::uint32_t middle = begin + (end - begin) / 2;
        std::nth_element(first, mesh.block_faces.begin() + middle, last,
                         [&](std::uint32_t f, std::uint32_t g) {
                             return std::pair{centres[f][axis], f} < std::pair{centres[g][axis], g};
                         });
        split_blocks(mesh, centres, begin, middle);
        split_blocks(mesh, centres, middle, end);
        return;
    }
    ScrewMesh::Block block;
    block.begin = begin, block.end = end;
    Vec3d low = cast<double>(mesh.positions[mesh.loop(*first)[0]]), high = low;
    const auto for_corners = [&](auto&& visit) {
        for (auto f = first; f != last; ++f)
            for (const std::uint32_t v : mesh.loop(*f)) visit(cast<double>(mesh.positions[v]));
    };
    for_corners([&](const Vec3d& p) { low = min(low, p), high = max(high, p); });
    block.centre = 0.5 * (low + high);
    for_corners([&](const Vec3d& p) { block.radius = std::max(block.radius, length(p - block.centre)); });
    mesh.blocks.push_back(block);
}

void add_blocks(ScrewMesh& mesh) {
    std::vector<Vec3d> centres;
    for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
        Vec3d sum;
        for (const std::uint32_t v : mesh.loop(f)) sum += cast<double>(mesh.positions[v]);
        centres.push_back(sum / static_cast<double>(mesh.loop(f).size()));
        mesh.block_faces.push_back(f);
    }
    if (!centres.empty()) split_blocks(mesh, centres, 0, mesh.face_count());
}

/// Neighbours get numbers near each other: selection compares groups of parts with consecutive numbers. The
/// blocks are the order.
void order_parts(ScrewMesh& mesh) {
    std::vector<std::uint32_t> place(mesh.face_count());
    for (std::uint32_t i = 0; i < mesh.block_faces.size(); ++i) place[mesh.block_faces[i]] = i;
    const auto place_of = [&](const ScrewMesh::Edge& e) {
        return std::min(e.left == kNoIndex ? kNoIndex : place[e.left],
                        e.right == kNoIndex ? kNoIndex : place[e.right]);
    };
    std::stable_sort(
        mesh.edges.begin(), mesh.edges.end(),
        [&](const ScrewMesh::Edge& x, const ScrewMesh::Edge& y) { return place_of(x) < place_of(y); });
    std::vector<unsigned char> listed(mesh.positions.size(), 0);
    const auto list = [&](std::uint32_t v) {
        if (listed[v] == 0) mesh.vertex_order.push_back(v);
        listed[v] = 1;
    };
    for (const std::uint32_t f : mesh.block_faces)
        for (const std::uint32_t v : mesh.loop(f)) list(v);
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) list(v);
}

/// A hull that is a segment has no polygons: its surface is one edge without faces.
void add_segment(const Shape& shape, ScrewMesh& mesh) {
    const ConvexHull* hull = shape.hull();
    if (mesh.face_count() != 0 || hull == nullptr || hull->vertex_count < 2) return;
    std::uint32_t ends[2] = {0, 0};
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v)
        for (std::uint32_t k = 0; k < 2; ++k)
            if (mesh.positions[v] == hull->vertex(k)) ends[k] = v;
    mesh.edges.push_back({{ends[0], ends[1]}, kNoIndex, kNoIndex, kNoIndex});
}

template <class Visit>
void group_by_vertex(std::size_t vertices, std::vector<std::uint32_t>& begin,
                     std::vector<std::uint32_t>& items, Visit&& visit) {
    begin.assign(vertices + 1, 0);
    visit([&](std::uint32_t v, std::uint32_t) { ++begin[v + 1]; });
    for (std::size_t v = 0; v < vertices; ++v) begin[v + 1] += begin[v];
    items.resize(begin[vertices]);
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    visit([&](std::uint32_t v, std::uint32_t item) { items[next[v]++] = item; });
}

void add_vertex_tables(ScrewMesh& mesh) {
    group_by_vertex(mesh.positions.size(), mesh.vertex_edge_begin, mesh.vertex_edges, [&](auto&& put) {
        for (std::uint32_t e = 0; e < mesh.edges.size(); ++e)
            for (const std::uint32_t v : mesh.edges[e].vertices) put(v, e);
    });
    group_by_vertex(mesh.positions.size(), mesh.vertex_face_begin, mesh.vertex_faces, [&](auto&& put) {
        for (std::uint32_t f = 0; f < mesh.face_count(); ++f)
            for (const std::uint32_t v : mesh.loop(f)) put(v, f);
    });
}

/// Whether discarding by normals is safe: closed, oriented, one component, and normals that point outward.
bool is_one_sided(const Shape& shape, ScrewMesh& mesh) {
    const Classification& c = shape.classification();
    if (!c.closed || !c.manifold || !c.oriented || c.components != 1 || mesh.face_count() == 0) return false;
    const Vec3d origin = cast<double>(mesh.positions[0]);
    double volume = 0;
    for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
        const auto loop = mesh.loop(f);
        const auto at = [&](std::size_t i) { return cast<double>(mesh.positions[loop[i]]) - origin; };
        for (std::size_t i = 1; i + 1 < loop.size(); ++i) volume += dot(at(0), cross(at(i), at(i + 1)));
    }
    if (volume < 0) {  // inside out: turn every face
        for (Vec3d& n : mesh.face_normals) n = -n;
        for (ScrewMesh::Edge& e : mesh.edges) std::swap(e.left, e.right);
    }
    return true;
}

void connect(const Geometry& geometry, ScrewMesh& mesh) {
    mesh.positions = geometry.positions;
    add_faces(geometry, mesh);
    add_normals(mesh);
    add_edges(sides_of(geometry, mesh), mesh);
    add_blocks(mesh);
    order_parts(mesh);
}

void measure(ScrewMesh& mesh) {
    double sum = 0, least = 0;
    for (const ScrewMesh::Edge& e : mesh.edges) {
        const double size =
            length(cast<double>(mesh.positions[e.vertices[0]]) - cast<double>(mesh.positions[e.vertices[1]]));
        sum += size;
        if (least == 0 || size < least) least = size;
    }
    if (!mesh.edges.empty())
        mesh.short_edge = std::max(least, 0.25 * sum / static_cast<double>(mesh.edges.size()));
    Vec3d low{}, high{};
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3d p = cast<double>(mesh.positions[v]);
        low = v == 0 ? p : min(low, p), high = v == 0 ? p : max(high, p);
    }
    mesh.centre = 0.5 * (low + high);
    for (const Vec3f& p : mesh.positions)
        mesh.radius = std::max(mesh.radius, length(cast<double>(p) - mesh.centre));
    mesh.radius *= 1 + 1e-12;
}

}  // namespace

std::size_t ScrewMesh::memory_bytes() const {
    const std::size_t indices = face_begin.size() + face_vertices.size() + face_source.size() +
                                vertex_edge_begin.size() + vertex_edges.size() + vertex_face_begin.size() +
                                vertex_faces.size() + block_faces.size() + vertex_order.size();
    std::size_t bytes = sizeof *this + indices * sizeof(std::uint32_t) + edges.size() * sizeof(Edge) +
                        positions.size() * sizeof(Vec3f) + blocks.size() * sizeof(Block) +
                        face_normals.size() * sizeof(Vec3d) + face_sizes.size() * sizeof(double);
    for (const auto* part : {start_convex.get(), start_mesh.get()})
        if (part != nullptr) bytes += part->memory_bytes();
    return bytes;
}

std::shared_ptr<const Prepared> prepare_screw_mesh(const Shape& shape, const Geometry& geometry) {
    auto mesh = std::make_shared<ScrewMesh>();
    connect(geometry, *mesh);
    add_segment(shape, *mesh);
    add_vertex_tables(*mesh);
    // Whether a deformed surface still has an inside is unknown.
    if (&geometry == &shape.geometry()) mesh->one_sided = is_one_sided(shape, *mesh);
    measure(*mesh);
    if (shape.hull() != nullptr && &geometry == &shape.geometry())
        mesh->start_convex = find_pair_algorithm("best")->prepare(shape, geometry);
    mesh->start_mesh = find_pair_algorithm("mesh_bvh")->prepare(shape, geometry);
    return mesh;
}

std::shared_ptr<const Prepared> update_screw_mesh(std::shared_ptr<const Prepared> prepared,
                                                  const Geometry& geometry,
                                                  std::span<const std::uint32_t> touched) {
    auto mesh = std::make_shared<ScrewMesh>();
    connect(geometry, *mesh);
    add_vertex_tables(*mesh);
    measure(*mesh);
    const auto& old = static_cast<const ScrewMesh&>(*prepared);
    if (old.start_mesh != nullptr)
        mesh->start_mesh = find_pair_algorithm("mesh_bvh")->update(old.start_mesh, geometry, touched);
    return mesh;
}

}  // namespace claybox::collision
