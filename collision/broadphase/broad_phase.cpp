#include "collision/broadphase/broad_phase.hpp"

namespace claybox::collision {

void BroadPhase::overlapping(const Aabb& box, std::span<const Aabb> boxes, WalkScratch&,
                             FunctionRef<bool(std::uint32_t)> visit) const {
    for (std::uint32_t slot = 0; slot < boxes.size(); ++slot)
        if (overlap(box, boxes[slot]) && !boxes[slot].empty() && !visit(slot)) return;
}

void BroadPhase::along_ray(const RayPart& part, std::span<const Aabb> boxes, WalkScratch&,
                           FunctionRef<double(std::uint32_t)> visit) const {
    const RayBoxTest test(part.ray);
    double end = part.end;
    for (std::uint32_t slot = 0; slot < boxes.size(); ++slot) {
        if (boxes[slot].empty() || test.enter(boxes[slot], part.begin, end) > end) continue;
        end = visit(slot);
        if (end < part.begin) return;
    }
}

}  // namespace claybox::collision
