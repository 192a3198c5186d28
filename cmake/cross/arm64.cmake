# Linux on 64-bit ARM, cross-compiled with the distribution's compiler. qemu-user runs the programs.
# CMAKE_FIND_ROOT_PATH: the folder with the libraries that cmake/cross/libraries has built.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static;-L;/usr/aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/root.cmake)
