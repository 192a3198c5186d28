#include "app/bridge/pictures/clip.hpp"

#include "engine/files/path_text.hpp"
#include "engine/files/write_file.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

constexpr int kColourSamples = 6;  // pictures that choose the colours of a GIF
constexpr double kFramesPerSecond = 1 / kStepSeconds;

collision::Error no_clip(std::string message) {
    return {std::move(message), {}, 0};
}

}  // namespace

collision::Result<std::unique_ptr<Clip>> Clip::start(const SceneHistory& history, const ViewLight& light,
                                                     const engine::CameraData& camera,
                                                     const ClipOptions& options) {
    const bool kept = !history.empty() && options.first >= history.oldest() &&
                      options.last <= history.newest() && options.first <= options.last;
    if (!kept) return no_clip("no frames are kept yet: let the scene run first");
    if (options.every < 1 || options.width < 64 || options.height < 64 || options.width > 4096 ||
        options.height > 4096)
        return no_clip(engine::text_of(options.target) + ": expected pictures of 64 to 4096 pixels a side");
    std::unique_ptr<Clip> out(new Clip(history, light, camera, options));
    std::string error;
    if (!out->make_graphics(error)) return no_clip(error);
    out->shown_ = history.newest();
    history.show_meshes(history.newest(), options.first, out->meshes_);
    out->shown_ = options.first;
    if (const collision::Status opened = out->open(); !opened) return opened.error();
    return out;
}

bool Clip::make_graphics(std::string& error) {
    renderer_ = engine::Renderer::create(error);
    if (!renderer_) return false;
    picture_ = std::make_unique<engine::OffscreenTarget>(options_.width, options_.height);
    if (!picture_->complete()) error = "the graphics driver cannot draw a picture of this size";
    bridge_ = std::make_unique<Bridge>(*renderer_);
    return picture_->complete();
}

/// An unwritable place is reported before the pictures are drawn.
collision::Status Clip::open() {
    PictureFile file{
        options_.target, options_.width, options_.height, kFramesPerSecond / options_.every, "frame-", {}};
    file.is_new = options_.is_new;
    std::vector<std::vector<std::uint8_t>> samples;
    if (options_.target.extension() == ".gif") {
        std::string error;
        if (!engine::FileWriter().open(options_.target, error)) return no_clip(error);
        const int count = std::min(kColourSamples, pictures());
        for (int i = 0; i < count; ++i) samples.push_back(draw(i * pictures() / count));
        file.samples = samples;
    }
    auto writer = PictureWriter::open(file);
    if (!writer.ok()) return writer.error();
    writer_ = std::move(writer).value();
    return collision::Done{};
}

std::vector<std::uint8_t> Clip::draw(int picture) {
    const std::uint64_t frame =
        options_.first + static_cast<std::uint64_t>(picture) * static_cast<std::uint64_t>(options_.every);
    if (frame != shown_) history_.show_meshes(shown_, frame, meshes_);
    shown_ = frame;
    const ViewSetup setup{camera_, options_.width, options_.height, 1, options_.dark};
    ViewOptions plain;
    plain.labels = plain.dimensions = false;
    bridge_->build(history_.at(frame).view, meshes_.meshes(), light_, plain, setup);
    renderer_->draw(bridge_->list(), {options_.width, options_.height, 1}, picture_->framebuffer());
    return picture_->pixels();
}

collision::Status Clip::advance(int pictures) {
    for (int i = 0; i < pictures && !done(); ++i) {
        if (const collision::Status added = writer_->add(draw(drawn_)); !added) return added;
        ++drawn_;
    }
    return done() ? writer_->commit() : collision::Status(collision::Done{});
}

}  // namespace claybox::app
