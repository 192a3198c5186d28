#include "engine/gl/desktop/load.hpp"

namespace claybox::engine {

namespace {

GLADloadfunc real_address_of = nullptr;  // of the load that runs; windows are opened by one thread
const char* first_missing = nullptr;

GLADapiproc checked_address_of(const char* name) {
    const GLADapiproc address = real_address_of(name);
    if (address == nullptr && first_missing == nullptr) first_missing = name;
    return address;
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

}  // namespace claybox::engine
