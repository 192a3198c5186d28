// Compares an algorithm with the reference on random pairs near contact. Queries each pair in both argument
// orders with cold caches, then with a cache that is warm from another placement, and once more with the same
// placement.
//
//   compare_random [--algorithm=gjk] [--pairs=N] [--first=N] [--most=POINTS] [--seed=N] [--threads=N]
//   [--pure]
//
// A pair depends only on the seed, its number and --most (the maximum number of points per body). --pure
// decides every pair in integers. Pairs to which the algorithm does not apply are counted and skipped. The
// exit status is 1 if an answer differs.
//
//   compare_random --meshes [--pairs=N] [--first=N] [--seed=N] [--threads=N]
//
// Compares all mesh algorithms with each other: clean and dirty meshes, first hits, all hits, solids.
//
//   compare_random --motions [--pairs=N] [--first=N] [--most=POINTS] [--seed=N] [--threads=N] [--pure]
//
// Compares the exact continuous algorithms with the reference: linear motions through and past near contact.
#include "collision/pairwise/registry.hpp"
#include "tests/mass/blocks.hpp"
#include "tests/mass/compare_meshes.hpp"
#include "tests/mass/compare_motions.hpp"
#include "tests/mass/near_pairs.hpp"
#include "tests/mass/reference.hpp"

#include <cstdio>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

namespace claybox::test {
namespace {

using namespace collision;

constexpr std::uint64_t kPairsPerBlock = 4096;
constexpr std::size_t kShapesPerBlock = 64;
constexpr std::uint64_t kMaxReports = 20;

struct Options {
    std::string algorithm = "gjk";
    std::uint64_t pairs = 100000, first = 0, most = 32, seed = 1, threads = 2;
    bool pure = false, meshes = false, motions = false;
};

struct Tally {
    std::uint64_t pairs = 0, not_applicable = 0, colliding = 0, by_integers = 0, steps = 0, queries = 0,
                  disagreements = 0;
    std::uint64_t rung[4] = {};

    void add(const Tally& t) {
        pairs += t.pairs;
        not_applicable += t.not_applicable;
        colliding += t.colliding;
        by_integers += t.by_integers;
        steps += t.steps;
        queries += t.queries;
        disagreements += t.disagreements;
        for (std::size_t i = 0; i < 4; ++i) rung[i] += t.rung[i];
    }
};

class Worker {
  public:
    explicit Worker(const Options& options)
        : options_(options), algorithm_(*find_pair_algorithm(options.algorithm)) {}

    /// The pairs of block `block` with numbers in [first, end).
    Tally run(std::uint64_t block, std::uint64_t first, std::uint64_t end) {
        tally_ = {};
        Random random(mix64(options_.seed) ^ mix64(block));
        std::vector<PointShape> shapes;
        for (std::size_t i = 0; i < kShapesPerBlock; ++i)
            shapes.push_back(random_point_shape(random, static_cast<std::uint32_t>(options_.most)));
        prepared_.clear();
        for (const PointShape& s : shapes)
            if (algorithm_.prepare != nullptr)
                prepared_[s.shape.get()] = algorithm_.prepare(*s.shape, s.shape->geometry());
        for (number_ = std::max(first, block * kPairsPerBlock);
             number_ < std::min(end, (block + 1) * kPairsPerBlock); ++number_) {
            Random own(mix64(options_.seed) + mix64(~number_));
            compare(random_near_pair(own, shapes, scratch_));
        }
        return tally_;
    }

  private:
    /// A pair's cache with the memory that the algorithm needs.
    struct Memory {
        PairCache cache;
        std::vector<std::byte> pool;
    };

    PairResult run_one(const PairBody& a, const PairBody& b, Memory& memory) {
        PairQuery q = make_pair_query(*a.shape, a.world_from_body, *b.shape, b.world_from_body, scratch_);
        q.parameters = default_values(algorithm_.parameters);
        q.a.prepared = a.prepared;
        q.b.prepared = b.prepared;
        if (algorithm_.cache_bytes != nullptr && memory.pool.empty()) {
            memory.pool.resize(algorithm_.cache_bytes(*a.shape, *b.shape));
            memory.cache.set_pool(memory.pool);
        }
        return run_query(algorithm_, q, memory.cache);
    }

    void check(const PairBody& a, const PairBody& b, Memory& memory, bool want, const char* how) {
        const PairResult r = run_one(a, b, memory);
        ++tally_.queries;
        ++tally_.rung[r.rung & 3];
        if (r.verdict == (want ? Verdict::colliding : Verdict::separated)) return;
        if (++tally_.disagreements <= kMaxReports)
            std::printf("disagreement at pair %llu, %s: %s, expected %s\n",
                        static_cast<unsigned long long>(number_), how, to_string(r.verdict),
                        want ? "colliding" : "separated");
    }

    void compare(const NearPair& pair) {
        const ReferenceAnswer want = reference_.decide({pair.a->points, pair.world_from_a},
                                                       {pair.b->points, pair.world_from_b}, options_.pure);
        ++tally_.pairs;
        tally_.colliding += want.colliding ? 1 : 0;
        tally_.by_integers += want.by_integers ? 1 : 0;
        tally_.steps += want.steps;
        const PairBody a = body(pair.a->shape, pair.world_from_a), b = body(pair.b->shape, pair.world_from_b);
        if (!applicable(algorithm_, a, b)) {
            ++tally_.not_applicable;
            return;
        }
        Memory cold, cold_too, warm;
        check(a, b, cold, want.colliding, "cold");
        check(b, a, cold_too, want.colliding, "cold, other order");
        run_one(a, body(pair.b->shape, pair.earlier_b), warm);
        check(a, b, warm, want.colliding, "warm from another placement");
        check(a, b, warm, want.colliding, "from memory");
    }

    PairBody body(const ShapePtr& shape, const Matrix34f& world_from_body) const {
        const auto found = prepared_.find(shape.get());
        return {shape.get(), &shape->geometry(), found == prepared_.end() ? nullptr : found->second.get(),
                world_from_body};
    }

    const Options& options_;
    const PairAlgorithm& algorithm_;
    std::unordered_map<const Shape*, std::shared_ptr<const Prepared>> prepared_;
    Reference reference_;
    Scratch scratch_;
    std::uint64_t number_ = 0;
    Tally tally_;
};

void print(const char* what, const Options& o, const Tally& t, double seconds) {
    const auto u = [](std::uint64_t v) { return static_cast<unsigned long long>(v); };
    std::printf(
        "%s: algorithm %s, seed %llu, up to %llu points%s: %llu pairs (%llu not applicable, %llu colliding, "
        "%llu decided in integers in %llu steps), %llu queries (rung 1: %llu, 2: %llu, 3: %llu), %llu "
        "disagreements, %.0f s\n",
        what, o.algorithm.c_str(), u(o.seed), u(o.most), o.pure ? ", pure" : "", u(t.pairs),
        u(t.not_applicable), u(t.colliding), u(t.by_integers), u(t.steps), u(t.queries), u(t.rung[1]),
        u(t.rung[2]), u(t.rung[3]), u(t.disagreements), seconds);
    std::fflush(stdout);
}

bool compare_all(const Options& options) {
    const Tally all = run_in_blocks<Tally>(
        options.first, options.first + options.pairs, kPairsPerBlock, options.threads,
        [&] { return Worker(options); },
        [&](const char* what, const Tally& t, double seconds) { print(what, options, t, seconds); });
    return all.pairs == options.pairs && all.disagreements == 0;
}

bool parse_number(const char* argument, const char* name, std::uint64_t& out) {
    const std::size_t length = std::strlen(name);
    if (std::strncmp(argument, name, length) != 0) return false;
    char* end = nullptr;
    out = std::strtoull(argument + length, &end, 10);
    return *end == '\0' && end != argument + length;
}

bool read(int argc, char** argv, Options& o) {
    for (int i = 1; i < argc; ++i) {
        const char* v = argv[i];
        if (std::strncmp(v, "--algorithm=", 12) == 0) {
            o.algorithm = v + 12;
            const PairAlgorithm* found = find_pair_algorithm(o.algorithm);
            if (found == nullptr || found->needs != Needs::convex || !found->exact) return false;
        } else if (std::strcmp(v, "--pure") == 0) {
            o.pure = true;
        } else if (std::strcmp(v, "--meshes") == 0) {
            o.meshes = true;
        } else if (std::strcmp(v, "--motions") == 0) {
            o.motions = true;
        } else if (!parse_number(v, "--pairs=", o.pairs) && !parse_number(v, "--first=", o.first) &&
                   !parse_number(v, "--most=", o.most) && !parse_number(v, "--seed=", o.seed) &&
                   !parse_number(v, "--threads=", o.threads)) {
            return false;
        }
    }
    return o.most > 0 && o.threads > 0 && o.threads <= 256;
}

}  // namespace
}  // namespace claybox::test

int main(int argc, char** argv) {
    claybox::test::Options options;
    if (!claybox::test::read(argc, argv, options)) {
        std::fprintf(
            stderr,
            "usage: compare_random [--algorithm=ID] [--pairs=N] [--first=N] [--most=POINTS] [--seed=N] "
            "[--threads=N] [--pure]\n"
            "       compare_random --meshes [--pairs=N] [--first=N] [--seed=N] [--threads=N]\n"
            "       compare_random --motions [--pairs=N] [--first=N] [--most=POINTS] [--seed=N] "
            "[--threads=N] [--pure]\n"
            "ID is an exact algorithm for convex bodies.\n");
        return 2;
    }
    if (options.meshes)
        return claybox::test::compare_meshes({options.pairs, options.first, options.seed, options.threads})
                   ? 0
                   : 1;
    if (options.motions)
        return claybox::test::compare_motions(
                   {options.pairs, options.first, options.most, options.seed, options.threads, options.pure})
                   ? 0
                   : 1;
    return claybox::test::compare_all(options) ? 0 : 1;
}
