#include "app/potter/touch/clay_op.hpp"

#include "collision/core/trig.hpp"

namespace claybox::app {

using collision::Vec3f;

Vec3f symmetric(const Symmetry& symmetry, std::size_t copy, const Vec3f& v) {
    if (copy == 0) return v;
    const auto radial = static_cast<std::size_t>(symmetry.radial);
    std::size_t flips = copy / radial;
    const collision::SinCos turn =
        collision::sin_cos(2 * collision::kPi * static_cast<double>(copy % radial) / symmetry.radial);
    const auto s = static_cast<float>(turn.sin), c = static_cast<float>(turn.cos);
    Vec3f out = copy % radial == 0 ? v : Vec3f{c * v.x + s * v.z, v.y, c * v.z - s * v.x};
    if (symmetry.mirror_x) {
        if (flips % 2 == 1) out.x = -out.x;
        flips /= 2;
    }
    if (symmetry.mirror_z && flips % 2 == 1) out.z = -out.z;
    return out;
}

void append_copies(const Symmetry& symmetry, const ClayOp& op, std::vector<ClayOp>& out) {
    out.push_back(op);
    if (symmetry.is_trivial()) return;
    float overlap = 0;
    for (std::size_t k = 0; k < symmetry.copies(); ++k) {
        const Vec3f way = symmetric(symmetry, k, op.centre) - op.centre;
        overlap += falloff_at(Falloff::smooth, dot(way, way) / (op.radius * op.radius));
    }
    const std::size_t first = out.size() - 1;
    out[first].amount /= overlap;
    for (std::size_t k = 1; k < symmetry.copies(); ++k) {
        ClayOp copy = out[first];
        copy.centre = symmetric(symmetry, k, copy.centre);
        copy.along = symmetric(symmetry, k, copy.along);
        for (ClayContact& contact : copy.contacts) {
            contact.centre = symmetric(symmetry, k, contact.centre);
            contact.inward = symmetric(symmetry, k, contact.inward);
        }
        out.push_back(std::move(copy));
    }
}

}  // namespace claybox::app
