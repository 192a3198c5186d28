# 64-bit Windows, cross-compiled with MinGW-w64 and its threads of POSIX, which std::thread needs. Wine runs the programs.
# CMAKE_FIND_ROOT_PATH: the folder with the libraries that cmake/cross/libraries has built.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
# The compiler's own libraries become part of each program, so that it starts without them.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
include(${CMAKE_CURRENT_LIST_DIR}/root.cmake)
