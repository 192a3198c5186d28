#version 330 core
#include "frame.glsl"
layout(location = 0) in vec4 from_width;
layout(location = 1) in vec4 to_hidden;
layout(location = 2) in vec4 line_colour;
#include "quad_line.glsl"

uniform float hidden;  // 1 in the pass for hidden parts

flat out vec4 colour;
flat out float half_width;
flat out float pixels;
out vec2 at;

void main() {
    half_width = 0.5 * from_width.w * frame.viewport.z;
    float reach = half_width + 0.75;
    QuadLine q = quad_line(from_width.xyz, to_hidden.xyz, gl_VertexID >> 1, gl_VertexID & 1, reach, reach, 0.0015);
    colour = line_colour;
    colour.a *= mix(1.0, to_hidden.w, hidden);
    pixels = q.pixels;
    at = vec2(q.along, q.across);
    gl_Position = q.position;
}
