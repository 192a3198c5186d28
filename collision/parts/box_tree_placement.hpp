#pragma once
// How two bodies' own frames lie to each other, with proven bounds: what the descent of two box-trees starts
// from.

#include "collision/parts/box_tree.hpp"
#include "collision/parts/box_tree_aligned.hpp"
#include "collision/parts/box_tree_intervals.hpp"

#include <optional>

namespace claybox::collision {

/// Side 0 is A, side 1 is B. Affine maps between the frames of two bodies, in double.
struct BoxTreePlacement {
    std::array<std::array<std::array<double, 3>, 3>, 2>
        axes{};                                     ///< [s][k][r]: unit vector k of s in the other
    std::array<std::array<double, 3>, 2> origin{};  ///< of s in the other
    /// Where two points of the trees' grown boxes are the same in the world, the image of that of s differs
    /// from the other's coordinate r by no more than error[s][r].
    std::array<std::array<double, 3>, 2> error{};
    /// No coordinate of either in the frame of the other side than s is larger.
    std::array<std::array<double, 3>, 2> magnitude{};
    std::array<Aabb, 2> box;
    std::array<double, 2> thickness{};
    bool usable = false;  ///< both matrices have an inverse that says something

    /// What the planes across r of the side other than s must be grown by for kernels of precision `epsilon`.
    double slack(std::size_t s, std::size_t r, double epsilon) const;
    /// The box around a part of side s, as a descent of precision `epsilon` has it, in the other's frame;
    /// grown by the slack and rounded outward.
    Aabb in_other(std::size_t s, const std::array<double, 3>& low, const std::array<double, 3>& size,
                  double epsilon) const;
};

BoxTreePlacement place_box_trees(const Matrix34f& world_from_a, const BoxTree& a,
                                 const Matrix34f& world_from_b, const BoxTree& b);

/// The constants of a descent with T; none where T cannot tell enough: then another T or aligned boxes must
/// do.
template <class T>
std::optional<BoxTreeFrames<T>> frames_for(const BoxTreePlacement& placement);

template <class T>
BoxPair<T> first_pair(const IntervalSplitter<T, true>& splitter, const BoxTreePlacement& placement);
template <class T>
BoxPair<T> first_pair(const IntervalSplitter<T, false>& splitter, const BoxTreePlacement& placement);

/// The constants and the roots of a descent with boxes along the world's axes, for any matrices.
AlignedFrames aligned_frames(const Matrix34f& world_from_a, const Matrix34f& world_from_b);
AlignedPair first_aligned_pair(const AlignedFrames& frames, const BoxTree& a, const BoxTree& b);

}  // namespace claybox::collision
