#include "collision/geometry/keyhole.hpp"

#include "collision/geometry/triangulate.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

// Two triangles that share a corner: nothing smaller has two loops.
constexpr std::uint32_t kFewestCorners = 6;

// Takes one boundary apart. The walk is kept on a stack; when it comes back to a vertex that stands there,
// what lies above is a loop of its own and is taken off. A bridge is left over as a loop of two vertices.
// Loops of a planar keyhole polygon are nested, so that this finds exactly the outline and its holes,
// wherever the walk begins.
class Taker {
  public:
    explicit Taker(std::size_t vertex_count) : height_(vertex_count, kNoIndex) {}

    void run(std::span<const std::uint32_t> boundary) {
        vertices.clear();
        begin.assign(1, 0);
        for (const std::uint32_t v : boundary) {
            if (height_[v] != kNoIndex) {
                take_above(height_[v]);
                continue;
            }
            height_[v] = static_cast<std::uint32_t>(stack_.size());
            stack_.push_back(v);
        }
        take_above(0);
        height_[stack_.front()] = kNoIndex;
        stack_.clear();
    }

    std::vector<std::uint32_t> vertices, begin;  // of the loops

  private:
    // The loop from stack position `low` to the top; its first vertex stays.
    void take_above(std::uint32_t low) {
        if (stack_.size() - low >= 3) {
            vertices.insert(vertices.end(), stack_.begin() + low, stack_.end());
            begin.push_back(static_cast<std::uint32_t>(vertices.size()));
        }
        for (std::size_t i = low + 1; i < stack_.size(); ++i) height_[stack_[i]] = kNoIndex;
        stack_.resize(low + 1);
    }

    std::vector<std::uint32_t> height_;  // of each vertex on the stack, or kNoIndex
    std::vector<std::uint32_t> stack_;
};

void keep(Topology& t, std::uint32_t p, const Taker& taken, std::span<const Vec3f> positions) {
    const OutlineKind whole = outline_kind(positions, t.loop(p));
    const std::size_t first = t.outlines.size();
    for (std::size_t i = 0; i + 1 < taken.begin.size(); ++i) {
        const std::span<const std::uint32_t> loop(taken.vertices.data() + taken.begin[i],
                                                  taken.vertices.data() + taken.begin[i + 1]);
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
    std::unique_ptr<Taker> taker;  // large, and most meshes have no polygon with so many corners
    for (std::uint32_t p = 0; p < t.polygon_count(); ++p) {
        if (t.polygon_begin[p + 1] - t.polygon_begin[p] < kFewestCorners) continue;
        if (!taker) taker = std::make_unique<Taker>(t.vertex_count);
        taker->run(t.loop(p));
        if (taker->begin.size() > 2) keep(t, p, *taker, positions);
    }
}

}  // namespace claybox::collision
