#include "collision/pairwise/separating_vector/gap_search.hpp"

#include "collision/exact/solid_bounds.hpp"
#include "collision/pairwise/separating_vector/separating_vector.hpp"

namespace claybox::collision {

namespace {

/// Rays of a search. A search takes at most twice as many rounds, plus two.
constexpr std::size_t kRays = (kMaxGapRounds - 2) / 2;

/// The visited vertex pairs. There are few, so a linear search suffices.
struct FewVisited {
    void begin() {}
    template <class PairOf>
    bool seen(VertexPair pair, std::size_t count, PairOf&& pair_of) const {
        for (std::size_t i = 0; i < count; ++i)
            if (pair_of(i).a == pair.a && pair_of(i).b == pair.b) return true;
        return false;
    }
    void enter(VertexPair, std::size_t) {}
};

struct Support {
    std::uint32_t vertex = 0;
    double value = 0;  ///< of the functional
};

/// The vertex with the greatest value; the first of equals.
Support furthest(const std::vector<Vec3f>& points, const Vec3d& g) {
    Support out{0, -HUGE_VAL};
    for (std::uint32_t v = 0; v < points.size(); ++v) {
        const Vec3f& p = points[v];
        const double value = g.x * p.x + g.y * p.y + g.z * p.z;
        if (value > out.value) out = {v, value};
    }
    return out;
}

class Search {
  public:
    Search(const GapBody& a, const GapBody& b, StopToken stop) : a_(a), b_(b), stop_(stop) {
        between_ =
            cast<double>(b.world_from_body->translation()) - cast<double>(a.world_from_body->translation());
    }

    GapResult run(const Vec3d& first) {
        VisitedRay<double> rays[kRays];
        FewVisited visited;
        VectorStart<double> start;
        start.s = first;
        const auto support = [this](const Vec3d& s, VertexPair& pair) { return evaluate(s, pair); };
        (void)search_separating_vector<SolidSpace, double>(start, rays, visited, support,
                                                           [](const VectorStep<double>&) {});
        return out_;
    }
    /// From the centre of A's box to the centre of B's, of length 1.
    Vec3d between_boxes() const {
        const auto middle = [](const GapBody& body) {
            return transform_point(to_double(*body.world_from_body), body.geometry->box.centre());
        };
        return unit(middle(b_) - middle(a_));
    }

  private:
    // The values of the vertices are within the errors of their functionals. The difference of the
    // translations along s is within 8 roundings of its terms: each component is rounded once, then come
    // three products and two sums.
    Vec3d evaluate(const Vec3d& s, VertexPair& pair) {
        if (stop_.stop_requested()) return s;  // returning s looks like a gap and ends the search
        ++out_.rounds;
        const Functional of_a = functional(side(a_), s), of_b = functional(side(b_), -s);
        const Support a = furthest(a_.geometry->positions, of_a.g);
        const Support b = furthest(b_.geometry->positions, of_b.g);
        pair = {a.vertex, b.vertex};
        const double apart = dot(s, between_), gap = apart - a.value - b.value;
        const double size = std::abs(s.x * between_.x) + std::abs(s.y * between_.y) +
                            std::abs(s.z * between_.z) + std::abs(apart) + std::abs(a.value) +
                            std::abs(b.value);
        if (gap > of_a.error + of_b.error + 8 * kRound * size) {
            out_.found = true;
            out_.axis_w = s;
            return s;
        }
        return point(b_, b.vertex) - point(a_, a.vertex) + between_;
    }
    static SolidSide side(const GapBody& body) {
        return {nullptr, body.world_from_body, &body.geometry->box};  // a functional does not use the hull
    }
    static Vec3d point(const GapBody& body, std::uint32_t vertex) {
        return transform_vector(to_double(*body.world_from_body),
                                cast<double>(body.geometry->positions[vertex]));
    }

    const GapBody &a_, &b_;
    StopToken stop_;
    Vec3d between_;
    GapResult out_;
};

}  // namespace

GapResult search_gap(const GapBody& a, const GapBody& b, StopToken stop, GapMemory& memory) {
    if (a.geometry->positions.empty() || b.geometry->positions.empty()) return {};
    Search search(a, b, stop);
    Vec3d first = memory.axis_w == Vec3d{} ? search.between_boxes() : memory.axis_w;
    if (first == Vec3d{}) first = {1, 0, 0};
    const GapResult out = search.run(first);
    if (out.found) memory.axis_w = out.axis_w;
    return out;
}

}  // namespace claybox::collision
