#include <cmath>
#include <collision/collision.hpp>
#include <cstdio>

using namespace claybox::collision;

/// The centre of a body's box, in the world.
Vec3d centre_w(const PairBody& body) {
    return transform_point(to_double(body.world_from_body), body.geometry->box.centre());
}

/// The hull vertex of a body that is farthest along an axis.
std::uint32_t farthest(const PairBody& body, const Vec3d& axis_w) {
    const ConvexHull& hull = *body.shape->hull();
    const Matrix34d world_from_body = to_double(body.world_from_body);
    std::uint32_t found = 0;
    double most = -HUGE_VAL;
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) {
        const double along = dot(axis_w, transform_point(world_from_body, hull.vertex(v)));
        if (along > most) found = v, most = along;
    }
    return found;
}

/// Tries one axis, from centre to centre. Without a gap along it there is no answer.
void query_centre_line(const PairQuery& query, PairCache&, PairResult& result, Trace* trace) {
    if (trace) {  // what the program draws when it shows the steps
        trace->begin_iteration(0);
        trace->segment(centre_w(query.a), centre_w(query.b), "axis");
    }
    Certificate& proof = result.certificate;
    proof.kind = CertificateKind::separating_axis;
    proof.axis_w = centre_w(query.b) - centre_w(query.a);
    proof.support_a = farthest(query.a, proof.axis_w);
    proof.support_b = farthest(query.b, -proof.axis_w);
    result.rung = 3;
    result.verdict = Verdict::separated;
    if (certify(query, result)) return;  // exact arithmetic agrees
    proof = {};
    result.verdict = Verdict::undecided;
}

const PairAlgorithm& centre_line() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "centre_line";
        a.title = "Centre line";
        a.source = "ours: the simplest axis";
        a.summary = "Tries the axis from centre to centre; without a gap along it, the pair stays undecided.";
        a.needs = Needs::convex;
        a.gives = kWantAxis;
        a.exact = false;
        a.bias = Bias::colliding;
        a.query = query_centre_line;
        return a;
    }();
    return algorithm;
}

int main() {
    const auto shape = make_primitive_shape(Primitive::ellipsoid_hull, 100, 1.0f, 1);
    if (!shape) return 2;

    // 1. Compare it with an exact algorithm.
    Scratch scratch;
    Random random(1);
    int decided = 0, separated = 0, wrong = 0;
    for (int i = 0; i < 1000; ++i) {
        const Pose pose{random_rotation(random, 0, 3), random.vector(0.5, 2.5)};
        const PairQuery query = make_pair_query(*shape.value(), {}, *shape.value(), to_matrix(pose), scratch);
        PairCache of_ours, of_best;
        const Verdict ours = run_query(centre_line(), query, of_ours).verdict;
        const Verdict truth = run_query(*find_pair_algorithm("best"), query, of_best).verdict;
        separated += truth == Verdict::separated;
        decided += ours != Verdict::undecided;
        wrong += ours != Verdict::undecided && ours != truth;
    }
    std::printf("%d of %d separated pairs found, %d wrong\n", decided, separated, wrong);

    // 2. Use it in a world: the fallback decides what it leaves undecided.
    WorldSettings settings = default_settings();
    settings.pair_algorithm = &centre_line();
    settings.pair_parameters = default_values(centre_line().parameters);
    World world(settings);
    for (const Vec3d& place : {Vec3d{0, 0, 0}, Vec3d{1.7, 1, 0}, Vec3d{2, 0.5, 0}})
        if (!world.add_body({.shape = shape.value(), .pose = {{}, place}})) return 2;
    world.publish(1);
    world.check();
    const PassStats stats = world.stats();
    std::printf("tests: %llu, by the fallback: %llu, colliding pairs: %llu\n",
                static_cast<unsigned long long>(stats.tests),
                static_cast<unsigned long long>(stats.fell_back),
                static_cast<unsigned long long>(stats.colliding));
}
