#version 330 core
#include "frame.glsl"
layout(location = 0) in vec4 p_radius;       // pixels for a disc, metres for a halo
layout(location = 1) in vec4 inner_colour;
layout(location = 2) in vec4 border_colour;

flat out vec4 inner;
flat out vec4 border;
flat out float radius;
out vec2 at;

void main() {
    vec2 side = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    vec4 c = frame.clip_from_world * vec4(p_radius.xyz, 1.0);
    inner = inner_colour;
    border = border_colour;
#ifdef HALO
    // Pixels per metre at that depth follow from the second row of the camera's matrix. With an asymmetric field of
    // view that row contains some of the forward direction (the last row), which must be removed.
    mat4 m = frame.clip_from_world;
    vec3 up = vec3(m[0][1], m[1][1], m[2][1]), forward = vec3(m[0][3], m[1][3], m[2][3]);
    float metre = length(up - dot(up, forward) * forward);
    radius = p_radius.w * metre / max(c.w, 1e-4) * 0.5 * frame.viewport.y;
    c = frame.clip_from_world * vec4(mix(p_radius.xyz, frame.camera.xyz, 0.02), 1.0);
#else
    radius = p_radius.w * frame.viewport.z;
#endif
    at = side * (radius + 1.0);
    gl_Position = c.w > 0.0 ? vec4(c.xy + at / (0.5 * frame.viewport.xy) * c.w, c.zw) : vec4(2.0, 2.0, 2.0, 1.0);
}
