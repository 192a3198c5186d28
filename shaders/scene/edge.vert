#version 330 core
// Polygon edges as quads of constant width in pixels. `corner`: bit 0 is the side, bit 1 the end.
#include "frame.glsl"
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in float corner;
layout(location = 3) in vec4 row0;
layout(location = 4) in vec4 row1;
layout(location = 5) in vec4 row2;
layout(location = 6) in vec4 albedo_emission;
layout(location = 7) in vec4 params;
layout(location = 9) in vec2 edge;  // strength; sRGB of a wide edge as a number of 24 bits, or 0

#include "quad_line.glsl"

flat out vec4 colour;
flat out vec4 tinted;  // sRGB of a wide edge; w: 1 if it is one
out float across;
flat out float half_width;

void main() {
    vec4 a = vec4(from, 1.0), b = vec4(to, 1.0);
    vec3 from_w = vec3(dot(row0, a), dot(row1, a), dot(row2, a));
    vec3 to_w = vec3(dot(row0, b), dot(row1, b), dot(row2, b));
    bool wide = edge.y > 0.5;
    half_width = (wide ? 1.1 : 0.6) * frame.viewport.z;
    int k = int(corner + 0.5);
    QuadLine q = quad_line(from_w, to_w, k >> 1, k & 1, half_width + 0.5, 0.0, 0.0012);
    across = q.across;
    // Edges of a few pixels would only darken the body, so they fade out.
    float strength = edge.x * smoothstep(3.0, 10.0, q.pixels / frame.viewport.z) * params.w;
    colour = vec4(albedo_emission.rgb, strength);
    tinted = vec4(mod(floor(edge.y / vec3(65536.0, 256.0, 1.0)), 256.0) / 255.0, wide ? 1.0 : 0.0);
    gl_Position = strength > 0.004 ? q.position : vec4(2.0, 2.0, 2.0, 1.0);
}
