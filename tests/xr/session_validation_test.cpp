// The whole life of a session under Khronos' validation layer, which reads every structure of every call.

#include "tests/xr/headset.hpp"

#include <openxr/openxr.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace claybox::test {
namespace {

using namespace engine;

constexpr const char* kLayer = "XR_APILAYER_LUNARG_core_validation";

bool layer_is_installed() {
    std::uint32_t count = 0;
    xrEnumerateApiLayerProperties(0, &count, nullptr);
    std::vector<XrApiLayerProperties> layers(count,
                                             typed<XrApiLayerProperties>(XR_TYPE_API_LAYER_PROPERTIES));
    xrEnumerateApiLayerProperties(count, &count, layers.data());
    for (const XrApiLayerProperties& layer : layers)
        if (std::strcmp(layer.layerName, kLayer) == 0) return true;
    return false;
}

std::string content(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

struct Environment {
    explicit Environment(const std::filesystem::path& report) {
        setenv("XR_ENABLE_API_LAYERS", kLayer, 1);
        setenv("XR_CORE_VALIDATION_EXPORT_TYPE", "text", 1);
        setenv("XR_CORE_VALIDATION_FILE_NAME", report.c_str(), 1);
    }
    ~Environment() { unsetenv("XR_ENABLE_API_LAYERS"); }
};

TEST_F(Headset, APP_vr_the_validation_layer_finds_nothing_in_a_whole_life) {
    if (!layer_is_installed()) GTEST_SKIP() << "package openxr-layer-corevalidation is not installed";
    script({R"({"controller": "left", "profile": "/interaction_profiles/oculus/touch_controller"})",
            R"({"frame": 5, "space": "stage", "origin": [1, 0, 0, 0,0,0,1]})",
            R"({"frame": 8, "session": "pause", "polls": 3})"});
    const std::filesystem::path report = place_->folder() / "validation.txt";
    const Environment environment(report);
    ASSERT_TRUE(open()) << error_ << content(report);
    EXPECT_NE(content("/proc/self/maps").find("libXrApiLayer_core_validation"), std::string::npos);
    EXPECT_EQ(turns(8), XrPhase::running) << content(report);
    session_->buzz(0, 0.1, 1);
    for (int i = 0; i < 10; ++i) turn();
    EXPECT_EQ(turns(3), XrPhase::running);
    session_->request_exit();
    EXPECT_EQ(turns(4), XrPhase::ended);
    close_tidily();
    EXPECT_EQ(content(report), "");
}

}  // namespace
}  // namespace claybox::test
