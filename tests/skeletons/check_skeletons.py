#!/usr/bin/env python3
"""Makes the skeletons of scripts/new in a copy of the folders that they use and compiles them.

check_skeletons.py ROOT COMPILER FLAGS...
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

root, compiler, flags = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
failed = 0
with tempfile.TemporaryDirectory() as folder:
    copy = pathlib.Path(folder)
    shutil.copytree(root / 'scripts', copy / 'scripts')
    for listing in ('collision/pairwise', 'collision/broadphase', 'app/scenes'):
        (copy / listing).mkdir(parents=True)
        shutil.copy(root / listing / 'list.def', copy / listing)
    for kind in ('pair', 'broad', 'scene'):
        new = [sys.executable, copy / 'scripts/new', kind, f'skeleton_{kind}']
        subprocess.run(new, check=True, stdout=subprocess.DEVNULL)
        if subprocess.run(new, capture_output=True).returncode == 0:
            print(f'a second `scripts/new {kind}` of the same name must fail')
            failed = 1
    sources = sorted(copy.glob('*/**/skeleton_*.cpp'))
    if len(sources) != 6:
        print('expected 6 sources, found', len(sources))
        failed = 1
    for source in sources:
        if subprocess.run([compiler, '-fsyntax-only', '-Wall', '-Wextra', '-Wshadow', '-Werror', *flags, source]).returncode:
            print('does not compile:', source.relative_to(copy))
            failed = 1
sys.exit(failed)
