#include "engine/gl/dialect.hpp"

#include "engine/gl/gl.hpp"

namespace claybox::engine {

const char* shader_version() {
    return "#version 330 core";
}

std::string device_name() {
    const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    return name != nullptr ? name : "";
}

std::string_view shader_start() {
    return "#version 330 core\n";
}

bool converts_to_srgb() {
    return glIsEnabled(GL_FRAMEBUFFER_SRGB) == GL_TRUE;
}

void convert_to_srgb(bool on) {
    if (on)
        glEnable(GL_FRAMEBUFFER_SRGB);
    else
        glDisable(GL_FRAMEBUFFER_SRGB);
}

void sharpen_at_an_angle(float samples) {
    if (GLAD_GL_EXT_texture_filter_anisotropic)
        glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, samples);
}

}  // namespace claybox::engine
