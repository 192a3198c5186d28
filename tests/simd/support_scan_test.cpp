#include "collision/simd/support_scan.hpp"

#include "collision/core/random.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <vector>

namespace claybox::collision {
namespace {

struct Points {
    std::vector<float> x, y, z;
    std::uint32_t count() const { return static_cast<std::uint32_t>(x.size()); }
};

/// `count` points, padded with the first point. `coarse` puts them on a coarse grid, which produces many
/// ties.
Points make_points(std::uint32_t count, bool coarse, Random& random) {
    Points p;
    const auto number = [&] {
        return coarse ? static_cast<float>(random.below(3)) : static_cast<float>(random.uniform(-1, 1));
    };
    for (std::uint32_t i = 0; i < (count + kScanPadding - 1) / kScanPadding * kScanPadding; ++i) {
        p.x.push_back(i < count ? number() : p.x[0]);
        p.y.push_back(i < count ? number() : p.y[0]);
        p.z.push_back(i < count ? number() : p.z[0]);
    }
    return p;
}

std::uint32_t scan(const Points& p, const Vec3f& d) {
    return support_scan(p.x.data(), p.y.data(), p.z.data(), p.count(), d);
}

std::uint32_t scan_scalar(const Points& p, const Vec3f& d) {
    return support_scan_scalar(p.x.data(), p.y.data(), p.z.data(), p.count(), d);
}

/// Runs `body` once per vector target that this processor supports; returns the number of targets.
template <class Body>
int on_every_target(Body body) {
    int targets = 0;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        SCOPED_TRACE(hwy::TargetName(target));
        body();
        ++targets;
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return targets;
}

TEST(SupportScan, every_target_equals_the_plain_loop) {
    const int targets = on_every_target([] {
        Random random(11);
        for (int round = 0; round < 2000; ++round) {
            const bool coarse = round % 2 == 1;
            const Points p = make_points(1 + static_cast<std::uint32_t>(random.below(300)), coarse, random);
            Vec3f d = cast<float>(random.unit_vector());
            if (coarse) d = {static_cast<float>(random.below(2)), 1.0f, static_cast<float>(random.below(3))};
            ASSERT_EQ(scan(p, d), scan_scalar(p, d)) << "round " << round << ", " << p.count() << " points";
        }
    });
    EXPECT_GE(targets, 1);
}

TEST(SupportScan, lowest_index_wins_ties_and_padding_never_wins) {
    on_every_target([] {
        Random random(5);
        Points p = make_points(40, false, random);
        for (std::uint32_t i = 0; i < p.count(); ++i) p.x[i] = p.y[i] = p.z[i] = 0.25f;
        EXPECT_EQ(scan(p, {1, 2, 3}), 0u);
        p.x[17] = p.x[33] = p.x[47] = 1.0f;
        EXPECT_EQ(scan(p, {1, 0, 0}), 17u);
    });
}

TEST(SupportScan, no_target_uses_fused_operations) {
    // x * x - y, where y is the rounded square: zero without fused operations, the rounding error with them.
    const float x = 1.0f + 0x1p-12f;
    Points p;
    p.x.assign(kScanPadding, x);
    p.y.assign(kScanPadding, -(x * x));
    p.z.assign(kScanPadding, 0.0f);
    p.z[3] = 0x1p-60f;  // largest only if the other sums are exactly zero
    on_every_target([&] { EXPECT_EQ(scan(p, {x, 1.0f, 1.0f}), 3u); });
}

TEST(SupportScan, overflowing_sums_return_a_valid_index) {
    on_every_target([] {
        Random random(3);
        Points p = make_points(64, false, random);
        for (std::uint32_t i = 0; i < p.count(); i += 3) {
            p.x[i] = 0x1p127f;
            p.y[i] = -0x1p127f;
        }
        EXPECT_LT(scan(p, {8.0f, 8.0f, 1.0f}), p.count());
    });
}

}  // namespace
}  // namespace claybox::collision
