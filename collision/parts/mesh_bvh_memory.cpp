#include "collision/parts/mesh_bvh_memory.hpp"

#include "collision/core/state_hash.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace claybox::collision {

BvhFrontMaker::BvhFrontMaker(BvhFront& front, float moved, std::span<BvhFrontPlace>& nearer)
    : out_(&front), beyond_(front.beyond), moved_(moved), stamp_(front.stamp) {
    const std::span<const BvhFrontPlace> before(front.places, front.count);
    std::size_t near = 0;
    front.count = 0;
    for (const BvhFrontPlace& place : before)
        (place.gap > moved ? front.places[front.count++] : nearer[near++]) = place;
    nearer = nearer.first(near);
}

std::uint64_t BvhFrontMaker::finish(const PlacedBvh& a, const PlacedBvh& b) const {
    out_->beyond = out_->nearest = beyond_;
    for (const BvhFrontPlace& place : std::span(out_->places).first(out_->count))
        out_->nearest = std::min(out_->nearest, place.gap);
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

/// The farther half goes. False when `gap` is farther than all that stay.
bool BvhFrontMaker::make_room(float gap) {
    const auto nearer = [](const BvhFrontPlace& x, const BvhFrontPlace& y) { return x.gap < y.gap; };
    BvhFrontPlace* const middle = out_->places + kMostFrontPlaces / 2;
    std::nth_element(out_->places, middle, std::end(out_->places), nearer);
    beyond_ = std::min(beyond_, middle->gap);
    out_->count = kMostFrontPlaces / 2;
    return gap < beyond_;
}

// With D the difference of the matrices, correctly rounded element by element, and a ball around the tree's
// root of middle c and radius r: a point c + p moves by D (c, 1) + D p, which is at most the length of the
// first plus |D| r, where |D| is at most the root of the sum of the squares. Everything is positive but D (c,
// 1), whose roundings are below 2^-21 (|D| |c| + |t|).
float farthest_move(const MeshBvh& tree, const Matrix34f& from, const Matrix34f& to) {
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
