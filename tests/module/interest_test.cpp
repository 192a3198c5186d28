// Interest: which pairs are tested, memory of exceptions, and slot stamps.
#include "collision/module/state/slot_stamps.hpp"
#include "tests/module/support.hpp"

#include <map>

namespace claybox::collision {
namespace {

using namespace test;

TEST(PairMap, agrees_with_std_map_under_random_changes) {
    Random random(5);
    PairMap<int> map;
    std::map<std::pair<BodyId, BodyId>, int> plain;
    const auto body = [&] {
        return BodyId{static_cast<std::uint32_t>(random.below(12)),
                      static_cast<std::uint32_t>(random.below(2))};
    };
    const auto same_slots = [](const auto& x, const auto& y) {
        return x.first.slot == y.first.slot && x.second.slot == y.second.slot;
    };
    for (int step = 0; step < 20000; ++step) {
        BodyId a = body(), b = body();
        if (a.slot == b.slot) continue;
        const auto key = a.slot < b.slot ? std::pair{a, b} : std::pair{b, a};
        const std::uint64_t action = random.below(10);
        if (action < 5) {
            std::erase_if(plain, [&](const auto& e) { return same_slots(e.first, key); });
            plain[key] = step;
            map.put(a, b, step);
        } else if (action < 7) {
            plain.erase(key);
            map.erase(a, b);
        } else if (action < 8) {
            std::erase_if(plain, [&](const auto& e) { return e.first.first == a || e.first.second == a; });
            map.erase_body(a);
        }
        const auto found = plain.find(key);
        const int* const ours = map.find(b, a);
        ASSERT_EQ(ours != nullptr, found != plain.end());
        if (ours) {
            ASSERT_EQ(*ours, found->second);
        }
        ASSERT_EQ(map.size(), plain.size());
    }
}

/// Number of queries of the algorithm below.
std::atomic<int> queries{0};
const PairAlgorithm& counting_balls() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm out = make_ball_algorithm("counting_balls");
        out.query = [](const PairQuery& query, PairCache& cache, PairResult& result, Trace* trace) {
            queries.fetch_add(1);
            query_balls(query, cache, result, trace);
        };
        return out;
    }();
    return algorithm;
}

TEST(Interest, Z_7_0_1_matrix_pair_without_interest_is_filtered_after_the_broad_phase_and_never_tested) {
    WorldSettings settings = ball_settings();
    settings.pair_algorithm = &counting_balls();
    World world(settings);
    world.set_interest(1, 1, {false, kWantVerdict, 0});
    const BodyId a = add(world, at(0), 1), b = add(world, at(0.5), 1), c = add(world, at(1), 0);
    world.set_interest_exception(c, a, {true, kWantVerdict, 77});
    queries = 0;
    const EventBatch batch = frame(world, 1);
    EXPECT_EQ(world.stats().candidates, 3u);
    EXPECT_EQ(world.stats().ignored, 1u);
    EXPECT_EQ(queries, 2);
    ASSERT_EQ(batch.events.size(), 2u);
    EXPECT_EQ(batch.events[0].data, 77u);  // data of the pair, in either order of the bodies
    EXPECT_EQ(batch.events[1].data, 0u);
    EXPECT_TRUE(world.alive(b));
}

TEST(Interest, Z_7_0_1_matrix_memory_grows_with_exceptions_and_not_with_the_square_of_bodies) {
    InterestMatrix matrix;
    const std::size_t empty = matrix.memory_bytes();
    constexpr std::uint32_t kBodies = 100000;
    for (std::uint32_t i = 0; i + 1 < kBodies; ++i) matrix.set_exception({i, 1}, {i + 1, 1}, {});
    const std::size_t full = matrix.memory_bytes();
    EXPECT_GT(full - empty, (kBodies - 1) * InterestMatrix::kBytesPerException * 3 / 4);
    EXPECT_LT(full - empty, kBodies * InterestMatrix::kBytesPerException * 2);
    EXPECT_LT(full, std::size_t{32} << 20);  // half a matrix of single bits would take 625 MB
    // A walk over all exceptions for each body would take hours here.
    for (std::uint32_t i = 0; i < kBodies; ++i) matrix.remove_body({i, 1});
    EXPECT_EQ(matrix.exception_count(), 0u);
}

TEST(GroupPairs, a_pair_is_the_same_in_either_order_and_its_text_is_read_again) {
    Random random(8);
    for (int round = 0; round < 200; ++round) {
        GroupPairs pairs;
        for (std::uint64_t k = random.below(12); k > 0; --k) {
            const auto a = static_cast<unsigned>(random.below(kGroupCount)),
                       b = static_cast<unsigned>(random.below(kGroupCount));
            const bool in_set = random.below(4) != 0;
            pairs.set(a, b, in_set);
            EXPECT_EQ(pairs.contains(a, b), in_set);
            EXPECT_EQ(pairs.contains(b, a), in_set);
        }
        const auto read = group_pairs_from_text(to_text(pairs));
        ASSERT_TRUE(read.ok()) << read.error().text();
        EXPECT_EQ(read.value(), pairs);
    }
    for (const char* text : {"1", "1-", "-1", "1-64", "0-1,", ",0-1", "0-1;2-3", "a-b", "0 - 1", "1--2"})
        EXPECT_FALSE(group_pairs_from_text(text).ok()) << text;
}

TEST(Interest, ignored_groups_end_the_contacts_of_unmoved_bodies_and_testing_again_begins_them) {
    World world(ball_settings());
    const BodyId a = add(world, at(0), 1), b = add(world, at(0.5), 2), c = add(world, at(1), 2);
    world.set_interest_exception(a, c, {true, kWantVerdict, 5});
    EXPECT_EQ(frame(world, 1).events.size(), 3u);
    EXPECT_TRUE(frame(world, 2).events.empty());
    WorldSettings settings = world.settings();
    settings.ignored_groups.set(2, 1, true);
    world.set_settings(settings);
    const EventBatch ended = frame(world, 3);
    ASSERT_EQ(ended.events.size(), 2u);  // the ends of a and b, and of a and c in spite of the exception
    EXPECT_EQ(world.stats().ends, 2u);
    EXPECT_EQ(world.stats().ignored, 2u);
    EXPECT_EQ(world.stats().colliding, 1u);
    settings.ignored_groups.set(1, 2, false);
    world.set_settings(settings);
    frame(world, 4);
    EXPECT_EQ(world.stats().colliding, 3u);
    EXPECT_EQ(world.stats().begins, 2u);
    EXPECT_TRUE(world.alive(b));
}

TEST(Interest, untested_groups_are_those_of_the_newest_interest) {
    World world(ball_settings());
    EXPECT_TRUE(world.untested_groups().empty());
    world.set_interest(3, 1, {.test = false});
    EXPECT_EQ(to_text(world.untested_groups()), "1-3");
    world.set_interest(1, 3, {});
    EXPECT_TRUE(world.untested_groups().empty());
}

TEST(Interest, exception_tests_only_its_own_pair_again) {
    World world(ball_settings());
    std::vector<BodyId> ids;
    for (int i = 0; i < 10; ++i) ids.push_back(add(world, at(10 * i))), add(world, at(10 * i + 1));
    EXPECT_EQ(frame(world, 1).events.size(), 10u);
    world.set_interest_exception(ids[3], BodyId{ids[3].slot + 1, ids[3].generation},
                                 {false, kWantVerdict, 0});
    const EventBatch batch = frame(world, 2);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::end);
    EXPECT_EQ(world.stats().candidates, 1u);
}

TEST(Interest, commands_about_a_body_removed_by_a_callback_are_dropped) {
    World world(ball_settings());
    BodyId b;
    const BodyId a = add(world, at(0));
    world.set_callback([&](const Event& event, std::span<const Hit>, CallbackContext& context) {
        if (event.kind != EventKind::begin) return;
        // As if another thread did not know about the removal yet.
        world.set_interest_exception(a, b, {});
        world.set_pair_callback(a, b, [](const Event&, std::span<const Hit>, CallbackContext&) {});
        context.remove_body(b);
    });
    std::size_t early_bytes = 0;
    for (std::uint64_t n = 1; n <= 960; n += 3) {
        b = add(world, at(1));
        EXPECT_EQ(frame(world, n).events.size(), 1u);
        world.check();  // removes b
        frame(world, n + 1), frame(world, n + 2);
        (void)world.take_pass_boundaries();
        if (n < 480) early_bytes = world.memory_bytes();
    }
    EXPECT_EQ(world.memory_bytes(), early_bytes);
}

TEST(SlotStamps, Z_7_3_1_ts_marks_are_cleared_without_a_loop_and_survive_wrap_around) {
    SlotStamps<std::uint8_t> stamps;
    stamps.resize(300);
    Random random(3);
    for (int round = 0; round < 2000; ++round) {  // wraps seven times
        stamps.start_round();
        std::set<std::uint32_t> plain;
        for (std::uint32_t slot = 0; slot < 300; ++slot) ASSERT_FALSE(stamps.marked(slot)) << round;
        for (std::uint64_t i = random.below(20); i > 0; --i)
            plain.insert(static_cast<std::uint32_t>(random.below(300)));
        for (const std::uint32_t slot : plain) stamps.mark(slot);
        for (std::uint32_t slot = 0; slot < 300; ++slot) ASSERT_EQ(stamps.marked(slot), plain.contains(slot));
    }
}

// Bodies that share many cells of a fine grid, both moved: each pair is reported once.
TEST(Interest, Z_7_3_1_ts_no_pair_is_tested_twice_in_a_pass) {
    for (const char* broad : {"grid", "octree"}) {
        WorldSettings settings = ball_settings();
        settings.pair_algorithm = &counting_balls();
        settings.broad_phase = find_broad_phase(broad);
        settings.broad_parameters = default_values(settings.broad_phase->parameters);
        const std::size_t cell = find_parameter(settings.broad_phase->parameters, "cell_size");
        if (cell < settings.broad_phase->parameters.size()) settings.broad_parameters[cell] = 0.3;
        World world(settings);
        RandomDrive drive(world, 40, 3, 8);
        for (std::uint64_t n = 1; n <= 20; ++n) {
            drive.move_some(1);
            queries = 0;
            std::set<std::pair<BodyId, BodyId>> reported;
            for (const Event& event : frame(world, n).events) {
                if (event.kind == EventKind::end) continue;
                EXPECT_TRUE(reported.emplace(event.a, event.b).second) << broad;
            }
            EXPECT_EQ(reported, drive.expected()) << broad;
            EXPECT_EQ(static_cast<std::uint64_t>(queries), world.stats().candidates) << broad;
            EXPECT_GT(world.stats().raw_candidates, world.stats().candidates) << broad;
        }
    }
}

}  // namespace
}  // namespace claybox::collision
