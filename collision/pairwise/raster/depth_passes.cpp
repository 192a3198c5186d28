#include "collision/pairwise/raster/depth_passes.hpp"

#include "collision/simd/float4.hpp"

#include <algorithm>
#include <array>

namespace claybox::collision {

namespace {

constexpr DepthPass kBothBodies[] = {{DrawnFaces::all, {0, RasterRule::nearer}},
                                     {DrawnFaces::all, {1, RasterRule::nearer}}};

// Between passes 2 and 5 a pixel that shows A holds the end of A. If B ends before that, pass 3 overwrites
// the pixel with B's end. If B ends later but begins before it, pass 4 colours the pixel and keeps A's end.
// In both cases the bodies collide unless A begins behind the stored depth: pass 5.
constexpr DepthPass kFivePasses[] = {{DrawnFaces::back, {0, RasterRule::nearer}},
                                     {DrawnFaces::back, {1, RasterRule::not_behind_other}},
                                     {DrawnFaces::front, {1, RasterRule::recolour_other}},
                                     {DrawnFaces::front, {0, RasterRule::erase_where_behind}}};

constexpr DepthPass kPrintedPasses[] = {{DrawnFaces::back, {0, RasterRule::nearer}},
                                        {DrawnFaces::back, {1, RasterRule::nearer}},
                                        {DrawnFaces::front, {1, RasterRule::nearer_unlike}},
                                        {DrawnFaces::front, {0, RasterRule::erase_like}}};

constexpr std::int32_t kColourB = 2;

/// Accumulates the evaluation of pixels.
struct Reader {
    DepthFinding found;
    PixelListener* listener = nullptr;

    void add_collision(std::uint32_t pixel, std::int32_t begin, std::int32_t end) {
        ++found.colliding;
        if (end - begin > found.stretch_end - found.stretch_begin) {
            found.deepest_pixel = pixel;
            found.stretch_begin = begin;
            found.stretch_end = end;
        }
        if (listener != nullptr) listener->pixel(pixel, begin, end);
    }
    /// Processes the nearest and farthest depths of both bodies in a pixel that shows both.
    void measure_separation(std::int32_t near_a, std::int32_t far_a, std::int32_t near_b,
                            std::int32_t far_b) {
        found.distance_up = std::max(found.distance_up, far_a - near_b);
        found.distance_down = std::max(found.distance_down, far_b - near_a);
        measure_thesis_depth(near_a, far_a, near_b, far_b);
        measure_thesis_depth(near_b, far_b, near_a, far_a);
    }
    void measure_thesis_depth(std::int32_t near, std::int32_t far, std::int32_t surface,
                              std::int32_t other_surface) {
        for (const std::int32_t z : {surface, other_surface})
            if (near <= z && z <= far) found.thesis_depth = std::max({found.thesis_depth, z - near, far - z});
    }
};

struct Planes {
    const std::int32_t *near_a, *far_a, *near_b, *far_b;
};

void read_two_valued(const RasterFrame& frame, std::span<const std::int32_t> words, Reader& reader) {
    const std::size_t n = frame.pixels();
    const Planes p{words.data(), words.data() + n, words.data() + 2 * n, words.data() + 3 * n};
    for (std::size_t i = 0; i < n; i += 4) {
        const Int4 far_a = load4(p.far_a + i), far_b = load4(p.far_b + i);
        const unsigned both = mask_bits4(~((far_a | far_b) >> 31));
        if (both == 0) continue;
        for (std::size_t k = i; k < i + 4; ++k) {
            if ((both >> (k - i) & 1u) == 0) continue;
            ++reader.found.shared;
            reader.measure_separation(p.near_a[k], p.far_a[k], p.near_b[k], p.far_b[k]);
            const std::int32_t begin = std::max(p.near_a[k], p.near_b[k]);
            const std::int32_t end = std::min(p.far_a[k], p.far_b[k]);
            if (begin <= end) reader.add_collision(static_cast<std::uint32_t>(k), begin, end);
        }
    }
}

void read_one_valued(const RasterFrame& frame, std::span<const std::int32_t> words, Reader& reader) {
    const std::size_t n = frame.pixels();
    for (std::size_t i = 0; i < n; i += 4) {
        const Int4 colour = load4(words.data() + n + i);
        if (mask_bits4(Int4(colour == splat_int4(kColourB))) == 0) continue;
        for (std::size_t k = i; k < i + 4; ++k)
            if (words[n + k] == kColourB)
                reader.add_collision(static_cast<std::uint32_t>(k), words[k], words[k]);
    }
}

/// Reads one pixel's sorted values. The range from an odd surface to the next even one is inside. A single
/// surface belongs to its body, because bodies are closed sets.
void read_layers_of(std::uint32_t pixel, std::span<const std::int32_t> values, Reader& reader) {
    std::int32_t near[2] = {kNoDepth, kNoDepth}, far[2] = {-1, -1};
    std::int32_t inside = 0, begin = 0, best_begin = 0, best_end = -1;
    for (const std::int32_t value : values) {
        const std::int32_t depth = value >> 4, odd = value & 3, here = value >> 2 & 3;
        for (const int body : {0, 1}) {
            if ((here >> body & 1) == 0) continue;
            near[body] = std::min(near[body], depth);
            far[body] = depth;
        }
        const bool collides = inside == 3;
        if (!collides) begin = depth;
        if ((inside | here) == 3 && depth - begin > best_end - best_begin) {
            best_begin = begin;
            best_end = depth;
        }
        inside ^= odd;
    }
    if (far[0] < 0 || far[1] < 0) return;
    ++reader.found.shared;
    reader.measure_separation(near[0], far[0], near[1], far[1]);
    if (best_end >= 0) reader.add_collision(pixel, best_begin, best_end);
}

void read_layers(const RasterFrame& frame, std::span<const std::int32_t> words, Reader& reader) {
    const std::size_t n = frame.pixels();
    const auto layers = static_cast<std::size_t>(frame.layers);
    for (std::size_t i = 0; i < n; ++i) {
        if (words[i] == 0) continue;
        const auto count = static_cast<std::size_t>(words[i]);
        reader.found.full += count == layers ? 1 : 0;
        read_layers_of(static_cast<std::uint32_t>(i), words.subspan(n + i * layers, count), reader);
    }
}

}  // namespace

std::span<const DepthPass> passes_of(DepthBufferVariant variant) {
    if (variant == DepthBufferVariant::five_pass) return kFivePasses;
    return kBothBodies;
}

std::span<const DepthPass> printed_passes() {
    return kPrintedPasses;
}

RasterKind kind_of(DepthBufferVariant variant) {
    switch (variant) {
        case DepthBufferVariant::two_valued:
            return RasterKind::two_valued;
        case DepthBufferVariant::five_pass:
            return RasterKind::one_valued;
        case DepthBufferVariant::layers:
            return RasterKind::layered;
    }
    return RasterKind::layered;
}

DepthFinding read_picture(DepthBufferVariant variant, const RasterFrame& frame,
                          std::span<const std::int32_t> words, PixelListener* listener) {
    Reader reader{{}, listener};
    switch (variant) {
        case DepthBufferVariant::two_valued:
            read_two_valued(frame, words, reader);
            break;
        case DepthBufferVariant::five_pass:
            read_one_valued(frame, words, reader);
            break;
        case DepthBufferVariant::layers:
            read_layers(frame, words, reader);
            break;
    }
    return reader.found;
}

}  // namespace claybox::collision
