#include "app/scenes/potter/potter_keys.hpp"

namespace claybox::app {

namespace {

using Kind = SceneKey::Kind;

constexpr SceneKey kKeys[] = {
    {"potter_push", "keyboard.1", "Push", Kind::set, "effect", "push"},
    {"potter_grab", "keyboard.2", "Grab", Kind::set, "effect", "grab"},
    {"potter_inflate", "keyboard.3", "Inflate", Kind::set, "effect", "inflate"},
    {"potter_deflate", "keyboard.4", "Deflate", Kind::set, "effect", "deflate"},
    {"potter_smooth", "keyboard.5", "Smooth", Kind::set, "effect", "smooth"},
    {"potter_flatten", "keyboard.6", "Flatten", Kind::set, "effect", "flatten"},
    {"potter_pinch", "keyboard.7", "Pinch", Kind::set, "effect", "pinch"},
    {"potter_crease", "keyboard.8", "Crease", Kind::set, "effect", "crease"},
    {"potter_add", "keyboard.9", "Add clay", Kind::set, "effect", "add"},
    {"potter_carve", "keyboard.0", "Carve", Kind::set, "effect", "carve"},
    {"potter_mask", "keyboard.m", "Mask", Kind::set, "effect", "mask"},
    {"potter_unmask", "keyboard.u", "Unmask", Kind::set, "effect", "unmask"},
    {"potter_trim", "keyboard.k", "Trim", Kind::set, "effect", "trim"},
    {"potter_cut", "keyboard.j", "Cut", Kind::set, "effect", "cut"},
    {"potter_facets", "keyboard.l", "Facets", Kind::set, "effect", "facets"},
    {"potter_invert", "keyboard.left_control | keyboard.right_control", "Held: the opposite", Kind::swap,
     "effect", "inflate deflate, add carve, mask unmask"},
    {"potter_smaller", "keyboard.left_bracket", "Smaller radius", Kind::scale, "radius", "0.87"},
    {"potter_larger", "keyboard.right_bracket", "Larger radius", Kind::scale, "radius", "1.15"},
    {"potter_wheel", "none", "Larger or smaller radius", Kind::wheel, "radius", "1.1"},
    {"potter_weaker", "keyboard.minus | keyboard.keypad_subtract", "Less strength", Kind::add, "strength",
     "-5"},
    {"potter_stronger", "keyboard.equal | keyboard.keypad_add", "More strength", Kind::add, "strength", "5"},
    {"potter_tool", "keyboard.b", "Touch with the next part", Kind::toggle, "tool"},
    {"potter_mirror", "keyboard.x", "Mirror", Kind::toggle, "mirror"},
    {"potter_keep_volume", "keyboard.n", "Keep the volume, or not", Kind::toggle, "keep_volume"},
};

}  // namespace

std::span<const SceneKey> potter_keys() {
    return kKeys;
}

}  // namespace claybox::app
