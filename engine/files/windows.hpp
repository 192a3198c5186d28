#pragma once
// The header of Windows, without its rarely used parts and without its macros `min` and `max`. Only for
// sources of Windows.

#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
