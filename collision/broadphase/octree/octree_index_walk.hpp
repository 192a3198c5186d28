#pragma once
// Integer boxes, octants and the traversal of an octree (Zachmann 1994, sections 5.4.1, 5.4.3, 5.4.5, 7.3.4).
// All octants up to the depth exist, numbered level by level. The children of i are 8i+1 .. 8i+8 in the order
// of the bits x, y, z. The number is a path and determines the octant's position: no stored bounds.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace claybox::collision {

/// Coordinates of voxels (octants of the deepest level): 0 .. 2^depth - 1.
using Voxel = std::array<std::int32_t, 3>;

/// Ends are inclusive; empty when a low end exceeds its high end.
struct VoxelBox {
    Voxel low{1, 1, 1}, high{0, 0, 0};
    friend bool operator==(const VoxelBox&, const VoxelBox&) = default;
    bool empty() const { return low[0] > high[0] || low[1] > high[1] || low[2] > high[2]; }
};

struct Octant {
    std::uint32_t node = 0;
    Voxel low{};
    std::int32_t size = 1;  ///< voxels along an edge

    bool contains(const Voxel& v) const {
        const std::int32_t apart = (v[0] ^ low[0]) | (v[1] ^ low[1]) | (v[2] ^ low[2]);
        return apart < size;  // low is a multiple of size, a power of two
    }
    Octant child(unsigned code) const {
        Octant out{8 * node + 1 + code, low, size / 2};
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (code >> (2 - axis) & 1u) out.low[axis] += out.size;
        return out;
    }
    /// Not for the root.
    Octant parent() const {
        Octant out{(node - 1) / 8, low, 2 * size};
        for (std::int32_t& x : out.low) x &= ~size;
        return out;
    }
};

inline bool contains(const VoxelBox& box, const Octant& octant) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (octant.low[axis] < box.low[axis] || octant.low[axis] + octant.size - 1 > box.high[axis])
            return false;
    return true;
}
inline bool overlaps(const VoxelBox& box, const Octant& octant) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (box.high[axis] < octant.low[axis] || octant.low[axis] + octant.size - 1 < box.low[axis])
            return false;
    return true;
}
inline VoxelBox intersection(const VoxelBox& box, const Octant& octant) {
    VoxelBox out;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        out.low[axis] = std::max(box.low[axis], octant.low[axis]);
        out.high[axis] = std::min(box.high[axis], octant.low[axis] + octant.size - 1);
    }
    return out;
}

/// A partition of `to` minus `from` (FIX-37); some boxes may be empty.
inline std::array<VoxelBox, 6> entering_boxes(const VoxelBox& from, const VoxelBox& to) {
    const Voxel &n = to.low, &N = to.high, &o = from.low, &O = from.high;
    const std::int32_t x0 = std::max(o[0], n[0]), x1 = N[0];
    const std::int32_t y0 = std::max(o[1], n[1]), y1 = std::min(O[1], N[1]);
    const std::int32_t z0 = std::max(o[2], n[2]), z1 = std::min(O[2], N[2]);
    return {VoxelBox{n, {std::min(o[0] - 1, N[0]), N[1], N[2]}},
            VoxelBox{{x0, std::max(O[1] + 1, n[1]), n[2]}, N},
            VoxelBox{{x0, n[1], n[2]}, {x1, std::min(o[1] - 1, N[1]), N[2]}},
            VoxelBox{{x0, y0, n[2]}, {x1, y1, std::min(o[2] - 1, N[2])}},
            VoxelBox{{x0, y0, std::max(O[2] + 1, n[2])}, {x1, y1, N[2]}},
            VoxelBox{{std::max(O[0] + 1, n[0]), y0, z0}, {x1, y1, z1}}};
}

/// Number of octants above `level`; equal to the first number of that level.
constexpr std::uint32_t octants_above(unsigned level) {
    return ((1u << (3 * level)) - 1) / 7;
}
constexpr unsigned level_of(std::uint32_t node) {
    return (static_cast<unsigned>(std::bit_width(7 * node + 1)) - 1) / 3;
}

/// Moves bit i to bit 3i, for 8 bits.
constexpr std::uint32_t spread_bits(std::uint32_t v) {
    v = (v | v << 8) & 0x0000f00fu;
    v = (v | v << 4) & 0x000c30c3u;
    return (v | v << 2) & 0x00249249u;
}
constexpr std::uint32_t gather_bits(std::uint32_t v) {
    v &= 0x00249249u;
    v = (v | v >> 2) & 0x000c30c3u;
    v = (v | v >> 4) & 0x0000f00fu;
    return (v | v >> 8) & 0x000000ffu;
}

/// The octant of `level` that contains a voxel. The path is the upper bits of the coordinates, read as
/// triples.
inline Octant octant_at(const Voxel& voxel, unsigned level, unsigned depth) {
    const unsigned below = depth - level;
    std::uint32_t path = 0;
    Octant out;
    out.size = 1 << below;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::uint32_t upper = static_cast<std::uint32_t>(voxel[axis]) >> below;
        path |= spread_bits(upper) << (2 - axis);
        out.low[axis] = static_cast<std::int32_t>(upper << below);
    }
    out.node = octants_above(level) + path;
    return out;
}

inline Octant octant_of(std::uint32_t node, unsigned depth) {
    const unsigned level = level_of(node), below = depth - level;
    const std::uint32_t path = node - octants_above(level);
    Octant out;
    out.node = node;
    out.size = 1 << below;
    for (unsigned axis = 0; axis < 3; ++axis)
        out.low[axis] = static_cast<std::int32_t>(gather_bits(path >> (2 - axis)) << below);
    return out;
}

/// The smallest octant that contains a box: the common prefix of the paths of its two corners.
inline Octant common_octant(const VoxelBox& box, unsigned depth) {
    const std::int32_t apart =
        (box.low[0] ^ box.high[0]) | (box.low[1] ^ box.high[1]) | (box.low[2] ^ box.high[2]);
    const auto below = static_cast<unsigned>(std::bit_width(static_cast<std::uint32_t>(apart)));
    return octant_at(box.low, depth - below, depth);
}

/// Calls visit(octant, inside) for `octant` and the octants below it that overlap `box`; descends while visit
/// returns true. `inside`: the octant is inside the box. `octant` must overlap the box.
template <class Visit>
void walk_plain(const Octant& octant, const VoxelBox& box, Visit& visit) {
    if (!visit(octant, contains(box, octant)) || octant.size == 1) return;
    for (unsigned code = 0; code < 8; ++code)
        if (const Octant child = octant.child(code); overlaps(box, child)) walk_plain(child, box, visit);
}

/// The same by the decision tree of section 7.3.4. The relevant halves are decided once per axis (27 cases);
/// each case visits its sub-octants in an order that changes one bound at a time. With kReuse, the same
/// comparisons also determine which sides of the sub-octants the box covers: "inside" then needs no
/// comparison. This is the proposal of section 5.4.5, for which the thesis found no coding.
template <bool kReuse, class Visit>
class DecisionWalk {
  public:
    DecisionWalk(const VoxelBox& box, Visit& visit) : box_(box), visit_(visit) {}

    void start(const Octant& octant) {
        unsigned covered = 0;
        for (std::size_t axis = 0; kReuse && axis < 3; ++axis) {
            if (box_.low[axis] <= octant.low[axis]) covered |= kLowSide << axis;
            if (box_.high[axis] >= octant.low[axis] + octant.size - 1) covered |= kHighSide << axis;
        }
        at(octant, covered);
    }

  private:
    enum class Half { left, right, both };
    static constexpr unsigned kLowSide = 1, kHighSide = 8, kAllSides = 63;

    /// The current sub-octant.
    struct Cursor {
        Octant child;
        std::uint32_t first = 0;  ///< number of sub-octant 0
        unsigned code = 0;
        unsigned covered = 0;            ///< sides covered by the box
        std::array<unsigned, 3> flip{};  ///< by axis: sides that differ between the halves

        void step(std::size_t axis) {
            code ^= 4u >> axis;
            child.node = first + code;
            child.low[axis] ^= child.size;
            covered ^= flip[axis];
        }
    };

    void at(const Octant& octant, unsigned covered) {
        const bool inside = kReuse ? covered == kAllSides : contains(box_, octant);
        if (!visit_(octant, inside) || octant.size == 1) return;
        Cursor cursor;
        cursor.child = {8 * octant.node + 1, octant.low, octant.size / 2};
        cursor.first = cursor.child.node;
        cursor.covered = covered;
        decide<>(cursor);
    }

    template <Half... kDecided>
    void decide(Cursor& cursor) {
        constexpr std::size_t kAxis = sizeof...(kDecided);
        if constexpr (kAxis == 3) {
            sweep<kDecided...>(cursor);
        } else {
            const std::int32_t middle = cursor.child.low[kAxis] + cursor.child.size;
            if (box_.low[kAxis] >= middle) {
                cursor.step(kAxis);
                if (kReuse) cover<kAxis>(cursor, kLowSide, box_.low[kAxis] == middle);
                decide<kDecided..., Half::right>(cursor);
            } else if (box_.high[kAxis] < middle) {
                if (kReuse) cover<kAxis>(cursor, kHighSide, box_.high[kAxis] == middle - 1);
                decide<kDecided..., Half::left>(cursor);
            } else {
                if (kReuse) {  // both inner sides are covered
                    const unsigned left = (cursor.covered & kLowSide << kAxis) | kHighSide << kAxis;
                    const unsigned right = kLowSide << kAxis | (cursor.covered & kHighSide << kAxis);
                    cursor.flip[kAxis] = left ^ right;
                    cursor.covered |= kHighSide << kAxis;
                }
                decide<kDecided..., Half::both>(cursor);
            }
        }
    }

    template <std::size_t kAxis>
    static void cover(Cursor& cursor, unsigned side, bool covered) {
        cursor.covered = (cursor.covered & ~(side << kAxis)) | (covered ? side << kAxis : 0u);
    }

    template <Half kX, Half kY, Half kZ>
    void sweep(Cursor& cursor) {
        along_y<kY, kZ>(cursor);
        if constexpr (kX == Half::both) {
            cursor.step(0);
            along_y<kY, kZ>(cursor);
        }
    }
    template <Half kY, Half kZ>
    void along_y(Cursor& cursor) {
        along_z<kZ>(cursor);
        if constexpr (kY == Half::both) {
            cursor.step(1);
            along_z<kZ>(cursor);
        }
    }
    template <Half kZ>
    void along_z(Cursor& cursor) {
        at(cursor.child, cursor.covered);
        if constexpr (kZ == Half::both) {
            cursor.step(2);
            at(cursor.child, cursor.covered);
        }
    }

    const VoxelBox& box_;
    Visit& visit_;
};

enum class OctreeTraversal : unsigned char { plain, decision_tree, reused };

template <class Visit>
void walk_octants(OctreeTraversal traversal, const Octant& octant, const VoxelBox& box, Visit&& visit) {
    switch (traversal) {
        case OctreeTraversal::plain:
            return walk_plain(octant, box, visit);
        case OctreeTraversal::decision_tree:
            return DecisionWalk<false, Visit>(box, visit).start(octant);
        case OctreeTraversal::reused:
            return DecisionWalk<true, Visit>(box, visit).start(octant);
    }
}

}  // namespace claybox::collision
