#include "collision/geometry/classification.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/hull/convexity.hpp"
#include "collision/geometry/polygons/polygon_plane.hpp"
#include "collision/geometry/polygons/triangulate.hpp"
#include "collision/geometry/predicates.hpp"

#include <algorithm>
#include <numeric>

namespace claybox::collision {

namespace {

class DisjointSets {
  public:
    explicit DisjointSets(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), 0u);
    }

    std::uint32_t find(std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

  private:
    std::vector<std::uint32_t> parent_;
};

Classification counts_of(const Topology& t) {
    Classification out;
    out.vertices = t.vertex_count;
    out.edges = static_cast<std::uint32_t>(t.edges.size());
    out.polygons = t.polygon_count();
    out.triangles = static_cast<std::uint32_t>(t.triangles.size());
    return out;
}

// Runs classify(), one step per function.
class Classifier {
  public:
    explicit Classifier(const Polyhedron& mesh) : mesh_(mesh), t_(*mesh.topology) {}

    Classification run() {
        out_ = counts_of(t_);
        edges();
        polygons();
        duplicates();
        components();
        fans();
        genus_and_convexity();
        return std::move(out_);
    }

  private:
    void report(DefectKind kind, std::uint32_t first, std::uint32_t second = kNoIndex,
                std::array<std::uint32_t, 2> suspects = {kNoIndex, kNoIndex}) {
        out_.defects.push_back({kind, first, second, suspects});
    }

    // The polygons that use one edge: the first two per direction, and the third one overall.
    struct Users {
        std::array<std::uint32_t, 2> forward{kNoIndex, kNoIndex}, backward{kNoIndex, kNoIndex};
        std::uint32_t third = kNoIndex, count = 0;

        void add(bool is_forward, std::uint32_t polygon) {
            auto& same = is_forward ? forward : backward;
            if (++count == 3) third = polygon;
            if (same[0] == kNoIndex) {
                same[0] = polygon;
            } else if (same[1] == kNoIndex) {
                same[1] = polygon;
            }
        }
        bool disagree() const { return forward[1] != kNoIndex || backward[1] != kNoIndex; }
    };

    // An edge is correct if its two uses are twins. For all other edges this gathers the users, in polygon
    // order. bad[e] is the index of edge e in the result.
    std::vector<Users> users_of_bad_edges(std::vector<std::uint32_t>& bad) const {
        std::vector<Users> users;
        for (std::uint32_t h = 0; h < t_.half_edge_count(); ++h) {
            const std::uint32_t e = t_.edge_of[h];
            if (e == kNoIndex || t_.twin[h] != kNoIndex) continue;
            if (bad.empty()) bad.assign(t_.edges.size(), kNoIndex);
            if (bad[e] == kNoIndex) {
                bad[e] = static_cast<std::uint32_t>(users.size());
                users.emplace_back();
            }
            users[bad[e]].add(t_.origin[h] == t_.edges[e].vertices[0], t_.polygon_of[h]);
        }
        return users;
    }

    void edges() {
        std::vector<std::uint32_t> bad;  // per edge: index into `users`
        const std::vector<Users> users = users_of_bad_edges(bad);
        out_.closed = out_.manifold = out_.oriented = true;
        for (std::uint32_t e = 0; e < bad.size(); ++e) {
            if (bad[e] == kNoIndex) continue;
            const Users& by = users[bad[e]];
            const auto [a, b] = t_.edges[e].vertices;
            const std::uint32_t first = t_.edges[e].polygons[0];
            if (by.count == 1) {
                out_.closed = false;
                ++out_.boundary_edges;
                report(DefectKind::boundary_edge, a, b, {first, kNoIndex});
            }
            if (by.count > 2) {
                out_.manifold = false;
                ++out_.nonmanifold_edges;
                report(DefectKind::nonmanifold_edge, a, b, {first, by.third});
            }
            if (by.disagree()) {
                out_.oriented = false;
                report(DefectKind::flipped_edge, a, b, by.forward[1] != kNoIndex ? by.forward : by.backward);
            }
        }
    }

    bool is_degenerate(std::span<const std::uint32_t> loop) const {
        for (std::size_t k = 0; k < loop.size(); ++k) {
            if (loop[k] == loop[(k + 1) % loop.size()]) return true;
        }
        return !find_plane(loop)[2];
    }

    // Three corners that are not on one line, as vertices. The last is empty if there are none.
    std::array<std::optional<std::uint32_t>, 3> find_plane(std::span<const std::uint32_t> loop) const {
        std::array<std::optional<std::uint32_t>, 3> base{loop[0]};
        for (const std::uint32_t v : loop) {
            if (!base[1]) {
                if (v != *base[0]) base[1] = v;
            } else if (!collinear(mesh_.positions[*base[0]], mesh_.positions[*base[1]], mesh_.positions[v])) {
                base[2] = v;
                break;
            }
        }
        return base;
    }

    bool is_planar(std::span<const std::uint32_t> loop) const {
        if (loop.size() == 3) return true;
        const auto base = find_plane(loop);
        if (!base[2]) return true;
        const auto& p = mesh_.positions;
        return std::all_of(loop.begin(), loop.end(), [&](std::uint32_t v) {
            return orient3d(p[*base[0]], p[*base[1]], p[*base[2]], p[v]) == 0;
        });
    }

    void polygons() {
        out_.planar_polygons = out_.convex_polygons = true;
        for (std::uint32_t p = 0; p < t_.polygon_count(); ++p) {
            const auto loop = t_.loop(p);
            if (is_degenerate(loop)) {
                ++out_.degenerate_polygons;
                report(DefectKind::degenerate_polygon, p, kNoIndex, {p, kNoIndex});
                out_.convex_polygons = false;
            } else if (loop.size() > 3 && !outline_kind(mesh_.positions, loop).convex) {
                out_.convex_polygons = false;
            }
            if (!is_planar(loop)) {
                out_.planar_polygons = false;
                out_.largest_bend = std::max(out_.largest_bend, bend_of(mesh_.positions, loop));
                bent_on_purpose_ = bent_on_purpose_ || is_bent_on_purpose(mesh_.positions, loop);
                report(DefectKind::bent_polygon, p, kNoIndex, {p, kNoIndex});
            }
        }
        std::uint32_t last = kNoIndex;
        for (const Outline& outline : t_.outlines) {
            if (outline.hole && outline.polygon != last) ++out_.keyhole_polygons;
            if (outline.hole) last = outline.polygon;
        }
    }

    // Finds polygons with the same set of vertices by a hash of the set, then compares them. Two polygons
    // with opposite directions count as duplicates too.
    void duplicates() {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> keys;
        keys.reserve(t_.polygon_count());
        for (std::uint32_t p = 0; p < t_.polygon_count(); ++p) {
            std::uint64_t key = 0;
            for (const std::uint32_t v : t_.loop(p)) key += mix64(v);
            keys.push_back({key, p});
        }
        std::sort(keys.begin(), keys.end());
        const auto sorted_loop = [&](std::uint32_t p) {
            std::vector<std::uint32_t> loop(t_.loop(p).begin(), t_.loop(p).end());
            std::sort(loop.begin(), loop.end());
            return loop;
        };
        std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
        for (std::size_t i = 0; i + 1 < keys.size();) {
            std::size_t end = i + 1;
            while (end < keys.size() && keys[end].first == keys[i].first) ++end;
            if (end > i + 1) {
                const auto first = sorted_loop(keys[i].second);
                for (std::size_t k = i + 1; k < end; ++k) {
                    if (sorted_loop(keys[k].second) == first)
                        found.push_back({keys[k].second, keys[i].second});
                }
            }
            i = end;
        }
        std::sort(found.begin(), found.end());
        for (const auto& [later, earlier] : found)
            report(DefectKind::duplicate_polygon, later, earlier, {earlier, later});
    }

    void components() {
        DisjointSets sets(t_.polygon_count());
        std::vector<std::uint32_t> first(t_.edges.size(), kNoIndex);
        for (std::uint32_t h = 0; h < t_.half_edge_count(); ++h) {
            const std::uint32_t e = t_.edge_of[h];
            if (e == kNoIndex) continue;
            if (first[e] == kNoIndex) first[e] = t_.polygon_of[h];
            sets.join(first[e], t_.polygon_of[h]);
        }
        for (std::uint32_t p = 0; p < t_.polygon_count(); ++p)
            if (sets.find(p) == p) out_.component_vertices.push_back(t_.loop(p).front());
        out_.components = static_cast<std::uint32_t>(out_.component_vertices.size());
    }

    // Reports each vertex with several fans, with one polygon of each of two fans.
    void report_fans(const std::vector<std::uint32_t>& count, DisjointSets& sets) {
        if (std::none_of(count.begin(), count.end(), [](std::uint32_t n) { return n > 1; })) return;
        out_.vertex_fans_ok = false;
        std::vector<std::uint32_t> first(t_.vertex_count, kNoIndex), other(t_.vertex_count, kNoIndex);
        for (std::uint32_t h = 0; h < t_.half_edge_count(); ++h) {
            const std::uint32_t v = t_.origin[h];
            if (first[v] == kNoIndex) first[v] = h;
            if (other[v] == kNoIndex && sets.find(first[v]) != sets.find(h)) other[v] = h;
        }
        for (std::uint32_t v = 0; v < t_.vertex_count; ++v) {
            if (count[v] > 1)
                report(DefectKind::vertex_fan, v, kNoIndex,
                       {t_.polygon_of[first[v]], t_.polygon_of[other[v]]});
        }
    }

    // The corners at a vertex form one fan if they are connected through the edges at the vertex. Half-edge h
    // represents the corner at its origin.
    void fans() {
        DisjointSets sets(t_.half_edge_count());
        std::vector<std::uint32_t> first(2 * t_.edges.size(), kNoIndex);
        const auto join_at = [&](std::uint32_t edge, std::uint32_t corner) {
            const std::size_t end = t_.edges[edge].vertices[0] == t_.origin[corner] ? 0 : 1;
            std::uint32_t& known = first[2 * std::size_t{edge} + end];
            if (known == kNoIndex) known = corner;
            sets.join(known, corner);
        };
        for (std::uint32_t h = 0; h < t_.half_edge_count(); ++h) {
            const std::uint32_t g = t_.next(h);
            if (t_.edge_of[h] == kNoIndex) {
                sets.join(h, g);
                continue;
            }
            join_at(t_.edge_of[h], h);
            join_at(t_.edge_of[h], g);
        }
        std::vector<std::uint32_t> count(t_.vertex_count, 0);
        for (std::uint32_t h = 0; h < t_.half_edge_count(); ++h)
            count[t_.origin[h]] += sets.find(h) == h ? 1 : 0;
        out_.vertex_fans_ok = true;
        report_fans(count, sets);
        for (std::uint32_t v = 0; v < t_.vertex_count; ++v) {
            if (count[v] == 0) {
                ++isolated_;
                report(DefectKind::isolated_vertex, v);
            }
        }
    }

    void genus_and_convexity() {
        const bool surface = out_.closed && out_.manifold && out_.oriented && out_.vertex_fans_ok &&
                             out_.components == 1 && out_.polygons > 0;
        if (!surface) return;
        const std::int64_t euler =
            std::int64_t{out_.vertices} - isolated_ - std::int64_t{out_.edges} + std::int64_t{out_.polygons};
        out_.genus = static_cast<int>((2 - euler) / 2);
        out_.convex = *out_.genus == 0 && isolated_ == 0 && !bent_on_purpose_ && bounds_its_hull(mesh_);
    }

    const Polyhedron& mesh_;
    const Topology& t_;
    Classification out_;
    std::uint32_t isolated_ = 0;
    bool bent_on_purpose_ = false;
};

}  // namespace

const char* to_string(DefectKind kind) {
    switch (kind) {
        case DefectKind::boundary_edge:
            return "boundary_edge";
        case DefectKind::nonmanifold_edge:
            return "nonmanifold_edge";
        case DefectKind::flipped_edge:
            return "flipped_edge";
        case DefectKind::degenerate_polygon:
            return "degenerate_polygon";
        case DefectKind::duplicate_polygon:
            return "duplicate_polygon";
        case DefectKind::vertex_fan:
            return "vertex_fan";
        case DefectKind::bent_polygon:
            return "bent_polygon";
        case DefectKind::isolated_vertex:
            return "isolated_vertex";
    }
    return "unknown";
}

std::string describe_location(const Defect& defect) {
    const std::string first = std::to_string(defect.first), second = std::to_string(defect.second);
    switch (defect.kind) {
        case DefectKind::boundary_edge:
        case DefectKind::nonmanifold_edge:
        case DefectKind::flipped_edge:
            return "edge " + first + "-" + second;
        case DefectKind::degenerate_polygon:
        case DefectKind::bent_polygon:
            return "polygon " + first;
        case DefectKind::duplicate_polygon:
            return "polygon " + first + ", same vertices as polygon " + second;
        case DefectKind::vertex_fan:
        case DefectKind::isolated_vertex:
            return "vertex " + first;
    }
    return "vertex " + first;
}

std::string describe_suspects(const Defect& defect) {
    const auto [a, b] = defect.suspects;
    if (a == kNoIndex) return {};
    if (b == kNoIndex || b == a) return "polygon " + std::to_string(a);
    return "polygons " + std::to_string(a) + " and " + std::to_string(b);
}

Classification classify(const Polyhedron& polyhedron) {
    return Classifier(polyhedron).run();
}

Classification classification_of_hull(const Topology& topology) {
    Classification out = counts_of(topology);
    out.closed = out.manifold = out.oriented = true;
    out.planar_polygons = out.convex_polygons = out.convex = true;
    out.vertex_fans_ok = true;
    out.components = 1;
    out.component_vertices = {topology.loop(0).front()};
    out.genus = 0;
    return out;
}

}  // namespace claybox::collision
