#version 330 core
// Polygon edges of a mesh whose vertices move: reads both ends from the vertex buffer. The instance is the edge;
// `gl_VertexID`: bit 0 is the side, bit 1 the end.
#include "frame.glsl"
layout(location = 0) in uvec4 edge;  // both ends, and a vertex beside it on each side
layout(location = 3) in vec4 row0;
layout(location = 4) in vec4 row1;
layout(location = 5) in vec4 row2;
layout(location = 6) in vec4 albedo_emission;
layout(location = 7) in vec4 params;
layout(location = 9) in float edge_alpha;

#include "quad_line.glsl"

// Two texels a vertex, the first starts with the position. WebGL has no buffer textures: there they are rows of 2048.
#ifdef GL_ES
uniform sampler2D vertices;
vec4 texel(int i) { return texelFetch(vertices, ivec2(i & 2047, i >> 11), 0); }
#else
uniform samplerBuffer vertices;
vec4 texel(int i) { return texelFetch(vertices, i); }
#endif

flat out vec4 colour;
flat out vec4 tinted;
out float across;
flat out float half_width;

vec3 world(uint vertex) {
    vec4 p = vec4(texel(int(2u * vertex)).xyz, 1.0);
    return vec3(dot(row0, p), dot(row1, p), dot(row2, p));
}

vec2 pixel(vec3 p) {
    vec4 clip = frame.clip_from_world * vec4(p, 1.0);
    return clip.xy / max(clip.w, 1e-6) * 0.5 * frame.viewport.xy;
}

void main() {
    vec3 from = world(edge.x), to = world(edge.y);
    float fine = sqrt(max(frame.viewport.z, 1.0));
    half_width = 0.45 * fine;
    QuadLine q = quad_line(from, to, gl_VertexID >> 1, gl_VertexID & 1, half_width + 0.5, 0.0, 0.0012);
    across = q.across;
    // The next edges lie as far away as the vertices beside this one. Where that is a few pixels only, the wire would
    // darken the clay and show nothing.
    vec2 start = pixel(from), way = pixel(to) - start, normal = vec2(-way.y, way.x) / max(length(way), 1e-3);
    float gap = min(abs(dot(pixel(world(edge.z)) - start, normal)), abs(dot(pixel(world(edge.w)) - start, normal)));
    float strength = edge_alpha * smoothstep(1.7, 6.0, gap / fine) * params.w;
    colour = vec4(albedo_emission.rgb, strength);
    tinted = vec4(0.0);
    gl_Position = strength > 0.004 ? q.position : vec4(2.0, 2.0, 2.0, 1.0);
}
