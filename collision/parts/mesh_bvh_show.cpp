#include "collision/parts/mesh_bvh_show.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace claybox::collision {

namespace {

/// Pairs of one level beyond which nobody tells their boxes apart.
constexpr std::size_t kMostPairs = 4000;

struct Pair {
    std::uint32_t ref[2];
};

class Show {
  public:
    Show(const PlacedBvh& a, const PlacedBvh& b, Trace& trace) : placed_{&a, &b}, trace_(trace) {}

    bool relate_trees() {
        return relate(*placed_[0], *placed_[1], relation_[0]) &&
               relate(*placed_[1], *placed_[0], relation_[1]);
    }
    void run() {
        if (child({{0, 0}}, 0) == kNoIndex || child({{0, 0}}, 1) == kNoIndex) return;
        std::vector<Pair> level{{{0, 0}}}, leaves;
        for (int number = 0; is_worth_telling(level); ++number) {
            tell(number, level, "pairs of boxes that meet", "met box");
            std::vector<Pair> next;
            passed_over_[0].clear();
            passed_over_[1].clear();
            for (const Pair& pair : level) {
                if (is_bvh_leaf(child(pair, 0)) && is_bvh_leaf(child(pair, 1)))
                    leaves.push_back(pair);
                else
                    open(pair, next);
            }
            level = std::move(next);
        }
        if (!leaves.empty() && leaves.size() <= kMostPairs) {
            passed_over_[0].clear();
            passed_over_[1].clear();
            tell(static_cast<int>(2 * kMostBvhLevels), leaves, "leaf pairs that meet", "met leaf box");
        }
    }

  private:
    bool is_worth_telling(const std::vector<Pair>& level) const {
        return level.size() <= kMostPairs &&
               !(level.empty() && passed_over_[0].empty() && passed_over_[1].empty());
    }
    std::uint32_t child(const Pair& pair, std::size_t side) const {
        return placed_[side]->tree->child(pair.ref[side]);
    }
    /// The larger volume, or the one that is no leaf.
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
        const unsigned left = may_meet(probe, node, apart_by(relation_[x], probe, node));
        for (std::uint32_t lane = 0; lane < 4; ++lane) {
            if (node.child[lane] == kNoIndex) continue;
            Pair deeper = pair;
            deeper.ref[x] = 4 * child(pair, x) + lane;
            if ((left >> lane & 1) != 0)
                next.push_back(deeper);
            else
                passed_over_[x].push_back(deeper.ref[x]);
        }
    }
    /// Each box once, and as met where it meets anything.
    void tell(int number, const std::vector<Pair>& level, const char* pairs, const char* label) {
        trace_.begin_iteration(number);
        for (std::size_t side = 0; side < 2; ++side) {
            std::vector<std::uint32_t> met;
            for (const Pair& pair : level) met.push_back(pair.ref[side]);
            sort_out(met);
            sort_out(passed_over_[side]);
            for (const std::uint32_t ref : met) tell_box(side, ref, label);
            for (const std::uint32_t ref : passed_over_[side])
                if (!std::binary_search(met.begin(), met.end(), ref)) tell_box(side, ref, "box passed over");
        }
        trace_.value(pairs, static_cast<double>(level.size()));
    }
    static void sort_out(std::vector<std::uint32_t>& refs) {
        std::sort(refs.begin(), refs.end());
        refs.erase(std::unique(refs.begin(), refs.end()), refs.end());
    }
    void tell_box(std::size_t side, std::uint32_t ref, const char* label) const {
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
    std::vector<std::uint32_t> passed_over_[2];
};

}  // namespace

void show_bvh_walk(const PlacedBvh& a, const PlacedBvh& b, Trace& trace) {
    Show show(a, b, trace);
    if (show.relate_trees()) show.run();
}

}  // namespace claybox::collision
