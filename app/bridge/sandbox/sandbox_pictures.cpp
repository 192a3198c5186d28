// Turntables of the clay, and films of the last seconds: drawn a few pictures per frame.

#include "app/bridge/sandbox/sandbox.hpp"
#include "engine/files/path_text.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

constexpr int kPerFrame = 4, kPerSoftwareFrame = 1;  // pictures
constexpr int kGifSide = 640, kFilmSide = 1280;      // pixels of the longer side

/// A name of the current folder that is not in use: "claybox-turn-3.gif".
std::filesystem::path new_name(const std::string& start, const std::string& ending) {
    std::error_code code;
    const std::filesystem::path folder = std::filesystem::current_path(code);
    std::filesystem::path out;
    int number = 0;
    do {
        out = folder / engine::path_of(start + std::to_string(++number) + ending);
    } while (std::filesystem::exists(out, code));
    return out;
}

/// The window's shape, with even sides of at most `longest` pixels.
ClipOptions film_size(int width, int height, int longest) {
    const double scale = static_cast<double>(longest) / std::max({width, height, 1});
    const auto even = [&](int side) { return std::max(64, static_cast<int>(side * scale) / 2 * 2); };
    ClipOptions out;
    out.width = even(width);
    out.height = even(height);
    return out;
}

}  // namespace

void Sandbox::start_turntable() {
    if (turntable_ || refuse_in_past("a turntable")) return;
    TurntableOptions options;
    options.dark = state_.dark;
    options.pictures = state_.turn_pictures;
    options.size = state_.turn_size;
    options.target = new_name("claybox-turn-", ".gif");
    options.is_new = true;
    auto started = Turntable::start(*session_, options);
    if (!started.ok()) return show_message(started.error().text());
    turntable_ = std::move(started).value();
}

void Sandbox::continue_turntable() {
    if (!turntable_) return;
    const collision::Status drawn = turntable_->advance(software_ ? kPerSoftwareFrame : kPerFrame);
    show_message(!drawn.ok()          ? drawn.error().text()
                 : turntable_->done() ? "Saved " + engine::text_of(turntable_->target())
                                      : "Turntable: picture " + std::to_string(turntable_->drawn()) + " of " +
                                            std::to_string(turntable_->pictures()));
    if (!drawn.ok() || turntable_->done()) turntable_.reset();
}

/// Starts with the newest frame, or with the shown one of the past, and goes back from there.
void Sandbox::start_film(const std::string& ending) {
    if (film_ || branch_) return;
    const bool gif = ending == ".gif", video = ending == ".mp4";
    ClipOptions options = film_size(width_, height_, gif ? kGifSide : kFilmSide);
    options.target = new_name("claybox-film-", gif || video ? ending : "");
    options.is_new = true;
    options.dark = state_.dark;
    options.every = gif ? 3 : video ? 2 : 1;
    options.last = looking_.value_or(past_.newest());
    const auto frames = static_cast<std::uint64_t>(state_.film_seconds / kStepSeconds);
    options.first = std::max(past_.oldest(), options.last - std::min(options.last, frames - 1));
    const engine::CameraData camera =
        camera_.data(options.width, options.height, 1,
                     {0, 0, static_cast<float>(options.width), static_cast<float>(options.height)});
    auto started = Clip::start(past_, session_->scene().light(), camera, options);
    if (!started.ok()) return show_message(started.error().text());
    film_ = std::move(started).value();
}

void Sandbox::continue_film() {
    if (!film_) return;
    const collision::Status drawn = film_->advance(software_ ? kPerSoftwareFrame : kPerFrame);
    show_message(!drawn.ok() ? drawn.error().text()
                 : film_->done()
                     ? "Saved " + engine::text_of(film_->target())
                     : "Film: picture " + std::to_string(film_->drawn()) + " of " +
                           std::to_string(film_->pictures()) + ", " + key_of("cancel") + " cancels");
    if (!drawn.ok() || film_->done()) film_.reset();
}

}  // namespace claybox::app
