#pragma once
// All parts of one session, in order of creation; closed in reverse order.

#include "engine/xr/graphics/eye_target.hpp"
#include "engine/xr/input/actions.hpp"
#include "engine/xr/input/hands.hpp"
#include "engine/xr/input/spaces.hpp"
#include "engine/xr/session/session_states.hpp"

namespace claybox::engine {

struct XrSession::Impl {
    XrGraphics graphics;
    XrOptions options;
    CallWatch watch;
    XrSessionStates states;

    XrRuntime runtime;
    XrOwned<::XrSession, xrDestroySession> session;
    XrSpaces spaces;
    LinearCopy linear_copy;
    std::array<EyeTarget, 2> eyes;
    XrActions actions;
    XrHands hands;
    XrEnvironmentBlendMode blend = XR_ENVIRONMENT_BLEND_MODE_OPAQUE;

    // State of the open frame.
    bool frame_open = false, drawing = false;
    double waited = 0;  ///< seconds
    XrFrameState frame_state{};
    std::array<XrView, 2> views{};

    bool worn = true, exit_requested = false;
    bool sentence_outdated = true;  ///< the status sentence is out of date
    int refused_frames = 0;
    double rate = 0;  ///< hertz; 0: unknown
    std::string sentence, runtime_name;

    // open.cpp: each returns false with a sentence in `error`.
    bool open(std::string& error);
    bool check_opengl(std::string& error);
    bool make_session(std::string& error);
    bool make_eyes(const GlGuard& guard, std::string& error);
    bool choose_sizes(std::array<EyeTarget::Request, 2>& requests, std::string& error);
    void choose_blend();
    void close();

    // events.cpp
    void handle_events();
    void handle_event(const XrEventDataBuffer& event);
    void enter(XrSessionState state);
    /// Marks the session as lost: there will be no more frames.
    void mark_lost(const char* call, XrResult result);
    void write_sentence();

    // frame.cpp
    bool wait_and_begin();
    void fill(XrFrame& frame);
    bool locate_eyes(XrFrame& frame);
    bool acquire_images(XrFrame& frame);
    bool release_images(bool drawn);
    void describe(std::size_t eye, XrCompositionLayerProjectionView& picture,
                  XrCompositionLayerDepthInfoKHR& depth) const;
    /// Ends the frame; `drawn`: show the picture, if images were acquired.
    void end(bool drawn);
};

}  // namespace claybox::engine
