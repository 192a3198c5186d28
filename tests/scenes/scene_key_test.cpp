// Keys of scenes: what a press changes, and that the potter has a key for every effect.

#include "app/scenes/scene.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace claybox::app {
namespace {

using collision::Parameter;
using collision::ParameterKind;
using Kind = SceneKey::Kind;

constexpr const char* kKeyChoices[] = {"push", "inflate", "deflate", "mask"};
const Parameter kKeyTable[] = {
    {"effect", "Effect", ParameterKind::choice, 0, 0, 3, "", "", "", false, kKeyChoices},
    {"radius", "Radius", ParameterKind::real, 30, 5, 80, "mm", "", ""},
    {"count", "Count", ParameterKind::integer, 4, 1, 9, "", "", ""},
    {"mirror", "Mirror", ParameterKind::toggle, 0, 0, 1, "", "", ""},
};
constexpr const char* kTableActions[] = {"Reset", "Undo"};
const SceneDescriptor kKeyScene{"test", "Test", "", kKeyTable, 0, kTableActions};

SceneKey key_for(Kind kind, const char* target, const char* value = "") {
    return {"device", "keyboard.k", "Title", kind, target, value};
}

/// The value after a press; NaN if nothing changes.
double value_after(const SceneKey& pressed, double now, double count = 1) {
    collision::ParameterValues values = collision::default_values(kKeyTable);
    const std::size_t index = collision::find_parameter(kKeyTable, pressed.target);
    if (index < std::size(kKeyTable)) values[index] = now;
    const auto change = change_of(pressed, kKeyScene, values, count);
    EXPECT_TRUE(!change || change->index == index);
    return change ? change->value : std::nan("");
}

TEST(SceneKey, a_press_sets_adds_scales_and_toggles) {
    EXPECT_EQ(value_after(key_for(Kind::set, "effect", "deflate"), 0), 2);
    EXPECT_EQ(value_after(key_for(Kind::set, "radius", "44"), 30), 44);
    EXPECT_TRUE(std::isnan(value_after(key_for(Kind::set, "effect", "push"), 0))) << "nothing changes";
    EXPECT_EQ(value_after(key_for(Kind::add, "radius", "-5"), 30), 25);
    EXPECT_DOUBLE_EQ(value_after(key_for(Kind::scale, "radius", "1.5"), 30), 45);
    EXPECT_EQ(value_after(key_for(Kind::scale, "count", "1.2"), 4), 5) << "whole numbers stay whole";
    EXPECT_EQ(value_after(key_for(Kind::toggle, "mirror"), 0), 1);
    EXPECT_EQ(value_after(key_for(Kind::toggle, "mirror"), 1), 0);
    EXPECT_EQ(value_after(key_for(Kind::toggle, "effect"), 3), 0) << "the next choice";
}

TEST(SceneKey, values_stay_in_their_range) {
    EXPECT_EQ(value_after(key_for(Kind::add, "radius", "-500"), 30), 5);
    EXPECT_EQ(value_after(key_for(Kind::scale, "radius", "1000"), 30), 80);
    EXPECT_TRUE(std::isnan(value_after(key_for(Kind::add, "radius", "5"), 80))) << "at the end";
    EXPECT_DOUBLE_EQ(value_after(key_for(Kind::wheel, "radius", "1.1"), 30, 2), 30 * 1.1 * 1.1);
    EXPECT_DOUBLE_EQ(value_after(key_for(Kind::wheel, "radius", "1.1"), 33, -1), 30);
    EXPECT_EQ(value_after(key_for(Kind::wheel, "radius", "1.1"), 30, 1e6), 80);
    EXPECT_EQ(value_after(key_for(Kind::wheel, "radius", "1.1"), 30, -1e6), 5);
}

TEST(SceneKey, a_held_key_swaps_two_choices_and_no_others) {
    const SceneKey swap = key_for(Kind::swap, "effect", "inflate deflate, mask no_such_effect");
    EXPECT_EQ(value_after(swap, 1), 2);
    EXPECT_EQ(value_after(swap, 2), 1);
    EXPECT_TRUE(std::isnan(value_after(swap, 0))) << "push has no opposite";
    EXPECT_TRUE(std::isnan(value_after(swap, 3))) << "its opposite is unknown";
}

TEST(SceneKey, an_action_is_found_by_its_title) {
    EXPECT_EQ(requested_action(key_for(Kind::action, "Undo"), kKeyScene), 1u);
    EXPECT_FALSE(requested_action(key_for(Kind::action, "Fly"), kKeyScene));
    EXPECT_FALSE(requested_action(key_for(Kind::toggle, "Undo"), kKeyScene));
    EXPECT_TRUE(std::isnan(value_after(key_for(Kind::action, "Undo"), 0)));
}

TEST(SceneKey, what_the_scene_does_not_have_is_unknown_and_changes_nothing) {
    for (const SceneKey& unknown :
         {key_for(Kind::set, "effect", "no_such_effect"), key_for(Kind::set, "no_such_parameter", "1"),
          key_for(Kind::set, "radius", "wide"), key_for(Kind::set, "radius", "500"),
          key_for(Kind::add, "effect", "1"), key_for(Kind::add, "radius", "much"),
          key_for(Kind::scale, "radius", "-1"), key_for(Kind::scale, "radius", ""),
          key_for(Kind::toggle, "radius"), key_for(Kind::swap, "radius", "1 2"),
          key_for(Kind::swap, "effect", ""), key_for(Kind::swap, "effect", "a b, inflate"),
          key_for(Kind::wheel, "radius", "nan"), key_for(Kind::action, "Fly")}) {
        EXPECT_FALSE(is_known(unknown, kKeyScene)) << unknown.target << " " << unknown.value;
        EXPECT_TRUE(std::isnan(value_after(unknown, 1)));
    }
}

TEST(SceneKey, messages_name_the_parameter_and_its_value) {
    EXPECT_EQ(value_sentence(kKeyTable[0], 1), "Effect: inflate");
    EXPECT_EQ(value_sentence(kKeyTable[1], 34.5), "Radius: 34.5 mm");
    EXPECT_EQ(value_sentence(kKeyTable[3], 1), "Mirror: on");
    EXPECT_EQ(value_sentence(kKeyTable[2], 7), "Count: 7");
}

TEST(SceneKey, the_potter_has_exactly_one_key_for_every_effect) {
    const SceneDescriptor& potter = *find_scene("potter");
    const std::size_t effect = collision::find_parameter(potter.parameters, "effect");
    for (const char* choice : potter.parameters[effect].choices) {
        int keys = 0;
        for (const SceneKey& k : scene_keys(potter))
            keys += k.kind == Kind::set && k.target == std::string_view("effect") &&
                    k.value == std::string_view(choice);
        EXPECT_EQ(keys, 1) << choice << ": see potter_keys.cpp";
    }
    const auto known = scene_keys(potter);
    for (const Kind kind : {Kind::swap, Kind::wheel, Kind::scale, Kind::add})
        EXPECT_TRUE(
            std::any_of(known.begin(), known.end(), [&](const SceneKey& k) { return k.kind == kind; }));
}

}  // namespace
}  // namespace claybox::app
