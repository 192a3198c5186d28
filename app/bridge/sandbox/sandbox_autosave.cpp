// The sandbox saves the clay in the background and offers what an earlier program left behind.

#include "app/bridge/sandbox/sandbox.hpp"
#include "app/cli/files/mesh_import.hpp"
#include "engine/files/paths.hpp"

namespace claybox::app {
namespace {

/// The scene whose clay is saved.
constexpr const char* kClayScene = "potter";

}  // namespace

void Sandbox::start_autosave(const std::filesystem::path& folder) {
    leftovers_ = find_leftovers(folder);
    autosave_ = std::make_unique<Autosave>(folder);
}

void Sandbox::keep_clay() {
    if (!autosave_) return;
    autosave_->frame(*session_, engine::now_seconds());
    if (std::string problem = autosave_->take_problem(); !problem.empty()) show_message(std::move(problem));
}

void Sandbox::finish_autosave() {
    if (autosave_) autosave_->finish();
    autosave_.reset();
}

void Sandbox::discard_leftover() {
    if (leftovers_.empty()) return;
    leftovers_.front().remove();
    leftovers_.erase(leftovers_.begin());
}

/// Shows the newest leftover as the clay. One that cannot be read stays where it is.
void Sandbox::continue_leftover() {
    if (leftovers_.empty() || !autosave_) return;
    Leftover leftover = std::move(leftovers_.front());
    leftovers_.clear();  // the others wait for the next start
    const SceneDescriptor* scene = find_scene(kClayScene);
    CLAYBOX_ASSERT(scene != nullptr && scene->accepts_meshes);
    auto shape = import_shape(leftover.file);
    if (!shape.ok()) return show_message(shape.error().text());
    SessionOptions options = current_options();
    if (options.scene != scene->id) options.scene_parameters = collision::default_values(scene->parameters);
    options.scene = scene->id;
    options.meshes = {std::move(shape).value()};
    replace_session(options, [this, leftover = std::make_shared<Leftover>(std::move(leftover))] {
        autosave_->take_over(*session_, std::move(*leftover));
        show_message("The pot from last time is back");
    });
}

}  // namespace claybox::app
