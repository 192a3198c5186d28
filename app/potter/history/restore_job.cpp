#include "app/potter/history/restore_job.hpp"

#include "app/potter/detail/detail_job.hpp"

#include <utility>

namespace claybox::app {

using collision::VertexChange;

namespace {

/// The clay between two steps: the vertices over a shape, or over triangles that have no shape yet.
class RestoredClay {
  public:
    explicit RestoredClay(RestoreJob& job)
        : shape_(job.shape), mesh_{std::move(job.positions), std::move(job.mask), {}} {}

    /// Returns what turns the clay back.
    ClayDelta apply_step(const ClayDelta& delta) {
        if (delta.whole) return use_whole(delta);
        if (delta.remeshed) return use_triangles(delta);
        ClayDelta out;
        for (const VertexChange& c : delta.vertices)
            out.vertices.push_back({c.vertex, mesh_.positions[c.vertex]});
        for (const MaskChange& c : delta.masks) out.masks.push_back({c.vertex, mesh_.mask[c.vertex]});
        set(delta);
        return out;
    }

    std::unique_ptr<ClaySurface> surface() {
        auto out = std::make_unique<ClaySurface>(shape());
        std::vector<std::uint32_t> moved;
        for (std::uint32_t v = 0; v < mesh_.positions.size(); ++v) {
            if (mesh_.positions[v] == out->positions()[v]) continue;
            out->set(v, mesh_.positions[v]);
            moved.push_back(v);
        }
        out->commit(moved);
        return out;
    }
    std::vector<float> take_mask() { return std::move(mesh_.mask); }

  private:
    ClayDelta use_whole(const ClayDelta& delta) {
        ClayDelta out;
        out.remeshed = true;
        out.whole = shape();
        for (std::uint32_t v = 0; v < mesh_.positions.size(); ++v) {
            out.vertices.push_back({v, mesh_.positions[v]});
            out.masks.push_back({v, mesh_.mask[v]});
        }
        shape_ = delta.whole;
        mesh_.positions = shape_->geometry().positions;
        mesh_.mask.assign(mesh_.positions.size(), 0.0f);
        set(delta);
        return out;
    }

    ClayDelta use_triangles(const ClayDelta& delta) {
        const ClayMesh now = shape_ ? clay_mesh(shape_->topology(), mesh_.positions, mesh_.mask) : mesh_;
        mesh_ = now;
        apply(delta, mesh_);
        shape_.reset();
        return difference(mesh_, now);
    }

    void set(const ClayDelta& delta) {
        for (const VertexChange& c : delta.vertices) mesh_.positions[c.vertex] = c.position;
        for (const MaskChange& c : delta.masks) mesh_.mask[c.vertex] = c.value;
    }

    const collision::ShapePtr& shape() {
        if (shape_) return shape_;
        ClayMesh separated = mesh_;
        auto made = shape_of(separated);
        CLAYBOX_ASSERT(made.ok());  // the clay had this shape before
        shape_ = std::move(made).value();
        mesh_.triangles.clear();
        return shape_;
    }

    collision::ShapePtr shape_;  ///< null: the triangles of mesh_
    ClayMesh mesh_;              ///< without triangles where there is a shape
};

}  // namespace

std::uint64_t restore_frames(std::size_t polygons) {
    constexpr std::size_t kAtOnce = 3000, kPerFrame = 6000;
    return polygons <= kAtOnce ? 0 : 2 + polygons / kPerFrame;
}

void RestoreJob::run() {
    RestoredClay clay(*this);
    for (const ClayDelta* delta : deltas) inverses.push_back(clay.apply_step(*delta));
    surface = clay.surface();
    new_mask = clay.take_mask();
    if (make_extras) extras = make_extras(*surface);
}

}  // namespace claybox::app
