#pragma once
// The only file that includes the functions of OpenGL 3.3: through a loader on a desktop, as WebGL 2 in a
// browser.

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <glad/gl.h>
#endif
