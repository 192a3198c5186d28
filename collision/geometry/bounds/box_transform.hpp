#pragma once
// Axis-aligned boxes of transformed boxes, in the two representations of Zachmann 1994, section 5.2.1. They
// need 18 multiplications, 18 additions (24 with the diagonal) and 9 comparisons; transforming eight corners
// needs 72, 72 and 48. Rounded to nearest. transform_aabb is an unrolled version of the first one with error
// bounds; calling transform_box there would give the same bits with a quarter more instructions.

#include "collision/core/vec.hpp"

namespace claybox::collision {

/// A box as its two extreme corners.
template <class T>
struct CornerBox {
    Vec3<T> low, high;
};

/// A box as its low corner and the vector to the opposite corner.
template <class T>
struct DiagonalBox {
    Vec3<T> corner, diagonal;
};

/// `m` is a 3x4 matrix, row-major, as in Matrix34. By FIX-35 each sum begins with the translation of its own
/// row. The result equals, to the last bit, the extremes of the eight transformed corners summed in this
/// order: rounding is monotone, so the smallest terms give the smallest sum.
template <class T>
CornerBox<T> transform_box(const T* m, const CornerBox<T>& box) {
    CornerBox<T> out;
    for (std::size_t i = 0; i < 3; ++i) {
        T low = m[4 * i + 3], high = m[4 * i + 3];
        for (std::size_t j = 0; j < 3; ++j) {
            const T x = m[4 * i + j] * box.low[j], y = m[4 * i + j] * box.high[j];
            const bool ascends = x < y;
            low = low + (ascends ? x : y);
            high = high + (ascends ? y : x);
        }
        out.low[i] = low;
        out.high[i] = high;
    }
    return out;
}

/// Sides with negative components move the corner. The magnitudes of all sides sum to the new diagonal.
template <class T>
DiagonalBox<T> transform_box(const T* m, const DiagonalBox<T>& box) {
    DiagonalBox<T> out;
    for (std::size_t i = 0; i < 3; ++i) {
        T corner = m[4 * i + 3], up = T(0), down = T(0);
        for (std::size_t j = 0; j < 3; ++j) {
            corner = corner + m[4 * i + j] * box.corner[j];
            const T side = m[4 * i + j] * box.diagonal[j];
            if (side < T(0))
                down = down + side;
            else
                up = up + side;
        }
        out.corner[i] = corner + down;
        out.diagonal[i] = up - down;
    }
    return out;
}

}  // namespace claybox::collision
