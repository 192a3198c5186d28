// Properties of the scene @id@ in addition to what tests/scenes/scene_run_test.cpp checks for every scene.

#include "tests/session/session_support.hpp"

namespace claybox::app {
namespace {

TEST(@class@, bodies_touch_and_separate_along_their_path) {
    const auto session = start(options_for("@id@"));
    std::size_t touching = 0, apart = 0;
    for (int frame = 0; frame < 360; ++frame) {
        run(*session, 1);
        (figure(*session, "colliding") != 0 ? touching : apart) += 1;
    }
    EXPECT_GT(touching, 20u);
    EXPECT_GT(apart, 20u);
}

}  // namespace
}  // namespace claybox::app
