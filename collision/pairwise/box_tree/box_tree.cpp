// Source: Zachmann, Exact and Fast Collision Detection (thesis, 1994), section 3.6, box-trees.
// Idea: each body's bounding box is cut recursively. Each cut is across one of its axes, where it balances
//   polygons and crosses few. Both trees are traversed together. Whether two boxes overlap follows from 24
//   intervals: the parts of each box's edges inside the other box. A cut changes few of them, so a step costs
//   a handful of products (intervals.hpp). Pairs of overlapping leaves test the edges of one against the
//   polygons of the other; then the roles are swapped.
// Preconditions: none; any polygons, any finite matrices. If a matrix has no usable inverse, or float is not
//   accurate enough, the traversal switches to double, then to boxes along the world axes.
// Exact: planes are thickened by the extent of items across them and by a bound of every rounding of the
//   traversal (placement.cpp), so that no intersecting pair is skipped. Leaves decide with a filtered
//   predicate. Touching counts. The meaning is surface: a body inside another does not collide.
// Corrected: FIX-26 and FIX-27 (tables), FIX-28 (24 edges must be outside, not 12), FIX-29 (weights of the
//   bisection), FIX-30 (O(n) only if few items cross; there is a pointer limit).
// Complexity: O(n) to O(limit n) to build; a query follows the overlapping boxes. No cache. `prepare` builds
//   trees with the default options; the first query that needs others, or a deformed body's, builds them.

#include "collision/geometry/predicates.hpp"
#include "collision/jobs/value_cache.hpp"
#include "collision/pairwise/box_tree/body.hpp"
#include "collision/pairwise/box_tree/leaf.hpp"
#include "collision/pairwise/box_tree/placement.hpp"
#include "collision/pairwise/box_tree/walk.hpp"
#include "collision/pairwise/mesh/hit_receiver.hpp"
#include "collision/pairwise/registry.hpp"

#include <bit>
#include <limits>

namespace claybox::collision {

namespace {

enum ParameterIndex : std::size_t {
    kGamma,
    kDelta,
    kPMax,
    kIterations,
    kDepth,
    kMinItems,
    kLambda,
    kPointerLimit,
    kEmptyLeaves,
    kCuts,
    kTrees,
    kBoxes,
    kOutsideFlags,
    kCollect,
    kConvexLeaves,
    kPrecision
};
enum Boxes : unsigned char { kIntervals, kAligned };
enum Collect : unsigned char { kLeafBox, kObjectBox, kNoCollect };
enum Precision : unsigned char { kSingle, kDouble };

constexpr const char* kCutNames[] = {"penalty", "middle"};
constexpr const char* kTreeNames[] = {"inserted", "separate", "combined"};
constexpr const char* kBoxNames[] = {"intervals", "aligned"};
constexpr const char* kCollectNames[] = {"leaf_box", "object_box", "none"};
constexpr const char* kPrecisionNames[] = {"single", "double"};
constexpr Parameter kParameters[] = {
    {"gamma", "Crossing penalty", ParameterKind::real, 1, 0, 100, "", "ours: thesis 3.6.3 gives no value",
     "Weight of a polygon that crosses a cut, relative to one too many on a side."},
    {"delta", "Plane thickness", ParameterKind::real, 1e-5, 0, 0.01, "", "ours: thesis 3.6.3 gives no value",
     "Half the thickness of a cut plane, relative to the body's longest edge."},
    {"p_max", "Good balance", ParameterKind::real, 0.5, 0, 100, "", "Zachmann, thesis, 3.6.3",
     "A cut with at most this difference between its sides ends the search along an axis."},
    {"iterations", "Cut search limit", ParameterKind::integer, 10, 1, 50, "", "Zachmann, thesis, 3.6.3",
     "Maximum number of bisection steps along one axis."},
    {"d_max", "Maximum depth", ParameterKind::integer, 24, 0, kMaxBoxTreeDepth, "",
     "ours: measured by bench box_tree", "Boxes at this depth are not cut."},
    {"min", "Leaf polygons", ParameterKind::integer, 90, 1, 1000, "", "ours: measured by bench box_tree",
     "A box with at most this many polygons is not cut."},
    {"lambda", "Largest share", ParameterKind::real, 0.7, 0.5, 1, "",
     "ours: measured, the thesis gives no value",
     "Maximum fraction of the polygons that one part may have after a cut."},
    {"pointer_limit", "Pointer limit", ParameterKind::real, 16, 1, 64, "",
     "Zachmann, thesis, 3.6.3: measured 1.2 to 16", "Maximum number of leaf pointers per polygon."},
    {"empty_leaves", "Empty leaves", ParameterKind::toggle, 1, 0, 1, "",
     "Zachmann, thesis, 3.6.3, other criteria; on: measured by bench box_tree",
     "Cuts off empty space that extends into the middle third of a box."},
    {"cuts", "Cuts", ParameterKind::choice, 0, 0, 1, "",
     "Zachmann, thesis, 3.6.3; middle: 3.6.4, future work",
     "At the lowest penalty, or in the middle with tables of products.", false, kCutNames},
    {"trees", "Trees", ParameterKind::choice, 0, 0, 2, "", "Zachmann, thesis, 3.6.4; combined: 10.2",
     "Edges inserted into the tree of polygons, a separate tree of edges, or one tree built from both.",
     false, kTreeNames},
    {"boxes", "Boxes", ParameterKind::choice, 0, 0, 1, "",
     "Zachmann, thesis, 3.6.1; aligned: 3.6.4, future work",
     "The bodies' own boxes with interval splitting, or world boxes computed on the fly.", false, kBoxNames},
    {"outside_flags", "Outside flags", ParameterKind::toggle, 1, 0, 1, "", "Zachmann, thesis, 3.6.4",
     "Skips families of box edges that are entirely outside."},
    {"collect", "Collect phase", ParameterKind::choice, 0, 0, 2, "",
     "Zachmann, thesis, 3.6.5: object_box; leaf_box: ours, fewer tests",
     "The box that polygons and edges of a leaf must overlap to be tested.", false, kCollectNames},
    {"convex_leaves", "Convex leaves", ParameterKind::toggle, 1, 0, 1, "",
     "ours; Zachmann, thesis, 10.2 proposes an adaptation to convex objects",
     "If the other body is convex, clips an edge by the planes of a leaf's polygons and tests only polygons "
     "that bound the remaining part."},
    {"precision", "Precision", ParameterKind::choice, 0, 0, 1, "", "ours: measured by bench box_tree",
     "Of the intervals; switches to double if single is not accurate enough.", false, kPrecisionNames},
};
constexpr const char* kCounters[] = {"box tests",  "leaf pairs",  "empty parts", "polygons collected",
                                     "edge tests", "exact tests", "hits"};

constexpr Aabb kEverywhere{{-HUGE_VALF, -HUGE_VALF, -HUGE_VALF}, {HUGE_VALF, HUGE_VALF, HUGE_VALF}};

/// Trees of one geometry in its current state.
struct PreparedBoxTree final : Prepared {
    BodyTreesOptions standard_options;
    std::shared_ptr<const BodyTrees> standard;  ///< null for a deformed body: built on demand
    mutable ValueCache<BodyTreesOptions, BodyTrees> others{2};

    std::shared_ptr<const BodyTrees> get(const Geometry& geometry, const BodyTreesOptions& options) const {
        if (standard != nullptr && options == standard_options) return standard;
        return others.get(options, [&] { return make_body_trees(geometry, options); });
    }
    std::size_t memory_bytes() const override {
        std::size_t bytes = sizeof *this + (standard != nullptr ? standard->memory_bytes() : 0);
        others.each([&](const BodyTrees& trees) { bytes += trees.memory_bytes(); });
        return bytes;
    }
};

BodyTreesOptions options_of(const ParameterValues& v, bool bent) {
    BodyTreesOptions out;
    out.options.gamma = v[kGamma];
    out.options.delta = v[kDelta];
    out.options.p_max = v[kPMax];
    out.options.iterations = v.integer(kIterations);
    out.options.depth = v.integer(kDepth);
    out.options.min_items = v.integer(kMinItems);
    out.options.lambda = v[kLambda];
    out.options.pointer_limit = v[kPointerLimit];
    out.options.empty_leaves = v.on(kEmptyLeaves);
    out.options.cut = static_cast<BoxTreeCut>(v.integer(kCuts));
    out.kind = static_cast<BodyTreesKind>(v.integer(kTrees));
    out.diagonals = bent;
    return out;
}

std::shared_ptr<const Prepared> prepare_box_tree(const Shape& shape, const Geometry& geometry) {
    auto out = std::make_shared<PreparedBoxTree>();
    const PairBody body{&shape, &geometry, nullptr, {}};
    out->standard_options = options_of(default_values(kParameters), is_bent(body));
    out->standard = make_body_trees(geometry, out->standard_options);
    return out;
}

/// A tree does not follow a deformation ("cannot be used whenever geometry changes", 3.6). The next query
/// that needs one builds it again.
std::shared_ptr<const Prepared> update_box_tree(
    std::shared_ptr<const Prepared>,  // NOLINT(performance-unnecessary-value-param): the registry's signature
    const Geometry&, std::span<const std::uint32_t>) {
    return std::make_shared<PreparedBoxTree>();
}

/// The (edge, polygon) pairs already reported: an item may be in several leaves.
class SeenHits {
  public:
    explicit SeenHits(std::span<std::uint64_t> slots) : slots_(slots) {
        std::fill(slots_.begin(), slots_.end(), 0);
    }
    static std::size_t slots_for(std::size_t hits) { return std::bit_ceil(2 * hits + 2); }

    bool has(std::uint64_t key) const { return slots_[slot(key)] == key; }
    void add(std::uint64_t key) { slots_[slot(key)] = key; }
    static std::uint64_t key(std::uint32_t edge, bool of_b, std::uint32_t polygon) {
        return (2 * std::uint64_t{edge} + (of_b ? 1 : 0) + 1) << 32 | polygon;
    }

  private:
    std::size_t slot(std::uint64_t key) const {
        std::uint64_t h = key * 0x9e3779b97f4a7c15u;
        h ^= h >> 32;
        for (std::size_t i = h & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1))
            if (slots_[i] == 0 || slots_[i] == key) return i;
    }
    std::span<std::uint64_t> slots_;
};

struct QueryTrees {
    std::shared_ptr<const BodyTrees> body[2];
};

QueryTrees trees_of(const PairQuery& q) {
    QueryTrees out;
    for (std::size_t s = 0; s < 2; ++s) {
        const PairBody& body = s == 0 ? q.a : q.b;
        CLAYBOX_ASSERT(body.prepared != nullptr);
        const auto& prepared = static_cast<const PreparedBoxTree&>(*body.prepared);
        out.body[s] = prepared.get(*body.geometry, options_of(q.parameters, is_bent(body)));
    }
    return out;
}

/// The callback of a traversal, with the precision of its intervals.
template <class Leaf>
struct LeafCallback {
    Leaf& leaf;
    double epsilon;

    template <class Pair>
    bool operator()(const Pair& pair, const BoxTreeLeaf& leaf_a, const BoxTreeLeaf& leaf_b) const {
        return leaf(pair, epsilon, leaf_a, leaf_b);
    }
    void visit([[maybe_unused]] std::uint32_t a, [[maybe_unused]] std::uint32_t b) const {
        if constexpr (requires { leaf.visit(a, b); }) leaf.visit(a, b);
    }
};

/// The traversal of two trees: by intervals in float, then in double, then by boxes along the world axes.
class Traversal {
  public:
    Traversal(const PairQuery& query, const BoxTree& a, const BoxTree& b, BoxTreeWalkCounts& counts)
        : query_(query),
          a_(a),
          b_(b),
          counts_(counts),
          placement_(relate_box_trees(query.a.world_from_body, a, query.b.world_from_body, b)) {}

    const BoxTreePlacement& placement() const { return placement_; }
    /// `leaf(pair, epsilon, leaf_a, leaf_b)` returns false to end the traversal; run() then returns false.
    template <class Leaf>
    bool run(Leaf&& leaf) const {
        if (query_.parameters.integer(kBoxes) == kIntervals) {
            if (query_.parameters.integer(kPrecision) == kSingle)
                if (const auto frames = frames_for<float>(placement_)) return by_intervals(*frames, leaf);
            if (const auto frames = frames_for<double>(placement_)) return by_intervals(*frames, leaf);
        }
        const AlignedFrames frames = aligned_frames(query_.a.world_from_body, query_.b.world_from_body);
        return walk(first_aligned_pair(frames, a_, b_), AlignedSplitter(frames), leaf, kEpsilon<double>);
    }

  private:
    template <class T>
    static constexpr double kEpsilon = std::numeric_limits<T>::epsilon();

    template <class T, class Leaf>
    bool by_intervals(const BoxTreeFrames<T>& frames, Leaf& leaf) const {
        std::optional<BoxTreeProducts<T>> products;
        if (a_.in_middle && b_.in_middle) products.emplace(frames, sizes<T>());
        const auto* table = products ? &*products : nullptr;
        if (query_.parameters.on(kOutsideFlags))
            return by_splitter(IntervalSplitter<T, true>(frames, table), leaf);
        return by_splitter(IntervalSplitter<T, false>(frames, table), leaf);
    }
    template <class T, bool Flags, class Leaf>
    bool by_splitter(const IntervalSplitter<T, Flags>& splitter, Leaf& leaf) const {
        return walk(first_pair(splitter, placement_), splitter, leaf, kEpsilon<T>);
    }
    template <class T>
    std::array<std::array<T, 3>, 2> sizes() const {
        std::array<std::array<T, 3>, 2> out{};
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t k = 0; k < 3; ++k)
                out[s][k] =
                    static_cast<T>(double{placement_.box[s].max[k]} - double{placement_.box[s].min[k]});
        return out;
    }
    template <class Pair, class Splitter, class Leaf>
    bool walk(const Pair& first, const Splitter& splitter, Leaf& leaf, double epsilon) const {
        const LeafCallback<Leaf> at_leaves{leaf, epsilon};
        return BoxTreeWalk<Pair, Splitter, decltype(at_leaves)>(a_, b_, splitter, at_leaves, counts_)
            .run(first);
    }

    const PairQuery& query_;
    const BoxTree &a_, &b_;
    BoxTreeWalkCounts& counts_;
    BoxTreePlacement placement_;
};

/// Triangles of a convex mesh are listed with the whole mesh at or below height 0. A reflection reverses
/// that; a flat body has no outside.
int outward(const PairBody& body) {
    if (body.deformed() || !body.shape->classification().convex) return 0;
    const Matrix34f& m = body.world_from_body;
    const auto column = [&](std::size_t k) { return Vec3f{m(0, k), m(1, k), m(2, k)}; };
    return orient3d(Vec3f{}, column(0), column(1), column(2));
}

/// The part of a leaf's box that its items occupy, in the frame of the other side. Where they reach less than
/// the thickness into the box, their end and the box's plane are swapped.
Aabb occupied_in_other(const BoxTreePlacement& placement, std::size_t s, const auto& side,
                       const BoxTreeLeaf& leaf, double epsilon) {
    std::array<double, 3> low{}, size{};
    for (std::size_t k = 0; k < 3; ++k) {
        const double from = std::max(double{side.low[k]}, double{leaf.content.min[k]}),
                     to = std::min(double{side.low[k]} + double{side.size[k]}, double{leaf.content.max[k]});
        low[k] = std::min(from, to);
        size[k] = std::abs(to - from);
    }
    return placement.in_other(s, low, size, epsilon);
}

/// One query: up to two traversals that apply the exact test at leaves.
class BoxTreeQuery {
  public:
    BoxTreeQuery(const PairQuery& query, const QueryTrees& trees, HitReceiver& receiver, SeenHits* seen)
        : query_(query),
          trees_(trees),
          receiver_(receiver),
          seen_(seen),
          on_hit_{this},
          leaf_(side(query.a, 0), side(query.b, 1), query.exactness == Exactness::fast, on_hit_,
                leaf_counts_) {}

    /// False if the stop token ended the query.
    bool run() {
        const BodyTrees &a = *trees_.body[0], &b = *trees_.body[1];
        if (a.faces.nodes.empty() || b.faces.nodes.empty()) return true;
        share_[0] = part_share(query_.part, query_.part_count, false);
        share_[1] = part_share(query_.part, query_.part_count, true);
        const bool of_a = share_[0].m != 0, of_b = share_[1].m != 0;
        if (query_.parameters.integer(kTrees) == static_cast<int>(BodyTreesKind::combined)) {
            traverse(a.faces, b.faces, of_a, of_b);
        } else if (!of_a || traverse(a.tree_of_edges(), b.faces, true, false)) {
            if (of_b) traverse(a.faces, b.tree_of_edges(), false, true);
        }
        return !stopped_;
    }
    const BoxTreeWalkCounts& walk_counts() const { return walk_counts_; }
    const BoxTreeLeafCounts& leaf_counts() const { return leaf_counts_; }

  private:
    BoxTreeLeafSide side(const PairBody& body, std::size_t s) const {
        return {body.geometry, &body.world_from_body, trees_.body[s]->edge_list, needs_diagonals(query_),
                query_.parameters.on(kConvexLeaves) ? outward(body) : 0};
    }
    bool take(const MeshHit& hit) {
        if (seen_ == nullptr) return receiver_.take(hit);
        const std::uint64_t key = SeenHits::key(leaf_.edge_index(), hit.edge_of_b, hit.polygon);
        if (seen_->has(key)) return true;
        if (!receiver_.take(hit)) return false;
        seen_->add(key);
        return true;
    }
    /// Tests edges of A against polygons of B, edges of B against polygons of A, or both at once. Each part
    /// traverses the trees completely and processes every m-th pair of leaves (thesis, 6.3.1): leaves are
    /// most of the work.
    bool traverse(const BoxTree& tree_a, const BoxTree& tree_b, bool edges_of_a, bool edges_of_b) {
        if (tree_a.nodes.empty() || tree_b.nodes.empty()) return true;
        const Traversal traversal(query_, tree_a, tree_b, walk_counts_);
        const BoxTreePlacement& placement = traversal.placement();
        const int collect = placement.usable ? query_.parameters.integer(kCollect) : kNoCollect;
        Aabb in_a = kEverywhere, in_b = kEverywhere;
        if (collect == kObjectBox) {
            in_a = object_in_other(placement, 1);
            in_b = object_in_other(placement, 0);
        }
        const BodyTrees &a = *trees_.body[0], &b = *trees_.body[1];
        std::uint64_t leaf_number = 0;
        return traversal.run(
            [&](const auto& pair, double epsilon, const BoxTreeLeaf& leaf_a, const BoxTreeLeaf& leaf_b) {
                if (query_.stop.stop_requested()) {
                    stopped_ = true;
                    return false;
                }
                const PartShare& share = share_[edges_of_a ? 0 : 1];
                if (share.m > 1 && leaf_number++ % share.m != share.k) return true;
                if (collect == kLeafBox) {
                    in_b = occupied_in_other(placement, 0, pair.side[0], leaf_a, epsilon);
                    in_a = occupied_in_other(placement, 1, pair.side[1], leaf_b, epsilon);
                    if (!overlap(in_a, leaf_a.content) || !overlap(in_b, leaf_b.content)) return true;
                }
                if (edges_of_a && !leaf_.run(0, a.edges_of(leaf_a), in_a, b.polygons_of(leaf_b), in_b))
                    return false;
                return !edges_of_b || leaf_.run(1, b.edges_of(leaf_b), in_b, a.polygons_of(leaf_a), in_a);
            });
    }
    static Aabb object_in_other(const BoxTreePlacement& placement, std::size_t s) {
        std::array<double, 3> low{}, size{};
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = placement.box[s].min[k];
            size[k] = double{placement.box[s].max[k]} - low[k];
        }
        return placement.in_other(s, low, size, std::numeric_limits<double>::epsilon());
    }

    const PairQuery& query_;
    const QueryTrees& trees_;
    HitReceiver& receiver_;
    SeenHits* seen_;
    BoxTreeWalkCounts walk_counts_;
    BoxTreeLeafCounts leaf_counts_;
    bool stopped_ = false;
    PartShare share_[2];  ///< of the pairs of leaves, for edges of A and of B
    struct OnHit {
        BoxTreeQuery* self;
        bool operator()(const MeshHit& hit) const { return self->take(hit); }
    };
    OnHit on_hit_;
    BoxTreeLeafTest leaf_;
};

/// The other meaning of a traversal (figure 3.31): the overlapping boxes. Reports, for each level of the
/// trees, the boxes that overlap and the halves that do not, then the boxes of all leaves and which of them
/// overlap a leaf of the other tree.
class WalkTracer {
  public:
    WalkTracer(const PairQuery& query, const QueryTrees& trees, Trace& trace)
        : query_(query), trace_(trace), tree_{&trees.body[0]->faces, &trees.body[1]->faces} {}

    void run() {
        if (tree_[0]->nodes.empty() || tree_[1]->nodes.empty()) return;
        for (std::size_t s = 0; s < 2; ++s) {
            const Aabb& box = tree_[s]->box;
            places_[s].resize(tree_[s]->nodes.size());
            place(s, 0, kNoIndex, cast<double>(box.min), cast<double>(box.max) - cast<double>(box.min));
        }
        BoxTreeWalkCounts counts;
        Traversal(query_, *tree_[0], *tree_[1], counts).run(*this);
        for (std::size_t level = 0; level <= levels_.size(); ++level) trace_level(level);
        trace_.begin_iteration(static_cast<int>(levels_.size()) + 1);
        trace_.value("overlapping leaf pairs", static_cast<double>(counts.leaf_pairs));
        for (std::size_t s = 0; s < 2; ++s)
            for (std::uint32_t i = 0; i < places_[s].size(); ++i)
                if (tree_[s]->nodes[i].is_leaf())
                    trace_box(s, i, places_[s][i].overlaps_leaf ? "overlapping leaf box" : "leaf box");
    }

    /// Called by the traversal: two boxes overlap. A leaf belongs to its own level and all levels below.
    void visit(std::uint32_t a, std::uint32_t b) {
        const std::size_t level = std::max(places_[0][a].depth, places_[1][b].depth);
        while (levels_.size() <= level) {
            Level& fresh = levels_.emplace_back();
            for (std::size_t s = 0; s < 2; ++s) fresh.overlaps[s].assign(places_[s].size(), false);
        }
        ++levels_[level].pairs;
        levels_[level].overlaps[0][a] = levels_[level].overlaps[1][b] = true;
        const bool leaves = tree_[0]->nodes[a].is_leaf() && tree_[1]->nodes[b].is_leaf();
        if (leaves) places_[0][a].overlaps_leaf = places_[1][b].overlaps_leaf = true;
    }
    bool operator()(const auto&, double, const BoxTreeLeaf&, const BoxTreeLeaf&) const { return true; }

  private:
    struct Place {
        Vec3d low, size;
        std::uint32_t parent = kNoIndex;
        std::size_t depth = 0;
        bool overlaps_leaf = false;
    };
    struct Level {
        std::vector<bool> overlaps[2];
        std::size_t pairs = 0;
    };

    void place(std::size_t s, std::uint32_t index, std::uint32_t parent, const Vec3d& low,
               const Vec3d& size) {
        if (index == kNoIndex) return;
        places_[s][index] = {low, size, parent, parent == kNoIndex ? 0 : places_[s][parent].depth + 1};
        const BoxTreeNode& node = tree_[s]->nodes[index];
        if (node.is_leaf()) return;
        Vec3d part = size, above = low, rest = size;
        part[node.axis] = double{node.cut} - low[node.axis];
        above[node.axis] = node.cut;
        rest[node.axis] -= part[node.axis];
        place(s, node.left, index, low, part);
        place(s, node.right, index, above, rest);
    }
    /// Whether the box, or the box that it was cut from, overlapped one on the level above.
    bool has_overlapping_parent(std::size_t s, std::uint32_t index, std::size_t level) const {
        if (level == 0) return index == 0;
        if (places_[s][index].depth > level) return false;
        const bool fresh = places_[s][index].depth == level;
        if (!fresh && !tree_[s]->nodes[index].is_leaf()) return false;
        return levels_[level - 1].overlaps[s][fresh ? places_[s][index].parent : index];
    }
    void trace_level(std::size_t level) {
        trace_.begin_iteration(static_cast<int>(level));
        std::size_t tested = 0, culled = 0;
        for (std::size_t s = 0; s < 2; ++s)
            for (std::uint32_t i = 0; i < places_[s].size(); ++i) {
                const bool overlaps = level < levels_.size() && levels_[level].overlaps[s][i];
                if (!overlaps && !has_overlapping_parent(s, i, level)) continue;
                ++tested;
                culled += overlaps ? 0 : 1;
                trace_box(s, i, overlaps ? "overlapping box" : "separate box");
            }
        trace_.value("visited boxes", static_cast<double>(tested));
        trace_.value("culled boxes", static_cast<double>(culled));
        if (level < levels_.size())
            trace_.value("overlapping pairs of boxes", static_cast<double>(levels_[level].pairs));
    }
    void trace_box(std::size_t s, std::uint32_t index, const char* label) {
        const Place& place = places_[s][index];
        const Matrix34d m = to_double((s == 0 ? query_.a : query_.b).world_from_body);
        const auto side = [&](std::size_t k) {
            Vec3d v;
            v[k] = place.size[k];
            return transform_vector(m, v);
        };
        trace_.box(transform_point(m, place.low), {side(0), side(1), side(2)}, label);
    }

    const PairQuery& query_;
    Trace& trace_;
    const BoxTree* tree_[2];
    std::vector<Place> places_[2];
    std::vector<Level> levels_;
};

void write_counters(const BoxTreeQuery& run, const HitReceiver& receiver, PairResult& result) {
    const BoxTreeWalkCounts& walk = run.walk_counts();
    const BoxTreeLeafCounts& leaf = run.leaf_counts();
    result.iterations = clamped(walk.box_pairs);
    result.counters = {clamped(walk.box_pairs),
                       clamped(walk.leaf_pairs),
                       clamped(walk.empty_parts),
                       clamped(leaf.polygons),
                       clamped(leaf.tests),
                       clamped(leaf.exact),
                       receiver.hits};
    result.rung = receiver.query.exactness == Exactness::fast ? 1 : leaf.exact != 0 ? 3 : 2;
}

void query_box_tree(const PairQuery& query, PairCache&, PairResult& result, Trace* trace) {
    const QueryTrees trees = trees_of(query);
    if (trace != nullptr) WalkTracer(query, trees, *trace).run();
    HitReceiver receiver{query, result, trace};
    const std::size_t mark = query.scratch->used();
    Scratch own(0);  // only if the caller's block is too small and already in use
    std::optional<SeenHits> seen;
    if ((query.wants & kWantAllHits) != 0) {
        const std::size_t count = SeenHits::slots_for(query.hits->capacity());
        auto slots = query.scratch->take_growing<std::uint64_t>(count);
        if (slots.size() != count) slots = own.take_growing<std::uint64_t>(count);
        seen.emplace(slots);
    }
    BoxTreeQuery run(query, trees, receiver, seen ? &*seen : nullptr);
    const bool done = run.run();
    query.scratch->reset_to(mark);
    receiver.finish();
    if (!done) {
        result.status = QueryStatus::stopped;
        result.verdict = Verdict::undecided;
    }
    write_counters(run, receiver, result);
}

}  // namespace

const PairAlgorithm& describe_box_tree() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "box_tree";
        a.title = "Box-tree";
        a.source = "Zachmann, Exact and Fast Collision Detection, 1994, section 3.6";
        a.summary =
            "Traverses two trees of boxes together, splitting the intervals of box edges incrementally.";
        a.needs = Needs::any_polygons;
        a.gives = kWantAllHits;
        a.meaning = Meaning::surface;
        a.exact = true;
        a.bias = Bias::none;
        a.splittable = true;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.prepare = prepare_box_tree;
        a.needs_prepared = true;
        a.update = update_box_tree;
        a.query = query_box_tree;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
