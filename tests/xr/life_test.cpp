// A whole session as seen by the runtime.

#include "tests/xr/client.hpp"

#include <gtest/gtest.h>

namespace claybox::test {
namespace {

using Words = std::vector<std::string>;

TEST(XrRuntime, a_session_passes_through_every_state_in_order) {
    const ScriptedRuntime runtime;
    XrClient client;
    ASSERT_EQ(client.open(), XR_SUCCESS);
    client.poll();
    ASSERT_TRUE(client.running);
    ASSERT_EQ(client.make_images(), XR_SUCCESS);
    EXPECT_EQ(runtime.states(), (Words{"IDLE", "READY"}));
    ASSERT_EQ(client.frame(), XR_SUCCESS);
    EXPECT_EQ(client.last.shouldRender, XR_FALSE) << "nothing is visible before the end of the first frame";
    for (int i = 0; i < 3; ++i) {
        client.poll();
        ASSERT_EQ(client.frame(), XR_SUCCESS);
        EXPECT_EQ(client.last.shouldRender, XR_TRUE);
    }
    EXPECT_EQ(client.state, XR_SESSION_STATE_FOCUSED);
    ASSERT_EQ(xrRequestExitSession(client.session), XR_SUCCESS);
    client.poll();
    client.poll();
    EXPECT_EQ(client.state, XR_SESSION_STATE_EXITING);
    EXPECT_FALSE(client.running);
    client.close();
    EXPECT_EQ(runtime.states(), (Words{"IDLE", "READY", "SYNCHRONIZED", "VISIBLE", "FOCUSED", "VISIBLE",
                                       "SYNCHRONIZED", "STOPPING", "IDLE", "EXITING"}));
    EXPECT_TRUE(runtime.log("misuse").empty()) << runtime.log_text();
    EXPECT_TRUE(runtime.log("leaked").empty()) << runtime.log_text();
}

}  // namespace
}  // namespace claybox::test
