// Clay whose detail follows the hand: strokes, undo and cuts across remeshing.

#include "collision/core/random.hpp"
#include "tests/potter/meshes.hpp"
#include "tests/potter/probe.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

constexpr DetailSettings kFine{true, 0.003, 100000};

ClayMesh mesh_of(const Clay& clay) {
    return clay_mesh(clay.topology(), clay.positions(), clay.mask());
}

/// Runs frames without a touch until no job is left.
std::uint64_t rest(Clay& clay, std::uint64_t frame, int frames = 200) {
    for (int i = 0; i < frames; ++i) clay.update(++frame);
    return frame;
}

/// Presses into the side at `height`, deep enough to stretch the clay. Returns the last frame.
std::uint64_t press(Clay& clay, std::uint64_t frame, double height, double depth,
                    const ClayBrush& brush = {}) {
    for (int i = 0; i <= static_cast<int>(depth * 1e3); ++i) {
        const double x = 0.083 - i * 1e-3;
        ClayProbe finger = probe(clay, {x + 0.03, height, 0}, {x, height, 0}, 0.008);
        finger.touch.fresh = i == 0;
        clay.push({&finger.touch, 1}, brush, ++frame);
        clay.update(frame);
    }
    return frame;
}

TEST(ClayDetail, pressed_clay_gets_finer_and_undo_restores_every_stroke_bit_for_bit) {
    Clay clay(clay_shape(ClayShape::sphere, 1500));
    clay.use_detail(kFine);
    const ClayMesh start = mesh_of(clay);
    std::uint64_t frame = 0;
    std::vector<ClayMesh> after;
    for (const double height : {0.06, 0.09, 0.075}) {
        frame = rest(clay, press(clay, frame, height, 0.04));
        after.push_back(mesh_of(clay));
        expect_sound(after.back(), "pressed");
    }
    EXPECT_GT(clay.remesh_count(), 2u);
    EXPECT_GT(after[2].triangles.size(), 2 * start.triangles.size());
    EXPECT_EQ(clay.stroke_count(), 3u);
    for (int i = 1; i >= 0; --i) {
        EXPECT_FALSE(undo(clay).empty());
        EXPECT_EQ(mesh_of(clay).positions, after[static_cast<std::size_t>(i)].positions);
        EXPECT_EQ(mesh_of(clay).triangles, after[static_cast<std::size_t>(i)].triangles);
    }
    EXPECT_TRUE(undo(clay).remeshed);
    EXPECT_EQ(clay.positions(), start.positions);
    EXPECT_EQ(clay.topology().origin, Clay(clay_shape(ClayShape::sphere, 1500)).topology().origin)
        << "quadrangles again";
    EXPECT_TRUE(undo(clay).empty());
    for (const ClayMesh& expected : after) {
        EXPECT_FALSE(redo(clay).empty());
        EXPECT_EQ(mesh_of(clay).positions, expected.positions);
        EXPECT_EQ(mesh_of(clay).triangles, expected.triangles);
    }
    EXPECT_TRUE(redo(clay).empty());
}

TEST(ClayDetail, the_result_does_not_depend_on_when_the_background_work_ends) {
    std::vector<ClayMesh> out;
    for (int run = 0; run < 2; ++run) {
        Clay clay(clay_shape(ClayShape::sphere, 2500));
        clay.use_detail(kFine);
        std::uint64_t frame = press(clay, 0, 0.07, 0.05);
        frame = press(clay, frame, 0.07, 0.03);
        rest(clay, frame);
        out.push_back(mesh_of(clay));
    }
    EXPECT_EQ(out[0].positions, out[1].positions);
    EXPECT_EQ(out[0].triangles, out[1].triangles);
}

TEST(ClayDetail, detail_changes_where_the_clay_is_by_less_than_its_edges) {
    Clay fixed(clay_shape(ClayShape::sphere, 20000)), fine(clay_shape(ClayShape::sphere, 20000));
    fine.use_detail({true, 0.0015, 200000});
    press(fixed, 0, 0.07, 0.03);
    rest(fine, press(fine, 0, 0.07, 0.03));
    EXPECT_GT(fine.remesh_count(), 0u);
    EXPECT_NEAR(fine.measure().volume / fixed.measure().volume, 1, 0.004);
}

TEST(ClayDetail, Z_8_1_m3_the_volume_is_kept_across_remeshing) {
    for (const ClayShape shape : {ClayShape::sphere, ClayShape::pot}) {
        for (const ClayEffect effect :
             {ClayEffect::push, ClayEffect::grab, ClayEffect::inflate, ClayEffect::crease}) {
            Clay clay(clay_shape(shape, 4000));
            clay.use_detail(kFine);
            ClayBrush brush;
            brush.effect = effect;
            brush.keep_volume = true;
            const double before = clay.measure().volume;
            std::uint64_t frame = 0;
            double worst = 0;
            for (const double height : {0.06, 0.08}) {
                for (int i = 0; i <= 40; ++i) {
                    const double x = 0.083 - i * 1e-3;
                    ClayProbe finger = probe(clay, {x + 0.03, height, 0}, {x, height, 0}, 0.008);
                    finger.touch.fresh = i == 0;
                    finger.touch.motion = {-1e-3, 0, 0};
                    clay.push({&finger.touch, 1}, brush, ++frame);
                    clay.update(frame);
                }
                frame = rest(clay, frame, 60);
                worst = std::max(worst, std::abs(clay.measure().volume / before - 1));
            }
            EXPECT_GT(clay.remesh_count(), 0u);
            EXPECT_LT(worst, 1e-3) << static_cast<int>(shape) << ' '
                                   << kClayEffectIds[static_cast<int>(effect)];
        }
    }
}

TEST(ClayDetail, reset_goes_back_to_the_start_shape_and_can_be_undone) {
    Clay clay(clay_shape(ClayShape::sphere, 1500));
    clay.use_detail(kFine);
    const auto start = clay.positions();
    rest(clay, press(clay, 0, 0.07, 0.04));
    const ClayMesh pressed = mesh_of(clay);
    ASSERT_GT(clay.remesh_count(), 0u);
    EXPECT_TRUE(reset(clay).remeshed);
    EXPECT_EQ(clay.positions(), start);
    EXPECT_TRUE(undo(clay).remeshed);
    EXPECT_EQ(mesh_of(clay).triangles, pressed.triangles);
    EXPECT_EQ(mesh_of(clay).positions, pressed.positions);
}

/// A clay with three remeshed strokes, and what it was after each; [0] is the start.
std::vector<ClayMesh> work_on(Clay& clay, std::uint64_t& frame) {
    clay.use_detail(kFine);
    std::vector<ClayMesh> after{mesh_of(clay)};
    for (const double height : {0.06, 0.09, 0.075}) {
        frame = rest(clay, press(clay, frame, height, 0.04));
        after.push_back(mesh_of(clay));
    }
    EXPECT_EQ(clay.stroke_count(), 3u);
    return after;
}

void expect_same(const Clay& clay, const ClayMesh& expected) {
    EXPECT_TRUE(clay.positions() == expected.positions);
    EXPECT_TRUE(mesh_of(clay).triangles == expected.triangles);
}

TEST(ClayUndo, of_remeshed_clay_takes_a_fixed_number_of_frames_in_which_nothing_moves) {
    Clay clay(clay_shape(ClayShape::sphere, 1500));
    std::uint64_t frame = 0;
    const std::vector<ClayMesh> after = work_on(clay, frame);
    const std::uint64_t frames =
        restore_frames(std::max(after[3].triangles.size(), after[2].triangles.size()));
    ASSERT_GT(frames, 2u);
    EXPECT_TRUE(clay.undo().empty());
    EXPECT_TRUE(clay.is_working());
    for (std::uint64_t i = 1; i < frames; ++i) {
        ClayProbe finger = probe(clay, {0.10, 0.07, 0}, {0.02, 0.07, 0}, 0.012);
        ASSERT_FALSE(finger.polygons.empty());
        EXPECT_TRUE(clay.push({&finger.touch, 1}, {}, frame + i).empty());
        EXPECT_TRUE(clay.update(frame + i).empty());
        expect_same(clay, after[3]);
    }
    EXPECT_TRUE(clay.update(frame + frames).remeshed);
    expect_same(clay, after[2]);
    EXPECT_FALSE(clay.is_working());
}

TEST(ClayUndo, pressed_several_times_in_a_row_is_one_job_and_redo_waits_for_its_turn) {
    Clay clay(clay_shape(ClayShape::sphere, 1500));
    std::uint64_t frame = 0;
    const std::vector<ClayMesh> after = work_on(clay, frame);
    const std::size_t remeshed = clay.remesh_count();
    for (int i = 0; i < 5; ++i) clay.undo();  // more than there are
    clay.redo();
    frame = rest(clay, frame);
    expect_same(clay, after[1]);
    EXPECT_EQ(clay.stroke_count(), 1u);
    EXPECT_EQ(clay.redo_count(), 2u);
    EXPECT_EQ(clay.remesh_count(), remeshed + 3) << "one undo, two undos at once, one redo";
    clay.redo();
    clay.remesh(frame);  // waits, then removes what could be redone
    frame = rest(clay, frame);
    EXPECT_EQ(clay.stroke_count(), 3u);
    EXPECT_EQ(clay.redo_count(), 0u);
    undo(clay);
    expect_same(clay, after[2]);
    reset(clay);
    expect_same(clay, after[0]);
    undo(clay);
    expect_same(clay, after[2]);
}

TEST(ClayUndo, cancels_an_edit_that_has_not_ended) {
    Clay clay(clay_shape(ClayShape::sphere, 1500));
    std::uint64_t frame = 0;
    const std::vector<ClayMesh> after = work_on(clay, frame);
    clay.make_hollow({0.008, 0.01, 0.003}, frame);
    clay.update(++frame);
    clay.undo();
    EXPECT_FALSE(clay.is_working());
    rest(clay, frame);
    expect_same(clay, after[3]);
    EXPECT_EQ(clay.stroke_count(), 3u);
}

struct CountedExtras final : NewShapeExtras {
    std::vector<Vec3f> positions;
};

TEST(ClayUndo, the_job_makes_what_the_application_needs_of_the_new_shape) {
    Clay clay(clay_shape(ClayShape::sphere, 1500));
    clay.use_extras([] {
        return [](const ClaySurface& surface) -> std::unique_ptr<NewShapeExtras> {
            auto out = std::make_unique<CountedExtras>();
            out->positions = surface.positions();
            return out;
        };
    });
    clay.use_detail(kFine);
    std::uint64_t frame = 0;
    std::size_t results = 0;
    std::vector<Vec3f> known = clay.positions();
    const auto follow = [&](const ClayChange& change) {
        if (change.remeshed) {
            ++results;
            const auto extras = clay.take_extras();
            ASSERT_NE(extras, nullptr);
            known = static_cast<CountedExtras&>(*extras).positions;
        }
        for (const collision::VertexChange& c : change.moved) known[c.vertex] = c.position;
        ASSERT_TRUE(known == clay.positions()) << frame;
    };
    for (int i = 0; i < 40; ++i) {
        ClayProbe finger = probe(clay, {0.113 - i * 1e-3, 0.07, 0}, {0.083 - i * 1e-3, 0.07, 0}, 0.008);
        for (const collision::VertexChange& c : clay.push({&finger.touch, 1}, {}, ++frame))
            known[c.vertex] = c.position;
        follow(clay.update(frame));
    }
    for (int i = 0; i < 100; ++i) follow(clay.update(++frame));
    follow(clay.undo());
    for (int i = 0; i < 100; ++i) follow(clay.update(++frame));
    EXPECT_GE(results, 2u);
    EXPECT_TRUE(clay.positions() == clay.start_positions());
}

TEST(ClayDetail, cut_hollow_and_remesh_are_strokes) {
    Clay clay(clay_shape(ClayShape::cylinder, 3000));
    clay.use_detail(kFine);
    const double before = clay.measure().volume;
    std::uint64_t frame = 1;
    clay.cut_along({{0, 1, 0}, 0.1}, CutKeep::below, frame);
    EXPECT_TRUE(clay.is_working());
    frame = rest(clay, frame);
    EXPECT_FALSE(clay.is_working());
    EXPECT_NEAR(clay.measure().height, 0.1, 1e-3);
    EXPECT_NEAR(clay.measure().volume, before * 2 / 3, 0.02 * before);
    clay.make_hollow({0.008, 0.01, 0.003}, frame);
    frame = rest(clay, frame);
    EXPECT_EQ(clay.take_problem(), "");
    EXPECT_LT(clay.measure().volume, 0.4 * before);
    clay.remesh(frame);
    frame = rest(clay, frame);
    expect_sound(mesh_of(clay), "cut, hollow, remeshed");
    EXPECT_GT(smallest_angle(mesh_of(clay)), 10);
    EXPECT_EQ(clay.stroke_count(), 3u);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(undo(clay).remeshed);
    EXPECT_EQ(clay.measure().volume, before);
    clay.make_hollow({0.2, 0.01, 0.003}, frame);
    rest(clay, frame);
    EXPECT_NE(clay.take_problem(), "");
    EXPECT_EQ(clay.take_problem(), "");
    EXPECT_EQ(clay.stroke_count(), 0u);
}

TEST(ClayDetail, Z_8_m4_a_wire_splits_the_clay_in_two_closed_parts) {
    Clay clay(clay_shape(ClayShape::sphere, 3000));
    clay.use_detail(kFine);
    ClayBrush wire;
    wire.effect = ClayEffect::cut;
    wire.cut_keep = CutKeep::both;
    std::uint64_t frame = 0;
    for (int i = 0; i < 40; ++i) {  // the finger points along -Z and moves down through the middle
        const double y = 0.15 - 0.0025 * i;
        ClayProbe finger = probe(clay, {0, y, 0.2}, {0, y, 0.06}, 0.012);
        clay.push({&finger.touch, 1}, wire, ++frame);
        clay.update(frame);
    }
    const double before = clay.measure().volume;
    rest(clay, frame);
    expect_sound(mesh_of(clay), "split", 2);
    EXPECT_NEAR(clay.measure().volume, before, 0.01 * before);
    EXPECT_TRUE(undo(clay).remeshed);
    EXPECT_EQ(clay.measure().volume, before);
}

TEST(ClayDetail, trim_cuts_off_what_is_above_the_finger) {
    Clay clay(clay_shape(ClayShape::cylinder, 3000));
    ClayBrush trim;
    trim.effect = ClayEffect::trim;
    ClayProbe finger = probe(clay, {0.10, 0.11, 0}, {0.065, 0.11, 0}, 0.008);
    finger.touch.fresh = true;
    ASSERT_FALSE(finger.polygons.empty());
    clay.push({&finger.touch, 1}, trim, 1);
    clay.update(1);
    rest(clay, 1);
    EXPECT_NEAR(clay.measure().height, 0.11, 0.006);
    expect_sound(mesh_of(clay), "trimmed");
}

TEST(ClayMask, frozen_clay_does_not_move_and_undo_restores_the_mask) {
    Clay clay(clay_shape(ClayShape::sphere, 20000));
    ClayBrush freeze;
    freeze.effect = ClayEffect::mask;
    freeze.strength = 1;
    std::uint64_t frame = 0;
    for (int i = 0; i < 30; ++i) {
        ClayProbe finger = probe(clay, {0.11, 0.07, 0}, {0.08, 0.07, 0}, 0.008);
        clay.push({&finger.touch, 1}, freeze, ++frame);
    }
    const std::vector<float> mask = clay.mask();
    EXPECT_GT(std::count(mask.begin(), mask.end(), 1.0f), 20);
    press(clay, frame + 100, 0.07, 0.012);
    for (std::uint32_t v = 0; v < mask.size(); ++v) {
        if (mask[v] == 1) {
            ASSERT_EQ(clay.positions()[v], clay.start_positions()[v]);
        }
    }
    EXPECT_NE(clay.positions(), clay.start_positions());
    undo(clay);
    EXPECT_EQ(clay.positions(), clay.start_positions());
    EXPECT_EQ(clay.mask(), mask);
    EXPECT_TRUE(undo(clay).masked);
    EXPECT_EQ(clay.mask(), std::vector<float>(mask.size()));
    redo(clay);
    EXPECT_EQ(clay.mask(), mask);
    clay.clear_mask();
    EXPECT_EQ(clay.mask(), std::vector<float>(mask.size()));
    undo(clay);
    EXPECT_EQ(clay.mask(), mask);
}

TEST(Symmetry, radial_copies_press_the_clay_alike_all_around) {
    for (const int radial : {2, 5, 64}) {
        Clay clay(clay_shape(ClayShape::sphere, 20000));
        ClayBrush brush;
        brush.symmetry.radial = radial;
        press(clay, 0, 0.07, 0.012, brush);
        const double sector = 2 * std::numbers::pi / radial;
        std::vector<double> depth(static_cast<std::size_t>(radial));
        for (std::uint32_t v = 0; v < clay.positions().size(); ++v) {
            const Vec3f& p = clay.start_positions()[v];
            const double a = std::atan2(static_cast<double>(p.z), static_cast<double>(p.x)) + sector / 2;
            const auto k =
                static_cast<std::size_t>(std::floor((a < 0 ? a + 2 * std::numbers::pi : a) / sector));
            double& deepest = depth[std::min(k, depth.size() - 1)];
            deepest = std::max(deepest, static_cast<double>(length(p - clay.positions()[v])));
        }
        const auto [least, most] = std::minmax_element(depth.begin(), depth.end());
        EXPECT_GT(*least, 0.002) << radial;
        EXPECT_LT(*most, 1.3 * *least) << radial;
    }
}

TEST(Symmetry, mirrors_reflect_and_a_touch_on_the_axis_is_not_multiplied) {
    const Symmetry both{true, true, 3};
    ASSERT_EQ(both.copies(), 12u);
    const Vec3f p{0.03f, 0.05f, 0.01f};
    for (std::size_t k = 0; k < both.copies(); ++k) {
        const Vec3f q = symmetric(both, k, p);
        EXPECT_NEAR(length(q), length(p), 1e-7f);
        EXPECT_EQ(q.y, p.y);
        for (std::size_t j = 0; j < k; ++j) EXPECT_GT(length(q - symmetric(both, j, p)), 1e-3f);
    }
    ClayOp op;
    op.radius = 0.03f;
    op.amount = 1;
    op.centre = {0, 0.1f, 0};
    std::vector<ClayOp> ops;
    append_copies({false, false, 16}, op, ops);
    float sum = 0;
    for (const ClayOp& copy : ops) sum += copy.amount;
    EXPECT_NEAR(sum, 1, 1e-5f);
}

TEST(Falloff, all_fade_from_one_to_zero_and_do_not_fold_the_clay) {
    for (const Falloff kind : {Falloff::smooth, Falloff::dome, Falloff::linear, Falloff::sharp}) {
        EXPECT_EQ(falloff_at(kind, 0), 1);
        EXPECT_EQ(falloff_at(kind, 1), 0);
        EXPECT_EQ(falloff_at(kind, 2), 0);
        double slope = 0;
        for (int i = 1; i < 1000; ++i) {
            const double a = (i - 1) * 1e-3, b = i * 1e-3;
            const double fall = static_cast<double>(falloff_at(kind, static_cast<float>(a * a)) -
                                                    falloff_at(kind, static_cast<float>(b * b)));
            EXPECT_GE(fall, -1e-6);
            slope = std::max(slope, fall / 1e-3);
        }
        EXPECT_LT(slope, 1.54 * relative_slope(kind) * 1.02);
        Clay clay(clay_shape(ClayShape::sphere, 20000));
        ClayBrush brush;
        brush.falloff = kind;
        press(clay, 0, 0.07, 0.015, brush);
        std::size_t flipped = 0;
        const auto area = [&](std::uint32_t p, const std::vector<Vec3f>& at) {
            const auto loop = clay.topology().loop(p);
            return cross(at[loop[1]] - at[loop[0]], at[loop[2]] - at[loop[0]]);
        };
        for (std::uint32_t p = 0; p < clay.topology().polygon_count(); ++p)
            flipped += dot(area(p, clay.positions()), area(p, clay.start_positions())) < 0;
        EXPECT_EQ(flipped, 0u) << kFalloffIds[static_cast<int>(kind)];
    }
}

}  // namespace
}  // namespace claybox::app
