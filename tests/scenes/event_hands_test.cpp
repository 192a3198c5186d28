// What a hand causes is told with that hand.
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <map>

namespace claybox::app {
namespace {

using Kind = SceneEvent::Kind;

/// The hands that events of each kind were told with, while the scene's script drives the hand of an index.
std::map<Kind, std::vector<Side>> hands_told(const char* scene, std::size_t hand, int frames) {
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

TEST(EventHands, APressIsOfTheHandThatPresses) {
    for (const std::size_t hand : {std::size_t{0}, std::size_t{1}}) {
        auto told = hands_told("buttons", hand, 300);
        const Side side = hand == 0 ? Side::right : Side::left;
        for (const Kind kind : {Kind::touched, Kind::fired, Kind::released})
            EXPECT_EQ(told[kind], Sides{side}) << event_word(kind);
    }
}

TEST(EventHands, WhatIsTakenCarriedIntoAnotherAndLetGoIsOfTheHandThatHasIt) {
    for (const std::size_t hand : {std::size_t{0}, std::size_t{1}}) {
        auto told = hands_told("workbench", hand, 340);
        const Side side = hand == 0 ? Side::right : Side::left;
        EXPECT_EQ(told[Kind::taken], Sides{side});
        EXPECT_EQ(told[Kind::dropped], Sides{side});
        EXPECT_EQ(told[Kind::collision_begin], Sides{side}) << "held into another one";
        EXPECT_TRUE(told[Kind::touched].empty() && told[Kind::released].empty()) << "nothing is pressed";
    }
}

TEST(EventHands, AStrokeIsOfTheHandThatDents) {
    for (const std::size_t hand : {std::size_t{0}, std::size_t{1}}) {
        auto told = hands_told("potter", hand, 150);
        EXPECT_EQ(told[Kind::dented], Sides{hand == 0 ? Side::right : Side::left});
    }
}

TEST(EventHands, BodiesThatMeetByThemselvesAndTheMechanicalFingerHaveNone) {
    for (const char* scene : {"cage", "button_lab"}) {
        std::size_t count = 0;
        for (const auto& [kind, sides] : hands_told(scene, 0, 600)) {
            count += sides.size();
            for (const Side side : sides) EXPECT_EQ(side, Side::none) << event_word(kind);
        }
        EXPECT_GT(count, 5u) << scene;
    }
}

}  // namespace
}  // namespace claybox::app
