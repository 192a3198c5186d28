#include "engine/gl/errors.hpp"

#include "engine/gl/gl.hpp"

namespace claybox::engine {

namespace {

const char* name_of(GLenum error) {
    switch (error) {
        case GL_INVALID_ENUM:
            return "invalid enum";
        case GL_INVALID_VALUE:
            return "invalid value";
        case GL_INVALID_OPERATION:
            return "invalid operation";
        case GL_INVALID_FRAMEBUFFER_OPERATION:
            return "invalid framebuffer operation";
        case GL_OUT_OF_MEMORY:
            return "out of memory";
        default:
            return "unknown error";
    }
}

}  // namespace

std::string take_opengl_errors() {
    constexpr int kMost = 16;  // a lost context reports errors without end
    std::string names;
    for (int i = 0; i < kMost; ++i) {
        const GLenum error = glGetError();
        if (error == GL_NO_ERROR) break;
        const std::string name = name_of(error);
        if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + name;
    }
    return names.empty() ? names : "OpenGL reports: " + names;
}

}  // namespace claybox::engine
