#version 330 core
#include "frame.glsl"
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 fill_colour;
flat out vec4 colour;

void main() {
    colour = fill_colour;
    gl_Position = frame.clip_from_world * vec4(position, 1.0);
}
