// Prepared data outlives its shape for a while: counting its memory must not look at the shape.

#include "collision/continuous/registry.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/registry.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace claybox::collision {
namespace {

/// While it lives, freed memory is overwritten, so that a use of it is noticed.
struct OverwritesFreedMemory {
#ifdef __GLIBC__
    OverwritesFreedMemory() {
        mallopt(M_PERTURB, 0x5a);
    }
    ~OverwritesFreedMemory() {
        mallopt(M_PERTURB, 0);
    }
#endif
};

struct Made {
    const char* algorithm;
    std::shared_ptr<const Prepared> prepared;
    std::size_t bytes;
};

template <class Algorithms>
void prepare_all(const Algorithms& algorithms, const Shape& shape, std::vector<Made>& out) {
    for (const auto* algorithm : algorithms) {
        if (algorithm->prepare == nullptr) continue;
        auto prepared = algorithm->prepare(shape, shape.geometry());
        if (prepared == nullptr) continue;
        const std::size_t bytes = prepared->memory_bytes();
        out.push_back({algorithm->id, std::move(prepared), bytes});
    }
}

TEST(PreparedData, its_memory_is_counted_without_the_shape_which_may_be_gone) {
    [[maybe_unused]] const OverwritesFreedMemory overwrites{};
    for (const Primitive kind : {Primitive::ellipsoid_hull, Primitive::torus}) {
        ShapePtr shape = make_primitive_shape(kind, 60, 1, 1).value();
        std::vector<Made> made;
        prepare_all(pair_algorithms(), *shape, made);
        prepare_all(continuous_algorithms(), *shape, made);
        EXPECT_GT(made.size(), 5u);
        shape.reset();
        for (const Made& m : made) EXPECT_EQ(m.prepared->memory_bytes(), m.bytes) << m.algorithm;
    }
}

}  // namespace
}  // namespace claybox::collision
