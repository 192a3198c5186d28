#include "engine/gl/dialect.hpp"

#include "engine/gl/gl.hpp"

#include <emscripten/html5.h>

namespace claybox::engine {

const char* shader_version() {
    return "#version 300 es";
}

/// A page sees the card's own name behind an extension only.
std::string device_name() {
    constexpr GLenum kUnmaskedRenderer = 0x9246;
    const bool can = emscripten_webgl_enable_extension(emscripten_webgl_get_current_context(),
                                                       "WEBGL_debug_renderer_info") == EM_TRUE;
    const auto* name = reinterpret_cast<const char*>(glGetString(can ? kUnmaskedRenderer : GL_RENDERER));
    return name != nullptr ? name : "";
}

/// Without a precision, fragments would compute with 16 bits on some phones.
std::string_view shader_start() {
    return "#version 300 es\n"
           "precision highp float;\n"
           "precision highp int;\n"
           "precision highp sampler2D;\n"
           "precision highp sampler2DShadow;\n"
           "precision highp usampler2D;\n";
}

bool converts_to_srgb() {
    return false;
}

void convert_to_srgb(bool) {}

void sharpen_at_an_angle(float samples) {
    constexpr GLenum kMaxAnisotropy = 0x84FE;  // GL_TEXTURE_MAX_ANISOTROPY_EXT
    static const bool can = emscripten_webgl_enable_extension(emscripten_webgl_get_current_context(),
                                                              "EXT_texture_filter_anisotropic") == EM_TRUE;
    if (can) glTexParameterf(GL_TEXTURE_2D, kMaxAnisotropy, samples);
}

}  // namespace claybox::engine
