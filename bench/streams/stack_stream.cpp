#include "bench/streams/query_stream.hpp"
#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace claybox::streams {

using namespace collision;

namespace {

constexpr float kHalfHeight = 0.5f;

/// Adds the corners of a regular polygon around the Y axis at height `y`; `first`: angle of the first one.
void add_ring(std::vector<Vec3f>& out, std::uint32_t corners, double first, double radius, float y) {
    for (std::uint32_t i = 0; i < corners; ++i) {
        const SinCos a = sin_cos(first + 2 * std::numbers::pi * i / corners);
        out.push_back({static_cast<float>(radius * a.cos), y, static_cast<float>(radius * a.sin)});
    }
}

std::vector<Vec3f> prism_points(std::uint32_t vertices) {
    std::vector<Vec3f> out;
    for (const float y : {-kHalfHeight, kHalfHeight})
        add_ring(out, std::max(3u, vertices / 2), 0.25 * std::numbers::pi, 1, y);
    return out;
}

/// Top and bottom faces of different sizes with at most 16 corners each; other vertices on a barrel between.
std::vector<Vec3f> block_points(std::uint32_t vertices, Random& random) {
    const std::uint32_t corners = std::clamp(vertices / 2, 3u, 16u);
    std::vector<Vec3f> out;
    for (const float y : {-kHalfHeight, kHalfHeight}) {
        const double radius = random.uniform(0.7, 1);
        add_ring(out, corners, random.uniform(0, 6), radius, y);
    }
    while (out.size() < vertices) {
        const Vec3d v = random.unit_vector();
        if (std::abs(v.y) < 0.9) out.push_back(cast<float>(Vec3d{1.2 * v.x, 0.5 * v.y, 1.2 * v.z}));
    }
    return out;
}

Result<ShapePtr> stacked_shape(const StackSettings& s, Random& random) {
    switch (s.shape) {
        case StackedShape::box:
            return Shape::from_hull(prism_points(8));
        case StackedShape::prism:
            return Shape::from_hull(prism_points(s.vertices));
        case StackedShape::block:
            return Shape::from_hull(block_points(s.vertices, random));
        case StackedShape::mirror:
            break;
    }
    return make_primitive_shape(Primitive::ellipsoid_hull, s.vertices, 1, random.bits() >> 32);
}

/// A body on level `level` of an upright stack. Turns about the vertical and horizontal shifts keep heights
/// exact.
Matrix34f upright(Random& random, std::size_t level) {
    return to_matrix({axis_angle({0, 1, 0}, random.uniform(0, 6)),
                      {random.uniform(-0.3, 0.3), static_cast<double>(level), random.uniform(-0.3, 0.3)}});
}

/// Bodies of a leaning stack share the linear part and differ by multiples of its second column. The factors
/// -1, 0, 1 and 2 keep the products exact in float.
Matrix34f leaning(const Matrix34f& lean, std::size_t level) {
    Matrix34f out = lean;
    for (std::size_t r = 0; r < 3; ++r)
        out.m[4 * r + 3] = (static_cast<float>(level) - 1) * lean.m[4 * r + 1];
    return out;
}

/// The lower body, mirrored at the horizontal plane through its top.
Matrix34f mirrored(const Shape& shape) {
    Matrix34f out;
    out.m[5] = -1;
    out.m[7] = 2 * shape.geometry().box.max.y;
    return out;
}

}  // namespace

Result<QueryStream> record_stacks(const StackSettings& s, std::uint32_t frames) {
    const bool mirror = s.shape == StackedShape::mirror;
    const std::size_t height = mirror ? 2 : s.tilted ? std::min<std::size_t>(s.height, 4) : s.height;
    Random random(s.seed);
    QueryStream out;
    for (std::size_t i = 0; i < s.stacks * height; ++i) {
        if (mirror && i % 2 == 1) {
            out.shapes.push_back(out.shapes.back());
            continue;
        }
        auto shape = stacked_shape(s, random);
        if (!shape.ok()) return shape.error();
        out.shapes.push_back(std::move(shape.value()));
    }
    std::vector<Matrix34f> matrices(out.shapes.size());
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        for (std::size_t stack = 0; stack < s.stacks && frame % std::max(1u, s.rest) == 0; ++stack) {
            const Matrix34f lean = to_matrix({random_rotation(random, 0, 6), {}});
            const float shift = std::ldexp(1.0f, static_cast<int>(random.below(8)) - 4);
            for (std::size_t level = 0; level < height; ++level) {
                Matrix34f& m = matrices[stack * height + level];
                m = mirror     ? (level == 0 ? Matrix34f{} : mirrored(*out.shapes[stack * height]))
                    : s.tilted ? leaning(lean, level)
                               : upright(random, level);
                if (mirror) m.m[3] = m.m[11] = shift;  // both bodies, to stay aligned
            }
        }
        for (std::size_t stack = 0; stack < s.stacks; ++stack)
            for (std::size_t level = 0; level + 1 < height; ++level) {
                const std::size_t i = stack * height + level;
                out.queries.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + 1),
                                       frame, matrices[i], matrices[i + 1]});
            }
    }
    return out;
}

}  // namespace claybox::streams
