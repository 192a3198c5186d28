// Fingertips and buttons linked by the module, without a scene: four keys, pokes of every kind, and the
// expected presses.
#include "app/scenes/hands/finger_link.hpp"

#include "app/buttons/poke_truth.hpp"
#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace claybox::app {
namespace {

using collision::Pose;
using collision::Random;
using collision::Vec3d;

constexpr unsigned kStrangers = 9;
constexpr LinkGroups kGroups{0, 1, 2};

/// Four keys on a slanted plate, 44 mm apart, and a world.
class Keys {
  public:
    explicit Keys(bool concurrent = false) : link_(kGroups) {
        collision::WorldSettings settings = collision::default_settings();
        settings.concurrent = concurrent;
        world_ = std::make_unique<collision::World>(settings);
        const PressPad pad{0.016, 0.013};
        std::vector<LinkFace> links;
        for (int i = 0; i < 4; ++i) {
            const Pose at = plate_ * Pose{{}, {0.044 * (i % 2) - 0.022, 0.038 * (i / 2) - 0.019, 0}};
            const auto cap =
                collision::Shape::from_polygons(box_mesh({0.016f, 0.013f, 0.009f}, {0, 0, -0.009f}), "cap");
            links.push_back({at, pad, world_->add_body({cap.value(), at, kGroups.cap}).value()});
            const auto axis = [&](const Vec3d& v) { return collision::rotate(at.rotation, v); };
            faces.push_back({pad, at.translation, axis({1, 0, 0}), axis({0, 1, 0}), axis({0, 0, 1})});
        }
        board = PressBoard(std::vector<PressPad>(4, pad), kFingerCount);
        EXPECT_TRUE(link_.build(*world_, links).ok());
    }
    Pose plate() const { return plate_; }
    collision::World& world() { return *world_; }
    FingerLink& link() { return link_; }

    /// A hand with the tip of the forefinger at `tip`; the other parts do not matter.
    static HandInput hand_at(const Vec3d& tip, double radius) {
        HandInput hand;
        hand.present = true;
        hand.radius.fill(static_cast<float>(radius));
        hand.part[kIndexTip].translation = tip;
        return hand;
    }
    void step(double dt, const HandInput& right, const HandInput& left = {}) {
        StepInput input;
        input.frame = ++frame_;
        input.dt = dt;
        input.hand = {right, left};
        link_.before_publish(*world_, input, board, events);
        world_->publish(input.frame);
        world_->check();
        world_->poll_events(batch);
        link_.after_poll(batch, board, rules, events, [&](std::span<const FingerMove> now) {
            for (const FingerMove& move : now)
                if (board.holder(move.button) == move.finger) held_moves.push_back(move);
        });
        if (!world_->settings().concurrent) {
            EXPECT_TRUE(std::all_of(batch.events.begin(), batch.events.end(), [](const collision::Event& e) {
                return e.frame_a <= e.frame && e.frame_b <= e.frame;
            }));
        }
    }
    /// Steps until all published frames have been processed.
    void catch_up(double dt) {
        world_->wait_idle();
        step(dt, {});
        world_->wait_idle();
        step(dt, {});
    }
    TruthCount reported(std::uint32_t key) const {
        TruthCount count;
        for (const PressEvent& e : events) {
            if (e.button != key) continue;
            count.presses += e.kind == PressKind::fired;
            count.releases += e.kind == PressKind::released;
        }
        return count;
    }
    int count(PressKind kind) const {
        return static_cast<int>(
            std::count_if(events.begin(), events.end(), [&](const PressEvent& e) { return e.kind == kind; }));
    }

    PressRules rules;
    PressBoard board{{}, kFingerCount};
    std::vector<PressEvent> events;
    std::vector<FingerMove> held_moves;  ///< moves of fingers that held the control
    std::vector<TruthFace> faces;
    collision::EventBatch batch;

  private:
    Pose plate_{collision::axis_angle({1, 0, 0}, -1.3), {0.03, 0.05, -0.02}};
    std::unique_ptr<collision::World> world_;
    FingerLink link_;
    std::uint64_t frame_ = 0;
};

enum class FaceKind { straight, slanted, side, back, rest, graze, shallow, through };
constexpr int kKinds = 8;

/// Corners of the path of a poke, plate frame.
std::vector<Vec3d> corners_of(FaceKind kind, double radius, Random& random) {
    const double key_x = random.below(2) ? 0.022 : -0.022, key_y = random.below(2) ? 0.019 : -0.019;
    const Vec3d key{key_x, key_y, radius};
    const Vec3d in{random.uniform(-0.015, 0.015), random.uniform(-0.012, 0.012), 0};
    const double deep = -random.uniform(0.0065, 0.015);
    const Vec3d at = key + in, down = at + Vec3d{0, 0, deep}, over = at + Vec3d{0, 0, 0.03};
    const Vec3d lean{random.uniform(-0.03, 0.03), random.uniform(-0.03, 0.03), 0};
    switch (kind) {
        case FaceKind::straight:
            return {over, down, over};
        case FaceKind::slanted:
            return {over + lean, down, over - lean};
        case FaceKind::side: {
            const Vec3d level = down + Vec3d{random.below(2) ? 0.12 : -0.12, random.uniform(-0.02, 0.02), 0};
            return {level + Vec3d{0, 0, 0.05}, level, down - (level - down), over};
        }
        case FaceKind::back:
            return {at + Vec3d{0.1, 0, 0}, at + Vec3d{0.1, 0, -0.09}, at + Vec3d{0, 0, -0.09}, over};
        case FaceKind::rest:
            return {over, at + Vec3d{0, 0, -0.002}, at + lean * 0.05 + Vec3d{0, 0, -0.0035},
                    at + Vec3d{0, 0, -0.001}, over};
        case FaceKind::graze:  // along the face, just below or above it, and off its border
            return {over + lean, key + Vec3d{-0.03, in.y, random.uniform(-0.001, 0.001)},
                    key + Vec3d{0.03, in.y, random.uniform(-0.002, 0.001)}, over};
        case FaceKind::shallow:
            return {over, at + Vec3d{0, 0, -random.uniform(0.001, 0.0075)}, over + lean};
        default:
            return {over + lean, at + Vec3d{0, 0, -random.uniform(0.03, 0.2)}, over};
    }
}

/// Positions of one or two fingers in the frames of a poke: they hover until they may press, then follow the
/// corners at a speed, with jitter.
struct Poke {
    double dt = 0;
    std::vector<TruthPath> paths;
};
Poke make_poke(const Pose& plate, Random& random) {
    Poke poke;
    poke.dt = 1 / random.uniform(30, 120);
    const double speed = 0.05 * std::pow(100, random.uniform());
    const double jitter = random.below(2) ? random.uniform(0, 0.0004) : 0;
    std::size_t frames = 0;
    for (int f = 0; f < 2; ++f) {
        TruthPath path;
        path.radius = static_cast<double>(static_cast<float>(random.uniform(0.005, 0.009)));
        const auto corners = corners_of(static_cast<FaceKind>(random.below(kKinds)), path.radius, random);
        std::vector<Vec3d> places(static_cast<std::size_t>(0.17 / poke.dt) + 2, corners[0]);
        const double start = random.uniform();
        for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
            const Vec3d side = corners[i + 1] - corners[i];
            const double step = speed * poke.dt / length(side);
            for (double t = start * step; t < 1; t += step) places.push_back(corners[i] + side * t);
        }
        places.push_back(corners.back());
        frames = std::max(frames, places.size());
        for (const Vec3d& p : places) {
            const Vec3d offset = random.vector(0, jitter);
            path.points.push_back({0, plate.translation + collision::rotate(plate.rotation, p + offset)});
        }
        poke.paths.push_back(path);
        if (random.below(3) != 0) break;  // mostly one finger
    }
    for (TruthPath& path : poke.paths)
        while (path.points.size() < frames) path.points.push_back(path.points.back());
    return poke;
}

struct Sums {
    int pokes = 0, presses = 0, from_behind = 0, wrong = 0;
};

/// Plays one poke and compares every key with the truth.
void play(Keys& keys, Poke poke, Sums& sums, std::size_t frames_per_pass = 0) {
    keys.events.clear();
    const bool two = poke.paths.size() == 2;
    keys.step(poke.dt, {});
    double now = keys.link().time();
    for (std::size_t i = 0; i < poke.paths[0].points.size(); ++i) {
        now += poke.dt;
        for (TruthPath& path : poke.paths) path.points[i].time = now;
        HandInput right = Keys::hand_at(poke.paths[0].points[i].at, poke.paths[0].radius), left;
        if (two) left = Keys::hand_at(poke.paths[1].points[i].at, poke.paths[1].radius);
        keys.step(poke.dt, right, left);
        // Frames come a thousand times faster than in a real run: passes may miss many of them, but not all.
        if (frames_per_pass > 0 && i % frames_per_pass == 0) keys.world().wait_idle();
    }
    keys.catch_up(poke.dt);
    keys.step(0.2, {});  // longer than the re-arm time
    const std::vector<TruthCount> truth = expected_presses(poke.paths, keys.faces, keys.rules);
    sums.pokes += static_cast<int>(poke.paths.size());
    for (std::uint32_t key = 0; key < 4; ++key) {
        const TruthCount reported = keys.reported(key);
        sums.presses += reported.presses;
        sums.from_behind += truth[key].from_behind;
        // A key that is held when the hand disappears is lost, not released.
        const bool right = reported.presses == truth[key].presses && reported.releases == truth[key].releases;
        sums.wrong += !right;
        EXPECT_TRUE(right) << "poke " << sums.pokes << " key " << key << ": found " << reported.presses << "/"
                           << reported.releases << ", expected " << truth[key].presses << "/"
                           << truth[key].releases << " at " << 1 / poke.dt << " Hz";
    }
}

TEST(FingerLink, APP_buttons_ten_thousand_random_pokes_give_the_expected_presses) {
    Random random(20261122);
    Keys keys;
    Sums sums;
    while (sums.pokes < 10000 && sums.wrong < 5) play(keys, make_poke(keys.plate(), random), sums);
    EXPECT_GT(sums.presses, 1800);
    EXPECT_GT(sums.from_behind, 500) << "none of these may press";
}

TEST(FingerLink, APP_buttons_random_pokes_with_concurrent_passes_give_the_expected_presses) {
    Random random(7);
    Keys keys(true);
    Sums sums;
    while (sums.pokes < 800 && sums.wrong < 5) {
        const std::size_t frames_per_pass = 1 + random.below(100);
        play(keys, make_poke(keys.plate(), random), sums, frames_per_pass);
    }
    EXPECT_GT(sums.presses, 100);
}

// A pass may skip any number of frames: the box around the path contains them all.
TEST(FingerLink, APP_buttons_a_poke_between_two_passes_is_not_lost) {
    Keys keys(true);
    const Vec3d over = keys.faces[0].middle + keys.faces[0].out * 0.04,
                deep = keys.faces[0].middle - keys.faces[0].out * 0.001;
    for (int i = 0; i < 10; ++i) keys.step(1.0 / 30, Keys::hand_at(over, 0.0075));
    keys.world().wait_idle();
    for (int round = 0; round < 15; ++round) {
        // Down and up within two frames at 30 Hz; the test waits for passes only much later.
        keys.step(1.0 / 30, Keys::hand_at(deep, 0.0075));
        for (int i = 0; i < 6; ++i) keys.step(1.0 / 30, Keys::hand_at(over, 0.0075));
    }
    keys.world().wait_idle();
    keys.step(1.0 / 30, Keys::hand_at(over, 0.0075));
    EXPECT_EQ(keys.reported(0).presses, 15);
    EXPECT_EQ(keys.reported(0).releases, 15);
}

TEST(FingerLink, APP_buttons_a_finger_at_five_metres_a_second_and_thirty_hertz_fires_once) {
    Keys keys;
    const auto at = [&](double height) {
        return Keys::hand_at(keys.faces[3].middle + keys.faces[3].out * (height + 0.0075), 0.0075);
    };
    for (int i = 0; i < 10; ++i) keys.step(1.0 / 30, at(0.10));
    keys.step(1.0 / 30, at(0.10 - 5.0 / 30));
    keys.step(1.0 / 30, at(0.10));
    EXPECT_EQ(keys.reported(3), (TruthCount{1, 1, 0}));
}

TEST(FingerLink, a_lost_hand_releases_nothing_and_returns_without_a_second_release) {
    Keys keys;
    const auto at = [&](double height, bool held = false) {
        HandInput hand = Keys::hand_at(keys.faces[0].middle + keys.faces[0].out * (height + 0.0075), 0.0075);
        hand.held = held;
        return hand;
    };
    for (int i = 0; i < 20; ++i) keys.step(1.0 / 60, at(0.02));
    keys.step(1.0 / 60, at(-0.009));
    EXPECT_EQ(keys.count(PressKind::fired), 1);
    for (int i = 0; i < 9; ++i) keys.step(1.0 / 60, at(-0.009, true));
    EXPECT_EQ(keys.events.size(), 2u) << "nothing happens while tracking is lost";
    EXPECT_TRUE(keys.board.pressed(0));
    for (int i = 0; i < 9; ++i) keys.step(1.0 / 60, {});
    EXPECT_EQ(keys.count(PressKind::lost), 1);
    EXPECT_EQ(keys.count(PressKind::released), 0);
    EXPECT_FALSE(keys.board.pressed(0));
    keys.step(1.0 / 60, at(0.02));
    keys.step(1.0 / 60, at(-0.009));  // too soon
    for (int i = 0; i < 30; ++i) keys.step(1.0 / 60, at(-0.009));
    keys.step(1.0 / 60, at(0.02));
    EXPECT_EQ(keys.count(PressKind::fired), 1);
    EXPECT_EQ(keys.count(PressKind::released), 0);
    EXPECT_EQ(keys.count(PressKind::lost), 1);
    keys.step(1.0 / 60, at(-0.009));
    keys.step(1.0 / 60, at(0.02));
    EXPECT_EQ(keys.count(PressKind::fired), 2) << "later the finger presses again";
}

TEST(FingerLink, a_hand_that_jumps_when_tracking_returns_presses_nothing) {
    Keys keys;
    const auto at = [&](double height, bool held) {
        HandInput hand = Keys::hand_at(keys.faces[0].middle + keys.faces[0].out * (height + 0.0075), 0.0075);
        hand.held = held;
        return hand;
    };
    for (int i = 0; i < 20; ++i) keys.step(1.0 / 60, at(0.02, false));
    for (int i = 0; i < 5; ++i) keys.step(1.0 / 60, at(0.02, true));
    for (int i = 0; i < 30; ++i) keys.step(1.0 / 60, at(-0.009, false));
    EXPECT_TRUE(keys.events.empty());
}

TEST(FingerLink, Z_9_link_the_module_tests_only_buttons_against_fingers) {
    for (const bool plain : {false, true}) {
        Keys keys;
        keys.rules.plain = plain;
        keys.link().configure(false, plain);
        // A body that overlaps everything, and the tips of the other fingers in the middle of a key.
        const auto big = collision::Shape::from_polygons(box_mesh({1, 1, 1}), "big");
        ASSERT_TRUE(keys.world().add_body({big.value(), {}, kStrangers}).ok());
        HandInput hand = Keys::hand_at(keys.faces[1].middle, 0.0075);
        for (std::size_t part = 0; part < kHandParts; ++part)
            if (part != kIndexTip) hand.part[part].translation = keys.faces[2].middle;
        for (int i = 0; i < 3; ++i) {
            keys.step(1.0 / 60, hand, hand);
            EXPECT_EQ(keys.world().stats().tests, 2u);
            for (const collision::Event& e : keys.batch.events) EXPECT_NE(e.kind, collision::EventKind::end);
        }
        EXPECT_EQ(keys.link().touching(), 2u) << "two forefingers in one key";
        EXPECT_EQ(keys.world().stats().tests, 2u);
        EXPECT_EQ(keys.world().stats().colliding, 2u);
    }
}

// Plain rule: a press is the begin and a release is the end of a collision.
TEST(FingerLink, Z_9_virtual_and_Z_9_link_plain_rule_pressed_while_colliding) {
    for (const bool concurrent : {false, true}) {
        Keys keys(concurrent);
        keys.rules.plain = true;
        keys.link().configure(false, true);
        Random random(5);
        int down = 0;
        for (int i = 0; i < 300; ++i) {
            const Vec3d at = keys.faces[0].middle + keys.faces[0].right * random.uniform(-0.03, 0.07) +
                             keys.faces[0].up * random.uniform(-0.03, 0.06) +
                             keys.faces[0].out * random.uniform(-0.04, 0.03);
            const HandInput hand = Keys::hand_at(at, 0.0075);
            keys.step(1.0 / 60, hand);
            if (concurrent) {
                keys.world().wait_idle();
                keys.step(1.0 / 60, hand);
            }
            const auto tip =
                collision::Shape::from_hull(hand_part_points(kIndexTip, hand.radius[kIndexTip], 0));
            collision::World reference;
            std::map<collision::BodyId, std::uint32_t> key_of;
            for (std::uint32_t k = 0; k < 4; ++k) {
                const auto cap = collision::Shape::from_polygons(
                    box_mesh({0.016f, 0.013f, 0.009f}, {0, 0, -0.009f}), "cap");
                const Pose pose =
                    keys.plate() * Pose{{}, {0.044 * (k % 2) - 0.022, 0.038 * (k / 2) - 0.019, 0}};
                ASSERT_TRUE(reference.add_body({.shape = cap.value(), .pose = pose, .data = k}).ok());
            }
            reference.publish(1);
            reference.check();
            std::vector<collision::QueryHit> hits;
            ASSERT_TRUE(
                reference.query_now({collision::ShapeQuery{tip.value(), hand.part[kIndexTip]}, {}}, hits)
                    .ok());
            for (std::uint32_t k = 0; k < 4; ++k) {
                const bool collides = std::any_of(
                    hits.begin(), hits.end(), [&](const collision::QueryHit& hit) { return hit.data == k; });
                ASSERT_EQ(keys.board.pressed(k), collides)
                    << i << " key " << k << " concurrent " << concurrent;
                down += collides;
            }
        }
        EXPECT_GT(down, 30);
        keys.catch_up(1.0 / 60);
        EXPECT_EQ(keys.count(PressKind::fired),
                  keys.count(PressKind::released) + keys.count(PressKind::lost));
    }
}

// However many frames passes skip, a control is dragged only from the first contact on.
TEST(FingerLink, Z_9_virtual_plain_rule_a_finger_drags_only_while_it_collides) {
    for (const bool concurrent : {false, true}) {
        Keys keys(concurrent);
        keys.rules.plain = true;
        keys.link().configure(false, true);
        keys.board = PressBoard(std::vector<PressPad>(4, PressPad{0.016, 0.013, false}), kFingerCount);
        for (int i = 0; i < 600; ++i) {
            const double height = i / 50 % 2 == 0 ? 0.012 : -0.002;
            const Vec3d at = keys.faces[0].middle + keys.faces[0].out * (height + 0.0075) +
                             keys.faces[0].right * (0.0002 * (i % 50));
            keys.step(1.0 / 60, Keys::hand_at(at, 0.0075));
            if (i % 10 == 0) keys.world().wait_idle();
        }
        keys.catch_up(1.0 / 60);
        EXPECT_EQ(keys.count(PressKind::touched), 6);
        EXPECT_GT(keys.held_moves.size(), 100u);
        for (const FingerMove& move : keys.held_moves) {
            double since = 1e9;  // newest touch up to the end of the move
            for (const PressEvent& e : keys.events)
                if (e.time <= move.time_to + 1e-9) since = e.kind == PressKind::touched ? e.time : 1e9;
            EXPECT_LE(since, move.time_to + 1e-9) << "at " << move.time_to;
        }
    }
}

TEST(FingerLink, changing_the_rule_releases_all_controls_as_lost) {
    Keys keys;
    const auto at = [&](double height) {
        return Keys::hand_at(keys.faces[0].middle + keys.faces[0].out * (height + 0.0075), 0.0075);
    };
    for (int i = 0; i < 20; ++i) keys.step(1.0 / 60, at(0.02));
    keys.step(1.0 / 60, at(-0.009));
    ASSERT_TRUE(keys.board.pressed(0));
    keys.rules.plain = true;
    keys.link().configure(false, true);
    keys.step(1.0 / 60, at(0.02));
    EXPECT_EQ(keys.count(PressKind::lost), 1);
    EXPECT_EQ(keys.count(PressKind::released), 0);
    keys.step(1.0 / 60, at(-0.009));
    EXPECT_EQ(keys.count(PressKind::fired), 2);
}

}  // namespace
}  // namespace claybox::app
