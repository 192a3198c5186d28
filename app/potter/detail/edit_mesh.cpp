#include "app/potter/detail/edit_mesh.hpp"

#include "collision/core/assert.hpp"

#include <algorithm>

namespace claybox::app {

using collision::kNoIndex;
using collision::Vec3d;
using collision::Vec3f;

namespace {

bool has(const std::array<std::uint32_t, 3>& t, std::uint32_t v) {
    return t[0] == v || t[1] == v || t[2] == v;
}

/// The corner after `v` in the triangle.
std::uint32_t after(const std::array<std::uint32_t, 3>& t, std::uint32_t v) {
    return t[0] == v ? t[1] : t[1] == v ? t[2] : t[0];
}

void replace(std::array<std::uint32_t, 3>& t, std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t& v : t)
        if (v == from) v = to;
}

}  // namespace

EditMesh::EditMesh(ClayMesh mesh) : mesh_(std::move(mesh)), fans_(mesh_.positions.size()) {
    live_triangles_ = mesh_.triangles.size();
    for (const auto& t : mesh_.triangles)
        for (const std::uint32_t v : t) ++fans_[v].capacity;
    std::uint32_t next = 0;
    for (Fan& fan : fans_) {
        fan.first = next;
        next += fan.capacity;
    }
    pool_.resize(next);
    for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t) {
        for (const std::uint32_t v : mesh_.triangles[t]) {
            Fan& fan = fans_[v];
            pool_[fan.first + fan.count++] = t;
        }
    }
}

Vec3d EditMesh::area(std::uint32_t t) const {
    const auto& [a, b, c] = mesh_.triangles[t];
    const Vec3d p = collision::cast<double>(position(a));
    return cross(collision::cast<double>(position(b)) - p, collision::cast<double>(position(c)) - p);
}

Vec3d EditMesh::normal(std::uint32_t vertex) const {
    Vec3d sum;
    for (const std::uint32_t t : fan(vertex)) sum += area(t);
    return normalized(sum, Vec3d{0, 1, 0});
}

bool EditMesh::find_edge(std::uint32_t a, std::uint32_t b, EdgeSides& out) const {
    int left = 0, right = 0;
    for (const std::uint32_t t : fan(a)) {
        const auto& corners = mesh_.triangles[t];
        if (!has(corners, b)) continue;
        if (after(corners, a) == b) {
            out.left = t;
            out.c = after(corners, b);
            ++left;
        } else {
            out.right = t;
            out.d = after(corners, a);
            ++right;
        }
    }
    out.a = a;
    out.b = b;
    return left == 1 && right == 1 && out.c != out.d;
}

bool EditMesh::share_edge(std::uint32_t a, std::uint32_t b) const {
    return std::any_of(fan(a).begin(), fan(a).end(),
                       [&](std::uint32_t t) { return has(mesh_.triangles[t], b); });
}

void EditMesh::add_to_fan(std::uint32_t vertex, std::uint32_t triangle) {
    Fan& fan = fans_[vertex];
    if (fan.count == fan.capacity) {
        const auto first = static_cast<std::uint32_t>(pool_.size());
        fan.capacity = std::max(8u, 2 * fan.capacity);
        pool_.resize(pool_.size() + fan.capacity);
        std::copy_n(pool_.begin() + fan.first, fan.count, pool_.begin() + first);
        fan.first = first;
    }
    pool_[fan.first + fan.count++] = triangle;
}

void EditMesh::remove_from_fan(std::uint32_t vertex, std::uint32_t triangle) {
    Fan& fan = fans_[vertex];
    for (std::uint32_t i = 0; i < fan.count; ++i) {
        if (pool_[fan.first + i] != triangle) continue;
        pool_[fan.first + i] = pool_[fan.first + --fan.count];
        return;
    }
}

void EditMesh::remove_triangle(std::uint32_t t) {
    for (const std::uint32_t v : mesh_.triangles[t]) remove_from_fan(v, t);
    mesh_.triangles[t] = {kNoIndex, kNoIndex, kNoIndex};
    --live_triangles_;
}

std::uint32_t EditMesh::add_triangle(const std::array<std::uint32_t, 3>& corners) {
    const auto t = static_cast<std::uint32_t>(mesh_.triangles.size());
    mesh_.triangles.push_back(corners);
    for (const std::uint32_t v : corners) add_to_fan(v, t);
    ++live_triangles_;
    return t;
}

std::uint32_t EditMesh::split(const EdgeSides& edge, const Vec3f& p) {
    const auto m = static_cast<std::uint32_t>(mesh_.positions.size());
    mesh_.positions.push_back(p);
    mesh_.mask.push_back((mesh_.mask[edge.a] + mesh_.mask[edge.b]) / 2);
    fans_.push_back({});
    for (const std::uint32_t t : {edge.left, edge.right}) {
        replace(mesh_.triangles[t], edge.b, m);
        remove_from_fan(edge.b, t);
        add_to_fan(m, t);
    }
    add_triangle({m, edge.b, edge.c});
    add_triangle({edge.b, m, edge.d});
    return m;
}

bool EditMesh::can_collapse(const EdgeSides& edge) const {
    if (fan(edge.c).size() <= 3 || fan(edge.d).size() <= 3) return false;
    for (const std::uint32_t t : fan(edge.a)) {
        for (const std::uint32_t v : mesh_.triangles[t]) {
            if (v == edge.a || v == edge.b || v == edge.c || v == edge.d) continue;
            if (share_edge(v, edge.b)) return false;
        }
    }
    // A tetrahedron would become two triangles back to back.
    return fan(edge.a).size() + fan(edge.b).size() > 7;
}

void EditMesh::collapse(const EdgeSides& edge, const Vec3f& p) {
    remove_triangle(edge.left);
    remove_triangle(edge.right);
    mesh_.positions[edge.b] = p;
    mesh_.mask[edge.b] = (mesh_.mask[edge.a] + mesh_.mask[edge.b]) / 2;
    while (fans_[edge.a].count > 0) {
        const std::uint32_t t = pool_[fans_[edge.a].first];
        replace(mesh_.triangles[t], edge.a, edge.b);
        remove_from_fan(edge.a, t);
        add_to_fan(edge.b, t);
    }
}

bool EditMesh::can_flip(const EdgeSides& edge) const {
    return fan(edge.a).size() > 3 && fan(edge.b).size() > 3 && !share_edge(edge.c, edge.d);
}

void EditMesh::flip(const EdgeSides& edge) {
    // a b c and b a d become c d b and d c a.
    replace(mesh_.triangles[edge.left], edge.a, edge.d);
    remove_from_fan(edge.a, edge.left);
    add_to_fan(edge.d, edge.left);
    replace(mesh_.triangles[edge.right], edge.b, edge.c);
    remove_from_fan(edge.b, edge.right);
    add_to_fan(edge.c, edge.right);
}

ClayMesh EditMesh::take() && {
    std::vector<std::uint32_t> new_id(mesh_.positions.size());
    for (std::uint32_t v = 0; v < new_id.size(); ++v) new_id[v] = v;
    auto vertices = static_cast<std::uint32_t>(mesh_.positions.size());
    for (std::uint32_t v = 0; v < vertices; ++v) {
        if (fans_[v].count > 0) continue;
        while (vertices > v + 1 && fans_[vertices - 1].count == 0) --vertices;
        --vertices;
        if (vertices == v) break;
        mesh_.positions[v] = mesh_.positions[vertices];
        mesh_.mask[v] = mesh_.mask[vertices];
        new_id[vertices] = v;
    }
    mesh_.positions.resize(vertices);
    mesh_.mask.resize(vertices);
    auto triangles = static_cast<std::uint32_t>(mesh_.triangles.size());
    for (std::uint32_t t = 0; t < triangles; ++t) {
        if (is_live(t)) continue;
        while (triangles > t + 1 && !is_live(triangles - 1)) --triangles;
        --triangles;
        if (triangles == t) break;
        mesh_.triangles[t] = mesh_.triangles[triangles];
    }
    mesh_.triangles.resize(triangles);
    for (auto& t : mesh_.triangles)
        for (std::uint32_t& v : t) v = new_id[v];
    return std::move(mesh_);
}

}  // namespace claybox::app
