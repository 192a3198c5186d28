#pragma once
// The one place that names the OpenGL loader.

#include <glad/gl.h>
