#pragma once
// The probe: a point, ray, ball, box or body that asks the bodies of the picture for distance, cast and
// overlap.

#include "app/bridge/edit/pointer_drag.hpp"
#include "app/bridge/inspect/inspector.hpp"
#include "app/panels/bodies/object_model.hpp"

namespace claybox::app {

/// Where the probe is asked for.
struct ProbeAim {
    Ray ray;                ///< through the pointer, or from the fingertip along the finger
    bool at_start = false;  ///< the probe is at the start of the ray: a fingertip
    double depth = 1;       ///< of the probe along the ray where there is no surface, metres
    std::uint32_t selected = collision::kNoIndex;
};

/// Asks a world of its own that holds the bodies of the picture. So it works in every mode and in the past,
/// and changes nothing of the scene. Costs nothing until ask() is called.
class Probe {
  public:
    /// Gives the world back.
    void forget();
    /// Fills rows, and marks to be drawn over the scene.
    void ask(const Session& session, const Bridge& bridge, Inspector& inspector, const ProbeAim& aim,
             const ProbeRequest& request, ProbeReport& report, SceneView& marks);

  private:
    struct Entry {
        std::uint32_t pick = collision::kNoIndex;
        collision::ShapePtr shape;
        collision::Pose pose;
        collision::BodyId id;
    };
    struct Cast {
        const Entry* body = nullptr;
        double way = 0;  ///< metres along the ray
        collision::Vec3d point, normal;
    };
    void gather(const Bridge& bridge, Inspector& inspector);
    void update_world();
    void choose_shape(const ProbeRequest& request, const ProbeAim& aim);
    std::optional<Cast> cast(const Ray& ray, double start) const;
    void ask_rays(const ProbeAim& aim, bool all);
    void ask_distance(const collision::Pose& at);
    void ask_cast(const ProbeAim& aim);
    void ask_overlap(const collision::Pose& at);
    collision::Pose place(const ProbeAim& aim, const ProbeRequest& request);
    const Entry* entry_of(std::uint32_t pick) const;
    std::string name(std::uint64_t pick) const;
    void row(const char* key, std::string value) { report_->rows.push_back({key, std::move(value)}); }
    void draw(const collision::Shape* shape, const collision::Pose& at, Ink ink);
    void label(const collision::Vec3d& at, std::string text, Ink ink);

    std::vector<Entry> now_, known_;
    std::unique_ptr<collision::World> world_;
    std::uint64_t frame_ = 0;
    std::vector<collision::QueryHit> hits_;
    collision::ShapePtr shape_;  ///< null: a point
    double made_size_ = 0;
    ProbeShape made_ = ProbeShape::point;
    // During ask():
    const Session* session_ = nullptr;
    ProbeReport* report_ = nullptr;
    SceneView* marks_ = nullptr;
};

}  // namespace claybox::app
