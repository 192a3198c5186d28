// screw_motion on the ground truth: verdicts, and times within 1e-6 of the certified interval.

#include "tests/continuous/screw_motion/screw_case.hpp"
#include "tests/support/truth.hpp"

#include <cmath>
#include <cstdio>

namespace claybox::test {
namespace {

ShapePtr hull_of(const nlohmann::json& body) {
    std::vector<Vec3f> points;
    for (const auto& p : body["points"])
        points.push_back({static_cast<float>(p[0].get<double>()), static_cast<float>(p[1].get<double>()),
                          static_cast<float>(p[2].get<double>())});
    return Shape::from_hull(points).value();
}

Matrix34f matrix_of(const nlohmann::json& m) {
    Matrix34f out;
    for (std::size_t i = 0; i < 12; ++i) out.m[i] = static_cast<float>(m[i].get<double>());
    return out;
}

Vec3d vector_of(const nlohmann::json& v) {
    return {v[0].get<double>(), v[1].get<double>(), v[2].get<double>()};
}

Motion motion_of(const nlohmann::json& screw) {
    Motion motion;
    if (screw.is_null()) return motion;
    motion.kind = Motion::Kind::screw;
    motion.point_w = vector_of(screw["point"]);
    motion.axis_w = vector_of(screw["axis"]);
    motion.angle = screw["theta"].get<double>();
    motion.travel_w = vector_of(screw["g"]);
    return motion;
}

struct Tally {
    int lines = 0, wrong = 0;
    double worst = 0;
};

void check_line(const ScrewCase& c, const nlohmann::json& line, double low, double high, Tally& tally) {
    const ScrewOutcome out = run(c);
    const bool hit = line["hit"].get<bool>();
    ++tally.lines;
    const std::string id = line["id"].get<std::string>() + " " + line["class"].get<std::string>();
    EXPECT_EQ(out.hit(), hit) << id;
    if (out.hit() != hit) ++tally.wrong;
    if (!hit || !out.hit()) return;
    const double error = std::max({0.0, low - out.time(), out.time() - high});
    tally.worst = std::max(tally.worst, error);
    EXPECT_LT(error, 1e-6) << id << " " << out.time() << " " << low << " " << high;
}

void check_screws(const std::vector<std::pair<ScrewParameter, double>>& settings) {
    Tally tally;
    for (const auto& line : truth_lines("screw.jsonl")) {
        ScrewCase c{hull_of(line["a"]),          hull_of(line["b"]),         matrix_of(line["matrix_a"]),
                    matrix_of(line["matrix_b"]), motion_of(line["screw_a"]), motion_of(line["screw_b"])};
        for (const auto& [parameter, value] : settings) c.set(parameter, value);
        const bool hit = line["hit"].get<bool>();
        check_line(c, line, hit ? line["toi_lo"].get<double>() : 0, hit ? line["toi_hi"].get<double>() : 0,
                   tally);
    }
    std::printf("%d screws, %d wrong, largest error of time %.3g\n", tally.lines, tally.wrong, tally.worst);
    EXPECT_GT(tally.lines, 100);
}

TEST(ScrewTruth, screws_are_right_at_every_resolution) {
    for (const double pixels : {3.0, 6.0, 12.0, 24.0}) check_screws({{ScrewParameter::pixels, pixels}});
}

TEST(ScrewTruth, screws_are_right_with_every_option) {
    check_screws({{ScrewParameter::search, 1}});
    check_screws({{ScrewParameter::search, 2}});
    check_screws({{ScrewParameter::precision, 1}});
    check_screws({{ScrewParameter::cull, 0}});
    check_screws({{ScrewParameter::threshold, 1}});
}

TEST(ScrewTruth, linear_motions_are_right) {
    Tally tally;
    for (const auto& line : truth_lines("continuous.jsonl")) {
        ScrewCase c{hull_of(line["a"]), hull_of(line["b"]), matrix_of(line["matrix_a0"]),
                    matrix_of(line["matrix_b0"])};
        c.motion_a = Motion::linear(matrix_of(line["matrix_a1"]).translation());
        c.motion_b = Motion::linear(matrix_of(line["matrix_b1"]).translation());
        const bool hit = line["hit"].get<bool>();
        const double time = hit ? line["toi"].get<double>() : 0;
        check_line(c, line, time, time, tally);
    }
    std::printf("%d linear motions, %d wrong, largest error of time %.3g\n", tally.lines, tally.wrong,
                tally.worst);
    EXPECT_GT(tally.lines, 100);
}

}  // namespace
}  // namespace claybox::test
