#pragma once
// Edits of bodies as a restless user makes them, from a seed.

#include "app/scenes/shared/body_shapes.hpp"
#include "app/scenes/step.hpp"
#include "collision/core/random.hpp"

namespace claybox::app {

inline BodyEdit add_edit(const char* shape, const collision::Vec3d& at, double size = 60) {
    BodyEdit edit;
    edit.kind = BodyEdit::Kind::add;
    edit.shape = shape;
    edit.size = size;
    edit.pose.translation = at;
    return edit;
}

inline BodyEdit edit_of(BodyEdit::Kind kind, std::uint32_t body, const collision::Vec3d& at = {}) {
    BodyEdit edit;
    edit.kind = kind;
    edit.body = body;
    edit.pose.translation = at;
    return edit;
}

/// Adds, copies, removes, drags and throws bodies, undoes and redoes, sometimes while time stands still.
class RandomEdits {
  public:
    explicit RandomEdits(std::uint64_t seed) : random_(seed) {}

    StepInput next() {
        StepInput input;
        const auto body = static_cast<std::uint32_t>(random_.below(20));
        const collision::Vec3d somewhere = random_.unit_vector() * 0.5;
        switch (random_.below(10)) {
            case 0:
                input.edits.push_back(add_edit(body_shape_names()[random_.below(18)], somewhere, 100));
                break;
            case 1:
                input.edits.push_back(edit_of(BodyEdit::Kind::copy, body, somewhere));
                break;
            case 2:
                input.edits.push_back(edit_of(BodyEdit::Kind::remove, body));
                break;
            case 3:
                held_ = body;
                at_ = {collision::random_rotation(random_, 0, 3), somewhere};
                break;
            case 4:
                input.edits.push_back(
                    edit_of(body % 2 == 0 ? BodyEdit::Kind::let_go : BodyEdit::Kind::put_down, held_));
                held_ = collision::kNoIndex;
                break;
            case 5:
                input.actions.push_back(static_cast<std::uint32_t>(random_.below(2)));
                break;
            default:
                break;
        }
        input.frozen = random_.below(8) == 0;
        at_.translation = at_.translation + random_.unit_vector() * 0.02;
        if (held_ == collision::kNoIndex) return input;
        input.edits.push_back(edit_of(BodyEdit::Kind::hold, held_));
        input.edits.back().pose = at_;
        return input;
    }

  private:
    collision::Random random_;
    std::uint32_t held_ = collision::kNoIndex;
    collision::Pose at_;
};

}  // namespace claybox::app
