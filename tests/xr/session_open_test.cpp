// Opening a session, and every failure on the way: an error sentence, and nothing leaked.

#include "tests/xr/headset.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace claybox::test {
namespace {

using namespace engine;

bool says(const std::string& sentence, const std::string& words) {
    return sentence.find(words) != std::string::npos && sentence.find('\n') == std::string::npos;
}

TEST_F(Headset, APP_vr_a_session_opens_for_the_window_and_leaks_nothing) {
    ASSERT_TRUE(open()) << error_;
    const auto created = runtime_->log("create");
    const auto is_session = [](const Json& line) { return line["kind"] == "session"; };
    const auto session = std::find_if(created.begin(), created.end(), is_session);
    ASSERT_NE(session, created.end());
    EXPECT_EQ((*session)["binding"], "Xlib");
    EXPECT_TRUE(session_->has_hand_tracking());
    EXPECT_TRUE(session_->has_floor());
}

TEST_F(Headset, APP_vr_only_listed_extensions_are_enabled) {
    script({R"({"runtime": "bare", "without": ["XR_EXT_hand_tracking", "XR_KHR_composition_layer_depth",)"
            R"( "XR_FB_display_refresh_rate", "XR_EXT_user_presence", "XR_EXT_local_floor",)"
            R"( "XR_EXT_hand_interaction"]})"});
    ASSERT_TRUE(open()) << error_;
    EXPECT_EQ(run_frames(4), XrPhase::running);
    EXPECT_TRUE(says(session_->sentence(), "bare: focused")) << session_->sentence();
    EXPECT_FALSE(session_->has_hand_tracking());
    EXPECT_EQ(runtime_->log("create")[0]["extensions"], Json::array({"XR_KHR_opengl_enable"}));
    EXPECT_TRUE(runtime_->log("refresh_rate").empty());
}

TEST_F(Headset, APP_vr_a_missing_or_broken_manifest_is_an_error_with_its_path) {
    script({});
    const std::filesystem::path manifest = runtime_->folder() / "manifest.json";
    setenv("XR_RUNTIME_JSON", manifest.c_str(), 1);
    for (const char* text :
         {"", "this is no manifest",
          R"({"file_format_version": "1.0.0", "runtime": {"library_path": "nowhere.so"}})"}) {
        if (*text != '\0') std::ofstream(manifest) << text;
        EXPECT_FALSE(open());
        EXPECT_TRUE(says(error_, manifest.string())) << error_;
        EXPECT_TRUE(says(error_, "XR_RUNTIME_JSON")) << error_;
    }
    unsetenv("XR_RUNTIME_JSON");
}

TEST_F(Headset, APP_vr_a_stopped_service_is_an_error_and_a_later_attempt_succeeds) {
    script({failing_call("xrCreateInstance", "XR_ERROR_RUNTIME_UNAVAILABLE")});
    EXPECT_FALSE(open());
    EXPECT_TRUE(says(error_, "is its service running?")) << error_;
    EXPECT_TRUE(open()) << error_;
}

TEST_F(Headset, APP_vr_a_disconnected_headset_is_an_error_and_a_later_attempt_succeeds) {
    script({failing_call("xrGetSystem", "XR_ERROR_FORM_FACTOR_UNAVAILABLE")});
    EXPECT_FALSE(open());
    EXPECT_TRUE(says(error_, "plug it in")) << error_;
    EXPECT_TRUE(open()) << error_;
}

TEST_F(Headset, APP_vr_a_runtime_without_opengl_is_an_error) {
    script({R"({"runtime": "mixed", "without": ["XR_KHR_opengl_enable"]})"});
    EXPECT_FALSE(open());
    EXPECT_TRUE(says(error_, "XR_KHR_opengl_enable")) << error_;
}

TEST_F(Headset, APP_vr_a_runtime_without_a_usable_format_is_an_error) {
    script({R"({"runtime": "odd", "formats": ["GL_DEPTH_COMPONENT24"]})"});
    EXPECT_FALSE(open());
    EXPECT_TRUE(says(error_, "no image format")) << error_;
}

TEST_F(Headset, APP_vr_spaces_for_standing_seated_and_a_missing_stage) {
    constexpr int kLocal = 2, kStage = 3, kLocalFloor = 1000426000;
    struct Case {
        bool seated;
        int broken;
        int expected;
        bool floor;
    };
    for (const Case& c : {Case{false, 0, kStage, true}, Case{true, 0, kLocal, false},
                          Case{false, 1, kLocalFloor, true}, Case{false, 2, kLocal, false}}) {
        std::vector<std::string> lines;
        if (c.broken > 0)
            lines.push_back(
                failing_call("xrCreateReferenceSpace", "XR_ERROR_REFERENCE_SPACE_UNSUPPORTED", 0, c.broken));
        script(lines);
        XrOptions options;
        options.seated = c.seated;
        ASSERT_TRUE(open(options)) << error_;
        EXPECT_EQ(session_->has_floor(), c.floor);
        std::vector<int> kinds;
        for (const Json& line : runtime_->log("create"))
            if (line["kind"] == "space" && line.contains("type")) kinds.push_back(line["type"]);
        ASSERT_EQ(kinds.size(), 2u);
        EXPECT_EQ(kinds[0], c.expected);
        close_and_check();
    }
}

TEST_F(Headset, APP_vr_sizes_follow_the_request_within_the_limits) {
    script({R"({"runtime": "sizes", "size": [600, 701]})"});
    for (const auto& [share, width, height] :
         {std::tuple{1.0f, 600, 702}, {0.5f, 300, 350}, {100.0f, 1200, 1402}, {-1.0f, 150, 176}}) {
        XrOptions options;
        options.resolution = share;
        ASSERT_TRUE(open(options)) << error_;
        ASSERT_EQ(run_frames(2), XrPhase::running);
        EXPECT_EQ(frame_.eye[0].width, width);
        EXPECT_EQ(frame_.eye[1].height, height);
        close_and_check();
    }
}

TEST_F(Headset, APP_vr_an_unusable_window_is_an_error) {
    script({});
    XrGraphics graphics = graphics_of(window_->handle());
    EXPECT_EQ(graphics.error, "");
    EXPECT_NE(graphics.config, nullptr);
    EXPECT_NE(graphics.visual, 0u);
    graphics.error = "no";
    EXPECT_EQ(XrSession::open(graphics, {}, error_), nullptr);
    EXPECT_EQ(error_, "no");
}

}  // namespace
}  // namespace claybox::test
