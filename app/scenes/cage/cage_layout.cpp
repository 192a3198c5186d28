#include "app/scenes/cage/cage_layout.hpp"

#include "app/potter/shapes/lathe.hpp"
#include "app/scenes/shared/body_shapes.hpp"
#include "app/scenes/shared/solid_shapes.hpp"
#include "app/scenes/view.hpp"
#include "collision/core/elementary.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace claybox::app {

using collision::Aabb;
using collision::Primitive;
using collision::Random;
using collision::Vec3d;

namespace {

constexpr std::size_t kMaxKinds = 64;  // distinct meshes: enough variety, few enough to build without delay
constexpr int kTries = 200;            // per ball; random placement saturates at about 38 % of the volume
constexpr double kLargestShare =
    0.38;  // largest diameter of a ball, as a share of the smallest side of the cage

constexpr int kMaxSolidCorners = 60;  // finer mixes consist of the shapes that the papers measure

constexpr Primitive kFineMix[] = {Primitive::ellipsoid_hull, Primitive::box,
                                  Primitive::ellipsoid_hull, Primitive::cylinder,
                                  Primitive::uv_sphere,      Primitive::ellipsoid_hull,
                                  Primitive::tetrahedron,    Primitive::plate_hull,
                                  Primitive::rod_hull,       Primitive::cone};

struct KindRecipe {
    Primitive primitive = Primitive::box;
    Solid solid = Solid::cube;
    bool is_solid = false;
    std::uint32_t detail = 4;
    double size = 1;  ///< relative to the mean radius
    std::uint64_t seed = 0;
    const collision::Shape* mesh = nullptr;

    collision::Result<collision::ShapePtr> make(float radius) const {
        if (mesh != nullptr) return fit_mesh(*mesh, radius);
        if (is_solid) return make_solid(solid, static_cast<int>(detail), radius, seed);
        return collision::make_primitive_shape(primitive, detail, radius, seed);
    }
};

KindRecipe recipe_for(const CageMix& mix, std::size_t kind, Random& random) {
    KindRecipe recipe;
    recipe.seed = random.bits();
    const bool mixed = mix.choice == 0;
    const double stretch = mixed ? random.uniform(0.6, 1.4) : 1.0;
    recipe.is_solid = mixed && mix.detail <= kMaxSolidCorners;
    recipe.solid = static_cast<Solid>(kind % kSolidCount);
    recipe.primitive = mixed ? kFineMix[kind % std::size(kFineMix)] : static_cast<Primitive>(mix.choice - 1);
    recipe.detail = static_cast<std::uint32_t>(std::max(4.0, std::round(mix.detail * stretch)));
    // Boxes of a mix stay plain: with subdivided faces they would look like rough balls.
    if (mixed && recipe.primitive == Primitive::box && !recipe.is_solid) recipe.detail = 6;
    if (mixed && recipe.primitive == Primitive::tetrahedron && !recipe.is_solid) recipe.detail = 4;
    recipe.size = random.uniform(1 - mix.spread, 1 + mix.spread);
    if (!mix.meshes.empty()) recipe.mesh = mix.meshes[kind].get();
    return recipe;
}

/// Uniform grid of balls. The cell size is the diameter of the largest ball, so a query visits only
/// neighbouring cells.
class BallGrid {
  public:
    BallGrid(const Aabb& box, double cell) : low_(collision::cast<double>(box.min)) {
        const Vec3d size = collision::cast<double>(box.max - box.min);
        cell_ =
            std::max(cell, collision::cube_root(size.x * size.y * size.z / 1e6));  // at most a million cells
        for (std::size_t i = 0; i < 3; ++i) count_[i] = std::max(1, static_cast<int>(size[i] / cell_) + 1);
        cells_.resize(index({count_[0] - 1, count_[1] - 1, count_[2] - 1}) + 1);
    }
    void add(const Vec3d& p, double radius) { cells_[index(cell_of(p))].push_back({p, radius}); }
    /// Smallest gap to a nearby ball; negative for overlap.
    double gap(const Vec3d& p, double radius) const {
        double best = cell_;
        const std::array<int, 3> c = cell_of(p);
        for (int x = std::max(0, c[0] - 1); x <= std::min(count_[0] - 1, c[0] + 1); ++x) {
            for (int y = std::max(0, c[1] - 1); y <= std::min(count_[1] - 1, c[1] + 1); ++y) {
                for (int z = std::max(0, c[2] - 1); z <= std::min(count_[2] - 1, c[2] + 1); ++z) {
                    for (const Ball& b : cells_[index({x, y, z})]) {
                        best = std::min(best, length(b.centre - p) - b.radius - radius);
                    }
                }
            }
        }
        return best;
    }

  private:
    struct Ball {
        Vec3d centre;
        double radius;
    };
    std::array<int, 3> cell_of(const Vec3d& p) const {
        std::array<int, 3> c;
        for (std::size_t i = 0; i < 3; ++i)
            c[i] = std::clamp(static_cast<int>((p[i] - low_[i]) / cell_), 0, count_[i] - 1);
        return c;
    }
    std::size_t index(const std::array<int, 3>& c) const {
        const auto size = [](int number) { return static_cast<std::size_t>(number); };
        return (size(c[0]) * size(count_[1]) + size(c[1])) * size(count_[2]) + size(c[2]);
    }

    Vec3d low_;
    double cell_;
    std::array<int, 3> count_;
    std::vector<std::vector<Ball>> cells_;
};

using Nearest = std::array<std::uint32_t, 4>;

std::vector<Nearest> four_nearest(std::span<const Vec3d> points) {
    std::vector<Nearest> out(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::array<double, 4> best;
        best.fill(1e300);
        out[i].fill(collision::kNoIndex);
        for (std::size_t j = 0; j < points.size(); ++j) {
            double d = length_squared(points[i] - points[j]);
            if (j == i || d >= best[3]) continue;
            auto who = static_cast<std::uint32_t>(j);
            for (std::size_t k = 0; k < 4; ++k) {
                if (d < best[k]) {
                    std::swap(d, best[k]);
                    std::swap(who, out[i][k]);
                }
            }
        }
    }
    return out;
}

/// Pairs that should differ in colour, as neighbour lists. Weight 8 for a body and one of its nearest, 1 for
/// two of the nearest.
struct Unequal {
    std::uint32_t other;
    int weight;
};
std::vector<std::vector<Unequal>> unequal_pairs(const std::vector<Nearest>& nearest) {
    std::vector<std::vector<Unequal>> out(nearest.size());
    const auto add = [&](std::uint32_t a, std::uint32_t b, int weight) {
        out[a].push_back({b, weight});
        out[b].push_back({a, weight});
    };
    for (std::uint32_t i = 0; i < nearest.size(); ++i) {
        for (std::size_t k = 0; k < 4; ++k) {
            if (nearest[i][k] == collision::kNoIndex) continue;
            add(i, nearest[i][k], 8);
            for (std::size_t l = 0; l < k; ++l) add(nearest[i][l], nearest[i][k], 1);
        }
    }
    return out;
}

}  // namespace

collision::Result<CageShapes> make_cage_shapes(const CageMix& mix, const Aabb& box, std::uint64_t seed) {
    Random random(seed);
    CageShapes out;
    const auto bodies = static_cast<std::size_t>(mix.bodies);
    const std::size_t kinds = std::min(bodies, mix.meshes.empty() ? kMaxKinds : mix.meshes.size());
    std::vector<KindRecipe> recipes;
    std::vector<double> unit_volume;
    for (std::size_t k = 0; k < kinds; ++k) {
        recipes.push_back(recipe_for(mix, k, random));
        const KindRecipe& w = recipes.back();
        auto unit = w.make(1);
        if (!unit.ok()) return unit.error();
        const collision::Geometry& g = unit.value()->geometry();
        unit_volume.push_back(std::abs(enclosed_volume(*g.topology, g.positions)));
    }
    double sum = 0, largest = 0;
    for (std::size_t i = 0; i < bodies; ++i) {
        const std::size_t k = i < kinds ? i : random.below(kinds);
        out.kind_of_body.push_back(static_cast<std::uint32_t>(k));
        sum += unit_volume[k] * recipes[k].size * recipes[k].size * recipes[k].size;
    }
    std::sort(out.kind_of_body.begin(), out.kind_of_body.end());
    for (const KindRecipe& w : recipes) largest = std::max(largest, w.size);
    const Vec3d size = collision::cast<double>(box.max - box.min);
    const double limit = 0.5 * kLargestShare * std::min({size.x, size.y, size.z}) / largest;
    const double mean =
        std::min(limit, collision::cube_root(mix.fill * size.x * size.y * size.z / std::max(sum, 1e-12)));
    for (std::size_t k = 0; k < kinds; ++k) {
        const KindRecipe& w = recipes[k];
        const auto radius = static_cast<float>(mean * w.size);
        auto shape = w.make(radius);
        if (!shape.ok()) return shape.error();
        const double r = radius;
        out.kinds.push_back({std::move(shape).value(), radius, unit_volume[k] * r * r * r});
    }
    return out;
}

std::vector<Vec3d> place_balls(std::span<const float> radii, const Aabb& box, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::size_t> order(radii.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return radii[a] > radii[b]; });
    std::vector<Vec3d> centres(radii.size());
    if (radii.empty()) return centres;
    BallGrid grid(box, 2.0 * static_cast<double>(radii[order[0]]));
    const Vec3d low = collision::cast<double>(box.min), high = collision::cast<double>(box.max);
    for (const std::size_t i : order) {
        const auto r = static_cast<double>(radii[i]);
        double best = -1e300;
        for (int t = 0; t < kTries && best <= 0; ++t) {
            Vec3d p;
            for (std::size_t k = 0; k < 3; ++k) {
                const double space = std::max(0.0, high[k] - low[k] - 2 * r);
                p[k] = low[k] + std::min(r, 0.5 * (high[k] - low[k])) + random.uniform() * space;
            }
            const double gap = grid.gap(p, r);
            if (gap > best) {
                best = gap;
                centres[i] = p;
            }
        }
        grid.add(centres[i], r);
    }
    return centres;
}

std::vector<std::uint8_t> colour_apart(std::span<const Vec3d> points, std::uint64_t seed) {
    Random random(seed);
    const auto unequal = unequal_pairs(four_nearest(points));
    std::vector<std::uint8_t> colour(points.size());
    for (std::uint8_t& c : colour) c = static_cast<std::uint8_t>(random.below(kPaletteSize));
    // Each body takes the colour with the fewest conflicts. The rounds converge within a few dozen.
    for (int round = 0; round < 40; ++round) {
        bool changed = false;
        for (std::size_t i = 0; i < points.size(); ++i) {
            std::array<int, kPaletteSize> cost{};
            for (const Unequal& u : unequal[i]) cost[colour[u.other]] += u.weight;
            const auto start = random.below(kPaletteSize);
            std::uint8_t best = colour[i];
            for (std::uint64_t k = 0; k < kPaletteSize; ++k) {
                const auto c = static_cast<std::uint8_t>((start + k) % kPaletteSize);
                if (cost[c] < cost[best]) best = c;
            }
            changed |= best != colour[i];
            colour[i] = best;
        }
        if (!changed) break;
    }
    return colour;
}

}  // namespace claybox::app
