#version 330 core
// Polygon edges of a mesh whose vertices move: reads both ends from the vertex buffer. The instance is the edge;
// `gl_VertexID`: bit 0 is the side, bit 1 the end.
#include "frame.glsl"
layout(location = 0) in uvec2 ends;
layout(location = 3) in vec4 row0;
layout(location = 4) in vec4 row1;
layout(location = 5) in vec4 row2;
layout(location = 6) in vec4 albedo_emission;
layout(location = 7) in vec4 params;
layout(location = 9) in float edge_alpha;

#include "quad_line.glsl"

uniform samplerBuffer vertices;  // two texels a vertex, the first starts with the position

flat out vec4 colour;
out float across;
flat out float half_width;

vec3 world(uint vertex) {
    vec4 p = vec4(texelFetch(vertices, int(2u * vertex)).xyz, 1.0);
    return vec3(dot(row0, p), dot(row1, p), dot(row2, p));
}

void main() {
    half_width = 0.5 * frame.viewport.z;
    QuadLine q = quad_line(world(ends.x), world(ends.y), gl_VertexID >> 1, gl_VertexID & 1, half_width + 0.5, 0.0, 0.0012);
    across = q.across;
    // Where edges are shorter than a few pixels the wire would only darken the clay.
    float strength = edge_alpha * smoothstep(1.2, 7.0, q.pixels / frame.viewport.z) * params.w;
    colour = vec4(albedo_emission.rgb, strength);
    gl_Position = strength > 0.004 ? q.position : vec4(2.0, 2.0, 2.0, 1.0);
}
