#include "tests/mass/compare_meshes.hpp"

#include "collision/pairwise/registry.hpp"
#include "tests/mass/blocks.hpp"
#include "tests/mass/mesh_pairs.hpp"
#include "tests/support/oracle.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

namespace claybox::test {

namespace {

using namespace collision;

constexpr std::uint64_t kPairsPerBlock = 512;
constexpr std::size_t kShapesPerBlock = 24;
constexpr std::uint64_t kMaxReports = 20;
/// The oracle tests all triangle pairs of body pairs with at most this many.
constexpr std::size_t kMaxTrianglePairs = 200;
constexpr std::size_t kMaxHits = 1 << 16;

struct Tally {
    std::uint64_t pairs = 0, colliding = 0, inside = 0, deformed = 0, checked_by_oracle = 0, hits = 0,
                  queries = 0, undecided = 0, differences = 0;
    std::map<std::string, std::uint64_t> queried;

    void add(const Tally& t) {
        pairs += t.pairs;
        colliding += t.colliding;
        inside += t.inside;
        deformed += t.deformed;
        checked_by_oracle += t.checked_by_oracle;
        hits += t.hits;
        queries += t.queries;
        undecided += t.undecided;
        differences += t.differences;
        for (const auto& [id, count] : t.queried) queried[id] += count;
    }
};

/// The expected answers: for surfaces, for solids, and all intersecting (edge, polygon) pairs.
struct Truth {
    bool surface = false, solid = false;
    std::vector<Hit> hits;
};

class MeshWorker {
  public:
    explicit MeshWorker(const MeshComparison& options) : options_(options), hits_buffer_(kMaxHits) {
        for (const PairAlgorithm* a : pair_algorithms())
            if (a->needs != Needs::convex && a->id != std::string("depth_buffer")) algorithms_.push_back(a);
    }

    /// The pairs of one block with numbers in [first, end).
    Tally run(std::uint64_t block, std::uint64_t first, std::uint64_t end) {
        tally_ = {};
        Random random(mix64(options_.seed) ^ mix64(block));
        std::vector<MeshShape> shapes;
        for (std::size_t i = 0; i < kShapesPerBlock; ++i) shapes.push_back(random_mesh(random));
        prepared_.clear();
        for (number_ = std::max(first, block * kPairsPerBlock);
             number_ < std::min(end, (block + 1) * kPairsPerBlock); ++number_) {
            Random own(mix64(options_.seed) + mix64(~number_));
            compare(random_mesh_pair(own, shapes), own);
        }
        return tally_;
    }

  private:
    struct Memory {
        PairCache cache;
        std::vector<std::byte> pool;
    };
    using Ready = std::shared_ptr<const Prepared>;

    void report(const char* id, const char* what) {
        if (++tally_.differences <= kMaxReports)
            std::printf("difference at pair %llu, %s: %s\n", static_cast<unsigned long long>(number_), id,
                        what);
    }
    Ready prepared(const PairAlgorithm& a, const Shape& shape) {
        if (a.prepare == nullptr) return nullptr;
        Ready& out = prepared_[{&a, &shape}];
        if (out == nullptr) out = a.prepare(shape, shape.geometry());
        return out;
    }
    PairResult query(const PairAlgorithm& algorithm, const PairBody& a, const PairBody& b, Wants wants,
                     const ParameterValues& parameters, Memory& memory, std::vector<Hit>* hits = nullptr) {
        PairQuery q = make_pair_query(*a.shape, a.world_from_body, *b.shape, b.world_from_body, scratch_);
        q.a = a;
        q.b = b;
        q.parameters = parameters;
        q.wants = wants;
        q.seed = 5;
        HitSink sink{hits_buffer_};
        if (hits != nullptr) q.hits = &sink;
        if (algorithm.cache_bytes != nullptr && memory.pool.empty()) {
            memory.pool.resize(algorithm.cache_bytes(*a.shape, *b.shape));
            memory.cache.set_pool(memory.pool);
        }
        ++tally_.queries;
        const PairResult r = run_query(algorithm, q, memory.cache);
        if (hits != nullptr) hits->assign(sink.hits().begin(), sink.hits().end());
        return r;
    }

    void compare(const MeshPair& pair, Random& random);
    void compare_one(const PairAlgorithm& algorithm, const MeshPair& pair, const Truth& truth,
                     Random& random);
    void expect(const PairAlgorithm& algorithm, const PairResult& r, bool want, const char* what);
    void compare_hits(const PairAlgorithm& algorithm, const PairBody& a, const PairBody& b,
                      const ParameterValues& parameters, const Truth& truth);
    Truth decide(const MeshPair& pair);
    static ParameterValues with_one_random(const PairAlgorithm& algorithm, Random& random);
    PairBody body_a(const MeshPair& p) const {
        const Shape& s = *p.a->shape;
        return {&s, p.touched.empty() ? &s.geometry() : &p.deformed_a, nullptr, p.world_from_a};
    }
    static PairBody body_b(const MeshPair& p, const Matrix34f& m) {
        return {p.b->shape.get(), &p.b->shape->geometry(), nullptr, m};
    }

    const MeshComparison& options_;
    std::vector<const PairAlgorithm*> algorithms_;
    std::map<std::pair<const PairAlgorithm*, const Shape*>, Ready> prepared_;
    std::vector<Hit> hits_buffer_;
    Scratch scratch_;
    std::uint64_t number_ = 0;
    Tally tally_;
};

/// The default parameters with one random value. Exact answers must not depend on it.
ParameterValues MeshWorker::with_one_random(const PairAlgorithm& algorithm, Random& random) {
    ParameterValues out = default_values(algorithm.parameters);
    if (algorithm.parameters.empty()) return out;
    const std::size_t i = random.below(algorithm.parameters.size());
    const Parameter& p = algorithm.parameters[i];
    const double value = random.uniform(p.min, std::min(p.max, p.min + 1000));
    out[i] = p.kind == ParameterKind::real ? value : std::round(value);
    return out;
}

/// Tests edges against polygons without any pre-check. Small pairs are checked by the oracle too.
Truth MeshWorker::decide(const MeshPair& pair) {
    const PairAlgorithm& plain = *find_pair_algorithm("edge_polygon");
    ParameterValues parameters = default_values(plain.parameters);
    parameters[find_parameter(plain.parameters, "prechecks")] = 3;
    const PairBody a = body_a(pair), b = body_b(pair, pair.world_from_b);
    Truth out;
    Memory memory, empty;
    const PairResult r = query(plain, a, b, kWantAllHits, parameters, memory, &out.hits);
    out.surface = r.verdict == Verdict::colliding;
    out.solid = query(plain, a, b, kWantSolid, parameters, empty).verdict == Verdict::colliding;
    if (a.geometry->topology->triangles.size() * b.geometry->topology->triangles.size() <=
        kMaxTrianglePairs) {
        ++tally_.checked_by_oracle;
        if (surfaces_intersect(a, b) != out.surface) report("edge_polygon", "the oracle finds the opposite");
    }
    return out;
}

void MeshWorker::expect(const PairAlgorithm& algorithm, const PairResult& r, bool want, const char* what) {
    if (r.status == QueryStatus::not_applicable) return;  // found out by prepare()
    if (r.verdict == Verdict::undecided) {
        ++tally_.undecided;
        if (algorithm.exact) report(algorithm.id, "undecided");
        return;
    }
    if ((r.verdict == Verdict::colliding) != want) report(algorithm.id, what);
}

void MeshWorker::compare_hits(const PairAlgorithm& algorithm, const PairBody& a, const PairBody& b,
                              const ParameterValues& parameters, const Truth& truth) {
    if ((algorithm.gives & kWantAllHits) == 0 || !algorithm.exact) return;
    Memory memory;
    std::vector<Hit> hits;
    const PairResult r = query(algorithm, a, b, kWantAllHits, parameters, memory, &hits);
    if (truth.hits.size() < kMaxHits && hits != truth.hits) report(algorithm.id, "other hits");
    expect(algorithm, r, truth.surface, "another verdict with all hits");
}

void MeshWorker::compare_one(const PairAlgorithm& algorithm, const MeshPair& pair, const Truth& truth,
                             Random& random) {
    PairBody a = body_a(pair), b = body_b(pair, pair.world_from_b);
    if (!applicable(algorithm, a, b)) return;
    ++tally_.queried[algorithm.id];
    Ready ready_a = prepared(algorithm, *a.shape);
    const Ready ready_b = prepared(algorithm, *b.shape);
    if (!pair.touched.empty() && algorithm.update != nullptr)
        ready_a =
            algorithm.update(algorithm.prepare(*a.shape, a.shape->geometry()), *a.geometry, pair.touched);
    a.prepared = ready_a.get();
    b.prepared = ready_b.get();
    const ParameterValues standard = default_values(algorithm.parameters);
    const bool want = algorithm.meaning == Meaning::solid ? truth.solid : truth.surface;
    Memory cold, warm;
    expect(algorithm, query(algorithm, a, b, kWantVerdict, standard, cold), want, "cold");
    expect(algorithm, query(algorithm, b, a, kWantVerdict, standard, cold), want, "in the other order");
    PairBody earlier = b;
    earlier.world_from_body = pair.earlier_b;
    query(algorithm, a, earlier, kWantVerdict, standard, warm);
    expect(algorithm, query(algorithm, a, b, kWantVerdict, standard, warm), want, "warm");
    if (!algorithm.exact) return;
    expect(algorithm, query(algorithm, a, b, kWantSolid, standard, warm), truth.solid, "of solids");
    const ParameterValues changed = with_one_random(algorithm, random);
    expect(algorithm, query(algorithm, a, b, kWantVerdict, changed, cold), want, "with another parameter");
    compare_hits(algorithm, a, b, standard, truth);
    compare_hits(algorithm, a, b, changed, truth);
}

void MeshWorker::compare(const MeshPair& pair, Random& random) {
    const Truth truth = decide(pair);
    ++tally_.pairs;
    tally_.colliding += truth.surface ? 1 : 0;
    tally_.inside += truth.solid && !truth.surface ? 1 : 0;
    tally_.deformed += pair.touched.empty() ? 0 : 1;
    tally_.hits += truth.hits.size();
    for (const PairAlgorithm* algorithm : algorithms_) compare_one(*algorithm, pair, truth, random);
}

void print(const char* what, const MeshComparison& o, const Tally& t, double seconds) {
    const auto u = [](std::uint64_t v) { return static_cast<unsigned long long>(v); };
    std::printf(
        "%s: meshes, seed %llu: %llu pairs (%llu colliding, %llu one inside the other, %llu deformed, %llu "
        "checked by the oracle, %llu hits), %llu queries (%llu undecided by one-sided algorithms), %llu "
        "differences, %.0f s\n",
        what, u(o.seed), u(t.pairs), u(t.colliding), u(t.inside), u(t.deformed), u(t.checked_by_oracle),
        u(t.hits), u(t.queries), u(t.undecided), u(t.differences), seconds);
    for (const auto& [id, count] : t.queried) std::printf("  %s: %llu pairs\n", id.c_str(), u(count));
    std::fflush(stdout);
}

}  // namespace

bool compare_meshes(const MeshComparison& options) {
    const Tally all = run_in_blocks<Tally>(
        options.first, options.first + options.pairs, kPairsPerBlock, options.threads,
        [&] { return MeshWorker(options); },
        [&](const char* what, const Tally& t, double seconds) { print(what, options, t, seconds); });
    return all.pairs == options.pairs && all.differences == 0;
}

}  // namespace claybox::test
