#version 330 core
#include "frame.glsl"
#include "colour.glsl"

uniform mat4 world_from_clip;
in vec2 at;
out vec4 fragment;

void main() {
    vec4 p = world_from_clip * vec4(at, 1.0, 1.0);
    vec3 direction = normalize(p.xyz / p.w - frame.camera.xyz);
    fragment = vec4(dithered(to_srgb(backdrop(direction))), 1.0);
}
