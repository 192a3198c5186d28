// Construction of shapes: connectivity of large meshes, classification, hulls.

#include "collision/core/random.hpp"
#include "collision/geometry/hull/hull_check.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/support/qhull.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

namespace {

using namespace claybox::collision;

// Peak memory of the process since the last reset, MB. Linux only; 0 elsewhere.
void reset_peak() {
    std::ofstream("/proc/self/clear_refs") << '5';
}
double peak_megabytes() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        double kilobytes = 0;
        if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024 / 1e6;
    }
    return 0;
}

// The peak includes the program, the list of polygons and the result.
void Z_4_1_3_build(benchmark::State& state, Primitive primitive) {
    const PolygonList list = make_primitive(primitive, static_cast<std::uint32_t>(state.range(0)), 1);
    std::size_t bytes = 0;
    reset_peak();
    for (auto _ : state) {
        const auto built = build_polyhedron(list);
        bytes = built.value().topology->memory_bytes();
        benchmark::DoNotOptimize(bytes);
    }
    state.SetComplexityN(static_cast<std::int64_t>(list.polygon_count()));
    state.counters["polygons"] = static_cast<double>(list.polygon_count());
    state.counters["megabytes"] = static_cast<double>(bytes) / 1e6;
    state.counters["peak_megabytes"] = peak_megabytes();
}
BENCHMARK_CAPTURE(Z_4_1_3_build, sphere, Primitive::uv_sphere)
    ->RangeMultiplier(10)
    ->Range(1000, 1000000)
    ->Complexity(benchmark::oN)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Z_4_1_3_build, flake, Primitive::tetra_flake)->Arg(1000000)->Unit(benchmark::kMillisecond);

// The naive construction of the thesis: searches every edge among all edges found before.
std::size_t naive_edges(const PolygonList& list) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::size_t p = 0; p < list.polygon_count(); ++p) {
        const auto loop = list.polygon(p);
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const std::pair<std::uint32_t, std::uint32_t> edge =
                std::minmax({loop[k], loop[(k + 1) % loop.size()]});
            if (std::find(edges.begin(), edges.end(), edge) == edges.end()) edges.push_back(edge);
        }
    }
    return edges.size();
}

// A sphere of about 1220 edges, as in the thesis (4.1.3): 2.8 s naive and 40 ms linear on an R4400 at 50 MHz,
// a ratio of 70.
void Z_4_1_3_build_1220_edges(benchmark::State& state, bool naive) {
    const PolygonList list = make_primitive(Primitive::uv_sphere, 610, 1);
    std::size_t edges = 0;
    for (auto _ : state) {
        edges = naive ? naive_edges(list) : build_polyhedron(list).value().topology->edges.size();
        benchmark::DoNotOptimize(edges);
    }
    state.counters["edges"] = static_cast<double>(edges);
    state.counters["thesis_ms"] = naive ? 2800 : 40;
}
BENCHMARK_CAPTURE(Z_4_1_3_build_1220_edges, naive, true)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Z_4_1_3_build_1220_edges, linear, false)->Unit(benchmark::kMicrosecond);

// Words of 4 bytes per edge: the thesis' formulas for the structures that it compares (4.1), with V, E and F
// of this mesh, and the measured memory of `Topology`. `Topology` also has the full lists F -> V and V -> F,
// supports polygons of any size, and has a fixed triangulation, which is counted separately.
void Z_4_1_cmp_words_an_edge(benchmark::State& state) {
    const auto built = build_polyhedron(make_primitive(Primitive::uv_sphere, 100000, 1));
    const Topology& t = *built.value().topology;
    const auto v = static_cast<double>(t.vertex_count), e = static_cast<double>(t.edges.size()),
               f = static_cast<double>(t.polygon_count());
    for (auto _ : state) benchmark::DoNotOptimize(t.memory_bytes());
    state.counters["winged_edge"] = (8 * e + v + f) / e;
    state.counters["quad_edge"] = (10 * e + v + f) / e;
    state.counters["complete_lists"] = 8;
    state.counters["dcel_of_thesis"] = (6 * e + v + f) / e;
    const double triangles =
        static_cast<double>(t.triangles.size() * sizeof(Triangle)) + 4.0 * static_cast<double>(f + 1);
    state.counters["ours_triangles"] = triangles / 4 / e;
    state.counters["ours"] = (static_cast<double>(t.memory_bytes()) - triangles) / 4 / e;
    state.counters["sizeof_edge"] = sizeof(Edge);
    state.counters["sizeof_triangle"] = sizeof(Triangle);
    state.counters["bytes_a_half_edge"] = 4 * sizeof(std::uint32_t);  // origin, twin, polygon, edge
}
BENCHMARK(Z_4_1_cmp_words_an_edge);

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

std::vector<Vec3f> sphere_points(std::int64_t count) {
    Random random(11);
    std::vector<Vec3f> points;
    for (std::int64_t i = 0; i < count; ++i) points.push_back(cast<float>(random.unit_vector()));
    return points;
}

void hull_of_sphere_points(benchmark::State& state) {
    const auto points = sphere_points(state.range(0));
    for (auto _ : state) benchmark::DoNotOptimize(convex_hull(points).value().vertex_count);
}
BENCHMARK(hull_of_sphere_points)->Arg(100)->Arg(500)->Arg(100000)->Unit(benchmark::kMicrosecond);

/// A whole shape, as query lines need it.
void shape_of_sphere_points(benchmark::State& state) {
    const auto points = sphere_points(state.range(0));
    for (auto _ : state) {
        std::uint32_t count = Shape::from_hull(points).value()->hull()->vertex_count;
        benchmark::DoNotOptimize(count);
    }
}
BENCHMARK(shape_of_sphere_points)->Arg(8)->Arg(100)->Arg(500)->Unit(benchmark::kMicrosecond);

void check_of_sphere_hull(benchmark::State& state) {
    const auto points = sphere_points(state.range(0));
    const auto hull = convex_hull(points);
    for (auto _ : state) benchmark::DoNotOptimize(check_hull(hull.value(), points).ok());
}
BENCHMARK(check_of_sphere_hull)->Arg(100)->Arg(500)->Arg(100000)->Unit(benchmark::kMicrosecond);

void qhull_of_sphere_points(benchmark::State& state) {
    const auto points = sphere_points(state.range(0));
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
