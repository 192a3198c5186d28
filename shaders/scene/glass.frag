#version 330 core
// Glass panes: nearly clear, whiter at grazing angles, with two soft diagonal streaks. Drawn last, over everything.
#include "frame.glsl"
#include "colour.glsl"

in vec3 world;
in vec3 world_normal;
flat in vec4 colour;
flat in vec4 material;
flat in uint own;
out vec4 fragment;

float streak(float at, float centre, float half_width) {
    return 1.0 - smoothstep(half_width * 0.15, half_width, abs(at - centre));
}

void main() {
    vec3 n = normalize(world_normal);
    vec3 v = normalize(frame.camera.xyz - world);
    vec3 from_centre = world - frame.target.xyz;
    if (dot(n, from_centre) < 0.0) n = -n;
    // The front pane shows the streaks most, the sides less, the back least.
    float side = dot(n, normalize(frame.camera.xyz - frame.target.xyz));
    float strength = side > 0.0 ? mix(0.7, 1.0, side) : mix(0.7, 0.35, -side);
    // Streaks slope to the right on every pane, whatever its normal.
    vec3 right = vec3(abs(n.z) >= abs(n.x) ? 1.0 : 0.0, 0.0, abs(n.z) >= abs(n.x) ? 0.0 : 1.0);
    float at = (0.62 * dot(from_centre, right) + from_centre.y) / frame.backdrop_low.w;
    float streaks = 0.14 * streak(at, -0.20, 0.17) + 0.10 * streak(at, 0.24, 0.09);
    if (abs(n.y) > 0.9) streaks = 0.0;
    float grazing = 1.0 - abs(dot(n, v));
    float alpha = 0.06 + 0.36 * grazing * grazing * grazing * grazing + streaks * strength;
    // On a light background only a cooler tone is visible, on a dark one only a lighter tone.
    vec3 tone = frame.viewport.w > 0.5 ? vec3(0.93, 0.97, 1.0) : vec3(0.80, 0.89, 0.97);
    fragment = vec4(dithered(tone), clamp(alpha * material.w, 0.0, 1.0));
}
