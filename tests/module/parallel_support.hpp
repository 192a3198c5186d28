#pragma once
// Scenes for tests of the parallel modes, with bodies large enough for shared tests.

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/module/world.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace claybox::collision::test {

enum class Load : unsigned char { convex, meshes, deforming };

inline ShapePtr shape_of(Primitive primitive, std::uint32_t polygons, float radius = 1) {
    return make_primitive_shape(primitive, polygons, radius, 5).value();
}

/// A few bodies that move through each other.
class DriftingBodies {
  public:
    DriftingBodies(World& world, Load load) : world_(world), load_(load) {
        static const ShapePtr convex[] = {shape_of(Primitive::uv_sphere, 500),
                                          shape_of(Primitive::ellipsoid_hull, 200),
                                          shape_of(Primitive::box, 10)};
        static const ShapePtr meshes[] = {shape_of(Primitive::torus, 500),
                                          shape_of(Primitive::hyperboloid, 300),
                                          shape_of(Primitive::tetra_flake, 200)};
        const auto& shapes = load == Load::convex ? convex : meshes;
        for (std::size_t i = 0; i < 7; ++i) {
            BodyDef def{.shape = shapes[i % 3], .pose = pose(0, i), .group = static_cast<unsigned>(i % 2)};
            def.deformable = load == Load::deforming && i % 2 == 0;
            def.data = i;
            ids_.push_back(world.add_body(def).value());
        }
    }
    void step(std::uint64_t n) {
        for (std::size_t i = 0; i < ids_.size(); ++i)
            if ((n + i) % 4 != 0) {
                ASSERT_TRUE(world_.move(ids_[i], pose(n, i)).ok());
            }
        if (load_ == Load::deforming) {
            const float wave = 0.3f * static_cast<float>(n % 5);
            const VertexChange changes[] = {{3, {wave, 1.2f, 0}}, {17, {0, -wave, 0.9f}}};
            ASSERT_TRUE(world_.deform(ids_[0], changes).ok());
        }
        world_.publish(n);
        world_.check();
    }

  private:
    static Pose pose(std::uint64_t n, std::size_t i) {
        Random random(mix64(i));
        const Vec3d direction = random.unit_vector(), place = random.uniform(0.8, 2.2) * direction;
        const Vec3d amplitude = 0.4 * random.unit_vector();
        const double time = 0.5 * static_cast<double>(n);
        return {axis_angle(random.unit_vector(), 0.3 * time), place + std::sin(time) * amplitude};
    }
    World& world_;
    Load load_;
    std::vector<BodyId> ids_;
};

}  // namespace claybox::collision::test
