// Devices that act only in a scope, and keys with Shift.

#include "tests/engine/device_fixture.hpp"

namespace claybox::engine {
namespace {

constexpr DeviceDeclaration kDeclared[] = {
    {DeviceClass::button, "curl", "", "keyboard.1 | keyboard.shift+1 | gamepad.a"},
    {DeviceClass::value, "slide", "", "keyboard.2 minus keyboard.3"},
    {DeviceClass::button, "undo", "", "keyboard.ctrl+z"},
    {DeviceClass::button, "redo", "", "keyboard.ctrl+shift+z"},
    {DeviceClass::button, "push", "", "keyboard.1", "potter"},
    {DeviceClass::button, "smooth", "", "keyboard.2", "potter"},
    {DeviceClass::button, "other", "", "keyboard.1", "cage"},
};

class DeviceScope : public testing::Test {
  protected:
    /// Presses a key for one frame. The names of the devices that went down.
    std::string pressed(int key, bool control = false, bool shift = false) {
        rig_.window.keys.set(static_cast<std::size_t>(key));
        rig_.window.presses.push_back({key, control, shift});
        rig_.frame();
        const std::string out = downs();
        rig_.window.keys.reset(static_cast<std::size_t>(key));
        rig_.frame();
        return out;
    }
    void enter(const char* scope) {
        rig_.devices.set_scope(scope);
        rig_.frame();
    }
    std::string downs() {
        std::string out;
        for (const DeviceEvent& e : rig_.devices.events())
            if (e.reading.down) out += rig_.devices.devices()[e.device].name + " ";
        return out;
    }
    DeviceRig rig_{kDeclared};
};

TEST_F(DeviceScope, a_device_acts_only_in_its_scope_and_takes_its_keys) {
    rig_.frame();
    EXPECT_EQ(pressed('1'), "curl ");
    EXPECT_FALSE(rig_.poll("push").valid);
    enter("potter");
    EXPECT_EQ(pressed('1'), "push ");
    EXPECT_EQ(pressed('2'), "smooth ");
    EXPECT_TRUE(rig_.poll("push").valid);
    EXPECT_TRUE(rig_.poll("curl").valid) << "it rests";
    enter("cage");
    EXPECT_EQ(pressed('1'), "other ");
    EXPECT_EQ(pressed('2'), "");
    enter("");
    EXPECT_EQ(pressed('1'), "curl ");
}

TEST_F(DeviceScope, other_sources_of_a_device_still_act) {
    enter("potter");
    EXPECT_EQ(pressed('1', false, true), "curl ") << "Shift+1 belongs to nobody else";
    rig_.pad.present = true;
    rig_.pad.button[0] = true;
    rig_.frame();
    EXPECT_EQ(downs(), "curl ");
}

TEST_F(DeviceScope, a_value_rests_while_a_scope_has_its_key) {
    rig_.key('2', true);
    rig_.frame();
    EXPECT_EQ(rig_.poll("slide").number, 1);
    enter("potter");
    EXPECT_EQ(rig_.poll("slide").number, 0);
    EXPECT_EQ(downs(), "") << "the key was down before: nobody pressed it for this scope";
    EXPECT_TRUE(rig_.poll("smooth").down);
    enter("");
    EXPECT_EQ(rig_.poll("slide").number, 1);
}

TEST_F(DeviceScope, a_key_that_is_held_while_the_scope_ends_presses_nothing) {
    enter("potter");
    rig_.key('1', true);
    rig_.frame();
    EXPECT_EQ(downs(), "push ");
    enter("");
    EXPECT_EQ(downs(), "");
    rig_.key('1', false);
    rig_.frame();
    EXPECT_EQ(pressed('1'), "curl ");
}

TEST_F(DeviceScope, a_new_mapping_keeps_the_scope) {
    enter("potter");
    std::string error;
    ASSERT_TRUE(rig_.devices.remap("push", "keyboard.5", error)) << error;
    rig_.frame();
    EXPECT_EQ(pressed('5'), "push ");
    EXPECT_EQ(pressed('1'), "curl ") << "the key is free again";
    EXPECT_NE(rig_.devices.changes().find("button push = keyboard.5\n"), std::string::npos);
    rig_.load("button push = keyboard.6\n");
    rig_.frame();
    EXPECT_EQ(pressed('6'), "push ");
    enter("cage");
    EXPECT_EQ(pressed('6'), "");
}

TEST_F(DeviceScope, a_key_with_shift_is_no_key_without_it) {
    rig_.frame();
    EXPECT_EQ(pressed('Z', true), "undo ");
    EXPECT_EQ(pressed('Z', true, true), "redo ") << "and not undo, too";
    EXPECT_EQ(pressed('2', false, true), "") << "a value has no event";
    rig_.load("button smooth = keyboard.s\n");
    enter("potter");
    EXPECT_EQ(pressed('S', false, true), "smooth ") << "Shift does not matter unless a map names it";
}

}  // namespace
}  // namespace claybox::engine
