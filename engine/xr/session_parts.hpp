#pragma once
// All of one session with a runtime, in the order in which it is made; closed in the opposite one.

#include "engine/xr/actions.hpp"
#include "engine/xr/eye_target.hpp"
#include "engine/xr/hands.hpp"
#include "engine/xr/session_states.hpp"
#include "engine/xr/spaces.hpp"

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

    // Of the frame that is open.
    bool frame_open = false, drawing = false;
    double waited = 0;  ///< seconds
    XrFrameState frame_state{};
    std::array<XrView, 2> views{};

    bool worn = true, exit_asked = false;
    bool telling = true;  ///< the sentence has to be written anew
    int refused_frames = 0;
    double rate = 0;  ///< hertz, 0 not known
    std::string sentence, runtime_name;

    // open.cpp: false with a sentence in `error`.
    bool open(std::string& error);
    bool check_opengl(std::string& error);
    bool make_session(std::string& error);
    bool make_eyes(const GlGuard& guard, std::string& error);
    bool choose_sizes(std::array<EyeTarget::Request, 2>& requests, std::string& error);
    void choose_blend();
    void close();

    // events.cpp
    void take_events();
    void take_event(const XrEventDataBuffer& event);
    void enter(XrSessionState state);
    /// There will be no more frames.
    void give_up(const char* call, XrResult result);
    void tell();

    // frame.cpp
    bool wait_and_begin();
    void fill(XrFrame& frame);
    bool locate_eyes(XrFrame& frame);
    bool take_images(XrFrame& frame);
    bool give_images_back(bool drawn);
    void describe(std::size_t eye, XrCompositionLayerProjectionView& picture,
                  XrCompositionLayerDepthInfoKHR& depth) const;
    /// `drawn`: show what was drawn, if there were images for it.
    void end(bool drawn);
};

}  // namespace claybox::engine
