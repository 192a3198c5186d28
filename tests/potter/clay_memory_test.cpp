// Clay whose jobs beside the frames run out of memory: the clay stays, and the next job works.

#include "tests/jobs/failing_heap.hpp"
#include "tests/potter/meshes.hpp"
#include "tests/support/sanitizers.hpp"

#include <gtest/gtest.h>

#include <array>

namespace claybox::app {
namespace {

#ifndef CLAYBOX_SANITIZED

constexpr std::array<std::size_t, 6> kAllowed{0, 1, 2, 5, 20, 50};
constexpr int kFrames = 200;  // more than any job of this clay takes

ClayMesh mesh_now(const Clay& clay) {
    return clay_mesh(clay.topology(), clay.positions(), clay.mask());
}

void run_frames(Clay& clay, std::uint64_t& frame) {
    for (int i = 0; i < kFrames; ++i) clay.update(++frame);
}

/// One allocation of the job that `ask` starts fails.
template <class Ask>
void run_without_memory(Clay& clay, std::uint64_t& frame, std::size_t allowed, const Ask& ask) {
    collision::test::fail_allocation_elsewhere_after(allowed);
    ask();
    run_frames(clay, frame);
    EXPECT_TRUE(collision::test::an_allocation_failed()) << "the job makes fewer allocations";
    collision::test::stop_failing_allocations();
}

TEST(ClayMemory, a_remesh_without_memory_leaves_the_clay_and_says_so) {
    Clay clay(clay_shape(ClayShape::cylinder, 3000));
    std::uint64_t frame = 1;
    const ClayMesh before = mesh_now(clay);
    for (const std::size_t allowed : kAllowed) {
        run_without_memory(clay, frame, allowed, [&] { clay.remesh(frame); });
        EXPECT_NE(clay.take_problem().find("Not enough memory"), std::string::npos) << allowed;
        EXPECT_FALSE(clay.is_working());
        EXPECT_EQ(mesh_now(clay).positions, before.positions);
        EXPECT_EQ(mesh_now(clay).triangles, before.triangles);
    }
    clay.remesh(frame);
    run_frames(clay, frame);
    EXPECT_EQ(clay.take_problem(), "");
    EXPECT_NE(mesh_now(clay).positions, before.positions);
    EXPECT_EQ(clay.stroke_count(), 1u);
}

TEST(ClayMemory, an_undo_without_memory_leaves_the_clay_and_can_be_repeated) {
    Clay clay(clay_shape(ClayShape::cylinder, 3000));
    std::uint64_t frame = 1;
    const ClayMesh start = mesh_now(clay);
    clay.remesh(frame);
    run_frames(clay, frame);
    const ClayMesh after = mesh_now(clay);
    for (const std::size_t allowed : kAllowed) {
        run_without_memory(clay, frame, allowed, [&] { clay.undo(); });
        EXPECT_NE(clay.take_problem().find("Not enough memory"), std::string::npos) << allowed;
        EXPECT_EQ(mesh_now(clay).positions, after.positions);
        EXPECT_EQ(clay.stroke_count(), 1u) << "the stroke can still be undone";
    }
    clay.undo();
    run_frames(clay, frame);
    EXPECT_EQ(mesh_now(clay).positions, start.positions);
    clay.redo();
    run_frames(clay, frame);
    EXPECT_EQ(mesh_now(clay).positions, after.positions);
}

#endif

}  // namespace
}  // namespace claybox::app
