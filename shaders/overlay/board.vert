#version 330 core
#include "frame.glsl"
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 texture_at;
out vec2 at;

void main() {
    at = texture_at;
    gl_Position = frame.clip_from_world * vec4(position, 1.0);
}
