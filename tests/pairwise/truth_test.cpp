// Every exact algorithm on every question of the ground truth in its domain: unchanged, and after maps of the
// world that keep every answer. In both argument orders, with a cold cache and with a cache warmed by another
// pose.

#include "tests/pairwise/truth_pairs.hpp"

#include <cmath>
#include <cstdio>
#include <map>

namespace claybox::test {
namespace {

enum class Map : unsigned char { as_it_is, permuted, scaled, shifted };
constexpr const char* kMapNames[] = {"as_it_is", "permuted", "scaled", "shifted"};

struct Row {
    const PairAlgorithm* algorithm;
    bool mesh;
    Map map;
};

std::vector<Row> rows() {
    std::vector<Row> out;
    for (const PairAlgorithm* algorithm : pair_algorithms()) {
        if (!algorithm->exact) continue;
        for (const Map map : {Map::as_it_is, Map::permuted, Map::scaled, Map::shifted}) {
            // A line of vertices is a question about solids; convex_truth_test.cpp tests it unmapped.
            if (algorithm->meaning == Meaning::solid && map != Map::as_it_is)
                out.push_back({algorithm, false, map});
            out.push_back({algorithm, true, map});
        }
    }
    return out;
}

struct Mapped {
    Pair pair;
    double scale = 1;
};

std::optional<Mapped> scaled(const Pair& p, std::size_t number) {
    constexpr int kExponents[] = {-12, 9, -37, 20};
    const int exponent = kExponents[number / 2 % 4];
    const auto pair = number % 2 == 0 ? scaled_world(p, exponent) : scaled_bodies(p, exponent);
    if (!pair) return std::nullopt;
    return Mapped{*pair, number % 2 == 0 ? std::ldexp(1.0, exponent) : 1.0};
}

/// The largest power of two, at most four times the coordinates, by which axis `axis` can be shifted exactly;
/// 0 if there is none.
float exact_shift(const TruthPair& t, std::size_t axis) {
    const int top = std::ilogb(t.coordinates) + 2;
    for (int exponent = top; exponent > top - 26; --exponent)
        for (const float sign : {1.0f, -1.0f}) {
            Vec3f shift;
            shift[axis] = std::ldexp(sign, exponent);
            if (shifted(t.pair, shift)) return shift[axis];
        }
    return 0;
}

std::optional<Mapped> shifted_far(const TruthPair& t) {
    const Vec3f shift{exact_shift(t, 0), exact_shift(t, 1), exact_shift(t, 2)};
    if (shift == Vec3f{}) return std::nullopt;
    const auto pair = shifted(t.pair, shift);
    EXPECT_TRUE(pair.has_value());
    return Mapped{*pair};
}

/// None if this map of this pair would require rounding.
std::optional<Mapped> mapped(Map map, const TruthPair& t, std::size_t number) {
    switch (map) {
        case Map::as_it_is:
            return Mapped{t.pair};
        case Map::permuted: {
            Mapped out{t.pair};
            const auto which = static_cast<std::uint32_t>(1 + number * 7 % 47);  // 0 would be the identity
            out.pair.world_from_a = with_axes_permuted(t.pair.world_from_a, which);
            out.pair.world_from_b = with_axes_permuted(t.pair.world_from_b, which);
            return out;
        }
        case Map::scaled:
            return scaled(t.pair, number);
        case Map::shifted:
            return shifted_far(t);
    }
    return std::nullopt;
}

struct Tally {
    std::uint32_t queried = 0, wrong = 0, unproven = 0, exact = 0;
};

/// One query. `before`, unless null, is queried first, so that the cache is warm from another pose.
void query_once(const PairAlgorithm& algorithm, const Pair& p, const Pair* before, Verdict want,
                Tally& tally) {
    static Scratch scratch;
    PreparedPair prepared = prepare(algorithm, p);
    PairCache cache;
    cache.set_pool(prepared.pool);
    if (before != nullptr) run_query(algorithm, query_of(algorithm, *before, prepared, scratch), cache);
    const PairQuery q = query_of(algorithm, p, prepared, scratch);
    const PairResult r = run_query(algorithm, q, cache);
    ++tally.queried;
    tally.wrong += r.verdict == want && r.status == QueryStatus::done ? 0 : 1;
    tally.exact += r.rung == 3 ? 1 : 0;
    // A surface separation is certified by computing it again, so test that once.
    if (before == nullptr || r.verdict == Verdict::colliding) tally.unproven += certify(q, r) ? 0 : 1;
}

void query_all_ways(const PairAlgorithm& algorithm, const Pair& p, const Pair& before, Verdict want,
                    Tally& tally) {
    for (const bool swap : {false, true}) {
        const Pair now = swap ? swapped(p) : p, old = swap ? swapped(before) : before;
        query_once(algorithm, now, nullptr, want, tally);
        query_once(algorithm, now, &old, want, tally);
    }
}

class Truth : public testing::TestWithParam<Row> {};

INSTANTIATE_TEST_SUITE_P(all, Truth, testing::ValuesIn(rows()), [](const auto& row) {
    return std::string(row.param.algorithm->id) + (row.param.mesh ? "_mesh_" : "_convex_") +
           kMapNames[static_cast<std::size_t>(row.param.map)];
});

TEST_P(Truth, every_answer_is_right_in_both_orders_and_with_cold_and_warm_caches) {
    const auto& [algorithm, mesh, map] = GetParam();
    const auto& questions = mesh ? mesh_truth() : convex_truth();
    ASSERT_GE(questions.size(), mesh ? 457u : 3250u);
    Random random(78);
    std::map<std::string, Tally> tallies;
    std::uint32_t fitting = 0, not_exact = 0;
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const TruthPair& t = questions[i];
        const auto answer = t.answer(algorithm->meaning);
        if (!answer || !applies(*algorithm, t.pair)) continue;
        ++fitting;
        const auto now = mapped(map, t, i);
        not_exact += now ? 0 : 1;
        if (!now) continue;
        const Pair before = frame_before(t, now->pair, random.unit_vector(), now->scale);
        Tally& tally = tallies[t.kind];
        query_all_ways(*algorithm, now->pair, before, *answer ? Verdict::colliding : Verdict::separated,
                       tally);
        EXPECT_EQ(tally.wrong, 0u) << t.id << " " << t.kind;
        EXPECT_EQ(tally.unproven, 0u) << t.id << " " << t.kind;
        if (tally.wrong + tally.unproven > 0) return;
    }
    std::uint32_t queried = 0, exact = 0;
    for (const auto& [kind, tally] : tallies) {
        queried += tally.queried;
        exact += tally.exact;
    }
    std::printf("%u questions in %zu classes, %u mapped exactly, %u queries, %u in exact arithmetic\n",
                fitting, tallies.size(), fitting - not_exact, queried, exact);
    EXPECT_EQ(queried, 4 * (fitting - not_exact));
    EXPECT_GT(2 * (fitting - not_exact), fitting) << "most questions can be mapped";
}

}  // namespace
}  // namespace claybox::test
