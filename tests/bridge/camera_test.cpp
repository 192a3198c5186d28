// The camera of the window, moved by devices that may send any number.

#include "app/bridge/view/camera.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace claybox::app {
namespace {

TEST(Camera, angles_from_a_device_that_sends_any_number_stay_finite) {
    Camera camera;
    ViewCamera place;
    place.position = {0, 1, 3};
    camera.frame(place);
    const float inf = std::numeric_limits<float>::infinity();
    for (const float pixels : {inf, -inf, std::nanf(""), 1e38f, 1e5f}) {
        for (int i = 0; i < 10; ++i) camera.orbit(pixels, pixels);
        camera.zoom(pixels);
        const FreeArea area{0, 0, 640, 480};
        const auto view = camera.data(640, 480, 1, area);
        EXPECT_TRUE(std::isfinite(view.position.x) && std::isfinite(view.position.y)) << pixels;
    }
}

}  // namespace
}  // namespace claybox::app
