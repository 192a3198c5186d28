#include "collision/geometry/polygons/keyhole.hpp"

#include "collision/geometry/polygons/triangulate.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

// The smallest polygon with two loops: two triangles that share a corner.
constexpr std::uint32_t kMinCorners = 6;

// Splits a boundary into simple loops. Walks along the boundary and keeps the visited vertices on a stack. If
// the walk returns to a vertex on the stack, the vertices above it are a loop and are removed. A bridge
// remains as a loop of two vertices and is dropped. The loops of a planar keyhole polygon are nested, so this
// finds its outline and holes from any start.
class LoopSplitter {
  public:
    explicit LoopSplitter(std::size_t vertex_count) : height_(vertex_count, kNoIndex) {}

    void run(std::span<const std::uint32_t> boundary) {
        vertices.clear();
        begin.assign(1, 0);
        for (const std::uint32_t v : boundary) {
            if (height_[v] != kNoIndex) {
                pop_loop(height_[v]);
                continue;
            }
            height_[v] = static_cast<std::uint32_t>(stack_.size());
            stack_.push_back(v);
        }
        pop_loop(0);
        height_[stack_.front()] = kNoIndex;
        stack_.clear();
    }

    std::vector<std::uint32_t> vertices, begin;  // of the loops found

  private:
    // Stores the loop from stack position `low` to the top and removes it, except its first vertex.
    void pop_loop(std::uint32_t low) {
        if (stack_.size() - low >= 3) {
            vertices.insert(vertices.end(), stack_.begin() + low, stack_.end());
            begin.push_back(static_cast<std::uint32_t>(vertices.size()));
        }
        for (std::size_t i = low + 1; i < stack_.size(); ++i) height_[stack_[i]] = kNoIndex;
        stack_.resize(low + 1);
    }

    std::vector<std::uint32_t> height_;  // per vertex: its stack position, or kNoIndex
    std::vector<std::uint32_t> stack_;
};

void store_outlines(Topology& t, std::uint32_t p, const LoopSplitter& loops,
                    std::span<const Vec3f> positions) {
    const OutlineKind whole = outline_kind(positions, t.loop(p));
    const std::size_t first = t.outlines.size();
    for (std::size_t i = 0; i + 1 < loops.begin.size(); ++i) {
        const std::span<const std::uint32_t> loop(loops.vertices.data() + loops.begin[i],
                                                  loops.vertices.data() + loops.begin[i + 1]);
        const auto begin = static_cast<std::uint32_t>(t.outline_vertices.size());
        t.outline_vertices.insert(t.outline_vertices.end(), loop.begin(), loop.end());
        const bool hole = area_sign(positions, loop, whole.axis) * whole.orientation < 0;
        t.outlines.push_back({p, begin, static_cast<std::uint32_t>(t.outline_vertices.size()), hole});
    }
    std::stable_sort(t.outlines.begin() + static_cast<std::ptrdiff_t>(first), t.outlines.end(),
                     [](const Outline& a, const Outline& b) { return a.hole < b.hole; });
}

}  // namespace

void find_outlines(Topology& t, std::span<const Vec3f> positions) {
    t.outlines.clear();
    t.outline_vertices.clear();
    std::unique_ptr<LoopSplitter>
        splitter;  // created on demand: it is large, and most meshes have only small polygons
    for (std::uint32_t p = 0; p < t.polygon_count(); ++p) {
        if (t.polygon_begin[p + 1] - t.polygon_begin[p] < kMinCorners) continue;
        if (!splitter) splitter = std::make_unique<LoopSplitter>(t.vertex_count);
        splitter->run(t.loop(p));
        if (splitter->begin.size() > 2) store_outlines(t, p, *splitter, positions);
    }
}

}  // namespace claybox::collision
