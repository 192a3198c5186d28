# Installs the Python module into a folder of its own, as the package python3-claybox has it, and runs an example of the package with
# it. BUILD: build folder; PYTHON: interpreter.
set(work ${BUILD}/installed-python)
set(module ${work}/lib/python3/dist-packages)
set(documents ${work}/share/doc/python3-claybox)
set(examples ${documents}/examples)
file(REMOVE_RECURSE ${work})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component python --prefix ${work} RESULT_VARIABLE result
  OUTPUT_VARIABLE output ERROR_VARIABLE output)
foreach(file ${module}/claybox/__init__.py ${module}/claybox/__init__.pyi ${module}/claybox/py.typed ${examples}/two_meshes.py
    ${documents}/copyright ${documents}/CHANGELOG.md)
  if(NOT result EQUAL 0 OR NOT EXISTS ${file})
    message(FATAL_ERROR "cmake --install did not install ${file}:\n${output}")
  endif()
endforeach()

# A module that was compiled for the build folder alone would load libraries from there.
file(GLOB compiled ${module}/claybox/_claybox.*)
execute_process(COMMAND objdump -p ${compiled} OUTPUT_VARIABLE output)
if(NOT output MATCHES "NEEDED" OR output MATCHES "RUNPATH|RPATH")
  message(FATAL_ERROR "${compiled} must not search libraries in folders of its own:\n${output}")
endif()

execute_process(COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${module} PYTHONDONTWRITEBYTECODE=1 ${PYTHON} ${examples}/two_meshes.py
  WORKING_DIRECTORY / RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0 OR NOT output MATCHES "on the table: True")
  message(FATAL_ERROR "the installed example printed '${output}'")
endif()
file(REMOVE_RECURSE ${work})
