#version 330 core
// Letters cut into a surface: a distance field, lit as what it is cut into, with a light lower edge.
#include "frame.glsl"
#include "colour.glsl"
#include "light.glsl"

uniform sampler2D glyphs;
in vec3 world;
in vec2 at;
flat in vec3 world_normal;
flat in vec4 ink;
out vec4 fragment;

float cover(vec2 uv, float per_pixel) {
    return clamp((texture(glyphs, uv).r - 0.5) / max(per_pixel, 1e-4) + 0.5, 0.0, 1.0);
}

void main() {
    vec2 dx = dFdx(at), dy = dFdy(at);
    vec2 size = vec2(textureSize(glyphs, 0));
    // The field changes by 1 over 2 * 8 texels; a pixel spans this many of them.
    float texels = 0.5 * (length(dx * size) + length(dy * size));
    float per_pixel = texels / 16.0;
    float letter = cover(at, per_pixel);
    float edge = cover(at + dy * frame.viewport.z, per_pixel);
    Lit l = lit_point(world, world_normal, 64);
    vec3 dark = to_srgb(tone(matte(l, ink.rgb, 0.02, 8.0)));
    vec3 light = to_srgb(tone(matte(l, vec3(1.0), 0.0, 8.0)));
    float light_alpha = 0.65 * edge * (1.0 - letter);
    float alpha = letter * ink.a + light_alpha * ink.a;
    vec3 c = alpha > 0.0 ? (dark * letter * ink.a + light * light_alpha * ink.a) / alpha : dark;
    fragment = vec4(dithered(c), alpha);
}
