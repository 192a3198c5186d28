#pragma once
// What differs between OpenGL 3.3 and WebGL 2, the OpenGL ES 3.0 of browsers. Each function has one file in
// desktop/ and one in web/. Passes that WebGL cannot draw at all lie in such folders of engine/render.

#include <string>
#include <string_view>

namespace claybox::engine {

/// The version line of Dear ImGui's own shaders.
const char* shader_version();
/// Of the graphics card; empty if unknown.
std::string device_name();
/// Takes the place of a shader's version line; several lines.
std::string_view shader_start();

/// Whether writing into an sRGB framebuffer converts from linear colours. A browser never converts.
bool converts_to_srgb();
void convert_to_srgb(bool on);

/// Sharper pictures of the bound 2D texture at grazing angles, where the driver can.
void sharpen_at_an_angle(float samples);

}  // namespace claybox::engine
