// Walls below the limit turn amber and, from half of it down, crimson. A hatch and a border at the limit make them
// readable without colour. The colours are those of candidates and collisions in materials.txt, linear.
vec3 mark_thin(vec3 albedo, float wall, float limit, vec3 p_local) {
    const vec3 amber = vec3(0.694, 0.371, 0.053), crimson = vec3(0.479, 0.032, 0.050);
    const float spacing = 0.0045;
    float blur = max(fwidth(wall), 1e-6);
    float stripe = dot(p_local, vec3(0.45, 0.77, 0.45)) / spacing;
    float width = fwidth(stripe);
    if (limit <= 0.0) return albedo;
    float thin = clamp(0.5 + (limit - wall) / blur, 0.0, 1.0);
    float near = abs(fract(stripe) - 0.5);
    float hatch = (1.0 - smoothstep(0.14 - 0.5 * width, 0.14 + 0.5 * width, near)) * (1.0 - smoothstep(0.3, 0.7, width));
    float border = clamp(1.6 - abs(wall - limit) / blur, 0.0, 1.0);
    albedo = mix(albedo, mix(crimson, amber, smoothstep(0.5 * limit, limit, wall)), 0.8 * thin);
    return albedo * (1.0 - 0.5 * max(hatch * thin, border));
}

// Frozen clay is slate, with dots and a border that are readable without colour. Its cavity is below 0.
vec3 mark_frozen(vec3 albedo, float cavity_value, vec3 p_local) {
    const vec3 slate = vec3(0.16, 0.18, 0.22);
    const float spacing = 0.004;
    float frozen = clamp(-1.5 * cavity_value, 0.0, 1.0);
    float blur = max(fwidth(cavity_value), 1e-6);
    vec3 cell = p_local / spacing;
    vec3 in_cell = fract(cell) - 0.5;
    float width = length(fwidth(cell));
    if (frozen <= 0.0) return albedo;
    float border = clamp(1.6 - abs(cavity_value + 0.3) / blur, 0.0, 1.0);
    float dots = (1.0 - smoothstep(0.3, 0.3 + width, length(in_cell))) * (1.0 - smoothstep(0.4, 0.9, width));
    albedo = mix(albedo, slate, 0.75 * frozen);
    return albedo * (1.0 - 0.35 * max(dots * frozen, border));
}

// Clay: wrapped diffuse light, darker grooves, and a wet sheen that reflects a soft box at the upper left.
vec3 clay(Lit l, vec3 albedo, float cavity_value, float wetness, vec3 p_local) {
    float wrapped = clamp((dot(l.n, frame.sun_towards.xyz) + 0.22) / 1.22, 0.0, 1.0);
    float shadow = mix(0.22, 1.0, l.shadow);
    float open = pow(l.open, 1.7);
    albedo *= mix(0.62, 1.0, cavity_value);
    vec3 base = albedo * (frame.sun_colour.rgb * (wrapped * shadow * mix(0.8, 1.0, open)) + hemisphere(l.n) * open);
    vec3 r = reflect(-l.v, l.n);
    float box = dot(r, normalize(vec3(-0.62, 0.55, 0.56)));
    float shine = smoothstep(0.60, 0.92, box) * 0.20 + smoothstep(0.93, 0.985, box) * 0.16;
    float sun = max(dot(r, frame.sun_towards.xyz), 0.0);
    shine += (pow(sun, 70.0) * 0.34 + pow(sun, 14.0) * 0.07) * shadow;
    float patches = mix(0.55, 1.25, noise3(p_local * vec3(38.0, 90.0, 38.0)));
    return base + frame.sun_colour.rgb * (shine * wetness * patches * mix(0.4, 1.0, cavity_value) * open);
}
