# What a window needs: left out of headless builds.
find_package(PkgConfig QUIET)
if(NOT PkgConfig_FOUND)
  claybox_missing(pkg-config)
endif()

find_package(glfw3 3.3 QUIET)
if(NOT glfw3_FOUND)
  claybox_missing(libglfw3-dev)
endif()
claybox_wrap(glfw glfw)

pkg_check_modules(IMGUI QUIET IMPORTED_TARGET imgui)
if(NOT IMGUI_FOUND)
  claybox_missing(libimgui-dev)
endif()
claybox_wrap(imgui PkgConfig::IMGUI glfw ${CMAKE_DL_LIBS})

find_package(OpenXR QUIET)
if(NOT OpenXR_FOUND)
  claybox_missing(libopenxr-dev)
endif()
claybox_wrap(openxr OpenXR::openxr_loader OpenXR::headers)
claybox_wrap(openxr_headers OpenXR::headers)

find_library(CLAYBOX_EGL EGL)
if(NOT CLAYBOX_EGL)
  claybox_missing(libegl-dev)
endif()
claybox_wrap(egl ${CLAYBOX_EGL})

# A headset's runtime is told of the window's context in the words of the window system, and reaches it by them.
if(UNIX)
  find_library(CLAYBOX_GL GL)
  find_package(X11 QUIET)
  if(NOT CLAYBOX_GL OR NOT X11_FOUND)
    claybox_missing(libgl-dev)
  endif()
  claybox_wrap(glx ${CLAYBOX_GL} X11::X11)
else()
  claybox_wrap(glx opengl32)
endif()

find_program(CLAYBOX_GLAD glad)
if(NOT CLAYBOX_GLAD)
  claybox_missing(python3-glad)
endif()
set(glad_dir ${CMAKE_BINARY_DIR}/generated/glad)
add_custom_command(
  OUTPUT ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h
  COMMAND ${CLAYBOX_GLAD} --api gl:core=3.3 --extensions GL_EXT_texture_filter_anisotropic,GL_KHR_debug
          --reproducible --quiet --out-path ${glad_dir} c
  COMMENT "Generating the OpenGL loader"
  VERBATIM)
enable_language(C)
add_library(claybox_third_glad STATIC ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h)
target_include_directories(claybox_third_glad SYSTEM PUBLIC ${glad_dir}/include)
target_link_libraries(claybox_third_glad PUBLIC ${CMAKE_DL_LIBS})
