#include "collision/pairwise/mesh_bvh/pair_memory.hpp"

#include "collision/core/state_hash.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace claybox::collision {

BvhFrontBuilder::BvhFrontBuilder(BvhFront& front, float moved, std::span<BvhFrontEntry>& nearer)
    : out_(&front), beyond_(front.beyond), moved_(moved), stamp_(front.stamp) {
    const std::span<const BvhFrontEntry> before(front.entries, front.count);
    std::size_t near = 0;
    front.count = 0;
    for (const BvhFrontEntry& entry : before)
        (entry.gap > moved ? front.entries[front.count++] : nearer[near++]) = entry;
    nearer = nearer.first(near);
}

std::uint64_t BvhFrontBuilder::finish(const PlacedBvh& a, const PlacedBvh& b) const {
    out_->beyond = out_->nearest = beyond_;
    for (const BvhFrontEntry& entry : std::span(out_->entries).first(out_->count))
        out_->nearest = std::min(out_->nearest, entry.gap);
    std::uint64_t stamp = stamp_;
    const auto add = [&](std::uint64_t two) { stamp = (stamp ^ two) * 0x9e3779b97f4a7c15u; };
    for (const PlacedBvh* x : {&a, &b}) {
        add(x->tree->content());
        add(x->tree->structure());
        for (std::size_t i = 0; i < 12; i += 2)
            add(std::uint64_t{std::bit_cast<std::uint32_t>(x->world_from_body->m[i])} << 32 |
                std::bit_cast<std::uint32_t>(x->world_from_body->m[i + 1]));
    }
    return out_->stamp = mix64(stamp) | 1;
}

/// Drops the farther half of the entries. False if `gap` is larger than all remaining ones.
bool BvhFrontBuilder::drop_farther_half(float gap) {
    const auto nearer = [](const BvhFrontEntry& x, const BvhFrontEntry& y) { return x.gap < y.gap; };
    BvhFrontEntry* const middle = out_->entries + kMaxFrontEntries / 2;
    std::nth_element(out_->entries, middle, std::end(out_->entries), nearer);
    beyond_ = std::min(beyond_, middle->gap);
    out_->count = kMaxFrontEntries / 2;
    return gap < beyond_;
}

// D is the difference of the matrices, correctly rounded per element. The ball around the tree's root has
// centre c and radius r. A point c + p moves by D (c, 1) + D p, at most the length of D (c, 1) plus |D| r,
// where |D| is at most the square root of the sum of squares. All terms are positive except in D (c, 1),
// whose roundings are below 2^-21 (|D| |c| + |t|).
float max_displacement(const MeshBvh& tree, const Matrix34f& from, const Matrix34f& to) {
    const BvhVolume root = tree.volume(0);
    const float scale = 1 / tree.scale();  // a power of two
    const Float4 centre{root.centre.x * scale, root.centre.y * scale, root.centre.z * scale, 1};
    Float4 squares{}, moved{};
    for (std::size_t row = 0; row < 3; ++row) {
        const Float4 d = load4(to.m.data() + 4 * row) - load4(from.m.data() + 4 * row);
        squares = squares + d * d;
        moved[row] = sum4(d * centre);
    }
    const Float4 lengths = sqrt4(Float4{squares[0] + squares[1] + squares[2], squares[3], dot4(moved, moved),
                                        root.radius * root.radius + root.thickness * root.thickness});
    const float turn = lengths[0], reach = std::abs(centre[0]) + std::abs(centre[1]) + std::abs(centre[2]);
    constexpr float kSlack = 0x1p-18f;
    // Squares that underflow are below 2^-126.
    constexpr float kUnderflow = 0x1p-60f;
    const float sum = lengths[2] + turn * (lengths[3] * scale + kSlack * reach) + kSlack * lengths[1];
    return sum * (1 + kSlack) + kUnderflow * (1 + reach + lengths[3] * scale);
}

}  // namespace claybox::collision
