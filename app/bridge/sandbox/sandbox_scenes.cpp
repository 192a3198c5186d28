// Building scenes: switching, opening, restarting, and parameters that build the scene anew.

#include "app/bridge/sandbox/sandbox.hpp"
#include "app/cli/files/mesh_import.hpp"
#include "app/cli/files/scene_file.hpp"
#include "engine/files/path_text.hpp"

#include <algorithm>
#include <sstream>

namespace claybox::app {
namespace {

/// The result of work on another thread, in a form that a std::function can hold.
template <class T>
std::shared_ptr<T> shared(T value) {
    return std::make_shared<T>(std::move(value));
}

/// Meshes of files, or why one of them cannot be read.
using Meshes = collision::Result<std::vector<collision::ShapePtr>>;

Meshes import_meshes(const std::vector<std::string>& files, const SceneDescriptor& scene) {
    std::vector<collision::ShapePtr> out;
    for (const std::string& file : files) {
        auto shape = import_shape(engine::path_of(file), scene);
        if (!shape.ok()) return shape.error();
        out.push_back(std::move(shape).value());
    }
    return out;
}

/// "bunny.obj", or "3 files".
std::string names_of(const std::vector<std::string>& files) {
    return files.size() == 1 ? engine::text_of(engine::path_of(files[0]).filename())
                             : std::to_string(files.size()) + " files";
}

std::vector<std::string> absolute(std::vector<std::string> files) {
    for (std::string& file : files) {
        std::error_code code;
        file = engine::text_of(std::filesystem::absolute(engine::path_of(file), code));
    }
    return files;
}

}  // namespace

void Sandbox::build(std::string title, BackgroundBuild::Work work) {
    building_.reset();
    build_.start(std::move(title), std::move(work));
    if (patience_ >= 0) build_.finish(patience_);
}

/// Call it between two frames.
void Sandbox::use_build() {
    if (patience_ < 0) return;
    build_.finish(0);
    save_.finish(0);
}

bool Sandbox::cancel_build() {
    if (!build_.running() && !save_.running()) return false;
    (build_.running() ? build_ : save_).cancel();  // the one that the panel shows
    show_message("Cancelled");
    return true;
}

void Sandbox::set_parameter(std::size_t index, double value) {
    if (!session_->builds_anew(index)) return show_error(session_->set_parameter(index, value));
    auto options = session_->options_with(index, value);
    if (!options.ok()) return show_message(options.error().text());
    collision::ParameterValues& values = options.value().scene_parameters;
    values = parameters_with_build();
    values[index] = value;
    build("Building the scene", [this, options = options.value()] {
        const auto built = shared(build_scene(options));
        return [this, built] {
            if (!built->ok()) return show_message(built->error().text());
            session_->install(std::move(*built).value(), true);
            adopt(nullptr);
        };
    });
    if (build_.running()) building_ = values;
}

void Sandbox::set_parameter(const std::string& text) {
    const auto table = session_->descriptor().parameters;
    const collision::ParameterValues before = parameters_with_build();
    collision::ParameterValues values = before;
    if (const collision::Status read = set_by_name(table, text, values); !read) return show_error(read);
    for (std::size_t i = 0; i < table.size(); ++i)
        if (values[i] != before[i]) return set_parameter(i, values[i]);
}

/// The scene's parameters, with those that wait for a build.
collision::ParameterValues Sandbox::parameters_with_build() const {
    collision::ParameterValues values = session_->options().scene_parameters;
    if (!building_ || !build_.running()) return values;
    for (std::size_t i = 0; i < session_->descriptor().parameters.size(); ++i)
        if (session_->builds_anew(i)) values[i] = (*building_)[i];
    return values;
}

void Sandbox::rebuild() {
    build("Restarting the scene", [this, options = session_->rebuild_options()] {
        const auto built = shared(build_scene(options));
        return [this, built] {
            if (!built->ok()) return show_message(built->error().text());
            session_->install(std::move(*built).value(), false);
            if (recorder_) recorder_->note_rebuild();
            adopt(nullptr);
            show_message("Restarted");
        };
    });
}

void Sandbox::switch_scene(const std::string& text) {
    std::istringstream words(text);
    SessionOptions options;
    words >> options.scene;
    if (options.scene == session_->descriptor().id) return;
    const SceneDescriptor* descriptor = find_scene(options.scene);
    if (!descriptor) return show_message("Unknown scene '" + options.scene + "'");
    options.scene_parameters = collision::default_values(descriptor->parameters);
    for (std::string setting; words >> setting;)
        if (const collision::Status set =
                set_by_name(descriptor->parameters, setting, options.scene_parameters);
            !set)
            return show_error(set);
    options.seed = session_->options().seed;
    options.settings = session_->settings();
    options.settings.ignored_groups = {};  // groups mean something else there
    options.meshes = meshes_of_[options.scene];
    options.mesh_files = mesh_files_of_[options.scene];
    if (descriptor->edits == EditSupport::all && bodies_of_.contains(options.scene))
        options.bodies = bodies_of_[options.scene];
    replace_session(options);
}

/// `then` runs when the new session is there.
void Sandbox::replace_session(const SessionOptions& options, const std::function<void()>& then) {
    const SceneDescriptor* scene = find_scene(options.scene);
    build(scene ? std::string("Building ") + scene->title : options.scene, [this, options, then] {
        const auto made = shared(Session::create(options));
        return [this, made, then] {
            if (!made->ok()) return show_message(made->error().text());
            use_session(std::move(*made).value());
            if (then) then();
        };
    });
}

void Sandbox::use_session(std::unique_ptr<Session> session) {
    const bool other_scene = &session->descriptor() != &session_->descriptor();
    remember_meshes();
    adopt(std::move(session));
    if (!other_scene) return;
    camera_.frame(session_->scene().camera());
    state_.hint = hints_wanted_ && !hints_seen_.contains(session_->descriptor().id);
    state_.hint_open = false;
    state_.paused = false;  // a new scene that does not move looks broken
}

/// Dropped mesh files replace the bodies or the clay of the scene, as --mesh does. A file of a scene or a
/// lesson opens.
void Sandbox::take_drops() {
    const std::vector<std::string> files = ui_.input().dropped;
    if (files.empty()) return;
    const std::filesystem::path first = engine::path_of(files.front());
    if (is_scene_file(first)) return open_scene(first);
    if (is_lesson_file(first)) return open_lesson(first);
    if (session_->descriptor().edits == EditSupport::all) return add_mesh_bodies(files);
    use_meshes(files);
}

void Sandbox::use_meshes(std::vector<std::string> files) {
    SessionOptions options = current_options();
    options.bodies.reset();
    const SceneDescriptor* scene = &session_->descriptor();
    if (!scene->accepts_meshes) {
        const auto all = scenes();
        scene = *std::find_if(all.begin(), all.end(), [](const auto* s) { return s->accepts_meshes; });
        options.scene = scene->id;
        options.settings.ignored_groups = {};
        options.scene_parameters = collision::default_values(scene->parameters);
    }
    if (scene->place_mesh != nullptr) files.resize(1);  // the scene shows one mesh
    options.mesh_files = absolute(files);
    build("Reading " + names_of(files), [this, files, options, scene]() mutable -> BackgroundBuild::Finish {
        auto meshes = import_meshes(files, *scene);
        if (!meshes.ok()) return [this, error = meshes.error()] { show_file_error(error); };
        options.meshes = std::move(meshes).value();
        std::string names;
        for (const collision::ShapePtr& mesh : options.meshes)
            names += (names.empty() ? "" : ", ") + mesh->name();
        const bool one = options.meshes.size() == 1;
        names += scene->place_mesh != nullptr ? " is the clay now"
                 : one                        ? " flies here now"
                                              : " fly here now";
        const auto made = shared(Session::create(options));
        return [this, made, names] {
            if (!made->ok()) return show_message(made->error().text());
            use_session(std::move(*made).value());
            show_message(names);
        };
    });
}

/// Adds meshes of files as bodies of the running scene.
void Sandbox::add_mesh_bodies(const std::vector<std::string>& files) {
    if (refuse_edit("adding a mesh")) return;
    if (recorder_) return show_message("A recording contains no mesh files: end it first");
    build("Reading " + names_of(files), [this, files, scene = &session_->descriptor()] {
        const auto meshes = shared(import_meshes(files, *scene));
        return [this, meshes, paths = absolute(files)] {
            if (!meshes->ok()) return show_file_error(meshes->error());
            for (std::size_t i = 0; i < paths.size(); ++i) add_mesh_body(meshes->value()[i], paths[i]);
        };
    });
}

void Sandbox::add_mesh_body(const collision::ShapePtr& mesh, const std::string& file) {
    if (refuse_edit("adding a mesh")) return;
    session_->add_mesh(mesh, file);
    log_.note_meshes(*session_);
    const std::size_t size = collision::find_parameter(session_->descriptor().parameters, "size");
    add_body("mesh" + std::to_string(session_->options().meshes.size()),
             session_->options().scene_parameters[size]);
    show_message(mesh->name() + " is a body now");
}

void Sandbox::adopt(std::unique_ptr<Session> session) {
    const bool other = session != nullptr;
    bridge_.forget();
    inspector_.forget();
    probe_.forget();
    describer_.forget();
    asked_.clear();
    check_.clear();
    tumble_.clear();
    if (session) {
        const bool was_recording = recorder_ != nullptr;
        const collision::Status finished = finish_recording();
        session_ = std::move(session);
        if (was_recording) record_next();
        show_error(finished);
    }
    build_.cancel();  // it was for the old scene
    selected_ = partner_ = collision::kNoIndex;
    events_.clear();
    pending_actions_.clear();
    forget_edits();
    state_.held_parameter.reset();
    forget_hands();
    enter_scope();
    if (other || session_->builds() != builds_) begin_run();
}

void Sandbox::open_scene(const std::filesystem::path& file) {
    SessionOptions options;
    if (const collision::Status read = read_scene_file(file, options); !read)
        return show_file_error(read.error());
    replace_session(options,
                    [this, name = engine::text_of(file.filename())] { show_message("Opened " + name); });
}

}  // namespace claybox::app
