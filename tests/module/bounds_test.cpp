// World boxes and pair filters: they change the number of tests but no result.
#include "collision/core/state_hash.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/module/state/body_bounds.hpp"
#include "tests/module/support.hpp"

#include <algorithm>
#include <map>

namespace claybox::collision {
namespace {

using namespace test;

ParameterValues bounds_of(double world_box, double filter) {
    ParameterValues values;
    values[kWorldBox] = world_box;
    values[kPairFilter] = filter;
    return values;
}

/// A pile of rods, plates, hulls and meshes that rotate and move; one is deformed, others are replaced.
class Pile {
  public:
    explicit Pile(const WorldSettings& settings) : world(settings) {
        for (int i = 0; i < 60; ++i) add(i);
    }
    void step(std::uint64_t n) {
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            Pose& pose = poses_[i];
            pose.rotation = normalized(axis_angle(random_.unit_vector(), 0.2) * pose.rotation);
            pose.translation = 0.98 * pose.translation + 0.15 * random_.unit_vector();
            if (random_.below(4) == 0) continue;
            EXPECT_TRUE(world.move(ids_[i], pose).ok());
        }
        const std::size_t at = random_.below(ids_.size());
        EXPECT_TRUE(world.remove_body(ids_[at]).ok());
        ids_.erase(ids_.begin() + static_cast<std::ptrdiff_t>(at));
        poses_.erase(poses_.begin() + static_cast<std::ptrdiff_t>(at));
        add(static_cast<int>(n));
        const std::vector<VertexChange> dent{
            {static_cast<std::uint32_t>(random_.below(8)), cast<float>(0.9 * random_.unit_vector())}};
        EXPECT_TRUE(world.deform(clay_, dent).ok());
        world.publish(n);
        world.check();
        const PassStats stats = world.stats();
        EXPECT_EQ(stats.pair_disagreements, 0u);
        EXPECT_EQ(stats.undecided, 0u);
        world.poll_events(batch_);
        // Certificates and contact points are left out: they depend on the caches of pairs.
        for (const Event& event : batch_.events) {
            events.add(static_cast<std::uint64_t>(event.kind) << 32 | event.a.slot);
            events.add(std::uint64_t{event.b.slot});
            events.add(event.frame_a ^ event.frame_b << 32);
        }
        filtered += stats.filtered;
        tests += stats.tests;
    }

    World world;
    StateHash events;
    std::uint64_t filtered = 0, tests = 0;

  private:
    void add(int i) {
        constexpr Primitive kKinds[] = {Primitive::rod_hull, Primitive::plate_hull, Primitive::box,
                                        Primitive::torus, Primitive::tetrahedron};
        const ShapePtr& shape = shapes_[i % 5];
        ShapePtr& known = shapes_[i % 5];
        if (!shape) known = make_primitive_shape(kKinds[i % 5], 24, 0.8f, 5).value();
        const Vec3d at = 2.2 * random_.unit_vector();
        const Pose pose{random_rotation(random_, 0, 3), at};
        ids_.push_back(world.add_body({.shape = known, .pose = pose}).value());
        poses_.push_back(pose);
        if (clay_) return;
        clay_ = world.add_body({.shape = cube(), .pose = {}, .deformable = true}).value();
    }

    Random random_{77};
    EventBatch batch_;
    std::map<int, ShapePtr> shapes_;
    std::vector<BodyId> ids_;
    std::vector<Pose> poses_;
    BodyId clay_;
};

struct Outcome {
    std::uint64_t hash, events, filtered, tests;
};

/// change(settings, frame) returns whether the settings have changed.
template <class Change>
Outcome run_pile(Change&& change) {
    WorldSettings settings = default_settings();
    settings.assert_pairs = true;
    change(settings, 0);
    Pile pile(settings);
    for (std::uint64_t n = 1; n <= 20; ++n) {
        if (change(settings, n)) pile.world.set_settings(settings);
        pile.step(n);
    }
    return {pile.world.stats().state_hash, pile.events.value(), pile.filtered, pile.tests};
}

const Outcome& reference() {
    static const Outcome outcome = run_pile([](WorldSettings&, std::uint64_t) { return false; });
    return outcome;
}

TEST(Bounds, Z_5_2_bv_world_boxes_filters_and_broad_phases_change_no_result) {
    for (const BroadPhaseDescriptor* broad : broad_phases())
        for (double box = 0; box <= 2; ++box)
            for (double filter = 0; filter <= 3; ++filter) {
                const Outcome outcome = run_pile([&](WorldSettings& settings, std::uint64_t n) {
                    settings.broad_phase = broad;
                    settings.broad_parameters = default_values(broad->parameters);
                    settings.bound_parameters = bounds_of(box, filter);
                    settings.parallel = filter > 1 ? ParallelMode::pairs : ParallelMode::serial;
                    settings.workers = 3;
                    return n == 0;
                });
                EXPECT_EQ(outcome.hash, reference().hash) << broad->id << " " << box << " " << filter;
                EXPECT_EQ(outcome.events, reference().events) << broad->id << " " << box << " " << filter;
                const bool states = broad->states & (filter == 2   ? kOrientedBounds
                                                     : filter == 3 ? kKDopBounds
                                                                   : 0);
                EXPECT_TRUE(filter == 0 || states || outcome.filtered > 0)
                    << broad->id << " " << box << " " << filter;
                EXPECT_TRUE(filter > 0 || outcome.filtered == 0);
                EXPECT_TRUE(filter != 2 || outcome.tests < reference().tests * 9 / 10);
            }
}

TEST(Bounds, switching_bounds_while_running_loses_no_contact) {
    const Outcome outcome = run_pile([](WorldSettings& settings, std::uint64_t n) {
        settings.broad_phase = broad_phases()[n / 2 % broad_phases().size()];
        settings.broad_parameters = default_values(settings.broad_phase->parameters);
        settings.bound_parameters = bounds_of(static_cast<double>(n % 3), static_cast<double>(n / 3 % 4));
        return true;
    });
    EXPECT_EQ(outcome.hash, reference().hash);
}

PairBody body_of(const ShapePtr& shape, const Pose& pose) {
    PairBody body;
    body.shape = shape.get();
    body.geometry = &shape->geometry();
    body.world_from_body = to_matrix(pose);
    return body;
}

Aabb world_box(const PairBody& body, WorldBox kind) {
    BodyBounds bounds;
    bounds.set(bounds_of(static_cast<double>(kind), 0), 0);
    bounds.resize(1);
    bounds.place(0, body);
    return bounds.view().boxes[0];
}

double volume(const Aabb& box) {
    const Vec3d size = cast<double>(box.max) - cast<double>(box.min);
    return size.x * size.y * size.z;
}

TEST(Bounds, Z_5_2_aabb_a_rotated_local_box_has_up_to_125_27ths_of_the_volume_of_the_tight_box) {
    // A cube rotated by 180 degrees about (1, 1, 1): each side of its box grows by 5 / 3 (FIX-35).
    const double third = 1.0 / 3;
    Matrix34f m;
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t k = 0; k < 3; ++k)
            m.m[4 * row + k] = static_cast<float>(row == k ? -third : 2 * third);
    PairBody body = body_of(cube(), {});
    body.world_from_body = m;
    const Aabb turned = transform_aabb(m, body.geometry->box);
    EXPECT_NEAR(volume(turned) / volume(body.geometry->box), 125.0 / 27, 1e-5);
    // A cube fills its local box and loses nothing; a tetrahedron does not.
    EXPECT_NEAR(volume(world_box(body, WorldBox::tight)) / volume(turned), 1, 1e-5);
    const ShapePtr tetrahedron = make_primitive_shape(Primitive::tetrahedron, 4, 1, 1).value();
    Random random(3);
    double sum = 0;
    for (int i = 0; i < 200; ++i) {
        const PairBody turning = body_of(tetrahedron, {random_rotation(random, 0, 3), {}});
        const Aabb tight = world_box(turning, WorldBox::tight), loose = world_box(turning, WorldBox::turned);
        EXPECT_TRUE(volume(tight) <=
                    volume(transform_aabb(turning.world_from_body, tetrahedron->geometry().box)));
        sum += volume(tight) / volume(loose);
    }
    EXPECT_LT(sum / 200, 0.75);
}

TEST(Bounds, Z_10_maxbox_maximal_boxes_keep_their_size_and_tight_boxes_track_extreme_vertices) {
    const ShapePtr hull = make_primitive_shape(Primitive::ellipsoid_hull, 200, 1, 9).value();
    Random random(4);
    ExtremeVertices extremes{};
    Pose pose{axis_angle(random.unit_vector(), 1), {3, -2, 5}};
    Vec3f size{};
    for (int frame = 0; frame < 500; ++frame) {
        pose.rotation =
            normalized(axis_angle(random.unit_vector(), frame % 50 == 0 ? 3 : 0.05) * pose.rotation);
        const PairBody body = body_of(hull, pose);
        const Aabb maximal = world_box(body, WorldBox::maximal);
        const Vec3f now = maximal.max - maximal.min;
        const float side = 2 * hull->sphere().radius;
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_GE(now[k], side);
            EXPECT_LE(now[k], side * 1.00001f + 1e-5f);
        }
        const Aabb tight = tight_box(body.world_from_body, *hull->hull(), extremes);
        const Aabb scanned = tight_box(body.world_from_body, hull->geometry().positions);
        for (std::size_t k = 0; k < 3; ++k) {  // rounding margins may differ by one ulp
            EXPECT_FLOAT_EQ(tight.min[k], scanned.min[k]);
            EXPECT_FLOAT_EQ(tight.max[k], scanned.max[k]);
        }
        EXPECT_LE(maximal.min.x, tight.min.x);
        EXPECT_GE(maximal.max.y, tight.max.y);
        size = now;
    }
    EXPECT_GT(size.x, 0);
}

}  // namespace
}  // namespace claybox::collision
