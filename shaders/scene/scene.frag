#version 330 core
// Compiled once per surface: SURFACE_MATTE, SURFACE_CLAY, SURFACE_WOOD, SURFACE_GROUND or SURFACE_GLASS.
#include "frame.glsl"
#include "colour.glsl"
#include "light.glsl"
#include "noise.glsl"
#include "clay.glsl"
#include "wood.glsl"

in vec3 world;
in vec3 world_normal;
#ifdef SURFACE_CLAY
in vec3 local;
in float open_cavity;
in float wall;
#endif
flat in vec4 colour;
flat in vec4 material;
flat in uint own;
out vec4 fragment;

// Lines one pixel wide and ten per cent darker, which fade out before they flicker.
float grid_shade(vec3 p, vec3 n, float spacing) {
    if (spacing <= 0.0 || n.y < 0.9) return 1.0;
    vec2 q = p.xz / spacing;
    vec2 w = max(fwidth(q), vec2(1e-6));
    vec2 near = 0.5 - abs(fract(q) - 0.5);
    vec2 line = clamp(1.0 - near / w, 0.0, 1.0) * (1.0 - smoothstep(vec2(0.1), vec2(0.35), w));
    return 1.0 - 0.1 * max(line.x, line.y);
}

void main() {
    Lit l = lit_point(world, world_normal, own);
    vec3 albedo = colour.rgb;
#if defined(SURFACE_CLAY)
    albedo = mark_thin(albedo, wall, material.x, local);
    albedo = mark_frozen(albedo, open_cavity, local);
    vec3 c = clay(l, albedo, mix(clamp(open_cavity, 0.0, 1.0), 0.7, clamp(-2.0 * open_cavity, 0.0, 1.0)),
                  material.z, local);
#elif defined(SURFACE_WOOD)
    vec3 c = matte(l, wood(albedo, abs(l.n.y) > 0.5 ? world : world.xzy), material.x, material.y);
#elif defined(SURFACE_GROUND)
    vec3 c = matte(l, albedo * grid_shade(world, l.n, material.z), material.x, material.y);
#else
    vec3 c = matte(l, albedo, material.x, material.y);
#endif
    c = tone(c + albedo * colour.a);
#ifdef SURFACE_FLOOR
    float far = length(world.xz - frame.fade.zw);
    c = mix(c, backdrop(-l.v), smoothstep(frame.fade.x, frame.fade.y, far));
#endif
    fragment = vec4(dithered(to_srgb(c)), material.w);
}
