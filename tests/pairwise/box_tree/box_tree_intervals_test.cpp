// Incremental interval splitting, compared with clipping from scratch and with the separating-axis test.

#include "collision/core/random.hpp"
#include "collision/geometry/transform.hpp"
#include "collision/pairwise/box_tree/aligned.hpp"
#include "collision/pairwise/box_tree/intervals.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <optional>

namespace claybox::test {
namespace {

using namespace collision;
using Triple = std::array<double, 3>;
using Rows = std::array<Triple, 3>;

/// Two boxes, each in its own frame, and the pose of B's frame in A's.
struct Boxes {
    Pose a_from_b;
    std::array<Triple, 2> low{}, size{};
};

Triple triple(const Vec3d& v) {
    return {v.x, v.y, v.z};
}

Boxes random_boxes(Random& random, double distance) {
    Boxes out;
    out.a_from_b = {random_rotation(random, 0, 3.1), distance * random.unit_vector()};
    for (std::size_t s = 0; s < 2; ++s)
        for (std::size_t k = 0; k < 3; ++k) {
            out.low[s][k] = random.uniform(-1, 0);
            out.size[s][k] = random.uniform(0.1, 2);
        }
    return out;
}

Pose pose_of(const Boxes& boxes, std::size_t s) {
    return s == 0 ? inverse(boxes.a_from_b) : boxes.a_from_b;  // of side s in the other frame
}

/// Unit vectors of each side in the other frame.
std::array<Rows, 2> axes_of(const Boxes& boxes) {
    std::array<Rows, 2> out;
    for (std::size_t s = 0; s < 2; ++s)
        for (std::size_t k = 0; k < 3; ++k) {
            Vec3d unit;
            unit[k] = 1;
            out[s][k] = triple(rotate(pose_of(boxes, s).rotation, unit));
        }
    return out;
}

std::array<Triple, 2> origins_of(const Boxes& boxes) {
    std::array<Triple, 2> out;
    for (std::size_t s = 0; s < 2; ++s)
        out[s] =
            triple(transform_point(pose_of(boxes, s), {boxes.low[s][0], boxes.low[s][1], boxes.low[s][2]}));
    return out;
}

constexpr std::array<Triple, 2> kNoSlack{};
const std::array<Triple, 2> kLong{Triple{100, 100, 100}, Triple{100, 100, 100}};

BoxTreeFrames<double> frames_of(const Boxes& boxes, const std::array<Triple, 2>& slack = kNoSlack) {
    return {axes_of(boxes), slack, kLong};
}

BoxPair<double> first_of(const Boxes& boxes, const BoxTreeFrames<double>& frames) {
    return IntervalSplitter<double>(frames).first(boxes.low, boxes.size, origins_of(boxes));
}

struct Interval {
    double min = 0, max = 0;
    bool empty() const { return !(min <= max); }
};

/// Edge i of family f of side s inside the other box: clipped plane by plane.
Interval clip(const Boxes& boxes, std::size_t s, std::size_t f, std::size_t i) {
    Vec3d start{boxes.low[s][0], boxes.low[s][1], boxes.low[s][2]}, along;
    if (i & 1) start[kOtherAxes[f][0]] += boxes.size[s][kOtherAxes[f][0]];
    if (i & 2) start[kOtherAxes[f][1]] += boxes.size[s][kOtherAxes[f][1]];
    along[f] = 1;
    start = transform_point(pose_of(boxes, s), start);
    along = rotate(pose_of(boxes, s).rotation, along);
    Interval out{0, boxes.size[s][f]};
    for (std::size_t r = 0; r < 3; ++r) {
        const double low = boxes.low[1 - s][r], high = low + boxes.size[1 - s][r];
        if (along[r] == 0) {
            if (start[r] < low || start[r] > high) out.max = out.min - 1;
            continue;
        }
        const double at_low = (low - start[r]) / along[r], at_high = (high - start[r]) / along[r];
        out.min = std::max(out.min, std::min(at_low, at_high));
        out.max = std::min(out.max, std::max(at_low, at_high));
    }
    return out;
}

/// Gap of two boxes along the best of the 15 axes; negative if they overlap by that much.
double gap(const Boxes& boxes) {
    Vec3d axis[2][3];  // in A's frame
    for (std::size_t k = 0; k < 3; ++k) {
        axis[0][k][k] = 1;
        axis[1][k] = rotate(boxes.a_from_b.rotation, axis[0][k]);
    }
    Vec3d centre[2], half[2];
    for (std::size_t s = 0; s < 2; ++s)
        for (std::size_t k = 0; k < 3; ++k) {
            half[s][k] = boxes.size[s][k] / 2;
            centre[s][k] = boxes.low[s][k] + half[s][k];
        }
    centre[1] = transform_point(boxes.a_from_b, centre[1]);
    const auto along = [&](const Vec3d& n) {
        double radius = 0;
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t k = 0; k < 3; ++k) radius += half[s][k] * std::abs(dot(n, axis[s][k]));
        return std::abs(dot(n, centre[1] - centre[0])) - radius;
    };
    double best = -HUGE_VAL;
    for (std::size_t i = 0; i < 3; ++i) {
        best = std::max({best, along(axis[0][i]), along(axis[1][i])});
        for (std::size_t j = 0; j < 3; ++j) {
            const Vec3d n = cross(axis[0][i], axis[1][j]);
            if (length(n) > 1e-6) best = std::max(best, along(n / length(n)));
        }
    }
    return best;
}

void expect_as_from_scratch(const BoxPair<double>& pair, const Boxes& boxes, double tolerance) {
    for (std::size_t s = 0; s < 2; ++s)
        for (std::size_t f = 0; f < 3; ++f)
            for (std::size_t i = 0; i < 4; ++i) {
                const Interval expected = clip(boxes, s, f, i);
                const bool outside = (pair.side[s].outside >> (4 * f + i) & 1) != 0;
                if (std::abs(expected.max - expected.min) > 1e-7) {
                    ASSERT_EQ(outside, expected.empty()) << s << f << i;
                }
                if (outside || expected.empty()) continue;
                ASSERT_NEAR(pair.side[s].min[f][i], expected.min, tolerance) << s << f << i;
                ASSERT_NEAR(pair.side[s].max[f][i], expected.max, tolerance) << s << f << i;
            }
}

/// Allows for large quotients of small rotation components.
double tolerance_of(const Boxes& boxes) {
    double least = 1;
    for (const Rows& rows : axes_of(boxes))
        for (const Triple& row : rows)
            for (const double v : row) least = std::min(least, std::abs(v));
    return 1e-9 * std::max(1.0, 1e-4 / least);
}

TEST(BoxTreeIntervals, Z_3_6_1_first_test_is_the_separating_axis_test_on_a_million_pairs) {
    Random random(1);
    int overlapping = 0, near = 0;
    for (int i = 0; i < 1000000; ++i) {
        const Boxes boxes = random_boxes(random, random.uniform(0, 2.5));
        const double apart = gap(boxes);
        if (std::abs(apart) < 1e-9) {
            ++near;
            continue;
        }
        const BoxTreeFrames<double> frames = frames_of(boxes);
        const bool overlaps = first_of(boxes, frames).boxes_overlap();
        ASSERT_EQ(overlaps, apart < 0) << i;
        overlapping += overlaps ? 1 : 0;
    }
    EXPECT_GT(overlapping, 300000);
    EXPECT_LT(overlapping, 700000);
    EXPECT_LT(near, 100);
}

TEST(BoxTreeIntervals, Z_3_6_4_init_first_intervals_match_clipping_each_edge) {
    Random random(2);
    for (int i = 0; i < 3000; ++i) {
        const Boxes boxes = random_boxes(random, random.uniform(0, 2));
        const BoxTreeFrames<double> frames = frames_of(boxes);
        expect_as_from_scratch(first_of(boxes, frames), boxes, tolerance_of(boxes));
    }
}

/// Random cuts of random sides; continues with one half as long as the halves overlap.
template <class Check>
void traverse(std::uint64_t seed, bool middle, Check&& check) {
    Random random(seed);
    for (int i = 0; i < 1500; ++i) {
        Boxes boxes = random_boxes(random, random.uniform(0, 1.5));
        const BoxTreeFrames<double> frames = frames_of(boxes);
        std::optional<BoxTreeProducts<double>> products;
        if (middle) products.emplace(frames, boxes.size);
        const IntervalSplitter<double> splitter(frames, middle ? &*products : nullptr);
        BoxPair<double> pair = splitter.first(boxes.low, boxes.size, origins_of(boxes)), left, right;
        for (int cut = 0; cut < 12 && pair.boxes_overlap(); ++cut) {
            const std::size_t s = random.below(2), axis = random.below(3);
            const double part = boxes.size[s][axis] * (middle ? 0.5 : random.uniform(0.1, 0.9));
            splitter.split(pair, s, axis, boxes.low[s][axis] + part, part, left, right);
            const bool upper = random.below(2) == 1;
            pair = upper ? right : left;
            if (upper) boxes.low[s][axis] += part;
            boxes.size[s][axis] = upper ? boxes.size[s][axis] - part : part;
            check(pair, boxes);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

TEST(BoxTreeIntervals, Z_3_6_1_splitx_y_z_matches_intervals_from_scratch) {
    traverse(3, false, [](const BoxPair<double>& pair, const Boxes& boxes) {
        expect_as_from_scratch(pair, boxes, tolerance_of(boxes));
    });
}

TEST(BoxTreeIntervals, Z_3_6_4_mid_cuts_with_product_tables_match_intervals_from_scratch) {
    traverse(4, true, [](const BoxPair<double>& pair, const Boxes& boxes) {
        expect_as_from_scratch(pair, boxes, tolerance_of(boxes));
    });
}

TEST(BoxTreeIntervals, Z_3_6_4_mid_product_tables_change_no_digit) {
    Random random(5);
    for (int i = 0; i < 500; ++i) {
        const Boxes boxes = random_boxes(random, 0.5);
        const BoxTreeFrames<double> frames = frames_of(boxes);
        const BoxTreeProducts<double> products(frames, boxes.size);
        const IntervalSplitter<double> with(frames, &products), without(frames);
        BoxPair<double> one = first_of(boxes, frames), other = one, l, r, l2, r2;
        for (int cut = 0; cut < 10; ++cut) {
            const std::size_t s = random.below(2), axis = random.below(3);
            const double part = one.side[s].size[axis] / 2;
            with.split(one, s, axis, one.side[s].low[axis] + part, part, l, r);
            without.split(other, s, axis, other.side[s].low[axis] + part, part, l2, r2);
            const bool upper = random.below(2) == 1;
            one = upper ? r : l;
            other = upper ? r2 : l2;
            for (std::size_t side = 0; side < 2; ++side) {
                ASSERT_EQ(one.side[side].outside, other.side[side].outside);
                ASSERT_EQ(std::memcmp(one.side[side].min, other.side[side].min, sizeof one.side[side].min),
                          0);
                ASSERT_EQ(std::memcmp(one.side[side].max, other.side[side].max, sizeof one.side[side].max),
                          0);
            }
        }
    }
}

TEST(BoxTreeIntervals, Z_3_6_1_rep_in_both_frames_agrees_after_splits) {
    traverse(6, false, [](const BoxPair<double>& pair, const Boxes& boxes) {
        const auto origin = origins_of(boxes);
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t k = 0; k < 3; ++k) {
                ASSERT_NEAR(pair.side[s].origin[k], origin[s][k], 1e-12);
                ASSERT_NEAR(pair.side[s].low[k], boxes.low[s][k], 1e-12);
                ASSERT_NEAR(pair.side[s].size[k], boxes.size[s][k], 1e-12);
            }
    });
}

TEST(BoxTreeIntervals, Z_3_6_1_enter_flags_hold_for_all_edges_of_a_family_during_a_traversal) {
    Random random(7);
    for (int i = 0; i < 300; ++i) {
        const Boxes boxes = random_boxes(random, 0.5);
        const BoxTreeFrames<double> frames = frames_of(boxes);
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t f = 0; f < 3; ++f)
                for (std::size_t r = 0; r < 3; ++r) {
                    // The parameter at the low plane comes first exactly if edges enter there.
                    const double at_low = -1 * frames.side[s].inverse[f][r],
                                 at_high = 1 * frames.side[s].inverse[f][r];
                    EXPECT_EQ(frames.side[s].enters[f][r], at_low < at_high);
                }
        // Only the constants shared by all splits contain the flags: a pair has none, and nothing can write
        // them.
        static_assert(!std::is_assignable_v<
                      decltype((std::declval<const BoxTreeFrames<double>&>().side[0].enters[0][0])), bool>);
        const auto before = std::make_unique<BoxTreeFrames<double>>(frames);
        BoxPair<double> pair = first_of(boxes, frames), left, right;
        IntervalSplitter<double>(frames).split(pair, 1, 2, boxes.low[1][2] + 0.05, 0.05, left, right);
        EXPECT_EQ(std::memcmp(before->side[0].enters, frames.side[0].enters, sizeof frames.side[0].enters),
                  0);
        EXPECT_EQ(std::memcmp(before->side[1].enters, frames.side[1].enters, sizeof frames.side[1].enters),
                  0);
    }
}

TEST(BoxTreeIntervals, Z_3_6_2_par_edges_need_no_special_case_by_the_caller) {
    Random random(8);
    const Quat quarter = axis_angle({0, 0, 1}, std::acos(-1.0) / 2);
    for (int i = 0; i < 20000; ++i) {
        Boxes boxes = random_boxes(random, random.uniform(0, 2.5));
        // Identity, a rounded quarter turn, or a rotation about one axis only.
        const std::size_t kind = random.below(3);
        boxes.a_from_b.rotation = kind == 0   ? Quat{}
                                  : kind == 1 ? quarter
                                              : axis_angle({0, 1, 0}, random.uniform(0, 3));
        const double apart = gap(boxes);
        if (std::abs(apart) < 1e-9) continue;
        const std::array<Triple, 2> slack{Triple{1e-12, 1e-12, 1e-12}, Triple{1e-12, 1e-12, 1e-12}};
        const BoxTreeFrames<double> frames = frames_of(boxes, slack);
        EXPECT_TRUE(frames.side[0].parallel[1][2]);
        const IntervalSplitter<double> splitter(frames);
        BoxPair<double> pair = first_of(boxes, frames);
        ASSERT_EQ(pair.boxes_overlap(), apart < 0) << i;
        BoxPair<double> left, right;
        const std::size_t s = random.below(2), axis = random.below(3);
        const double part = boxes.size[s][axis] * random.uniform(0.1, 0.9);
        splitter.split(pair, s, axis, boxes.low[s][axis] + part, part, left, right);
        for (const BoxPair<double>* half : {&left, &right})
            for (const auto& side : half->side)
                for (std::size_t f = 0; f < 3; ++f)
                    for (std::size_t e = 0; e < 4; ++e)
                        ASSERT_TRUE(std::isfinite(side.min[f][e]) && std::isfinite(side.max[f][e]));
        Boxes halves[2] = {boxes, boxes};
        halves[0].size[s][axis] = part;
        halves[1].low[s][axis] += part;
        halves[1].size[s][axis] -= part;
        if (!pair.boxes_overlap()) continue;
        if (std::abs(gap(halves[0])) > 1e-9) {
            ASSERT_EQ(left.boxes_overlap(), gap(halves[0]) < 0) << i;
        }
        if (std::abs(gap(halves[1])) > 1e-9) {
            ASSERT_EQ(right.boxes_overlap(), gap(halves[1]) < 0) << i;
        }
    }
}

TEST(BoxTreeIntervals, Z_3_6_4_outside_counters_of_both_boxes_are_required) {
    Random random(9);
    int overlapping = 0, all_of_one_outside = 0;
    for (int i = 0; i < 20000; ++i) {
        const Boxes boxes = random_boxes(random, random.uniform(0, 2.5));
        const BoxTreeFrames<double> frames = frames_of(boxes);
        const BoxPair<double> pair = first_of(boxes, frames);
        // The counter matches the flags.
        for (const auto& side : pair.side) {
            int left = 0;
            for (int bit = 0; bit < 12; ++bit) left += (side.outside >> bit & 1) == 0 ? 1 : 0;
            ASSERT_EQ(left, side.edges_left());
        }
        if (const double apart = gap(boxes); std::abs(apart) > 1e-9) {
            ASSERT_EQ(pair.boxes_overlap(), apart < 0) << i;
        }
        if (!pair.boxes_overlap()) continue;
        ++overlapping;
        all_of_one_outside += pair.side[0].edges_left() == 0 || pair.side[1].edges_left() == 0 ? 1 : 0;
    }
    EXPECT_GT(overlapping, 5000);
    EXPECT_GT(all_of_one_outside, overlapping / 20);  // FIX-28 counts 212 of 1472
}

TEST(BoxTreeIntervals, Z_3_6_4_outside_flags_change_the_work_but_no_verdict) {
    Random random(10);
    for (int i = 0; i < 3000; ++i) {
        const Boxes boxes = random_boxes(random, random.uniform(0, 2));
        const BoxTreeFrames<double> frames = frames_of(boxes);
        const IntervalSplitter<double, true> with(frames);
        const IntervalSplitter<double, false> without(frames);
        BoxPair<double> one = with.first(boxes.low, boxes.size, origins_of(boxes)),
                        other = without.first(boxes.low, boxes.size, origins_of(boxes)), l, r, l2, r2;
        for (int cut = 0; cut < 8 && one.boxes_overlap(); ++cut) {
            const std::size_t s = random.below(2), axis = random.below(3);
            const double part = one.side[s].size[axis] * 0.4, position = one.side[s].low[axis] + part;
            with.split(one, s, axis, position, part, l, r);
            without.split(other, s, axis, position, part, l2, r2);
            const bool upper = random.below(2) == 1;
            one = upper ? r : l;
            other = upper ? r2 : l2;
            ASSERT_EQ(one.side[0].outside, other.side[0].outside);
            ASSERT_EQ(one.side[1].outside, other.side[1].outside);
        }
    }
}

TEST(BoxTreeIntervals, slack_keeps_pairs_with_a_smaller_gap) {
    Random random(11);
    int kept = 0;
    for (int i = 0; i < 20000; ++i) {
        Boxes boxes = random_boxes(random, 0);
        // Along the direction in which they separate, just not touching.
        const Vec3d away = random.unit_vector();
        double low = 0, high = 5;
        for (int step = 0; step < 60; ++step) {
            boxes.a_from_b.translation = (low + high) / 2 * away;
            (gap(boxes) > 0 ? high : low) = (low + high) / 2;
        }
        boxes.a_from_b.translation = (high + 1e-4) * away;
        if (gap(boxes) <= 0 || gap(boxes) > 1e-4) continue;
        const Triple s{2e-4, 2e-4, 2e-4};
        const BoxTreeFrames<double> frames = frames_of(boxes, {s, s});
        ASSERT_TRUE(first_of(boxes, frames).boxes_overlap()) << i;
        ++kept;
    }
    EXPECT_GT(kept, 10000);
}

TEST(BoxTreeAligned, Z_3_6_4_aabb_computed_on_the_fly_encloses_the_boxes) {
    Random random(12);
    for (int i = 0; i < 1000; ++i) {
        const Boxes boxes = random_boxes(random, 1);
        AlignedFrames frames;
        AlignedPair pair{}, left, right;
        const auto around = [&](AlignedPair::Side& side, std::size_t s) {
            for (std::size_t r = 0; r < 3; ++r) {
                side.min[r] = side.max[r] = frames.origin[s][r];
                for (std::size_t k = 0; k < 3; ++k) {
                    const double low = frames.axes[s][k][r] * side.low[k],
                                 high = frames.axes[s][k][r] * (side.low[k] + side.size[k]);
                    side.min[r] += std::min(low, high);
                    side.max[r] += std::max(low, high);
                }
            }
        };
        for (std::size_t s = 0; s < 2; ++s) {
            frames.axes[s] = axes_of(boxes)[s];
            frames.origin[s] = triple(random.unit_vector());
            for (std::size_t k = 0; k < 3; ++k) {
                pair.side[s].low[k] = boxes.low[s][k];
                pair.side[s].size[k] = boxes.size[s][k];
            }
            around(pair.side[s], s);
        }
        for (int cut = 0; cut < 10; ++cut) {
            const std::size_t s = random.below(2), axis = random.below(3);
            const double part = pair.side[s].size[axis] * random.uniform(0.2, 0.8);
            AlignedSplitter(frames).split(pair, s, axis, pair.side[s].low[axis] + part, part, left, right);
            pair = random.below(2) == 1 ? right : left;
            for (std::size_t side = 0; side < 2; ++side) {
                AlignedPair::Side expected = pair.side[side];
                around(expected, side);
                for (std::size_t r = 0; r < 3; ++r) {
                    ASSERT_NEAR(pair.side[side].min[r], expected.min[r], 1e-12);
                    ASSERT_NEAR(pair.side[side].max[r], expected.max[r], 1e-12);
                }
            }
        }
    }
}

}  // namespace
}  // namespace claybox::test
