#pragma once
// Khronos' validation layer, which checks every structure of every call.

#include "tests/xr/client.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace claybox::test {

/// During its lifetime sessions open with the layer, if it is installed.
class Validation {
  public:
    explicit Validation(const std::filesystem::path& folder) : report_(folder / "validation.txt") {
        setenv("XR_CORE_VALIDATION_EXPORT_TYPE", "text", 1);
        setenv("XR_CORE_VALIDATION_FILE_NAME", report_.c_str(), 1);
        if (installed()) setenv("XR_ENABLE_API_LAYERS", kLayer, 1);
    }
    ~Validation() { unsetenv("XR_ENABLE_API_LAYERS"); }
    Validation(const Validation&) = delete;
    Validation& operator=(const Validation&) = delete;

    static bool installed() {
        std::uint32_t count = 0;
        xrEnumerateApiLayerProperties(0, &count, nullptr);
        auto empty = XrApiLayerProperties{};
        empty.type = XR_TYPE_API_LAYER_PROPERTIES;
        std::vector<XrApiLayerProperties> layers(count, empty);
        xrEnumerateApiLayerProperties(count, &count, layers.data());
        for (const XrApiLayerProperties& layer : layers)
            if (std::strcmp(layer.layerName, kLayer) == 0) return true;
        return false;
    }
    /// Whether the layer is loaded in this process; true only after the first session with it.
    static bool loaded() {
        return content("/proc/self/maps").find("libXrApiLayer_core_validation") != std::string::npos;
    }
    /// The layer's findings so far.
    std::string report() const { return content(report_); }

  private:
    static constexpr const char* kLayer = "XR_APILAYER_LUNARG_core_validation";

    static std::string content(const std::filesystem::path& file) {
        std::ifstream in(file);
        std::stringstream text;
        text << in.rdbuf();
        return text.str();
    }
    std::filesystem::path report_;
};

}  // namespace claybox::test
