#version 330 core
#include "frame.glsl"
#include "instance.glsl"

out vec3 world;
out vec3 world_normal;
#ifdef SURFACE_CLAY
layout(location = 10) in float thickness;
out vec3 local;
out float open_cavity;
out float wall;
#endif
flat out vec4 colour;
flat out vec4 material;
flat out uint own;

void main() {
    world = to_world(position);
    world_normal = normal_to_world(normal);
    float size = length(world_normal);
    world_normal = size > 0.0 ? world_normal / size : vec3(0.0, 1.0, 0.0);
#ifdef SURFACE_CLAY
    local = position;
    open_cavity = cavity;
    wall = thickness;
#endif
    colour = albedo_emission;
    material = params;
    own = tags.x;
    gl_Position = frame.clip_from_world * vec4(world, 1.0);
}
