#pragma once
// Scenes for visual checks: a cage of polytopes, a pot on a wheel, a desk of buttons.

#include "engine/render/renderer.hpp"

namespace claybox::test {

/// `bodies` polytopes in a glass cage; below 100 bodies also with a witness and a separating plane.
engine::RenderList cage_scene(engine::Renderer& renderer, int bodies, bool dark);
engine::RenderList potter_scene(engine::Renderer& renderer);
engine::RenderList desk_scene(engine::Renderer& renderer);

}  // namespace claybox::test
