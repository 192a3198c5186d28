#version 330 core
// A panel in the world: its picture as it is, already in sRGB and multiplied by its alpha.
uniform sampler2D board;
in vec2 at;
out vec4 fragment;

void main() {
    fragment = texture(board, at);
    // What is not there hides nothing that lies behind.
    if (fragment.a < 0.02) discard;
}
