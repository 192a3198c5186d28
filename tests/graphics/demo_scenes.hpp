#pragma once
// Scenes for looking at: a cage of polytopes, a pot on a wheel, a desk of buttons.

#include "engine/render/renderer.hpp"

namespace claybox::test {

/// `bodies` polytopes in a glass cage; with fewer than 100 of them also a witness and a separating plane.
engine::RenderList cage_scene(engine::Renderer& renderer, int bodies, bool dark);
engine::RenderList potter_scene(engine::Renderer& renderer);
engine::RenderList desk_scene(engine::Renderer& renderer);

}  // namespace claybox::test
