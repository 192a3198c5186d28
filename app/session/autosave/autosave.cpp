#include "app/session/autosave/autosave.hpp"

#include "engine/assets/mesh_file.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/paths.hpp"

#include <chrono>
#include <system_error>

#if defined(_WIN32)
#include <process.h>
#else
#include <unistd.h>
#endif

namespace claybox::app {

namespace {

/// Unlike the names of all other programs, running or dead.
std::string unique_name() {
#if defined(_WIN32)
    const long long process = _getpid();
#else
    const long long process = getpid();
#endif
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return "pot-" + std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(now).count()) + "-" +
           std::to_string(process);
}

}  // namespace

std::filesystem::path autosave_folder() {
    const std::filesystem::path state = engine::state_folder();
    return state.empty() ? state : state / "autosave";
}

Autosave::Autosave(std::filesystem::path folder, bool waits)
    : store_(std::make_shared<Store>()), waits_(waits) {
    store_->folder = std::move(folder);
    store_->file = store_->folder / engine::path_of(unique_name() + kAutosaveEnding);
    store_->lock_file = lock_file_of(store_->file);
}

std::string Autosave::Store::write(const ClaySnapshot& clay) {
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    // A lock without its file protects nothing: someone has tidied up the folder.
    if (!lock.held() || !std::filesystem::exists(lock_file, code)) lock.take(lock_file);
    std::string error;
    const engine::MeshView mesh{clay.coordinates(), clay.topology->polygon_begin, clay.topology->origin, {}};
    if (!engine::write_mesh(file, mesh, error)) return error;
    if (replaced) replaced->remove();
    replaced.reset();
    return {};
}

void Autosave::take_result(double now) {
    const bool late = waits_ && now >= started_ + kPatience;
    const std::optional<std::string> result = late ? job_.wait() : job_.take_result();
    if (!result) return;
    if (result->empty()) {
        failed_ = false;
        return;
    }
    must_save_ = true;
    if (!failed_) problem_ = "the pot is not saved automatically: " + *result;
    failed_ = true;
}

void Autosave::frame(const Session& session, double now) {
    if (job_.busy()) take_result(now);
    const ClaySurface* clay = session.scene().clay_surface();
    if (clay == nullptr) {
        session_ = nullptr;
        return;
    }
    if (session_ != &session || build_ != session.builds()) watch(session, *clay);
    follow(*clay, now);
}

bool Autosave::has_work(const Session& session) const {
    const ClaySurface* clay = session.scene().clay_surface();
    return clay != nullptr && (must_save_ || following_ || job_.busy() || clay->version() != saved_version_ ||
                               clay->start()->geometry().topology != saved_topology_);
}

/// Another clay: what it is at its start is not work.
void Autosave::watch(const Session& session, const ClaySurface& clay) {
    session_ = &session;
    build_ = session.builds();
    saved_version_ = clay.version();
    saved_topology_ = clay.start()->geometry().topology;
    taken_over_.reset();
    must_save_ = following_ = false;
    shadow_.forget();
}

void Autosave::follow(const ClaySurface& clay, double now) {
    if (job_.busy()) return;  // it reads the shadow
    const auto& topology = clay.start()->geometry().topology;
    if (!following_) {
        const bool changed = clay.version() != saved_version_ || topology != saved_topology_;
        if ((!changed && !must_save_) || now < next_) return;
        following_ = true;
        next_ = now + kInterval;
    }
    if (!shadow_.update(clay)) return;
    following_ = must_save_ = false;
    saved_version_ = clay.version();
    saved_topology_ = topology;
    started_ = now;
    if (taken_over_) store_->replaced = std::exchange(taken_over_, std::nullopt);
    job_.start([store = store_, snapshot = shadow_.snapshot()] { return store->write(snapshot); });
}

void Autosave::take_over(const Session& session, Leftover leftover) {
    const ClaySurface* clay = session.scene().clay_surface();
    if (clay == nullptr) return;
    watch(session, *clay);
    taken_over_ = std::move(leftover);
    must_save_ = true;
    next_ = 0;
}

void Autosave::go_on(const Session& session) {
    const ClaySurface* clay = session.scene().clay_surface();
    if (clay == nullptr || session_ == nullptr) return;
    std::optional<Leftover> unsaved = std::exchange(taken_over_, std::nullopt);
    watch(session, *clay);
    taken_over_ = std::move(unsaved);
    must_save_ = true;
}

void Autosave::finish() {
    job_.wait();
    std::error_code ignored;
    std::filesystem::remove(store_->file, ignored);
    store_->lock.remove();
    session_ = nullptr;
}

}  // namespace claybox::app
