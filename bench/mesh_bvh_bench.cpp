// mesh_bvh: queries in random poses near contact, build, and updates after deformations.

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/bvh/prepared_bvh.hpp"
#include "collision/pairwise/registry.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace {

using namespace claybox::collision;

/// The primitive as triangles; radius 1.
ShapePtr triangles_of(Primitive primitive, std::uint32_t target_count) {
    const ShapePtr shape = make_primitive_shape(primitive, target_count, 1, 1).value();
    PolygonList out;
    out.positions = shape->geometry().positions;
    for (const Triangle& t : shape->topology().triangles) out.add_polygon(t.vertices);
    return Shape::from_polygons(out).value();
}

struct Poses {
    Matrix34f a, b;
    bool collides = false;
};

struct Mesh {
    ShapePtr shape;
    std::shared_ptr<const Prepared> prepared;
    std::vector<Poses> poses;
    std::vector<std::vector<Poses>> moving;
};

const PairAlgorithm& algorithm() {
    return *find_pair_algorithm("mesh_bvh");
}

PairResult query(const Mesh& mesh, const Poses& poses, Scratch& scratch, PairCache& cache) {
    PairQuery q = make_pair_query(*mesh.shape, poses.a, *mesh.shape, poses.b, scratch);
    q.a.prepared = q.b.prepared = mesh.prepared.get();
    q.parameters = default_values(algorithm().parameters);
    return run_query(algorithm(), q, cache);
}

/// Adds poses on random lines of approach, within 1e-3 of first contact, and a short motion from each of
/// them.
void add_poses(Mesh& mesh, std::size_t count) {
    Random random(7);
    Scratch scratch;
    PairCache cache;
    const auto turn = [&] { return random_rotation(random, 0, 2 * std::numbers::pi); };
    while (mesh.poses.size() < count) {
        const Quat turn_a = turn(), turn_b = turn();
        const Vec3d direction = random.unit_vector(), any = random.unit_vector();
        const Vec3d offset = 0.8 * (any - dot(any, direction) * direction);
        const auto at = [&](double t) {
            Poses p{to_matrix({turn_a, {}}), to_matrix({turn_b, offset + t * direction})};
            p.collides = query(mesh, p, scratch, cache).verdict == Verdict::colliding;
            return p;
        };
        double apart = 2, touching = 2;
        while (touching > 0 && !at(touching).collides) apart = touching, touching -= 0.05;
        if (touching <= 0) continue;
        while (apart - touching > 1e-3)
            (at(0.5 * (apart + touching)).collides ? touching : apart) = 0.5 * (apart + touching);
        mesh.poses.push_back(at(mesh.poses.size() % 2 == 0 ? touching : apart));
        std::vector<Poses>& stream = mesh.moving.emplace_back();
        const Quat drift = axis_angle(random.unit_vector(), 0.01);
        Quat now = turn_b;
        const Vec3d along = 0.003 * random.unit_vector();
        for (int i = 0; i < 30; ++i) {
            now = normalized(drift * now);
            Poses p{to_matrix({turn_a, {}}),
                    to_matrix({now, offset + touching * direction + (i - 15) * along})};
            stream.push_back(p);
        }
    }
}

const Mesh& mesh_of(Primitive primitive, std::uint32_t target_count) {
    static std::map<std::pair<Primitive, std::uint32_t>, Mesh> made;
    Mesh& mesh = made[{primitive, target_count}];
    if (mesh.shape) return mesh;
    mesh.shape = triangles_of(primitive, target_count);
    mesh.prepared = algorithm().prepare(*mesh.shape, mesh.shape->geometry());
    add_poses(mesh, 400);
    return mesh;
}

constexpr Primitive kMeshes[] = {Primitive::torus, Primitive::tetra_flake};

/// First hit; only separated poses (0), only colliding ones (1), all (2).
void contacts(benchmark::State& state) {
    const Mesh& mesh = mesh_of(kMeshes[state.range(0)], static_cast<std::uint32_t>(state.range(1)));
    std::vector<Poses> poses;
    for (const Poses& p : mesh.poses)
        if (state.range(2) == 2 || p.collides == (state.range(2) == 1)) poses.push_back(p);
    Scratch scratch;
    std::array<double, kMaxCounters> sums{};
    std::size_t queries = 0;
    for (auto _ : state) {
        PairCache cache;
        const PairResult result = query(mesh, poses[queries++ % poses.size()], scratch, cache);
        for (std::size_t i = 0; i < kMaxCounters; ++i) sums[i] += result.counters[i];
    }
    const auto per_query = [&](std::size_t i) { return sums[i] / static_cast<double>(queries); };
    for (std::size_t i = 0; i < 5; ++i) state.counters[algorithm().counters[i]] = per_query(i);
    state.counters["triangles"] = static_cast<double>(mesh.shape->topology().triangles.size());
}
BENCHMARK(contacts)
    ->Name("mesh_bvh/near_contact")
    ->ArgNames({"flake", "triangles", "which"})
    ->ArgsProduct({{0}, {500, 50000, 5000}, {0, 1, 2}})
    ->ArgsProduct({{1}, {5000, 31000}, {0, 1, 2}})
    ->Unit(benchmark::kMicrosecond);

void build(benchmark::State& state) {
    const Mesh mesh{
        triangles_of(Primitive::uv_sphere, static_cast<std::uint32_t>(state.range(0))), nullptr, {}, {}};
    for (auto _ : state) benchmark::DoNotOptimize(algorithm().prepare(*mesh.shape, mesh.shape->geometry()));
    state.counters["triangles"] = static_cast<double>(mesh.shape->topology().triangles.size());
}
BENCHMARK(build)
    ->Name("mesh_bvh/build")
    ->Arg(5000)
    ->Arg(50000)
    ->Arg(500000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// Deformations of a sphere of radius 1: in each frame the vertices nearest to a moving spot are pushed in.
std::vector<std::vector<VertexChange>> dents_of(const Geometry& geometry, std::size_t moved) {
    std::vector<std::vector<VertexChange>> out;
    std::vector<std::uint32_t> order(geometry.positions.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    for (int frame = 0; frame < 32; ++frame) {
        const double angle = 0.01 * frame;
        const Vec3d spot = normalized(Vec3d{std::cos(angle), 0.3, std::sin(angle)});
        const auto nearness = [&](std::uint32_t v) { return dot(cast<double>(geometry.positions[v]), spot); };
        const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(moved, order.size()));
        std::nth_element(order.begin(), end, order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return nearness(a) > nearness(b); });
        const double least = nearness(*end);
        auto& changes = out.emplace_back();
        for (auto v = order.begin(); v != end; ++v) {
            const double inner = (nearness(*v) - least) / (1 - least);
            const double depth = 0.025 * (1 - std::cos(0.4 * frame)) * inner * inner;
            changes.push_back({*v, cast<float>((1 - depth) * cast<double>(geometry.positions[*v]))});
        }
        std::sort(changes.begin(), changes.end(),
                  [](const VertexChange& a, const VertexChange& b) { return a.vertex < b.vertex; });
    }
    return out;
}

/// One frame of a deformation: moving the vertices (0), and also updating the tree (1).
void follow(benchmark::State& state) {
    const ShapePtr shape = triangles_of(Primitive::uv_sphere, static_cast<std::uint32_t>(state.range(0)));
    const auto dents = dents_of(shape->geometry(), static_cast<std::size_t>(state.range(1)));
    Geometry geometry = shape->geometry();
    auto tree = algorithm().prepare(*shape, geometry);
    std::vector<std::uint32_t> touched;
    std::size_t frame = 0;
    for (auto _ : state) {
        if (!deform(geometry, dents[frame++ % dents.size()], touched).ok())
            state.SkipWithError("deform failed");
        if (state.range(2) == 1) tree = algorithm().update(std::move(tree), geometry, touched);
    }
    state.counters["triangles"] = static_cast<double>(shape->topology().triangles.size());
    state.counters["touched"] = static_cast<double>(touched.size());
}
BENCHMARK(follow)
    ->Name("mesh_bvh/follow")
    ->ArgNames({"polygons", "moved", "tree"})
    ->ArgsProduct({{5000, 500000}, {25, 2500}, {0, 1}})
    ->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
