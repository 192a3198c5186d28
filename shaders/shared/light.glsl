// Sunlight with a soft shadow, sky and ground light, contact occlusion.
uniform sampler2DShadow shadow_map;
uniform usampler2D occluder_cells;

#define TAP(x, y) texture(shadow_map, vec3(s.xy + vec2(x, y) * radius, s.z + dot(slope, vec2(x, y)) * radius))

// Share of sunlight at a point: 24 shadow comparisons on a golden-angle disc of radius 1. Eight come first; only if
// they disagree, at a shadow's border, are the others needed. The branches are written as loops: the only kind of
// branch that software renderers leave early.
float sun_reaches(vec3 p, vec3 n, float facing) {
    vec3 q = p + n * (frame.sun_towards.w * (1.6 - facing));
    vec3 s = (frame.shadow_from_world * vec4(q, 1.0)).xyz;
    // On a slanted surface the depth changes from tap to tap; without this correction it would shadow itself.
    vec3 to_x = vec3(frame.shadow_from_world[0].x, frame.shadow_from_world[1].x, frame.shadow_from_world[2].x);
    vec3 to_y = vec3(frame.shadow_from_world[0].y, frame.shadow_from_world[1].y, frame.shadow_from_world[2].y);
    vec3 to_z = vec3(frame.shadow_from_world[0].z, frame.shadow_from_world[1].z, frame.shadow_from_world[2].z);
    float steep = length(to_z) / (dot(to_x, to_x) * max(facing, 0.1));
    vec2 slope = vec2(dot(to_x, n), dot(to_y, n)) * steep;
    bool outside = any(lessThan(s, vec3(0.0))) || any(greaterThan(s, vec3(1.0))) || frame.sun_colour.w < 0.5;
    float radius = frame.ground_colour.w;
    s.z -= 0.0004;
    float sum = 24.0;
    int first = outside || facing <= 0.0 ? 0 : 1;
    for (int k = 0; k < first; ++k) {
        float probe = 0.0;
        probe += TAP(0.2171, -0.9654);
        probe += TAP(-0.7948, 0.5531);
        probe += TAP(0.9380, 0.1261);
        probe += TAP(-0.5922, -0.7096);
        probe += TAP(-0.0416, 0.9004);
        probe += TAP(0.2803, -0.5991);
        probe += TAP(0.4039, -0.2569);
        probe += TAP(-0.1843, 0.1689);
        sum = probe * 3.0;
        int others = probe > 0.01 && probe < 7.99 ? 1 : 0;
        for (int j = 0; j < others; ++j) {
            sum = probe;
            sum += TAP(0.1443, 0.0000);
            sum += TAP(0.0282, -0.3215);
            sum += TAP(0.2324, 0.3031);
            sum += TAP(-0.4264, -0.0754);
            sum += TAP(-0.1351, 0.5026);
            sum += TAP(-0.2577, -0.4961);
            sum += TAP(0.5590, 0.2041);
            sum += TAP(-0.5815, 0.2401);
            sum += TAP(0.2072, 0.6605);
            sum += TAP(-0.6244, -0.3618);
            sum += TAP(0.7325, -0.1611);
            sum += TAP(-0.4470, 0.6359);
            sum += TAP(-0.1033, -0.7970);
            sum += TAP(0.6340, 0.5343);
            sum += TAP(-0.8532, 0.0353);
            sum += TAP(0.6223, -0.6193);
        }
    }
    return sum / 24.0;
}

// Contact occlusion: spheres darken surfaces that face them, up to six radii away. A body ignores its own spheres,
// three at most. A grid over x and z lists the relevant spheres of each cell, one per byte, 255 for none.
float openness(vec3 p, vec3 n, uint own) {
    float open = 1.0;
    vec2 cell = clamp((p.xz - frame.cells.xy) * frame.cells.zw, vec2(0.0), vec2(31.0));
    uvec4 names = texelFetch(occluder_cells, ivec2(cell), 0);
    uint next = names.x & 255u;
    for (int i = 1; next != 255u; ++i) {
        vec4 s = frame.occluders[next];
        vec3 d = s.xyz - p;
        float l2 = max(dot(d, d), 1e-12);
        float size2 = s.w * s.w;
        float o = clamp((0.75 * dot(n, d) + 0.25 * s.w) * inversesqrt(l2), 0.0, 1.0);
        o *= min(size2 / l2, 1.0) * clamp(1.0 - l2 / (36.0 * size2), 0.0, 1.0);
        uvec3 mine = uvec3(own, own >> 8, own >> 16) & 255u;
        open *= any(equal(mine, uvec3(next))) ? 1.0 : 1.0 - frame.camera.w * o;
        names = (i & 3) == 0 ? uvec4(names.yzw, 0xffffffffu) : uvec4(names.x >> 8, names.yzw);
        next = i < 16 ? names.x & 255u : 255u;
    }
    return open;
}

struct Lit {
    vec3 n, v;
    float facing, shadow, open;
};

Lit lit_point(vec3 p, vec3 n, uint own) {
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
