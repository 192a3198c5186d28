// @title@: (what the scene shows). This skeleton moves one cube back and forth through another.

#include "app/scenes/scene.hpp"
#include "app/scenes/shared/decor.hpp"
#include "app/scenes/shared/two_bodies.hpp"
#include "collision/core/trig.hpp"
#include "collision/geometry/primitives/primitives.hpp"

namespace claybox::app {

using collision::Aabb;
using collision::Done;
using collision::Parameter;
using collision::ParameterKind;
using collision::ParameterValues;
using collision::Status;

namespace {

enum @class@Parameter : std::size_t { kSpeed };
const Parameter kParameters[] = {
    {"speed", "Speed", ParameterKind::real, 1, 0, 10, "° per frame", "ours: calm to look at",
     "How far the second cube moves along its path per frame."},
};
constexpr float kRadius = 0.4f;  // metres

class @class@Scene final : public Scene {
  public:
    Status build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) override {
        parameters_ = parameters;
        floor_ = store_.add(disc_mesh(8, 64));
        auto shape = collision::make_primitive_shape(collision::Primitive::box, 24, kRadius, seed);
        if (!shape.ok()) return shape.error();
        const std::uint64_t mesh = store_.add(shape.value());
        box_ = shape.value()->geometry().box;
        place();
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            bodies_[i].mesh = mesh;
            auto id = world.add_body({shape.value(), bodies_[i].pose, 0, false, i});
            if (!id.ok()) return id.error();
            bodies_[i].id = id.value();
        }
        return Done{};
    }

    void step(collision::World& world, const StepInput& input, StepOutput& output) override {
        angle_ += parameters_[kSpeed];
        place();
        step_pair(world, input.frame, bodies_[0], bodies_[1], batch_, "A and B", output);
        for (const auto& event : batch_.events) {
            if (event.kind == collision::EventKind::begin) colliding_ = true;
            if (event.kind == collision::EventKind::end) colliding_ = false;
        }
    }

    void set_parameters(const ParameterValues& parameters) override { parameters_ = parameters; }
    void meshes(std::vector<ViewMesh>& out) const override { store_.append_to(out); }

    void view(const ViewOptions& options, SceneView& out) const override {
        out.clear();
        out.drawables.push_back(decoration(floor_, Material::floor));
        view_pair(bodies_[0], bodies_[1], colliding_, 1, out);
        if (!options.bounds) return;
        for (const PairBody& body : bodies_) view_bounds(box_, body.pose, out);
    }

    /// The cards cover the right quarter of the window.
    ViewCamera camera() const override { return {.position = {0.9f, 1.3f, 4.4f}, .target = {0.6f, 0.5f, 0}}; }
    ViewLight light() const override { return {.shadow_half_width = 2}; }
    Aabb hand_region() const override { return {{-1, 0.1f, -1}, {1, 1.5f, 1}}; }
    std::vector<Figure> figures() const override { return {{"colliding", "Colliding", colliding_ ? 1.0 : 0.0}}; }

  private:
    void place() {
        const double s = collision::sin_cos(angle_ * collision::kPi / 180).sin;
        bodies_[0].pose.translation = {-0.3, 0.5, 0};
        bodies_[1].pose.translation = {0.5 + 0.6 * s, 0.5, 0};
    }

    ParameterValues parameters_;
    std::array<PairBody, 2> bodies_;
    Aabb box_;          ///< of a cube, in its own frame
    double angle_ = 0;  ///< degrees so far
    bool colliding_ = false;
    collision::EventBatch batch_;
    MeshStore store_;
    std::uint64_t floor_ = 0;
};

}  // namespace

const SceneDescriptor& describe_@id@() {
    static const SceneDescriptor descriptor{"@id@",
                                            "@title@",
                                            "One cube moves back and forth through another.",
                                            kParameters,
                                            0,
                                            {},
                                            false,
                                            &make_scene<@class@Scene>};
    return descriptor;
}

}  // namespace claybox::app
