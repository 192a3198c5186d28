#include <collision/collision.hpp>
#include <cstdio>

using namespace claybox::collision;

int main() {
    // A box: the convex hull of its eight corners, metres.
    std::vector<Vec3f> corners;
    for (const float x : {-0.5f, 0.5f})
        for (const float y : {-0.5f, 0.5f})
            for (const float z : {-0.5f, 0.5f}) corners.push_back({x, y, z});
    const auto box = Shape::from_hull(corners, "box");
    if (!box) {
        std::fprintf(stderr, "%s\n", box.error().text().c_str());
        return 2;
    }

    const PairAlgorithm& best = *find_pair_algorithm("best");
    Scratch scratch;
    PairCache cache;
    for (const double x : {1.5, 1.0, 0.8}) {
        const Pose pose_b{{}, {x, 0, 0}};
        PairQuery query = make_pair_query(*box.value(), {}, *box.value(), to_matrix(pose_b), scratch);
        query.wants = kWantDistance | kWantDepth;
        const PairResult result = run_query(best, query, cache);
        std::printf("%.1f m: %s", x, to_string(result.verdict));
        if (result.verdict == Verdict::separated) std::printf(", %.2f m apart", result.distance);
        if (result.verdict == Verdict::colliding) std::printf(", %.2f m deep", result.depth);
        std::printf(", proof checked: %s\n", certify(query, result) ? "yes" : "no");
    }
}
