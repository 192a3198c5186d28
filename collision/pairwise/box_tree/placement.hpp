#pragma once
// The relative pose of two bodies' frames, with proven error bounds: the start of a box-tree traversal.

#include "collision/pairwise/box_tree/aligned.hpp"
#include "collision/pairwise/box_tree/intervals.hpp"
#include "collision/pairwise/box_tree/tree.hpp"

#include <optional>

namespace claybox::collision {

/// Side 0 is A, side 1 is B. Affine maps between the frames of two bodies, in double.
struct BoxTreePlacement {
    std::array<std::array<std::array<double, 3>, 3>, 2>
        axes{};                                     ///< [s][k][r]: unit vector k of s in the other frame
    std::array<std::array<double, 3>, 2> origin{};  ///< of s in the other frame
    /// If two points of the trees' grown boxes coincide in the world, the image of the point of s differs
    /// from the other's coordinate r by at most error[s][r].
    std::array<std::array<double, 3>, 2> error{};
    /// Bound of all coordinates of both bodies in the frame of the side other than s.
    std::array<std::array<double, 3>, 2> magnitude{};
    std::array<Aabb, 2> box;
    std::array<double, 2> thickness{};
    bool usable = false;  ///< both matrices have a usable inverse

    /// Growth of the planes across r of the side other than s, for kernels of precision `epsilon`.
    double slack(std::size_t s, std::size_t r, double epsilon) const;
    /// The box in the other frame around a part of side s, as a traversal of precision `epsilon` computes it;
    /// grown by the slack and rounded outward.
    Aabb in_other(std::size_t s, const std::array<double, 3>& low, const std::array<double, 3>& size,
                  double epsilon) const;
};

BoxTreePlacement relate_box_trees(const Matrix34f& world_from_a, const BoxTree& a,
                                  const Matrix34f& world_from_b, const BoxTree& b);

/// The constants of a traversal with scalar T. None if T is not accurate enough; use another T or aligned
/// boxes then.
template <class T>
std::optional<BoxTreeFrames<T>> frames_for(const BoxTreePlacement& placement);

template <class T>
BoxPair<T> first_pair(const IntervalSplitter<T, true>& splitter, const BoxTreePlacement& placement);
template <class T>
BoxPair<T> first_pair(const IntervalSplitter<T, false>& splitter, const BoxTreePlacement& placement);

/// The constants and the root boxes of a traversal with boxes along the world axes; for any matrices.
AlignedFrames aligned_frames(const Matrix34f& world_from_a, const Matrix34f& world_from_b);
AlignedPair first_aligned_pair(const AlignedFrames& frames, const BoxTree& a, const BoxTree& b);

}  // namespace claybox::collision
