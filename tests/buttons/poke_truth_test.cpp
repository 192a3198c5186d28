// The press machine against what geometry says, over random pokes; the two share nothing but their rules.
#include "app/buttons/poke_truth.hpp"

#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::app {
namespace {

using collision::Random;
using collision::Vec3d;

TruthWay way_through(std::initializer_list<double> heights, double x = 0) {
    TruthWay way;
    double time = 0;
    for (const double h : heights) way.points.push_back({time += 0.2, {x, 0, h + way.radius}});
    return way;
}

TruthCount judged(const TruthWay& way) {
    return what_should_happen(std::span(&way, 1), std::array{TruthFace{}}, PressRules{}).front();
}

TEST(PokeTruth, SaysWhatAnybodyWouldSay) {
    EXPECT_EQ(judged(way_through({0.05, 0.05, -0.007, 0.05})), (TruthCount{1, 1, 0}));
    EXPECT_EQ(judged(way_through({0.05, 0.05, -0.005, 0.05})), (TruthCount{0, 0, 0})) << "not deep enough";
    EXPECT_EQ(judged(way_through({0.05, 0.05, -0.007, 0.05}, 0.017)), (TruthCount{0, 0, 0})) << "beside";
    EXPECT_EQ(judged(way_through({-0.05, -0.05, 0.05})), (TruthCount{0, 0, 1})) << "from behind";
    EXPECT_EQ(judged(way_through({0.05, 0.05, -0.2})), (TruthCount{1, 1, 0})) << "right through";
    EXPECT_EQ(judged(way_through({0.05, 0.05, -0.007, -0.004, -0.007})), (TruthCount{1, 0, 0}))
        << "trembling";
    EXPECT_EQ(judged(way_through({0.05, 0.05, -0.007, 0.01, -0.007})), (TruthCount{2, 1, 0})) << "twice";
    EXPECT_EQ(judged(way_through({0.05, -0.007, 0.05})), (TruthCount{1, 1, 0}));
    EXPECT_EQ(judged(way_through({0.01, -0.02, 0.05})), (TruthCount{0, 0, 1})) << "it has just appeared";
}

/// Random ways of two fingers over four keys: zigzags with corners at random heights and places.
std::vector<TruthWay> wander(Random& random) {
    std::vector<TruthWay> ways(2);
    for (TruthWay& way : ways) {
        way.radius = random.uniform(0.005, 0.009);
        double time = random.uniform(0, 0.1);
        for (int i = 0; i < 40; ++i) {
            way.points.push_back(
                {time,
                 {random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), random.uniform(-0.03, 0.05)}});
            time += random.uniform(0.005, 0.2);
        }
    }
    return ways;
}

Vec3d place(const TruthWay& way, double time) {
    std::size_t next = 1;
    while (next + 1 < way.points.size() && way.points[next].time < time) ++next;
    const TruthPoint &a = way.points[next - 1], &b = way.points[next];
    return a.at + (b.at - a.at) * ((time - a.time) / (b.time - a.time));
}

// The frames of the machine are the corners of both ways, so that both see the same segments.
TEST(PokeTruth, ThePressMachineDoesWhatShouldHappenOnRandomWays) {
    Random random(11);
    std::vector<TruthFace> faces(4);
    std::vector<PressPad> pads;
    for (std::size_t i = 0; i < faces.size(); ++i) {
        faces[i].middle = {i % 2 == 0 ? -0.02 : 0.02, i < 2 ? -0.02 : 0.02, i == 3 ? 0.004 : 0};
        faces[i].pad = {0.016, 0.013};
        pads.push_back(faces[i].pad);
    }
    int presses = 0;
    for (int round = 0; round < 400; ++round) {
        const std::vector<TruthWay> ways = wander(random);
        const PressRules rules;
        PressBoard board(pads, 2);
        std::vector<PressEvent> events;
        std::vector<double> instants;
        for (std::uint32_t w = 0; w < 2; ++w) {
            board.appear(w, ways[w].points.front().time, events);
            for (const TruthPoint& p : ways[w].points) instants.push_back(p.time);
        }
        std::sort(instants.begin(), instants.end());
        for (std::size_t i = 0; i + 1 < instants.size(); ++i) {
            std::vector<FingerMove> moves;
            for (std::uint32_t w = 0; w < 2; ++w) {
                const auto& points = ways[w].points;
                if (instants[i] < points.front().time || instants[i + 1] > points.back().time) continue;
                for (std::uint32_t f = 0; f < 4; ++f)
                    moves.push_back({w, f, place(ways[w], instants[i]) - faces[f].middle,
                                     place(ways[w], instants[i + 1]) - faces[f].middle, ways[w].radius,
                                     instants[i], instants[i + 1]});
            }
            board.frame(moves, rules, events);
        }
        const std::vector<TruthCount> truth = what_should_happen(ways, faces, rules);
        for (std::uint32_t f = 0; f < 4; ++f) {
            TruthCount told;
            told.from_behind = truth[f].from_behind;
            for (const PressEvent& e : events) {
                if (e.button != f) continue;
                told.presses += e.kind == PressKind::fired;
                told.releases += e.kind == PressKind::released;
            }
            ASSERT_EQ(told, truth[f])
                << "round " << round << " face " << f << ": " << told.presses << "/" << told.releases
                << " for " << truth[f].presses << "/" << truth[f].releases;
            presses += told.presses;
        }
    }
    EXPECT_GT(presses, 1000);
}

}  // namespace
}  // namespace claybox::app
