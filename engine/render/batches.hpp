#pragma once
// Sorts instances into draw calls: one per stage, surface and mesh.

#include "engine/render/frame.hpp"
#include "engine/render/meshes.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::engine {

/// Layout of the attributes 3 to 9 in shaders/shared/instance.glsl and shaders/scene/edge.vert.
struct InstanceData {
    glm::vec4 rows[3];
    glm::vec4 albedo_emission;
    glm::vec4 params;
    std::uint32_t tags[2];
    float edge_alpha, edge_rgb;
};

/// Linear colours of the sRGB colours seen last: bodies share few colours, and a conversion takes three
/// powers.
class AlbedoCache {
  public:
    /// Equal to linear_from_srgb(). The reference is valid until the next call.
    const glm::vec3& linear(const glm::vec3& srgb);

  private:
    struct Entry {
        glm::vec3 srgb{0}, linear{0};
    };
    std::array<Entry, 128> entries_{};
};

/// The instance data that a material determines; pose and tags stay zero.
InstanceData material_instance_data(const MaterialData& material, float opacity, bool dark,
                                    AlbedoCache& albedos);

enum class Stage : std::uint8_t { opaque, faded, glass };

struct Batch {
    Stage stage = Stage::opaque;
    Surface surface = Surface::matte;
    Mesh* mesh = nullptr;
    std::size_t first = 0, count = 0;
    std::size_t casters = 0;  ///< the first instances cast shadows; for runs also undrawn ones
    bool mirrored = false;    ///< the poses mirror the mesh
    bool edges = false;       ///< some instances show polygon edges
};

class ViewVolume;

class Batches {
  public:
    /// Sorts and uploads. Skips instances without a mesh, with a non-finite pose or zero opacity; of runs,
    /// draws only the bodies inside the view.
    void build(const RenderList& list, MeshStore& meshes, const Occluders& occluders,
               const ViewVolume& volume);
    const std::vector<Batch>& all() const { return batches_; }
    std::size_t instance_count() const { return used_; }
    bool has_casters() const;
    /// Binds the instance attributes of the bound vertex array to a batch; `divisor` drawn instances share
    /// one.
    void bind_attributes(const Batch& batch, GLuint divisor = 1) const;

  private:
    struct Key {
        std::uint64_t order;
        std::uint32_t index;
    };
    void sort(const RenderList& list, MeshStore& meshes);
    static bool share_batch(const Key& a, const Key& b, const RenderList& list);
    void append(const Instance& instance, std::uint32_t own, bool dark);
    std::span<InstanceData> allocate(std::size_t count);
    void append_run(const InstanceRun& run, MeshStore& meshes, bool dark, const ViewVolume& volume);

    std::vector<Key> keys_;  ///< of all instances; those that are not drawn come last
    AlbedoCache albedos_;
    std::vector<InstanceData> data_;  ///< the first used_ are valid; never shrinks, to avoid clearing again
    std::size_t used_ = 0;
    std::vector<InstanceData> material_data_;  ///< one per material of the current run
    const MaterialData* material_source_ = nullptr;
    std::vector<Batch> batches_;
    StreamBuffer buffer_;
};

}  // namespace claybox::engine
