#include "app/session/history/mesh_history.hpp"

#include "collision/geometry/polyhedron.hpp"

#include <algorithm>
#include <bit>

namespace claybox::app {

using collision::Vec3f;

namespace {

/// Calls `visit(float&...)` for the numbers of a vertex in two meshes with the same arrays.
template <class A, class B, class Visit>
void visit_numbers(A& a, B& b, std::size_t v, Visit&& visit) {
    const auto vectors = [&](auto& x, auto& y) {
        if (y.empty()) return;
        visit(x[v].x, y[v].x);
        visit(x[v].y, y[v].y);
        visit(x[v].z, y[v].z);
    };
    vectors(a.positions, b.positions);
    vectors(a.normals, b.normals);
    if (!b.cavity.empty()) visit(a.cavity[v], b.cavity[v]);
    if (!b.thickness.empty()) visit(a.thickness[v], b.thickness[v]);
}

std::size_t numbers_of(const MeshArrays& m) {
    return (m.positions.empty() ? 0u : 3u) + (m.normals.empty() ? 0u : 3u) + (m.cavity.empty() ? 0u : 1u) +
           (m.thickness.empty() ? 0u : 1u);
}

/// The arrays of the scene, under the names of MeshArrays.
struct SceneArrays {
    const std::vector<Vec3f>&positions, &normals;
    const std::vector<float>&cavity, &thickness;
};

SceneArrays arrays_of(const ViewMesh& mesh) {
    static const std::vector<Vec3f> kNoVectors;
    static const std::vector<float> kNoNumbers;
    return {*mesh.positions, mesh.normals ? *mesh.normals : kNoVectors,
            mesh.cavity ? *mesh.cavity : kNoNumbers, mesh.thickness ? *mesh.thickness : kNoNumbers};
}

std::uint32_t difference(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) ^ std::bit_cast<std::uint32_t>(b);
}

/// Appends the differences of vertices [first, end) and makes `kept` equal to `now`.
void add_differences(const SceneArrays& now, std::size_t first, std::size_t end, MeshArrays& kept,
                     std::vector<std::uint32_t>& bits) {
    for (std::size_t v = first; v < end; ++v) {
        const std::size_t start = bits.size();
        std::uint32_t any = 0;
        bits.push_back(static_cast<std::uint32_t>(v));
        visit_numbers(now, kept, v, [&](float to, float& from) {
            bits.push_back(difference(from, to));
            any |= bits.back();
            from = to;
        });
        if (any == 0) bits.resize(start);
    }
}

/// Adds the differences to the mesh. Calls `visit(vertex)` for each changed vertex.
template <class Visit>
void flip(const std::vector<std::uint32_t>& bits, MeshArrays& mesh, Visit&& visit) {
    const std::size_t stride = 1 + numbers_of(mesh);
    for (std::size_t at = 0; at + stride <= bits.size(); at += stride) {
        const std::uint32_t* next = &bits[at + 1];
        visit_numbers(mesh, mesh, bits[at], [&](float& number, float&) {
            number = std::bit_cast<float>(std::bit_cast<std::uint32_t>(number) ^ *next++);
        });
        visit(bits[at]);
    }
}

bool same_kind(const ViewMesh& x, const ViewMesh& y) {
    return x.topology == y.topology && x.id == y.id && x.smooth == y.smooth && x.wire == y.wire &&
           x.run == y.run && (x.normals == nullptr) == (y.normals == nullptr) &&
           (x.cavity == nullptr) == (y.cavity == nullptr) &&
           (x.thickness == nullptr) == (y.thickness == nullptr) &&
           (x.run_versions == nullptr) == (y.run_versions == nullptr);
}

/// Whether differences of single vertices tell all.
bool same_arrays(const SceneArrays& a, const MeshArrays& b) {
    return a.positions.size() == b.positions.size() && a.normals.size() == b.normals.size() &&
           a.cavity.size() == b.cavity.size() && a.thickness.size() == b.thickness.size();
}

template <class T>
std::size_t array_bytes(const std::vector<T>& all) {
    return all.capacity() * sizeof(T);
}

template <class Meshes>
bool has_mesh(const Meshes& meshes, std::uint64_t id) {
    return std::any_of(meshes.begin(), meshes.end(), [&](const ViewMesh& m) { return m.id == id; });
}

std::shared_ptr<const MeshLoops> loops_of(const std::shared_ptr<const collision::Topology>& topology) {
    auto out = std::make_shared<MeshLoops>();
    *out = {topology, topology->polygon_begin, topology->origin};
    return out;
}

/// Triangles around the first corner of each polygon.
std::shared_ptr<const collision::Topology> fans_of(const MeshLoops& loops, std::size_t vertices) {
    collision::Topology out;
    out.vertex_count = static_cast<std::uint32_t>(vertices);
    out.polygon_begin = loops.begin;
    out.origin = loops.origin;
    collision::connect(out);
    for (std::uint32_t p = 0; p < out.polygon_count(); ++p) {
        const auto loop = out.loop(p);
        for (std::size_t i = 2; i < loop.size(); ++i) {
            collision::Triangle triangle;
            triangle.vertices[0] = loop[0];
            triangle.vertices[1] = loop[i - 1];
            triangle.vertices[2] = loop[i];
            triangle.polygon = p;
            out.triangles.push_back(triangle);
        }
        out.triangle_begin.push_back(static_cast<std::uint32_t>(out.triangles.size()));
    }
    return std::make_shared<const collision::Topology>(std::move(out));
}

/// The topology of the scene, or one with the same polygons.
std::shared_ptr<const collision::Topology> topology_of(const MeshLoops& loops,
                                                       const std::vector<Vec3f>& positions) {
    if (auto alive = loops.topology.lock()) return alive;
    collision::PolygonList polygons;
    polygons.positions = positions;
    for (std::size_t p = 0; p + 1 < loops.begin.size(); ++p)
        polygons.add_polygon({&loops.origin[loops.begin[p]], &loops.origin[0] + loops.begin[p + 1]});
    auto built = collision::build_polyhedron(polygons);
    // Vertices at the same place would be merged.
    if (!built.ok() || built.value().positions.size() != positions.size())
        return fans_of(loops, positions.size());
    return std::move(built).value().topology;
}

}  // namespace

std::size_t MeshArrays::bytes() const {
    return array_bytes(positions) + array_bytes(normals) + array_bytes(cavity) + array_bytes(thickness);
}

std::size_t MeshChange::bytes() const {
    return sizeof(*this) + array_bytes(bits) + before.bytes();
}

void MeshFollower::clear() {
    list_.reset();
    newest_.clear();
    arrays_.clear();
    versions_.clear();
}

void MeshFollower::follow(const ViewMesh& mesh, std::vector<MeshChange>& changes) {
    const auto [entry, fresh] = versions_.try_emplace(mesh.id);
    Version& version = entry->second;
    MeshArrays& kept = arrays_[mesh.id];
    const SceneArrays now = arrays_of(mesh);
    const bool same = !fresh && same_arrays(now, kept);
    if (same && version.version == mesh.version && version.thickness_version == mesh.thickness_version)
        return;
    MeshChange change;
    change.mesh = mesh.id;
    if (!same) {
        change.other_arrays = list_ != nullptr;  // no frame is before the first one
        change.before = std::move(kept);
        kept = {now.positions, now.normals, now.cavity, now.thickness};
    } else if (!mesh.run_versions) {
        add_differences(now, 0, now.positions.size(), kept, change.bits);
    } else {
        for (std::size_t run = 0; run < mesh.run_versions->size(); ++run) {
            const bool newer =
                (*mesh.run_versions)[run] > version.version ||
                (mesh.thickness_runs && (*mesh.thickness_runs)[run] > version.thickness_version);
            const std::size_t end = std::min((run + 1) * mesh.run, now.positions.size());
            if (newer) add_differences(now, run * mesh.run, end, kept, change.bits);
        }
    }
    version = {mesh.version, mesh.thickness_version};
    change.bits.shrink_to_fit();
    if (change.other_arrays || !change.bits.empty()) changes.push_back(std::move(change));
}

void MeshFollower::follow_list(const std::vector<ViewMesh>& meshes, PastMeshes& out) {
    if (list_ && std::equal(newest_.begin(), newest_.end(), meshes.begin(), meshes.end(), same_kind)) {
        out.list = list_;
        return;
    }
    auto list = std::make_shared<std::vector<PastMesh>>();
    for (const ViewMesh& mesh : meshes) {
        PastMesh past{mesh, nullptr};
        past.mesh.topology = nullptr;
        for (std::size_t i = 0; list_ && i < newest_.size(); ++i)
            if (newest_[i].id == mesh.id && newest_[i].topology == mesh.topology)
                past.loops = (*list_)[i].loops;
        if (!past.loops) {
            past.loops = loops_of(mesh.topology);
            out.bytes += array_bytes(past.loops->begin) + array_bytes(past.loops->origin);
        }
        list->push_back(std::move(past));
    }
    out.bytes += array_bytes(*list);
    list_ = std::move(list);
    newest_ = meshes;
    out.list = list_;
}

PastMeshes MeshFollower::next(const std::vector<ViewMesh>& meshes) {
    PastMeshes out;
    for (const ViewMesh& mesh : meshes) follow(mesh, out.changes);
    follow_list(meshes, out);
    for (auto it = arrays_.begin(); it != arrays_.end();) {
        if (has_mesh(meshes, it->first)) {
            ++it;
            continue;
        }
        out.changes.push_back({it->first, {}, true, std::move(it->second)});
        versions_.erase(it->first);
        it = arrays_.erase(it);
    }
    for (const MeshChange& change : out.changes) out.bytes += change.bytes();
    return out;
}

void MeshFollower::take_back(const PastMeshes& newest, const PastMeshes& before) {
    for (const MeshChange& change : newest.changes) {
        if (!change.other_arrays)
            flip(change.bits, arrays_[change.mesh], [](std::uint32_t) {});
        else if (!change.before.positions.empty())
            arrays_[change.mesh] = change.before;
        else
            arrays_.erase(change.mesh);
    }
    list_ = before.list;
    newest_.clear();  // the next frame makes a list of its own
    versions_.clear();
    for (const PastMesh& past : *list_) versions_[past.mesh.id] = {};  // compare everything once
}

void ShownMeshes::clear() {
    shown_.clear();
    meshes_.clear();
    replaced_.clear();
}

void ShownMeshes::start(const std::map<std::uint64_t, MeshArrays>& arrays, const PastMeshes& newest) {
    clear();
    for (const auto& [id, kept] : arrays) shown_[id] = {kept, {}, ++version_, nullptr, nullptr};
    describe(newest);
}

void ShownMeshes::flip_bits(const MeshChange& change) {
    Shown& shown = shown_[change.mesh];
    const auto mesh =
        std::find_if(meshes_.begin(), meshes_.end(), [&](const ViewMesh& m) { return m.id == change.mesh; });
    const std::size_t run = mesh == meshes_.end() || shown.run_versions.empty() ? 0 : mesh->run;
    shown.version = ++version_;
    flip(change.bits, shown.arrays, [&](std::uint32_t v) {
        if (run > 0) shown.run_versions[v / run] = version_;
    });
}

void ShownMeshes::step_back(const PastMeshes& from, const PastMeshes& to) {
    for (const MeshChange& change : from.changes) {
        if (!change.other_arrays) {
            flip_bits(change);
            continue;
        }
        replaced_.push_back(std::move(shown_[change.mesh].arrays));
        shown_[change.mesh] = {change.before, {}, ++version_, nullptr, nullptr};
    }
    describe(to);
}

void ShownMeshes::step_on(const PastMeshes& to) {
    for (auto change = to.changes.rbegin(); change != to.changes.rend(); ++change) {
        if (!change->other_arrays) {
            flip_bits(*change);
            continue;
        }
        shown_[change->mesh] = {std::move(replaced_.back()), {}, ++version_, nullptr, nullptr};
        replaced_.pop_back();
    }
    describe(to);
}

/// The meshes of the frame with the shown arrays.
void ShownMeshes::describe(const PastMeshes& frame) {
    meshes_.clear();
    for (const PastMesh& past : *frame.list) {
        Shown& shown = shown_[past.mesh.id];
        const MeshArrays& arrays = shown.arrays;
        ViewMesh mesh = past.mesh;
        if (shown.loops != past.loops) {
            shown.loops = past.loops;
            shown.topology = topology_of(*past.loops, arrays.positions);
        }
        mesh.topology = shown.topology;
        if (mesh.run_versions) {
            const std::size_t runs = (arrays.positions.size() + mesh.run - 1) / mesh.run;
            shown.run_versions.resize(runs, shown.version);
            mesh.run_versions = &shown.run_versions;
        }
        mesh.positions = &arrays.positions;
        if (mesh.normals) mesh.normals = &arrays.normals;
        if (mesh.cavity) mesh.cavity = &arrays.cavity;
        if (mesh.thickness) mesh.thickness = &arrays.thickness;
        if (mesh.thickness) mesh.thickness_runs = &shown.run_versions;
        mesh.version = mesh.thickness_version = shown.version;
        meshes_.push_back(std::move(mesh));
    }
}

}  // namespace claybox::app
