#pragma once
// OpenXR's OpenGL structures need the headers of X11, GLX and EGL, which define common words as macros.

#define XR_USE_GRAPHICS_API_OPENGL
#define XR_USE_PLATFORM_XLIB
#define XR_USE_PLATFORM_EGL
#define GL_GLEXT_PROTOTYPES

// The last header needs the ones before it.
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
