#include "app/cli/commands/query_shapes.hpp"

#include "app/cli/files/mesh_import.hpp"
#include "engine/files/path_text.hpp"

#include <cstring>
#include <string_view>

namespace claybox::app {

using namespace collision;

const Prepared* PreparedShape::prepare(Prepare function) {
    if (function == nullptr) return nullptr;
    auto& made = prepared[function];
    if (!made) {
        made = function(*shape, shape->geometry());
        if (made) bytes += made->memory_bytes();
    }
    return made.get();
}

Result<PreparedShape*> MeshCache::find(const std::string& name) {
    auto at = shapes_.find(name);
    if (at == shapes_.end()) at = shapes_.emplace(name, load(name)).first;
    if (!at->second) return at->second.error();
    return &at->second.value();
}

void MeshCache::limit() {
    std::size_t bytes = 0;
    for (const auto& [name, mesh] : shapes_)
        if (mesh) bytes += mesh.value().bytes;
    if (shapes_.size() >= kMaxMeshes || bytes > max_bytes_) shapes_.clear();
}

Result<PreparedShape> MeshCache::load(const std::string& name) const {
    std::error_code code;
    const std::filesystem::path mesh = engine::path_of(name);
    for (const std::filesystem::path& file : {folder_ / mesh, folder_ / "meshes" / mesh}) {
        if (!std::filesystem::exists(file, code)) continue;
        const Result<PolygonList> polygons = import_polygons(file);
        if (!polygons) return polygons.error();
        const Result<ShapePtr> shape = Shape::from_polygons(polygons.value(), name);
        if (!shape) return Error{shape.error().message, engine::text_of(file), 0};
        return PreparedShape{shape.value(), {}, shape.value()->memory_bytes(), true};
    }
    return Error{
        "the mesh \"" + name + "\" is neither in the query file's folder nor in meshes/ below it", {}, 0};
}

static_assert(sizeof(Vec3f) == 3 * sizeof(float), "the bytes of points are compared");

std::size_t HullCache::Hash::operator()(View points) const {
    const auto* bytes = reinterpret_cast<const char*>(points.data());
    return std::hash<std::string_view>()({bytes, points.size() * sizeof points[0]});
}

bool HullCache::Same::operator()(View a, View b) const {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

Result<HullCache::Entry*> HullCache::entry_of(View points) {
    auto at = hulls_.find(points);
    if (at == hulls_.end()) {
        Result<ShapePtr> hull = Shape::from_hull(points);
        if (!hull) return hull.error();
        const std::size_t bytes = hull.value()->memory_bytes() + points.size_bytes();
        Points key(points.begin(), points.end());
        at = hulls_.emplace(std::move(key), Entry{{std::move(hull).value(), {}, bytes}, 0}).first;
    }
    used_.push_back(&at->second);
    return &at->second;
}

Result<PreparedShape*> HullCache::find(View points) {
    const Result<Entry*> entry = entry_of(points);
    if (!entry) return entry.error();
    return &entry.value()->hull;
}

Result<PreparedShape*> HullCache::find(View points, std::string_view text) {
    const Result<Entry*> entry = entry_of(points);
    if (!entry) return entry.error();
    if (by_text_.emplace(text, entry.value()).second) bytes_ += sizeof(std::string) + text.size();
    return &entry.value()->hull;
}

PreparedShape* HullCache::find(std::string_view text) {
    const auto at = by_text_.find(text);
    if (at == by_text_.end()) return nullptr;
    used_.push_back(at->second);
    return &at->second->hull;
}

void HullCache::limit() {
    for (Entry* entry : used_) {
        bytes_ += entry->hull.bytes - entry->counted;
        entry->counted = entry->hull.bytes;
    }
    used_.clear();
    if (by_text_.size() < max_hulls_ && hulls_.size() < max_hulls_ && bytes_ < kMaxBytes) return;
    by_text_.clear();
    hulls_.clear();
    bytes_ = 0;
}

}  // namespace claybox::app
