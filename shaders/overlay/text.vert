#version 330 core
#include "frame.glsl"
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 texture_at;
layout(location = 3) in vec4 ink_colour;

out vec3 world;
out vec2 at;
flat out vec3 world_normal;
flat out vec4 ink;

void main() {
    world = position;
    world_normal = normal;
    at = texture_at;
    ink = ink_colour;
    gl_Position = frame.clip_from_world * vec4(mix(position, frame.camera.xyz, 0.0008), 1.0);
}
