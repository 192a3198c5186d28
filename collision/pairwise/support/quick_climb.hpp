#pragma once
// Support searches on a large hull that is queried often: a climb that begins near its end and looks at eight
// neighbours at a time. A cube of cells covers all directions, and each cell knows the support vertex of its
// middle, so a climb takes a step or two, however far the direction is from the last one. Much faster to make
// than a SupportTable, which needs no climb.

#include "collision/geometry/hull/hull.hpp"
#include "collision/simd/float4.hpp"

#include <cstddef>

namespace claybox::collision {

/// Immutable. Borrows the hull.
class QuickClimb {
  public:
    /// Scans of fewer vertices are as fast.
    static constexpr std::uint32_t kMinVertices = 192;
    static constexpr std::uint32_t kMaxVertices = 0xffff;

    /// Whether a climb over this hull gains from the cells, and its vertex numbers fit.
    static bool suits(const ConvexHull& hull) {
        return hull.vertex_count >= kMinVertices && hull.vertex_count <= kMaxVertices;
    }

    /// O(cells * steps of a climb). At most kMaxVertices.
    explicit QuickClimb(const ConvexHull& hull);

    const ConvexHull* hull() const { return hull_; }
    std::size_t memory_bytes() const {
        return sizeof(*this) + start_.capacity() * sizeof(start_[0]) + record_.capacity() * sizeof(Record);
    }
    /// The vertex furthest along d (in the hull's frame), as computed in float among its neighbours. Any
    /// vertex if d is not finite. `visit(n)`: called for each n vertices that are evaluated.
    template <class Visit>
    std::uint32_t furthest(const Vec3f& d, Visit&& visit) const {
        const Float4 dx = splat4(d.x), dy = splat4(d.y), dz = splat4(d.z);
        std::uint32_t best = near(d);
        float height = record_[best].x * d.x + record_[best].y * d.y + record_[best].z * d.z;
        for (;;) {
            const float here = height;
            const Record* record = &record_[best];
            for (;;) {  // one round for nearly all vertices
                const std::uint16_t* const n = record->neighbour;
                const auto heights = [&](std::size_t i) {
                    const Points4 p =
                        transpose4(point(n[i]), point(n[i + 1]), point(n[i + 2]), point(n[i + 3]));
                    return p.x * dx + p.y * dy + p.z * dz;
                };
                const Float4 low = heights(0), high = heights(4), top = largest4(max4(low, high));
                const unsigned at = mask_bits4(low == top) | mask_bits4(high == top) << 4 | 128u;
                visit(8);
                best = top[0] > height ? n[__builtin_ctz(at)] : best;
                height = top[0] > height ? top[0] : height;
                if (record->more == 0) break;
                record = &record_[record->more];
            }
            if (!(height > here)) return best;
        }
    }
    std::uint32_t furthest(const Vec3f& d) const {
        return furthest(d, [](std::uint32_t) {});
    }

  private:
    /// A vertex with eight of its neighbours; unused places repeat one. Small, as searches of many bodies
    /// compete for the cache.
    struct alignas(32) Record {
        float x, y, z;
        std::uint32_t more = 0;  ///< the record with further neighbours; 0: none
        std::uint16_t neighbour[8];
    };

    Float4 point(std::uint32_t vertex) const { return load4(&record_[vertex].x); }

    /// The start in the cell of a direction. No branches: directions are effectively random.
    std::uint32_t near(const Vec3f& v) const {
        const Float4 d{v.x, v.y, v.z, 0};
        const Float4 size = abs4(d), largest = largest4(size);
        const unsigned axis = static_cast<unsigned>(__builtin_ctz((mask_bits4(size == largest) & 7u) | 4u));
        constexpr float kTiny = 0x1p-100f;
        const Float4 place = d * splat4(half_ / max4(largest, splat4(kTiny))[0]) + splat4(half_);
        const Int4 row = truncate4(min4(max4(place, Float4{}), splat4(last_)));  // 0 for NaN
        alignas(16) std::uint32_t others[8];
        store4(others, __builtin_shufflevector(row, row, 1, 2, 2, 0));
        store4(others + 4, __builtin_shufflevector(row, row, 0, 1, 0, 1));
        const std::uint32_t face = 2 * axis + (sign_bits4(d) >> axis & 1u);
        return start_[(face * resolution_ + others[2 * axis + 1]) * resolution_ + others[2 * axis]];
    }

    const ConvexHull* hull_;
    std::uint32_t resolution_;          ///< cells along an edge of the cube
    float half_, last_;                 ///< half the resolution; a number that truncates to the last cell
    std::vector<std::uint16_t> start_;  ///< per cell
    std::vector<Record> record_;        ///< of all vertices, then those with further neighbours
};

}  // namespace claybox::collision
