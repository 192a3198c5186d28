#include "app/potter/touch/push_field.hpp"

namespace claybox::app {

using namespace collision;

namespace {

/// falloff_at() of four squared distances, where `t` is 1 minus the square, not below 0.
Float4 falloff4(Falloff kind, Float4 square, Float4 t) {
    const Float4 one = splat4(1);
    switch (kind) {
        case Falloff::dome:
            return t * (splat4(2) - t);
        case Falloff::linear:
            return max4(one - sqrt4(square), splat4(0));
        case Falloff::sharp: {
            const Float4 left = max4(one - sqrt4(square), splat4(0));
            return left * left;
        }
        default:
            return t * t;
    }
}

}  // namespace

void PushField::use(const ClayOp& op) {
    falloff_ = op.falloff;
    inverse_square_ = 1 / (op.radius * op.radius);
    contacts_.assign((op.contacts.size() + 3) / 4, Four{});
    for (std::size_t i = 0; i < op.contacts.size(); ++i) {
        const ClayContact& contact = op.contacts[i];
        Four& four = contacts_[i / 4];
        const std::size_t lane = i % 4;
        four.x[lane] = contact.centre.x, four.y[lane] = contact.centre.y, four.z[lane] = contact.centre.z;
        four.inward_x[lane] = contact.inward.x;
        four.inward_y[lane] = contact.inward.y;
        four.inward_z[lane] = contact.inward.z;
        four.area[lane] = contact.area;
    }
}

Vec3f PushField::shift_at(const Vec3f& p) const {
    const Float4 px = splat4(p.x), py = splat4(p.y), pz = splat4(p.z), none = splat4(0);
    Float4 x = none, y = none, z = none, weight = none, fall = none;
    for (const Four& c : contacts_) {
        const Float4 dx = px - c.x, dy = py - c.y, dz = pz - c.z;
        const Float4 square = (dx * dx + dy * dy + dz * dz) * splat4(inverse_square_);
        const Float4 t = max4(splat4(1) - square, none), w = t * t;
        const Float4 weighted = c.area * w;
        x += c.inward_x * w, y += c.inward_y * w, z += c.inward_z * w;
        weight += weighted;
        fall += weighted * falloff4(falloff_, square, t);
    }
    const Vec3f along{sum4(x), sum4(y), sum4(z)};
    const float l = length(along), all = sum4(weight);
    return all > 0 && l > 0 ? along * (sum4(fall) / (all * l)) : Vec3f{};
}

}  // namespace claybox::app
