#version 330 core

flat in uint id;
out uint fragment;

void main() { fragment = id; }
