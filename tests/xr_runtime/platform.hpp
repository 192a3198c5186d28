#pragma once
// OpenXR's OpenGL structs need X11, GLX and EGL, whose headers define everyday words as macros.

#define XR_USE_GRAPHICS_API_OPENGL
#define XR_USE_PLATFORM_XLIB
#define XR_USE_PLATFORM_EGL
#define GL_GLEXT_PROTOTYPES

// The last one needs those before it.
// clang-format off
#include <EGL/egl.h>
#include <GL/glx.h>
#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>
// clang-format on

#undef None
#undef Always
#undef Bool
#undef Status
#undef Success
