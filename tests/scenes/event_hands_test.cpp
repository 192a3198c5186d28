// Events name the hand that caused them.
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <map>

namespace claybox::app {
namespace {

using Kind = SceneEvent::Kind;

/// Hands named by the events of each kind, while the script of the scene drives one hand.
std::map<Kind, std::vector<Side>> hands_of_events(const char* scene, std::size_t hand, int frames) {
    const auto session = start(options_for(scene));
    std::map<Kind, std::vector<Side>> out;
    for (int i = 0; i < frames; ++i) {
        StepInput input;
        input.hand[hand] = scripted_hand(session->scene(), session->frame() + 1);
        session->step(input);
        for (const SceneEvent& e : session->output().events) out[e.kind].push_back(e.hand);
    }
    return out;
}

using Sides = std::vector<Side>;

TEST(EventHands, a_press_names_the_hand_that_presses) {
    for (const std::size_t hand : {std::size_t{0}, std::size_t{1}}) {
        auto hands = hands_of_events("buttons", hand, 300);
        const Side side = hand == 0 ? Side::right : Side::left;
        for (const Kind kind : {Kind::touched, Kind::fired, Kind::released})
            EXPECT_EQ(hands[kind], Sides{side}) << event_word(kind);
    }
}

TEST(EventHands, grasp_collision_and_release_name_the_hand_that_holds_the_solid) {
    for (const std::size_t hand : {std::size_t{0}, std::size_t{1}}) {
        auto hands = hands_of_events("solids", hand, 340);
        const Side side = hand == 0 ? Side::right : Side::left;
        EXPECT_EQ(hands[Kind::taken], Sides{side});
        EXPECT_EQ(hands[Kind::dropped], Sides{side});
        EXPECT_EQ(hands[Kind::collision_begin], Sides{side}) << "pushed into another one";
        EXPECT_TRUE(hands[Kind::touched].empty() && hands[Kind::released].empty()) << "nothing is pressed";
    }
}

TEST(EventHands, a_stroke_names_the_hand_that_dents) {
    for (const std::size_t hand : {std::size_t{0}, std::size_t{1}}) {
        auto hands = hands_of_events("potter", hand, 150);
        EXPECT_EQ(hands[Kind::dented], Sides{hand == 0 ? Side::right : Side::left});
    }
}

TEST(EventHands, collisions_of_bodies_and_presses_of_the_mechanical_finger_name_no_hand) {
    for (const char* scene : {"cage", "button_lab"}) {
        std::size_t count = 0;
        for (const auto& [kind, sides] : hands_of_events(scene, 0, 600)) {
            count += sides.size();
            for (const Side side : sides) EXPECT_EQ(side, Side::none) << event_word(kind);
        }
        EXPECT_GT(count, 5u) << scene;
    }
}

}  // namespace
}  // namespace claybox::app
