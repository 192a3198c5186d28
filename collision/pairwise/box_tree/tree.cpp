#include "collision/pairwise/box_tree/tree.hpp"

#include "collision/core/assert.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// Rounding the ends of a thick plane to float moves them by at most this fraction.
constexpr double kFloatError = 0x1p-23;
/// Planes whose penalties differ by at most this fraction of the items count as equal (3.6.3, other
/// criteria).
constexpr double kEqualPenalty = 0.1;

/// The ends of a plane's slab, in float. A box is left of the plane if it ends at or before `high`, and right
/// of it if it begins at or after `low`.
struct Slab {
    Slab(double position, double delta)
        : low(static_cast<float>(position - delta)), high(static_cast<float>(position + delta)) {}

    enum class Side : unsigned char { left, right, crossing };
    Side side(float from, float to) const {
        return to <= high ? Side::left : from >= low ? Side::right : Side::crossing;
    }
    float low, high;
};

/// A box that is still to be divided, with its items.
struct Job {
    std::uint32_t node = 0;
    Vec3d low, size;
    std::vector<std::uint32_t> items;
};

class Builder {
  public:
    Builder(std::span<const Aabb> boxes, const BoxTreeOptions& options) : boxes_(boxes), options_(options) {}
    BoxTree build();

  private:
    Job root();
    void divide(Job& job, std::vector<Job>& next);
    void gather(const Job& job, int axis);
    BoxTreePlane plane_across(const Job& job, int axis);
    BoxTreePlane choose_plane(const Job& job);
    BoxTreePlane empty_space(const Job& job);
    bool is_useful(const Job& job, const BoxTreePlane& plane) const;
    void add_leaf(Job& job);
    BoxTreePlane find_plane(const Job& job);
    void cut(Job& job, const BoxTreePlane& plane, std::vector<Job>& next);

    std::span<const Aabb> boxes_;
    const BoxTreeOptions& options_;
    BoxTree tree_;
    std::vector<float> lows_, highs_;  ///< ends of one job's boxes along one axis
    std::size_t pointers_ = 0;
};

void Builder::gather(const Job& job, int axis) {
    const auto k = static_cast<std::size_t>(axis);
    lows_.clear();
    highs_.clear();
    for (const std::uint32_t i : job.items) {
        lows_.push_back(boxes_[i].min[k]);
        highs_.push_back(boxes_[i].max[k]);
    }
}

BoxTreePlane Builder::plane_across(const Job& job, int axis) {
    const auto k = static_cast<std::size_t>(axis);
    if (!(job.size[k] > 0)) return {};
    gather(job, axis);
    BoxTreePlane plane;
    if (options_.cut == BoxTreeCut::middle) {
        plane.position = static_cast<float>(job.low[k] + job.size[k] / 2);
        plane.sides = count_sides(lows_, highs_, plane.position, tree_.delta);
    } else {
        plane = balance_axis(lows_, highs_, job.low[k], job.low[k] + job.size[k], tree_.delta, options_);
    }
    plane.axis = axis;
    return plane;
}

/// The plane with the lowest penalty. With `empty_leaves`, of several equal planes the one across the longest
/// edge, so that boxes stay close to cubes.
BoxTreePlane Builder::choose_plane(const Job& job) {
    BoxTreePlane planes[3], best;
    double lowest_penalty = HUGE_VAL;
    for (int axis = 0; axis < 3; ++axis) {
        planes[axis] = plane_across(job, axis);
        if (planes[axis].axis >= 0)
            lowest_penalty = std::min(lowest_penalty, planes[axis].sides.penalty(options_.gamma));
    }
    const double tolerance =
        options_.empty_leaves ? kEqualPenalty * static_cast<double>(job.items.size()) : 0;
    double longest = 0;
    for (const BoxTreePlane& plane : planes) {
        if (plane.axis < 0 || plane.sides.penalty(options_.gamma) > lowest_penalty + tolerance) continue;
        const double length = job.size[static_cast<std::size_t>(plane.axis)];
        if (!(length > longest)) continue;
        best = plane;
        longest = length;
    }
    return best;
}

/// A plane in the middle third of an edge with nothing on one side: the one that cuts off the largest
/// fraction of the box. A tree with middle cuts has only three candidates.
BoxTreePlane Builder::empty_space(const Job& job) {
    BoxTreePlane best;
    double best_share = 1.0 / 3;
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        if (!(job.size[k] > 0)) continue;
        gather(job, axis);
        const double first = *std::min_element(lows_.begin(), lows_.end()),
                     last = *std::max_element(highs_.begin(), highs_.end());
        const double from_left = first - job.low[k], from_right = job.low[k] + job.size[k] - last;
        double share = std::min(std::max(from_left, from_right) / job.size[k], 2.0 / 3);
        double position = from_left >= from_right ? job.low[k] + share * job.size[k]
                                                  : job.low[k] + (1 - share) * job.size[k];
        if (options_.cut == BoxTreeCut::middle) {
            if (share < 0.5) continue;
            share = 0.5;
            position = job.low[k] + job.size[k] / 2;
        }
        if (!(share > best_share)) continue;
        const auto sides = count_sides(lows_, highs_, static_cast<float>(position), tree_.delta);
        if (sides.crossing != 0 || (sides.left != 0 && sides.right != 0)) continue;
        best = {axis, static_cast<float>(position), sides, 0};
        best_share = share;
    }
    return best;
}

/// The stopping criteria that depend on the plane.
bool Builder::is_useful(const Job& job, const BoxTreePlane& plane) const {
    if (plane.axis < 0) return false;
    const auto k = static_cast<std::size_t>(plane.axis);
    if (!(plane.position > job.low[k] && plane.position < job.low[k] + job.size[k])) return false;
    const std::size_t left = plane.sides.left + plane.sides.crossing,
                      right = plane.sides.right + plane.sides.crossing;
    if (left == 0 || right == 0) return false;
    const double max_items = options_.lambda * static_cast<double>(job.items.size());
    if (static_cast<double>(left) > max_items || static_cast<double>(right) > max_items) return false;
    return static_cast<double>(pointers_ + plane.sides.crossing) <=
           options_.pointer_limit * static_cast<double>(boxes_.size());
}

void Builder::add_leaf(Job& job) {
    BoxTreeNode& node = tree_.nodes[job.node];
    node.left = static_cast<std::uint32_t>(tree_.leaves.size());
    const auto begin = static_cast<std::uint32_t>(tree_.items.size());
    tree_.items.insert(tree_.items.end(), job.items.begin(), job.items.end());
    tree_.leaves.push_back({begin, static_cast<std::uint32_t>(tree_.items.size()), 0, 0, {}});
}

/// No plane if the recursion stops.
BoxTreePlane Builder::find_plane(const Job& job) {
    if (tree_.depth >= options_.depth) return {};
    if (job.items.size() <= static_cast<std::size_t>(options_.min_items)) return {};
    if (options_.empty_leaves) {
        const BoxTreePlane plane = empty_space(job);
        if (plane.axis >= 0) return plane;
    }
    const BoxTreePlane plane = choose_plane(job);
    return is_useful(job, plane) ? plane : BoxTreePlane{};
}

/// Items that cross the plane go into both parts. An empty part has no node.
void Builder::cut(Job& job, const BoxTreePlane& plane, std::vector<Job>& next) {
    const auto k = static_cast<std::size_t>(plane.axis);
    const double position =
        options_.cut == BoxTreeCut::middle ? job.low[k] + job.size[k] / 2 : plane.position;
    Job parts[2] = {{0, job.low, job.size, {}}, {0, job.low, job.size, {}}};
    parts[0].size[k] = position - job.low[k];
    parts[1].low[k] = position;
    parts[1].size[k] = job.size[k] - parts[0].size[k];
    const Slab slab(plane.position, tree_.delta);
    for (const std::uint32_t i : job.items) {
        const auto side = slab.side(boxes_[i].min[k], boxes_[i].max[k]);
        if (side != Slab::Side::right) parts[0].items.push_back(i);
        if (side != Slab::Side::left) parts[1].items.push_back(i);
    }
    pointers_ += plane.sides.crossing;
    std::uint32_t children[2] = {kNoIndex, kNoIndex};
    for (std::size_t side = 0; side < 2; ++side) {
        if (parts[side].items.empty()) continue;
        parts[side].node = children[side] = static_cast<std::uint32_t>(tree_.nodes.size());
        tree_.nodes.emplace_back();
        next.push_back(std::move(parts[side]));
    }
    tree_.nodes[job.node] = {plane.position, static_cast<std::uint32_t>(plane.axis), children[0],
                             children[1]};
}

void Builder::divide(Job& job, std::vector<Job>& next) {
    const BoxTreePlane plane = find_plane(job);
    if (plane.axis < 0)
        add_leaf(job);
    else
        cut(job, plane, next);
    job.items = {};
}

Job Builder::root() {
    Job root;
    for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
        tree_.box.add(boxes_[i]);
        root.items.push_back(i);
    }
    root.low = cast<double>(tree_.box.min);
    root.size = cast<double>(tree_.box.max) - root.low;
    const double longest = std::max({root.size.x, root.size.y, root.size.z});
    tree_.delta = options_.delta * longest;
    double reach = tree_.delta;
    for (std::size_t k = 0; k < 3; ++k)
        reach = std::max({reach, std::abs(root.low[k]), std::abs(double{tree_.box.max[k]})});
    tree_.thickness = tree_.delta + 2 * kFloatError * reach;
    tree_.in_middle = options_.cut == BoxTreeCut::middle;
    tree_.nodes.emplace_back();
    pointers_ = boxes_.size();
    return root;
}

/// Level by level, so that the pointer limit is shared fairly.
BoxTree Builder::build() {
    if (boxes_.empty()) return {};
    std::vector<Job> level, next;
    level.push_back(root());
    while (true) {
        for (Job& job : level) divide(job, next);
        if (next.empty()) break;
        level.swap(next);
        next.clear();
        ++tree_.depth;
    }
    return std::move(tree_);
}

/// Items on their way down the planes of a finished tree.
struct Batch {
    std::uint32_t node;
    std::vector<std::uint32_t> items;
};

/// A part of `node`. An empty part gets a leaf when an item arrives.
std::uint32_t part_for(BoxTree& tree, std::uint32_t node, bool right) {
    std::uint32_t part = right ? tree.nodes[node].right : tree.nodes[node].left;
    if (part != kNoIndex) return part;
    part = static_cast<std::uint32_t>(tree.nodes.size());
    (right ? tree.nodes[node].right : tree.nodes[node].left) = part;
    tree.nodes.emplace_back();
    tree.nodes.back().left = static_cast<std::uint32_t>(tree.leaves.size());
    tree.leaves.emplace_back();
    return part;
}

void insert_into_leaf(BoxTree& tree, const Batch& batch) {
    BoxTreeLeaf& leaf = tree.leaves[tree.nodes[batch.node].left];
    leaf.inserted_begin = static_cast<std::uint32_t>(tree.inserted.size());
    tree.inserted.insert(tree.inserted.end(), batch.items.begin(), batch.items.end());
    leaf.inserted_end = static_cast<std::uint32_t>(tree.inserted.size());
}

/// An item that lies on both sides within the thickness goes to the existing side.
void insert_into_children(BoxTree& tree, const Batch& batch, std::span<const Aabb> boxes,
                          std::vector<Batch>& next) {
    const BoxTreeNode node = tree.nodes[batch.node];
    const Slab slab(node.cut, tree.delta);
    std::vector<std::uint32_t> parts[2];
    for (const std::uint32_t i : batch.items) {
        const float from = boxes[i].min[node.axis], to = boxes[i].max[node.axis];
        Slab::Side side = slab.side(from, to);
        if (side == Slab::Side::left && from >= slab.low && node.left == kNoIndex) side = Slab::Side::right;
        if (side != Slab::Side::right) parts[0].push_back(i);
        if (side != Slab::Side::left) parts[1].push_back(i);
    }
    for (int right = 0; right < 2; ++right)
        if (!parts[right].empty())
            next.push_back({part_for(tree, batch.node, right != 0), std::move(parts[right])});
}

}  // namespace

std::size_t BoxTree::memory_bytes() const {
    return sizeof *this + nodes.capacity() * sizeof(BoxTreeNode) + leaves.capacity() * sizeof(BoxTreeLeaf) +
           (items.capacity() + inserted.capacity()) * sizeof(std::uint32_t);
}

double BoxTreeSides::imbalance() const {
    return static_cast<double>(left > right ? left - right : right - left);
}

double BoxTreeSides::penalty(double gamma) const {
    return imbalance() + gamma * static_cast<double>(crossing);
}

BoxTreeSides count_sides(std::span<const float> lows, std::span<const float> highs, double position,
                         double delta) {
    const Slab slab(position, delta);
    std::uint32_t left = 0, right = 0;
    for (std::size_t i = 0; i < lows.size(); ++i) {
        const std::uint32_t is_left = highs[i] <= slab.high, is_right = lows[i] >= slab.low;
        left += is_left;
        right += is_right & (is_left ^ 1u);
    }
    return {left, right, lows.size() - left - right};
}

// FIX-29: the search starts in the middle, (l + r) / 2, and the weights of an end and of the plane sum to 1:
// l' = (2 n_l l + (n_r - n_l) c) / (n_l + n_r). So l stays if both sides are equal, and becomes c if nothing
// is on the left; r' correspondingly.
BoxTreePlane balance_axis(std::span<const float> lows, std::span<const float> highs, double low, double high,
                          double delta, const BoxTreeOptions& options) {
    BoxTreePlane best;
    double l = low, r = high;
    for (int iteration = 1; iteration <= std::max(options.iterations, 1); ++iteration) {
        const float position = static_cast<float>((l + r) / 2);
        const double c = position;
        const BoxTreeSides sides = count_sides(lows, highs, c, delta);
        const bool better =
            sides.imbalance() < best.sides.imbalance() ||
            (sides.imbalance() == best.sides.imbalance() && sides.crossing < best.sides.crossing);
        if (iteration == 1 || better) best = {-1, position, sides, iteration};
        best.iterations = iteration;
        if (sides.imbalance() <= options.p_max) break;
        const auto n_l = static_cast<double>(sides.left), n_r = static_cast<double>(sides.right);
        if (n_l < n_r)
            l = (2 * n_l * l + (n_r - n_l) * c) / (n_l + n_r);
        else
            r = (2 * n_r * r + (n_l - n_r) * c) / (n_l + n_r);
        if (!(r - l > kFloatError * std::max(std::abs(l), std::abs(r)))) break;
    }
    return best;
}

BoxTree build_box_tree(std::span<const Aabb> boxes, const BoxTreeOptions& options) {
    CLAYBOX_ASSERT(options.depth <= kMaxBoxTreeDepth && boxes.size() < kNoIndex / 2);
    return Builder(boxes, options).build();
}

void insert_boxes(BoxTree& tree, std::span<const Aabb> boxes) {
    if (tree.nodes.empty() || boxes.empty()) return;
    std::vector<Batch> level, next;
    level.push_back({0, {}});
    for (std::uint32_t i = 0; i < boxes.size(); ++i) level[0].items.push_back(i);
    for (; !level.empty(); level.swap(next), next.clear()) {
        for (Batch& batch : level) {
            if (tree.nodes[batch.node].is_leaf())
                insert_into_leaf(tree, batch);
            else
                insert_into_children(tree, batch, boxes, next);
            batch.items = {};
        }
    }
}

namespace {

bool is_same_segment(std::uint32_t u, std::uint32_t v, std::uint32_t x, std::uint32_t y) {
    return (u == x && v == y) || (u == y && v == x);
}

/// Whether (u, v) is on the boundary of the polygon or a side of an earlier triangle than number `index`.
bool is_known_side(const Topology& t, std::uint32_t polygon, std::size_t index, std::uint32_t u,
                   std::uint32_t v) {
    const auto loop = t.loop(polygon);
    for (std::size_t i = 0; i < loop.size(); ++i)
        if (is_same_segment(u, v, loop[i], loop[i + 1 < loop.size() ? i + 1 : 0])) return true;
    for (const Triangle& earlier : t.triangles_of(polygon).first(index))
        for (std::size_t k = 0; k < 3; ++k)
            if (is_same_segment(u, v, earlier.vertices[k], earlier.vertices[(k + 1) % 3])) return true;
    return false;
}

void add_diagonals(const Topology& t, std::uint32_t polygon, std::vector<BoxTreeEdge>& out) {
    const auto triangles = t.triangles_of(polygon);
    for (std::size_t i = 0; i < triangles.size() && triangles.size() > 1; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t u = triangles[i].vertices[k], v = triangles[i].vertices[(k + 1) % 3];
            if (!is_known_side(t, polygon, i, u, v)) out.push_back({{u, v}, kNoIndex, true});
        }
    }
}

}  // namespace

std::vector<BoxTreeEdge> edges_for_box_tree(const Topology& topology, bool diagonals) {
    std::vector<BoxTreeEdge> out;
    for (std::uint32_t e = 0; e < topology.edges.size(); ++e)
        out.push_back({{topology.edges[e].vertices[0], topology.edges[e].vertices[1]}, e, false});
    for (std::uint32_t h = 0; h < topology.half_edge_count(); ++h)
        if (topology.edge_of[h] == kNoIndex)
            out.push_back({{topology.origin[h], topology.origin[topology.next(h)]}, kNoIndex, false});
    for (std::uint32_t p = 0; diagonals && p < topology.polygon_count(); ++p) add_diagonals(topology, p, out);
    return out;
}

std::span<const Aabb> boxes_of_polygons(const Geometry& geometry) {
    return geometry.polygon_boxes;
}

std::vector<Aabb> boxes_of_edges(const Geometry& geometry, std::span<const BoxTreeEdge> edges) {
    std::vector<Aabb> out;
    out.reserve(edges.size());
    for (const BoxTreeEdge& e : edges) {
        Aabb box;
        box.add(geometry.positions[e.vertices[0]]);
        box.add(geometry.positions[e.vertices[1]]);
        out.push_back(box);
    }
    return out;
}

}  // namespace claybox::collision
