#include "app/bridge/headset/room.hpp"

#include "app/bridge/headset/headset.hpp"

#include <glm/gtc/constants.hpp>
#include <gtest/gtest.h>

#include <random>

namespace claybox::app {
namespace {

glm::dquat about_up(double angle) {
    return glm::angleAxis(angle, glm::dvec3(0, 1, 0));
}

ViewCamera camera(const collision::Vec3f& position, const collision::Vec3f& target) {
    ViewCamera c;
    c.position = position;
    c.target = target;
    return c;
}

const ViewCamera kDesk = camera({0.02f, 0.42f, 0.51f}, {0, 0.04f, 0}), kHall = camera({3, 2, 8}, {0, 1, 0});

/// A rotation that maps -Z to a unit vector that is not vertical.
glm::dquat facing(const glm::dvec3& way) {
    const glm::dvec3 x = glm::normalize(glm::cross(way, glm::dvec3(0, 1, 0)));
    return glm::quat_cast(glm::dmat3(x, glm::cross(-way, x), -way));
}

double apart(const glm::dvec3& a, const glm::dvec3& b) {
    return glm::distance(a, b);
}

glm::dvec3 eye_of(const ViewCamera& c) {
    return {static_cast<double>(c.position.x), static_cast<double>(c.position.y),
            static_cast<double>(c.position.z)};
}

TEST(RoomPlace, APP_vr_the_viewer_has_position_and_direction_of_the_scenes_camera) {
    for (const double yaw : {0.0, 0.7, 2.5, -3.0}) {
        const RoomPose head{{1, 1.6, -2}, about_up(yaw)};
        RoomPlace place;
        place.place_viewer(head, kDesk, Recentre::both);
        EXPECT_EQ(place.scale(), 1);
        EXPECT_LT(apart(place.to_scene(head.position), eye_of(kDesk)), 1e-9);
        const glm::dvec3 forward = place.to_scene(head.rotation) * glm::dvec3(0, 0, -1);
        const glm::dvec3 wanted(-0.02, 0, -0.51);
        EXPECT_GT(glm::dot(forward, glm::normalize(wanted)), 1 - 1e-6);
    }
}

TEST(RoomPlace, APP_vr_a_large_scene_is_shown_as_a_model_in_front_of_the_viewer) {
    RoomPlace place;
    const RoomPose head{{0, 1.6, 0}, about_up(0.3)};
    place.place_viewer(head, kHall, Recentre::both);
    EXPECT_LT(apart(place.to_scene(head.position), eye_of(kHall)), 1e-6);
    EXPECT_NEAR(glm::length(glm::dvec3(3, 1, 8)) / place.scale(), 0.9, 1e-6);
    // Zoomed in: closer to the target in metres of the scene, at the same distance in metres of the room.
    const double before = place.scale();
    place.place_viewer(head, kHall, Recentre::both, 2);
    EXPECT_NEAR(place.scale(), before / 2, 1e-12);
    EXPECT_NEAR(apart(place.to_scene(head.position), {0, 1, 0}) / place.scale(), 0.9, 1e-6);
}

TEST(RoomPlace, APP_vr_position_and_direction_can_be_recentred_separately) {
    RoomPlace place;
    place.place_viewer({{0, 1.6, 0}, about_up(0)}, kDesk, Recentre::both);
    const RoomPose moved{{0.5, 1.2, 0.3}, about_up(1.1)};
    const glm::dvec3 stood = place.to_scene(moved.position);
    const glm::dvec3 looked = place.to_scene(moved.rotation) * glm::dvec3(0, 0, -1);

    RoomPlace turned = place;
    turned.place_viewer(moved, kDesk, Recentre::direction);
    EXPECT_LT(apart(turned.to_scene(moved.position), stood), 1e-9)
        << "recentring the direction keeps the position";
    EXPECT_LT(std::abs(turned.to_scene(moved.rotation).y - about_up(std::atan2(0.02, 0.51)).y), 1e-6);

    RoomPlace shifted = place;
    shifted.place_viewer(moved, kDesk, Recentre::position);
    EXPECT_LT(apart(shifted.to_scene(moved.position), eye_of(kDesk)), 1e-9);
    EXPECT_LT(apart(shifted.to_scene(moved.rotation) * glm::dvec3(0, 0, -1), looked), 1e-9);
}

TEST(RoomPlace, a_head_that_looks_up_or_down_has_a_yaw) {
    for (const double pitch : {-1.55, -1.2, 1.2, 1.55}) {
        const glm::dquat head = about_up(0.8) * glm::angleAxis(pitch, glm::dvec3(1, 0, 0));
        EXPECT_NEAR(yaw_of(head), 0.8, 1e-9) << pitch;
    }
}

TEST(RoomPlace, APP_vr_hands_scale_with_the_scene) {
    RoomPlace place;
    place.place_viewer({{0, 1.6, 0}, about_up(0)}, kHall, Recentre::both);
    const engine::HandState room = engine::rest_hand(), scene = place.to_scene(room);
    const double length = apart(engine::tip_of(scene.part[6]), scene.part[0].position);
    EXPECT_NEAR(length, place.scale() * apart(engine::tip_of(room.part[6]), room.part[0].position), 1e-6);
    EXPECT_NEAR(scene.part[6].radius, place.scale() * static_cast<double>(room.part[6].radius), 1e-6);
}

struct Room {
    Boards boards;
    BoardPart cards;
    Room() {
        boards.place_around({0.2, 1.5, 0.1}, 0.4);
        const auto parts = board_parts(1800, 1290, kBoardScale);
        boards.set_parts(parts);
        cards = parts[1];
    }
    /// A point in front of the centre of the cards, shifted by pixels.
    glm::dvec3 before(double depth, double right = 0, double up = 0) const {
        const RoomPose pose = boards.pose(cards);
        const glm::dquat turn = about_up(-right * kBoardPixel / kBoardRadius);
        const glm::dvec3 out = pose.rotation * turn * glm::dvec3(0, 0, kBoardRadius - depth);
        return glm::dvec3(0.2, pose.position.y + up * kBoardPixel, 0.1) - out;
    }
    float middle_x() const { return 0.5f * (cards.x0 + cards.x1); }
    float middle_y() const { return 0.5f * (cards.y0 + cards.y1); }
};

constexpr double kRoomFrame = 1.0 / 90;

BoardFinger finger_at(const glm::dvec3& p) {
    BoardFinger f;
    f.present = true;
    f.tip = p;
    return f;
}

TEST(Boards, every_pixel_is_found_at_its_place) {
    const Room room;
    const BoardPlace middle = room.boards.find(room.before(0.03));
    ASSERT_TRUE(middle.inside);
    EXPECT_NEAR(middle.x, room.middle_x(), 0.01f);
    EXPECT_NEAR(middle.y, room.middle_y(), 0.01f);
    EXPECT_NEAR(middle.depth, 0.03, 1e-9);
    const BoardPlace aside = room.boards.find(room.before(-0.01, 100, 50));
    EXPECT_NEAR(aside.x, room.middle_x() + 100, 0.1f);
    EXPECT_NEAR(aside.y, room.middle_y() - 50, 0.1f);
    EXPECT_NEAR(aside.depth, -0.01, 1e-9);
    EXPECT_FALSE(room.boards.find(room.before(0.03, 400)).inside);
    for (const BoardPart& part : room.boards.parts())
        EXPECT_TRUE(room.boards.find(room.boards.pose(part).position).inside);
}

TEST(Boards, rays_intersect_boards_at_the_target) {
    const Room room;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int i = 0; i < 200; ++i) {
        glm::dvec3 offset;
        for (int k = 2; k >= 0; --k) offset[k] = 0.2 * unit(random);
        const glm::dvec3 from = glm::dvec3(0.2, 1.3, 0.1) + offset;
        const double up = 300 * unit(random), right = 200 * unit(random);
        const glm::dvec3 to = room.before(0, right, up);
        const glm::dvec3 way = glm::normalize(to - from);
        const glm::dquat turn = facing(way);
        const auto met = room.boards.intersect({from, turn});
        ASSERT_TRUE(met.has_value());
        const BoardPlace wanted = room.boards.find(to);
        EXPECT_NEAR(met->x, wanted.x, 0.01f);
        EXPECT_NEAR(met->y, wanted.y, 0.01f);
        EXPECT_NEAR(met->depth, glm::distance(from, to), 1e-9);
    }
    EXPECT_FALSE(room.boards.intersect({{0.2, 1.5, 0.1}, about_up(0.4 + glm::pi<double>())}));
    EXPECT_FALSE(room.boards.intersect({{5, 1.5, 0.1}, about_up(0)})) << "a ray from outside the cylinder";
}

/// Lets the fingers be present long enough to press.
void arrive(BoardPointer& pointer, const Room& room, const std::array<BoardFinger, 2>& fingers) {
    for (int i = 0; i < 30; ++i) pointer.update(room.boards, fingers, kRoomFrame);
}

/// Presses of a finger that moves from `from` to `to` metres in front of the board and back.
struct Poke {
    int downs = 0, ups = 0;
    float x = 0, y = 0;
};
Poke poke(const Room& room, double from, double to, double speed, double rate, double sideways = 0) {
    BoardPointer pointer;
    Poke out;
    bool down = false;
    const double step = speed / rate;
    const auto at = [&](double depth) {
        const double share = (from - depth) / (from - to);
        const BoardPointer::State& s =
            pointer.update(room.boards, {finger_at(room.before(depth, sideways * share)), {}}, 1 / rate);
        if (s.down && !down) {
            ++out.downs;
            out.x = s.x;
            out.y = s.y;
        }
        out.ups += down && !s.down ? 1 : 0;
        down = s.down;
    };
    const bool inward = to < from;
    for (int i = 0; i < 30; ++i) at(from);
    for (double d = from; inward ? d > to : d < to; d += inward ? -step : step) at(d);
    at(to);
    for (double d = to; inward ? d < from : d > from; d += inward ? step : -step) at(d);
    at(from);
    return out;
}

TEST(BoardPointer, APP_vr_a_poke_at_any_speed_is_one_click_at_the_fingers_target) {
    const Room room;
    for (const double speed : {0.05, 0.2, 1.0, 3.0, 5.0})
        for (const double rate : {72.0, 90.0, 120.0}) {
            const Poke p = poke(room, 0.15, -0.02, speed, rate);
            EXPECT_EQ(p.downs, 1) << speed << " m/s, " << rate << " Hz";
            EXPECT_EQ(p.ups, 1);
            EXPECT_NEAR(p.x, room.middle_x(), 1);
            EXPECT_NEAR(p.y, room.middle_y(), 1);
        }
}

TEST(BoardPointer, pressing_does_not_shift_the_pointer) {
    const Room room;
    const Poke p = poke(room, 0.10, -0.01, 0.2, 90, 40);  // slides by 40 pixels within 110 mm
    EXPECT_EQ(p.downs, 1);
    EXPECT_NEAR(p.x, room.middle_x() + 40 * (0.10 - 0.020) / 0.11, 3);
}

TEST(BoardPointer, APP_vr_nothing_is_pressed_from_behind_or_by_hovering) {
    const Room room;
    BoardPointer behind;
    arrive(behind, room, {finger_at(room.before(-0.15)), {}});
    for (double d = -0.15; d < 0.10; d += 0.003)
        EXPECT_FALSE(behind.update(room.boards, {finger_at(room.before(d)), {}}, kRoomFrame).down) << d;
    EXPECT_EQ(poke(room, 0.15, 0.012, 0.3, 90).downs, 0);
    BoardPointer pointer;  // a finger that appears within the board
    for (int i = 0; i < 20; ++i)
        EXPECT_FALSE(pointer.update(room.boards, {finger_at(room.before(-0.01)), {}}, kRoomFrame).down);
}

TEST(BoardPointer, a_pressing_finger_that_moves_across_the_board_drags) {
    const Room room;
    BoardPointer pointer;
    arrive(pointer, room, {finger_at(room.before(0.05)), {}});
    for (double d = 0.05; d > -0.005; d -= 0.005)
        pointer.update(room.boards, {finger_at(room.before(d)), {}}, kRoomFrame);
    ASSERT_TRUE(pointer.state().down);
    for (int i = 0; i <= 60; ++i)
        pointer.update(room.boards, {finger_at(room.before(-0.005, 0, 2.0 * i)), {}}, kRoomFrame);
    EXPECT_TRUE(pointer.state().down);
    EXPECT_NEAR(pointer.state().y, room.middle_y() - 120, 1);
}

TEST(BoardPointer, only_one_finger_points_at_a_time) {
    const Room room;
    BoardPointer pointer;
    arrive(pointer, room, {finger_at(room.before(0.09, -60)), finger_at(room.before(0.05, 60))});
    for (double d = 0.09; d > -0.01; d -= 0.005) {
        const BoardPointer::State& s = pointer.update(
            room.boards, {finger_at(room.before(d, -60)), finger_at(room.before(0.05, 60))}, kRoomFrame);
        EXPECT_EQ(s.hand, std::abs(d - 0.008) < 0.05 - 0.008 ? 0 : 1) << d;
    }
    EXPECT_TRUE(pointer.state().down);
}

TEST(BoardPointer, APP_vr_a_ray_clicks_with_a_trigger_pulled_on_the_board) {
    const Room room;
    BoardPointer pointer;
    const glm::dvec3 from(0.2, 1.3, 0.1);
    const auto ray_to = [&](const glm::dvec3& to) {
        return RoomPose{from, facing(glm::normalize(to - from))};
    };
    BoardFinger f = finger_at({0.2, 1.0, 0.1});
    f.ray = ray_to(room.before(0, 30, 20));
    arrive(pointer, room, {f, {}});
    EXPECT_FALSE(pointer.update(room.boards, {f, {}}, kRoomFrame).down);
    EXPECT_TRUE(pointer.state().on_board);
    EXPECT_NEAR(pointer.state().x, room.middle_x() + 30, 0.5);
    f.trigger = 0.7f;
    EXPECT_TRUE(pointer.update(room.boards, {f, {}}, kRoomFrame).down);
    f.trigger = 0.5f;
    EXPECT_TRUE(pointer.update(room.boards, {f, {}}, kRoomFrame).down) << "hysteresis";
    f.trigger = 0.3f;
    EXPECT_FALSE(pointer.update(room.boards, {f, {}}, kRoomFrame).down);
    f.ray = ray_to({0.2, 3, 0.2});
    f.trigger = 1;
    pointer.update(room.boards, {f, {}}, kRoomFrame);
    EXPECT_FALSE(pointer.state().on_board);
    f.ray = ray_to(room.before(0));
    EXPECT_FALSE(pointer.update(room.boards, {f, {}}, kRoomFrame).down);
}

TEST(BoardPointer, APP_vr_a_lost_hand_presses_nothing_and_releases_off_the_board) {
    const Room room;
    BoardPointer pointer;
    const auto show = [&](const BoardFinger& f, int frames) {
        for (int i = 0; i < frames; ++i) pointer.update(room.boards, {f, {}}, kRoomFrame);
        return pointer.state();
    };
    arrive(pointer, room, {finger_at(room.before(0.05)), {}});
    ASSERT_TRUE(show(finger_at(room.before(-0.005)), 1).down);
    EXPECT_TRUE(show({}, 10).down) << "within the grace time";
    EXPECT_TRUE(show({}, 1).on_board);
    EXPECT_TRUE(show(finger_at(room.before(-0.005)), 3).down) << "the same press";
    const BoardPointer::State gone = show({}, 20);
    EXPECT_FALSE(gone.down);
    EXPECT_FALSE(gone.on_board) << "a release off the board is no click";
    EXPECT_FALSE(show(finger_at(room.before(0.02)), 3).down);
    EXPECT_FALSE(show(finger_at(room.before(-0.01)), 3).down) << "the hand has just returned";
    show(finger_at(room.before(0.02)), 20);
    EXPECT_TRUE(show(finger_at(room.before(-0.005)), 1).down);
}

TEST(BoardPointer, APP_vr_a_trigger_pulled_before_the_hand_returns_clicks_nothing) {
    const Room room;
    const glm::dvec3 from(0.2, 1.3, 0.1), to = room.before(0, 30, 20);
    BoardFinger f = finger_at({0.2, 1.0, 0.1});
    f.ray = RoomPose{from, facing(glm::normalize(to - from))};
    BoardFinger elsewhere = f;
    elsewhere.ray = RoomPose{from, facing(glm::normalize(glm::dvec3{0, 1.7, 0.1}))};
    f.trigger = elsewhere.trigger = 1;
    for (const int lost : {1, 5, 40}) {
        BoardPointer pointer;
        BoardFinger open = elsewhere;
        open.trigger = 0;
        arrive(pointer, room, {open, {}});
        pointer.update(room.boards, {elsewhere, {}}, kRoomFrame);  // pulled off the boards
        for (int i = 0; i < lost; ++i) pointer.update(room.boards, {}, kRoomFrame);
        for (int i = 0; i < 60; ++i)
            EXPECT_FALSE(pointer.update(room.boards, {f, {}}, kRoomFrame).down) << lost;
        f.source = engine::HandSource::controller;  // the trigger of the new source is pulled, too
        for (int i = 0; i < 60; ++i) EXPECT_FALSE(pointer.update(room.boards, {f, {}}, kRoomFrame).down);
        f.trigger = 0;
        pointer.update(room.boards, {f, {}}, kRoomFrame);
        f.trigger = 1;
        EXPECT_TRUE(pointer.update(room.boards, {f, {}}, kRoomFrame).down);
    }
}

TEST(BoardPointer, APP_vr_moving_the_boards_presses_nothing) {
    const Room room;
    BoardPointer pointer;
    arrive(pointer, room, {finger_at(room.before(0.02)), {}});
    pointer.forget();
    for (int i = 0; i < 60; ++i)
        EXPECT_FALSE(pointer.update(room.boards, {finger_at(room.before(-0.01)), {}}, kRoomFrame).down);
}

TEST(ResolutionGovernor, APP_vr_late_frames_reduce_the_resolution_and_calm_ones_restore_it) {
    ResolutionGovernor governor;
    EXPECT_EQ(governor.share(), 1);
    for (int i = 0; i < 10 * ResolutionGovernor::kWindow; ++i)
        EXPECT_EQ(governor.update(i % 40 == 0), 1) << "a few late frames are no reason";
    for (int i = 0; i < ResolutionGovernor::kWindow; ++i) governor.update(i % 4 == 0);
    EXPECT_EQ(governor.share(), 0.8);
    for (int i = 0; i < 10 * ResolutionGovernor::kWindow; ++i) governor.update(true);
    EXPECT_EQ(governor.share(), 0.5) << "the lowest resolution";
    for (int i = 0; i < 4 * ResolutionGovernor::kCalm; ++i) governor.update(false);
    EXPECT_EQ(governor.share(), 1);
}

}  // namespace
}  // namespace claybox::app
