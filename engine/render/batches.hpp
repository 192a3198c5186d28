#pragma once
// Instances sorted into draw calls: one for each stage, surface and mesh.

#include "engine/render/frame.hpp"
#include "engine/render/meshes.hpp"

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

enum class Stage : std::uint8_t { opaque, faded, glass };

struct Batch {
    Stage stage = Stage::opaque;
    Surface surface = Surface::matte;
    Mesh* mesh = nullptr;
    std::size_t first = 0, count = 0;
    std::size_t casters = 0;  ///< the first so many cast a shadow
    bool mirrored = false;    ///< the poses turn the mesh inside out
    bool edges = false;       ///< some show their polygon edges
};

class Batches {
  public:
    /// Sorts and uploads. Instances without a mesh, with a pose that is not finite or with no opacity are
    /// left out.
    void build(const RenderList& list, MeshStore& meshes, const Occluders& occluders);
    const std::vector<Batch>& all() const { return batches_; }
    std::size_t instance_count() const { return data_.size(); }
    bool anything_casts() const;
    /// Points the instance attributes of the bound vertex array at a batch.
    void bind_attributes(const Batch& batch) const;

  private:
    struct Key {
        std::uint64_t order;
        std::uint32_t index;
    };
    void append(const Instance& instance, std::uint32_t own, bool dark);

    std::vector<Key> keys_;
    std::vector<InstanceData> data_;
    std::vector<Batch> batches_;
    StreamBuffer buffer_;
};

}  // namespace claybox::engine
