#version 330 core
// Integer arithmetic modulo 2^32 only: the same pixels and depths on every GPU.
flat in ivec3 edge, edge_x, edge_y, depth;
flat in ivec4 bounds;

#ifdef PEEL
uniform sampler2D peeled;  // the previous layer; only fragments behind it are drawn
#endif
uniform vec2 body;         // added to the counts: surfaces of A, of B

out vec2 counted;

const float kDepthStep = 1.0 / 16777216.0;

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy), q = p - bounds.zw;
    if (any(lessThan(edge + edge_x * q.x + edge_y * q.y, ivec3(0)))) discard;
    int sum = depth.x + depth.y * q.x + depth.z * q.y;
    float z = float(clamp(sum, bounds.x, bounds.y) >> 6) * kDepthStep;
#ifdef PEEL
    if (z <= texelFetch(peeled, p, 0).r) discard;
#endif
    gl_FragDepth = z;
    counted = body;
}
