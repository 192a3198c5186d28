#pragma once
// The picture of the button desk.

#include "app/scenes/buttons/desk_panel.hpp"
#include "app/scenes/shared/decor.hpp"

namespace claybox::app {

class DeskDecor {
  public:
    explicit DeskDecor(std::uint64_t first_mesh);
    void append_meshes(std::vector<ViewMesh>& out) const { store_.append_to(out); }
    /// `headings` of the two slider columns.
    void view(std::span<const DeskState> states, const std::array<std::string, 2>& headings,
              SceneView& out) const;

  private:
    void view_control(const DeskControl& control, const DeskState& state, std::uint32_t pick,
                      SceneView& out) const;
    void view_key(const DeskControl& control, const DeskState& state, SceneView& out) const;
    void view_toggle(const DeskControl& control, const DeskState& state, SceneView& out) const;
    void view_slider(const DeskControl& control, const DeskState& state, SceneView& out) const;
    void view_dial(const DeskControl& control, const DeskState& state, SceneView& out) const;
    void view_wheel(const DeskControl& control, const DeskState& state, SceneView& out) const;

    MeshStore store_;
    std::uint64_t table_, case_, foot_, plate_, divider_, bezel_, lamp_;
    std::uint64_t key_, key_well_, small_key_, small_key_well_, toggle_, toggle_well_, rail_, knob_, dial_,
        dial_well_, mark_, drum_, drum_well_, ridge_;
};

}  // namespace claybox::app
