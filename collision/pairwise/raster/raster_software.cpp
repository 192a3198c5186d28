#include "collision/pairwise/raster/raster_software.hpp"

#include "collision/simd/float4.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

constexpr Word4 kLane{0, 1, 2, 3};

Word4 word4(std::int32_t v) {
    const auto w = static_cast<std::uint32_t>(v);
    return Word4{w, w, w, w};
}

Word4 word4(std::uint32_t v) {
    return Word4{v, v, v, v};
}

/// A number evaluated in rows of four pixels, modulo 2^32: a start, a step per row, a step per four pixels.
struct Ramp {
    Word4 row, down, right;

    Ramp(Word4 start, Word4 x_step, Word4 y_step, Word4 first_lanes)
        : row(start + x_step * first_lanes), down(y_step), right(x_step * 4u) {}
};

/// Calls put(pixel, mask, depth) for each group of four pixels in a row of which the triangle covers at least
/// one. Lanes outside the triangle's pixel range are outside of an edge, so they need no mask.
template <class Put>
void fill(const RasterTriangle& t, int size, Put&& put) {
    const std::int32_t first = t.x0 & ~3;
    const Word4 lanes = kLane + word4(first - t.x0);
    Ramp e0(word4(t.edge[0]), word4(t.edge_x[0]), word4(t.edge_y[0]), lanes);
    Ramp e1(word4(t.edge[1]), word4(t.edge_x[1]), word4(t.edge_y[1]), lanes);
    Ramp e2(word4(t.edge[2]), word4(t.edge_x[2]), word4(t.edge_y[2]), lanes);
    Ramp z(word4(t.depth), word4(t.depth_x), word4(t.depth_y), lanes);
    const Int4 min_depth = splat_int4(t.min_depth), max_depth = splat_int4(t.max_depth);
    std::size_t row = static_cast<std::size_t>(t.y0) * static_cast<std::size_t>(size);
    for (std::int32_t y = t.y0; y <= t.y1; ++y, row += static_cast<std::size_t>(size)) {
        Word4 a = e0.row, b = e1.row, c = e2.row, d = z.row;
        for (std::int32_t x = first; x <= t.x1; x += 4) {
            const Int4 outside = Int4(a | b | c) >> 31;
            if (mask_bits4(outside) != 0xf) {
                const Int4 depth = max4(min4(Int4(d), max_depth), min_depth) >> kDepthFractionBits;
                put(row + static_cast<std::size_t>(x), ~outside, depth);
            }
            a += e0.right, b += e1.right, c += e2.right, d += z.right;
        }
        e0.row += e0.down, e1.row += e1.down, e2.row += e2.down, z.row += z.down;
    }
}

struct TwoValued {
    std::int32_t *nearest, *farthest;

    void operator()(std::size_t pixel, Int4 mask, Int4 depth) const {
        const Int4 n = load4(nearest + pixel), f = load4(farthest + pixel);
        store4(nearest + pixel, select4(mask, min4(n, depth), n));
        store4(farthest + pixel, select4(mask, max4(f, depth), f));
    }
};

struct OneValued {
    std::int32_t *depths, *colours;
    std::int32_t own;
    RasterRule rule;

    void operator()(std::size_t pixel, Int4 mask, Int4 depth) const {
        const Int4 z = load4(depths + pixel), c = load4(colours + pixel);
        const Int4 nearer = depth < z, not_behind = depth <= z, mine = splat_int4(own);
        const Int4 other = splat_int4(3 - own);
        switch (rule) {
            case RasterRule::nearer:
                return write(pixel, mask & nearer, depth, mine, z, c);
            case RasterRule::nearer_unlike:
                return write(pixel, mask & nearer & ~Int4(c == mine), depth, mine, z, c);
            case RasterRule::not_behind_other:
                return write(pixel, mask & not_behind & Int4(c == other), depth, mine, z, c);
            case RasterRule::recolour_other:
                return write(pixel, mask & not_behind & Int4(c == other), z, mine, z, c);
            case RasterRule::erase_like:
                return write(pixel, mask & Int4(c == mine), z, Int4{}, z, c);
            case RasterRule::erase_where_behind:
                return write(pixel, mask & ~not_behind, z, Int4{}, z, c);
        }
    }
    void write(std::size_t pixel, Int4 where, Int4 depth, Int4 colour, Int4 z, Int4 c) const {
        store4(depths + pixel, select4(where, depth, z));
        store4(colours + pixel, select4(where, colour, c));
    }
};

/// The thesis' sorting "on the fly" by insertion, nearest first. Equal depths share one value. A full pixel
/// loses its farthest value.
struct Layered {
    std::int32_t* counts;
    std::int32_t* values;
    std::int32_t layers, odd, any;

    void operator()(std::size_t pixel, Int4 mask, Int4 depth) const {
        for (std::size_t lane = 0; lane < 4; ++lane)
            if (mask[lane] != 0) insert(pixel + lane, depth[lane]);
    }
    void insert(std::size_t pixel, std::int32_t depth) const {
        std::int32_t& count = counts[pixel];
        std::int32_t* const list = values + pixel * static_cast<std::size_t>(layers);
        std::int32_t at = count;
        while (at > 0 && (list[at - 1] >> 4) > depth) --at;
        if (at > 0 && (list[at - 1] >> 4) == depth) {
            list[at - 1] = (list[at - 1] ^ odd) | any;
            return;
        }
        if (at == layers) return;
        if (count < layers) ++count;
        for (std::int32_t i = count - 1; i > at; --i) list[i] = list[i - 1];
        list[at] = depth << 4 | odd | any;
    }
};

}  // namespace

bool SoftwareRaster::begin(const RasterFrame& frame) {
    const bool fits = frame.size >= 4 && frame.size % 4 == 0 && frame.size <= kMaxRasterPixels &&
                      frame.layers >= 1 && frame.layers <= kMaxRasterLayers;
    if (!fits || frame.words() > memory_.size()) return false;
    frame_ = frame;
    const std::size_t n = frame.pixels();
    const auto plane = [&](std::size_t i, std::int32_t value) {
        std::fill_n(memory_.data() + i * n, n, value);
    };
    switch (frame.kind) {
        case RasterKind::two_valued:
            for (const std::size_t body : {0u, 1u}) {
                plane(2 * body, kNoDepth);
                plane(2 * body + 1, -1);
            }
            break;
        case RasterKind::one_valued:
            plane(0, kNoDepth);
            plane(1, 0);
            break;
        case RasterKind::layered:
            plane(0, 0);
            break;
    }
    return true;
}

void SoftwareRaster::draw(const RasterPass& pass, std::span<const RasterTriangle> triangles) {
    const std::size_t n = frame_.pixels();
    std::int32_t* const planes = memory_.data();
    const auto fill_all = [&](const auto& put) {
        for (const RasterTriangle& t : triangles) fill(t, frame_.size, put);
    };
    switch (frame_.kind) {
        case RasterKind::two_valued: {
            std::int32_t* const nearest = planes + 2 * n * static_cast<std::size_t>(pass.body);
            return fill_all(TwoValued{nearest, nearest + n});
        }
        case RasterKind::one_valued:
            return fill_all(OneValued{planes, planes + n, pass.body + 1, pass.rule});
        case RasterKind::layered: {
            const bool a = pass.body == 0;
            return fill_all(Layered{planes, planes + n, frame_.layers, a ? kLayerOddA : kLayerOddB,
                                    a ? kLayerAnyA : kLayerAnyB});
        }
    }
}

}  // namespace claybox::collision
