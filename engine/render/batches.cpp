#include "engine/render/batches.hpp"

#include "engine/render/run_fill.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace claybox::engine {

namespace {

constexpr unsigned kDarkFloor = 0x38393D, kDarkPlinth = 0x515358;
constexpr float kOpaque = 0.999f;
constexpr unsigned kStageShift = 60;  // in a sort key
constexpr std::uint64_t kNotDrawn = ~std::uint64_t{0};

/// A sum is finite only if all its terms are.
bool is_finite(const glm::mat4& m) {
    const glm::vec4 sum = m[0] + m[1] + m[2] + m[3];
    return std::isfinite(sum.x + sum.y + sum.z);
}

bool is_mirrored(const Instance& instance) {
    return glm::determinant(glm::mat3(instance.world_from_local)) < 0;
}

Stage stage_of(const Instance& instance) {
    if (instance.material.surface == Surface::glass) return Stage::glass;
    return instance.opacity < kOpaque ? Stage::faded : Stage::opaque;
}

/// Sort key. Opaque instances: by surface, mesh and shadow; blended ones: far to near, with one draw call per
/// run of equal meshes.
std::uint64_t order_of(const Instance& instance, const glm::vec3& camera) {
    const Stage stage = stage_of(instance);
    const auto high = static_cast<std::uint64_t>(stage) << kStageShift;
    if (stage == Stage::opaque) {
        return high | static_cast<std::uint64_t>(instance.material.surface) << 52 |
               static_cast<std::uint64_t>(instance.mesh) << 4 | (is_mirrored(instance) ? 2u : 0u) |
               (instance.casts_shadow ? 0u : 1u);
    }
    const float distance = glm::length(glm::vec3(instance.world_from_local[3]) - camera);
    return high | static_cast<std::uint64_t>(~std::bit_cast<std::uint32_t>(distance));
}

glm::vec3 shown_albedo(const MaterialData& material, bool dark) {
    if (dark && material.surface == Surface::floor) return srgb_from_hex(kDarkFloor);
    if (dark && material.surface == Surface::plinth) return srgb_from_hex(kDarkPlinth);
    return material.albedo;
}

}  // namespace

const glm::vec3& AlbedoCache::linear(const glm::vec3& srgb) {
    const std::uint32_t mixed = std::bit_cast<std::uint32_t>(srgb.r) * 0x9E3779B1u ^
                                std::bit_cast<std::uint32_t>(srgb.g) * 0x85EBCA77u ^
                                std::bit_cast<std::uint32_t>(srgb.b) * 0xC2B2AE3Du;
    Entry& entry = entries_[mixed >> 25];
    if (entry.srgb != srgb) entry = {srgb, linear_from_srgb(srgb)};
    return entry.linear;
}

InstanceData material_instance_data(const MaterialData& material, float opacity, bool dark,
                                    AlbedoCache& albedos) {
    InstanceData data{};
    data.albedo_emission = glm::vec4(albedos.linear(shown_albedo(material, dark)), material.emission);
    const float third = material.surface == Surface::clay ? material.wetness : material.grid;
    const float first = material.surface == Surface::clay ? material.thin_below : material.spec;
    data.params = glm::vec4(first, std::max(1.0f, material.gloss), third, std::min(1.0f, opacity));
    data.edge_alpha = material.edge_alpha;
    data.edge_rgb = static_cast<float>(material.edge_rgb & 0xffffffu);  // 24 bits fit into a float exactly
    return data;
}

void Batches::append(const Instance& instance, std::uint32_t own, bool dark) {
    InstanceData& data = allocate(1)[0];
    data = material_instance_data(instance.material, instance.opacity, dark, albedos_);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column)
            data.rows[row][column] = instance.world_from_local[column][row];
    data.tags[0] = own;
    data.tags[1] = instance.pick;
}

std::span<InstanceData> Batches::allocate(std::size_t count) {
    if (used_ + count > data_.size()) data_.resize(std::max(used_ + count, 2 * data_.size()));
    used_ += count;
    return std::span(data_).subspan(used_ - count, count);
}

void Batches::sort(const RenderList& list, MeshStore& meshes) {
    // Most bodies keep their place from picture to picture, so the keys start in the last order.
    if (keys_.size() != list.instances.size()) {
        keys_.resize(list.instances.size());
        for (std::size_t i = 0; i < keys_.size(); ++i) keys_[i].index = static_cast<std::uint32_t>(i);
    }
    for (Key& key : keys_) {
        const Instance& instance = list.instances[key.index];
        const Mesh* mesh = meshes.find(instance.mesh);
        const bool drawn = mesh != nullptr && mesh->index_count > 0 && instance.opacity > 0 &&
                           is_finite(instance.world_from_local);
        key.order = drawn ? order_of(instance, list.camera.position) : kNotDrawn;
    }
    const auto before = [](const Key& a, const Key& b) {
        return a.order != b.order ? a.order < b.order : a.index < b.index;
    };
    if (!std::is_sorted(keys_.begin(), keys_.end(), before)) std::sort(keys_.begin(), keys_.end(), before);
}

/// All bodies of a run cast shadows, including those outside the view.
void Batches::append_run(const InstanceRun& run, MeshStore& meshes, bool dark, const ViewVolume& volume) {
    Mesh* mesh = meshes.find(run.mesh);
    const std::size_t count =
        std::min({run.positions.size() / 3, run.rotations.size() / 4, run.material.size()});
    if (mesh == nullptr || mesh->index_count == 0 || count == 0 || run.materials.empty()) return;
    if (material_source_ != run.materials.data() || material_data_.size() != run.materials.size()) {
        material_data_.clear();
        for (const MaterialData& material : run.materials)
            material_data_.push_back(material_instance_data(material, 1, dark, albedos_));
        material_source_ = run.materials.data();
    }
    const std::size_t first = used_;
    const RunFill fill = fill_run(run, material_data_, volume, allocate(count));
    // Small bodies get no outline: their edges would be thinner than a pixel.
    constexpr float kMinOutlinedRadius = 4;  // radius in pixels
    const bool edges = run.materials[0].edge_alpha > 0 && fill.largest >= kMinOutlinedRadius;
    batches_.push_back(
        {Stage::opaque, run.materials[0].surface, mesh, first, fill.visible, count, false, edges});
}

bool Batches::share_batch(const Key& a, const Key& b, const RenderList& list) {
    constexpr std::uint64_t kShadowBit = 1;
    if (a.order >> kStageShift != b.order >> kStageShift) return false;
    if (a.order >> kStageShift == static_cast<std::uint64_t>(Stage::opaque))
        return (a.order | kShadowBit) == (b.order | kShadowBit);
    const Instance &x = list.instances[a.index], &y = list.instances[b.index];
    return x.mesh == y.mesh && x.material.surface == y.material.surface && is_mirrored(x) == is_mirrored(y);
}

void Batches::build(const RenderList& list, MeshStore& meshes, const Occluders& occluders,
                    const ViewVolume& volume) {
    used_ = 0;
    material_source_ = nullptr;
    batches_.clear();
    sort(list, meshes);
    const Key* last = nullptr;
    for (const Key& key : keys_) {
        if (key.order == kNotDrawn) break;  // they come last
        const Instance& instance = list.instances[key.index];
        if (last == nullptr || !share_batch(*last, key, list))
            batches_.push_back({stage_of(instance), instance.material.surface, meshes.find(instance.mesh),
                                used_, 0, 0, is_mirrored(instance), false});
        last = &key;
        Batch& batch = batches_.back();
        ++batch.count;
        if (instance.casts_shadow && batch.stage == Stage::opaque) ++batch.casters;
        batch.edges = batch.edges || instance.material.edge_alpha > 0;
        append(instance, occluders.own(key.index), list.light.dark_theme);
    }
    for (const InstanceRun& run : list.runs) append_run(run, meshes, list.light.dark_theme, volume);
    buffer_.upload(GL_ARRAY_BUFFER, data_.data(), used_ * sizeof(InstanceData));
}

bool Batches::has_casters() const {
    return std::any_of(batches_.begin(), batches_.end(), [](const Batch& b) { return b.casters > 0; });
}

void Batches::bind_attributes(const Batch& batch, GLuint divisor) const {
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.id());
    const std::size_t base = batch.first * sizeof(InstanceData);
    constexpr std::size_t kStride = sizeof(InstanceData);
    for (GLuint row = 0; row < 3; ++row)
        set_attribute(3 + row, 4, kStride, base + offsetof(InstanceData, rows) + row * sizeof(glm::vec4),
                      divisor);
    set_attribute(6, 4, kStride, base + offsetof(InstanceData, albedo_emission), divisor);
    set_attribute(7, 4, kStride, base + offsetof(InstanceData, params), divisor);
    glEnableVertexAttribArray(8);
    glVertexAttribIPointer(8, 2, GL_UNSIGNED_INT, static_cast<GLsizei>(kStride),
                           reinterpret_cast<const void*>(base + offsetof(InstanceData, tags)));
    glVertexAttribDivisor(8, divisor);
    set_attribute(9, 2, kStride, base + offsetof(InstanceData, edge_alpha), divisor);
}

}  // namespace claybox::engine
