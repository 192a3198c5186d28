#include "collision/pairwise/box_tree/body.hpp"

namespace claybox::collision {

namespace {

/// A tree of polygons and edges together; leaves list them separately.
BoxTree combined_tree(std::span<const Aabb> polygons, std::span<const Aabb> edges,
                      const BoxTreeOptions& options) {
    std::vector<Aabb> all(polygons.begin(), polygons.end());
    all.insert(all.end(), edges.begin(), edges.end());
    BoxTree tree = build_box_tree(all, options);
    const auto count = static_cast<std::uint32_t>(polygons.size());
    std::vector<std::uint32_t> items;
    for (BoxTreeLeaf& leaf : tree.leaves) {
        BoxTreeLeaf apart;
        apart.begin = static_cast<std::uint32_t>(items.size());
        apart.inserted_begin = static_cast<std::uint32_t>(tree.inserted.size());
        for (std::uint32_t i = leaf.begin; i < leaf.end; ++i) {
            const std::uint32_t item = tree.items[i];
            if (item < count)
                items.push_back(item);
            else
                tree.inserted.push_back(item - count);
        }
        apart.end = static_cast<std::uint32_t>(items.size());
        apart.inserted_end = static_cast<std::uint32_t>(tree.inserted.size());
        leaf = apart;
    }
    tree.items = std::move(items);
    return tree;
}

}  // namespace

double BodyTrees::pointers_per_polygon(const Geometry& geometry) const {
    const auto count = static_cast<double>(geometry.topology->polygon_count());
    return count > 0 ? static_cast<double>(faces.items.size()) / count : 0;
}

double BodyTrees::pointers_per_edge() const {
    const auto pointers = static_cast<double>(separate ? edges.items.size() : faces.inserted.size());
    return edge_list.empty() ? 0 : pointers / static_cast<double>(edge_list.size());
}

std::size_t BodyTrees::memory_bytes() const {
    return sizeof *this + edge_list.capacity() * sizeof(BoxTreeEdge) +
           (polygon_boxes.capacity() + edge_boxes.capacity()) * sizeof(Aabb) + faces.memory_bytes() +
           edges.memory_bytes();
}

namespace {

std::vector<Aabb> in_order_of(std::span<const std::uint32_t> pointers, std::span<const Aabb> boxes) {
    std::vector<Aabb> out;
    out.reserve(pointers.size());
    for (const std::uint32_t i : pointers) out.push_back(boxes[i]);
    return out;
}

void bound_leaves(BoxTree& tree, std::span<const Aabb> items, std::span<const Aabb> inserted) {
    for (BoxTreeLeaf& leaf : tree.leaves) {
        for (std::uint32_t i = leaf.begin; i < leaf.end; ++i) leaf.content.add(items[i]);
        for (std::uint32_t i = leaf.inserted_begin; i < leaf.inserted_end; ++i) leaf.content.add(inserted[i]);
    }
}

}  // namespace

std::shared_ptr<const BodyTrees> make_body_trees(const Geometry& geometry, const BodyTreesOptions& options) {
    auto out = std::make_shared<BodyTrees>();
    out->edge_list = edges_for_box_tree(*geometry.topology, options.diagonals);
    const auto polygons = boxes_of_polygons(geometry);
    const std::vector<Aabb> edges = boxes_of_edges(geometry, out->edge_list);
    out->separate = options.kind == BodyTreesKind::separate;
    if (options.kind == BodyTreesKind::combined) {
        out->faces = combined_tree(polygons, edges, options.options);
    } else {
        out->faces = build_box_tree(polygons, options.options);
        if (out->separate)
            out->edges = build_box_tree(edges, options.options);
        else
            insert_boxes(out->faces, edges);
    }
    out->polygon_boxes = in_order_of(out->faces.items, polygons);
    out->edge_boxes = in_order_of(out->separate ? out->edges.items : out->faces.inserted, edges);
    bound_leaves(out->faces, out->polygon_boxes, out->edge_boxes);
    bound_leaves(out->edges, out->edge_boxes, {});
    return out;
}

}  // namespace claybox::collision
