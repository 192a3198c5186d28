// Attributes of one instance: rows of world_from_local, material and tags.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float cavity;
layout(location = 3) in vec4 row0;
layout(location = 4) in vec4 row1;
layout(location = 5) in vec4 row2;
layout(location = 6) in vec4 albedo_emission;   // linear
layout(location = 7) in vec4 params;            // spec or (clay) limit of thin walls, gloss, wetness or grid, opacity
layout(location = 8) in uvec2 tags;             // own occluders, one per byte; pick number

vec3 to_world(vec3 p) {
    vec4 h = vec4(p, 1.0);
    return vec3(dot(row0, h), dot(row1, h), dot(row2, h));
}

// Cofactors instead of an inverse: correct for non-uniform scales, and cheap.
vec3 normal_to_world(vec3 n) {
    vec3 a = row0.xyz, b = row1.xyz, c = row2.xyz;
    vec3 turned = vec3(dot(cross(b, c), n), dot(cross(c, a), n), dot(cross(a, b), n));
    return dot(a, cross(b, c)) < 0.0 ? -turned : turned;
}
