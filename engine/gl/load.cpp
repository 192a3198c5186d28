#include "engine/gl/load.hpp"

namespace claybox::engine {

namespace {

GLADloadfunc real_address_of = nullptr;  // of the load that runs; windows are opened by one thread
const char* first_missing = nullptr;

GLADapiproc checked_address_of(const char* name) {
    const GLADapiproc address = real_address_of(name);
    if (address == nullptr && first_missing == nullptr) first_missing = name;
    return address;
}

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

bool load_opengl(GLADloadfunc address_of, std::string& error) {
    real_address_of = address_of;
    first_missing = nullptr;
    const int version = gladLoadGL(checked_address_of);
    if (version >= GLAD_MAKE_VERSION(3, 3) && first_missing == nullptr) return true;
    error = first_missing != nullptr && version != 0
                ? std::string("the OpenGL driver lacks the function ") + first_missing
                : "the OpenGL driver has no OpenGL 3.3";
    return false;
}

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
