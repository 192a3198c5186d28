// Exchange between application and passes: ids, mailboxes, lists.
#include "collision/module/exchange/frame_exchange.hpp"

#include "tests/module/support.hpp"

#include <limits>
#include <thread>

namespace claybox::collision {
namespace {

using namespace test;

TEST(SlotTable, stale_id_never_names_another_body_even_after_the_last_generation) {
    constexpr std::uint32_t kLast = std::numeric_limits<std::uint32_t>::max();
    SlotTable table(kLast - 1);
    SlotTable::FreeSlots free;
    const BodyId first = table.open(free, kNoIndex);
    EXPECT_EQ(first.generation, kLast - 1);
    EXPECT_TRUE(table.close(first));
    EXPECT_FALSE(table.close(first));
    table.release({&first.slot, 1});
    const BodyId last = table.open(free, kNoIndex);
    EXPECT_EQ(last.slot, first.slot);
    EXPECT_EQ(last.generation, kLast);
    EXPECT_FALSE(table.alive(first));
    EXPECT_TRUE(table.close(last));
    table.release({&last.slot, 1});
    const BodyId next = table.open(free, kNoIndex);
    EXPECT_NE(next.slot, last.slot);  // the slot has used all generations
    EXPECT_FALSE(table.alive(last));
    EXPECT_FALSE(table.alive({last.slot, 0}));
    EXPECT_EQ(table.alive_count(), 1u);
}

TEST(SlotTable, two_threads_open_and_close_ids_and_no_id_is_used_twice) {
    SlotTable table;
    std::atomic<int> failures{0};
    std::atomic<bool> stop{false};
    // The pass thread: opens and closes ids, and releases the slots closed by both threads.
    std::vector<std::atomic<std::uint64_t>> closed(4096);
    std::thread pass([&] {
        SlotTable::FreeSlots free;
        Random random(2);
        while (!stop) {
            const BodyId body = table.open(free, 7);
            if (!table.alive(body) || table.vertices(body) != 7) ++failures;
            if (!table.close(body)) ++failures;
            table.release({&body.slot, 1});
            for (auto& entry : closed)
                if (const std::uint64_t slot = entry.exchange(0); slot != 0) {
                    const auto freed = static_cast<std::uint32_t>(slot - 1);
                    table.release({&freed, 1});
                }
        }
    });
    SlotTable::FreeSlots free;
    std::vector<BodyId> alive;
    Random random(1);
    for (int i = 0; i < 20000; ++i) {
        if (alive.size() < 3000 && random.below(2) == 0) {
            alive.push_back(table.open(free, kNoIndex));
        } else if (!alive.empty()) {
            std::swap(alive[random.below(alive.size())], alive.back());
            const BodyId gone = alive.back();
            alive.pop_back();
            if (!table.close(gone) || table.alive(gone)) ++failures;
            std::uint64_t empty = 0;
            while (!closed[random.below(closed.size())].compare_exchange_weak(empty, gone.slot + 1))
                empty = 0;
        }
    }
    stop = true;
    pass.join();
    std::set<std::uint32_t> slots;
    for (const BodyId body : alive) {
        EXPECT_TRUE(table.alive(body));
        EXPECT_TRUE(slots.insert(body.slot).second);
    }
    EXPECT_EQ(failures, 0);
    EXPECT_EQ(table.alive_count(), alive.size());
}

TEST(Mailbox, Z_6_4_conc_every_message_arrives_once_and_no_thread_waits) {
    struct Message {
        std::vector<int> numbers;
    };
    Mailbox<Message> box;
    constexpr int kCount = 200000;
    std::thread sender([&] {
        for (int i = 0; i < kCount; ++i) {
            std::unique_ptr<Message> open = box.take_back();
            if (!open) open = box.blank();
            open->numbers.push_back(i);
            box.send(std::move(open));
        }
    });
    int next = 0;
    bool in_order = true;
    while (next < kCount) {
        std::unique_ptr<Message> got = box.receive();
        if (!got) continue;
        for (const int number : got->numbers) in_order = in_order && number == next++;
        got->numbers.clear();
        box.give_back(std::move(got));
    }
    sender.join();
    EXPECT_TRUE(in_order);
    EXPECT_EQ(next, kCount);
    EXPECT_EQ(box.receive(), nullptr);
}

TEST(MovedList, Z_7_0_2_moved_each_body_has_one_entry_and_a_newer_body_in_its_slot_wins) {
    MovedList list, later;
    list.entry_for({3, 2}).moved = true;
    list.entry_for({3, 2}).pose = at(1);
    EXPECT_EQ(list.bodies().size(), 1u);
    list.entry_for({3, 5}).removed = true;  // a newer body in the slot replaces the entry
    EXPECT_FALSE(list.bodies()[0].moved);
    later.entry_for({3, 4}).moved = true;  // of the older body
    later.entry_for({9, 1}).moved = true;
    list.merge(later);
    ASSERT_EQ(list.bodies().size(), 2u);
    EXPECT_EQ(list.bodies()[0].generation, 5u);
    EXPECT_TRUE(list.bodies()[0].removed);
    EXPECT_FALSE(list.bodies()[0].moved);
    EXPECT_TRUE(list.bodies()[1].moved);
    EXPECT_TRUE(later.empty());
}

// The two lists of the thesis (FIX-40: incoming and processing): moves of callbacks wait for the next pass.
TEST(World, Z_7_0_2_moved_callbacks_that_move_both_bodies_do_not_cause_an_endless_pass) {
    World world(ball_settings());
    const BodyId a = add(world, at(0)), b = add(world, at(1));
    int calls = 0;
    world.set_callback([&](const Event& event, std::span<const Hit>, CallbackContext& context) {
        ++calls;
        for (const BodyId body : {event.a, event.b}) {
            Pose pose = context.pose(body);
            pose.translation.y += 0.1;
            context.move(body, pose);
            context.move(body, pose);
        }
    });
    frame(world, 1);
    EXPECT_EQ(calls, 1);
    for (std::uint64_t n = 2; n < 10; ++n) {
        const EventBatch batch = frame(world, n);
        EXPECT_EQ(calls, static_cast<int>(n));
        ASSERT_EQ(batch.events.size(), 1u);
        EXPECT_EQ(batch.events[0].kind, EventKind::stay);
        EXPECT_EQ(batch.events[0].frame_a, n - 1);  // the frame of the callback
        EXPECT_EQ(world.stats().moved, 2u);
    }
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(world.move(a, at(100 + i)).ok());
    ASSERT_TRUE(world.move(b, at(0)).ok());
    EXPECT_EQ(frame(world, 10).events.size(), 1u);
    EXPECT_EQ(world.stats().moved, 2u);  // five poses of a, one entry
}

TEST(World, callback_may_remove_a_body_long_before_its_frame_is_published) {
    World world(ball_settings());
    const BodyId a = add(world, at(0));
    add(world, at(1));
    BodyId later;
    world.set_callback([&](const Event&, std::span<const Hit>, CallbackContext& context) {
        if (later) context.remove_body(later);
    });
    world.publish(1);
    later = add(world, at(0.5));
    world.check();
    for (int i = 0; i < 3; ++i) world.check();  // further passes
    EXPECT_FALSE(world.alive(later));
    EXPECT_TRUE(frame(world, 2).events.size() == 1u);  // the begin event of frame 1
    EXPECT_EQ(world.stats().bodies, 2u);
    EXPECT_EQ(world.body_count(), 2u);
    EXPECT_NE(add(world, at(50)).slot, a.slot);
    EXPECT_EQ(frame(world, 3).events.size(), 0u);
    EXPECT_EQ(world.stats().bodies, 3u);
}

TEST(World, memory_does_not_grow_over_a_million_replaced_bodies) {
    WorldSettings settings = ball_settings();
    settings.broad_phase = find_broad_phase("grid");
    settings.broad_parameters = default_values(settings.broad_phase->parameters);
    World world(settings);
    Random random(6);
    std::vector<BodyId> ids;
    const auto place = [&] {
        const double z = random.uniform(-30, 30), y = random.uniform(-30, 30), x = random.uniform(-30, 30);
        return at(x, y, z);
    };
    for (int i = 0; i < 500; ++i) ids.push_back(add(world, place()));
    std::vector<BodyId> stale;
    std::size_t bytes_halfway = 0;
    EventBatch batch;
    std::uint64_t replaced = 0;
    constexpr std::uint64_t kRounds = 4000, kEach = 250;
    for (std::uint64_t n = 1; n <= kRounds; ++n) {
        for (std::uint64_t i = 0; i < kEach; ++i) {
            BodyId& id = ids[random.below(ids.size())];
            if (stale.size() < 1000) stale.push_back(id);
            ASSERT_TRUE(world.remove_body(id).ok());
            id = add(world, place());
            world.set_interest_exception(id, ids[random.below(ids.size())], {});
            ++replaced;
        }
        world.publish(n);
        world.check();
        world.poll_events(batch);
        (void)world.take_pass_boundaries();
        if (n == kRounds / 2 + 1) bytes_halfway = world.memory_bytes();
    }
    EXPECT_EQ(replaced, 1000000u);
    EXPECT_EQ(world.body_count(), 500u);
    EXPECT_EQ(world.stats().bodies, 500u);
    EXPECT_LE(world.memory_bytes(), bytes_halfway * 11 / 10);
    for (const BodyId id : stale) {
        EXPECT_FALSE(world.alive(id));
        EXPECT_FALSE(world.move(id, at(0)).ok());
        EXPECT_FALSE(world.remove_body(id).ok());
    }
}

TEST(World, memory_is_listed_by_shape_algorithm_and_structure) {
    World world(ball_settings());
    for (int i = 0; i < 30; ++i) add(world, at(3 * i));
    add(world, at(-10), 0, true);
    EXPECT_TRUE(world.memory().empty());
    world.request_memory_list(true);
    frame(world, 1);
    frame(world, 2);
    std::size_t shapes = 0, sum = 0;
    std::set<std::string> names;
    for (const MemoryPart& part : world.memory()) {
        names.insert(part.name);
        if (part.kind == MemoryPart::Kind::shape) {
            ++shapes;
            EXPECT_EQ(part.bytes, cube()->memory_bytes());
        } else {
            sum += part.bytes;
        }
        if (part.name == "geometry of deformable bodies") {
            EXPECT_GT(part.bytes, sizeof(Geometry) + 8 * sizeof(Vec3f));
        }
    }
    EXPECT_EQ(shapes, 1u);  // shared by all
    EXPECT_TRUE(names.contains("cube"));
    EXPECT_TRUE(names.contains(default_settings().broad_phase->id));
    EXPECT_TRUE(names.contains("interest"));
    EXPECT_EQ(sum, world.memory_bytes());
}

}  // namespace
}  // namespace claybox::collision
