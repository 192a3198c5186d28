#include "tests/mass/compare_motions.hpp"

#include "collision/continuous/registry.hpp"
#include "collision/pairwise/registry.hpp"
#include "tests/mass/blocks.hpp"
#include "tests/mass/near_pairs.hpp"
#include "tests/mass/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace claybox::test {
namespace {

using namespace collision;

constexpr std::uint64_t kPairsPerBlock = 2048;
constexpr std::size_t kShapesPerBlock = 64;
constexpr std::uint64_t kMaxReports = 20;
/// Times of exact algorithms differ by less.
constexpr double kTimeSlack = 1e-9;

struct Tally {
    std::uint64_t pairs = 0, colliding = 0, at_start = 0, by_integers = 0, queries = 0, differences = 0;
    std::uint64_t rung[4] = {};

    void add(const Tally& t) {
        pairs += t.pairs, colliding += t.colliding, at_start += t.at_start, by_integers += t.by_integers;
        queries += t.queries, differences += t.differences;
        for (std::size_t i = 0; i < 4; ++i) rung[i] += t.rung[i];
    }
};

/// A near pair whose bodies move straight through that placement, or past it.
struct MovingNearPair {
    NearPair near;
    Vec3f end_a, end_b;  ///< translations at t = 1
    bool a_moves = false;
};

Vec3f shifted(const Vec3f& from, const Vec3d& by) {
    return cast<float>(cast<double>(from) + by);
}

class Worker {
  public:
    explicit Worker(const MotionComparison& options) : options_(options) {}

    Tally run(std::uint64_t block, std::uint64_t first, std::uint64_t end) {
        tally_ = {};
        prepared_.clear();
        Random random(mix64(options_.seed) ^ mix64(block));
        std::vector<PointShape> shapes;
        for (std::size_t i = 0; i < kShapesPerBlock; ++i)
            shapes.push_back(random_point_shape(random, static_cast<std::uint32_t>(options_.most)));
        for (number_ = std::max(first, block * kPairsPerBlock);
             number_ < std::min(end, (block + 1) * kPairsPerBlock); ++number_) {
            Random own(mix64(options_.seed) + mix64(~number_));
            compare(random_motion(own, shapes));
        }
        return tally_;
    }

  private:
    /// A direction in which B passes A: any, along the separating axis, across it (so that B grazes A), or
    /// along the axes of the world (so that faces of grid shapes slide along each other).
    Vec3d direction(Random& random, const NearPair& pair) {
        const std::uint64_t kind = random.below(4);
        if (kind == 0) return random.unit_vector();
        if (kind == 3) {
            Vec3d out;
            for (std::size_t k = 0; k < 3; ++k) out[k] = static_cast<double>(random.below(3)) - 1;
            return length(out) > 0 ? out : Vec3d{1, 0, 0};
        }
        const PairAlgorithm& gjk = *find_pair_algorithm("gjk");
        PairQuery query =
            make_pair_query(*pair.a->shape, pair.world_from_a, *pair.b->shape, pair.world_from_b, scratch_);
        query.parameters = default_values(gjk.parameters);
        query.wants = kWantDistance | kWantDepth;
        PairCache cache;
        const PairResult r = run_query(gjk, query, cache);
        const Vec3d between =
            r.verdict == Verdict::separated ? r.closest_b_w - r.closest_a_w : r.depth_direction_w;
        const Vec3d axis = length(between) > 0 ? normalized(between) : random.unit_vector();
        return kind == 1 ? axis : cross(axis, random.unit_vector());
    }

    MovingNearPair random_motion(Random& random, const std::vector<PointShape>& shapes) {
        MovingNearPair out{random_near_pair(random, shapes, scratch_), {}, {}};
        NearPair& pair = out.near;
        const Aabb box = transform_aabb(pair.world_from_b, pair.b->shape->geometry().box);
        const double size = length(cast<double>(box.max) - cast<double>(box.min)) + 1e-30;
        const double far = std::exp2(std::floor(random.uniform(-6, 5)));
        const Vec3d way = far * std::exp2(std::round(std::log2(size))) * direction(random, pair);
        // The near placement is at this share of the motion; 0 and 1 are its ends.
        const double share = static_cast<double>(random.below(5)) / 4;
        const Vec3f near_b = pair.world_from_b.translation();
        const Vec3f start_b = shifted(near_b, -share * way);
        for (std::size_t k = 0; k < 3; ++k) pair.world_from_b.m[4 * k + 3] = start_b[k];
        out.end_b = shifted(near_b, (1 - share) * way);
        const Vec3f start_a = pair.world_from_a.translation();
        out.end_a = start_a;
        out.a_moves = random.below(2) == 0;
        if (out.a_moves) {
            const Vec3d both = far * size * random.unit_vector();
            out.end_a = shifted(start_a, both);
            out.end_b = shifted(out.end_b, both);
        }
        return out;
    }

    const Prepared* prepared(const ContinuousAlgorithm& algorithm, const Shape& shape) {
        if (!algorithm.prepare) return nullptr;
        auto& slot = prepared_[{&algorithm, &shape}];
        if (!slot) slot = algorithm.prepare(shape, shape.geometry());
        return slot.get();
    }

    ContinuousResult ask(const ContinuousAlgorithm& algorithm, const MovingNearPair& p, bool swap) {
        const Motion a = p.a_moves ? Motion::linear(p.end_a) : Motion{}, b = Motion::linear(p.end_b);
        const Shape &shape_a = *p.near.a->shape, &shape_b = *p.near.b->shape;
        ContinuousQuery query = swap ? make_continuous_query(shape_b, p.near.world_from_b, b, shape_a,
                                                             p.near.world_from_a, a, scratch_)
                                     : make_continuous_query(shape_a, p.near.world_from_a, a, shape_b,
                                                             p.near.world_from_b, b, scratch_);
        query.pair.a.prepared = prepared(algorithm, swap ? shape_b : shape_a);
        query.pair.b.prepared = prepared(algorithm, swap ? shape_a : shape_b);
        PairCache cache;
        ++tally_.queries;
        return run_continuous(algorithm, query, cache);
    }

    void differ(const ContinuousAlgorithm& algorithm, const char* what, double value, double expected) {
        if (++tally_.differences > kMaxReports) return;
        std::printf("difference at pair %llu, %s: %s %.17g, expected %.17g\n",
                    static_cast<unsigned long long>(number_), algorithm.id, what, value, expected);
    }

    void compare(const MovingNearPair& p) {
        const NearPair& n = p.near;
        PlacedPoints b{n.b->points,
                       n.world_from_b,
                       true,
                       {p.end_b, n.world_from_a.translation()},
                       {n.world_from_b.translation(), p.end_a}};
        const ReferenceAnswer want = reference_.decide({n.a->points, n.world_from_a}, b, options_.pure);
        ++tally_.pairs;
        tally_.colliding += want.colliding ? 1 : 0;
        tally_.by_integers += want.by_integers ? 1 : 0;
        double time = -1;
        for (const ContinuousAlgorithm* algorithm : continuous_algorithms()) {
            if (algorithm->promise != Promise::exact) continue;
            // Its 25 programs have all vertices as columns.
            if (std::string_view(algorithm->id) == "interframe_lp" && number_ % 8 != 0) continue;
            for (const bool swap : {false, true}) {
                const ContinuousResult r = ask(*algorithm, p, swap);
                ++tally_.rung[r.rung & 3];
                check(*algorithm, r, want.colliding, time);
                tally_.at_start += r.at_start && time < 0 ? 1 : 0;
                if (time < 0) time = r.time_high;
            }
        }
    }

    void check(const ContinuousAlgorithm& algorithm, const ContinuousResult& r, bool want, double time) {
        const bool hit = r.verdict == Verdict::colliding;
        if (r.verdict == Verdict::undecided || hit != want) return differ(algorithm, "hit", hit, want);
        if (!hit) return;
        if (!(r.time_low >= 0 && r.time_low <= r.time_high && r.time_high <= 1))
            differ(algorithm, "time", r.time_low, r.time_high);
        if (time >= 0 && std::fabs(r.time_high - time) > kTimeSlack)
            differ(algorithm, "time", r.time_high, time);
    }

    const MotionComparison& options_;
    std::map<std::pair<const ContinuousAlgorithm*, const Shape*>, std::shared_ptr<const Prepared>> prepared_;
    Reference reference_;
    Scratch scratch_;
    std::uint64_t number_ = 0;
    Tally tally_;
};

void print(const char* what, const MotionComparison& o, const Tally& t, double seconds) {
    const auto u = [](std::uint64_t v) { return static_cast<unsigned long long>(v); };
    std::printf(
        "%s: motions, seed %llu, up to %llu points%s: %llu pairs (%llu colliding, %llu at the start, "
        "%llu decided in integers), %llu queries (rung 1: %llu, 2: %llu, 3: %llu), %llu differences, "
        "%.0f s\n",
        what, u(o.seed), u(o.most), o.pure ? ", pure" : "", u(t.pairs), u(t.colliding), u(t.at_start),
        u(t.by_integers), u(t.queries), u(t.rung[1]), u(t.rung[2]), u(t.rung[3]), u(t.differences), seconds);
    std::fflush(stdout);
}

}  // namespace

bool compare_motions(const MotionComparison& options) {
    const Tally all = run_in_blocks<Tally>(
        options.first, options.first + options.pairs, kPairsPerBlock, options.threads,
        [&] { return Worker(options); },
        [&](const char* what, const Tally& t, double seconds) { print(what, options, t, seconds); });
    return all.pairs == options.pairs && all.differences == 0;
}

}  // namespace claybox::test
