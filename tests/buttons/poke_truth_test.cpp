// Compares the press machine with the ground truth over random pokes. The two share nothing but the rules.
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

TruthPath path_through(std::initializer_list<double> heights, double x = 0) {
    TruthPath path;
    double time = 0;
    for (const double h : heights) path.points.push_back({time += 0.2, {x, 0, h + path.radius}});
    return path;
}

TruthCount count_of(const TruthPath& path) {
    return expected_presses(std::span(&path, 1), std::array{TruthFace{}}, PressRules{}).front();
}

TEST(PokeTruth, counts_simple_pokes_as_expected) {
    EXPECT_EQ(count_of(path_through({0.05, 0.05, -0.007, 0.05})), (TruthCount{1, 1, 0}));
    EXPECT_EQ(count_of(path_through({0.05, 0.05, -0.005, 0.05})), (TruthCount{0, 0, 0})) << "not deep enough";
    EXPECT_EQ(count_of(path_through({0.05, 0.05, -0.007, 0.05}, 0.017)), (TruthCount{0, 0, 0}))
        << "off the side";
    EXPECT_EQ(count_of(path_through({-0.05, -0.05, 0.05})), (TruthCount{0, 0, 1})) << "from behind";
    EXPECT_EQ(count_of(path_through({0.05, 0.05, -0.2})), (TruthCount{1, 1, 0})) << "through the button";
    EXPECT_EQ(count_of(path_through({0.05, 0.05, -0.007, -0.004, -0.007})), (TruthCount{1, 0, 0}))
        << "jitter";
    EXPECT_EQ(count_of(path_through({0.05, 0.05, -0.007, 0.01, -0.007})), (TruthCount{2, 1, 0})) << "twice";
    EXPECT_EQ(count_of(path_through({0.05, -0.007, 0.05})), (TruthCount{1, 1, 0}));
    EXPECT_EQ(count_of(path_through({0.01, -0.02, 0.05})), (TruthCount{0, 0, 1}))
        << "the finger has just appeared";
}

/// Random paths of two fingers over four keys: zigzags with corners at random heights and places.
std::vector<TruthPath> random_paths(Random& random) {
    std::vector<TruthPath> paths(2);
    for (TruthPath& path : paths) {
        path.radius = random.uniform(0.005, 0.009);
        double time = random.uniform(0, 0.1);
        for (int i = 0; i < 40; ++i) {
            path.points.push_back(
                {time,
                 {random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), random.uniform(-0.03, 0.05)}});
            time += random.uniform(0.005, 0.2);
        }
    }
    return paths;
}

Vec3d place(const TruthPath& path, double time) {
    std::size_t next = 1;
    while (next + 1 < path.points.size() && path.points[next].time < time) ++next;
    const TruthPoint &a = path.points[next - 1], &b = path.points[next];
    return a.at + (b.at - a.at) * ((time - a.time) / (b.time - a.time));
}

// The frames of the press machine are the corners of both paths, so machine and truth see the same segments.
TEST(PokeTruth, matches_the_press_machine_on_random_paths) {
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
        const std::vector<TruthPath> paths = random_paths(random);
        const PressRules rules;
        PressBoard board(pads, 2);
        std::vector<PressEvent> events;
        std::vector<double> instants;
        for (std::uint32_t w = 0; w < 2; ++w) {
            board.appear(w, paths[w].points.front().time, events);
            for (const TruthPoint& p : paths[w].points) instants.push_back(p.time);
        }
        std::sort(instants.begin(), instants.end());
        for (std::size_t i = 0; i + 1 < instants.size(); ++i) {
            std::vector<FingerMove> moves;
            for (std::uint32_t w = 0; w < 2; ++w) {
                const auto& points = paths[w].points;
                if (instants[i] < points.front().time || instants[i + 1] > points.back().time) continue;
                for (std::uint32_t f = 0; f < 4; ++f)
                    moves.push_back({w, f, place(paths[w], instants[i]) - faces[f].middle,
                                     place(paths[w], instants[i + 1]) - faces[f].middle, paths[w].radius,
                                     instants[i], instants[i + 1]});
            }
            board.frame(moves, rules, events);
        }
        const std::vector<TruthCount> truth = expected_presses(paths, faces, rules);
        for (std::uint32_t f = 0; f < 4; ++f) {
            TruthCount reported;
            reported.from_behind = truth[f].from_behind;
            for (const PressEvent& e : events) {
                if (e.button != f) continue;
                reported.presses += e.kind == PressKind::fired;
                reported.releases += e.kind == PressKind::released;
            }
            ASSERT_EQ(reported, truth[f])
                << "round " << round << " face " << f << ": found " << reported.presses << "/"
                << reported.releases << ", expected " << truth[f].presses << "/" << truth[f].releases;
            presses += reported.presses;
        }
    }
    EXPECT_GT(presses, 1000);
}

}  // namespace
}  // namespace claybox::app
