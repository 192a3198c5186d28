# The page for browsers, and the command line for node, from the same object files. See docs/how-to/run-in-a-browser.md.
set(page ${CMAKE_BINARY_DIR}/page)

# The command line, for tests under node: --hash of a scene must equal that of the desktop program.
add_executable(claybox-node main.cpp)
claybox_link_layers(claybox-node HEADLESS)
target_link_options(claybox-node PRIVATE -sENVIRONMENT=node -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB)
set_target_properties(claybox-node PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
if(CLAYBOX_HEADLESS)
  return()
endif()

add_executable(claybox main.cpp)
claybox_link_layers(claybox)
set(fonts /usr/share/fonts/opentype/inter)
target_link_options(claybox PRIVATE -sENVIRONMENT=web -sUSE_GLFW=3 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
  -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=128MB -sFORCE_FILESYSTEM=1 -lidbfs.js
  -sEXPORTED_RUNTIME_METHODS=FS,IDBFS,UTF8ToString,callMain -sINVOKE_RUN=0
  "SHELL:--preload-file ${PROJECT_SOURCE_DIR}/assets@/assets" "SHELL:--exclude-file */desktop/*" "SHELL:--exclude-file */recordings/*"
  "SHELL:--preload-file ${fonts}/Inter-Regular.otf@${fonts}/Inter-Regular.otf"
  "SHELL:--preload-file ${fonts}/Inter-SemiBold.otf@${fonts}/Inter-SemiBold.otf")
set(libraries ${PROJECT_SOURCE_DIR}/engine/xr/web/webxr.js ${PROJECT_SOURCE_DIR}/engine/platform/web/glfw_gaps.js)
foreach(library ${libraries})
  target_link_options(claybox PRIVATE --js-library=${library})
endforeach()
set_target_properties(claybox PROPERTIES LINK_DEPENDS "${libraries}" RUNTIME_OUTPUT_DIRECTORY ${page})
foreach(file index.html page.js touch.js)
  configure_file(web/${file} ${page}/${file} COPYONLY)
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/assets/desktop/claybox.svg ${page}/claybox.svg COPYONLY)
