// Runs the functions of settings.cpp, which the tutorial shows without a main function.

#include "settings.cpp"
#include <cstdio>

int main() {
    const auto ball = make_primitive_shape(Primitive::uv_sphere, 200, 0.5f, 1);
    if (!ball) return 2;
    World world;
    const auto a = world.add_body({.shape = ball.value(), .pose = {}});
    const auto b = world.add_body({.shape = ball.value(), .pose = {{}, {0.5, 0, 0}}});
    if (!a || !b) return 2;
    world.publish(1);
    world.check();
    QueryHit hit;
    if (!first_hit(world, hit) || hit.body != a.value()) return 1;

    configure(world, a.value(), b.value());  // its callback removes b when a contact begins
    for (std::uint64_t frame = 2; frame < 10 && world.alive(b.value()); ++frame) {
        const double x = frame % 2 == 0 ? 3 : 0.5;
        if (const Status moved = world.move(b.value(), {{}, {x, 0, 0}}); !moved) break;
        world.publish(frame);
        world.wait_idle();
    }
    std::puts(world.alive(a.value()) && !world.alive(b.value()) ? "removed" : "not removed");
}
