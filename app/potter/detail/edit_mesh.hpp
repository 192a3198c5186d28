#pragma once
// A triangle mesh whose edges can be split, collapsed and flipped. Each operation costs time proportional to
// the triangles around its vertices.

#include "app/potter/detail/clay_mesh.hpp"

#include <span>

namespace claybox::app {

/// The two triangles at an edge from `a` to `b`: `left` contains a, b, c in this order, `right` b, a, d.
struct EdgeSides {
    std::uint32_t a = 0, b = 0, c = 0, d = 0;
    std::uint32_t left = 0, right = 0;
};

/// Ids of vertices and triangles stay valid until take(). Operations keep a closed oriented manifold closed,
/// oriented and manifold. Thread contract: one thread.
class EditMesh {
  public:
    explicit EditMesh(ClayMesh mesh);

    const collision::Vec3f& position(std::uint32_t vertex) const { return mesh_.positions[vertex]; }
    void set_position(std::uint32_t vertex, const collision::Vec3f& p) { mesh_.positions[vertex] = p; }
    float mask(std::uint32_t vertex) const { return mesh_.mask[vertex]; }
    std::size_t vertex_count() const { return mesh_.positions.size(); }  ///< with removed ones
    std::size_t triangle_count() const { return live_triangles_; }       ///< without removed ones
    std::size_t triangle_slots() const { return mesh_.triangles.size(); }
    const std::array<std::uint32_t, 3>& triangle(std::uint32_t t) const { return mesh_.triangles[t]; }
    bool is_live(std::uint32_t t) const { return mesh_.triangles[t][0] != collision::kNoIndex; }
    /// The triangles around a vertex, in no particular order; empty for a removed vertex. Valid until the
    /// next operation.
    std::span<const std::uint32_t> fan(std::uint32_t vertex) const {
        return {pool_.data() + fans_[vertex].first, fans_[vertex].count};
    }
    /// Twice the area times the outward normal.
    collision::Vec3d area(std::uint32_t t) const;
    /// Area-weighted unit normal.
    collision::Vec3d normal(std::uint32_t vertex) const;
    /// The edge from `a` to `b`; false unless exactly one triangle has it in each direction.
    bool find_edge(std::uint32_t a, std::uint32_t b, EdgeSides& out) const;

    /// Inserts a vertex at `p` and returns it. Its mask is the mean of the ends. The two new triangles are
    /// the last ones.
    std::uint32_t split(const EdgeSides& edge, const collision::Vec3f& p);
    /// Whether the edge can become one vertex without changing what the surface is: its ends have only the
    /// two opposite vertices as common neighbours, and both of these keep at least three triangles.
    bool can_collapse(const EdgeSides& edge) const;
    /// Moves `b` to `p` and removes `a` and the two triangles. Needs can_collapse().
    void collapse(const EdgeSides& edge, const collision::Vec3f& p);
    /// Whether the edge can be replaced by the edge between the opposite vertices.
    bool can_flip(const EdgeSides& edge) const;
    void flip(const EdgeSides& edge);

    /// The mesh without removed items. The last items fill the gaps, so that most items keep their ids.
    ClayMesh take() &&;

  private:
    struct Fan {
        std::uint32_t first = 0, count = 0, capacity = 0;
    };
    void add_to_fan(std::uint32_t vertex, std::uint32_t triangle);
    void remove_from_fan(std::uint32_t vertex, std::uint32_t triangle);
    void remove_triangle(std::uint32_t t);
    std::uint32_t add_triangle(const std::array<std::uint32_t, 3>& corners);
    bool share_edge(std::uint32_t a, std::uint32_t b) const;

    ClayMesh mesh_;
    std::vector<Fan> fans_;
    std::vector<std::uint32_t> pool_;  ///< triangles of all fans; a fan that grows moves to the end
    std::size_t live_triangles_ = 0;
};

}  // namespace claybox::app
