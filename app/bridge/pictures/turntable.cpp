#include "app/bridge/pictures/turntable.hpp"

#include "engine/files/path_text.hpp"
#include "engine/files/write_file.hpp"
#include "engine/platform/gl_context.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace claybox::app {
namespace {

constexpr double kSecondsPerTurn = 3.6;
constexpr std::size_t kColourPictures = 6;  // pictures that choose the colours

collision::Error no_turntable(std::string message) {
    return {std::move(message), {}, 0};
}

/// Frames the object from slightly above; it may turn about the vertical axis. From the right side, the shelf
/// of the potter is out of sight.
engine::CameraData camera_for(const std::vector<collision::Vec3f>& positions) {
    constexpr float kFov = 0.48f, kPitch = 0.30f, kYaw = 0.35f, kMargin = 1.28f;
    float radius = 0, low = HUGE_VALF, high = -HUGE_VALF;
    for (const collision::Vec3f& p : positions) {
        radius = std::max(radius, std::hypot(p.x, p.z));
        low = std::min(low, p.y);
        high = std::max(high, p.y);
    }
    const float sphere = std::max(std::hypot(radius, (high - low) / 2), 1e-3f);
    const float distance = kMargin * sphere / std::sin(kFov / 2);
    engine::CameraData camera;
    camera.target = {0, (low + high) / 2, 0};
    const glm::vec3 back(std::sin(kYaw) * std::cos(kPitch), std::sin(kPitch),
                         std::cos(kYaw) * std::cos(kPitch));
    camera.position = camera.target + back * distance;
    camera.vertical_fov = kFov;
    camera.near_plane = 0.1f * distance;
    camera.far_plane = 20 * distance;
    return camera;
}

}  // namespace

collision::Result<std::unique_ptr<Turntable>> Turntable::start(const Session& session,
                                                               const TurntableOptions& options) {
    if (options.pictures < 2 || options.pictures > 720 || options.size < 64 || options.size > 4096)
        return no_turntable(engine::text_of(options.target) +
                            ": expected 2 to 720 pictures of 64 to 4096 pixels");
    const ExportMesh object = session.scene().export_mesh();
    if (!object.positions || object.positions->empty())
        return no_turntable("the scene '" + std::string(session.descriptor().id) +
                            "' has nothing to turn, expected potter");
    std::unique_ptr<Turntable> out(new Turntable(options));
    out->camera_ = camera_for(*object.positions);
    std::string error;
    if (!out->make_graphics(error)) return no_turntable(error);
    out->take_scene(session);
    if (const collision::Status opened = out->open(); !opened) return opened.error();
    return out;
}

bool Turntable::make_graphics(std::string& error) {
    renderer_ = engine::Renderer::create(error);
    if (!renderer_) return false;
    picture_ = std::make_unique<engine::OffscreenTarget>(options_.size, options_.size);
    if (!picture_->complete()) error = "the graphics driver cannot draw a picture of this size";
    bridge_ = std::make_unique<Bridge>(*renderer_);
    return picture_->complete();
}

void Turntable::take_scene(const Session& session) {
    std::vector<ViewMesh> meshes;
    session.scene().meshes(meshes);
    bridge_->keep(std::move(meshes));
    light_ = session.scene().light();
    ViewOptions options;
    options.witness = options.labels = options.dimensions = options.hands = false;
    views_.resize(static_cast<std::size_t>(options_.pictures));
    for (std::size_t i = 0; i < views_.size(); ++i) {
        options.turn = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(views_.size());
        session.scene().view(options, views_[i]);
        views_[i].crowds.clear();  // their arrays belong to the scene
    }
}

std::vector<std::uint8_t> Turntable::draw(std::size_t picture) {
    const int size = options_.size;
    bridge_->show(views_[picture], light_, {camera_, size, size, 1, options_.dark});
    renderer_->draw(bridge_->list(), {size, size, 1}, picture_->framebuffer());
    return picture_->pixels();
}

/// An unwritable place is reported before the pictures are drawn.
collision::Status Turntable::open() {
    PictureFile file{
        options_.target, options_.size, options_.size, pictures() / kSecondsPerTurn, "turn-", {}};
    file.is_new = options_.is_new;
    std::vector<std::vector<std::uint8_t>> samples;
    if (options_.target.extension() == ".gif") {
        std::string error;
        if (!engine::FileWriter().open(options_.target, error)) return no_turntable(error);
        for (std::size_t i = 0; i < kColourPictures; ++i)
            samples.push_back(draw(i * views_.size() / kColourPictures));
        file.samples = samples;
    }
    auto writer = PictureWriter::open(file);
    if (!writer.ok()) return writer.error();
    writer_ = std::move(writer).value();
    options_.target = writer_->target();
    return collision::Done{};
}

collision::Status Turntable::advance(int pictures) {
    for (int i = 0; i < pictures && !done(); ++i) {
        if (const collision::Status added = writer_->add(draw(static_cast<std::size_t>(drawn_))); !added)
            return added;
        ++drawn_;
    }
    return done() ? writer_->commit() : collision::Status(collision::Done{});
}

collision::Status write_turntable(Session& session, const TurntableOptions& options) {
    std::string error;
    const auto context = engine::OffscreenContext::create(error);
    if (!context) return no_turntable(error);
    auto turntable = Turntable::start(session, options);
    if (!turntable.ok()) return turntable.error();
    return turntable.value()->advance(options.pictures);
}

}  // namespace claybox::app
