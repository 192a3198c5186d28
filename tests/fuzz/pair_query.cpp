// Builds two bodies from arbitrary bytes and queries every registered algorithm. The verdicts must agree, be
// symmetric and not depend on the cache. certify() and the independent oracle must accept the certificates.
// No number may be NaN and no exact algorithm may be undecided.

#include "collision/pairwise/registry.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/pair_bytes.hpp"
#include "tests/support/oracle.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace claybox::fuzz {

using namespace collision;

namespace {

/// The data that one algorithm prepared for a pair.
struct PreparedPair {
    std::shared_ptr<const Prepared> a, b;
    std::vector<std::byte> pool;
};

PreparedPair prepare(const PairAlgorithm& algorithm, const FuzzPair& p) {
    PreparedPair out;
    if (algorithm.prepare != nullptr) {
        out.a = algorithm.prepare(*p.a, p.a->geometry());
        out.b = algorithm.prepare(*p.b, p.b->geometry());
    }
    if (algorithm.cache_bytes != nullptr) out.pool.resize(algorithm.cache_bytes(*p.a, *p.b));
    return out;
}

/// Queries one algorithm and checks every property of a single answer.
class CheckedQuery {
  public:
    CheckedQuery(const PairAlgorithm& algorithm, const FuzzPair& p)
        : algorithm_(algorithm), pair_(p), ready_(prepare(algorithm, p)) {
        cache_.set_pool(ready_.pool);
        parameters_ = default_values(algorithm.parameters);
    }

    Verdict run(Exactness exactness = Exactness::exact) {
        const PairQuery q = query(exactness);
        const PairResult r = run_query(algorithm_, q, cache_);
        check(q, r);
        return r.verdict;
    }
    void clear_cache() {
        cache_.clear();
        std::fill(ready_.pool.begin(), ready_.pool.end(), std::byte{});
    }
    void place(const Matrix34f& world_from_a, const Matrix34f& world_from_b) {
        pair_.world_from_a = world_from_a;
        pair_.world_from_b = world_from_b;
    }
    ParameterValues& parameters() { return parameters_; }

  private:
    PairQuery query(Exactness exactness);
    void check(const PairQuery& q, const PairResult& r);
    void check_numbers(const PairResult& r) const;
    void expect(bool condition, const char* message) const { require(condition, message, algorithm_.id); }

    const PairAlgorithm& algorithm_;
    FuzzPair pair_;
    PreparedPair ready_;
    PairCache cache_;
    Scratch scratch_;
    ParameterValues parameters_;
    bool certified_ = false;
};

PairQuery CheckedQuery::query(Exactness exactness) {
    PairQuery q = make_pair_query(*pair_.a, pair_.world_from_a, *pair_.b, pair_.world_from_b, scratch_);
    q.a.prepared = ready_.a.get();
    q.b.prepared = ready_.b.get();
    q.parameters = parameters_;
    q.seed = 7;
    q.wants = algorithm_.gives & ~kWantAllHits;
    q.exactness = exactness;
    return q;
}

void CheckedQuery::check_numbers(const PairResult& r) const {
    const Certificate& c = r.certificate;
    expect(is_finite(c.axis_w) && is_finite(c.point_w), "the certificate is not finite");
    expect(r.distance >= 0 && std::isfinite(r.distance), "the distance is negative or not finite");
    expect(is_finite(r.closest_a_w) && is_finite(r.closest_b_w), "the closest points are not finite");
    expect(std::isfinite(r.depth) && r.depth >= 0, "the depth is negative or not finite");
    expect(is_finite(r.depth_direction_w), "the depth direction is not finite");
}

void CheckedQuery::check(const PairQuery& q, const PairResult& r) {
    check_numbers(r);
    if (r.status == QueryStatus::not_applicable) {  // found out by prepare()
        expect(algorithm_.prepare != nullptr && r.verdict == Verdict::undecided,
               "not applicable, but with a verdict");
        return;
    }
    expect(r.status == QueryStatus::done, "the query is not done");
    expect(r.rung >= 1 && r.rung <= 3, "the rung is not 1 to 3");
    expect(r.meaning == algorithm_.meaning, "the meaning is not the algorithm's");
    if (q.exactness == Exactness::fast || !algorithm_.exact) return;
    expect(r.verdict != Verdict::undecided, "undecided");
    // A separation of surfaces has no certificate. certify() computes it again, which is needed only once.
    if (r.meaning == Meaning::surface && r.verdict == Verdict::separated && certified_) return;
    expect(certify(q, r), "certify() rejects the certificate");
    certified_ = true;
    expect(test::check_proof(q, r) != test::ProofCheck::refuted, "the oracle refutes the certificate");
}

/// A different placement nearby. A cache that is warm from it must not change verdicts.
Matrix34f nearby_placement(Bytes& in, Matrix34f m) {
    for (int i = 0; i < 3; ++i) {
        float& entry = m.m[in.below(12)];
        entry = nudged(entry * (in.byte() % 2 == 0 ? 0.75f : 1.0f), in.signed_byte());
    }
    return m;
}

/// Sets one parameter to an arbitrary value. Exact verdicts must not depend on it.
void change_one_parameter(Bytes& in, const PairAlgorithm& algorithm, ParameterValues& values) {
    if (algorithm.parameters.empty()) return;
    const std::size_t i = in.below(static_cast<std::uint32_t>(algorithm.parameters.size()));
    const Parameter& p = algorithm.parameters[i];
    const double value = p.min + (p.max - p.min) * in.byte() / 255.0;
    values[i] = p.kind == ParameterKind::real ? value : std::round(value);
}

/// The verdict of an algorithm. Checks that exact verdicts do not depend on cache, order or parameters.
Verdict query_all_variants(const PairAlgorithm& algorithm, const FuzzPair& p, Bytes in) {
    CheckedQuery query(algorithm, p);
    const Verdict cold = query.run();
    const auto same = [&](Verdict v, const char* message) {
        if (algorithm.exact) require(v == cold, message, algorithm.id);
    };
    same(query.run(), "the verdict changes when the query is repeated");
    query.place(p.world_from_a, nearby_placement(in, p.world_from_b));
    query.run();
    query.place(p.world_from_a, p.world_from_b);
    same(query.run(), "the verdict depends on the cache");
    query.run(Exactness::fast);
    same(query.run(), "the verdict depends on a preceding fast query");
    CheckedQuery swapped(algorithm, {p.b, p.a, p.world_from_b, p.world_from_a});
    same(swapped.run(), "the verdict changes when A and B are swapped");
    change_one_parameter(in, algorithm, query.parameters());
    query.clear_cache();
    same(query.run(), "the verdict depends on a parameter");
    return cold;
}

/// The oracle tests all triangles of meshes with at most this many triangles.
constexpr std::size_t kMaxTriangles = 16;

struct Verdicts {
    std::optional<Verdict> solid, surface;
    std::optional<Verdict>& of(Meaning meaning) { return meaning == Meaning::solid ? solid : surface; }
};

/// A one-sided algorithm may be undecided, but its other verdicts must be right.
void check_one_sided(const PairAlgorithm& algorithm, Verdict verdict, std::optional<Verdict> exact) {
    if (verdict != Verdict::undecided && exact)
        require(*exact == verdict, "a one-sided algorithm returns a wrong verdict", algorithm.id);
}

void check_surfaces(const PairBody& a, const PairBody& b, Verdict verdict) {
    if (a.geometry->topology->triangles.size() > kMaxTriangles) return;
    if (b.geometry->topology->triangles.size() > kMaxTriangles) return;
    require(test::surfaces_intersect(a, b) == (verdict == Verdict::colliding),
            "the oracle finds the opposite by testing all triangles");
}

void compare_all(const FuzzPair& p, const Bytes& rest) {
    const PairBody a{p.a.get(), &p.a->geometry(), nullptr, p.world_from_a};
    const PairBody b{p.b.get(), &p.b->geometry(), nullptr, p.world_from_b};
    Verdicts verdicts;
    for (const PairAlgorithm* algorithm : pair_algorithms()) {
        if (!algorithm->exact || !applicable(*algorithm, a, b)) continue;
        const Verdict verdict = query_all_variants(*algorithm, p, rest);
        if (verdict == Verdict::undecided) continue;  // not applicable
        std::optional<Verdict>& agreed = verdicts.of(algorithm->meaning);
        require(!agreed || *agreed == verdict, "exact algorithms of the same meaning disagree",
                algorithm->id);
        agreed = verdict;
    }
    if (verdicts.surface) check_surfaces(a, b, *verdicts.surface);
    if (verdicts.surface && verdicts.solid && *verdicts.surface == Verdict::colliding)
        require(*verdicts.solid == Verdict::colliding, "the surfaces collide but the solids do not");
    for (const PairAlgorithm* algorithm : pair_algorithms()) {
        if (algorithm->exact || !applicable(*algorithm, a, b)) continue;
        const Verdict verdict = query_all_variants(*algorithm, p, rest);
        if (algorithm->bias != Bias::none)
            check_one_sided(*algorithm, verdict, verdicts.of(algorithm->meaning));
    }
}

/// The hull of a shape must contain all its vertices.
void check_shape(const Shape& shape) {
    if (shape.hull() == nullptr) return;
    const auto& positions = shape.geometry().positions;
    require(test::hull_contains(*shape.hull(), positions), "a hull does not contain its points");
}

}  // namespace

}  // namespace claybox::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace claybox::fuzz;
    Bytes in({data, size});
    const FuzzPair pair = read_pair(in);
    if (pair.a == nullptr || pair.b == nullptr) return 0;
    check_shape(*pair.a);
    check_shape(*pair.b);
    compare_all(pair, in);
    return 0;
}
