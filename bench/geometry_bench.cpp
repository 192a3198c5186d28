// Making shapes: connectivity of large meshes, classification, hulls.

#include "collision/core/random.hpp"
#include "collision/geometry/primitives.hpp"
#include "tests/support/qhull.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace claybox::collision;

void build_polygons(benchmark::State& state, Primitive primitive) {
    const PolygonList list = make_primitive(primitive, static_cast<std::uint32_t>(state.range(0)), 1);
    std::size_t bytes = 0;
    for (auto _ : state) {
        const auto built = build_polyhedron(list);
        bytes = built.value().topology->memory_bytes();
        benchmark::DoNotOptimize(bytes);
    }
    state.counters["polygons"] = static_cast<double>(list.polygon_count());
    state.counters["megabytes"] = static_cast<double>(bytes) / 1e6;
}
BENCHMARK_CAPTURE(build_polygons, sphere, Primitive::uv_sphere)
    ->Arg(1000)
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build_polygons, flake, Primitive::tetra_flake)->Arg(1000000)->Unit(benchmark::kMillisecond);

void classify_polygons(benchmark::State& state, Primitive primitive) {
    const auto built =
        build_polyhedron(make_primitive(primitive, static_cast<std::uint32_t>(state.range(0)), 1));
    bool convex = false;
    for (auto _ : state) convex = classify(built.value()).convex;
    state.counters["convex"] = convex ? 1 : 0;
}
BENCHMARK_CAPTURE(classify_polygons, sphere, Primitive::uv_sphere)
    ->Arg(1000)
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(classify_polygons, cylinder, Primitive::cylinder)
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(classify_polygons, cone, Primitive::cone)->Arg(1000000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(classify_polygons, box, Primitive::box)->Arg(1000000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(classify_polygons, tetrahedron, Primitive::tetrahedron)
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(classify_polygons, torus, Primitive::torus)->Arg(1000000)->Unit(benchmark::kMillisecond);

void hull_of_sphere_points(benchmark::State& state) {
    Random random(11);
    std::vector<Vec3f> points;
    for (int i = 0; i < state.range(0); ++i) points.push_back(cast<float>(random.unit_vector()));
    for (auto _ : state) benchmark::DoNotOptimize(convex_hull(points).value().vertex_count);
}
BENCHMARK(hull_of_sphere_points)->Arg(100)->Arg(500)->Arg(100000)->Unit(benchmark::kMicrosecond);

void qhull_of_sphere_points(benchmark::State& state) {
    Random random(11);
    std::vector<Vec3f> points;
    for (int i = 0; i < state.range(0); ++i) points.push_back(cast<float>(random.unit_vector()));
    for (auto _ : state) benchmark::DoNotOptimize(claybox::test::qhull(points, false).vertices.size());
}
BENCHMARK(qhull_of_sphere_points)->Arg(100)->Arg(500)->Arg(100000)->Unit(benchmark::kMicrosecond);

void hull_of_grid(benchmark::State& state) {
    std::vector<Vec3f> points;
    const auto n = static_cast<int>(state.range(0));
    for (int i = 0; i < n * n * n; ++i)
        points.push_back(cast<float>(Vec3<int>{i % n, i / n % n, i / (n * n)}));
    for (auto _ : state) benchmark::DoNotOptimize(convex_hull(points).value().vertex_count);
}
BENCHMARK(hull_of_grid)->Arg(8)->Arg(32)->Unit(benchmark::kMicrosecond);

void make_ellipsoid(benchmark::State& state) {
    double vertices = 0;
    for (auto _ : state) {
        vertices = static_cast<double>(
            make_primitive(Primitive::ellipsoid_hull, static_cast<std::uint32_t>(state.range(0)), 1)
                .positions.size());
    }
    state.counters["vertices"] = vertices;
}
BENCHMARK(make_ellipsoid)->Arg(500)->Arg(100000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
