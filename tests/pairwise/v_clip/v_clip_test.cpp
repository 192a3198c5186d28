// Properties of V-Clip in addition to the contract of all pair algorithms: its state machine step by step,
// its termination, and that its final features are the closest.

#include "collision/pairwise/v_clip/v_clip.hpp"

#include "tests/pairwise/pairs.hpp"

#include <map>
#include <set>
#include <string>

namespace claybox::test {
namespace {

const PairAlgorithm& v_clip() {
    return *find_pair_algorithm("v_clip");
}

std::size_t parameter(const char* id) {
    return find_parameter(v_clip().parameters, id);
}

ShapePtr hull(const std::vector<Vec3f>& points) {
    return Shape::from_hull(points).value();
}

/// Corners of a small grid, with many parallels and contacts; otherwise points of a ball or a rod.
ShapePtr placed_hull(Random& random, bool lattice, const Vec3f& shift) {
    std::vector<Vec3f> points(4 + random.below(lattice ? 9 : 60));
    const float thin = random.below(3) == 0 ? 0.1f : 1.0f;
    for (Vec3f& p : points) {
        p = lattice ? Vec3f{float(random.below(3)), float(random.below(3)), float(random.below(2))}
                    : cast<float>(random.unit_vector());
        p.y *= lattice ? 1.0f : thin;
        p += shift;
    }
    return hull(points);
}

/// Two bodies without matrices: their features are points in float.
struct Placed {
    ShapePtr shape[2];
    FeatureHull features[2];

    Placed(ShapePtr a, ShapePtr b)
        : shape{std::move(a), std::move(b)},
          features{make_feature_hull(*shape[0]->hull()), make_feature_hull(*shape[1]->hull())} {}
    MovedBodies<double> in_double() const {
        return {make_difference<double>(*shape[0]->hull(), {}, *shape[1]->hull(), {}), features[0],
                features[1]};
    }
    StoredBodies in_float() const { return {features[0], {}, features[1], {}}; }

    ShapePtr part(int side, const ClipFeature& f) const {
        const ConvexHull& whole = *shape[side]->hull();
        const FeatureHull& own = features[side];
        std::vector<Vec3f> points;
        if (f.kind == ClipFeatureKind::vertex) points = {whole.vertex(f.index)};
        if (f.kind == ClipFeatureKind::edge)
            points = {whole.vertex(own.edges[f.index].tail), whole.vertex(own.edges[f.index].head)};
        if (f.kind == ClipFeatureKind::face)
            for (std::uint32_t k = own.faces[f.index].first_side; k < own.faces[f.index + 1].first_side; ++k)
                points.push_back(whole.vertex(own.sides[k].vertex));
        return hull(points);
    }
};

double distance(const ShapePtr& a, const ShapePtr& b) {
    const PairResult r = query_pair(*find_pair_algorithm("gjk"), {a, b, {}, {}}, kWantDistance);
    return r.verdict == Verdict::colliding ? 0 : r.distance;
}

double distance(const Placed& p, const ClipFeature& a, const ClipFeature& b) {
    return distance(p.part(0, a), p.part(1, b));
}

Placed random_placed(Random& random) {
    const bool lattice = random.below(2) == 0;
    const Vec3f shift = lattice
                            ? Vec3f{float(random.below(4)), float(random.below(3)), float(random.below(3))}
                            : cast<float>(random.vector(0.2, 2.6));
    ShapePtr a = placed_hull(random, lattice, {});
    return {std::move(a), placed_hull(random, lattice, shift)};
}

ClipState random_start(const Placed& p, Random& random) {
    ClipState state;
    const bool face_a = random.below(2) == 0;
    for (const int side : {0, 1}) {
        const FeatureHull& f = p.features[side];
        ClipFeature& out = state.feature[side];
        const bool may_be_face = (side == 0) == face_a && f.face_count() > 0;
        out.kind = ClipFeatureKind(random.below(may_be_face ? 3 : f.edges.empty() ? 1 : 2));
        const std::size_t count = out.kind == ClipFeatureKind::vertex ? f.vertices.size()
                                  : out.kind == ClipFeatureKind::edge ? f.edges.size()
                                                                      : f.face_count();
        out.index = static_cast<std::uint32_t>(random.below(count));
    }
    return state;
}

std::string kinds(const ClipState& s) {
    const char letter[] = {'V', 'E', 'F'};
    const auto low = std::min(s.feature[0].kind, s.feature[1].kind);
    const auto high = std::max(s.feature[0].kind, s.feature[1].kind);
    return {letter[static_cast<int>(low)], letter[static_cast<int>(high)]};
}

int dimension(const ClipState& s) {
    return static_cast<int>(s.feature[0].kind) + static_cast<int>(s.feature[1].kind);
}

TEST(VClip, CN_vclip_every_transition_occurs_and_changes_the_distance_as_documented) {
    Random random(91);
    std::map<std::string, int> arrows;
    int solid = 0, ties = 0;
    for (int i = 0; i < 500; ++i) {
        const Placed p = random_placed(random);
        ClipState state = random_start(p, random), before;
        const auto watch = [&](const ClipState& s) {
            if (s.iterations > 1) {
                ++arrows[kinds(before) + ">" + kinds(s)];
                const double was = distance(p, before.feature[0], before.feature[1]);
                const double is = distance(p, s.feature[0], s.feature[1]);
                if (s.escapes > before.escapes) {
                    EXPECT_GT(is, 0) << "the vertex must be above the face that it moves on to";
                } else if (dimension(s) > dimension(before)) {
                    EXPECT_LE(is, was * (1 + 1e-12)) << kinds(before) << " > " << kinds(s) << " of " << i;
                    ++solid;
                    ties += is < was ? 0 : 1;
                } else {
                    EXPECT_NEAR(is, was, 1e-12) << kinds(before) << " > " << kinds(s) << " of " << i;
                }
            }
            before = s;
        };
        const ClipWatch watcher(watch);
        const MovedBodies<double> bodies = p.in_double();
        VClip<MovedBodies<double>>(bodies, state).run(10000, &watcher);
        EXPECT_NE(state.end, ClipEnd::unfinished);
        ++arrows[kinds(state) + ">end " + std::to_string(static_cast<int>(state.end))];
    }
    EXPECT_LE(ties * 100, solid) << "parallels on the grid may differ by rounding";
    for (const char* arrow :
         {"VV>VE", "VE>VV", "VE>VF", "VE>EE", "VF>VE", "VF>EF", "VF>VF", "EE>VE", "EE>EF", "EF>VF", "EF>EE"})
        EXPECT_GT(arrows[arrow], 0) << arrow;
    for (const char* end : {"VV>end 0", "VE>end 0", "VF>end 0", "EE>end 0", "EF>end 1", "VF>end 2"})
        EXPECT_GT(arrows[end], 0) << end;
}

/// Runs the walk and checks that every ascent beats the record.
template <class Bodies>
ClipState run_checked(const Bodies& bodies, ClipState state) {
    double record = std::numeric_limits<double>::infinity();
    ClipState before = state;
    const auto watch = [&](const ClipState& s) {
        if (s.iterations > 1 && dimension(s) > dimension(before)) {
            EXPECT_LT(s.record, record);
        }
        if (s.iterations > 1 && s.escapes == before.escapes) {
            EXPECT_NE(dimension(s), dimension(before));
        }
        record = s.record;
        before = s;
    };
    const ClipWatch watcher(watch);
    VClip<Bodies>(bodies, state).run(10000, &watcher);
    EXPECT_LT(state.iterations, 500u);
    return state;
}

TEST(VClip, CN_vclip_never_cycles_from_any_feature_pair_of_bodies_with_many_ties) {
    Random random(92);
    std::map<ClipEnd, int> ends;
    for (int i = 0; i < 1000; ++i) {
        const Placed p = random_placed(random);
        for (int start = 0; start < 4; ++start) {
            const ClipState from = random_start(p, random);
            const ClipState in_double = run_checked(p.in_double(), from);
            const ClipState in_float = run_checked(p.in_float(), from);
            ++ends[in_double.end];
            ++ends[in_float.end];
        }
    }
    EXPECT_LE(ends[ClipEnd::unfinished] * 1000, 8000);
    EXPECT_LT(ends[ClipEnd::settled] * 50, 8000) << "ties caused only by rounding are rare";
}

TEST(VClip, CN_vclip_terminates_for_nan_infinities_and_singular_matrices) {
    Random random(93);
    const float inf = std::numeric_limits<float>::infinity();
    for (int i = 0; i < 300; ++i) {
        const Placed p = random_placed(random);
        Matrix34f odd;
        for (float& entry : odd.m) {
            const float values[] = {0, 0, 1, -1, inf, NAN, 0x1p100f, 0x1p-140f};
            entry = values[random.below(8)];
        }
        ClipState stored = random_start(p, random), moved = stored;
        const StoredBodies in_float(p.features[0], odd, p.features[1], {});
        VClip<StoredBodies>(in_float, stored).run(5000);
        EXPECT_LT(stored.iterations, 5000u);
        const MovedBodies<double> in_double(
            make_difference<double>(*p.shape[0]->hull(), odd, *p.shape[1]->hull(), {}), p.features[0],
            p.features[1]);
        VClip<MovedBodies<double>>(in_double, moved).run(5000);
        EXPECT_LT(moved.iterations, 5000u);
    }
}

TEST(VClip, CN_closest_features_contain_the_closest_points_for_every_start) {
    Random random(94);
    int apart = 0, together = 0;
    for (int i = 0; i < 400; ++i) {
        const Placed p = random_placed(random);
        const double whole = distance(p.shape[0], p.shape[1]);
        const MovedBodies<double> bodies = p.in_double();
        for (int start = 0; start < 3; ++start) {
            ClipState state = random_start(p, random);
            VClip<MovedBodies<double>>(bodies, state).run(10000);
            const double between = distance(p, state.feature[0], state.feature[1]);
            if (state.end == ClipEnd::closest) {
                EXPECT_NEAR(between, whole, 1e-9 * whole);
                ++apart;
            }
            if (state.end == ClipEnd::pierced || state.end == ClipEnd::contained) {
                EXPECT_EQ(whole, 0);
                ++together;
            }
        }
    }
    EXPECT_GT(apart, 300);
    EXPECT_GT(together, 200);
}

TEST(VClip, CN_closest_distance_of_a_query_equals_that_of_gjk) {
    Random random(95);
    const PairAlgorithm& gjk = *find_pair_algorithm("gjk");
    int compared = 0;
    for (Pair p : random_pairs(300, 95)) {
        if (random.below(4) == 0) p.world_from_b.m[1] += 0.75f;  // sheared: planes are computed from vertices
        const PairResult r = query_pair(v_clip(), p, kWantDistance), want = query_pair(gjk, p, kWantDistance);
        ASSERT_EQ(r.verdict, want.verdict);
        if (r.verdict == Verdict::colliding) continue;
        EXPECT_NEAR(r.distance, want.distance, 1e-9 * want.distance);
        EXPECT_NEAR(length(r.closest_b_w - r.closest_a_w), want.distance, 1e-9 * want.distance + 1e-13);
        ++compared;
    }
    EXPECT_GT(compared, 80);
}

TEST(VClip, CN_closest_features_are_tracked_from_frame_to_frame) {
    const ShapePtr shape = make_primitive_shape(Primitive::ellipsoid_hull, 500, 1.0f, 4).value();
    Scratch scratch;
    PairCache cache;
    std::uint32_t warm = 0, cold = 0, off = 0;
    Pair p{shape, shape, {}, {}};
    PreparedPair prepared = prepare(v_clip(), p);
    for (int frame = 0; frame < 200; ++frame) {
        const double t = 0.01 * frame;
        p.world_from_b = to_matrix({axis_angle({0, 0.6, 0.8}, t), {2.1 + 0.3 * std::sin(3 * t), 0.4, 0.3}});
        PairQuery q = query_of(v_clip(), p, prepared, scratch);
        PairCache fresh;
        warm += run_query(v_clip(), q, cache).iterations;
        cold += run_query(v_clip(), q, fresh).iterations;
        q.parameters[parameter("warm_start")] = 0;
        off += run_query(v_clip(), q, cache).iterations;
    }
    EXPECT_LT(warm, 600u) << "of 200 queries";
    EXPECT_EQ(off, cold);
    EXPECT_GT(cold, 2 * warm);
}

TEST(VClip, CN_vclip_proves_penetration_without_the_ladders_walk) {
    std::uint32_t colliding = 0, own = 0;
    for (const Pair& p : random_pairs(1500, 96)) {
        const PairResult r = query_pair(v_clip(), p);
        if (r.verdict != Verdict::colliding || r.rung != 2) continue;
        EXPECT_EQ(r.certificate.kind, CertificateKind::surrounded_origin);
        ++colliding;
        own += r.counters[kClipTests] == 0 ? 1 : 0;  // no walk of the ladder was needed
    }
    EXPECT_GT(colliding, 400u);
    EXPECT_GT(own * 100, colliding * 95);
}

TEST(VClip, vertex_deep_inside_keeps_its_proof_while_it_stays_inside) {
    const ShapePtr large = make_primitive_shape(Primitive::ellipsoid_hull, 300, 4.0f, 4).value();
    const ShapePtr small = make_primitive_shape(Primitive::ellipsoid_hull, 30, 0.2f, 5).value();
    Pair p{large, small, {}, {}};
    PreparedPair prepared = prepare(v_clip(), p);
    Scratch scratch;
    PairCache cache;
    int walks = 0;
    for (int frame = 0; frame < 20; ++frame) {
        p.world_from_b.m[3] = 0.01f * static_cast<float>(frame);
        const PairResult r = run_query(v_clip(), query_of(v_clip(), p, prepared, scratch), cache);
        EXPECT_EQ(r.verdict, Verdict::colliding);
        walks += r.iterations > 0 ? 1 : 0;
    }
    EXPECT_LT(walks, 6) << "in the first frame, and when the vertex leaves its four vertices";
    p.world_from_b.m[3] = 40;
    const PairResult r = run_query(v_clip(), query_of(v_clip(), p, prepared, scratch), cache);
    EXPECT_EQ(r.verdict, Verdict::separated);
    EXPECT_GT(r.iterations, 0u);
}

ShapePtr box(const Vec3f& low, const Vec3f& high) {
    std::vector<Vec3f> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back({i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
    return hull(corners);
}

TEST(VClip, CN_concave_bodies_have_local_minima_and_need_convex_parts) {
    // A U of three boxes that opens upwards, and a small box in the opening, nearer to the right arm.
    const ShapePtr parts[] = {box({-3, 0, 0}, {-2, 5, 1}), box({-3, -1, 0}, {3, 0, 1}),
                              box({2, 0, 0}, {3, 5, 1})};
    const ShapePtr small = box({0.5f, 2, 0.25f}, {1, 2.5f, 0.75f});
    double least = 1e9;
    std::set<double> minima;
    for (const ShapePtr& part : parts) {
        const PairResult r = query_pair(v_clip(), {part, small, {}, {}}, kWantDistance);
        ASSERT_EQ(r.verdict, Verdict::separated);
        minima.insert(r.distance);
        least = std::min(least, r.distance);
    }
    // Each is a local minimum for the U, because the surfaces around it belong to the U; only one is global.
    EXPECT_EQ(minima, (std::set<double>{1.0, 2.0, 2.5}));
    EXPECT_EQ(least, 1.0);
    // V-Clip therefore rejects concave bodies: the U as one mesh is not accepted.
    PolygonList u;
    const float outline[8][2] = {{-3, -1}, {3, -1}, {3, 5}, {2, 5}, {2, 0}, {-2, 0}, {-2, 5}, {-3, 5}};
    for (const float z : {0.0f, 1.0f})
        for (const auto& corner : outline) u.positions.push_back({corner[0], corner[1], z});
    u.add_polygon(std::array<std::uint32_t, 8>{7, 6, 5, 4, 3, 2, 1, 0});
    u.add_polygon(std::array<std::uint32_t, 8>{8, 9, 10, 11, 12, 13, 14, 15});
    for (std::uint32_t i = 0; i < 8; ++i)
        u.add_polygon(std::array<std::uint32_t, 4>{i, (i + 1) % 8, 8 + (i + 1) % 8, 8 + i});
    const ShapePtr whole = Shape::from_polygons(u).value();
    EXPECT_TRUE(whole->classification().closed);
    EXPECT_FALSE(applies(v_clip(), {whole, small, {}, {}}));
    // Its convex hull contains the small box.
    EXPECT_EQ(query_pair(v_clip(), {hull(u.positions), small, {}, {}}).verdict, Verdict::colliding);
}

TEST(VClip, feature_hulls_of_every_dimension_are_complete) {
    const ShapePtr shapes[] = {hull({{1, 2, 3}}), hull({{0, 0, 0}, {1, 0, 0}}),
                               hull({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}), box({0, 0, 0}, {1, 2, 3})};
    const std::size_t vertices[] = {1, 2, 4, 8}, edges[] = {0, 1, 4, 12}, faces[] = {0, 0, 2, 6};
    for (int i = 0; i < 4; ++i) {
        const FeatureHull f = make_feature_hull(*shapes[i]->hull());
        EXPECT_EQ(f.vertices.size(), vertices[i]);
        EXPECT_EQ(f.edges.size(), edges[i]);
        EXPECT_EQ(f.face_count(), faces[i]);
        EXPECT_EQ(f.spokes.size(), 2 * edges[i]);
        EXPECT_EQ(f.flat, i == 2);
        for (const FeatureHull::Edge& e : f.edges)
            for (const int k : {0, 1}) EXPECT_EQ(e.face[k] != kNoIndex, i >= 2);
    }
}

}  // namespace
}  // namespace claybox::test
