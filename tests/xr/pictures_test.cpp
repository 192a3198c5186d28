// Pictures of submitted frames, deterministic logs, the validation layer, and the GLX binding.

#include "tests/xr/client.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>

namespace claybox::test {
namespace {

/// A pixel as 0xRRGGBB, rows counted from the top; -1 without a picture.
int pixel(const std::filesystem::path& file, int x, int y) {
    int width = 0, height = 0, channels = 0;
    unsigned char* data = stbi_load(file.c_str(), &width, &height, &channels, 3);
    if (data == nullptr || x >= width || y >= height) return -1;
    const unsigned char* at = data + (y * width + x) * 3;
    const int colour = (at[0] << 16) | (at[1] << 8) | at[2];
    stbi_image_free(data);
    return colour;
}

void run_frames(XrClient& client, int frames) {
    client.poll();
    ASSERT_TRUE(client.running);
    ASSERT_EQ(client.make_images(), XR_SUCCESS);
    for (int i = 0; i < frames; ++i) {
        client.poll();
        ASSERT_EQ(client.frame(), XR_SUCCESS);
    }
}

TEST(XrPictures, both_eyes_are_written_at_the_chosen_frame_top_row_first) {
    const ScriptedRuntime runtime({R"({"pictures": [2]})"});
    setenv("CLAYBOX_XR_PICTURES", runtime.folder().c_str(), 1);
    XrClient client;
    ASSERT_EQ(client.open(), XR_SUCCESS);
    run_frames(client, 4);
    const auto left = runtime.folder() / "frame_000002_left.png";
    EXPECT_EQ(pixel(left, 10, 2), 0x00ff00);
    EXPECT_EQ(pixel(left, 10, 45), 0xff0000);
    EXPECT_EQ(pixel(runtime.folder() / "frame_000002_right.png", 10, 2), 0x0000ff);
    EXPECT_FALSE(std::filesystem::exists(runtime.folder() / "frame_000003_left.png"));
    EXPECT_EQ(runtime.log("picture").size(), 2u);
}

TEST(XrPictures, are_written_from_a_GLX_window_whose_context_stays_current) {
    if (std::getenv("DISPLAY") == nullptr) GTEST_SKIP() << "no display";
    const ScriptedRuntime runtime;
    setenv("CLAYBOX_XR_PICTURES", (runtime.folder().string() + ":1").c_str(), 1);
    XrClient client;
    client.open_window();
    ASSERT_NE(client.window, nullptr);
    const GLXContext context = glXGetCurrentContext();
    ASSERT_NE(context, nullptr);
    ASSERT_EQ(client.open({"XR_KHR_opengl_enable", "XR_KHR_composition_layer_depth"}), XR_SUCCESS);
    run_frames(client, 2);
    EXPECT_EQ(glXGetCurrentContext(), context);
    EXPECT_EQ(pixel(runtime.folder() / "frame_000001_left.png", 10, 2), 0x00ff00);
    EXPECT_EQ(runtime.log("create").at(1)["binding"], "Xlib");
}

TEST(XrPictures, the_log_describes_submitted_layers) {
    const ScriptedRuntime runtime({R"({"head": [0.5, 1.5, 0, 0, 0, 0, 1]})"});
    XrClient client;
    ASSERT_EQ(client.open(), XR_SUCCESS);
    run_frames(client, 3);
    const auto frames = runtime.log("end_frame");
    ASSERT_EQ(frames.size(), 3u);
    EXPECT_TRUE(frames[0]["layers"].empty());
    const Json& layer = frames[2]["layers"].at(0);
    EXPECT_EQ(layer["type"], "projection");
    const Json& eye = layer["views"].at(0);
    EXPECT_NEAR(eye["pose"][0].get<double>(), 0.5 - 0.032, 1e-6);
    EXPECT_EQ(eye["rect"], Json::array({0, 0, 64, 48}));
    EXPECT_NEAR(eye["depth"]["near"].get<double>(), 0.02, 1e-6);
    EXPECT_EQ(eye["depth"]["far"], 60);
    EXPECT_NE(eye["swapchain"], layer["views"].at(1)["swapchain"]);
}

TEST(XrPictures, an_invalid_layer_is_rejected) {
    const ScriptedRuntime runtime;
    XrClient client;
    ASSERT_EQ(client.open(), XR_SUCCESS);
    run_frames(client, 1);
    client.images.width = 65;  // one more than the image's width
    client.poll();
    EXPECT_EQ(client.frame(), XR_ERROR_SWAPCHAIN_RECT_INVALID);
    EXPECT_EQ(runtime.log("misuse").size(), 1u);
}

/// The log of a run with motion, session events and a stall.
std::string log_of_a_run() {
    const ScriptedRuntime runtime(
        {R"({"frame": 0, "head": [0, 1.5, 0, 0, 0, 0, 1]})",
         R"({"frame": 9, "head": [0.3, 1.7, 0.1, 0, 0.6, 0, 0.8]})", R"({"frame": 3, "session": "visible"})",
         R"({"frame": 5, "session": "focused"})", R"({"frame": 7, "fault": "stall", "periods": 3})"});
    XrClient client;
    if (client.open() != XR_SUCCESS) return "not opened";
    run_frames(client, 12);
    xrRequestExitSession(client.session);
    client.poll();
    client.poll();
    client.close();
    return runtime.log_text();
}

TEST(XrPictures, two_runs_write_the_same_log) {
    const std::string first = log_of_a_run(), second = log_of_a_run();
    EXPECT_GT(first.size(), 5000u) << first;
    EXPECT_EQ(first, second);
}

bool validation_is_installed() {
    std::uint32_t count = 0;
    xrEnumerateApiLayerProperties(0, &count, nullptr);
    std::vector<XrApiLayerProperties> layers(count,
                                             typed<XrApiLayerProperties>(XR_TYPE_API_LAYER_PROPERTIES));
    xrEnumerateApiLayerProperties(count, &count, layers.data());
    for (const auto& layer : layers)
        if (std::string(layer.layerName) == "XR_APILAYER_LUNARG_core_validation") return true;
    return false;
}

/// Creates a hand tracker, locates it once and destroys it.
void use_a_hand(XrClient& client) {
    auto info = typed<XrHandTrackerCreateInfoEXT>(XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT);
    info.hand = XR_HAND_LEFT_EXT;
    XrHandTrackerEXT tracker = XR_NULL_HANDLE;
    ASSERT_EQ(client.function<PFN_xrCreateHandTrackerEXT>("xrCreateHandTrackerEXT")(client.session, &info,
                                                                                    &tracker),
              XR_SUCCESS);
    std::array<XrHandJointLocationEXT, XR_HAND_JOINT_COUNT_EXT> joints{};
    auto locations = typed<XrHandJointLocationsEXT>(XR_TYPE_HAND_JOINT_LOCATIONS_EXT);
    locations.jointCount = XR_HAND_JOINT_COUNT_EXT;
    locations.jointLocations = joints.data();
    auto where = typed<XrHandJointsLocateInfoEXT>(XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT);
    where.baseSpace = client.stage;
    where.time = client.last.predictedDisplayTime;
    EXPECT_EQ(
        client.function<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT")(tracker, &where, &locations),
        XR_SUCCESS);
    EXPECT_EQ(client.function<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT")(tracker), XR_SUCCESS);
}

class Validation : public testing::Test {
  protected:
    void SetUp() override {
        file_ = runtime_.folder() / "validation.txt";
        setenv("XR_CORE_VALIDATION_EXPORT_TYPE", "text", 1);
        setenv("XR_CORE_VALIDATION_FILE_NAME", file_.c_str(), 1);
        if (!validation_is_installed()) GTEST_SKIP() << "openxr-layer-corevalidation is not installed";
        // The packaged layer does not know the EGL binding.
        if (std::getenv("DISPLAY") == nullptr) GTEST_SKIP() << "no display";
        client_.open_window();
        ASSERT_NE(client_.window, nullptr);
    }
    std::string report() const {
        std::ifstream file(file_);
        std::stringstream text;
        text << file.rdbuf();
        return text.str();
    }
    const ScriptedRuntime runtime_;
    std::filesystem::path file_;
    XrClient client_;
};

TEST_F(Validation, reports_nothing_for_a_correct_client) {
    ASSERT_EQ(client_.open(XrClient::kUsual, true), XR_SUCCESS) << report();
    run_frames(client_, 4);
    use_a_hand(client_);
    ASSERT_EQ(xrRequestExitSession(client_.session), XR_SUCCESS);
    client_.poll();
    client_.poll();
    EXPECT_EQ(client_.state, XR_SESSION_STATE_EXITING);
    client_.close();
    EXPECT_EQ(report().find("ERROR"), std::string::npos) << report();
    EXPECT_EQ(report().find("VUID"), std::string::npos) << report();
    EXPECT_TRUE(runtime_.log("misuse").empty()) << runtime_.log_text();
}

TEST_F(Validation, reports_an_incorrect_call) {
    ASSERT_EQ(client_.open(XrClient::kUsual, true), XR_SUCCESS) << report();
    XrSessionBeginInfo info{};
    EXPECT_NE(xrBeginSession(client_.session, &info), XR_SUCCESS);
    client_.close();
    EXPECT_NE(report().find("VUID-XrSessionBeginInfo"), std::string::npos) << report();
}

}  // namespace
}  // namespace claybox::test
