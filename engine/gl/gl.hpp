#pragma once
// The only file that includes the OpenGL loader.

#include <glad/gl.h>
