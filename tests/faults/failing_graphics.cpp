// Calls of GLFW and OpenGL that fail. Names: `glfw` (any call of GLFW that may fail: a display or a monitor
// that is not there), `glload` (the driver lacks a function), `shader` and `program` (they are not created,
// do not compile or link), `framebuffer` (the driver refuses it), `glmemory` (the graphics card has no memory
// for a buffer, a texture or a picture).
#include "tests/faults/failing.hpp"

#include <cerrno>
#include <cstring>

#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>

namespace {

using claybox::faults::fails;
using claybox::faults::next;

GLenum noted_error = GL_NO_ERROR;  // the next glGetError() reports it

bool memory_fails() {
    if (!fails("glmemory", ENOMEM)) return false;
    noted_error = GL_OUT_OF_MEMORY;
    return true;
}

/// The tag keeps functions of the same type apart.
template <class Tag, class Function>
struct Real {
    static inline Function function = nullptr;
};

// One wrapper for each function.
struct BufferData : Real<BufferData, PFNGLBUFFERDATAPROC> {
    static void call(GLenum target, GLsizeiptr size, const void* data, GLenum usage) {
        if (!memory_fails()) function(target, size, data, usage);
    }
};
struct TexImage
    : Real<TexImage, void (*)(GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void*)> {
    static void call(GLenum target, GLint level, GLint kind, GLsizei width, GLsizei height, GLint border,
                     GLenum format, GLenum type, const void* pixels) {
        if (!memory_fails()) function(target, level, kind, width, height, border, format, type, pixels);
    }
};
struct BufferSubData : Real<BufferSubData, PFNGLBUFFERSUBDATAPROC> {
    static void call(GLenum target, GLintptr offset, GLsizeiptr size, const void* data) {
        if (!memory_fails()) function(target, offset, size, data);
    }
};
struct TexSubImage : Real<TexSubImage, void (*)(GLenum, GLint, GLint, GLint, GLsizei, GLsizei, GLenum, GLenum,
                                                const void*)> {
    static void call(GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height,
                     GLenum format, GLenum type, const void* pixels) {
        if (!memory_fails()) function(target, level, x, y, width, height, format, type, pixels);
    }
};
struct TexStorage : Real<TexStorage, PFNGLTEXSTORAGE2DPROC> {
    static void call(GLenum target, GLsizei levels, GLenum format, GLsizei width, GLsizei height) {
        if (!memory_fails()) function(target, levels, format, width, height);
    }
};
struct Mipmap : Real<Mipmap, PFNGLGENERATEMIPMAPPROC> {
    static void call(GLenum target) {
        if (!memory_fails()) function(target);
    }
};
struct Storage : Real<Storage, PFNGLRENDERBUFFERSTORAGEPROC> {
    static void call(GLenum target, GLenum format, GLsizei width, GLsizei height) {
        if (!memory_fails()) function(target, format, width, height);
    }
};
struct MultisampleStorage : Real<MultisampleStorage, PFNGLRENDERBUFFERSTORAGEMULTISAMPLEPROC> {
    static void call(GLenum target, GLsizei samples, GLenum format, GLsizei width, GLsizei height) {
        if (!memory_fails()) function(target, samples, format, width, height);
    }
};
struct ReadPixels : Real<ReadPixels, void (*)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void*)> {
    static void call(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                     void* pixels) {
        if (!memory_fails()) function(x, y, width, height, format, type, pixels);
    }
};
struct GetError : Real<GetError, GLenum (*)()> {
    static GLenum call() {
        const GLenum noted = noted_error;
        noted_error = GL_NO_ERROR;
        return noted != GL_NO_ERROR ? noted : function();
    }
};
struct FramebufferStatus : Real<FramebufferStatus, PFNGLCHECKFRAMEBUFFERSTATUSPROC> {
    static GLenum call(GLenum target) {
        return fails("framebuffer", EINVAL) ? static_cast<GLenum>(GL_FRAMEBUFFER_UNSUPPORTED)
                                            : function(target);
    }
};
struct CreateShader : Real<CreateShader, PFNGLCREATESHADERPROC> {
    static GLuint call(GLenum stage) { return fails("shader", ENOMEM) ? 0 : function(stage); }
};
struct CreateProgram : Real<CreateProgram, PFNGLCREATEPROGRAMPROC> {
    static GLuint call() { return fails("program", ENOMEM) ? 0 : function(); }
};
struct ShaderStatus : Real<ShaderStatus, PFNGLGETSHADERIVPROC> {
    static void call(GLuint shader, GLenum name, GLint* value) {
        function(shader, name, value);
        if (name == GL_COMPILE_STATUS && fails("shader", EINVAL)) *value = GL_FALSE;
    }
};

struct ProgramStatus : Real<ProgramStatus, PFNGLGETPROGRAMIVPROC> {
    static void call(GLuint program, GLenum name, GLint* value) {
        function(program, name, value);
        if (name == GL_LINK_STATUS && fails("program", EINVAL)) *value = GL_FALSE;
    }
};

template <class Tag>
GLFWglproc wrapped(GLFWglproc real) {
    Tag::function = reinterpret_cast<decltype(Tag::function)>(real);
    return reinterpret_cast<GLFWglproc>(&Tag::call);
}

GLFWglproc with_faults(const char* name, GLFWglproc real) {
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    if (is("glBufferData")) return wrapped<BufferData>(real);
    if (is("glTexImage2D")) return wrapped<TexImage>(real);
    if (is("glBufferSubData")) return wrapped<BufferSubData>(real);
    if (is("glTexSubImage2D")) return wrapped<TexSubImage>(real);
    if (is("glTexStorage2D")) return wrapped<TexStorage>(real);
    if (is("glGenerateMipmap")) return wrapped<Mipmap>(real);
    if (is("glCreateShader")) return wrapped<CreateShader>(real);
    if (is("glCreateProgram")) return wrapped<CreateProgram>(real);
    if (is("glRenderbufferStorage")) return wrapped<Storage>(real);
    if (is("glRenderbufferStorageMultisample")) return wrapped<MultisampleStorage>(real);
    if (is("glReadPixels")) return wrapped<ReadPixels>(real);
    if (is("glGetError")) return wrapped<GetError>(real);
    if (is("glCheckFramebufferStatus")) return wrapped<FramebufferStatus>(real);
    if (is("glGetShaderiv")) return wrapped<ShaderStatus>(real);
    if (is("glGetProgramiv")) return wrapped<ProgramStatus>(real);
    return real;
}

}  // namespace

extern "C" {

GLFWglproc glfwGetProcAddress(const char* name) {
    const GLFWglproc real = next<GLFWglproc (*)(const char*)>("glfwGetProcAddress")(name);
    return real == nullptr || fails("glload", ENOSYS) ? nullptr : with_faults(name, real);
}
int glfwInit() {
    return fails("glfw", EIO) ? GLFW_FALSE : next<int (*)()>("glfwInit")();
}
GLFWwindow* glfwCreateWindow(int width, int height, const char* title, GLFWmonitor* monitor,
                             GLFWwindow* share) {
    using Create = GLFWwindow* (*)(int, int, const char*, GLFWmonitor*, GLFWwindow*);
    return fails("glfw", EIO) ? nullptr
                              : next<Create>("glfwCreateWindow")(width, height, title, monitor, share);
}
GLFWmonitor* glfwGetPrimaryMonitor() {
    return fails("glfw", EIO) ? nullptr : next<GLFWmonitor* (*)()>("glfwGetPrimaryMonitor")();
}
const GLFWvidmode* glfwGetVideoMode(GLFWmonitor* monitor) {
    using Mode = const GLFWvidmode* (*)(GLFWmonitor*);
    return fails("glfw", EIO) ? nullptr : next<Mode>("glfwGetVideoMode")(monitor);
}
GLFWcursor* glfwCreateStandardCursor(int shape) {
    return fails("glfw", EIO) ? nullptr : next<GLFWcursor* (*)(int)>("glfwCreateStandardCursor")(shape);
}
const char* glfwGetClipboardString(GLFWwindow* window) {
    return fails("glfw", EIO) ? nullptr
                              : next<const char* (*)(GLFWwindow*)>("glfwGetClipboardString")(window);
}

}  // extern "C"
