#version 330 core
// A panel in the world: the texture unchanged, already sRGB with premultiplied alpha.
uniform sampler2D board;
in vec2 at;
out vec4 fragment;

void main() {
    fragment = texture(board, at);
    // Transparent pixels must not write depth.
    if (fragment.a < 0.02) discard;
}
