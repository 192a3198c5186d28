// A line segment as a screen-aligned quad with a width in pixels.
struct QuadLine {
    vec4 position;
    float across, along, pixels;  // pixels from the centre line, pixels from the start, total length
};

vec3 nearer(vec3 p, float bias) { return mix(p, frame.camera.xyz, bias); }

QuadLine quad_line(vec3 from_w, vec3 to_w, int end, int side, float half_width, float cap, float bias) {
    vec4 a = frame.clip_from_world * vec4(nearer(from_w, bias), 1.0);
    vec4 b = frame.clip_from_world * vec4(nearer(to_w, bias), 1.0);
    // Clips the part behind the eye; otherwise the quad would turn inside out.
    float near_a = a.z + a.w, near_b = b.z + b.w;
    if (near_a < 0.0 && near_b > 0.0) a = mix(a, b, near_a / (near_a - near_b) * 1.0001);
    if (near_b < 0.0 && near_a > 0.0) b = mix(b, a, near_b / (near_b - near_a) * 1.0001);
    QuadLine q;
    q.across = 0.0;
    q.along = 0.0;
    q.pixels = 0.0;
    q.position = vec4(2.0, 2.0, 2.0, 1.0);
    if (near_a < 0.0 && near_b < 0.0) return q;
    vec2 half_size = 0.5 * frame.viewport.xy;
    vec2 step_px = b.xy / b.w * half_size - a.xy / a.w * half_size;
    q.pixels = length(step_px);
    vec2 d = q.pixels > 1e-4 ? step_px / q.pixels : vec2(1.0, 0.0);
    q.across = (side == 0 ? -1.0 : 1.0) * half_width;
    q.along = end == 0 ? -cap : q.pixels + cap;
    vec2 offset = vec2(-d.y, d.x) * q.across + d * (end == 0 ? -cap : cap);
    q.position = end == 0 ? a : b;
    q.position.xy += offset / half_size * q.position.w;
    return q;
}
