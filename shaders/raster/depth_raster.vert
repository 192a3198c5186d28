#version 330 core
// A rectangle of whole pixels around one triangle; the fragment shader decides which pixels the triangle covers.
layout(location = 0) in ivec4 words0;  // edges 0 1 2, step right of 0
layout(location = 1) in ivec4 words1;  // steps right of 1 2, steps down of 0 1
layout(location = 2) in ivec4 words2;  // step down of 2, depth and its steps
layout(location = 3) in ivec4 words3;  // minimum and maximum depth, first pixel
layout(location = 4) in ivec4 words4;  // last pixel

uniform int size;

flat out ivec3 edge, edge_x, edge_y, depth;
flat out ivec4 bounds;  // minimum and maximum depth, first pixel

void main() {
    edge = words0.xyz;
    edge_x = ivec3(words0.w, words1.xy);
    edge_y = ivec3(words1.zw, words2.x);
    depth = words2.yzw;
    bounds = words3;
    ivec2 first = words3.zw, end = words4.xy + 1;
    ivec2 corner = ivec2((gl_VertexID & 1) == 0 ? first.x : end.x, (gl_VertexID & 2) == 0 ? first.y : end.y);
    gl_Position = vec4(2.0 * vec2(corner) / float(size) - 1.0, 0.0, 1.0);
}
