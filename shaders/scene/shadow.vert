#version 330 core
#include "frame.glsl"
#include "instance.glsl"

void main() {
    vec4 s = frame.shadow_from_world * vec4(to_world(position), 1.0);
    gl_Position = vec4(s.xyz * 2.0 - 1.0, 1.0);
}
