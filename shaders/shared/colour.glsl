// Linear light to sRGB.
vec3 to_srgb(vec3 c) {
    c = clamp(c, 0.0, 1.0);
    return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

// Tone curve: identity up to a peak of 0.76, then a shoulder towards 1 that slowly desaturates.
vec3 tone(vec3 c) {
    float peak = max(max(c.r, c.g), c.b);
    const float d = 0.24;
    if (peak <= 1.0 - d) return c;
    float bent = 1.0 - d * d / (peak + d - (1.0 - d));
    c *= bent / peak;
    float pale = 1.0 - 1.0 / (0.15 * (peak - bent) + 1.0);
    return mix(c, vec3(bent), pale);
}

// Noise of half a step hides banding in soft gradients.
vec3 dithered(vec3 srgb) {
    float n = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    return srgb + (n - 0.5) / 255.0;
}

vec3 backdrop(vec3 direction) {
    return mix(frame.backdrop_low.rgb, frame.backdrop_high.rgb, smoothstep(0.0, 0.42, direction.y));
}
