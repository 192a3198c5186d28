// Sun with a soft shadow, sky and ground light, contact occlusion.
uniform sampler2DShadow shadow_map;

// How much of the sun reaches a point: a golden-angle disc of comparisons.
float sun_reaches(vec3 p, vec3 n, float facing) {
    if (frame.sun_colour.w < 0.5) return 1.0;
    vec3 q = p + n * (frame.sun_towards.w * (1.6 - facing));
    vec3 s = (frame.shadow_from_world * vec4(q, 1.0)).xyz;
    bool outside = any(lessThan(s, vec3(0.0))) || any(greaterThan(s, vec3(1.0)));
    int taps = outside || facing <= 0.0 ? 0 : 24;
    float sum = 0.0;
    // A loop of a length that is not constant: it ends early where nothing can be lit.
    for (int i = 0; i < taps; ++i) {
        float r = sqrt((float(i) + 0.5) / 24.0) * frame.ground_colour.w;
        float a = 2.39996 * float(i);
        sum += texture(shadow_map, vec3(s.xy + r * vec2(cos(a), sin(a)), s.z - 0.0004));
    }
    return outside ? 1.0 : sum / 24.0;
}

// Spheres darken what is near and faces them. A body skips its own.
float openness(vec3 p, vec3 n, int own) {
    float open = 1.0;
    int count = int(frame.sky_colour.w);
    for (int i = 0; i < count; ++i) {
        vec4 s = frame.occluders[i];
        vec3 d = s.xyz - p;
        float l2 = max(dot(d, d), 1e-12);
        float inv = inversesqrt(l2);
        float o = clamp((0.75 * dot(n, d) + 0.25 * s.w) * inv, 0.0, 1.0) * min(s.w * s.w / l2, 1.0);
        open *= i == own ? 1.0 : 1.0 - frame.camera.w * o;
    }
    return open;
}

struct Lit {
    vec3 n, v;
    float facing, shadow, open;
};

Lit lit_point(vec3 p, vec3 n, int own) {
    Lit l;
    l.n = normalize(n);
    l.v = normalize(frame.camera.xyz - p);
    l.facing = dot(l.n, frame.sun_towards.xyz);
    l.shadow = sun_reaches(p, l.n, l.facing) * smoothstep(0.0, 0.12, l.facing);
    l.open = openness(p, l.n, own);
    return l;
}

vec3 hemisphere(vec3 n) {
    return mix(frame.ground_colour.rgb, frame.sky_colour.rgb, 0.5 + 0.5 * n.y);
}

vec3 sheen(Lit l, float spec, float gloss) {
    vec3 h = normalize(l.v + frame.sun_towards.xyz);
    float fresnel = 0.04 + 0.5 * pow(1.0 - clamp(dot(l.n, l.v), 0.0, 1.0), 5.0);
    vec3 sun = frame.sun_colour.rgb * (pow(max(dot(l.n, h), 0.0), gloss) * l.shadow);
    return spec * (sun + backdrop(reflect(-l.v, l.n)) * (fresnel * l.open));
}

vec3 matte(Lit l, vec3 albedo, float spec, float gloss) {
    vec3 sun = frame.sun_colour.rgb * (max(l.facing, 0.0) * l.shadow * mix(0.8, 1.0, l.open));
    return albedo * (sun + hemisphere(l.n) * l.open) + sheen(l, spec, gloss);
}
