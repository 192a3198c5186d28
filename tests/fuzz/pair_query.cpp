// Any bytes as two bodies, asked of every algorithm of the registry: verdicts agree, are symmetric, do not
// depend on what the cache remembers, are certified by the library and by a referee with arithmetic of its
// own; no number is NaN and no exact algorithm is undecided.

#include "collision/pairwise/registry.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/pair_bytes.hpp"
#include "tests/support/referee.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace claybox::fuzz {

using namespace collision;

namespace {

/// What one algorithm prepared for a pair.
struct Ready {
    std::shared_ptr<const Prepared> a, b;
    std::vector<std::byte> pool;
};

Ready prepare(const PairAlgorithm& algorithm, const FuzzPair& p) {
    Ready out;
    if (algorithm.prepare != nullptr) {
        out.a = algorithm.prepare(*p.a, p.a->geometry());
        out.b = algorithm.prepare(*p.b, p.b->geometry());
    }
    if (algorithm.cache_bytes != nullptr) out.pool.resize(algorithm.cache_bytes(*p.a, *p.b));
    return out;
}

/// Asks one algorithm and checks everything that one answer must fulfil.
class Asker {
  public:
    Asker(const PairAlgorithm& algorithm, const FuzzPair& p)
        : algorithm_(algorithm), pair_(p), ready_(prepare(algorithm, p)) {
        cache_.set_pool(ready_.pool);
        parameters_ = default_values(algorithm.parameters);
    }

    Verdict ask(Exactness exactness = Exactness::exact) {
        const PairQuery q = query(exactness);
        const PairResult r = run_query(algorithm_, q, cache_);
        check(q, r);
        return r.verdict;
    }
    void forget() {
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
    void holds(bool condition, const char* what) const { require(condition, what, algorithm_.id); }

    const PairAlgorithm& algorithm_;
    FuzzPair pair_;
    Ready ready_;
    PairCache cache_;
    Scratch scratch_;
    ParameterValues parameters_;
    bool certified_ = false;
};

PairQuery Asker::query(Exactness exactness) {
    PairQuery q = make_pair_query(*pair_.a, pair_.world_from_a, *pair_.b, pair_.world_from_b, scratch_);
    q.a.prepared = ready_.a.get();
    q.b.prepared = ready_.b.get();
    q.parameters = parameters_;
    q.seed = 7;
    q.wants = algorithm_.gives & ~kWantAllHits;
    q.exactness = exactness;
    return q;
}

void Asker::check_numbers(const PairResult& r) const {
    const Certificate& c = r.certificate;
    holds(is_finite(c.axis_w) && is_finite(c.point_w), "a certificate that is not finite");
    holds(std::isfinite(r.distance) && r.distance >= 0, "a distance that is no length");
    holds(is_finite(r.closest_a_w) && is_finite(r.closest_b_w), "closest points that are not finite");
    holds(std::isfinite(r.depth) && r.depth >= 0, "a depth that is no length");
    holds(is_finite(r.depth_direction_w), "a direction of depth that is not finite");
}

void Asker::check(const PairQuery& q, const PairResult& r) {
    check_numbers(r);
    if (r.status == QueryStatus::not_applicable) {  // what was prepared says so
        holds(algorithm_.prepare != nullptr && r.verdict == Verdict::undecided,
              "not applicable, but answered");
        return;
    }
    holds(r.status == QueryStatus::done, "not done");
    holds(r.rung >= 1 && r.rung <= 3, "a rung that is not there");
    holds(r.meaning == algorithm_.meaning, "another meaning");
    if (q.exactness == Exactness::fast || !algorithm_.exact) return;
    holds(r.verdict != Verdict::undecided, "undecided");
    // A surface separation has no certificate: certify() computes it again, and once is enough.
    if (r.meaning == Meaning::surface && r.verdict == Verdict::separated && certified_) return;
    holds(certify(q, r), "a certificate that certify() refuses");
    certified_ = true;
    holds(test::judge(q, r) != test::Ruling::refuted, "a certificate that the referee refutes");
}

/// A placement that is near and different: what the cache remembers of it must do no harm.
Matrix34f elsewhere(Bytes& in, Matrix34f m) {
    for (int i = 0; i < 3; ++i) {
        float& entry = m.m[in.below(12)];
        entry = nudged(entry * (in.byte() % 2 == 0 ? 0.75f : 1.0f), in.signed_byte());
    }
    return m;
}

/// Any value of one parameter; exact verdicts must not depend on it.
void turn_a_parameter(Bytes& in, const PairAlgorithm& algorithm, ParameterValues& values) {
    if (algorithm.parameters.empty()) return;
    const std::size_t i = in.below(static_cast<std::uint32_t>(algorithm.parameters.size()));
    const Parameter& p = algorithm.parameters[i];
    const double value = p.min + (p.max - p.min) * in.byte() / 255.0;
    values[i] = p.kind == ParameterKind::real ? value : std::round(value);
}

/// The verdict of an exact algorithm, asked in every way there is.
Verdict ask_all_ways(const PairAlgorithm& algorithm, const FuzzPair& p, Bytes in) {
    Asker asker(algorithm, p);
    const Verdict cold = asker.ask();
    const auto same = [&](Verdict v, const char* what) {
        if (algorithm.exact) require(v == cold, what, algorithm.id);
    };
    same(asker.ask(), "the verdict changes when asked again");
    asker.place(p.world_from_a, elsewhere(in, p.world_from_b));
    asker.ask();
    asker.place(p.world_from_a, p.world_from_b);
    same(asker.ask(), "the verdict depends on what the cache remembers");
    asker.ask(Exactness::fast);
    same(asker.ask(), "the verdict depends on a fast query before");
    Asker other_way(algorithm, {p.b, p.a, p.world_from_b, p.world_from_a});
    same(other_way.ask(), "the verdict changes when A and B are swapped");
    turn_a_parameter(in, algorithm, asker.parameters());
    asker.forget();
    same(asker.ask(), "the verdict depends on a parameter");
    return cold;
}

/// Sizes up to which the referee decides by trying everything.
constexpr std::size_t kMostTriangles = 16;

struct Verdicts {
    std::optional<Verdict> solid, surface;
    std::optional<Verdict>& of(Meaning meaning) { return meaning == Meaning::solid ? solid : surface; }
};

/// What it says is proven, also where that costs nothing on its uncertain side.
void check_one_sided(const PairAlgorithm& algorithm, Verdict said, std::optional<Verdict> exact) {
    if (said != Verdict::undecided && exact)
        require(*exact == said, "wrong where it is certain", algorithm.id);
}

void check_surfaces(const PairBody& a, const PairBody& b, Verdict verdict) {
    if (a.geometry->topology->triangles.size() > kMostTriangles) return;
    if (b.geometry->topology->triangles.size() > kMostTriangles) return;
    require(test::surfaces_meet(a, b) == (verdict == Verdict::colliding),
            "the referee finds the opposite by trying all triangles");
}

void compare_all(const FuzzPair& p, const Bytes& rest) {
    const PairBody a{p.a.get(), &p.a->geometry(), nullptr, p.world_from_a};
    const PairBody b{p.b.get(), &p.b->geometry(), nullptr, p.world_from_b};
    Verdicts verdicts;
    for (const PairAlgorithm* algorithm : pair_algorithms()) {
        if (!algorithm->exact || !applicable(*algorithm, a, b)) continue;
        const Verdict verdict = ask_all_ways(*algorithm, p, rest);
        if (verdict == Verdict::undecided) continue;  // not applicable
        std::optional<Verdict>& agreed = verdicts.of(algorithm->meaning);
        require(!agreed || *agreed == verdict, "exact algorithms of one meaning disagree", algorithm->id);
        agreed = verdict;
    }
    if (verdicts.surface) check_surfaces(a, b, *verdicts.surface);
    if (verdicts.surface && verdicts.solid && *verdicts.surface == Verdict::colliding)
        require(*verdicts.solid == Verdict::colliding, "surfaces meet and solids do not");
    for (const PairAlgorithm* algorithm : pair_algorithms()) {
        if (algorithm->exact || !applicable(*algorithm, a, b)) continue;
        const Verdict verdict = ask_all_ways(*algorithm, p, rest);
        if (algorithm->bias != Bias::none)
            check_one_sided(*algorithm, verdict, verdicts.of(algorithm->meaning));
    }
}

/// Shapes that entered must be what they say: a hull holds every vertex of its shape.
void check_shape(const Shape& shape) {
    if (shape.hull() == nullptr) return;
    const auto& positions = shape.geometry().positions;
    require(test::hull_holds(*shape.hull(), positions), "a hull that does not hold its points");
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
