# Installs the program into a folder of its own and runs it there: it finds its assets without the source and build trees.
# BUILD: build folder of the program; HEADLESS: true without graphics.
set(work ${BUILD}/installed-program)
set(assets ${work}/prefix/share/claybox/assets)
file(REMOVE_RECURSE ${work})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component program --prefix ${work}/prefix RESULT_VARIABLE result
  OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0 OR NOT EXISTS ${assets}/icons OR IS_SYMLINK ${assets})
  message(FATAL_ERROR "cmake --install did not install ${assets}:\n${output}")
endif()

# claybox(ERROR_PATTERN OUTPUT_PATTERN arguments...): runs the installed program in the root folder.
function(claybox errors wanted)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=CLAYBOX_ASSETS ${work}/prefix/bin/claybox ${ARGN} WORKING_DIRECTORY /
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error)
  if(NOT result EQUAL 0 OR NOT error MATCHES "${errors}" OR NOT output MATCHES "${wanted}")
    message(FATAL_ERROR "claybox ${ARGN}: status ${result}, expected '${wanted}' and '${errors}'\n${output}\n${error}")
  endif()
endfunction()

claybox("^$" "^claybox [0-9]" --version)
claybox("^$" "keyboard\\.f1" list device)
claybox("^$" "hash [0-9a-f]+\n$" run --headless --frames 5 --mesh assets/meshes/ring.obj --hash)
claybox("^$" "all hashes equal" replay assets/recordings/cage.rec)
if(NOT HEADLESS)
  claybox("^$" "" run --headless --frames 1 --screenshot ${work}/picture.png)
endif()

file(RENAME ${assets} ${work}/moved)
claybox("assets folder was not found, searched ${work}/prefix/bin/assets and ${assets};" "quit" list device)
claybox("^$" "hash [0-9a-f]+\n$" run --headless --frames 5 --hash)
file(REMOVE_RECURSE ${work})
