// Pictures of what was handed over, repeatable runs, the validation layer, and a binding of a real window.

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

/// A pixel of a picture as 0xRRGGBB, counted from the top; -1 where there is no picture.
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

TEST(XrPictures, both_eyes_come_out_at_the_chosen_frame_with_the_top_row_first) {
    const XrPlace place({R"({"pictures": [2]})"});
    setenv("CLAYBOX_XR_PICTURES", place.folder().c_str(), 1);
    XrClient client;
    ASSERT_EQ(client.open(), XR_SUCCESS);
    run_frames(client, 4);
    const auto left = place.folder() / "frame_000002_left.png";
    EXPECT_EQ(pixel(left, 10, 2), 0x00ff00);
    EXPECT_EQ(pixel(left, 10, 45), 0xff0000);
    EXPECT_EQ(pixel(place.folder() / "frame_000002_right.png", 10, 2), 0x0000ff);
    EXPECT_FALSE(std::filesystem::exists(place.folder() / "frame_000003_left.png"));
    EXPECT_EQ(place.log("picture").size(), 2u);
}

TEST(XrPictures, come_out_of_a_window_of_glx_too_and_its_context_stays_current) {
    if (std::getenv("DISPLAY") == nullptr) GTEST_SKIP() << "no display";
    const XrPlace place;
    setenv("CLAYBOX_XR_PICTURES", (place.folder().string() + ":1").c_str(), 1);
    XrClient client;
    client.open_window();
    ASSERT_NE(client.window, nullptr);
    const GLXContext context = glXGetCurrentContext();
    ASSERT_NE(context, nullptr);
    ASSERT_EQ(client.open({"XR_KHR_opengl_enable", "XR_KHR_composition_layer_depth"}), XR_SUCCESS);
    run_frames(client, 2);
    EXPECT_EQ(glXGetCurrentContext(), context);
    EXPECT_EQ(pixel(place.folder() / "frame_000001_left.png", 10, 2), 0x00ff00);
    EXPECT_EQ(place.log("create").at(1)["binding"], "Xlib");
}

TEST(XrPictures, the_log_tells_what_a_frame_handed_over) {
    const XrPlace place({R"({"head": [0.5, 1.5, 0, 0, 0, 0, 1]})"});
    XrClient client;
    ASSERT_EQ(client.open(), XR_SUCCESS);
    run_frames(client, 3);
    const auto frames = place.log("end_frame");
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

TEST(XrPictures, a_layer_that_cannot_be_shown_is_refused) {
    const XrPlace place;
    XrClient client;
    ASSERT_EQ(client.open(), XR_SUCCESS);
    run_frames(client, 1);
    client.images.width = 65;  // one more than the image has
    client.poll();
    EXPECT_EQ(client.frame(), XR_ERROR_SWAPCHAIN_RECT_INVALID);
    EXPECT_EQ(place.log("misuse").size(), 1u);
}

/// The log of a run with everything in it.
std::string log_of_a_run() {
    const XrPlace place({R"({"frame": 0, "head": [0, 1.5, 0, 0, 0, 0, 1]})",
                         R"({"frame": 9, "head": [0.3, 1.7, 0.1, 0, 0.6, 0, 0.8]})",
                         R"({"frame": 3, "session": "visible"})", R"({"frame": 5, "session": "focused"})",
                         R"({"frame": 7, "fault": "stall", "periods": 3})"});
    XrClient client;
    if (client.open() != XR_SUCCESS) return "not opened";
    run_frames(client, 12);
    xrRequestExitSession(client.session);
    client.poll();
    client.poll();
    client.close();
    return place.log_text();
}

TEST(XrPictures, two_runs_give_the_same_log) {
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

/// A tracker made, asked once and destroyed.
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
        file_ = place_.folder() / "validation.txt";
        setenv("XR_CORE_VALIDATION_EXPORT_TYPE", "text", 1);
        setenv("XR_CORE_VALIDATION_FILE_NAME", file_.c_str(), 1);
        if (!validation_is_installed()) GTEST_SKIP() << "openxr-layer-corevalidation is not installed";
        // The packaged layer does not know the binding of EGL.
        if (std::getenv("DISPLAY") == nullptr) GTEST_SKIP() << "no display";
        client_.open_window();
        ASSERT_NE(client_.window, nullptr);
    }
    std::string said() const {
        std::ifstream file(file_);
        std::stringstream text;
        text << file.rdbuf();
        return text.str();
    }
    const XrPlace place_;
    std::filesystem::path file_;
    XrClient client_;
};

TEST_F(Validation, has_nothing_to_say_about_a_good_client) {
    ASSERT_EQ(client_.open(XrClient::kUsual, true), XR_SUCCESS) << said();
    run_frames(client_, 4);
    use_a_hand(client_);
    ASSERT_EQ(xrRequestExitSession(client_.session), XR_SUCCESS);
    client_.poll();
    client_.poll();
    EXPECT_EQ(client_.state, XR_SESSION_STATE_EXITING);
    client_.close();
    EXPECT_EQ(said().find("ERROR"), std::string::npos) << said();
    EXPECT_EQ(said().find("VUID"), std::string::npos) << said();
    EXPECT_TRUE(place_.log("misuse").empty()) << place_.log_text();
}

TEST_F(Validation, names_a_mistake_so_that_its_silence_means_something) {
    ASSERT_EQ(client_.open(XrClient::kUsual, true), XR_SUCCESS) << said();
    XrSessionBeginInfo info{};
    EXPECT_NE(xrBeginSession(client_.session, &info), XR_SUCCESS);
    client_.close();
    EXPECT_NE(said().find("VUID-XrSessionBeginInfo"), std::string::npos) << said();
}

}  // namespace
}  // namespace claybox::test
