#include "tests/pairwise/truth_pairs.hpp"

#include "tests/support/obj_text.hpp"
#include "tests/support/truth.hpp"

#include <cmath>
#include <map>

namespace claybox::test {

namespace {

ShapePtr read_points(const nlohmann::json& body) {
    std::vector<Vec3f> points;
    for (const auto& p : body["points"])
        points.push_back(cast<float>(Vec3d{p[0].get<double>(), p[1].get<double>(), p[2].get<double>()}));
    auto shape = Shape::from_hull(points);
    EXPECT_TRUE(shape.ok()) << (shape.ok() ? "" : shape.error().text());
    return shape.ok() ? shape.value() : nullptr;
}

ShapePtr read_mesh(const std::string& name) {
    static std::map<std::string, ShapePtr> shapes;
    ShapePtr& shape = shapes[name];
    if (shape == nullptr) {
        auto made = Shape::from_polygons(read_obj(truth_dir() / "meshes" / name), name);
        EXPECT_TRUE(made.ok()) << name;
        if (made.ok()) shape = made.value();
    }
    return shape;
}

ShapePtr read_shape(const nlohmann::json& body) {
    return body.contains("mesh") ? read_mesh(body["mesh"]) : read_points(body);
}

Matrix34f read_matrix(const nlohmann::json& numbers) {
    Matrix34f m;
    for (std::size_t i = 0; i < 12; ++i) m.m[i] = static_cast<float>(numbers[i].get<double>());
    return m;
}

TruthPair read_pair(const nlohmann::json& line) {
    TruthPair t;
    t.id = line["id"];
    t.kind = line["class"];
    t.pair = {read_shape(line["a"]), read_shape(line["b"]), read_matrix(line["matrix_a"]),
              read_matrix(line["matrix_b"])};
    const bool mesh = line["a"].contains("mesh"), collide = line["collide"];
    t.solid = collide || line.value("inside", false);
    if (mesh) t.surface = collide;
    t.distance = line.value("distance", 0.0);
    t.size = line.value("size", 1.0);
    t.coordinates = line.value("coord_max", 1.0);
    if (line.contains("depth") && line["depth"].is_number()) t.depth = line["depth"];
    return t;
}

std::vector<TruthPair> read_all(const char* file) {
    std::vector<TruthPair> out;
    for (const auto& line : truth_lines(file)) {
        out.push_back(read_pair(line));
        if (out.back().pair.a == nullptr || out.back().pair.b == nullptr) out.pop_back();
    }
    return out;
}

/// x * 2^exponent; false if the result is rounded or not a valid input.
bool scale(float& x, int exponent) {
    const float y = std::ldexp(x, exponent);
    if (std::ldexp(y, -exponent) != x || std::abs(y) > static_cast<float>(kMaxMagnitude)) return false;
    x = y;
    return true;
}

ShapePtr scaled_shape(const ShapePtr& shape, int exponent) {
    static std::map<std::pair<const Shape*, int>, ShapePtr> kept;
    ShapePtr& out = kept[{shape.get(), exponent}];
    if (out != nullptr) return out;
    const Topology& t = shape->topology();
    PolygonList list;
    list.positions = shape->geometry().positions;
    for (Vec3f& p : list.positions)
        for (std::size_t k = 0; k < 3; ++k)
            if (!scale(p[k], exponent)) return nullptr;
    list.begin = t.polygon_begin;
    list.indices = t.origin;
    // A hull that is not the closed surface of its polygons is built from its points.
    const bool from_points = shape->hull() != nullptr && shape->hull()->dimension < 3;
    const auto made = from_points ? Shape::from_hull(list.positions) : Shape::from_polygons(list);
    if (made.ok()) out = made.value();
    return out;
}

}  // namespace

const std::vector<TruthPair>& convex_truth() {
    static const std::vector<TruthPair> all = read_all("convex.jsonl");
    return all;
}

const std::vector<TruthPair>& mesh_truth() {
    static const std::vector<TruthPair> all = read_all("mesh.jsonl");
    return all;
}

Pair frame_before(const TruthPair& t, const Pair& now, const Vec3d& direction, double scale) {
    Pair p = now;
    for (std::size_t r = 0; r < 3; ++r)
        p.world_from_b.m[r * 4 + 3] += static_cast<float>(0.05 * scale * t.size * direction[r]);
    return p;
}

Matrix34f with_axes_permuted(const Matrix34f& m, std::uint32_t map) {
    constexpr std::size_t kOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    Matrix34f out;
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 4; ++c) {
            const float entry = m.m[kOrders[map % 6][r] * 4 + c];
            out.m[r * 4 + c] = (map / 6 >> r & 1u) != 0 ? -entry : entry;
        }
    return out;
}

std::optional<Pair> scaled_world(const Pair& p, int exponent) {
    Pair out = p;
    for (Matrix34f* m : {&out.world_from_a, &out.world_from_b})
        for (float& entry : m->m)
            if (!scale(entry, exponent)) return std::nullopt;
    return out;
}

std::optional<Pair> scaled_bodies(const Pair& p, int exponent) {
    Pair out = p;
    for (Matrix34f* m : {&out.world_from_a, &out.world_from_b})
        for (std::size_t i = 0; i < 12; ++i)
            if (i % 4 != 3 && !scale(m->m[i], exponent)) return std::nullopt;
    out.a = scaled_shape(p.a, -exponent);
    out.b = scaled_shape(p.b, -exponent);
    if (out.a == nullptr || out.b == nullptr) return std::nullopt;
    return out;
}

std::optional<Pair> shifted(const Pair& p, const Vec3f& shift) {
    Pair out = p;
    for (Matrix34f* m : {&out.world_from_a, &out.world_from_b})
        for (std::size_t r = 0; r < 3; ++r) {
            float& t = m->m[r * 4 + 3];
            const double sum = static_cast<double>(t) + static_cast<double>(shift[r]);
            // The sum of two floats may need more digits than a double has: subtract again to check.
            const bool exact = sum - static_cast<double>(t) == static_cast<double>(shift[r]) &&
                               sum - static_cast<double>(shift[r]) == static_cast<double>(t) &&
                               static_cast<double>(static_cast<float>(sum)) == sum;
            if (!exact) return std::nullopt;
            t = static_cast<float>(sum);
        }
    return out;
}

}  // namespace claybox::test
