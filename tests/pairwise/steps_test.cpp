// What the traces of pair algorithms contain: the things that a reader of the steps wants to see.

#include "collision/core/trace_record.hpp"
#include "tests/pairwise/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

namespace claybox::test {
namespace {

/// Every label of the trace, with the space that the item lies in if that is not the world.
std::set<std::string> labels_of(const TraceRecord& trace) {
    static constexpr const char* kSpaces[] = {"", "difference: ", "directions: "};
    std::set<std::string> out;
    for (const TraceItem& item : trace.items())
        out.insert(kSpaces[static_cast<std::size_t>(item.space)] + std::string(item.label));
    return out;
}

std::vector<Pair> shown_pairs() {
    Random random(5);
    std::vector<ShapePtr> small, meshes;
    for (const Primitive kind : {Primitive::box, Primitive::ellipsoid_hull, Primitive::cylinder})
        if (auto shape = make_primitive_shape(kind, 12, 1, 3); shape.ok()) small.push_back(shape.value());
    for (const Primitive kind : {Primitive::torus, Primitive::tetra_flake})
        meshes.push_back(make_primitive_shape(kind, 300, 1, 3).value());
    std::vector<Pair> out;
    for (int i = 0; i < 24; ++i) out.push_back(random_pair(small, random, 2, 0.3, 2.2));
    for (int i = 0; i < 6; ++i) out.push_back(random_pair(meshes, random, 2, 0.3, 1.5));
    return out;
}

TraceRecord traced(const PairAlgorithm& algorithm, const Pair& p, Wants wants) {
    TraceRecord trace;
    PreparedPair prepared = prepare(algorithm, p);
    Scratch scratch;
    PairCache cache;
    cache.set_pool(prepared.pool);
    PairQuery q = query_of(algorithm, p, prepared, scratch);
    q.wants = wants;
    run_query(algorithm, q, cache, &trace);
    return trace;
}

/// What must be in the traces of each algorithm.
const std::map<std::string, std::vector<const char*>>& expected_labels() {
    static const std::vector<const char*> walk{"simplex",
                                               "support of A",
                                               "support of B",
                                               "supporting plane",
                                               "gap along the axis (m)",
                                               "difference: simplex",
                                               "difference: support",
                                               "difference: search direction",
                                               "difference: supporting plane"};
    static const auto with = [](std::vector<const char*> out, std::initializer_list<const char*> more) {
        out.insert(out.end(), more);
        return out;
    };
    static const std::initializer_list<const char*> polytope{
        "difference: polytope", "difference: nearest face", "difference: depth so far", "depth at least (m)",
        "difference: faces of the polytope"};
    static const std::initializer_list<const char*> edges{"edge of A", "edge of B", "piece inside",
                                                          "plane with the edge outside"};
    static const std::initializer_list<const char*> edge_walk{"edge of A", "intersects polygon",
                                                              "side of a tested polygon"};
    static const std::map<std::string, std::vector<const char*>> table{
        {"best", with(walk, polytope)},
        {"gjk", with(with(walk, polytope), {"difference: nearest point"})},
        {"separating_vector",
         {"p, support of A", "q, support of B", "q - p", "candidate plane across S", "S.(q - p) (m)",
          "difference: p - q", "difference: S", "difference: supporting plane", "difference: visited p - q",
          "directions: r", "directions: w", "directions: S", "directions: spherical polygon",
          "directions: sides of the spherical polygon"}},
        {"v_clip",
         {"feature of A", "feature of B", "Voronoi region of A", "Voronoi region of B",
          "crossed plane of the region"}},
        {"dobkin_kirkpatrick", with(with(walk, polytope), {"level of A", "level of B"})},
        {"boundary", edges},
        {"cyrus_beck", edges},
        {"separating_plane",
         {"plane before this sweep", "last wrong vertex of A", "last wrong vertex of B", "pulls so far"}},
        {"interior_point",
         {"weighted points", "dual plane", "m w", "pi4 + pi5", "difference: weighted difference",
          "difference: dual plane"}},
        {"seidel", {"optimum", "half-space", "half-spaces so far"}},
        {"fourier_motzkin",
         {"half-spaces", "half-space", "shadow of the common part", "corners of the shadow", "common point"}},
        {"lp_exact",
         {"basis", "line to the origin", "supporting plane", "difference: basis",
          "difference: supporting plane", "difference: entering point"}},
        {"sat_brute",
         {"axis", "best axis", "supporting plane", "axis: face of A", "axis: face of B",
          "axis: edge of A x edge of B", "best gap so far (m)", "difference: best axis",
          "difference: best supporting plane"}},
        {"mesh_bvh",
         {"overlapping box", "separate box", "overlapping leaf box", "tested pairs of boxes",
          "culled pairs of boxes"}},
        {"edge_polygon", edge_walk},
        {"edge_polygon_relaxed", edge_walk},
        {"edge_polygon_boxes", {"edge of A", "side of a tested polygon"}},
        {"box_tree",
         {"overlapping box", "separate box", "overlapping leaf box", "visited boxes", "culled boxes"}},
        {"random_points", {"shared box", "in both", "not in both"}},
        {"depth_buffer",
         {"common box", "triangles drawn", "picture after this pass", "pixels in collision",
          "common interval"}},
        {"convex_parts", {"part of A", "part of B", "box tests"}},
    };
    return table;
}

TEST(Steps, every_pair_algorithm_reports_what_its_steps_are_about) {
    const std::vector<Pair> pairs = shown_pairs();
    for (const PairAlgorithm* algorithm : pair_algorithms()) {
        const auto expected = expected_labels().find(algorithm->id);
        ASSERT_NE(expected, expected_labels().end()) << algorithm->id << " has no line in this test";
        std::set<std::string> seen;
        for (const Pair& p : pairs) {
            Scratch scratch;
            const PairQuery q = make_pair_query(*p.a, p.world_from_a, *p.b, p.world_from_b, scratch);
            if (!applicable(*algorithm, q.a, q.b)) continue;
            const Wants wants = algorithm->gives & (kWantDistance | kWantDepth);
            seen.merge(labels_of(traced(*algorithm, p, wants)));
            seen.merge(labels_of(traced(*algorithm, p, kWantVerdict)));
        }
        for (const char* label : expected->second)
            EXPECT_TRUE(seen.contains(label)) << algorithm->id << ": " << label;
    }
}

TEST(Steps, a_trace_changes_no_answer) {
    const std::vector<Pair> pairs = shown_pairs();
    for (const PairAlgorithm* algorithm : pair_algorithms())
        for (const Pair& p : pairs) {
            PreparedPair prepared = prepare(*algorithm, p);
            Scratch scratch;
            PairQuery q = query_of(*algorithm, p, prepared, scratch);
            if (!applicable(*algorithm, q.a, q.b)) continue;
            q.wants = algorithm->gives & (kWantDistance | kWantDepth);
            const auto ask = [&](Trace* trace) {
                PreparedPair fresh = prepare(*algorithm, p);
                PairCache cache;
                cache.set_pool(fresh.pool);
                return run_query(*algorithm, q, cache, trace);
            };
            TraceRecord trace;
            const PairResult plain = ask(nullptr), shown = ask(&trace);
            EXPECT_EQ(plain.verdict, shown.verdict) << algorithm->id;
            EXPECT_EQ(plain.iterations, shown.iterations) << algorithm->id;
            if (!std::isnan(plain.distance)) {
                EXPECT_EQ(plain.distance, shown.distance) << algorithm->id;
            }
            if (!std::isnan(plain.depth)) {
                EXPECT_EQ(plain.depth, shown.depth) << algorithm->id;
            }
            if (std::string_view(algorithm->id) != "dobkin_kirkpatrick") {
                EXPECT_EQ(plain.counters, shown.counters) << algorithm->id;
            }
        }
}

/// All a - b of vertices.
std::vector<Vec3d> differences(const Pair& p) {
    std::vector<Vec3d> out;
    for (const Vec3f& a : p.a->geometry().positions)
        for (const Vec3f& b : p.b->geometry().positions)
            out.push_back(transform_point(to_double(p.world_from_a), a) -
                          transform_point(to_double(p.world_from_b), b));
    return out;
}

TEST(Steps, points_of_the_difference_are_vertex_differences_and_planes_support_it) {
    std::size_t supports = 0, planes = 0, polytopes = 0;
    std::vector<Pair> pairs = shown_pairs();
    pairs.resize(24);
    for (const char* id : {"best", "gjk", "dobkin_kirkpatrick", "lp_exact", "sat_brute", "separating_vector"})
        for (const Pair& p : pairs) {
            const PairAlgorithm& algorithm = *find_pair_algorithm(id);
            const TraceRecord trace = traced(algorithm, p, algorithm.gives & (kWantDistance | kWantDepth));
            const std::vector<Vec3d> all = differences(p);
            const auto is_vertex = [&](const Vec3d& at) {
                return std::any_of(all.begin(), all.end(),
                                   [&](const Vec3d& d) { return length(d - at) < 1e-5; });
            };
            for (const TraceItem& item : trace.items()) {
                if (item.space != TraceSpace::difference) continue;
                const std::string_view label = item.label;
                if (label == "support" || label == "p - q" || label == "entering point") {
                    ++supports;
                    EXPECT_TRUE(is_vertex(item.p)) << id << ": " << label;
                }
                if (label == "polytope" || label == "nearest face") {
                    ++polytopes;
                    for (const Vec3d& corner : {item.p, item.p + item.along[0], item.p + item.along[1]})
                        EXPECT_TRUE(is_vertex(corner)) << id << ": " << label;
                }
                // A coarse level of the hierarchy has a plane inside the bodies.
                if (item.kind != TraceItem::Kind::plane || id == std::string_view("dobkin_kirkpatrick"))
                    continue;
                ++planes;
                const double size = length(item.along[0]);
                double most = -HUGE_VAL;
                for (const Vec3d& d : all) most = std::max(most, dot(item.along[0], d) / size);
                EXPECT_NEAR(most, item.number / size, 1e-4) << id << ": " << label;
            }
        }
    EXPECT_GT(supports, 300u);
    EXPECT_GT(planes, 300u);
    EXPECT_GT(polytopes, 300u);
}

TEST(Steps, the_spherical_polygon_is_on_the_side_of_every_ray_and_vanishes_at_a_collision) {
    std::size_t sides = 0, collisions = 0;
    std::vector<Pair> pairs = shown_pairs();
    pairs.resize(24);
    for (const Pair& p : pairs) {
        const PairAlgorithm& algorithm = *find_pair_algorithm("separating_vector");
        const TraceRecord trace = traced(algorithm, p, kWantVerdict);
        for (std::size_t i = 0; i < trace.steps(); ++i) {
            std::vector<Vec3d> rays, corners, w;
            for (const TraceItem& item : trace.step(i)) {
                if (item.space != TraceSpace::directions) continue;
                if (item.label == std::string_view("r")) rays.push_back(item.p);
                if (item.label == std::string_view("w")) w.push_back(item.p);
                if (item.kind == TraceItem::Kind::segment) corners.push_back(item.p);
            }
            for (const Vec3d& r : rays) {
                for (const Vec3d& corner : corners) EXPECT_GT(dot(r, corner), -1e-6);
                for (const Vec3d& at : w) EXPECT_GT(dot(r, at), -1e-6);
            }
            for (const Vec3d& corner : corners) EXPECT_NEAR(length(corner), 1, 1e-6);
            sides += corners.size();
            if (rays.size() > 3 && corners.empty() && w.empty()) ++collisions;
        }
    }
    EXPECT_GT(sides, 200u);
    EXPECT_GT(collisions, 3u);
}

}  // namespace
}  // namespace claybox::test
