// Contacts as a callback of the world asks for them.

#include "collision/collision.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace claybox::collision {
namespace {

ShapePtr torus() {
    return make_primitive_shape(Primitive::torus, 400, 1, 1).value();
}

TEST(ContactsOfEvents, are_made_on_demand_from_the_hits_of_the_pair) {
    World world;
    Interest hits;
    hits.wants = kWantAllHits;
    world.set_interest(0, 0, hits);
    std::vector<Contact> heard;
    std::size_t room = 8, told = 0;
    world.set_callback([&](const Event& event, std::span<const Hit> of_event, CallbackContext& context) {
        heard.resize(room);
        told = context.contacts(event, of_event, heard);
        heard.resize(std::min(told, room));
    });
    // Two rings side by side that overlap a little at their rims.
    const float rim = torus()->geometry().box.max.x;
    ASSERT_TRUE(world.add_body({torus(), {}}).ok());
    const auto second = world.add_body({torus(), {{}, {2.0 * static_cast<double>(rim) - 0.05, 0, 0}}});
    ASSERT_TRUE(second.ok());
    world.publish(1);
    world.check();
    ASSERT_EQ(heard.size(), 1u);
    EXPECT_NEAR(heard[0].normal_w.x, 1, 0.02);
    EXPECT_NEAR(heard[0].point_w.x, static_cast<double>(rim) - 0.025, 0.02);
    EXPECT_NEAR(heard[0].depth, 0.05, 0.02);
    room = 0;
    ASSERT_TRUE(world.move(second.value(), {{}, {2.0 * static_cast<double>(rim) - 0.04, 0, 0}}).ok());
    world.publish(2);
    world.check();
    EXPECT_EQ(told, 1u);
    room = 8;
    ASSERT_TRUE(world.move(second.value(), {{}, {9, 0, 0}}).ok());
    world.publish(3);
    world.check();
    EXPECT_EQ(told, 0u) << "an end has no hits";
}

}  // namespace
}  // namespace claybox::collision
