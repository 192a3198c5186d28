#include "app/scenes/scene.hpp"

namespace claybox::app {

#define SCENE(id) const SceneDescriptor& describe_##id();
#include "app/scenes/list.def"
#undef SCENE

std::span<const SceneDescriptor* const> scenes() {
    static const SceneDescriptor* const table[] = {
#define SCENE(id) &describe_##id(),
#include "app/scenes/list.def"
#undef SCENE
    };
    return table;
}

const SceneDescriptor* find_scene(std::string_view id) {
    for (const SceneDescriptor* scene : scenes()) {
        if (id == scene->id) return scene;
    }
    return nullptr;
}

}  // namespace claybox::app
