#include "collision/parts/mesh_hits.hpp"

#include "collision/exact/edge_triangle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::collision {

namespace {

/// A polygon that may be hit, with its box in the work frame.
struct Face {
    Aabb box;
    std::uint32_t polygon;
};

/// A box in double; as long as no rounding outward is claimed, its maker says by how much it may be off.
struct BoxD {
    Vec3d min{HUGE_VAL, HUGE_VAL, HUGE_VAL}, max{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    void add(const Vec3d& p) {
        min = collision::min(min, p);
        max = collision::max(max, p);
    }
};

/// The float box that contains `box` grown by `pad`: rounding to float moves a number by at most 2^-24 of its
/// magnitude or 2^-150; the double operations here by far less.
Aabb outward(const BoxD& box, const Vec3d& pad) {
    const auto slack = [](double v, double p) { return p + std::abs(v) * 0x1p-23 + 0x1p-148; };
    Aabb out;
    for (std::size_t k = 0; k < 3; ++k) {
        constexpr double kMax = std::numeric_limits<float>::max();
        const double low = box.min[k] - slack(box.min[k], pad[k]),
                     high = box.max[k] + slack(box.max[k], pad[k]);
        out.min[k] = low > -kMax ? static_cast<float>(std::min(low, kMax)) : -HUGE_VALF;
        out.max[k] = high < kMax ? static_cast<float>(std::max(high, -kMax)) : HUGE_VALF;
    }
    return out;
}

constexpr Aabb kEverywhere{{-HUGE_VALF, -HUGE_VALF, -HUGE_VALF}, {HUGE_VALF, HUGE_VALF, HUGE_VALF}};

Aabb common(const Aabb& a, const Aabb& b) {
    return {max(a.min, b.min), min(a.max, b.max)};
}

Vec3f reach_of(const Aabb& box) {
    Vec3f out;
    for (std::size_t k = 0; k < 3; ++k) out[k] = std::max(std::abs(box.min[k]), std::abs(box.max[k]));
    return out;
}

/// One mesh in the work frame.
struct Mesh {
    Mesh(const MeshSide& s, const Vec3f& origin_w)
        : side(&s),
          topology(s.geometry->topology.get()),
          frame(*s.world_from_local, origin_w, reach_of(s.geometry->box)),
          pad{frame.error, frame.error, frame.error} {
        box = object_box();
    }

    Vec3d at(std::uint32_t vertex) const {
        return transform_point(frame.work_from_local, side->geometry->positions[vertex]);
    }
    Aabb polygon_box(std::uint32_t polygon) const {
        BoxD out;
        for (const std::uint32_t v : topology->loop(polygon)) out.add(at(v));
        return outward(out, pad);
    }
    Aabb object_box() const;
    Aabb local_box(const Aabb& work) const;

    const MeshSide* side;
    const Topology* topology;
    WorkFrame frame;
    Vec3d pad;
    Aabb box;  ///< of the object, in the work frame
    std::span<Face> faces;
    std::span<std::uint64_t> seen;  ///< one bit an edge
    std::size_t face_count = 0;
    float widest = 0;  ///< extent of the widest face along the sweep axis
};

/// The box of the transformed local box; its terms have the magnitudes that frame.error is made for.
Aabb Mesh::object_box() const {
    const Aabb& local = side->geometry->box;
    const auto& m = frame.work_from_local.m;
    BoxD out;
    for (std::size_t r = 0; r < 3; ++r) {
        out.min[r] = out.max[r] = m[4 * r + 3];
        for (std::size_t k = 0; k < 3; ++k) {
            const double low = m[4 * r + k] * local.min[k], high = m[4 * r + k] * local.max[k];
            out.min[r] += std::min(low, high);
            out.max[r] += std::max(low, high);
        }
    }
    return outward(out, pad);
}

/// The inverse of the linear part, as good as double makes it; not finite when it has none.
std::array<Vec3d, 3> rough_inverse(const Matrix34d& m) {
    const Vec3d x{m(0, 0), m(1, 0), m(2, 0)}, y{m(0, 1), m(1, 1), m(2, 1)}, z{m(0, 2), m(1, 2), m(2, 2)};
    const Vec3d yz = cross(y, z);
    const double s = 1 / dot(x, yz);
    return {yz * s, cross(z, x) * s, cross(x, y) * s};
}

/// A box in the mesh's own frame that contains every local point x of the mesh whose image y = L x + t lies
/// in `work`. With any N: x = N (y - t) - (N L - I) x, so an inexact inverse costs |N L - I| |x| and nothing
/// else. The factors of 2^-50 are more than the roundings of the sums beside them.
Aabb Mesh::local_box(const Aabb& work) const {
    const auto inverse = rough_inverse(frame.work_from_local);
    const Vec3f reach = reach_of(side->geometry->box);
    BoxD out;
    Vec3d grow;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d& n = inverse[k];
        out.min[k] = out.max[k] = 0;
        for (std::size_t r = 0; r < 3; ++r) {
            const double t = frame.work_from_local.m[4 * r + 3];
            const double low = n[r] * (work.min[r] - t), high = n[r] * (work.max[r] - t);
            out.min[k] += std::min(low, high);
            out.max[k] += std::max(low, high);
            const double size = std::max(std::abs(work.min[r]), std::abs(work.max[r])) + std::abs(t);
            grow[k] += std::abs(n[r]) * (size * 0x1p-50 + frame.error);
        }
        for (std::size_t j = 0; j < 3; ++j) {
            double product = 0, size = 1;
            for (std::size_t r = 0; r < 3; ++r) {
                product += n[r] * frame.work_from_local.m[4 * r + j];
                size += std::abs(n[r] * frame.work_from_local.m[4 * r + j]);
            }
            grow[k] += (std::abs(product - (j == k ? 1 : 0)) + size * 0x1p-50) * reach[j];
        }
    }
    if (!is_finite(out.min) || !is_finite(out.max) || !is_finite(grow)) return kEverywhere;
    return outward(out, grow);
}

class Search {
  public:
    Search(const MeshSearch& s, FunctionRef<bool(const MeshHit&)> on_hit, MeshCounts& counts)
        : search_(s),
          on_hit_(on_hit),
          counts_(counts),
          a_(s.a, s.a.world_from_local->translation()),
          b_(s.b, s.a.world_from_local->translation()) {}

    MeshEnd run(Scratch& scratch);

  private:
    bool boxes() const { return search_.prechecks == MeshPrechecks::face_box; }
    std::size_t count(const Mesh& mesh, const Aabb& local) const;
    void collect(Mesh& mesh, const Aabb& work);
    void sort(Mesh& mesh, std::size_t axis);
    void mark(Mesh& mesh, std::size_t end);
    MeshEnd edges_of(Mesh& mesh, const Mesh& other, const Aabb& region, bool edge_of_b);
    MeshEnd diagonals_of(std::uint32_t polygon, const Mesh& mesh, const Mesh& other, const Aabb& region);
    MeshEnd edge(const Mesh& mesh, const Mesh& other, const Aabb& region);
    MeshEnd against(const Mesh& mesh, const Mesh& other, const Face& face);
    bool meets(const Mesh& mesh, const Mesh& other, const Triangle& t);

    const MeshSearch& search_;
    FunctionRef<bool(const MeshHit&)> on_hit_;
    MeshCounts& counts_;
    Mesh a_, b_;
    std::size_t axis_ = 0;
    MeshHit hit_;
    Vec3d from_, to_;  ///< the current edge in the work frame
};

std::size_t Search::count(const Mesh& mesh, const Aabb& local) const {
    const std::uint32_t all = mesh.topology->polygon_count();
    if (!boxes()) return all;
    const Geometry& g = *mesh.side->geometry;
    std::size_t n = 0;
    for (std::uint32_t run = 0; run < g.run_boxes.size(); ++run) {
        if (!overlap(g.run_boxes[run], local)) continue;
        const std::uint32_t end = std::min((run + 1) * kBoxRun, all);
        for (std::uint32_t p = run * kBoxRun; p < end; ++p) n += overlap(g.polygon_boxes[p], local) ? 1 : 0;
    }
    return n;
}

/// Fills `faces` with the polygons that may reach into the box `work`, and shrinks mesh.box to them.
void Search::collect(Mesh& mesh, const Aabb& work) {
    const std::uint32_t count = mesh.topology->polygon_count();
    if (boxes()) {
        const Geometry& g = *mesh.side->geometry;
        const Aabb local = mesh.local_box(work);
        Aabb all;
        for (std::uint32_t run = 0; run < g.run_boxes.size(); ++run) {
            if (!overlap(g.run_boxes[run], local)) continue;
            const std::uint32_t end = std::min((run + 1) * kBoxRun, count);
            for (std::uint32_t p = run * kBoxRun; p < end; ++p) {
                if (!overlap(g.polygon_boxes[p], local)) continue;
                const Face face{mesh.polygon_box(p), p};
                if (!overlap(face.box, work)) continue;
                mesh.faces[mesh.face_count++] = face;
                all.add(face.box);
            }
        }
        mesh.box = all;
    } else {
        for (std::uint32_t p = 0; p < count; ++p) mesh.faces[mesh.face_count++] = {kEverywhere, p};
    }
    counts_.polygons += mesh.face_count;
}

/// Faces by their lower end along one axis, so that an edge looks only at a window of them.
void Search::sort(Mesh& mesh, std::size_t axis) {
    if (!boxes()) return;
    const auto faces = mesh.faces.first(mesh.face_count);
    std::sort(faces.begin(), faces.end(), [axis](const Face& x, const Face& y) {
        return x.box.min[axis] != y.box.min[axis] ? x.box.min[axis] < y.box.min[axis] : x.polygon < y.polygon;
    });
    for (const Face& f : faces) mesh.widest = std::max(mesh.widest, f.box.max[axis] - f.box.min[axis]);
    mesh.widest *= 1 + 0x1p-20f;
}

/// Whether this is the first time that an edge is met. A half-edge of no length has no edge: it is new each
/// time.
bool first_time(Mesh& mesh, std::uint32_t edge) {
    if (edge == kNoIndex) return true;
    std::uint64_t& word = mesh.seen[edge / 64];
    const std::uint64_t bit = std::uint64_t{1} << edge % 64;
    const bool fresh = (word & bit) == 0;
    word |= bit;
    return fresh;
}

/// Edges that earlier parts own.
void Search::mark(Mesh& mesh, std::size_t end) {
    const Topology& t = *mesh.topology;
    std::fill(mesh.seen.begin(), mesh.seen.end(), 0);
    for (std::size_t i = 0; i < end; ++i) {
        const std::uint32_t p = mesh.faces[i].polygon;
        for (std::uint32_t h = t.polygon_begin[p]; h < t.polygon_begin[p + 1]; ++h)
            first_time(mesh, t.edge_of[h]);
    }
}

/// A part takes a range of the collected polygons; an edge belongs to the first of them that has it.
MeshEnd Search::edges_of(Mesh& mesh, const Mesh& other, const Aabb& region, bool edge_of_b) {
    const Topology& t = *mesh.topology;
    const std::size_t begin = mesh.face_count * search_.part / search_.part_count;
    const std::size_t end = mesh.face_count * (search_.part + std::size_t{1}) / search_.part_count;
    mark(mesh, begin);
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

/// Whether side (u, v) of the polygon's triangle `index` is on its boundary or belongs to an earlier
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

MeshEnd Search::diagonals_of(std::uint32_t polygon, const Mesh& mesh, const Mesh& other, const Aabb& region) {
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

/// The current edge against all faces of the other mesh that its box meets.
MeshEnd Search::edge(const Mesh& mesh, const Mesh& other, const Aabb& region) {
    if (search_.stop.stop_requested()) return MeshEnd::stopped;
    from_ = mesh.at(hit_.vertices[0]);
    to_ = mesh.at(hit_.vertices[1]);
    BoxD ends;
    ends.add(from_);
    ends.add(to_);
    const Aabb box = outward(ends, mesh.pad);
    if (search_.prechecks != MeshPrechecks::none && !overlap(box, region)) return MeshEnd::complete;
    ++counts_.edges;
    const Face* face = other.faces.data();
    const Face* const end = face + other.face_count;
    if (!boxes()) {
        for (; face != end; ++face)
            if (const MeshEnd r = against(mesh, other, *face); r != MeshEnd::complete) return r;
        return MeshEnd::complete;
    }
    const double first = static_cast<double>(box.min[axis_]) - other.widest;
    face = std::partition_point(face, end, [&](const Face& f) { return f.box.min[axis_] < first; });
    for (; face != end && face->box.min[axis_] <= box.max[axis_]; ++face) {
        ++counts_.boxes;
        if (!overlap(box, face->box)) continue;
        if (const MeshEnd r = against(mesh, other, *face); r != MeshEnd::complete) return r;
    }
    return MeshEnd::complete;
}

MeshEnd Search::against(const Mesh& mesh, const Mesh& other, const Face& face) {
    const Topology& t = *other.topology;
    for (std::uint32_t i = t.triangle_begin[face.polygon]; i < t.triangle_begin[face.polygon + 1]; ++i) {
        if (!meets(mesh, other, t.triangles[i])) continue;
        hit_.polygon = face.polygon;
        hit_.triangle = i;
        return on_hit_(hit_) ? MeshEnd::complete : MeshEnd::ended;
    }
    return MeshEnd::complete;
}

bool Search::meets(const Mesh& mesh, const Mesh& other, const Triangle& t) {
    ++counts_.tests;
    const auto& v = t.vertices;
    const EdgeTriangleFilter f =
        filter_edge_triangle(from_, to_, other.at(v[0]), other.at(v[1]), other.at(v[2]),
                             std::max(mesh.frame.error, other.frame.error));
    if (f.sign == EdgeTriangleSign::miss) return false;
    double where = f.t;
    if (f.sign == EdgeTriangleSign::unknown) {
        if (search_.fast) {
            where = 0.5;
        } else {
            ++counts_.exact;
            const auto& p = mesh.side->geometry->positions;
            const auto& q = other.side->geometry->positions;
            const EdgeTriangleMeeting m =
                meet_exact({mesh.side->world_from_local, p[hit_.vertices[0]], p[hit_.vertices[1]]},
                           {other.side->world_from_local, q[v[0]], q[v[1]], q[v[2]]});
            if (!m.hit) return false;
            where = m.t;
        }
    }
    hit_.point_w = from_ + (to_ - from_) * where + cast<double>(a_.side->world_from_local->translation());
    return true;
}

std::size_t longest_axis(const Aabb& box) {
    const Vec3f size = box.max - box.min;
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

/// The order of FIX-16: polygons of B in A's box, none ends it; polygons of A in what is left of B; then all
/// edges, against the other's remaining box and each face's.
MeshEnd Search::run(Scratch& scratch) {
    if (search_.prechecks != MeshPrechecks::none && !overlap(a_.box, b_.box)) return MeshEnd::complete;
    const std::size_t mark_used = scratch.used();
    const std::size_t room_a = count(a_, a_.local_box(b_.box)), room_b = count(b_, b_.local_box(a_.box));
    if (room_a == 0 || room_b == 0) return MeshEnd::complete;
    const std::size_t words_a = a_.topology->edges.size() / 64 + 1,
                      words_b = b_.topology->edges.size() / 64 + 1;
    const std::size_t bytes =
        (words_a + words_b) * sizeof(std::uint64_t) + (room_a + room_b + 1) * sizeof(Face) + 16;
    Scratch own(0);  // only for a caller whose own block is too small and already in use
    const bool fits = scratch.take_growing<std::byte>(bytes).size() == bytes;
    scratch.reset_to(mark_used);
    if (!fits) own.reserve(bytes);
    Scratch& room = fits ? scratch : own;
    a_.seen = room.take<std::uint64_t>(words_a);
    b_.seen = room.take<std::uint64_t>(words_b);
    a_.faces = room.take<Face>(room_a);
    b_.faces = room.take<Face>(room_b);

    const Aabb box_a = a_.box;
    collect(b_, box_a);
    if (b_.face_count != 0) collect(a_, common(b_.box, box_a));
    MeshEnd end = MeshEnd::complete;
    if (a_.face_count != 0) {
        axis_ = longest_axis(common(a_.box, b_.box));
        sort(a_, axis_);
        sort(b_, axis_);
        end = edges_of(a_, b_, b_.box, false);
        if (end == MeshEnd::complete) end = edges_of(b_, a_, a_.box, true);
    }
    scratch.reset_to(mark_used);
    return end;
}

}  // namespace

MeshEnd find_mesh_hits(const MeshSearch& search, Scratch& scratch, FunctionRef<bool(const MeshHit&)> on_hit,
                       MeshCounts& counts) {
    return Search(search, on_hit, counts).run(scratch);
}

}  // namespace claybox::collision
