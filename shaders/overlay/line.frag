#version 330 core
// A capsule with an anti-aliased border.
flat in vec4 colour;
flat in float half_width;
flat in float pixels;
in vec2 at;
out vec4 fragment;

void main() {
    float past = max(max(-at.x, at.x - pixels), 0.0);
    float cover = clamp(half_width + 0.5 - length(vec2(past, at.y)), 0.0, 1.0);
    fragment = vec4(colour.rgb, colour.a * cover);
}
