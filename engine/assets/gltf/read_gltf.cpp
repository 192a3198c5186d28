// Reads the triangles of a glTF 2.0 file: all primitives of all meshes that the nodes of the scene show, with
// the transforms of the nodes. Points, lines, skins, morph targets and materials are skipped.

#include "engine/assets/gltf/gltf_file.hpp"
#include "engine/assets/readers.hpp"
#include "engine/assets/text_lines.hpp"

#include <array>
#include <cmath>
#include <map>

namespace claybox::engine {

using nlohmann::json;

namespace {

/// An affine map: column c of the linear part is [c], the translation is [3].
using Affine = std::array<std::array<double, 3>, 4>;
constexpr Affine kIdentity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}};

std::array<double, 3> transformed(const Affine& m, const std::array<double, 3>& p, double w) {
    std::array<double, 3> out{};
    for (std::size_t r = 0; r < 3; ++r)
        out[r] = m[0][r] * p[0] + m[1][r] * p[1] + m[2][r] * p[2] + m[3][r] * w;
    return out;
}

Affine product(const Affine& a, const Affine& b) {
    return {transformed(a, b[0], 0), transformed(a, b[1], 0), transformed(a, b[2], 0),
            transformed(a, b[3], 1)};
}

bool mirrors(const Affine& m) {
    const auto& [a, b, c, t] = m;
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]) <
           0;
}

template <std::size_t N>
std::array<double, N> numbers(const json& node, const char* member, std::array<double, N> standard,
                              const std::string& where) {
    if (!node.contains(member)) return standard;
    const json& list = array_member(node, member, where);
    std::array<double, N> out{};
    for (std::size_t i = 0; i < N; ++i) {
        if (list.size() != N || !list[i].is_number())
            throw GltfProblem(where + ": expected " + std::to_string(N) + " numbers in '" + member + "'");
        out[i] = list[i].get<double>();
        if (!(std::abs(out[i]) <= kMaxCoordinate))
            throw GltfProblem(where + ": a number in '" + member +
                              "' is not finite or above 2^60 in magnitude");
    }
    return out;
}

Affine transform_of(const json& node, const std::string& where) {
    if (node.contains("matrix")) {
        const auto m = numbers<16>(node, "matrix", {}, where);
        if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1)
            throw GltfProblem(where + ": the last row of 'matrix' is not 0 0 0 1");
        return {{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}}};
    }
    const auto t = numbers<3>(node, "translation", {}, where);
    const auto [x, y, z, w] = numbers<4>(node, "rotation", {0, 0, 0, 1}, where);
    const auto s = numbers<3>(node, "scale", {1, 1, 1}, where);
    const double square = x * x + y * y + z * z + w * w;
    if (!(std::abs(square - 1) < 1e-2)) throw GltfProblem(where + ": 'rotation' is not a unit quaternion");
    const double k = 2 / square;
    return {{{s[0] * (1 - k * (y * y + z * z)), s[0] * k * (x * y + z * w), s[0] * k * (x * z - y * w)},
             {s[1] * k * (x * y - z * w), s[1] * (1 - k * (x * x + z * z)), s[1] * k * (y * z + x * w)},
             {s[2] * k * (x * z + y * w), s[2] * k * (y * z - x * w), s[2] * (1 - k * (x * x + y * y))},
             t}};
}

class GltfReader {
  public:
    GltfReader(const GltfFile& file, FileMesh& mesh)
        : file_(file),
          mesh_(mesh),
          nodes_(array_member(file.root(), "nodes", "the file")),
          meshes_(array_member(file.root(), "meshes", "the file")),
          seen_(nodes_.size()) {}
    void read();

  private:
    struct Task {
        std::size_t node;
        Affine parent;
    };
    void push_children(const json& list, const Affine& parent, const std::string& where);
    void push_roots();
    void add_mesh(std::size_t number, const Affine& place);
    void add_primitive(const json& primitive, const Affine& place, const std::string& where);
    std::uint32_t add_positions(std::size_t accessor, const Affine& place);
    void add_triangle(std::uint32_t base, std::uint32_t a, std::uint32_t b, std::uint32_t c);

    const GltfFile& file_;
    FileMesh& mesh_;
    const json &nodes_, &meshes_;
    std::vector<bool> seen_;
    std::vector<Task> tasks_;
    std::map<std::size_t, std::uint32_t> base_of_;  ///< first vertex by accessor, within one shown mesh
    bool mirrored_ = false;
};

void GltfReader::push_children(const json& list, const Affine& parent, const std::string& where) {
    for (const json& child : list) {
        const json wrapped = {{"node", child}};
        const std::size_t node = *index_member(wrapped, "node", nodes_.size(), where);
        if (seen_[node])
            throw GltfProblem(where + ": node " + std::to_string(node) +
                              " appears twice, expected a tree of nodes");
        seen_[node] = true;
        tasks_.push_back({node, parent});
    }
}

/// The nodes of the first or chosen scene. A file without scenes shows all its nodes.
void GltfReader::push_roots() {
    const json& scenes = array_member(file_.root(), "scenes", "the file");
    if (!scenes.empty()) {
        const std::size_t number = index_member(file_.root(), "scene", scenes.size(), "the file").value_or(0);
        const std::string name = "scene " + std::to_string(number);
        return push_children(array_member(checked_object(scenes[number], name), "nodes", name), kIdentity,
                             name);
    }
    std::vector<bool> is_child(nodes_.size());
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        const std::string name = "node " + std::to_string(n);
        for (const json& child : array_member(checked_object(nodes_[n], name), "children", name)) {
            const json wrapped = {{"node", child}};
            is_child[*index_member(wrapped, "node", nodes_.size(), name)] = true;
        }
    }
    json roots = json::array();
    for (std::size_t n = 0; n < nodes_.size(); ++n)
        if (!is_child[n]) roots.push_back(n);
    push_children(roots, kIdentity, "the file");
}

void GltfReader::read() {
    mesh_.metres_per_unit = 1;
    push_roots();
    while (!tasks_.empty()) {
        const Task task = tasks_.back();
        tasks_.pop_back();
        const std::string name = "node " + std::to_string(task.node);
        const json& node = checked_object(nodes_[task.node], name);
        const Affine place = product(task.parent, transform_of(node, name));
        push_children(array_member(node, "children", name), place, name);
        if (const auto mesh = index_member(node, "mesh", meshes_.size(), name)) add_mesh(*mesh, place);
    }
    if (nodes_.empty())
        for (std::size_t m = 0; m < meshes_.size(); ++m) add_mesh(m, kIdentity);
}

void GltfReader::add_mesh(std::size_t number, const Affine& place) {
    const std::string name = "mesh " + std::to_string(number);
    base_of_.clear();
    mirrored_ = mirrors(place);
    std::size_t count = 0;
    for (const json& primitive : array_member(checked_object(meshes_[number], name), "primitives", name)) {
        const std::string where = name + ", primitive " + std::to_string(count++);
        add_primitive(checked_object(primitive, where), place, where);
    }
}

void GltfReader::add_primitive(const json& primitive, const Affine& place, const std::string& where) {
    enum : std::size_t { kTriangles = 4, kStrip = 5, kFan = 6 };
    const std::size_t accessors = array_member(file_.root(), "accessors", "the file").size();
    const std::size_t mode = whole_member(primitive, "mode", where).value_or(kTriangles);
    if (mode > kFan) throw GltfProblem(where + ": 'mode' is " + std::to_string(mode) + ", expected 0 to 6");
    const auto attributes = primitive.find("attributes");
    if (attributes == primitive.end()) throw GltfProblem(where + " has no 'attributes'");
    const auto positions = index_member(checked_object(*attributes, where), "POSITION", accessors, where);
    if (mode < kTriangles || !positions) return;
    const std::uint32_t base = add_positions(*positions, place);
    const std::size_t vertices = file_.positions(*positions).count;
    const auto indices = index_member(primitive, "indices", accessors, where);
    GltfArray list;
    if (indices) list = file_.indices(*indices);
    const std::size_t count = indices ? list.count : vertices;
    if (count < 3 || (mode == kTriangles && count % 3 != 0))
        throw GltfProblem(where + " has " + std::to_string(count) +
                          " corners, expected three for each triangle");
    if (mesh_.indices.size() + (mode == kTriangles ? count : 3 * (count - 2)) > kMaxMeshCorners)
        throw GltfProblem("too many triangles, expected at most " + std::to_string(kMaxMeshCorners / 3));
    const auto corner = [&](std::size_t i) {
        const std::uint32_t v = indices ? list.whole(i) : static_cast<std::uint32_t>(i);
        if (v >= vertices)
            throw GltfProblem(where + ": vertex index " + std::to_string(v) +
                              " is out of range, expected one of " + std::to_string(vertices));
        return v;
    };
    if (mode == kTriangles) {
        for (std::size_t i = 0; i < count; i += 3)
            add_triangle(base, corner(i), corner(i + 1), corner(i + 2));
        return;
    }
    for (std::size_t i = 0; i + 2 < count; ++i) {
        const bool odd = mode == kStrip && i % 2 != 0;
        const std::uint32_t a = corner(mode == kFan ? 0 : i), b = corner(i + 1), c = corner(i + 2);
        if (a == b || b == c || c == a) continue;  // strips use these to jump
        add_triangle(base, a, odd ? c : b, odd ? b : c);
    }
}

/// Appends the vertices of an accessor, once for each shown mesh. Returns the number of the first one.
std::uint32_t GltfReader::add_positions(std::size_t accessor, const Affine& place) {
    const auto known = base_of_.find(accessor);
    if (known != base_of_.end()) return known->second;
    const GltfArray list = file_.positions(accessor);
    const std::uint64_t base = vertex_count(mesh_);
    if (base + list.count > kMaxMeshVertices)
        throw GltfProblem("too many vertices, expected at most " + std::to_string(kMaxMeshVertices));
    const bool moved = place != kIdentity;  // the product would lose the sign of -0
    for (std::size_t i = 0; i < list.count; ++i) {
        const float x = list.real(i, 0), y = list.real(i, 1), z = list.real(i, 2);
        std::array<double, 3> p{x, y, z};
        if (moved) p = transformed(place, p, 1);
        for (const double coordinate : p) {
            if (!(std::abs(coordinate) <= kMaxCoordinate))
                throw GltfProblem("accessor " + std::to_string(accessor) + ": vertex " + std::to_string(i) +
                                  " has a coordinate that is not finite or above 2^60 in magnitude");
            mesh_.positions.push_back(static_cast<float>(coordinate));
        }
    }
    base_of_[accessor] = static_cast<std::uint32_t>(base);
    return static_cast<std::uint32_t>(base);
}

void GltfReader::add_triangle(std::uint32_t base, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (mirrored_) std::swap(b, c);  // the outside stays outside
    mesh_.indices.insert(mesh_.indices.end(), {base + a, base + b, base + c});
    mesh_.begin.push_back(static_cast<std::uint32_t>(mesh_.indices.size()));
}

}  // namespace

bool read_gltf(std::string bytes, const std::filesystem::path& folder, FileMesh& mesh, FileError& error) {
    try {
        const GltfFile file(std::move(bytes), folder);
        GltfReader(file, mesh).read();
    } catch (const GltfProblem& problem) {
        return fail(error, problem.line, problem.what());
    }
    return check_not_empty(mesh, error);
}

}  // namespace claybox::engine
