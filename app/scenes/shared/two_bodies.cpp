#include "app/scenes/shared/two_bodies.hpp"

namespace claybox::app {

void step_pair(collision::World& world, std::uint64_t frame, const PairBody& first, const PairBody& second,
               collision::EventBatch& batch, const char* who, StepOutput& output) {
    for (const PairBody* body : {&first, &second}) {
        [[maybe_unused]] const collision::Status moved = world.move(body->id, body->pose);
        CLAYBOX_ASSERT(moved.ok());
    }
    world.publish(frame);
    world.check();
    world.poll_events(batch);
    for (const collision::Event& e : batch.events) {
        if (e.kind == collision::EventKind::stay) continue;
        const bool begin = e.kind == collision::EventKind::begin;
        output.events.push_back(
            {begin ? SceneEvent::Kind::collision_begin : SceneEvent::Kind::collision_end, e.frame, who});
    }
}

void view_pair(const PairBody& first, const PairBody& second, bool colliding, float tint, SceneView& out) {
    for (const PairBody* body : {&first, &second}) {
        const std::uint8_t which = body == &first ? 0 : 1;
        Drawable d;
        d.mesh = body->mesh;
        d.pose = body->pose;
        d.colour = static_cast<std::uint8_t>(1 + which);
        d.colliding = colliding;
        d.tint = tint;
        d.pick = which;
        out.drawables.push_back(d);
    }
}

}  // namespace claybox::app
