#include <collision/collision.hpp>
#include <cstdio>

using namespace claybox::collision;

int main() {
    const auto bullet = make_primitive_shape(Primitive::uv_sphere, 100, 0.02f, 1);
    const auto block = make_primitive_shape(Primitive::box, 6, 0.5f, 1);
    if (!bullet || !block) return 2;

    // Between two frames, the bullet flies from x = -3 to x = 3: through the block.
    const Pose before{{}, {-3, 0, 0}}, after{{}, {3, 0, 0}};
    Scratch scratch;
    PairCache cache;
    const ContinuousQuery query = make_continuous_query(
        *bullet.value(), to_matrix(before), motion_between(before, after), *block.value(), {}, {}, scratch);
    const ContinuousResult hit = run_continuous(*find_continuous_algorithm("best_continuous"), query, cache);
    if (hit.verdict == Verdict::colliding)
        std::printf("hit at t = %.3f, at x = %.2f\n", hit.time_high, hit.point_w.x);
}
