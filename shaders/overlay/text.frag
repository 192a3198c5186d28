#version 330 core
// Letters engraved in a surface: lit like the surface, with a light lower edge.
#include "frame.glsl"
#include "colour.glsl"
#include "light.glsl"

uniform sampler2D glyphs;
in vec3 world;
in vec2 at;
flat in vec3 world_normal;
flat in vec4 ink;
out vec4 fragment;

void main() {
    // A negative bias sharpens: words of few pixels stay readable.
    float letter = texture(glyphs, at, -0.6).r;
    float edge = texture(glyphs, at + dFdy(at) * frame.viewport.z, -0.6).r;
    Lit l = lit_point(world, world_normal, 0xffffffffu);
    vec3 dark = to_srgb(tone(matte(l, ink.rgb, 0.02, 8.0)));
    vec3 light = to_srgb(tone(matte(l, vec3(1.0), 0.0, 8.0)));
    float light_alpha = 0.65 * edge * (1.0 - letter);
    float alpha = letter * ink.a + light_alpha * ink.a;
    vec3 c = alpha > 0.0 ? (dark * letter * ink.a + light * light_alpha * ink.a) / alpha : dark;
    fragment = vec4(dithered(c), alpha);
}
