// Contacts computed on request of a callback.

#include "collision/collision.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace claybox::collision {
namespace {

ShapePtr torus() {
    return make_primitive_shape(Primitive::torus, 400, 1, 1).value();
}

TEST(EventContacts, are_computed_on_demand_from_the_hits_of_the_pair) {
    World world;
    Interest hits;
    hits.wants = kWantAllHits;
    world.set_interest(0, 0, hits);
    std::vector<Contact> found;
    std::size_t capacity = 8, count = 0;
    world.set_callback([&](const Event& event, std::span<const Hit> of_event, CallbackContext& context) {
        found.resize(capacity);
        count = context.contacts(event, of_event, found);
        found.resize(std::min(count, capacity));
    });
    // Two rings next to each other that overlap slightly at their rims.
    const float rim = torus()->geometry().box.max.x;
    ASSERT_TRUE(world.add_body({torus(), {}}).ok());
    const auto second = world.add_body({torus(), {{}, {2.0 * static_cast<double>(rim) - 0.05, 0, 0}}});
    ASSERT_TRUE(second.ok());
    world.publish(1);
    world.check();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].normal_w.x, 1, 0.02);
    EXPECT_NEAR(found[0].point_w.x, static_cast<double>(rim) - 0.025, 0.02);
    EXPECT_NEAR(found[0].depth, 0.05, 0.02);
    capacity = 0;
    ASSERT_TRUE(world.move(second.value(), {{}, {2.0 * static_cast<double>(rim) - 0.04, 0, 0}}).ok());
    world.publish(2);
    world.check();
    EXPECT_EQ(count, 1u);
    capacity = 8;
    ASSERT_TRUE(world.move(second.value(), {{}, {9, 0, 0}}).ok());
    world.publish(3);
    world.check();
    EXPECT_EQ(count, 0u) << "an end event has no hits";
}

}  // namespace
}  // namespace claybox::collision
