# Installs the program into a folder of its own and runs it there: it finds its assets without the source and build trees. What a
# desktop, a shell and Debian expect is there, too.
# BUILD: build folder of the program; HEADLESS: true without graphics.
set(work ${BUILD}/installed-program)
set(assets ${work}/prefix/share/claybox/assets)
file(REMOVE_RECURSE ${work})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component program --prefix ${work}/prefix RESULT_VARIABLE result
  OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0 OR NOT EXISTS ${assets}/icons OR IS_SYMLINK ${assets})
  message(FATAL_ERROR "cmake --install did not install ${assets}:\n${output}")
endif()

# expect(FILE PATTERN): an installed file with this text.
function(expect file pattern)
  if(NOT EXISTS ${work}/prefix/${file})
    message(FATAL_ERROR "cmake --install did not install ${file}")
  endif()
  file(READ ${work}/prefix/${file} text)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "${file}: expected the text '${pattern}'")
  endif()
endfunction()

expect(share/man/man1/claybox.1 "^\\.TH CLAYBOX.*\n\\.SS run\n")
expect(share/applications/claybox.desktop "\nExec=claybox\nIcon=claybox\n")
expect(share/icons/hicolor/scalable/apps/claybox.svg "<svg .*</svg>")
expect(share/bash-completion/completions/claybox "complete .*claybox")
expect(share/doc/claybox/copyright "^MIT License")
expect(share/doc/claybox/CHANGELOG.md "^# Changes")
find_program(VALIDATE desktop-file-validate)
if(VALIDATE)
  execute_process(COMMAND ${VALIDATE} ${work}/prefix/share/applications/claybox.desktop RESULT_VARIABLE result
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${VALIDATE} refuses claybox.desktop:\n${output}")
  endif()
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
