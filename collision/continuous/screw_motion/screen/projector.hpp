#pragma once
// Section 7 for points of one piece. Inline because it is called per point.

#include "collision/continuous/screw_motion/screen/screen_types.hpp"
#include "collision/core/trig.hpp"

#include <cmath>

namespace claybox::collision {

/// Rounds down. Settings limit the screen to kMaxColumns.
inline std::int32_t cell(double x) {
    const auto whole = static_cast<std::int32_t>(x);
    return whole - (static_cast<double>(whole) > x ? 1 : 0);
}

/// An end of a part of an edge.
struct ProjectedEnd {
    Vec3d at;
    double phi;
    ScreenPoint screen;
};

/// Projects points of one piece. Real is the precision of everything but the result.
template <class Real>
class Projector {
  public:
    explicit Projector(const ScrewPiece& piece)
        : angle_(static_cast<Real>(piece.angle)),
          pitch_(static_cast<Real>(piece.pitch)),
          translates_(piece.angle == 0),
          per_length_(piece.pitch > 0 ? 1 / piece.pitch : 0) {}

    struct Place {
        Real r, phi, y;
    };
    /// Of the end p of an edge to q.
    Place place(const Vec3d& p, const Vec3d& q, double shift) const {
        const bool on_axis = p.x == 0 && p.z == 0;
        const auto x = static_cast<Real>(p.x), z = static_cast<Real>(p.z);
        if (translates_) return {x, z, static_cast<Real>(p.y)};
        const Real phi =
            on_axis ? quick_angle(static_cast<Real>(q.x), static_cast<Real>(q.z)) : quick_angle(x, z);
        return {std::sqrt(x * x + z * z), phi + static_cast<Real>(shift), static_cast<Real>(p.y)};
    }
    ScreenPoint screen(const Place& p) const {
        if (translates_)
            return {static_cast<double>(p.r), static_cast<double>(p.phi),
                    static_cast<double>(p.y) * per_length_};
        const Real turn = p.r * angle_, squared = pitch_ * pitch_ + turn * turn;
        if (!(squared > 0)) return {0, static_cast<double>(p.y), static_cast<double>(p.phi / angle_)};
        const Real inverse = 1 / squared, arc = p.r * p.phi;
        return {static_cast<double>(p.r),
                static_cast<double>((p.y * turn - arc * pitch_) * std::sqrt(inverse)),
                static_cast<double>((p.y * pitch_ + arc * turn) * inverse)};
    }
    ProjectedEnd end(const Vec3d& p, const Vec3d& q, double shift) const {
        const Place at = place(p, q, shift);
        return {p, static_cast<double>(at.phi), screen(at)};
    }
    bool translates() const { return translates_; }

  private:
    Real angle_, pitch_;
    bool translates_;
    double per_length_;
};

}  // namespace claybox::collision
