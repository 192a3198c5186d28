// Planks along x, 155 mm wide, with grain, staggered ends and thin joints.
vec3 wood(vec3 albedo, vec3 p) {
    const float kWide = 0.155, kLong = 1.35;
    float plank = floor(p.z / kWide);
    float across = fract(p.z / kWide);
    float along = p.x / kLong + hash1(plank + 3.0);
    float id = plank * 7.0 + floor(along) * 3.0;
    vec2 g = vec2(p.x * 2.2 + hash1(id) * 40.0, p.z * 52.0 + hash1(id + 1.0) * 9.0);
    g.y += 1.4 * noise2(vec2(p.x * 3.0 + id, p.z * 9.0));
    float pixel = length(fwidth(p.xz));
    float fine = 1.0 - smoothstep(0.004, 0.02, pixel);
    float grain = 0.55 * noise2(g) + 0.3 * noise2(g * vec2(1.7, 2.9) + 5.0) * fine +
                  0.15 * noise2(g * vec2(6.0, 7.0) + 11.0) * fine;
    float tone_shift = 0.94 + 0.12 * hash1(id + 2.0);
    vec3 c = albedo * tone_shift * mix(0.74, 0.98, smoothstep(0.15, 0.75, grain));
    vec2 to_joint = vec2(min(across, 1.0 - across) * kWide, min(fract(along), 1.0 - fract(along)) * kLong);
    vec2 w = max(fwidth(p.zx), vec2(1e-6));
    vec2 joint = vec2(1.0) - smoothstep(vec2(0.0006), vec2(0.0006) + w, to_joint);
    joint *= min(vec2(1.0), 0.0016 / w);
    return c * (1.0 - 0.55 * max(joint.x, joint.y));
}
