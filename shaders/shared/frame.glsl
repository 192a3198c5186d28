// Data shared by all shaders of a frame. Same layout as FrameBlock in engine/render/frame.hpp.
layout(std140) uniform Frame {
    mat4 clip_from_world;
    mat4 shadow_from_world;
    vec4 camera;          // position; w: strength of contact occlusion
    vec4 sun_towards;     // unit; w: normal offset of shadow look-ups, metres
    vec4 sun_colour;      // w: 1 if anything casts a shadow
    vec4 sky_colour;
    vec4 ground_colour;   // w: radius of the shadow disc in texture units
    vec4 backdrop_low;    // linear; w: half width of the lit region, metres
    vec4 backdrop_high;
    vec4 fade;            // start, end, centre x, centre z
    vec4 viewport;        // width, height, scale, 1 for the dark theme
    vec4 target;          // the camera's target
    vec4 cells;           // occluder grid: minimum x and z, cells per metre
    vec4 occluders[64];   // centre, radius
} frame;
