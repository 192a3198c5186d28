#pragma once

#include "tests/xr_runtime/graphics.hpp"
#include "tests/xr_runtime/runtime.hpp"

#include <optional>

namespace claybox::xr_runtime {

struct Session final : Object {
    Session() : Object("session") { session = this; }

    GraphicsBinding graphics;
    XrSessionState state = XR_SESSION_STATE_UNKNOWN;
    XrSessionState goal = XR_SESSION_STATE_FOCUSED;  ///< where the script wants a session that runs
    bool ready_polled = false, running = false, lost = false;
    bool exiting = false;    ///< EXITING follows the end
    int polls_to_ready = 0;  ///< of a pause
    bool waited = false, begun = false;
    std::int64_t frames_ended = 0;

    bool attached = false;
    std::array<XrPath, 2> profile{};  ///< what xrGetCurrentInteractionProfile says, by hand

    bool seen() const { return state == XR_SESSION_STATE_VISIBLE || state == XR_SESSION_STATE_FOCUSED; }
    bool focused() const { return running && state == XR_SESSION_STATE_FOCUSED; }
};

void push_state(Session& session, XrSessionState state);
/// Through every state between, as long as the session runs.
void walk_to(Session& session, XrSessionState goal);
void begin_to_stop(Session& session, bool exiting, int polls_to_ready);
/// What the script wants to happen after the frame `before`, up to the current one.
void run_script_events(Session& session, std::int64_t before);
/// A paused session becomes ready again by being asked.
void count_empty_poll();

struct Swapchain final : Object {
    Swapchain() : Object("swapchain") {}
    void end() override;

    XrSwapchainCreateInfo info{};
    std::vector<unsigned> textures;
    std::deque<std::uint32_t> acquired;  ///< oldest first
    std::uint32_t next = 0;
    bool waited = false;
    std::optional<std::uint32_t> released;  ///< the last image that the compositor may show
};

struct Space final : Object {
    Space() : Object("space") {}
    XrReferenceSpaceType type{};
    std::uint64_t action = 0;  ///< of an action space, and which hand's
    XrPath hand = XR_NULL_PATH;
    Pose offset;
};

struct Located {
    Pose world_from_space;
    XrSpaceLocationFlags flags = 0;
};
/// Where a space is at a time, in the space of the script.
Located locate(const Space& space, XrTime time);
Pose base_from(const Located& base, const Pose& world_from_thing);

}  // namespace claybox::xr_runtime
