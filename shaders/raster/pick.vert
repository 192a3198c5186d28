#version 330 core
#include "frame.glsl"
#include "instance.glsl"

flat out uint id;

void main() {
    id = tags.y;
    gl_Position = frame.clip_from_world * vec4(to_world(position), 1.0);
}
