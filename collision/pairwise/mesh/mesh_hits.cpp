#include "collision/pairwise/mesh/mesh_hits.hpp"

#include "collision/pairwise/mesh/mesh_frame.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace claybox::collision {

namespace {

/// A polygon that may be hit. Its box in the work frame and its plane are computed on demand; the flags
/// report which are valid.
struct Face {
    Aabb box;
    std::uint32_t polygon;
    bool has_box, has_plane;
};

/// Heights n.(x - p) that bound the whole polygon. The bounds are computed for n and p as stored in double,
/// so any n is valid and the polygon's own normal is a good one. `size`: sum of the magnitudes of n's
/// components.
struct FacePlane {
    Vec3d n, p;
    double size = 0, low = 0, high = 0;

    /// Error of the height of a point: `error` in each coordinate, and eight roundings to cover the actual
    /// four or five.
    double slack(const Vec3d& from_p, double error) const {
        const double reach = std::max({std::abs(from_p.x), std::abs(from_p.y), std::abs(from_p.z)});
        return size * (2 * error + reach * 0x1p-50);
    }
};

/// One mesh of the search.
struct Mesh : MeshFrame {
    Mesh(const MeshSide& s, const Vec3f& origin_w)
        : MeshFrame(*s.geometry, *s.world_from_local, origin_w), side(&s), box(object_box()) {}

    FacePlane plane_of(std::uint32_t polygon) const;
    Vec3d to_local(const Vec3d& work) const {
        const auto& m = frame.work_from_local.m;
        const Vec3d d = work - Vec3d{m[3], m[7], m[11]};
        return {dot(inverse[0], d), dot(inverse[1], d), dot(inverse[2], d)};
    }

    const MeshSide* side;
    Aabb box;  ///< of the object, later of the collected polygons
    std::span<Face> faces;
    std::span<FacePlane> planes;
    std::span<std::uint64_t> seen;  ///< one bit per edge, or per polygon during collection
    std::size_t face_count = 0;
    float widest = 0;  ///< extent of the widest face along the sweep axis
    PolygonTest point_test;
    std::array<Vec3d, 3> inverse;  ///< rows of the approximate inverse of the linear part, for the point test
    bool has_inverse = false;
};

/// Newell's normal (thesis, 3.2) about the first vertex.
FacePlane Mesh::plane_of(std::uint32_t polygon) const {
    FacePlane out;
    const auto loop = topology->loop(polygon);
    out.p = at(loop[0]);
    Vec3d before = at(loop[1]) - out.p;
    for (std::size_t i = 2; i < loop.size(); ++i) {
        const Vec3d d = at(loop[i]) - out.p;
        out.n += cross(before, d);
        before = d;
    }
    out.size = std::abs(out.n.x) + std::abs(out.n.y) + std::abs(out.n.z);
    for (const std::uint32_t v : loop) {
        const Vec3d d = at(v) - out.p;
        const double height = dot(out.n, d), off = out.slack(d, frame.error);
        out.low = std::min(out.low, height - off);
        out.high = std::max(out.high, height + off);
    }
    return out;
}

class Search {
  public:
    Search(const MeshSearch& s, FunctionRef<bool(const MeshHit&)> on_hit, MeshCounts& counts)
        : search_(s),
          on_hit_(on_hit),
          counts_(counts),
          origin_w_(cast<double>(s.a.world_from_local->translation())),
          a_(s.a, s.a.world_from_local->translation()),
          b_(s.b, s.a.world_from_local->translation()) {}

    MeshEnd run(Scratch& scratch);

  private:
    bool relaxed() const { return search_.prechecks == MeshPrechecks::relaxed_collect; }
    bool collects() const { return relaxed() || search_.prechecks == MeshPrechecks::face_collect; }
    std::size_t count(const Mesh& mesh, const Aabb& local) const;
    void allocate(Scratch& storage, std::size_t faces_a, std::size_t faces_b);
    void collect(Mesh& mesh, const Aabb& work);
    void collect_by_boxes(Mesh& mesh, const Aabb& work, Aabb& all);
    void collect_by_vertices(Mesh& mesh, const Aabb& work, Aabb& all);
    void add_face(Mesh& mesh, std::uint32_t polygon, const Aabb& work, Aabb& all);
    void sort(Mesh& mesh, std::size_t axis);
    void prepare_points(Mesh& mesh) const;
    void mark_earlier(Mesh& mesh, std::size_t end);
    MeshEnd sort_and_test();
    MeshEnd both_ways();
    MeshEnd edges_of(Mesh& mesh, Mesh& other, const Aabb& region, bool edge_of_b);
    MeshEnd diagonals_of(std::uint32_t polygon, const Mesh& mesh, Mesh& other, const Aabb& region);
    MeshEnd edge(const Mesh& mesh, Mesh& other, const Aabb& region);
    bool is_beyond(const Aabb& region, const Vec3d& pad) const;
    MeshEnd all_faces(const Mesh& mesh, Mesh& other);
    MeshEnd faces_in_box(const Mesh& mesh, Mesh& other);
    MeshEnd faces_in_window(const Mesh& mesh, Mesh& other);
    MeshEnd against(const Mesh& mesh, Mesh& other, std::size_t face);
    bool misses_plane(const Mesh& mesh, Mesh& other, std::size_t face);
    std::optional<double> reported_crossing(const Mesh& other, std::uint32_t polygon) const;
    MeshEnd triangles_of(const Mesh& mesh, const Mesh& other, std::uint32_t polygon);
    bool intersects(const Mesh& mesh, const Mesh& other, const Triangle& t);
    MeshEnd report(std::uint32_t polygon, std::uint32_t triangle, double where);
    Aabb edge_box(const Mesh& mesh) const;
    void trace_edge();
    void trace_polygon(const Mesh& other, std::uint32_t polygon) const;

    const MeshSearch& search_;
    FunctionRef<bool(const MeshHit&)> on_hit_;
    MeshCounts& counts_;
    Vec3d origin_w_;
    Mesh a_, b_;
    std::size_t axis_ = 0;
    bool by_point_test_ = false;     ///< this pass tests only positive answers of the point test
    bool after_point_test_ = false;  ///< the point test reported no hit that was confirmed
    MeshHit hit_;
    Vec3d from_, to_;              ///< the current edge in the work frame
    Vec3d from_local_, to_local_;  ///< the same in the frame of the other mesh, for the point test
    double where_ = 0;             ///< of the last hit, as a parameter on the edge
    int traced_ = 0;
};

/// Number of faces that collect() may store; at least 1 if there may be any.
std::size_t Search::count(const Mesh& mesh, const Aabb& local) const {
    const std::uint32_t all = mesh.topology->polygon_count();
    if (!collects()) return all;
    const Geometry& g = *mesh.geometry;
    std::size_t n = 0;
    for (std::uint32_t run = 0; run < g.run_boxes.size(); ++run) {
        if (!overlap(g.run_boxes[run], local)) continue;
        const std::uint32_t end = std::min((run + 1) * kBoxRun, all);
        for (std::uint32_t p = run * kBoxRun; p < end; ++p) n += overlap(g.polygon_boxes[p], local) ? 1 : 0;
    }
    return n;
}

void Search::add_face(Mesh& mesh, std::uint32_t polygon, const Aabb& work, Aabb& all) {
    const Face face{mesh.polygon_box(polygon), polygon, true, false};
    counts_.vertices += mesh.topology->loop(polygon).size();
    if (!overlap(face.box, work)) return;
    mesh.faces[mesh.face_count++] = face;
    all.add(face.box);
}

void Search::collect_by_boxes(Mesh& mesh, const Aabb& work, Aabb& all) {
    const std::uint32_t count = mesh.topology->polygon_count();
    const Geometry& g = *mesh.geometry;
    const Aabb local = mesh.local_box(work);
    for (std::uint32_t run = 0; run < g.run_boxes.size(); ++run) {
        if (!overlap(g.run_boxes[run], local)) continue;
        if (search_.stop.stop_requested()) return;  // run() checks again
        const std::uint32_t end = std::min((run + 1) * kBoxRun, count);
        for (std::uint32_t p = run * kBoxRun; p < end; ++p)
            if (overlap(g.polygon_boxes[p], local)) add_face(mesh, p, work, all);
    }
}

bool contains(const Aabb& box, const Vec3d& p) {
    for (std::size_t k = 0; k < 3; ++k)
        if (p[k] < static_cast<double>(box.min[k]) || p[k] > static_cast<double>(box.max[k])) return false;
    return true;
}

/// The relaxed collect phase (thesis, 3.2.1): collects the polygons around each vertex in the box.
void Search::collect_by_vertices(Mesh& mesh, const Aabb& work, Aabb& all) {
    const Aabb local = mesh.local_box(work);
    const auto& positions = mesh.geometry->positions;
    std::fill(mesh.seen.begin(), mesh.seen.end(), 0);
    for (std::uint32_t v = 0; v < mesh.topology->vertex_count; ++v) {
        if (!contains(local, cast<double>(positions[v]))) continue;
        ++counts_.vertices;
        if (!contains(work, mesh.at(v))) continue;
        for (const std::uint32_t p : mesh.topology->polygons_around(v)) {
            std::uint64_t& word = mesh.seen[p / 64];
            const std::uint64_t bit = std::uint64_t{1} << p % 64;
            if ((word & bit) == 0 && mesh.face_count < mesh.faces.size()) add_face(mesh, p, work, all);
            word |= bit;
        }
    }
}

/// Fills `faces` with the polygons that may overlap the box `work`, and shrinks mesh.box to them.
void Search::collect(Mesh& mesh, const Aabb& work) {
    Aabb all;
    if (relaxed()) {
        collect_by_vertices(mesh, work, all);
        mesh.box = all;
    } else if (collects()) {
        collect_by_boxes(mesh, work, all);
        mesh.box = all;
    } else {
        for (std::uint32_t p = 0; p < mesh.topology->polygon_count(); ++p)
            mesh.faces[mesh.face_count++] = {kEverywhere, p, false, false};
    }
    counts_.polygons += mesh.face_count;
}

/// Sorts faces by their lower end along one axis, so that an edge visits only a window of them.
void Search::sort(Mesh& mesh, std::size_t axis) {
    if (!collects()) return;
    const auto faces = mesh.faces.first(mesh.face_count);
    std::sort(faces.begin(), faces.end(), [axis](const Face& x, const Face& y) {
        return x.box.min[axis] != y.box.min[axis] ? x.box.min[axis] < y.box.min[axis] : x.polygon < y.polygon;
    });
    for (const Face& f : faces) mesh.widest = std::max(mesh.widest, f.box.max[axis] - f.box.min[axis]);
    mesh.widest *= 1 + 0x1p-20f;
}

/// Whether this is the first visit of an edge. A zero-length half-edge has no edge and is new each time.
bool first_time(Mesh& mesh, std::uint32_t edge) {
    if (edge == kNoIndex) return true;
    std::uint64_t& word = mesh.seen[edge / 64];
    const std::uint64_t bit = std::uint64_t{1} << edge % 64;
    const bool fresh = (word & bit) == 0;
    word |= bit;
    return fresh;
}

/// Marks edges that belong to earlier parts.
void Search::mark_earlier(Mesh& mesh, std::size_t end) {
    const Topology& t = *mesh.topology;
    std::fill(mesh.seen.begin(), mesh.seen.end(), 0);
    for (std::size_t i = 0; i < end; ++i) {
        const std::uint32_t p = mesh.faces[i].polygon;
        for (std::uint32_t h = t.polygon_begin[p]; h < t.polygon_begin[p + 1]; ++h)
            first_time(mesh, t.edge_of[h]);
    }
}

/// A part processes a range of the collected polygons; an edge belongs to the first polygon that has it.
MeshEnd Search::edges_of(Mesh& mesh, Mesh& other, const Aabb& region, bool edge_of_b) {
    const Topology& t = *mesh.topology;
    const PartShare share = part_share(search_.part, search_.part_count, edge_of_b);
    if (share.m == 0) return MeshEnd::complete;
    const std::size_t begin = mesh.face_count * share.k / share.m;
    const std::size_t end = mesh.face_count * (share.k + std::size_t{1}) / share.m;
    mark_earlier(mesh, begin);
    hit_.edge_of_b = edge_of_b;
    for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t p = mesh.faces[i].polygon;
        for (std::uint32_t h = t.polygon_begin[p]; h < t.polygon_begin[p + 1]; ++h) {
            if (!first_time(mesh, t.edge_of[h])) continue;
            hit_.edge = t.edge_of[h];
            const std::uint32_t u = t.origin[h], v = t.origin[t.next(h)];
            hit_.vertices[0] = std::min(u, v);
            hit_.vertices[1] = std::max(u, v);
            if (const MeshEnd r = edge(mesh, other, region); r != MeshEnd::complete) return r;
        }
        if (!mesh.side->diagonals || t.triangles_of(p).size() < 2) continue;
        if (const MeshEnd r = diagonals_of(p, mesh, other, region); r != MeshEnd::complete) return r;
    }
    return MeshEnd::complete;
}

bool joins(std::uint32_t u, std::uint32_t v, std::uint32_t x, std::uint32_t y) {
    return (u == x && v == y) || (u == y && v == x);
}

/// Whether side (u, v) of the polygon's triangle `index` is on the boundary or belongs to an earlier
/// triangle.
bool is_known_side(const Topology& t, std::uint32_t polygon, std::size_t index, std::uint32_t u,
                   std::uint32_t v) {
    const auto loop = t.loop(polygon);
    for (std::size_t i = 0; i < loop.size(); ++i)
        if (joins(u, v, loop[i], loop[i + 1 < loop.size() ? i + 1 : 0])) return true;
    for (const Triangle& earlier : t.triangles_of(polygon).first(index))
        for (std::size_t k = 0; k < 3; ++k)
            if (joins(u, v, earlier.vertices[k], earlier.vertices[(k + 1) % 3])) return true;
    return false;
}

MeshEnd Search::diagonals_of(std::uint32_t polygon, const Mesh& mesh, Mesh& other, const Aabb& region) {
    const auto triangles = mesh.topology->triangles_of(polygon);
    hit_.edge = kNoIndex;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t u = triangles[i].vertices[k], v = triangles[i].vertices[(k + 1) % 3];
            if (is_known_side(*mesh.topology, polygon, i, u, v)) continue;
            hit_.vertices[0] = u;
            hit_.vertices[1] = v;
            if (const MeshEnd r = edge(mesh, other, region); r != MeshEnd::complete) return r;
        }
    }
    return MeshEnd::complete;
}

Aabb Search::edge_box(const Mesh& mesh) const {
    BoxD ends;
    ends.add(from_);
    ends.add(to_);
    return outward(ends, mesh.pad);
}

/// Whether the current edge is beyond one side of a box (thesis, 7.3.2: without computing the edge's own
/// box). Roundings of the differences are far below the outward rounding of the box.
bool Search::is_beyond(const Aabb& region, const Vec3d& pad) const {
    for (std::size_t k = 0; k < 3; ++k) {
        const double low = region.min[k] - pad[k], high = region.max[k] + pad[k];
        if ((from_[k] < low && to_[k] < low) || (from_[k] > high && to_[k] > high)) return true;
    }
    return false;
}

/// Tests the current edge against the faces of the other mesh that pass the pre-checks.
MeshEnd Search::edge(const Mesh& mesh, Mesh& other, const Aabb& region) {
    if (search_.stop.stop_requested()) return MeshEnd::stopped;
    from_ = mesh.at(hit_.vertices[0]);
    to_ = mesh.at(hit_.vertices[1]);
    counts_.vertices += 2;
    if (search_.prechecks != MeshPrechecks::none && is_beyond(region, mesh.pad)) return MeshEnd::complete;
    ++counts_.edges;
    if (search_.trace != nullptr) trace_edge();
    if (by_point_test_) {
        from_local_ = other.to_local(from_);
        to_local_ = other.to_local(to_);
    }
    if (collects()) return faces_in_window(mesh, other);
    return search_.prechecks == MeshPrechecks::face_box ? faces_in_box(mesh, other) : all_faces(mesh, other);
}

MeshEnd Search::all_faces(const Mesh& mesh, Mesh& other) {
    for (std::size_t i = 0; i < other.face_count; ++i)
        if (const MeshEnd r = against(mesh, other, i); r != MeshEnd::complete) return r;
    return MeshEnd::complete;
}

MeshEnd Search::faces_in_box(const Mesh& mesh, Mesh& other) {
    const Aabb box = edge_box(mesh);
    counts_.boxes += other.face_count;
    for (std::size_t i = 0; i < other.face_count; ++i) {
        Face& face = other.faces[i];
        if (!face.has_box) {
            face.box = other.polygon_box(face.polygon);
            face.has_box = true;
            counts_.vertices += other.topology->loop(face.polygon).size();
        }
        if (!overlap(box, face.box)) continue;
        if (const MeshEnd r = against(mesh, other, i); r != MeshEnd::complete) return r;
    }
    return MeshEnd::complete;
}

MeshEnd Search::faces_in_window(const Mesh& mesh, Mesh& other) {
    const Aabb box = edge_box(mesh);
    const double first = static_cast<double>(box.min[axis_]) - other.widest;
    const auto faces = other.faces.first(other.face_count);
    const auto begin = std::partition_point(faces.begin(), faces.end(),
                                            [&](const Face& f) { return f.box.min[axis_] < first; });
    for (auto face = begin; face != faces.end() && face->box.min[axis_] <= box.max[axis_]; ++face) {
        ++counts_.boxes;
        if (!overlap(box, face->box)) continue;
        const MeshEnd r = against(mesh, other, static_cast<std::size_t>(face - faces.begin()));
        if (r != MeshEnd::complete) return r;
    }
    return MeshEnd::complete;
}

MeshEnd Search::against(const Mesh& mesh, Mesh& other, std::size_t face) {
    const std::uint32_t polygon = other.faces[face].polygon;
    if (search_.trace != nullptr) trace_polygon(other, polygon);
    if (search_.prechecks_only) return MeshEnd::box_met;
    ++counts_.tests;
    if (by_point_test_ && other.has_inverse) {
        const std::optional<double> where = reported_crossing(other, polygon);
        if (!where) return MeshEnd::complete;
        if (search_.fast) return report(polygon, other.topology->triangle_begin[polygon], *where);
        const MeshEnd r = triangles_of(mesh, other, polygon);
        counts_.refuted += r == MeshEnd::complete ? 1 : 0;
        return r;
    }
    return misses_plane(mesh, other, face) ? MeshEnd::complete : triangles_of(mesh, other, polygon);
}

/// Whether the current edge is provably above or below the whole face.
bool Search::misses_plane(const Mesh& mesh, Mesh& other, std::size_t index) {
    Face& face = other.faces[index];
    FacePlane& plane = other.planes[index];
    if (!face.has_plane) {
        plane = other.plane_of(face.polygon);
        face.has_plane = true;
        counts_.vertices += other.topology->loop(face.polygon).size();
    }
    const Vec3d u = from_ - plane.p, v = to_ - plane.p;
    const double height_u = dot(plane.n, u), height_v = dot(plane.n, v);
    const double off_u = plane.slack(u, mesh.frame.error), off_v = plane.slack(v, mesh.frame.error);
    return (height_u - off_u > plane.high && height_v - off_v > plane.high) ||
           (height_u + off_u < plane.low && height_v + off_v < plane.low);
}

/// The parameter on the current edge where the point test reports an intersection with a polygon.
std::optional<double> Search::reported_crossing(const Mesh& other, std::uint32_t polygon) const {
    const Geometry& g = *other.geometry;
    const Vec3d n = cast<double>(polygon_normal(g, polygon));
    const Vec3d p = cast<double>(g.positions[other.topology->loop(polygon)[0]]), w = to_local_ - from_local_;
    const PlaneCrossing<double> at = plane_crossing(n, p, from_local_, w);
    if (!at.crosses) return std::nullopt;
    const double t = at.b / at.a;
    const Vec3d meeting = from_local_ + w * t;
    if (!is_finite(meeting) || !other.point_test.inside(polygon, meeting)) return std::nullopt;
    return t;
}

MeshEnd Search::triangles_of(const Mesh& mesh, const Mesh& other, std::uint32_t polygon) {
    const Topology& t = *other.topology;
    for (std::uint32_t i = t.triangle_begin[polygon]; i < t.triangle_begin[polygon + 1]; ++i)
        if (intersects(mesh, other, t.triangles[i])) return report(polygon, i, where_);
    return MeshEnd::complete;
}

bool Search::intersects(const Mesh& mesh, const Mesh& other, const Triangle& t) {
    const auto& v = t.vertices;
    counts_.vertices += 3;
    const EdgeTriangleFilter f =
        filter_edge_triangle(from_, to_, other.at(v[0]), other.at(v[1]), other.at(v[2]),
                             std::max(mesh.frame.error, other.frame.error));
    where_ = f.t;
    if (f.sign != EdgeTriangleSign::unknown) return f.sign == EdgeTriangleSign::hit;
    if (search_.fast) {
        where_ = 0.5;
        return true;
    }
    ++counts_.exact;
    const auto& p = mesh.geometry->positions;
    const auto& q = other.geometry->positions;
    const EdgeTriangleIntersection m =
        intersect_exact({mesh.side->world_from_local, p[hit_.vertices[0]], p[hit_.vertices[1]]},
                        {other.side->world_from_local, q[v[0]], q[v[1]], q[v[2]]});
    where_ = m.t;
    return m.hit;
}

MeshEnd Search::report(std::uint32_t polygon, std::uint32_t triangle, double where) {
    hit_.polygon = polygon;
    hit_.triangle = triangle;
    hit_.point_w = from_ + (to_ - from_) * where + origin_w_;
    counts_.refuted += after_point_test_ ? 1 : 0;
    if (search_.trace != nullptr) search_.trace->point(hit_.point_w, "intersects polygon");
    return on_hit_(hit_) && !search_.first_only ? MeshEnd::complete : MeshEnd::ended;
}

void Search::trace_edge() {
    search_.trace->begin_iteration(++traced_);
    search_.trace->segment(from_ + origin_w_, to_ + origin_w_, hit_.edge_of_b ? "edge of B" : "edge of A");
    search_.trace->value("polygon tests so far", static_cast<double>(counts_.tests));
}

void Search::trace_polygon(const Mesh& other, std::uint32_t polygon) const {
    const auto loop = other.topology->loop(polygon);
    for (std::size_t i = 0; i < loop.size(); ++i)
        search_.trace->segment(other.at(loop[i]) + origin_w_,
                               other.at(loop[(i + 1) % loop.size()]) + origin_w_, "side of a tested polygon");
}

std::size_t longest_axis(const Aabb& box) {
    const Vec3f size = box.max - box.min;
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

/// A matrix without inverse has no point test; its triangles are tested directly.
void Search::prepare_points(Mesh& mesh) const {
    mesh.inverse = rough_inverse(mesh.frame.work_from_local);
    mesh.has_inverse = is_finite(mesh.inverse[0]) && is_finite(mesh.inverse[1]) && is_finite(mesh.inverse[2]);
    mesh.point_test = {mesh.geometry, mesh.side->tables, mesh.side->convex_polygons, search_.point_test,
                       search_.point_counts};
}

/// Number of words with one bit per edge or polygon.
std::size_t words(const Mesh& m) {
    return std::max<std::size_t>(m.topology->edges.size(), m.topology->polygon_count()) / 64 + 1;
}

void Search::allocate(Scratch& storage, std::size_t faces_a, std::size_t faces_b) {
    a_.seen = storage.take<std::uint64_t>(words(a_));
    b_.seen = storage.take<std::uint64_t>(words(b_));
    a_.planes = storage.take<FacePlane>(faces_a);
    b_.planes = storage.take<FacePlane>(faces_b);
    a_.faces = storage.take<Face>(faces_a);
    b_.faces = storage.take<Face>(faces_b);
}

/// With a point test: first its positive answers. Exact searches then test everything.
MeshEnd Search::both_ways() {
    const auto once = [&] {
        const MeshEnd end = edges_of(a_, b_, b_.box, false);
        return end == MeshEnd::complete ? edges_of(b_, a_, a_.box, true) : end;
    };
    const bool points = search_.point_test != PointInPolygon::triangles;
    if (!points || !(search_.fast || search_.first_only)) return once();
    prepare_points(a_);
    prepare_points(b_);
    by_point_test_ = true;
    const MeshEnd end = once();
    if (end != MeshEnd::complete || search_.fast) return end;
    by_point_test_ = false;
    after_point_test_ = true;
    return once();
}

/// The order of FIX-16: collect polygons of B in A's box, and stop if there are none; collect polygons of A
/// in the box of the collected polygons of B; then test all edges, against the remaining box of the other
/// body and the box of each face.
MeshEnd Search::run(Scratch& scratch) {
    if (search_.prechecks != MeshPrechecks::none && !overlap(a_.box, b_.box)) return MeshEnd::complete;
    const std::size_t mark_used = scratch.used();
    const std::size_t faces_a = count(a_, a_.local_box(b_.box)), faces_b = count(b_, b_.local_box(a_.box));
    if (faces_a == 0 || faces_b == 0) return MeshEnd::complete;
    const std::size_t bytes = (words(a_) + words(b_)) * sizeof(std::uint64_t) +
                              (faces_a + faces_b) * (sizeof(Face) + sizeof(FacePlane)) + 64;
    Scratch own(0);  // only if the caller's block is too small and already in use
    const bool fits = scratch.take_growing<std::byte>(bytes).size() == bytes;
    scratch.reset_to(mark_used);
    if (!fits) own.reserve(bytes);
    allocate(fits ? scratch : own, faces_a, faces_b);

    const Aabb box_a = a_.box;
    collect(b_, box_a);
    if (b_.face_count != 0) collect(a_, common(b_.box, box_a));
    const bool some = a_.face_count != 0 && b_.face_count != 0;
    const MeshEnd end = search_.stop.stop_requested() ? MeshEnd::stopped
                        : some                        ? sort_and_test()
                                                      : MeshEnd::complete;
    scratch.reset_to(mark_used);
    return end;
}

/// Edges search the faces of the other side, so a part without edges of one side sorts one side only.
MeshEnd Search::sort_and_test() {
    axis_ = longest_axis(common(a_.box, b_.box));
    if (part_share(search_.part, search_.part_count, true).m != 0) sort(a_, axis_);
    if (part_share(search_.part, search_.part_count, false).m != 0) sort(b_, axis_);
    return both_ways();
}

}  // namespace

MeshEnd find_mesh_hits(const MeshSearch& search, Scratch& scratch, FunctionRef<bool(const MeshHit&)> on_hit,
                       MeshCounts& counts) {
    return Search(search, on_hit, counts).run(scratch);
}

}  // namespace claybox::collision
