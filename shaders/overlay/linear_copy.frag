#version 330 core
// Copies a picture of sRGB bytes pixel by pixel; the texture unit decodes them.
uniform sampler2D encoded;
out vec4 fragment;

void main() {
    fragment = texelFetch(encoded, ivec2(gl_FragCoord.xy), 0);
}
