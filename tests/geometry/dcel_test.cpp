// The doubly connected edge list: construction, loops, and the defects that it reveals.

#include "collision/core/random.hpp"
#include "collision/geometry/classification.hpp"
#include "collision/geometry/polygons/loops.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/geometry/lists.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace claybox::collision {
namespace {

using namespace test;

std::size_t count(const Classification& c, DefectKind kind) {
    return static_cast<std::size_t>(
        std::count_if(c.defects.begin(), c.defects.end(), [&](const Defect& d) { return d.kind == kind; }));
}

// The outgoing half-edges of v, by a search through all half-edges.
std::set<std::uint32_t> leaving(const Topology& t, std::uint32_t v) {
    std::set<std::uint32_t> out;
    for (std::uint32_t h = 0; h < t.half_edge_count(); ++h) {
        if (t.origin[h] == v) out.insert(h);
    }
    return out;
}

TEST(Dcel, Z_4_1_2_dcel_vertex_loops_are_counter_clockwise_and_polygon_loops_close) {
    const Polyhedron m = built(make_primitive(Primitive::uv_sphere, 200, 1));
    const Topology& t = *m.topology;
    VertexFans fans;
    for (std::uint32_t v = 0; v < t.vertex_count; ++v) {
        fans_around(t, v, fans);
        ASSERT_EQ(fans.count(), 1u);
        ASSERT_TRUE(fans.closed[0]);
        EXPECT_EQ(std::set<std::uint32_t>(fans.half_edges.begin(), fans.half_edges.end()), leaving(t, v));
        const Vec3d outside =
            cast<double>(m.positions[v]);  // outward normal: the sphere is centred at the origin
        for (std::size_t i = 0; i < fans.half_edges.size(); ++i) {
            const std::uint32_t h = fans.half_edges[i], g = fans.half_edges[(i + 1) % fans.half_edges.size()];
            EXPECT_EQ(next_around_origin(t, h), g);
            EXPECT_EQ(prev_around_origin(t, g), h);
            const Vec3d a = cast<double>(m.positions[t.origin[t.next(h)]]) - outside,
                        b = cast<double>(m.positions[t.origin[t.next(g)]]) - outside;
            EXPECT_GT(dot(cross(a, b), outside), 0) << "not counter-clockwise around vertex " << v;
        }
        EXPECT_EQ(vertex_neighbours(t, v).size(), fans.half_edges.size());
    }
    for (std::uint32_t p = 0; p < t.polygon_count(); ++p) {
        std::uint32_t h = t.polygon_begin[p];
        for (std::size_t k = 0; k < t.loop(p).size(); ++k) h = t.prev(h);  // clockwise
        EXPECT_EQ(h, t.polygon_begin[p]);
        for (const std::uint32_t q : polygon_neighbours(t, p)) {
            const auto back = polygon_neighbours(t, q);
            EXPECT_NE(std::find(back.begin(), back.end(), p), back.end());
        }
    }
}

TEST(Dcel, Z_4_1_2_dcel_traversals_end_at_borders_and_handle_two_fans) {
    Loops faces = kCubeFaces;
    faces.pop_back();  // no lid
    const Polyhedron m = built(list_of(kCubeCorners, faces));
    VertexFans fans;
    fans_around(*m.topology, 4, fans);
    ASSERT_EQ(fans.count(), 1u);
    EXPECT_FALSE(fans.closed[0]);
    EXPECT_EQ(prev_around_origin(*m.topology, fans.half_edges.front()), kNoIndex);
    EXPECT_EQ(next_around_origin(*m.topology, fans.half_edges.back()), kNoIndex);
    EXPECT_EQ(fans.half_edges.size(), 2u);
    auto neighbours = vertex_neighbours(*m.topology, 4);
    std::sort(neighbours.begin(), neighbours.end());
    EXPECT_EQ(neighbours, (std::vector<std::uint32_t>{0, 5, 7}));
    const auto sides = polygon_neighbours(*m.topology, 1);
    EXPECT_EQ(std::count(sides.begin(), sides.end(), kNoIndex), 1);
    // Two triangles that share only a corner.
    const Polyhedron bow =
        built(list_of({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}}, {{0, 1, 2}, {0, 3, 4}}));
    fans_around(*bow.topology, 0, fans);
    EXPECT_EQ(fans.count(), 2u);
    EXPECT_EQ(vertex_neighbours(*bow.topology, 0).size(), 4u);
}

using Directed = std::pair<std::uint32_t, std::uint32_t>;

// The use count of each undirected edge, by a simple count.
std::map<Directed, std::uint32_t> naive_edges(const Topology& t) {
    std::map<Directed, std::uint32_t> uses;
    for (std::uint32_t p = 0; p < t.polygon_count(); ++p) {
        const auto loop = t.loop(p);
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const std::uint32_t a = loop[k], b = loop[(k + 1) % loop.size()];
            if (a != b) ++uses[std::minmax(a, b)];
        }
    }
    return uses;
}

TEST(Dcel, Z_4_1_3_build_from_broken_lists_finds_each_edge_once) {
    Random random(3);
    for (int round = 0; round < 300; ++round) {
        PolygonList list;
        const auto vertices = 3 + random.below(20);
        for (std::uint64_t v = 0; v < vertices; ++v)
            list.positions.push_back({static_cast<float>(random.below(3)),
                                      static_cast<float>(random.below(3)),
                                      static_cast<float>(random.below(3))});  // many equal ones
        const auto polygons = random.below(30);
        for (std::uint64_t p = 0; p < polygons; ++p) {
            std::vector<std::uint32_t> loop(3 + random.below(6));
            for (std::uint32_t& v : loop) v = static_cast<std::uint32_t>(random.below(vertices));
            list.add_polygon(loop);
            if (random.below(5) == 0) list.add_polygon(loop);  // duplicated
            std::reverse(loop.begin(), loop.end());
            if (random.below(5) == 0) list.add_polygon(loop);  // flipped
        }
        const Polyhedron m = built(list);
        const Topology& t = *m.topology;
        const auto expected = naive_edges(t);
        ASSERT_EQ(t.edges.size(), expected.size());
        for (const Edge& e : t.edges) EXPECT_EQ(expected.at({e.vertices[0], e.vertices[1]}), e.use_count);
        for (std::uint32_t h = 0; h < t.half_edge_count(); ++h) {
            if (t.twin[h] != kNoIndex) {
                EXPECT_EQ(t.twin[t.twin[h]], h);
                EXPECT_EQ(t.origin[t.twin[h]], t.origin[t.next(h)]);
            }
        }
        VertexFans fans;
        for (std::uint32_t v = 0; v < t.vertex_count; ++v) {
            fans_around(t, v, fans);
            EXPECT_EQ(std::set<std::uint32_t>(fans.half_edges.begin(), fans.half_edges.end()), leaving(t, v));
            EXPECT_EQ(fans.half_edges.size(), leaving(t, v).size());
        }
        EXPECT_EQ(classify(m).polygons, list.polygon_count());
    }
}

// So a million polygons need at most 200 bytes each, including their triangulation.
TEST(Dcel, Z_4_1_cmp_and_Z_4_1_3_build_use_a_bounded_number_of_words_per_edge) {
    for (const Primitive primitive : {Primitive::uv_sphere, Primitive::tetra_flake, Primitive::torus}) {
        const Polyhedron m = built(make_primitive(primitive, 20000, 1));
        const Topology& t = *m.topology;
        EXPECT_LE(t.memory_bytes(), 200 * t.polygon_count()) << info(primitive).id;
        EXPECT_LE(t.memory_bytes(), (17 + 6) * sizeof(std::uint32_t) * t.edges.size()) << info(primitive).id;
    }
}

TEST(Dcel, Z_4_2_1_mani_three_polygons_on_an_edge_are_a_defect) {
    const Polyhedron m = built(
        list_of({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}}, {{0, 1, 2}, {1, 0, 3}, {1, 0, 4}}));
    const Classification c = classify(m);
    EXPECT_FALSE(c.manifold);
    EXPECT_EQ(c.nonmanifold_edges, 1u);
    const auto bad = std::find_if(c.defects.begin(), c.defects.end(),
                                  [](const Defect& d) { return d.kind == DefectKind::nonmanifold_edge; });
    ASSERT_NE(bad, c.defects.end());
    EXPECT_EQ(describe_location(*bad), "edge 0-1");
    EXPECT_EQ(describe_suspects(*bad), "polygons 0 and 2");  // the first and the third user of the edge
    EXPECT_TRUE(classify(built(list_of({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {1, 0, 3}})))
                    .manifold);
}

TEST(Dcel, Z_4_2_1_closed_is_false_for_a_box_without_a_lid) {
    EXPECT_TRUE(classify(built(list_of(kCubeCorners, kCubeFaces))).closed);
    Loops faces = kCubeFaces;
    faces.pop_back();
    const Classification c = classify(built(list_of(kCubeCorners, faces)));
    EXPECT_FALSE(c.closed);
    EXPECT_EQ(c.boundary_edges, 4u);
    EXPECT_EQ(count(c, DefectKind::boundary_edge), 4u);
    std::set<std::uint32_t> walls;
    for (const Defect& d : c.defects) {
        walls.insert(d.suspects[0]);
        EXPECT_EQ(d.suspects[1], kNoIndex);
    }
    EXPECT_EQ(walls, (std::set<std::uint32_t>{1, 2, 3, 4}));
}

// The wrong polygon may be the one that creates the edges (first in the list) or the one that completes them
// (last). The two error patterns differ, but the suspects must be the same. This must also hold for an open
// box.
TEST(Dcel, Z_4_2_1_orient_reports_two_suspects_in_both_build_orders_and_on_open_objects) {
    for (const bool open : {false, true}) {
        for (std::size_t wrong = 0; wrong < 5; ++wrong) {
            for (const bool first : {true, false}) {
                Loops faces = kCubeFaces;
                if (open) faces.pop_back();
                std::vector<std::uint32_t> face = faces[wrong];
                faces.erase(faces.begin() + static_cast<std::ptrdiff_t>(wrong));
                std::reverse(face.begin(), face.end());
                faces.insert(first ? faces.begin() : faces.end(), face);
                const std::uint32_t suspect = first ? 0 : static_cast<std::uint32_t>(faces.size() - 1);
                const Classification c = classify(built(list_of(kCubeCorners, faces)));
                EXPECT_FALSE(c.oriented);
                EXPECT_EQ(c.closed, !open);
                std::set<std::uint32_t> others;
                for (const Defect& d : c.defects) {
                    if (d.kind != DefectKind::flipped_edge) continue;
                    ASSERT_TRUE(d.suspects[0] == suspect || d.suspects[1] == suspect);
                    const std::uint32_t other = d.suspects[d.suspects[0] == suspect ? 1 : 0];
                    EXPECT_LT(other, faces.size());
                    others.insert(other);
                }
                // The wrong polygon is a suspect at all its inner edges, each other polygon at one edge.
                EXPECT_EQ(others.size(), count(c, DefectKind::flipped_edge));
                EXPECT_EQ(others.size(), open && wrong != 0 ? 3u : 4u);
            }
        }
    }
    // If all polygons are flipped, none disagree.
    Loops faces = kCubeFaces;
    for (auto& face : faces) std::reverse(face.begin(), face.end());
    EXPECT_TRUE(classify(built(list_of(kCubeCorners, faces))).oriented);
}

TEST(Classification, reports_two_suspects_for_fans_and_duplicates) {
    // Two tetrahedra that share a corner; below, a duplicate face.
    Loops faces{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}, {0, 4, 5}, {0, 6, 4}, {4, 6, 5}, {0, 5, 6}};
    const std::vector<Vec3f> p{{0, 0, 0},  {1, 0, 0},  {0, 1, 0}, {0, 0, 1},
                               {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    const Classification c = classify(built(list_of(p, faces)));
    ASSERT_EQ(c.defects.size(), 1u);
    EXPECT_EQ(describe_suspects(c.defects[0]), "polygons 0 and 4");
    faces = {{0, 1, 2}, {2, 0, 1}};
    const Classification d = classify(built(list_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, faces)));
    EXPECT_EQ(d.defects.back().kind, DefectKind::duplicate_polygon);
    EXPECT_EQ(describe_suspects(d.defects.back()), "polygons 0 and 1");
}

}  // namespace
}  // namespace claybox::collision
