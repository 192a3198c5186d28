// Repeats a run of the Potter and finds out what each frame changed.

#include "app/potter/clay_surface.hpp"
#include "app/scenes/hands/hand_bodies.hpp"
#include "bench/experiments/shared/measure.hpp"
#include "bench/scenes/potter/potter_play.hpp"

namespace claybox::bench {

using namespace collision;

namespace {

/// A second surface that receives the same changes: its commit() is the same work as the scene's.
class Shadow {
  public:
    explicit Shadow(ShapePtr start) : surface_(std::move(start)) {}

    /// Takes the changes of the frame over. Returns the nanoseconds of the normals.
    double follow(const app::ViewMesh& clay) {
        changes_.clear();
        changed_.clear();
        app::visit_changed_runs(clay, version_, [&](std::size_t first, std::size_t end) {
            for (std::size_t v = first; v < end; ++v) {
                const Vec3f& now = (*clay.positions)[v];
                if (now == surface_.positions()[v]) continue;
                changes_.push_back({static_cast<std::uint32_t>(v), now});
                changed_.push_back(static_cast<std::uint32_t>(v));
            }
        });
        version_ = clay.version;
        for (const VertexChange& change : changes_) surface_.set(change.vertex, change.position);
        const double start = now_ns();
        surface_.commit(changed_);
        return now_ns() - start;
    }
    const std::vector<VertexChange>& changes() const { return changes_; }
    std::size_t polygons() const { return changed_.empty() ? 0 : surface_.last_work().polygons; }
    bool has_normals(const std::vector<Vec3f>& normals) const { return surface_.normals() == normals; }

  private:
    app::ClaySurface surface_;
    std::uint64_t version_ = 1;
    std::vector<VertexChange> changes_;
    std::vector<std::uint32_t> changed_;
};

Result<ShapePtr> shape_of(const PotterRow& row) {
    return Shape::from_polygons(app::make_clay(app::ClayShape::pot, row.polygons, row.faces), "clay");
}

/// The frame in the clay's own frame, where contestants expect it.
streams::DentFrame dent_of(const std::vector<VertexChange>& changes, const app::HandInput& hand,
                           const Pose& clay) {
    streams::DentFrame out;
    out.changes = changes;
    const Quat back = conjugate(clay.rotation);
    const Pose clay_from_world{back, rotate(back, -clay.translation)};
    for (std::size_t i = 0; i < streams::kHandParts; ++i)
        out.world_from_part[i] = to_matrix(clay_from_world * hand.part[i]);
    return out;
}

Result<std::vector<ShapePtr>> parts_of(const app::HandInput& hand) {
    std::vector<ShapePtr> out;
    for (std::size_t i = 0; i < streams::kHandParts; ++i) {
        auto part = Shape::from_hull(
            app::hand_part_points(static_cast<int>(i), hand.radius[i], hand.length[i]), "hand part");
        if (!part) return part.error();
        out.push_back(std::move(part.value()));
    }
    return out;
}

}  // namespace

Status explain_frames(PotterPlayer& player, const PotterSetting& setting, std::uint64_t seed,
                      streams::DentStream* stream) {
    auto repeat = PotterPlayer::create(player.row(), setting, seed, player.frames().size());
    if (!repeat) return repeat.error();
    auto start = shape_of(player.row());
    if (!start) return start.error();
    auto shadow = std::make_unique<Shadow>(start.value());
    if (stream != nullptr) {
        auto parts = parts_of(player.script().hand(1));
        if (!parts) return parts.error();
        *stream = {start.value(), std::move(parts.value()), {}};
    }
    app::SceneView view;
    std::vector<app::ViewMesh> meshes;
    for (std::size_t i = 0; i < player.frames().size(); ++i) {
        PotterFrame& frame = player.frames()[i];
        repeat.value()->play(1);
        const app::Scene& scene = repeat.value()->session().scene();
        if (repeat.value()->frames().back().state_hash != frame.state_hash)
            return Error{"frame " + std::to_string(i + 1) + " of " + player.row().name() +
                             " gave another state when it was repeated",
                         {},
                         0};
        meshes.clear();
        scene.meshes(meshes);
        frame.ns.normals = shadow->follow(meshes.front());
        frame.ns.hand -= frame.ns.normals;
        frame.vertices = shadow->changes().size();
        frame.polygons = shadow->polygons();
        if (stream == nullptr || shadow->changes().empty()) continue;
        view.clear();
        scene.view({}, view);
        stream->frames.push_back(
            dent_of(shadow->changes(), player.script().hand(i + 1), view.drawables.front().pose));
    }
    if (!shadow->has_normals(*meshes.front().normals))
        return Error{"the normals of " + player.row().name() + " differ from those of the same clay", {}, 0};
    shadow.reset();
    start.value().reset();
    if (stream == nullptr) player.bytes_all_told = repeat.value()->memory_bytes();
    return Done{};
}

}  // namespace claybox::bench
