float hash1(float x) { return fract(sin(x * 127.1) * 43758.5453); }

float hash2(vec2 p) {
    vec3 q = fract(vec3(p.xyx) * 0.1031);
    q += dot(q, q.yzx + 33.33);
    return fract((q.x + q.y) * q.z);
}

float noise2(vec2 p) {
    vec2 i = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    return mix(mix(hash2(i), hash2(i + vec2(1, 0)), f.x), mix(hash2(i + vec2(0, 1)), hash2(i + vec2(1, 1)), f.x), f.y);
}

float noise3(vec3 p) {
    float i = floor(p.z), f = fract(p.z);
    f = f * f * (3.0 - 2.0 * f);
    return mix(noise2(p.xy + 17.3 * i), noise2(p.xy + 17.3 * (i + 1.0)), f);
}
