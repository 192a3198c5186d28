#include "tests/mass/mesh_pairs.hpp"

#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace claybox::test {

using namespace collision;

namespace {

constexpr float kGrid = 0.125f;

float snap(double v) {
    return static_cast<float>(std::round(v / kGrid)) * kGrid;
}

/// A vector of random direction and length in [min, max). Two statements, because operands have no order of
/// evaluation.
Vec3d random_vector(Random& random, double min, double max) {
    const Vec3d direction = random.unit_vector();
    return random.uniform(min, max) * direction;
}

PolygonList some_primitive(Random& random) {
    static constexpr Primitive kKinds[] = {Primitive::torus,       Primitive::tetra_flake,
                                           Primitive::hyperboloid, Primitive::uv_sphere,
                                           Primitive::cylinder,    Primitive::box};
    const std::uint32_t polygons = 12 + static_cast<std::uint32_t>(random.below(120));
    return make_primitive(kKinds[random.below(std::size(kKinds))], polygons, 1);
}

/// Random points in a ball, and random polygons of 3 to 6 of them.
PolygonList soup(Random& random) {
    PolygonList out;
    const std::uint64_t points = 4 + random.below(20);
    for (std::uint64_t i = 0; i < points; ++i)
        out.positions.push_back(cast<float>(random_vector(random, 0, 1)));
    const std::uint64_t polygons = 1 + random.below(24);
    std::vector<std::uint32_t> loop;
    for (std::uint64_t i = 0; i < polygons; ++i) {
        loop.clear();
        for (std::uint64_t k = random.below(5) == 0 ? 3 + random.below(4) : 3; k > 0; --k)
            loop.push_back(static_cast<std::uint32_t>(random.below(points)));
        out.add_polygon(loop);
        if (random.below(8) == 0) out.add_polygon(loop);  // duplicate
    }
    return out;
}

/// Removes, duplicates and flips polygons, and merges and moves vertices.
PolygonList damaged(Random& random, const PolygonList& list) {
    PolygonList out;
    out.positions = list.positions;
    std::vector<std::uint32_t> loop;
    for (std::size_t p = 0; p < list.polygon_count(); ++p) {
        const auto from = list.polygon(p);
        loop.assign(from.begin(), from.end());
        switch (random.below(12)) {
            case 0:
                continue;
            case 1:
                out.add_polygon(loop);
                break;
            case 2:
                std::reverse(loop.begin(), loop.end());
                break;
            case 3:
                loop[random.below(loop.size())] = loop[random.below(loop.size())];
                break;
            default:
                break;
        }
        out.add_polygon(loop);
    }
    for (std::uint64_t i = random.below(4); i > 0; --i) {
        Vec3f& v = out.positions[random.below(out.positions.size())];
        v = random.below(2) == 0 ? out.positions[random.below(out.positions.size())]
                                 : cast<float>(random_vector(random, 0, 1.5));
    }
    if (out.polygon_count() == 0) out.add_polygon(std::array<std::uint32_t, 3>{0, 1, 2});
    return out;
}

/// A signed permutation times a power of two of at most 2^max either way. Exact for every float.
Matrix34f exact_matrix(Random& random, int max) {
    Matrix34f m;
    const std::size_t first = random.below(3), second = (first + 1 + random.below(2)) % 3;
    const std::size_t column[3] = {first, second, 3 - first - second};
    const auto range = static_cast<std::uint64_t>(2 * max + 1);
    const float scale = std::ldexp(1.0f, static_cast<int>(random.below(range)) - max);
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t k = 0; k < 4; ++k)
            m.m[4 * r + k] = k == column[r] ? (random.below(2) == 0 ? scale : -scale) : 0.0f;
    return m;
}

Matrix34f random_matrix(Random& random) {
    if (random.below(8) == 0) return exact_matrix(random, 2);
    const double angle = random.uniform(0, 6.283);
    Matrix34f m = to_matrix({axis_angle(random.unit_vector(), angle), {}});
    const std::uint64_t kind = random.below(8);
    if (kind >= 3) return m;
    for (std::size_t i = 0; i < 12; ++i)  // sheared, often mirrored
        if (i % 4 != 3) m.m[i] += static_cast<float>(random.uniform(-1, 1) * (kind == 0 ? 0.05 : 1));
    if (kind == 2)  // flat, or on a line
        for (std::uint64_t rows = 1 + random.below(2); rows > 0; --rows)
            for (std::size_t k = 0, r = random.below(3); k < 3; ++k) m.m[4 * r + k] = 0;
    return m;
}

void set_translation(Matrix34f& m, const Vec3d& t) {
    for (std::size_t r = 0; r < 3; ++r) m.m[4 * r + 3] = static_cast<float>(t[r]);
}

double size_of(const MeshShape& s, const Matrix34f& m) {
    double out = 0;
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t k = 0; k < 3; ++k)
            out = std::max(out, std::abs(static_cast<double>(m.m[4 * r + k])));
    return 2 * out * std::max<double>(s.shape->sphere().radius, 1e-3);
}

bool collide(const MeshPair& p) {
    static const PairAlgorithm& plain = *find_pair_algorithm("edge_polygon");
    thread_local Scratch scratch;
    PairQuery q = make_pair_query(*p.a->shape, p.world_from_a, *p.b->shape, p.world_from_b, scratch);
    q.parameters = default_values(plain.parameters);
    PairCache cache;
    return run_query(plain, q, cache).verdict == Verdict::colliding;
}

/// Moves B along a line past A to the point of first contact, then a little closer or farther.
void place_near(Random& random, MeshPair& pair) {
    pair.world_from_a = random_matrix(random);
    pair.world_from_b = random_matrix(random);
    if (random.below(3) == 0) {
        const Vec3d direction = random.unit_vector();
        set_translation(pair.world_from_a, std::exp2(random.uniform(-4, 10)) * direction);
    }
    const Vec3d centre = cast<double>(pair.world_from_a.translation());
    const double size = size_of(*pair.a, pair.world_from_a) + size_of(*pair.b, pair.world_from_b);
    const Vec3d line = random.unit_vector(), offset = size * random_vector(random, 0, 0.3);
    const auto move_to = [&](double t) { set_translation(pair.world_from_b, centre + offset + t * line); };
    double low = 0, high = 1.2 * size;
    for (int step = 0; step < 14; ++step) {
        move_to((low + high) / 2);
        (collide(pair) ? low : high) = (low + high) / 2;
    }
    const double relative = std::pow(10.0, -1.0 - static_cast<double>(random.below(8)));
    move_to(high + size * (random.below(2) == 0 ? relative : -relative));
}

void place_on_grid(Random& random, MeshPair& pair) {
    pair.world_from_a = exact_matrix(random, 0);
    pair.world_from_b = exact_matrix(random, 1);
    if (random.below(4) == 0) {  // a shear that stays on a finer grid
        const std::size_t row = random.below(3);
        pair.world_from_b.m[4 * row + random.below(3)] += 0.5f;
    }
    for (std::size_t r = 0; r < 3; ++r) pair.world_from_b.m[4 * r + 3] = snap(random.uniform(-1.5, 1.5));
}

/// Places B, at a tenth to a third of its size, somewhere in A's box.
void place_within(Random& random, MeshPair& pair) {
    pair.world_from_a = random_matrix(random);
    pair.world_from_b = random_matrix(random);
    const auto by = static_cast<float>(random.uniform(0.1, 0.3));
    for (std::size_t i = 0; i < 12; ++i)
        if (i % 4 != 3) pair.world_from_b.m[i] *= by;
    const Aabb& box = pair.a->shape->geometry().box;
    Vec3d inside;
    for (std::size_t k = 0; k < 3; ++k)
        inside[k] = random.uniform(box.min[k], static_cast<double>(box.max[k]) + 1e-9);
    set_translation(pair.world_from_b, transform_point(to_double(pair.world_from_a), inside));
}

/// Scales both placements by the same power of two, which rounds nothing.
void scale(Random& random, MeshPair& pair) {
    const int power = static_cast<int>(random.below(121)) - 60;
    for (Matrix34f* m : {&pair.world_from_a, &pair.world_from_b})
        for (float& entry : m->m) entry = std::ldexp(entry, power);
}

void deform_a(Random& random, MeshPair& pair) {
    pair.deformed_a = pair.a->shape->geometry();
    std::vector<VertexChange> changes;
    const auto& positions = pair.deformed_a.positions;
    for (std::uint64_t i = 1 + random.below(6); i > 0; --i) {
        const auto v = static_cast<std::uint32_t>(random.below(positions.size()));
        Vec3f to = positions[v] * static_cast<float>(random.uniform(0.3, 1.5));
        if (pair.a->on_grid) to = {snap(to.x), snap(to.y), snap(to.z)};
        changes.push_back({v, to});
    }
    if (!deform(pair.deformed_a, changes, pair.touched).ok()) pair.touched.clear();
}

}  // namespace

MeshShape random_mesh(Random& random) {
    MeshShape out;
    out.on_grid = random.below(2) == 0;
    const std::uint64_t kind = random.below(6);
    PolygonList list = kind <= 1 ? soup(random) : some_primitive(random);
    if (kind == 2 || kind == 3) list = damaged(random, list);
    if (out.on_grid)
        for (Vec3f& p : list.positions) p = {snap(p.x), snap(p.y), snap(p.z)};
    auto shape = Shape::from_polygons(list);
    if (!shape.ok()) {
        std::fprintf(stderr, "%s\n", shape.error().text().c_str());
        std::exit(1);
    }
    out.shape = std::move(shape.value());
    return out;
}

MeshPair random_mesh_pair(Random& random, const std::vector<MeshShape>& shapes) {
    MeshPair pair;
    pair.a = &shapes[random.below(shapes.size())];
    pair.b = &shapes[random.below(shapes.size())];
    const std::uint64_t kind = random.below(10);
    if (kind == 0) {
        pair.b = pair.a;
        pair.world_from_a = pair.world_from_b = random_matrix(random);
    } else if (kind <= 4 && pair.a->on_grid && pair.b->on_grid) {
        place_on_grid(random, pair);
    } else if (kind == 5) {
        place_within(random, pair);
    } else {
        place_near(random, pair);
    }
    if (random.below(8) == 0) {
        float& t = pair.world_from_b.m[4 * random.below(3) + 3];
        t = std::nextafter(t, random.below(2) == 0 ? -INFINITY : INFINITY);
    }
    if (random.below(4) == 0) scale(random, pair);
    if (random.below(5) == 0) deform_a(random, pair);
    pair.earlier_b = pair.world_from_b;
    for (std::size_t r = 0; r < 3; ++r)
        pair.earlier_b.m[4 * r + 3] *= static_cast<float>(1 + random.uniform(-0.1, 0.1));
    return pair;
}

}  // namespace claybox::test
