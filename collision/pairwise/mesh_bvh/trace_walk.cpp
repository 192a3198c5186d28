#include "collision/pairwise/mesh_bvh/trace_walk.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace claybox::collision {

namespace {

/// More pairs per level than this cannot be distinguished in a picture.
constexpr std::size_t kMaxPairs = 4000;

struct Pair {
    std::uint32_t ref[2];
};

class WalkTracer {
  public:
    WalkTracer(const PlacedBvh& a, const PlacedBvh& b, Trace& trace) : placed_{&a, &b}, trace_(trace) {}

    bool relate_trees() {
        return relate(*placed_[0], *placed_[1], relation_[0]) &&
               relate(*placed_[1], *placed_[0], relation_[1]);
    }
    void run() {
        if (child({{0, 0}}, 0) == kNoIndex || child({{0, 0}}, 1) == kNoIndex) return;
        std::vector<Pair> level{{{0, 0}}}, leaves;
        for (int number = 0; is_viewable(level); ++number) {
            report_level(number, level, "overlapping pairs of boxes", "overlapping box");
            std::vector<Pair> next;
            separate_[0].clear();
            separate_[1].clear();
            for (const Pair& pair : level) {
                if (is_bvh_leaf(child(pair, 0)) && is_bvh_leaf(child(pair, 1)))
                    leaves.push_back(pair);
                else
                    open(pair, next);
            }
            level = std::move(next);
        }
        if (!leaves.empty() && leaves.size() <= kMaxPairs) {
            separate_[0].clear();
            separate_[1].clear();
            report_level(static_cast<int>(2 * kMaxBvhLevels), leaves, "overlapping leaf pairs",
                         "overlapping leaf box");
        }
    }

  private:
    bool is_viewable(const std::vector<Pair>& level) const {
        return level.size() <= kMaxPairs && !(level.empty() && separate_[0].empty() && separate_[1].empty());
    }
    std::uint32_t child(const Pair& pair, std::size_t side) const {
        return placed_[side]->tree->child(pair.ref[side]);
    }
    /// The side with the larger volume; if one side is a leaf, the other.
    std::size_t side_to_open(const Pair& pair) const {
        if (is_bvh_leaf(child(pair, 0))) return 1;
        if (is_bvh_leaf(child(pair, 1))) return 0;
        const float size_a = placed_[0]->tree->volume(pair.ref[0]).radius,
                    size_b = placed_[1]->tree->volume(pair.ref[1]).radius * relation_[0].length;
        return size_b > size_a ? 1 : 0;
    }
    void open(const Pair& pair, std::vector<Pair>& next) {
        const std::size_t x = side_to_open(pair), y = 1 - x;
        const BvhNode& node = placed_[x]->tree->nodes()[child(pair, x)];
        const BvhNode& other = placed_[y]->tree->nodes()[pair.ref[y] / 4];
        const BvhProbe probe = make_probe(relation_[x], other, pair.ref[y] % 4);
        const unsigned remaining = may_overlap(probe, node, gap_bounds(relation_[x], probe, node));
        for (std::uint32_t lane = 0; lane < 4; ++lane) {
            if (node.child[lane] == kNoIndex) continue;
            Pair deeper = pair;
            deeper.ref[x] = 4 * child(pair, x) + lane;
            if ((remaining >> lane & 1) != 0)
                next.push_back(deeper);
            else
                separate_[x].push_back(deeper.ref[x]);
        }
    }
    /// Reports each box once: as an overlapping box if it overlaps anything.
    void report_level(int number, const std::vector<Pair>& level, const char* pairs, const char* label) {
        trace_.begin_iteration(number);
        const std::size_t culled = separate_[0].size() + separate_[1].size();
        trace_.value("tested pairs of boxes", static_cast<double>(level.size() + culled));
        trace_.value("culled pairs of boxes", static_cast<double>(culled));
        for (std::size_t side = 0; side < 2; ++side) {
            std::vector<std::uint32_t> overlapping;
            for (const Pair& pair : level) overlapping.push_back(pair.ref[side]);
            sort_unique(overlapping);
            sort_unique(separate_[side]);
            for (const std::uint32_t ref : overlapping) report_box(side, ref, label);
            for (const std::uint32_t ref : separate_[side])
                if (!std::binary_search(overlapping.begin(), overlapping.end(), ref))
                    report_box(side, ref, "separate box");
        }
        trace_.value(pairs, static_cast<double>(level.size()));
    }
    static void sort_unique(std::vector<std::uint32_t>& refs) {
        std::sort(refs.begin(), refs.end());
        refs.erase(std::unique(refs.begin(), refs.end()), refs.end());
    }
    void report_box(std::size_t side, std::uint32_t ref, const char* label) const {
        const BvhVolume v = placed_[side]->tree->volume(ref);
        const double scale = std::ldexp(1.0, placed_[side]->tree->exponent());
        const Matrix34d m = to_double(*placed_[side]->world_from_body);
        const Vec3d low = scale * cast<double>(v.centre - v.half), size = 2 * scale * cast<double>(v.half);
        const auto along = [&](std::size_t k) {
            Vec3d out;
            out[k] = size[k];
            return transform_vector(m, out);
        };
        trace_.box(transform_point(m, low), {along(0), along(1), along(2)}, label);
    }

    const PlacedBvh* placed_[2];
    Trace& trace_;
    BvhRelation relation_[2];  ///< [0]: A from B
    std::vector<std::uint32_t> separate_[2];
};

}  // namespace

void trace_bvh_walk(const PlacedBvh& a, const PlacedBvh& b, Trace& trace) {
    WalkTracer tracer(a, b, trace);
    if (tracer.relate_trees()) tracer.run();
}

}  // namespace claybox::collision
