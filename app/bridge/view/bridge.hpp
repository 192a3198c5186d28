#pragma once
// Turns a session's scene into a render list, and picked numbers back into drawables.

#include "app/bridge/view/camera.hpp"
#include "app/bridge/view/frame_boxes.hpp"
#include "app/panels/model.hpp"
#include "app/session/session.hpp"
#include "engine/render/renderer.hpp"

#include <optional>
#include <unordered_map>

namespace claybox::app {

/// Everything that a picture depends on in addition to the session.
struct ViewSetup {
    engine::CameraData camera;
    int width = 0, height = 0;
    float scale = 1;
    bool dark = false;
    std::uint32_t selected = collision::kNoIndex, partner = collision::kNoIndex;
    bool steps = false;  ///< an algorithm's steps are drawn: the outline of the selection recedes
};

/// One body of a crowd as a drawable.
Drawable drawable_of(const SceneView& view, const ViewCrowd& crowd, std::size_t body);
/// The matrix of a drawable with its scale, at its own pose or at another one.
collision::Matrix34f placement_of(const Drawable& drawable);
collision::Matrix34f placement_of(const Drawable& drawable, const collision::Pose& pose);

class Bridge {
  public:
    explicit Bridge(engine::Renderer& renderer) : renderer_(renderer) {}
    ~Bridge() { forget(); }
    Bridge(const Bridge&) = delete;
    Bridge& operator=(const Bridge&) = delete;

    /// Call it when the scene was rebuilt or replaced: mesh numbers have changed their meaning.
    void forget();
    /// Uploads changed meshes and fills the render list and the labels.
    void build(Session& session, const ViewOptions& options, const ViewSetup& setup);

    /// The same from a kept picture and its meshes. Their versions must be newer than those of all meshes
    /// since the last forget().
    void build(const SceneView& view, std::span<const ViewMesh> meshes, const ViewLight& light,
               const ViewOptions& options, const ViewSetup& setup);

    /// For pictures that outlive the state of their scene: keep() uploads the meshes, show() fills the list
    /// from a view of them, without labels.
    void keep(std::vector<ViewMesh> meshes);
    void show(const SceneView& view, const ViewLight& light, const ViewSetup& setup);

    /// Adds lines and points over the built scene.
    void add_marks(const SceneView& view, const ViewSetup& setup);
    /// Adds labels over the built scene.
    void add_labels(std::span<const ViewLabel> labels, const ViewSetup& setup);

    const engine::RenderList& list() const { return list_; }
    /// For additions of the headset: eyes, boards, labels. The next build() clears the list.
    engine::RenderList& list() { return list_; }
    const std::vector<ScreenLabel>& labels() const { return labels_; }
    const std::vector<ScreenDisc>& discs() const { return discs_; }
    const SceneView& view() const { return view_; }
    const StructureFigures& structure() const { return structure_; }
    /// What the next build() adds to the structure of the broad phase.
    void show_inside(const BroadRequest& request) { inside_ = request; }
    /// Of the last build(), if show_inside() asked for it.
    const FrameBoxes& boxes() const { return boxes_; }
    const std::vector<ViewMesh>& meshes() const { return meshes_; }
    /// The drawable with this pick number, if there is one.
    std::optional<Drawable> find(std::uint32_t pick) const;
    /// The next pick number, or the one before; after the last comes the first. From kNoIndex: the first, or
    /// the last. kNoIndex if nothing can be picked.
    std::uint32_t next_pick(std::uint32_t from, bool back) const;

  private:
    struct Uploaded;
    void clear();
    void upload();
    void upload_runs(const ViewMesh& mesh, Uploaded& mine);
    void upload_thickness(const ViewMesh& mesh, Uploaded& mine);
    void add_scene(const ViewLight& light, const ViewSetup& setup);
    void add_instances(const ViewSetup& setup);
    void add_crowds(bool dark);
    void add_ways(const ViewCrowd& crowd, bool dark);
    void add_discs(const ViewSetup& setup, const glm::mat4& clip_from_world);
    void add_structure(Session& session, std::uint32_t level, const ViewSetup& setup);
    void add_moved_boxes(const ViewSetup& setup);
    void add_selection(const ViewSetup& setup);

    struct Uploaded {
        engine::MeshHandle handle = 0;
        std::uint64_t version = 0, thickness_version = 0;
        std::shared_ptr<const collision::Topology> topology;  ///< kept, so that no other gets its address
        bool used = false, wire = false, walls = false;
    };
    engine::Renderer& renderer_;
    std::unordered_map<std::uint64_t, Uploaded> uploaded_;
    std::vector<ViewMesh> meshes_;
    SceneView view_;
    engine::RenderList list_;
    std::vector<engine::MaterialData> crowd_materials_;  ///< by shade
    engine::MeshData scratch_;
    std::vector<ScreenLabel> labels_;
    std::vector<ScreenDisc> discs_;
    StructureFigures structure_;
    BroadRequest inside_;
    FrameBoxes boxes_;
};

}  // namespace claybox::app
