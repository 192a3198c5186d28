#pragma once
// Sessions for tests: default parameters, the scene's own script, figures by name.

#include "app/session/session.hpp"

#include <gtest/gtest.h>

namespace claybox::app {

/// Sets a parameter by name; a wrong name fails the test.
inline void set(SessionOptions& options, const char* name, double value) {
    const auto table = find_scene(options.scene)->parameters;
    const std::size_t index = collision::find_parameter(table, name);
    ASSERT_LT(index, table.size()) << name;
    options.scene_parameters[index] = value;
}

/// Sets a parameter of a running session.
inline void set_one(Session& session, const char* name, double value) {
    const std::size_t index = collision::find_parameter(session.descriptor().parameters, name);
    const collision::Status set = session.set_parameter(index, value);
    EXPECT_TRUE(set.ok()) << name;
}

inline std::unique_ptr<Session> start(const SessionOptions& options) {
    auto session = Session::create(options);
    EXPECT_TRUE(session.ok()) << (session.ok() ? "" : session.error().text());
    return session.ok() ? std::move(session).value() : nullptr;
}

/// Default options. The crowd gets the smallest number of bodies, to be fast, and large ones, to collide
/// often.
inline SessionOptions options_for(const char* scene) {
    SessionOptions options;
    options.scene = scene;
    options.scene_parameters = collision::default_values(find_scene(scene)->parameters);
    if (std::string_view(scene) == "crowd") {
        set(options, "bodies", 1000);
        set(options, "density", 5);
        set(options, "speed", 1.5);
    }
    return options;
}

/// Steps with the scripted hand of the scene, like the command line.
inline void run(Session& session, int frames) {
    for (int i = 0; i < frames; ++i) {
        StepInput input;
        input.hand[0] = scripted_hand(session.scene(), session.frame() + 1);
        session.step(input);
    }
}

inline double figure(const Session& session, std::string_view id) {
    for (const Figure& f : session.scene().figures()) {
        if (id == f.id) return f.value;
    }
    ADD_FAILURE() << "no figure " << id;
    return -1;
}

/// No position of a crowd or a line is infinite or not a number.
inline void expect_finite(const SceneView& view) {
    for (const ViewCrowd& crowd : view.crowds)
        for (const collision::Vec3f& p : crowd.positions) ASSERT_TRUE(collision::is_finite(p));
    for (const ViewLine& line : view.lines)
        ASSERT_TRUE(collision::is_finite(line.from) && collision::is_finite(line.to));
}

}  // namespace claybox::app
