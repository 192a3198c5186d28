#version 330 core
#include "frame.glsl"

flat in vec4 inner;
flat in vec4 border;
flat in float radius;
in vec2 at;
out vec4 fragment;

void main() {
    float r = length(at);
#ifdef HALO
    float t = clamp(1.0 - r / max(radius, 1e-3), 0.0, 1.0);
    fragment = vec4(inner.rgb, inner.a * t * t);
#else
    float core = border.a > 0.0 ? radius - 2.5 * frame.viewport.z : radius;
    float inside = clamp(core + 0.5 - r, 0.0, 1.0);
    vec4 c = mix(border.a > 0.0 ? border : inner, inner, inside);
    fragment = vec4(c.rgb, c.a * clamp(radius + 0.5 - r, 0.0, 1.0));
#endif
}
