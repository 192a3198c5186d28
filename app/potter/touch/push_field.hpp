#pragma once
// The shift of the clay around one push or grab, for one point after the other. Four contacts at a time.

#include "app/potter/touch/clay_op.hpp"
#include "collision/simd/float4.hpp"

#include <vector>

namespace claybox::app {

/// Thread contract: one thread for use(), any number for shift_at().
class PushField {
  public:
    /// Takes the contacts of an operation. Keeps its memory for the next one.
    void use(const ClayOp& op);
    /// Shift of a point as a share of the push, along the distance-weighted mean of the nearby normals.
    collision::Vec3f shift_at(const collision::Vec3f& p) const;

  private:
    using Float4 = collision::Float4;
    struct Four {
        Float4 x, y, z;  ///< centres
        Float4 inward_x, inward_y, inward_z;
        Float4 area;  ///< 0 in lanes without a contact
    };
    std::vector<Four> contacts_;
    Falloff falloff_ = Falloff::smooth;
    float inverse_square_ = 0;  ///< of the radius
};

}  // namespace claybox::app
