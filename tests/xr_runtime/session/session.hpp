#pragma once

#include "tests/xr_runtime/frame/graphics.hpp"
#include "tests/xr_runtime/runtime.hpp"

#include <optional>

namespace claybox::xr_runtime {

struct Session final : Object {
    Session() : Object("session") { session = this; }

    GraphicsBinding graphics;
    XrSessionState state = XR_SESSION_STATE_UNKNOWN;
    XrSessionState goal = XR_SESSION_STATE_FOCUSED;  ///< the scripted state of a running session
    bool ready_polled = false, running = false, lost = false;
    bool exiting = false;    ///< EXITING follows xrEndSession
    int polls_to_ready = 0;  ///< during a pause: polls until READY
    bool waited = false, begun = false;
    std::int64_t frames_ended = 0;

    bool attached = false;
    std::array<XrPath, 2> profile{};  ///< result of xrGetCurrentInteractionProfile, by hand

    bool seen() const { return state == XR_SESSION_STATE_VISIBLE || state == XR_SESSION_STATE_FOCUSED; }
    bool focused() const { return running && state == XR_SESSION_STATE_FOCUSED; }
};

void push_state(Session& session, XrSessionState state);
/// Passes through every state in between; only while the session runs.
void move_to_state(Session& session, XrSessionState goal);
void start_stopping(Session& session, bool exiting, int polls_to_ready);
/// Runs the script's events after the frame `before` up to the current frame.
void run_script_events(Session& session, std::int64_t before);
/// Counts polls without an event; a paused session becomes ready again after some.
void count_empty_poll();

struct Swapchain final : Object {
    Swapchain() : Object("swapchain") {}
    void end() override;

    XrSwapchainCreateInfo info{};
    std::vector<unsigned> textures;
    std::deque<std::uint32_t> acquired;  ///< oldest first
    std::uint32_t next = 0;
    bool waited = false;
    std::optional<std::uint32_t> released;  ///< the last image available to the compositor
};

struct Space final : Object {
    Space() : Object("space") {}
    XrReferenceSpaceType type{};
    std::uint64_t action = 0;  ///< for an action space: its action, and its hand
    XrPath hand = XR_NULL_PATH;
    Pose offset;
};

struct Located {
    Pose world_from_space;
    XrSpaceLocationFlags flags = 0;
};
/// Pose of a space at a time, in the script's space.
Located locate(const Space& space, XrTime time);
Pose base_from(const Located& base, const Pose& world_from_thing);

}  // namespace claybox::xr_runtime
