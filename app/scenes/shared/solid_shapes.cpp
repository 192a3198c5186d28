#include "app/scenes/shared/solid_shapes.hpp"

#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"

#include <cmath>

namespace claybox::app {

using collision::Vec3f;

namespace {

constexpr const char* kNames[kSolidCount] = {
    "dodecahedron", "truncated octahedron", "ball",          "cube",       "rhombic dodecahedron",
    "icosahedron",  "hexagonal rod",        "cuboctahedron", "octahedron", "octagonal slab"};

/// Adds the point with all combinations of signs, each point once.
void add_signs(const Vec3f& p, std::vector<Vec3f>& out) {
    for (unsigned i = 0; i < 8; ++i) {
        Vec3f q = p;
        bool again = false;
        for (unsigned k = 0; k < 3; ++k) {
            if ((i >> k & 1u) == 0) continue;
            again |= q[k] == 0;
            q[k] = -q[k];
        }
        if (!again) out.push_back(q);
    }
}

void add_cyclic(const Vec3f& p, std::vector<Vec3f>& out) {
    for (const Vec3f& q : {p, Vec3f{p.y, p.z, p.x}, Vec3f{p.z, p.x, p.y}}) add_signs(q, out);
}

/// Points on a spiral from pole to pole, jittered so that all balls differ.
void add_ball(int corners, std::uint64_t seed, std::vector<Vec3f>& out) {
    collision::Random random(seed);
    const double turn = collision::kPi * (3 - std::sqrt(5.0));
    const double shake = 0.25 / std::sqrt(static_cast<double>(corners));
    for (int i = 0; i < corners; ++i) {
        const double y = 1 - (2 * i + 1.0) / corners, r = std::sqrt(1 - y * y);
        const collision::SinCos a = collision::sin_cos(turn * i);
        const collision::Vec3d p{r * a.cos, y, r * a.sin};
        out.push_back(collision::cast<float>(normalized(p + random.unit_vector() * shake)));
    }
}

/// Corners in units for which every face is exactly flat: the coordinates have few binary digits.
std::vector<Vec3f> corners_of(Solid solid) {
    std::vector<Vec3f> out;
    switch (solid) {
        case Solid::dodecahedron:  // nearly regular: the regular one has irrational corners
            add_signs({1, 1, 1}, out);
            add_cyclic({0, 1.5f, 0.75f}, out);
            break;
        case Solid::truncated_octahedron:
            add_cyclic({0, 1, 2}, out);
            add_cyclic({0, 2, 1}, out);
            break;
        case Solid::ball:  // make_solid adds its corners
            break;
        case Solid::cube:
            add_signs({1, 1, 1}, out);
            break;
        case Solid::rhombic_dodecahedron:
            add_signs({1, 1, 1}, out);
            add_cyclic({2, 0, 0}, out);
            break;
        case Solid::icosahedron:
            add_cyclic({0, 1, 1.625f}, out);
            break;
        case Solid::hexagonal_rod:
            add_signs({2, 5, 0}, out);
            add_signs({1, 5, 1.75f}, out);
            break;
        case Solid::cuboctahedron:
            add_cyclic({0, 1, 1}, out);
            break;
        case Solid::octahedron:
            add_cyclic({1, 0, 0}, out);
            break;
        case Solid::octagonal_slab:
            add_signs({5, 2, 2}, out);
            add_signs({2, 2, 5}, out);
            break;
    }
    return out;
}

}  // namespace

collision::Result<collision::ShapePtr> make_solid(Solid solid, int corners, float radius,
                                                  std::uint64_t seed) {
    std::vector<Vec3f> points = corners_of(solid);
    if (solid == Solid::ball) add_ball(corners, seed, points);
    float reach = 0;
    for (const Vec3f& p : points) reach = std::max(reach, length(p));
    // The factor has at most twelve binary digits and a coordinate at most five: their product is exact.
    int exponent = 0;
    const float mantissa = std::frexp(radius / reach, &exponent);
    const float factor = std::ldexp(std::floor(mantissa * 4096), exponent - 12);
    for (Vec3f& p : points) p = p * factor;
    return collision::Shape::from_hull(points, kNames[static_cast<std::size_t>(solid)]);
}

}  // namespace claybox::app
