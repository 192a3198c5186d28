// The cars: their shape, the three responses, and hits between two frames.

#include "app/scenes/cars/crash.hpp"
#include "collision/continuous/screw_motion/screw_examples.hpp"
#include "collision/core/trig.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

using collision::FeatureKind;
using collision::MotionHit;
using collision::Vec3d;

TEST(CarShape, has_the_vertices_edges_and_faces_of_the_table_and_is_closed) {
    const collision::ShapePtr car = collision::make_car();
    const collision::Topology& topology = *car->geometry().topology;
    EXPECT_EQ(topology.vertex_count, 16u);
    EXPECT_EQ(topology.edges.size(), 26u);
    EXPECT_EQ(topology.polygon_count(), 12u);
    EXPECT_TRUE(car->classification().closed);
    EXPECT_EQ(car->hull(), nullptr) << "not convex";
}

/// Two cars that meet flush, head on, at 10 m/s each. The contacts are the corners of the fronts.
struct Meeting {
    Car a{{-2.2, 0, 0}, 0, {10, 0, 0}, 0}, b{{2.2, 0, 0}, collision::kPi, {-10, 0, 0}, 0};
    CarBody body;
    std::vector<MotionHit> hits;

    Meeting() {
        for (const double z : {0.9, -0.9})
            for (const double y : {0.2, 0.7})
                hits.push_back({0.5 + 1e-6 * z, {0, y, z}, {1, 0, 0}, {}, {}, 1});
    }
    double energy() const {
        double sum = 0;
        for (const Car* const car : {&a, &b})
            sum += body.mass * length_squared(car->velocity) + body.inertia() * car->spin * car->spin;
        return sum / 2;
    }
};

TEST(CarCrash, BU_3_backup_all_contacts_at_once_keep_flush_cars_straight_and_the_first_alone_spins_them) {
    Meeting all, first;
    std::vector<MotionHit> contacts;
    choose_contacts(all.hits, Response::all, contacts);
    EXPECT_EQ(contacts.size(), 4u);
    crash(all.a, all.b, all.body, contacts, Response::all, 0.5);
    EXPECT_NEAR(all.a.velocity.x, -5, 1e-6);
    EXPECT_NEAR(all.b.velocity.x, 5, 1e-6);
    EXPECT_NEAR(all.a.spin, 0, 1e-6);
    EXPECT_NEAR(all.b.spin, 0, 1e-6);

    choose_contacts(first.hits, Response::first, contacts);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(contacts[0].point_w.z, -0.9) << "the earliest";
    crash(first.a, first.b, first.body, contacts, Response::first, 0.5);
    EXPECT_GT(std::abs(first.a.spin), 1) << "radians per second";
    EXPECT_NEAR(approach(first.a, first.b, contacts[0]), -10, 1e-9) << "half of the 20 m/s of the approach";
    EXPECT_GT(approach(first.a, first.b, first.hits[0]), 1) << "the other corners still approach";
}

TEST(CarCrash, reversed_cars_go_back_the_way_they_came) {
    Meeting meeting;
    meeting.a.spin = 0.3;
    const Car before = meeting.a;
    crash(meeting.a, meeting.b, meeting.body, meeting.hits, Response::reverse, 0.5);
    meeting.a.drive(0.1);
    Car back = before;
    back.drive(-0.1);
    EXPECT_LT(length(meeting.a.position - back.position), 1e-12);
    EXPECT_NEAR(meeting.a.yaw, back.yaw, 1e-12);
}

TEST(CarCrash, BU_5_threshold_contacts_below_minus_a_tenth_do_not_count) {
    Meeting meeting;
    meeting.hits[0].properness = -0.05;
    meeting.hits[1].properness = -0.2;
    std::vector<MotionHit> contacts;
    choose_contacts(meeting.hits, Response::all, contacts);
    EXPECT_EQ(contacts.size(), 3u);
}

TEST(CarCrash, impulses_keep_momentum_never_add_energy_and_separate_every_contact) {
    collision::Random random(9);
    for (int i = 0; i < 300; ++i) {
        Meeting m;
        for (Car* const car : {&m.a, &m.b}) {
            car->velocity += Vec3d{random.uniform(-4, 4), 0, random.uniform(-6, 6)};
            car->spin = random.uniform(-2, 2);
        }
        for (MotionHit& hit : m.hits) {
            hit.point_w.z += random.uniform(-0.4, 0.4);
            hit.normal_w =
                normalized(Vec3d{1, random.uniform(-0.5, 0.5), random.uniform(-0.3, 0.3)}, Vec3d{});
        }
        const Vec3d momentum = m.a.velocity + m.b.velocity;
        const double energy = m.energy();
        const double e = random.uniform();
        crash(m.a, m.b, m.body, m.hits, Response::all, e);
        EXPECT_LT(length(m.a.velocity + m.b.velocity - momentum), 1e-9);
        EXPECT_LE(m.energy(), energy * (1 + 1e-9));
        for (const MotionHit& hit : m.hits) EXPECT_LT(approach(m.a, m.b, hit), 1e-3);
    }
}

TEST(CarScene, every_run_has_a_hit_between_two_frames_on_every_track) {
    SessionOptions options = options_for("cars");
    set(options, "shown", 1);
    const auto session = start(options);
    run(*session, 17 * 10);
    for (const char* hits : {"hits_reverse", "hits_all", "hits_first"})
        EXPECT_GE(figure(*session, hits), 9) << hits;
    EXPECT_EQ(figure(*session, "missed"), 0);
    EXPECT_NEAR(figure(*session, "way"), 2.235, 0.001);
}

/// Pose of a drawn car, by pick; ghosts have none.
collision::Pose drawn(const Session& session, std::uint32_t pick) {
    SceneView view;
    session.scene().view({}, view);
    for (const Drawable& d : view.drawables)
        if (d.pick == pick) return d.pose;
    ADD_FAILURE() << "car " << pick << " is not drawn";
    return {};
}

TEST(CarScene, BU_3_backup_the_tracks_show_how_the_responses_differ) {
    SessionOptions options = options_for("cars");
    set(options, "shown", 1);
    const auto session = start(options);
    run(*session, 14);
    const auto turn_of = [&](std::uint32_t pick) {
        const collision::Quat q = drawn(*session, pick).rotation;
        const double yaw = 2 * std::atan2(q.y, q.w) - (pick % 2 == 0 ? 0 : collision::kPi);
        return std::abs(std::remainder(yaw, 2 * collision::kPi)) * 180 / collision::kPi;
    };
    EXPECT_NEAR(turn_of(0), 2, 1e-6) << "reversed";
    EXPECT_LT(turn_of(3), 0.7 * turn_of(5)) << "all contacts at once turn the cars less than the first alone";
    EXPECT_GT(turn_of(5), 5);
    for (std::uint32_t car = 0; car < 6; car += 2)
        EXPECT_LT(drawn(*session, car).translation.x, drawn(*session, car + 1).translation.x)
            << "no car has passed the other";
}

TEST(CarScene, a_car_that_leaves_its_track_does_not_meet_the_cars_of_others) {
    SessionOptions options = options_for("cars");
    set(options, "angle", 15);
    set(options, "offset", 1.5);
    set(options, "speed", 300);
    set(options, "rate", 5);
    set(options, "restitution", 1);
    set(options, "shown", 1);
    const auto session = start(options);
    int inside = 0;  // pairs of cars of different tracks that are nearer than a car is wide
    for (int i = 0; i < 17 * 20; ++i) {
        run(*session, 1);
        for (std::uint32_t a = 0; a < 6; ++a)
            for (std::uint32_t b = a - a % 2 + 2; b < 6; ++b)
                inside += length(drawn(*session, a).translation - drawn(*session, b).translation) < 1.8;
    }
    EXPECT_GT(inside, 0) << "no car left its track";
    // Each track has at most one hit in each run; those with other tracks would add to them.
    for (const char* hits : {"hits_reverse", "hits_all", "hits_first"})
        EXPECT_LE(figure(*session, hits), 20) << hits;
}

TEST(CarScene, after_a_hit_the_picture_keeps_its_outcome_when_the_cars_have_left) {
    const auto session = start(options_for("cars"));
    int left = 0;
    for (int i = 0; i < 400; ++i) {
        run(*session, 1);
        SceneView view;
        session->scene().view({}, view);
        std::size_t whole = 0, faint = 0;
        for (const Drawable& d : view.drawables) {
            if (d.material != Material::body) continue;
            (d.pick != collision::kNoIndex && d.opacity > 0.5f ? whole : faint) += 1;
        }
        EXPECT_GE(whole + faint, 6u) << "frame " << i;
        if (whole > 4) continue;
        ++left;
        EXPECT_GE(faint, 6u - whole);
        const auto arrows = std::count_if(view.lines.begin(), view.lines.end(),
                                          [](const ViewLine& l) { return l.ink == Ink::dimension; });
        EXPECT_GE(arrows, 3) << "frame " << i;
    }
    EXPECT_GT(left, 20);
}

}  // namespace
}  // namespace claybox::app
