#version 330 core
flat in vec4 colour;
out vec4 fragment;

void main() { fragment = colour; }
