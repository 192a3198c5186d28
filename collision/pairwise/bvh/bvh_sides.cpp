// Chooses the triangle sides that represent the edges and diagonals of a polygon.

#include "collision/pairwise/bvh/bvh.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

/// One side of one triangle of a polygon, by its two vertices.
struct PolygonSide {
    std::uint32_t low, high;
    std::uint32_t place;  ///< triangle within the polygon * 3 + side; for a half-edge its index
    friend bool operator<(const PolygonSide& x, const PolygonSide& y) {
        return x.low != y.low ? x.low < y.low : x.high != y.high ? x.high < y.high : x.place < y.place;
    }
};

bool same_ends(const PolygonSide& x, const PolygonSide& y) {
    return x.low == y.low && x.high == y.high;
}

/// Chooses the sides that represent edges and diagonals; reuses its memory for every polygon.
class SideChooser {
  public:
    void run(const Topology& t, std::uint32_t polygon, std::vector<std::uint8_t>& sides) {
        const std::uint32_t first = t.triangle_begin[polygon], begin = t.polygon_begin[polygon],
                            end = t.polygon_begin[polygon + 1];
        if (end - begin == 3) return triangle(t, polygon, sides[first]);
        half_edges_.clear();
        for (std::uint32_t h = begin; h < end; ++h) add(half_edges_, t.origin[h], t.origin[t.next(h)], h);
        sides_.clear();
        const auto triangles = t.triangles_of(polygon);
        for (std::uint32_t i = 0; i < triangles.size(); ++i) {
            const auto& v = triangles[i].vertices;
            for (std::uint32_t k = 0; k < 3; ++k) add(sides_, v[k], v[(k + 1) % 3], 3 * i + k);
        }
        std::sort(half_edges_.begin(), half_edges_.end());
        std::sort(sides_.begin(), sides_.end());
        auto half_edge = half_edges_.begin();
        for (auto side = sides_.begin(); side != sides_.end(); ++side) {
            const bool first_time = side == sides_.begin() || !same_ends(*side, side[-1]);
            while (half_edge != half_edges_.end() && *half_edge < PolygonSide{side->low, side->high, 0})
                ++half_edge;
            const bool boundary = half_edge != half_edges_.end() && same_ends(*half_edge, *side);
            if (boundary && first_time && owns(t, polygon, t.edge_of[half_edge->place]))
                set(sides[first + side->place / 3], side->place % 3);
            if (!boundary && first_time) set(sides[first + side->place / 3], 3 + side->place % 3);
        }
    }

  private:
    static void add(std::vector<PolygonSide>& to, std::uint32_t u, std::uint32_t v, std::uint32_t place) {
        to.push_back({std::min(u, v), std::max(u, v), place});
    }
    static void set(std::uint8_t& bits, std::uint32_t bit) {
        bits = static_cast<std::uint8_t>(bits | 1u << bit);
    }
    /// An edge belongs to the first polygon that has it; a side of zero length has no edge.
    static bool owns(const Topology& t, std::uint32_t polygon, std::uint32_t edge) {
        return edge == kNoIndex || t.edges[edge].polygons[0] == polygon;
    }
    static void triangle(const Topology& t, std::uint32_t polygon, std::uint8_t& bits) {
        const std::uint32_t begin = t.polygon_begin[polygon];
        const auto& v = t.triangles[t.triangle_begin[polygon]].vertices;
        for (std::uint32_t k = 0; k < 3; ++k) {
            const std::uint32_t u = v[k], w = v[(k + 1) % 3];
            for (std::uint32_t h = begin; h < begin + 3; ++h) {
                const std::uint32_t x = t.origin[h], y = t.origin[t.next(h)];
                const bool joins = (x == u && y == w) || (x == w && y == u);
                if (!joins) continue;
                if (owns(t, polygon, t.edge_of[h])) set(bits, k);
                break;
            }
        }
    }

    std::vector<PolygonSide> half_edges_, sides_;
};

}  // namespace

std::vector<std::uint8_t> choose_bvh_sides(const Topology& t, Executor& executor) {
    std::vector<std::uint8_t> out(t.triangles.size(), 0);
    executor.parallel_for(t.polygon_count(), 1 << 12, [&](std::size_t begin, std::size_t end, unsigned) {
        SideChooser chooser;
        for (std::size_t p = begin; p < end; ++p) chooser.run(t, static_cast<std::uint32_t>(p), out);
    });
    return out;
}

}  // namespace claybox::collision
