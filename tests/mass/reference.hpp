#pragma once
// Whether two point sets' hulls meet, decided without anything of collision/exact: a linear programme for the
// shortest difference of both hulls by sum of coordinates. Its answer in double is proven by another rule
// than the library's, or else the same programme is solved in integers.

#include "collision/geometry/transform.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::test {

struct PlacedPoints {
    std::span<const collision::Vec3f> points;
    collision::Matrix34f world_from_points;
};

struct ReferenceAnswer {
    bool colliding = false;
    bool by_integers = false;
    std::uint32_t steps = 0;  ///< of the integer programme
};

class Reference {
  public:
    /// `pure`: nothing is believed to double; it only says where the integer programme starts.
    ReferenceAnswer decide(const PlacedPoints& a, const PlacedPoints& b, bool pure);

  private:
    using Column = std::array<double, 3>;

    void place(const PlacedPoints& a, const PlacedPoints& b);
    bool proves_apart(const std::array<double, 3>& n) const;
    bool proves_common_point(std::span<const std::uint32_t> basis) const;

    std::vector<Column> points_;  ///< of A, then of B, about A's translation
    std::size_t count_a_ = 0;
    Column reach_{};    ///< largest |coordinate|
    double error_ = 0;  ///< of every coordinate
};

}  // namespace claybox::test
