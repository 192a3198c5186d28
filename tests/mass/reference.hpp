#pragma once
// Decides whether the hulls of two point sets intersect, without any code of collision/exact. A linear
// program finds the shortest difference of both hulls in the 1-norm. Its answer in double is proven by other
// rules than the library's; if that fails, the same program is solved in integers.

#include "collision/geometry/transform.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::test {

/// Points under a matrix. With `swept`, the set also has every point moved by plus - minus, exactly.
struct PlacedPoints {
    std::span<const collision::Vec3f> points;
    collision::Matrix34f world_from_points;
    bool swept = false;
    std::array<collision::Vec3f, 2> plus{}, minus{};
};

struct ReferenceAnswer {
    bool colliding = false;
    bool by_integers = false;
    std::uint32_t steps = 0;  ///< steps of the integer program
};

class Reference {
  public:
    /// With `pure`, the answer in double is used only as the start of the integer program.
    ReferenceAnswer decide(const PlacedPoints& a, const PlacedPoints& b, bool pure);

  private:
    using Column = std::array<double, 3>;

    void place(const PlacedPoints& a, const PlacedPoints& b);
    bool proves_apart(const std::array<double, 3>& n) const;
    bool proves_common_point(std::span<const std::uint32_t> basis) const;

    std::vector<Column> points_;  ///< points of A, then of B, relative to A's translation
    std::size_t count_a_ = 0;
    Column reach_{};    ///< largest |coordinate| per axis
    double error_ = 0;  ///< error bound of every coordinate
};

}  // namespace claybox::test
