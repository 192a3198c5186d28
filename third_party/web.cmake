# The dependencies of the browser build. Headers of the distribution's packages do not depend on the processor, but /usr/include
# as a whole does: a folder of links shows the compiler these packages and nothing else.
set(web_include ${CMAKE_BINARY_DIR}/third_party/include)

# claybox_link_header(PACKAGE PATH): PATH below /usr/include, which PACKAGE installs.
function(claybox_link_header package path)
  if(NOT EXISTS /usr/include/${path})
    claybox_missing(${package})
  endif()
  get_filename_component(name ${path} NAME)
  file(MAKE_DIRECTORY ${web_include})
  file(CREATE_LINK /usr/include/${path} ${web_include}/${name} SYMBOLIC)
endfunction()
claybox_link_header(libhwy-dev hwy)  # compiled for one vector target, it needs no library
claybox_link_header(libboost-dev boost)
claybox_link_header(nlohmann-json3-dev nlohmann)
claybox_link_header(libcli11-dev CLI)
claybox_link_header(libglm-dev glm)
claybox_link_header(libtinyobjloader-dev tiny_obj_loader.h)
claybox_link_header(libstb-dev stb)

foreach(name highway boost json cli11 glm stb)
  claybox_wrap(${name})
  target_include_directories(claybox_third_${name} SYSTEM INTERFACE ${web_include} ${web_include}/stb)
endforeach()
claybox_wrap(spnav)   # a browser reaches no SpaceMouse,
claybox_wrap(openal)  # and the program is silent there

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/tiny_obj_loader.cpp
     CONTENT "#define TINYOBJLOADER_IMPLEMENTATION\n#include <tiny_obj_loader.h>\n")
add_library(claybox_third_tinyobjloader STATIC ${CMAKE_BINARY_DIR}/generated/tiny_obj_loader.cpp)
target_include_directories(claybox_third_tinyobjloader SYSTEM PUBLIC ${web_include})

if(CLAYBOX_HEADLESS)
  return()
endif()

# Dear ImGui is a library of the distribution for its own processor only: ./scripts/web unpacks the source of the same package.
set(CLAYBOX_IMGUI_SOURCE ${PROJECT_SOURCE_DIR}/build/sources/imgui CACHE PATH "Source of Dear ImGui")
if(NOT EXISTS ${CLAYBOX_IMGUI_SOURCE}/imgui.cpp)
  message(FATAL_ERROR "claybox needs the source of the package 'libimgui-dev': run ./scripts/web, which fetches it")
endif()
add_library(claybox_third_imgui STATIC
  ${CLAYBOX_IMGUI_SOURCE}/imgui.cpp ${CLAYBOX_IMGUI_SOURCE}/imgui_draw.cpp ${CLAYBOX_IMGUI_SOURCE}/imgui_tables.cpp
  ${CLAYBOX_IMGUI_SOURCE}/imgui_widgets.cpp ${CLAYBOX_IMGUI_SOURCE}/backends/imgui_impl_glfw.cpp
  ${CLAYBOX_IMGUI_SOURCE}/backends/imgui_impl_opengl3.cpp)
target_include_directories(claybox_third_imgui SYSTEM PUBLIC ${CLAYBOX_IMGUI_SOURCE})
target_compile_definitions(claybox_third_imgui PRIVATE IMGUI_IMPL_OPENGL_ES3 PUBLIC GLFW_INCLUDE_NONE)
foreach(name glfw egl glad)  # Emscripten itself brings what corresponds to them
  claybox_wrap(${name})
endforeach()
target_compile_definitions(claybox_third_glfw INTERFACE GLFW_INCLUDE_NONE)
