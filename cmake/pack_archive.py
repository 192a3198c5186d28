"""Packs the installed program with its shared libraries and its font into claybox-VERSION-SYSTEM.tar.zst.

scripts/package calls it: pack_archive.py BUILD_FOLDER TARGET_FOLDER
The archive leaves out what belongs to the system: the C and C++ libraries and everything that speaks to the display, the graphics card and
the speakers.
"""
import pathlib
import platform
import re
import shutil
import subprocess
import sys

# Each of these must fit the running system, not the one that made the archive.
OF_THE_SYSTEM = re.compile(r'lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s|GL|EGL|GLX|GLdispatch|OpenGL|X11|xcb|Xau|Xdmcp|asound|drm|gbm)\.so|ld-linux|linux-vdso')
FONTS = [pathlib.Path('/usr/share/fonts/opentype/inter') / f'Inter-{weight}.otf' for weight in ('Regular', 'SemiBold')]


# What Ubuntu 22.04 has, the oldest system that the archive supports.
NEWEST_VERSIONS = {'GLIBC': (2, 35), 'GLIBCXX': (3, 4, 30)}


def check_versions(file):
    """Stops if a program or library needs a newer C or C++ library than the oldest supported system has."""
    out = subprocess.run(['objdump', '-T', file], check=True, capture_output=True, text=True).stdout
    for library, version in re.findall(r'\b(GLIBC|GLIBCXX)_([0-9.]+)', out):
        if tuple(map(int, version.split('.'))) > NEWEST_VERSIONS[library]:
            sys.exit(f'{file} needs {library} {version}, newer than {NEWEST_VERSIONS[library]}')


def libraries_of(program):
    """The shared libraries that the program loads, as {name: file}."""
    out = subprocess.run(['ldd', program], check=True, capture_output=True, text=True).stdout
    found = dict(re.findall(r'^\s*(\S+) => (/\S+)', out, re.MULTILINE))
    missing = re.findall(r'^\s*(\S+) => not found', out, re.MULTILINE)
    if missing:
        sys.exit(f'{program}: {", ".join(missing)} not found')
    return {name: file for name, file in found.items() if not OF_THE_SYSTEM.match(name)}


def copy_licences(files, folder):
    """The licence of each Debian package that these files come from."""
    for file in files:
        # A library may be owned by its path before or after /usr was merged.
        owner = next((out.stdout for path in (file, file.removeprefix('/usr'), '/usr' + file)
                      if (out := subprocess.run(['dpkg-query', '-S', path], capture_output=True, text=True)).returncode == 0), None)
        if owner is None:
            sys.exit(f'{file}: no package owns this file, so its licence is unknown')
        package = owner.split(':')[0]
        shutil.copy(f'/usr/share/doc/{package}/copyright', folder / package)


def main(build, target):
    version = re.search(r'CMAKE_PROJECT_VERSION:STATIC=(\S+)', (build / 'CMakeCache.txt').read_text()).group(1)
    name = f'claybox-{version}-{platform.system().lower()}-{platform.machine()}'
    top = target / name
    subprocess.run(['cmake', '--install', build, '--component', 'program', '--prefix', top, '--strip'], check=True, stdout=subprocess.DEVNULL)
    libraries = top / 'lib/claybox'
    libraries.mkdir(parents=True)
    copied = [str(font) for font in FONTS]
    # The programs as built find the libraries of this system, the installed ones those in the archive.
    found = {}
    for program in sorted((top / 'bin').iterdir()):
        found |= libraries_of(program)
    for library, file in found.items():
        shutil.copy(file, libraries / library)
        copied.append(file)
    for library in sorted(libraries.iterdir()):
        subprocess.run(['patchelf', '--set-rpath', '$ORIGIN', library], check=True)
    for file in [*(top / 'bin').iterdir(), *libraries.iterdir()]:
        check_versions(file)
    fonts = top / 'share/claybox/assets/fonts/inter'
    fonts.mkdir(parents=True)
    for font in FONTS:
        shutil.copy(font, fonts)
    shutil.copy('LICENSE', top)
    licences = top / 'share/doc/claybox/licences'
    licences.mkdir(parents=True)
    copy_licences(sorted(set(copied)), licences)
    archive = target / f'{name}.tar.zst'
    subprocess.run(['tar', '--sort=name', '--owner=0', '--group=0', '--zstd', '-cf', archive, '-C', target, name], check=True)
    shutil.rmtree(top)


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
