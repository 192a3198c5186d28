#include <collision/collision.hpp>
#include <cstdio>

using namespace claybox::collision;

int main() {
    const auto ball = make_primitive_shape(Primitive::uv_sphere, 200, 0.5f, 1);
    const auto ring = make_primitive_shape(Primitive::torus, 1000, 1.0f, 1);
    if (!ball || !ring) return 2;

    World world;  // serial, with the default algorithms
    const auto moving = world.add_body({.shape = ball.value(), .pose = {{}, {-3, 0, 0}}, .data = 1});
    const auto fixed = world.add_body({.shape = ring.value(), .pose = {}, .data = 2});
    if (!moving || !fixed) return 2;

    EventBatch batch;
    for (std::uint64_t frame = 1; frame <= 60; ++frame) {
        const Pose pose{{}, {-3 + 0.1 * static_cast<double>(frame), 0, 0}};
        if (const Status moved = world.move(moving.value(), pose); !moved) return 2;
        world.publish(frame);  // ends the frame
        world.check();         // one pass
        world.poll_events(batch);
        for (const Event& event : batch.events) {
            if (event.kind == EventKind::stay) continue;
            std::printf("frame %llu: %s at (%.2f, %.2f, %.2f)\n",
                        static_cast<unsigned long long>(event.frame),
                        event.kind == EventKind::begin ? "begin" : "end", event.point_w.x, event.point_w.y,
                        event.point_w.z);
        }
    }
    std::printf("%llu passes\n", static_cast<unsigned long long>(world.stats().pass));
}
