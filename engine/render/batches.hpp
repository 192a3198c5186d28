#pragma once
// Instances sorted into draw calls: one for each stage, surface and mesh.

#include "engine/render/frame.hpp"
#include "engine/render/meshes.hpp"

#include <span>
#include <vector>

namespace claybox::engine {

/// As the attributes 3 to 8 of shaders/instance.glsl.
struct InstanceData {
    glm::vec4 rows[3];
    glm::vec4 albedo_emission;
    glm::vec4 params;
    std::uint32_t tags[2];
    float edge_alpha;
    float reserved;
};

/// What a material says of an instance; place and tags are left at zero.
InstanceData instance_look(const MaterialData& material, float opacity, bool dark);

enum class Stage : std::uint8_t { opaque, faded, glass };

struct Batch {
    Stage stage = Stage::opaque;
    Surface surface = Surface::matte;
    Mesh* mesh = nullptr;
    std::size_t first = 0, count = 0;
    std::size_t casters = 0;  ///< the first so many cast a shadow; of runs also ones that are not drawn
    bool mirrored = false;    ///< the poses turn the mesh inside out
    bool edges = false;       ///< some show their polygon edges
};

class ViewVolume;

class Batches {
  public:
    /// Sorts and uploads. Instances without a mesh, with a pose that is not finite or with no opacity are
    /// left out; runs are drawn as far as the camera sees them.
    void build(const RenderList& list, MeshStore& meshes, const Occluders& occluders,
               const ViewVolume& volume);
    const std::vector<Batch>& all() const { return batches_; }
    std::size_t instance_count() const { return used_; }
    bool anything_casts() const;
    /// Points the instance attributes of the bound vertex array at a batch.
    void bind_attributes(const Batch& batch) const;

  private:
    struct Key {
        std::uint64_t order;
        std::uint32_t index;
    };
    void sort(const RenderList& list, MeshStore& meshes);
    void append(const Instance& instance, std::uint32_t own, bool dark);
    std::span<InstanceData> take(std::size_t count);
    void append_run(const InstanceRun& run, MeshStore& meshes, bool dark, const ViewVolume& volume);

    std::vector<Key> keys_;
    std::vector<InstanceData> data_;  ///< the first used_; never shrinks, so that nothing is cleared twice
    std::size_t used_ = 0;
    std::vector<InstanceData> looks_;  ///< of the materials of runs
    const MaterialData* looks_of_ = nullptr;
    std::vector<Batch> batches_;
    StreamBuffer buffer_;
};

}  // namespace claybox::engine
