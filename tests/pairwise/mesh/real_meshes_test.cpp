// Real-world meshes, clean and dirty: every pair at seeded poses. All exact surface algorithms agree, for
// surfaces and for solids. A concurrent world contains all meshes.

#include "collision/module/world.hpp"
#include "tests/pairwise/pairs.hpp"
#include "tests/support/obj_text.hpp"
#include "tests/support/truth.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

namespace claybox::test {
namespace {

/// All meshes of the ground truth, each scaled to fit a ball of radius 1.
const std::vector<ShapePtr>& real_meshes() {
    static const std::vector<ShapePtr> all = [] {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(truth_dir() / "meshes"))
            if (entry.path().extension() == ".obj") files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        std::vector<ShapePtr> out;
        for (const auto& file : files) {
            auto made = Shape::from_polygons(read_obj(file), file.filename().string());
            EXPECT_TRUE(made.ok()) << file;
            if (made.ok()) out.push_back(made.value());
        }
        return out;
    }();
    return all;
}

/// The mesh inside a ball of radius 1 around `at`, rotated.
Matrix34f placed(const Shape& shape, const Vec3d& at, Random& random) {
    const Aabb& box = shape.geometry().box;
    const double scale = 2.0 / length(cast<double>(box.max) - cast<double>(box.min));
    Matrix34f m = to_matrix(Pose{random_rotation(random, 0, 3.1), {}});
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) m.m[4 * r + c] *= static_cast<float>(scale);
    const Vec3f middle = transform_point(m, box.centre());
    for (std::size_t r = 0; r < 3; ++r) m.m[4 * r + 3] = static_cast<float>(at[r]) - middle[r];
    return m;
}

/// Queries all exact surface algorithms; each prepares a mesh once.
class AllAlgorithms {
  public:
    Verdict query_all(const Pair& p, Wants wants) {
        Verdict first = Verdict::undecided;
        for (const PairAlgorithm* algorithm : pair_algorithms()) {
            if (algorithm->meaning != Meaning::surface || !algorithm->exact || !applies(*algorithm, p))
                continue;
            PairQuery q = make_pair_query(*p.a, p.world_from_a, *p.b, p.world_from_b, scratch_);
            q.a.prepared = prepared(*algorithm, p.a);
            q.b.prepared = prepared(*algorithm, p.b);
            q.parameters = default_values(algorithm->parameters);
            q.wants = wants;
            std::vector<std::byte> pool(algorithm->cache_bytes ? algorithm->cache_bytes(*p.a, *p.b) : 0);
            PairCache cache;
            cache.set_pool(pool);
            const PairResult r = run_query(*algorithm, q, cache);
            EXPECT_EQ(r.status, QueryStatus::done) << algorithm->id;
            if (first == Verdict::undecided) first = r.verdict;
            EXPECT_EQ(r.verdict, first) << algorithm->id << ": " << p.a->name() << ", " << p.b->name();
            ++queried;
        }
        return first;
    }
    std::size_t queried = 0;

  private:
    const Prepared* prepared(const PairAlgorithm& algorithm, const ShapePtr& shape) {
        if (algorithm.prepare == nullptr) return nullptr;
        auto& made = prepared_[{&algorithm, shape.get()}];
        if (made == nullptr) made = algorithm.prepare(*shape, shape->geometry());
        return made.get();
    }
    Scratch scratch_;
    std::map<std::pair<const PairAlgorithm*, const Shape*>, std::shared_ptr<const Prepared>> prepared_;
};

TEST(RealMeshes, all_exact_algorithms_agree_about_every_pair_clean_or_dirty) {
    const auto& meshes = real_meshes();
    ASSERT_GE(meshes.size(), 20u);
    Random random(11);
    AllAlgorithms algorithms;
    int colliding = 0, only_solid = 0, pairs = 0;
    for (std::size_t i = 0; i < meshes.size(); ++i)
        for (std::size_t j = i; j < meshes.size(); ++j)
            for (const double distance : {0.4, 1.3}) {
                const Vec3d at = random.unit_vector() * 3.0;
                const Pair p{meshes[i], meshes[j], placed(*meshes[i], at, random),
                             placed(*meshes[j], at + random.unit_vector() * distance, random)};
                const Verdict surface = algorithms.query_all(p, kWantVerdict),
                              solid = algorithms.query_all(p, kWantSolid);
                EXPECT_TRUE(solid == surface || surface == Verdict::separated)
                    << "solids contain their surfaces";
                colliding += surface == Verdict::colliding ? 1 : 0;
                only_solid += solid != surface ? 1 : 0;
                ++pairs;
            }
    std::printf("%zu meshes, %d pairs, %zu queries: %d collide, %d one inside the other\n", meshes.size(),
                pairs, algorithms.queried, colliding, only_solid);
    EXPECT_GT(10 * colliding, 3 * pairs);
    EXPECT_LT(colliding, pairs);
}

/// Colliding pairs of a world after each frame, as the sum of begin and end events.
std::vector<std::uint64_t> hashes_of(bool concurrent) {
    WorldSettings settings = default_settings();
    settings.pair_algorithm = find_pair_algorithm("mesh_bvh");
    settings.pair_parameters = default_values(settings.pair_algorithm->parameters);
    settings.concurrent = concurrent;
    settings.solid = true;
    World world(settings);
    Random random(12);
    std::vector<BodyId> ids;
    std::vector<Pose> poses;
    for (const ShapePtr& mesh : real_meshes()) {
        poses.push_back(random_pose(random, 2.0));
        ids.push_back(world.add_body({mesh, poses.back(), 0, false, ids.size()}).value());
    }
    std::vector<std::uint64_t> out;
    std::size_t begins = 0;
    for (std::uint64_t frame = 1; frame <= 12; ++frame) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            poses[i].translation += 0.1 * random.unit_vector();
            EXPECT_TRUE(world.move(ids[i], poses[i]).ok());
        }
        world.publish(frame);
        world.check();
        world.wait_idle();
        EventBatch batch;
        world.poll_events(batch);
        begins += static_cast<std::size_t>(
            std::count_if(batch.events.begin(), batch.events.end(),
                          [](const Event& e) { return e.kind == EventKind::begin; }));
        EXPECT_EQ(world.stats().undecided + world.stats().not_applicable, 0u);
        out.push_back(world.stats().state_hash);
    }
    EXPECT_GT(begins, 20u);
    return out;
}

TEST(RealMeshes, the_concurrent_world_agrees_with_the_serial_one_on_all_meshes) {
    EXPECT_EQ(hashes_of(true), hashes_of(false));
}

}  // namespace
}  // namespace claybox::test
