#include "collision/pairwise/v_clip/feature_hull.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::collision {

namespace {

/// Planes are read in groups of this many, one lane each.
constexpr std::size_t kLanes = 16;

/// One directed use of an edge by a face.
struct Use {
    std::uint64_t key;  ///< both vertices' positions along the curve
    std::uint32_t low, high, face, side;
};

Vec3d centred(const ConvexHull& hull, std::uint32_t v) {
    return cast<double>(hull.vertex(v)) - cast<double>(hull.interior);
}

/// Spreads the lowest ten bits, with two zero bits after each.
std::uint32_t spread_bits(std::uint32_t v) {
    v = (v | v << 16) & 0x030000FF;
    v = (v | v << 8) & 0x0300F00F;
    v = (v | v << 4) & 0x030C30C3;
    return (v | v << 2) & 0x09249249;
}

/// Each vertex's position along a Morton curve through the hull's box.
std::vector<std::uint32_t> positions_along_curve(const ConvexHull& hull, float extent) {
    std::vector<std::uint32_t> code(hull.vertex_count), order(hull.vertex_count), position(hull.vertex_count);
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) {
        const Vec3d p = extent > 0 ? centred(hull, v) / double(extent) : Vec3d{};
        for (std::size_t k = 0; k < 3; ++k)
            code[v] |= spread_bits(static_cast<std::uint32_t>(511.5 + 511.5 * std::clamp(p[k], -1.0, 1.0)))
                       << k;
        order[v] = v;
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return code[a] < code[b]; });
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i) position[order[i]] = i;
    return position;
}

using CurvePositions = std::vector<std::uint32_t>;

/// The faces in the order of their first vertex along the curve.
std::vector<std::uint32_t> faces_along_curve(const ConvexHull& hull, const CurvePositions& position) {
    std::vector<std::uint32_t> order(hull.faces.polygon_count()), first(order.size(), kNoIndex);
    for (std::uint32_t f = 0; f < order.size(); ++f) {
        for (const std::uint32_t v : hull.faces.polygon(f)) first[f] = std::min(first[f], position[v]);
        order[f] = f;
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return first[a] < first[b]; });
    return order;
}

/// Chooses three distant vertices of a face's loop.
void choose_corners(const ConvexHull& hull, std::span<const std::uint32_t> loop, FeatureHull::Face& face) {
    const Vec3d a = centred(hull, loop[0]);
    const auto furthest = [&](auto&& measure) {
        std::uint32_t best = loop[1];
        double most = -1;
        for (const std::uint32_t v : loop) {
            const double m = measure(centred(hull, v) - a);
            if (m > most) best = v;
            most = std::max(most, m);
        }
        return best;
    };
    const std::uint32_t second = furthest([](const Vec3d& d) { return length_squared(d); });
    const Vec3d ab = centred(hull, second) - a;
    const std::uint32_t third = furthest([&](const Vec3d& d) { return length_squared(cross(ab, d)); });
    // In the order of the loop, so that the normal points outward.
    const auto at = [&](std::uint32_t v) { return std::find(loop.begin(), loop.end(), v); };
    const bool turned = at(third) < at(second);
    face.corner[0] = loop[0];
    face.corner[1] = turned ? third : second;
    face.corner[2] = turned ? second : third;
}

/// Adds the faces and their sides; add_edges() sets the sides' edges. Returns the uses of edges, sorted.
std::vector<Use> add_faces(const ConvexHull& hull, const CurvePositions& position, FeatureHull& out) {
    std::vector<Use> uses;
    for (const std::uint32_t f : faces_along_curve(hull, position)) {
        const auto loop = hull.faces.polygon(f);
        FeatureHull::Face face;
        choose_corners(hull, loop, face);
        const Vec3d a = centred(hull, face.corner[0]);
        const Vec3d n = normalized(
            cross(centred(hull, face.corner[1]) - a, centred(hull, face.corner[2]) - a), Vec3d{1, 0, 0});
        face.normal = cast<float>(n);
        face.at = cast<float>(a);
        face.first_side = static_cast<std::uint32_t>(out.sides.size());
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const std::uint32_t v = loop[k], w = loop[(k + 1) % loop.size()];
            const Vec3d from = centred(hull, v);
            const auto [low, high] = position[v] < position[w] ? std::pair{v, w} : std::pair{w, v};
            uses.push_back({std::uint64_t{position[low]} << 32 | position[high], low, high,
                            static_cast<std::uint32_t>(out.faces.size()),
                            static_cast<std::uint32_t>(out.sides.size())});
            const Vec3d into = normalized(cross(n, centred(hull, w) - from));
            out.sides.push_back({cast<float>(into), cast<float>(from), 0, v});
        }
        out.faces.push_back(face);
    }
    if (!out.faces.empty()) {
        FeatureHull::Face end;
        end.first_side = static_cast<std::uint32_t>(out.sides.size());
        out.faces.push_back(end);
    }
    std::sort(uses.begin(), uses.end(),
              [](const Use& a, const Use& b) { return a.key != b.key ? a.key < b.key : a.face < b.face; });
    return uses;
}

FeatureHull::Edge edge_between(const ConvexHull& hull, std::uint32_t tail, std::uint32_t head) {
    FeatureHull::Edge edge;
    edge.tail = tail;
    edge.head = head;
    edge.tail_at = cast<float>(centred(hull, tail));
    edge.along = cast<float>(centred(hull, head) - centred(hull, tail));
    return edge;
}

void add_edges(const ConvexHull& hull, const std::vector<Use>& uses, FeatureHull& out) {
    if (hull.dimension == 1) out.edges.push_back(edge_between(hull, 0, 1));
    for (std::size_t i = 0; i < uses.size();) {
        FeatureHull::Edge edge = edge_between(hull, uses[i].low, uses[i].high);
        const std::size_t first = i;
        for (; i < uses.size() && uses[i].key == uses[first].key; ++i) {
            out.sides[uses[i].side].edge = static_cast<std::uint32_t>(out.edges.size());
            if (i >= first + 2) continue;
            edge.face[i - first] = uses[i].face;
            edge.into[i - first] = out.sides[uses[i].side].into;
        }
        out.edges.push_back(edge);
    }
}

void add_spokes(const ConvexHull& hull, const CurvePositions& position, FeatureHull& out) {
    std::vector<std::uint32_t> begin(hull.vertex_count + 1, 0);  // per position
    for (const FeatureHull::Edge& e : out.edges)
        for (const std::uint32_t v : {e.tail, e.head}) ++begin[position[v] + 1];
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i) begin[i + 1] += begin[i];
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v)
        out.vertices.push_back({cast<float>(centred(hull, v)), begin[position[v]], 0});
    out.spokes.resize(begin.back());
    for (std::uint32_t e = 0; e < out.edges.size(); ++e) {
        const std::uint32_t tail = out.edges[e].tail, head = out.edges[e].head;
        const Vec3d direction = normalized(centred(hull, head) - centred(hull, tail));
        const auto add = [&](std::uint32_t v, const Vec3d& d) {
            FeatureHull::Vertex& vertex = out.vertices[v];
            out.spokes[vertex.first_spoke + vertex.spoke_count++] = {cast<float>(d), e};
        };
        add(tail, direction);
        add(head, -direction);
    }
}

void add_planes(FeatureHull& out) {
    const std::size_t count = out.face_count(), padded = (count + kLanes - 1) / kLanes * kLanes;
    for (std::size_t i = 0; i < padded; ++i) {
        const FeatureHull::Face& face = out.faces[i < count ? i : 0];
        out.plane_x.push_back(face.normal.x);
        out.plane_y.push_back(face.normal.y);
        out.plane_z.push_back(face.normal.z);
        out.plane_offset.push_back(dot(face.normal, face.at));
    }
}

float height(const FeatureHull& hull, std::size_t f, const Vec3f& p) {
    return hull.plane_x[f] * p.x + hull.plane_y[f] * p.y + hull.plane_z[f] * p.z - hull.plane_offset[f];
}

template <class T>
std::size_t bytes(const std::vector<T>& v) {
    return v.capacity() * sizeof(T);
}

}  // namespace

std::size_t FeatureHull::memory_bytes() const {
    return sizeof(*this) + bytes(vertices) + bytes(spokes) + bytes(edges) + bytes(faces) + bytes(sides) +
           bytes(plane_x) + bytes(plane_y) + bytes(plane_z) + bytes(plane_offset);
}

FeatureHull make_feature_hull(const ConvexHull& hull) {
    FeatureHull out;
    out.centre = hull.interior;
    out.flat = hull.dimension == 2;
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) {
        const Vec3f at = cast<float>(centred(hull, v));
        out.extent = std::max({out.extent, std::abs(at.x), std::abs(at.y), std::abs(at.z)});
    }
    const CurvePositions position = positions_along_curve(hull, out.extent);
    const std::vector<Use> uses = add_faces(hull, position, out);
    add_edges(hull, uses, out);
    add_spokes(hull, position, out);
    add_planes(out);
    return out;
}

HighestFace highest_face(const FeatureHull& hull, const Vec3f& p) {
    float best[kLanes];
    std::uint32_t group[kLanes] = {};
    std::fill(best, best + kLanes, -std::numeric_limits<float>::infinity());
    const std::size_t padded = hull.plane_x.size();
    for (std::size_t i = 0; i < padded; i += kLanes)
        for (std::size_t k = 0; k < kLanes; ++k) {
            const float h = height(hull, i + k, p);
            const bool higher = h > best[k];
            best[k] = higher ? h : best[k];
            group[k] = higher ? static_cast<std::uint32_t>(i) : group[k];
        }
    HighestFace out;
    for (std::uint32_t k = 0; k < kLanes && padded > 0; ++k) {
        const std::uint32_t face = group[k] + k < hull.face_count() ? group[k] + k : 0;
        if (out.face != kNoIndex && !(best[k] > out.height || (best[k] == out.height && face < out.face)))
            continue;
        out = {face, best[k]};
    }
    return out;
}

std::uint32_t exit_face_of(const FeatureHull& hull, std::uint32_t from, const Vec3f& p) {
    const Vec3f start = hull.vertices[from].at;
    std::uint32_t best = kNoIndex;
    float nearest = std::numeric_limits<float>::infinity();
    for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
        const float at_start = height(hull, f, start), at_point = height(hull, f, p);
        const float rise = at_point - at_start;
        if (!(rise > 0)) continue;
        const float reach = -at_start / rise;  // in units of the distance from the vertex to the point
        if (!(reach >= 1) || !(reach < nearest)) continue;
        nearest = reach;
        best = f;
    }
    return best;
}

}  // namespace claybox::collision
