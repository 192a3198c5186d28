// Cost of exactness: the edge-triangle predicate, solid decisions that float cannot make, and mesh queries.
// Rows are experiment/row/size.

#include "collision/core/random.hpp"
#include "collision/exact/edge_triangle.hpp"
#include "collision/exact/solid.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/registry.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

namespace claybox::collision {
namespace {

struct Case {
    Vec3f p, q, a, b, c;
};

std::vector<Case> random_cases() {
    Random random(1);
    std::vector<Case> out(1024);
    for (Case& x : out)
        for (Vec3f* v : {&x.p, &x.q, &x.a, &x.b, &x.c}) *v = cast<float>(random.unit_vector());
    return out;
}

void edge_triangle_filter(benchmark::State& state) {
    const auto cases = random_cases();
    std::size_t i = 0;
    for (auto _ : state) {
        const Case& x = cases[i++ % cases.size()];
        benchmark::DoNotOptimize(filter_edge_triangle(cast<double>(x.p), cast<double>(x.q), cast<double>(x.a),
                                                      cast<double>(x.b), cast<double>(x.c), 0x1p-50));
    }
}
BENCHMARK(edge_triangle_filter)->Name("exact/edge_triangle/filter");

const Matrix34f kTurned = to_matrix({axis_angle(normalized(Vec3d{1, 2, 3}), 0.7), {0.3, 0.1, -0.2}});

void edge_triangle_intersect(benchmark::State& state) {
    const auto cases = random_cases();
    std::size_t i = 0;
    for (auto _ : state) {
        const Case& x = cases[i++ % cases.size()];
        benchmark::DoNotOptimize(intersect({&kTurned, x.p, x.q}, {&kTurned, x.a, x.b, x.c}));
    }
}
BENCHMARK(edge_triangle_intersect)->Name("exact/edge_triangle/filtered_with_transform");

/// Edges in the plane of the triangle, for which the filter fails (1), or random edges (0).
void edge_triangle_exact(benchmark::State& state) {
    auto cases = random_cases();
    if (state.range(0) == 1)
        for (Case& x : cases) x.p.z = x.q.z = x.a.z = x.b.z = x.c.z = 0.25f;
    std::size_t i = 0;
    for (auto _ : state) {
        const Case& x = cases[i++ % cases.size()];
        benchmark::DoNotOptimize(intersect_exact({&kTurned, x.p, x.q}, {&kTurned, x.a, x.b, x.c}));
    }
}
BENCHMARK(edge_triangle_exact)->Name("exact/edge_triangle/exact")->ArgName("coplanar")->Arg(0)->Arg(1);

struct Touching {
    ShapePtr a, b;
    Matrix34f world_from_a, world_from_b;
    SolidSide side_a, side_b;

    Touching(const std::vector<Vec3f>& points, const Matrix34f& ma, const Matrix34f& mb)
        : a(Shape::from_hull(points).value()),
          b(a),
          world_from_a(ma),
          world_from_b(mb),
          side_a{a->hull(), &world_from_a, &a->geometry().box},
          side_b{b->hull(), &world_from_b, &b->geometry().box} {}
};

/// A prism of 2 n vertices on a grid of 2^-20, which makes stacks touch exactly.
std::vector<Vec3f> prism(int n) {
    std::vector<Vec3f> out;
    for (int i = 0; i < n; ++i) {
        const double angle = 2 * 3.14159265358979 * i / n;
        const auto grid = [](double v) { return static_cast<float>(std::round(v * 0x1p20) * 0x1p-20); };
        for (const float h : {-0.5f, 0.5f}) out.push_back({grid(std::cos(angle)), h, grid(std::sin(angle))});
    }
    return out;
}

/// Two prisms of a stack, turned about the vertical, the upper one shifted; faces touch exactly. No warm
/// start.
void solid_stack(benchmark::State& state) {
    const auto turned = [](double angle, const Vec3d& at) {
        return to_matrix({axis_angle({0, 1, 0}, angle), at});
    };
    const Touching t(prism(static_cast<int>(state.range(0)) / 2), turned(0.3, {0, 0, 0}),
                     turned(0.8, {0.3, 1, 0.2}));
    SolidDecision d;
    for (auto _ : state) benchmark::DoNotOptimize(d = decide_solid_exact(t.side_a, t.side_b));
    state.counters["colliding"] = d.colliding;
    state.counters["iterations"] = d.iterations;
}
BENCHMARK(solid_stack)->Name("exact/solid/stack")->Arg(8)->Arg(32)->Arg(100)->Arg(500);

/// A hull and its mirror image at the plane x = max x; they touch in one vertex.
void solid_vertex(benchmark::State& state) {
    Random random(3);
    std::vector<Vec3f> points(static_cast<std::size_t>(state.range(0)));
    for (Vec3f& p : points) p = cast<float>(random.unit_vector());
    float top = -1;
    for (const Vec3f& p : points) top = std::max(top, p.x);
    Matrix34f mirror;
    mirror.m[0] = -1;
    mirror.m[3] = 2 * top;
    const Touching t(points, {}, mirror);
    SolidDecision d;
    for (auto _ : state) benchmark::DoNotOptimize(d = decide_solid_exact(t.side_a, t.side_b));
    state.counters["colliding"] = d.colliding;
    state.counters["iterations"] = d.iterations;
}
BENCHMARK(solid_vertex)->Name("exact/solid/vertex_vertex")->Arg(8)->Arg(32)->Arg(100)->Arg(500);

void proof_of_separation(benchmark::State& state) {
    const auto shape =
        make_primitive_shape(Primitive::ellipsoid_hull, static_cast<std::uint32_t>(state.range(0)), 1, 5)
            .value();
    const Matrix34f a, b = to_matrix({axis_angle({0, 1, 0}, 1), {2.1, 0.1, 0.2}});
    const SolidSide side_a{shape->hull(), &a, &shape->geometry().box},
        side_b{shape->hull(), &b, &shape->geometry().box};
    std::uint32_t support_a = 0, support_b = 0;
    bool proven = proves_separation(side_a, side_b, {1, 0, 0}, support_a, support_b);
    for (auto _ : state)
        benchmark::DoNotOptimize(proven = proves_separation(side_a, side_b, {1, 0, 0}, support_a, support_b));
    state.counters["proven"] = proven;
}
BENCHMARK(proof_of_separation)->Name("exact/solid/proof_of_separation")->Arg(8)->Arg(500);

/// 16 hand parts and a pot of about 20,000 polygons; every part is near the wall; all hits.
void hand_and_pot(benchmark::State& state) {
    const auto pot = make_primitive_shape(Primitive::uv_sphere, 20000, 0.15f, 1).value();
    const auto part = make_primitive_shape(Primitive::cylinder, 120, 0.012f, 1).value();
    const PairAlgorithm& algorithm = *find_pair_algorithm("edge_polygon");
    Scratch scratch;
    std::vector<Hit> storage(4096);
    HitSink sink(storage);
    PairCache cache;
    std::size_t hits = 0;
    const Matrix34f world_from_pot = to_matrix({axis_angle({0, 1, 0}, 0.4), {0, 1, 0}});
    for (auto _ : state) {
        hits = 0;
        for (int i = 0; i < 16; ++i) {
            const double angle = 0.1 * i, r = 0.15 + 0.002 * (i % 4);
            const Matrix34f m = to_matrix(
                {axis_angle({0, 0, 1}, angle), {r * std::cos(angle), 1 + 0.01 * i, r * std::sin(angle)}});
            PairQuery query = make_pair_query(*part, m, *pot, world_from_pot, scratch);
            query.parameters = default_values(algorithm.parameters);
            query.wants = kWantAllHits;
            query.hits = &sink;
            benchmark::DoNotOptimize(run_query(algorithm, query, cache));
            hits += sink.hits().size();
        }
    }
    state.counters["hits"] = static_cast<double>(hits);
    state.counters["pot_polygons"] = pot->topology().polygon_count();
    state.counters["part_polygons"] = part->topology().polygon_count();
}
BENCHMARK(hand_and_pot)->Name("mesh/hand_16_parts_and_pot/edge_polygon")->Unit(benchmark::kMillisecond);

/// Two tori: linked without contact (0), intersecting with all hits (1), or with the first hit (2). By level
/// of pre-checks.
void tori(benchmark::State& state) {
    const auto torus =
        make_primitive_shape(Primitive::torus, static_cast<std::uint32_t>(state.range(2)), 1, 1).value();
    const PairAlgorithm& algorithm = *find_pair_algorithm("edge_polygon");
    Scratch scratch;
    std::vector<Hit> storage(1 << 20);
    HitSink sink(storage);
    PairCache cache;
    const double shift = state.range(0) == 0 ? 0.68 : 1.2;
    const Matrix34f a, b = to_matrix({axis_angle(normalized(Vec3d{1, 0.1, 0}), 1.6), {shift, 0.02, 0.01}});
    PairQuery query = make_pair_query(*torus, a, *torus, b, scratch);
    query.parameters = default_values(algorithm.parameters);
    query.parameters[0] = static_cast<double>(state.range(1));
    if (state.range(0) == 1) query.wants = kWantAllHits;
    query.hits = &sink;
    PairResult result;
    for (auto _ : state) benchmark::DoNotOptimize(result = run_query(algorithm, query, cache));
    state.counters["hits"] = static_cast<double>(sink.hits().size());
    state.counters["colliding"] = result.verdict == Verdict::colliding;
    state.counters["tests"] = result.counters[3];
}
BENCHMARK(tori)
    ->Name("mesh/tori/edge_polygon")
    ->ArgNames({"case", "prechecks", "polygons"})
    ->ArgsProduct({{0, 1, 2}, {0, 1, 2}, {1000}})
    ->ArgsProduct({{0, 1, 2}, {0}, {20000}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace claybox::collision

BENCHMARK_MAIN();
