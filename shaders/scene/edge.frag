#version 330 core
#include "frame.glsl"
#include "colour.glsl"

flat in vec4 colour;
flat in vec4 tinted;
in float across;
flat in float half_width;
out vec4 fragment;

void main() {
    const vec3 ink = vec3(0.114, 0.118, 0.133);
    float cover = clamp(half_width + 0.5 - abs(across), 0.0, 1.0);
    fragment = vec4(mix(mix(to_srgb(colour.rgb), ink, 0.55), tinted.rgb, tinted.a), colour.a * cover);
}
