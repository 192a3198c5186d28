#pragma once
// Meshes of past frames. A frame keeps only which vertices differ from the frame before.

#include "app/scenes/view.hpp"

#include <map>
#include <memory>
#include <vector>

namespace claybox::app {

/// The vertices of a mesh.
struct MeshArrays {
    std::vector<collision::Vec3f> positions, normals;
    std::vector<float> cavity, thickness;
    std::size_t bytes() const;
};

/// How a mesh differs between two frames. Applied to the mesh of one frame, it gives the mesh of the other.
struct MeshChange {
    std::uint64_t mesh = 0;  ///< ViewMesh::id
    /// Per changed vertex: its index, then the exclusive or of the bits before and after.
    std::vector<std::uint32_t> bits;
    /// Instead of bits, if the arrays have other lengths: those before; empty if there was no such mesh.
    bool other_arrays = false;
    MeshArrays before;
    std::size_t bytes() const;
};

/// The polygons of a mesh, a tenth of the size of its Topology.
struct MeshLoops {
    std::weak_ptr<const collision::Topology> topology;  ///< as long as the scene keeps it
    std::vector<std::uint32_t> begin, origin;           ///< as in Topology
};

/// A mesh without its vertices, versions and topology. Its pointers only tell which arrays it has.
struct PastMesh {
    ViewMesh mesh;
    std::shared_ptr<const MeshLoops> loops;
};
using MeshList = std::shared_ptr<const std::vector<PastMesh>>;

/// The meshes of a frame.
struct PastMeshes {
    MeshList list;                    ///< shared by frames with the same meshes
    std::vector<MeshChange> changes;  ///< since the frame before
    std::size_t bytes = 0;
};

/// Follows the meshes of a scene from frame to frame.
class MeshFollower {
  public:
    void clear();
    /// The meshes of the next frame.
    PastMeshes next(const std::vector<ViewMesh>& meshes);
    /// Goes back one frame. `before`: the frame that becomes the newest.
    void take_back(const PastMeshes& newest, const PastMeshes& before);
    const std::map<std::uint64_t, MeshArrays>& arrays() const { return arrays_; }

  private:
    struct Version {
        std::uint64_t version = 0, thickness_version = 0;
    };
    void follow(const ViewMesh& mesh, std::vector<MeshChange>& changes);
    void follow_list(const std::vector<ViewMesh>& meshes, PastMeshes& out);

    MeshList list_;
    std::vector<ViewMesh> newest_;                ///< what list_ was made from
    std::map<std::uint64_t, MeshArrays> arrays_;  ///< of the newest frame, by ViewMesh::id
    std::map<std::uint64_t, Version> versions_;
};

/// The meshes of one frame for the renderer. Going to a frame beside it costs as much as they differ.
class ShownMeshes {
  public:
    void clear();
    bool empty() const { return meshes_.empty(); }
    /// Starts with the newest frame.
    void start(const std::map<std::uint64_t, MeshArrays>& arrays, const PastMeshes& newest);
    /// Goes one frame back, from `from` to `to`, or one frame on.
    void step_back(const PastMeshes& from, const PastMeshes& to);
    void step_on(const PastMeshes& to);
    /// Valid until the next change. Their versions always grow.
    const std::vector<ViewMesh>& meshes() const { return meshes_; }

  private:
    struct Shown {
        MeshArrays arrays;
        std::vector<std::uint64_t> run_versions;
        std::uint64_t version = 0;
        std::shared_ptr<const MeshLoops> loops;  ///< that `topology` was made from
        std::shared_ptr<const collision::Topology> topology;
    };
    void flip_bits(const MeshChange& change);
    void describe(const PastMeshes& frame);

    /// Arrays that steps back have replaced, for steps on: one per such change, the newest frame's first.
    std::vector<MeshArrays> replaced_;
    std::map<std::uint64_t, Shown> shown_;
    std::vector<ViewMesh> meshes_;
    std::uint64_t version_ = 0;
};

}  // namespace claybox::app
