#include "app/potter/history/stroke_history.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

using collision::Vec3f;

/// Clay of ten vertices without triangles.
struct Ten {
    std::vector<Vec3f> now = std::vector<Vec3f>(10);
    StrokeHistory history{10};

    void stroke(std::uint32_t vertex, float x) {
        history.open();
        history.save(vertex, now[vertex]);
        now[vertex].x = x;
        history.close(2 * sizeof(collision::VertexChange));
    }
    ClayDelta use(const ClayDelta& delta) {
        ClayDelta inverse;
        for (const auto& c : delta.vertices) inverse.vertices.push_back({c.vertex, now[c.vertex]});
        for (const auto& c : delta.vertices) now[c.vertex] = c.position;
        return inverse;
    }
    void undo() { history.move_to_redo(use(ClayDelta(*history.newest_undo()))); }
    void redo() { history.move_to_undo(use(ClayDelta(*history.newest_redo()))); }
};

TEST(StrokeHistory, redo_ends_with_a_new_stroke_and_old_strokes_go_first) {
    Ten clay;
    clay.stroke(1, 1);
    clay.stroke(2, 2);
    clay.stroke(3, 3);
    EXPECT_EQ(clay.history.undo_count(), 2u) << "the budget holds two vertices";
    clay.undo();
    clay.undo();
    EXPECT_EQ(clay.now[1].x, 1) << "this stroke was forgotten";
    EXPECT_EQ(clay.now[2].x, 0);
    EXPECT_EQ(clay.history.newest_undo(), nullptr);
    clay.redo();
    EXPECT_EQ(clay.now[2].x, 2);
    clay.stroke(4, 4);
    EXPECT_EQ(clay.history.redo_count(), 0u);
    EXPECT_EQ(clay.history.newest_redo(), nullptr);
    clay.history.open();
    clay.history.close();
    EXPECT_EQ(clay.history.undo_count(), 2u) << "a stroke without a change is none";
    EXPECT_EQ(clay.history.bytes(), 2 * sizeof(collision::VertexChange));
}

TEST(StrokeHistory, replace_forgets_later_strokes_and_continues_the_stroke) {
    Ten clay;
    clay.stroke(1, 1);
    const std::uint32_t first = clay.history.newest();
    clay.stroke(2, 2);
    ClayDelta delta;
    delta.remeshed = true;
    delta.vertex_count = 10;
    delta.vertices = {{1, {}}};
    clay.history.replace(first, delta, 12);
    EXPECT_EQ(clay.history.undo_count(), 1u);
    clay.history.save(1, {9, 9, 9});   // known already
    clay.history.save(11, {9, 9, 9});  // did not exist before the stroke
    clay.history.save(5, {5, 5, 5});
    ASSERT_EQ(clay.history.newest_undo()->vertices.size(), 2u);
    EXPECT_EQ(clay.history.newest_undo()->vertices[0].position.x, 0);
    EXPECT_EQ(clay.history.newest_undo()->vertices[1].vertex, 5u);
}

}  // namespace
}  // namespace claybox::app
