# Packages for Debian: `claybox`, the program, `libclaybox-dev`, the library with its headers, and `python3-claybox`, the Python module.
# `./scripts/package` makes them.

# claybox_install_documents(COMPONENT PACKAGE): the licence, under the name that Debian wants, and the changes.
function(claybox_install_documents component package)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/${package} RENAME copyright COMPONENT ${component})
  install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION share/doc/${package} COMPONENT ${component})
endfunction()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME claybox)
set(CPACK_PACKAGE_CONTACT "The Claybox authors <claybox@example.org>")
set(CPACK_PACKAGE_VENDOR "The Claybox authors")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

if(TARGET claybox)
  claybox_install_documents(program claybox)
endif()
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME claybox)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
# GLFW opens these two at run time, so the search for shared libraries does not see them.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libgl1, libegl1, fonts-inter")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS libgl1-mesa-dri)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Sandbox for collision detection.
Watch solids collide, switch collision algorithms and broad phases live,
shape a pot with a virtual hand, and press virtual buttons, on the desktop
or in a headset.")

claybox_install_documents(library libclaybox-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libclaybox-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS libhwy-dev)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Exact and fast collision detection, for C++.
Verdicts, distances, depths, contacts and times of impact of convex bodies
and meshes, broad phases, and a world of moving bodies. The answers of the
default algorithms agree with exact arithmetic.")

if(TARGET claybox_python)
  claybox_install_documents(python python3-claybox)
  list(APPEND CPACK_COMPONENTS_ALL python)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-claybox)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  # A compiled module fits one minor version of Python.
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python3_VERSION_MINOR}~), python3 (<< 3.${next_minor}~), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/python/postinst ${PROJECT_SOURCE_DIR}/cmake/python/prerm)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Exact and fast collision detection, for Python.
Collisions, distances, depths, contacts and times of impact of meshes and
convex hulls in numpy arrays, and a world of moving bodies.")
endif()
include(CPack)
