// World queries by broad phase: rays between random points, points, and the closest body, among 10,000 and
// 100,000 bodies that fill a tenth of a cube. One more row: rays against one mesh. All queries use a world at
// rest.
//
//   query_bench --benchmark_filter=ray
#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/module/world.hpp"
#include "collision/pairwise/bvh/bvh.hpp"
#include "collision/pairwise/bvh/ray_shape.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>

namespace claybox::collision {
namespace {

Vec3d random_point(Random& random, double extent) {
    return {random.uniform(-extent, extent), random.uniform(-extent, extent),
            random.uniform(-extent, extent)};
}

struct FilledWorld {
    double half = 1;
    std::unique_ptr<World> world;
};

/// Convex bodies of 40 vertices and radius 0.5. No pair is tested.
FilledWorld make_filled_world(const BroadPhaseDescriptor& broad_phase, std::int64_t bodies) {
    FilledWorld filled;
    filled.half = 0.5 * std::cbrt(static_cast<double>(bodies) * 0.3 / 0.1);
    WorldSettings settings = default_settings();
    settings.broad_phase = &broad_phase;
    settings.broad_parameters = default_values(broad_phase.parameters);
    filled.world = std::make_unique<World>(settings);
    Interest none;
    none.test = false;
    filled.world->set_interest(0, 0, none);
    Random random(1);
    std::vector<ShapePtr> shapes;
    for (std::uint64_t i = 0; i < 8; ++i)
        shapes.push_back(make_primitive_shape(Primitive::ellipsoid_hull, 40, 0.5f, i).value());
    for (std::int64_t i = 0; i < bodies; ++i) {
        const Pose pose{random_rotation(random, 0, 3), random_point(random, filled.half)};
        (void)filled.world->add_body({.shape = shapes[static_cast<std::size_t>(i % 8)], .pose = pose});
    }
    filled.world->publish(1);
    filled.world->check();
    return filled;
}

/// Cached between rows: creation takes longer than the queries.
FilledWorld& filled_world(const BroadPhaseDescriptor& broad_phase, std::int64_t bodies) {
    static std::map<std::pair<std::string, std::int64_t>, FilledWorld> worlds;
    const auto key = std::make_pair(std::string(broad_phase.id), bodies);
    auto found = worlds.find(key);
    if (found == worlds.end()) found = worlds.emplace(key, make_filled_world(broad_phase, bodies)).first;
    return found->second;
}

template <class Make>
void run_queries(benchmark::State& state, const BroadPhaseDescriptor& broad_phase, Make&& make) {
    FilledWorld& filled = filled_world(broad_phase, state.range(0));
    Random random(2);
    std::vector<WorldQuery> queries;
    for (int i = 0; i < 256; ++i) queries.push_back({make(random, filled.half), {}});
    std::vector<QueryHit> out;
    std::size_t next = 0, hits = 0;
    for (auto _ : state) {
        (void)filled.world->query_now(queries[next++ % queries.size()], out);
        hits += out.size();
    }
    state.counters["hits"] =
        benchmark::Counter(static_cast<double>(hits), benchmark::Counter::kAvgIterations);
}

RayQuery random_ray(Random& random, double half, RayQuery::Want want) {
    const Vec3d from = random_point(random, half), to = random_point(random, half);
    return {{from, to - from}, want};
}

void ray_on_mesh(benchmark::State& state, bool with_tree) {
    const ShapePtr shape =
        make_primitive_shape(Primitive::torus, static_cast<std::uint32_t>(state.range(0)), 1, 1).value();
    const auto executor = make_serial_executor();
    const MeshBvh tree(shape->geometry(), *executor);
    const Matrix34f matrix = to_matrix(Pose{axis_angle({0, 0.6, 0.8}, 1), {1, 2, 3}});
    Random random(3);
    std::vector<Ray> rays;
    for (int i = 0; i < 256; ++i) {
        const Vec3d from = Vec3d{1, 2, 3} + 3.0 * random.unit_vector();
        rays.push_back({from, Vec3d{1, 2, 3} + random_point(random, 0.6) - from});
    }
    RayCounts counts;
    SurfaceHit hit;
    std::size_t next = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(find_surface_hit(rays[next++ % rays.size()],
                                                  {&shape->geometry(), &matrix, with_tree ? &tree : nullptr},
                                                  1e9, RayWant::first, hit, counts));
    const auto rate = [](std::uint64_t n) {
        return benchmark::Counter(static_cast<double>(n), benchmark::Counter::kAvgIterations);
    };
    state.counters["boxes"] = rate(counts.boxes);
    state.counters["triangles"] = rate(counts.triangles);
    state.counters["exact"] = rate(counts.exact);
}

void add_rows() {
    for (const BroadPhaseDescriptor* phase : broad_phases()) {
        const auto row = [&](const char* what, auto make) {
            benchmark::RegisterBenchmark(
                (std::string(what) + "/" + phase->id).c_str(),
                [phase, make](benchmark::State& state) { run_queries(state, *phase, make); })
                ->Arg(10000)
                ->Arg(100000);
        };
        row("ray_first", [](Random& r, double half) { return random_ray(r, half, RayQuery::Want::first); });
        row("ray_any", [](Random& r, double half) { return random_ray(r, half, RayQuery::Want::any); });
        row("ray_all", [](Random& r, double half) { return random_ray(r, half, RayQuery::Want::all); });
        row("point", [](Random& r, double half) { return PointQuery{random_point(r, half)}; });
        row("closest", [](Random& r, double half) {
            return ClosestQuery{nullptr, Pose{{}, random_point(r, half)}};
        });
    }
    for (const bool with_tree : {true, false})
        benchmark::RegisterBenchmark(with_tree ? "ray_on_mesh/tree" : "ray_on_mesh/boxes",
                                     [with_tree](benchmark::State& state) { ray_on_mesh(state, with_tree); })
            ->Arg(100)
            ->Arg(1000)
            ->Arg(10000)
            ->Arg(100000);
}

}  // namespace
}  // namespace claybox::collision

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    claybox::collision::add_rows();
    benchmark::RunSpecifiedBenchmarks();
}
