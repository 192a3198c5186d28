// A session with WebXR. webxr.js talks with the browser; this file gives its numbers the form of every other
// headset.

#include "engine/xr/session/xr_session.hpp"

#include "engine/gl/objects.hpp"

#include <algorithm>
#include <cmath>

extern "C" {
void claybox_xr_open(double scale);
int claybox_xr_stage();
void claybox_xr_reason(char* text, int size);
void claybox_xr_end();
int claybox_xr_has_floor();
unsigned claybox_xr_framebuffer();
int claybox_xr_frame(int seated, double* numbers, int size);
void claybox_xr_buzz(int left, double seconds, double amplitude);
}

namespace claybox::engine {

namespace {

/// Same numbers as in webxr.js.
enum class Stage { opening = 0, running = 1, ended = 2, refused = 3 };

constexpr std::size_t kPose = 8, kView = kPose + 8,
                      kWebJoints = kHandJointCount - 1;  // WebXR has no joint for the palm
constexpr std::size_t kHand = 1 + kWebJoints * (kPose + 1), kController = 1 + 2 * kPose + 7;
constexpr std::size_t kNumbers = 5 + kPose + 2 * kView + 2 * (kHand + kController);

Stage stage() {
    return static_cast<Stage>(claybox_xr_stage());
}

/// Reads the numbers of a frame one after the other.
class Reader {
  public:
    explicit Reader(const double* at) : at_(at) {}
    double next() { return *at_++; }
    float next_float() { return static_cast<float>(next()); }
    bool flag() { return next() != 0; }
    XrPose pose() {
        XrPose out;
        out.valid = flag();
        for (int i = 0; i < 3; ++i) out.position[i] = next();
        out.rotation.x = next();
        out.rotation.y = next();
        out.rotation.z = next();
        out.rotation.w = next();
        return out;
    }

  private:
    const double* at_;
};

HandJoints read_hand(Reader& in, bool left) {
    HandJoints hand;
    hand.left = left;
    hand.active = in.flag();
    for (std::size_t i = 1; i <= kWebJoints; ++i) {
        const XrPose pose = in.pose();
        hand.joint[i] = {pose.position, pose.rotation, in.next_float(), pose.valid};
    }
    return hand;
}

XrController read_controller(Reader& in) {
    XrController out;
    out.active = in.flag();
    out.grip = in.pose();
    out.aim = in.pose();
    out.trigger = in.next_float();
    out.squeeze = in.next_float();
    out.stick.x = in.next_float();
    out.stick.y = in.next_float();
    out.primary = in.flag();
    out.secondary = in.flag();
    out.menu = in.flag();
    return out;
}

/// The part of the browser's framebuffer that shows one eye, and the picture that is copied into it.
struct EyePicture {
    int x = 0, y = 0, width = 0, height = 0;
    Texture colour;
    Framebuffer framebuffer;

    void resize(int new_width, int new_height) {
        if (framebuffer && width == new_width && height == new_height) return;
        width = new_width;
        height = new_height;
        colour = Texture::make();
        glBindTexture(GL_TEXTURE_2D, colour.id());
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
        framebuffer = Framebuffer::make();
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour.id(), 0);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
    }

    void show() const {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer.id());
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, claybox_xr_framebuffer());
        glDisable(GL_SCISSOR_TEST);
        glBlitFramebuffer(0, 0, width, height, x, y, x + width, y + height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
    }
};

}  // namespace

struct XrSession::Impl {
    bool seated = false, drawing = false, sees_hand = false;
    double last_time = 0;
    std::string sentence = "Waiting for the browser's headset";
    std::array<EyePicture, 2> picture;
    std::array<double, kNumbers> numbers{};

    void read_eye(Reader& in, std::size_t i, XrEye& eye);
};

void XrSession::Impl::read_eye(Reader& in, std::size_t i, XrEye& eye) {
    EyePicture& shown = picture[i];
    eye.pose = in.pose();
    for (float* const angle : {&eye.left, &eye.right, &eye.up, &eye.down})
        *angle = std::atan(in.next_float());
    shown.x = static_cast<int>(in.next());
    shown.y = static_cast<int>(in.next());
    eye.width = static_cast<int>(in.next());
    eye.height = static_cast<int>(in.next());
    shown.resize(eye.width, eye.height);
    eye.framebuffer = shown.framebuffer.id();
}

XrSession::XrSession() : impl_(std::make_unique<Impl>()) {}

XrSession::~XrSession() {
    claybox_xr_end();
}

void XrSession::silence_loader() {}

/// The browser asks the user first, so the session is not there yet.
std::unique_ptr<XrSession> XrSession::open(const XrGraphics&, const XrOptions& options, std::string&) {
    std::unique_ptr<XrSession> session(new XrSession);
    session->impl_->seated = options.seated;
    claybox_xr_open(static_cast<double>(options.resolution));
    return session;
}

XrPhase XrSession::poll() {
    switch (stage()) {
        case Stage::opening:
            return XrPhase::waiting;
        case Stage::running:
            impl_->sentence = "The browser's headset is running";
            return XrPhase::running;
        case Stage::refused: {
            char reason[256] = "";
            claybox_xr_reason(reason, sizeof reason);
            impl_->sentence = std::string("No headset: ") + reason;
            return XrPhase::ended;
        }
        case Stage::ended:
            break;
    }
    impl_->sentence = "The browser has ended the headset's session";
    return XrPhase::ended;
}

bool XrSession::begin_frame(XrFrame& frame) {
    Impl& s = *impl_;
    if (claybox_xr_frame(s.seated ? 1 : 0, s.numbers.data(), static_cast<int>(kNumbers)) == 0) return false;
    Reader in(s.numbers.data());
    frame = {};
    frame.display_time = in.next() * 1e-3;
    // Without the display's rate no frame counts as late.
    const double rate = in.next();
    frame.period = rate > 0 ? 1 / rate : std::clamp(frame.display_time - s.last_time, 1.0 / 240, 1.0 / 30);
    s.last_time = frame.display_time;
    frame.should_draw = s.drawing = in.flag();
    frame.focused = in.flag();
    frame.space_changed = in.flag();
    frame.head = in.pose();
    for (std::size_t i = 0; i < 2; ++i) s.read_eye(in, i, frame.eye[i]);
    for (std::size_t side = 0; side < 2; ++side) {
        frame.hand[side] = read_hand(in, side == 0);
        frame.controller[side] = read_controller(in);
    }
    s.sees_hand = frame.hand[0].active || frame.hand[1].active;
    return true;
}

void XrSession::end_frame() {
    if (!impl_->drawing) return;
    for (const EyePicture& picture : impl_->picture) picture.show();
}

void XrSession::request_exit() {
    claybox_xr_end();
}

void XrSession::set_seated(bool seated) {
    impl_->seated = seated;
}

void XrSession::buzz(int side, double seconds, float amplitude) {
    claybox_xr_buzz(side == 0 ? 1 : 0, seconds, static_cast<double>(amplitude));
}

const std::string& XrSession::sentence() const {
    return impl_->sentence;
}

bool XrSession::has_hand_tracking() const {
    return impl_->sees_hand;
}

bool XrSession::has_floor() const {
    return claybox_xr_has_floor() != 0;
}

}  // namespace claybox::engine
