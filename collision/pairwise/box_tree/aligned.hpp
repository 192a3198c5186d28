#pragma once
// Traversal of two box-trees with boxes along the world axes (Zachmann, thesis, 3.6.4, future work, and
// figure 3.30). Each box is computed on the fly from its parent and the cut.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace claybox::collision {

/// [s][k][r]: unit vector k of side s in a frame with world axes; `origin`: the origin of side s in that
/// frame.
struct AlignedFrames {
    std::array<std::array<std::array<double, 3>, 3>, 2> axes{};
    std::array<std::array<double, 3>, 2> origin{};
};

/// Two boxes in their own frames, as used by the cuts, and the world boxes around them.
struct AlignedPair {
    struct Side {
        double low[3], size[3];
        double min[3], max[3];
    };
    Side side[2];

    bool boxes_overlap() const {
        bool apart = false;
        for (std::size_t r = 0; r < 3; ++r)
            apart |= side[0].max[r] < side[1].min[r] || side[1].max[r] < side[0].min[r];
        return !apart;
    }
};

class AlignedSplitter {
  public:
    explicit AlignedSplitter(const AlignedFrames& frames) : frames_(frames) {}

    /// Cuts side s across its axis at `position` in its own frame; `part` is its size below the plane. Along
    /// each world axis, the ends of both halves move by the vector of the part that was cut off.
    void split(const AlignedPair& pair, std::size_t s, std::size_t axis, double position, double part,
               AlignedPair& left, AlignedPair& right) const {
        left = pair;
        right = pair;
        auto &l = left.side[s], &r = right.side[s];
        const double rest = pair.side[s].size[axis] - part;
        l.size[axis] = part;
        r.size[axis] = rest;
        r.low[axis] = position;
        for (std::size_t k = 0; k < 3; ++k) {
            const double up = std::max(frames_.axes[s][axis][k], 0.0),
                         down = std::min(frames_.axes[s][axis][k], 0.0);
            l.min[k] -= rest * down;
            l.max[k] -= rest * up;
            r.min[k] += part * up;
            r.max[k] += part * down;
        }
    }

  private:
    const AlignedFrames& frames_;
};

}  // namespace claybox::collision
