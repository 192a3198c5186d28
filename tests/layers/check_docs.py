#!/usr/bin/env python3
"""Checks the documentation: links and anchors lead somewhere, named files exist, docs/README.md lists every page, every page opens
with who should read it, and tests compile and run every block of code.

check_docs.py ROOT          prints one line per fault; exit status 1 when there is one
check_docs.py --self-test   plants one fault of each kind in a scratch tree and expects each to be found
"""
import pathlib
import re
import sys
import tempfile

FOLDERS = 'collision|engine|app|bench|tests|scripts|assets|cmake|shaders'
OPENING = re.compile(r'For |This page is for ')


def anchors(text):
    """The anchors that GitHub makes from the headings."""
    return {re.sub(r'[^\w\- ]', '', heading.lower()).replace(' ', '-') for heading in re.findall(r'^#+ (.*)$', text, re.M)}


def link_faults(page, text):
    for target in re.findall(r'\]\(([^)\s]+)\)', text):
        if re.match(r'[a-z]+:', target):
            continue
        name, _, anchor = target.partition('#')
        linked = (page.parent / name).resolve() if name else page
        if not linked.exists():
            yield f'the link {target} leads nowhere'
        elif anchor and anchor not in anchors(linked.read_text(encoding='utf-8')):
            yield f'{target}: there is no such heading'


def path_faults(text, root):
    """Files and folders in code style. A name without an ending may be short for several files; capitals are placeholders."""
    for name in re.findall(rf'`((?:{FOLDERS})/[a-z0-9_/.]+)`', text):
        if 'my_' not in name and not (root / name).exists() and not list(root.glob(name.rstrip('.') + '*')):
            yield f'{name} does not exist'


def code_faults(page, text, root):
    """Blocks of C++ and Python are programs of tests, word for word. The consumer test takes blocks of CMake out of the pages."""
    programs = {'cpp': root / 'tests/consumer', 'python': root / 'collision/python/examples'}
    for language, block in re.findall(r'^```(cpp|python)\n(.*?)^```$', text, re.M | re.S):
        if not any(file.read_text(encoding='utf-8') == block for file in programs[language].rglob('*')
                   if file.suffix in ('.cpp', '.py')):
            yield f'no file of {programs[language].relative_to(root)} is this block: {block.splitlines()[0]}'
    test = root / 'tests/consumer/test.cmake'
    if '```cmake' in text and (not test.exists() or page.relative_to(root).as_posix() not in test.read_text(encoding='utf-8')):
        yield 'tests/consumer/test.cmake does not read the blocks of CMake'


def command_faults(text, root):
    """What commands of blocks name: scripts, options and targets of CMake, and packages of this version."""
    cmake = [root / 'CMakeLists.txt', *root.glob('cmake/*.cmake'), *root.glob('c*/**/CMakeLists.txt'), *root.glob('bench/CMakeLists.txt')]
    build = '\n'.join(file.read_text(encoding='utf-8') for file in cmake if file.exists())
    version = re.search(r'project\(claybox\s+VERSION ([0-9.]+)', build)
    blocks = '\n'.join(re.findall(r'^```\n(.*?)^```$', text, re.M | re.S))
    for script in re.findall(r'\./scripts/([a-z_]+)', text):
        if not (root / 'scripts' / script).exists():
            yield f'./scripts/{script} does not exist'
    for option in re.findall(r'-D(CLAYBOX_\w+)', blocks):
        if option not in build:
            yield f'CMake has no option {option}'
    for target in re.findall(r'--target (\w+)', blocks):
        if not re.search(rf'\b{target}\b', build):
            yield f'CMake has no target {target}'
    for named in re.findall(r'claybox(?:-dev)?[_-](\d+\.\d+\.\d+)', text):
        if version and named != version[1]:
            yield f'a package of version {named}, but the version is {version[1]}'


def marker_faults(text):
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r'(<{7}|>{7}) |={7}$', line):
            yield f'line {number} is a mark of an unfinished merge'


OUTSIDE = ('README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'assets/README.md')  # pages that are not in docs/


def check(root):
    pages = sorted((root / 'docs').rglob('*.md'))
    index = (root / 'docs/README.md').read_text(encoding='utf-8')
    decisions = (root / 'docs/decisions/README.md').read_text(encoding='utf-8')
    for page in [*(root / name for name in OUTSIDE), *pages]:
        text = page.read_text(encoding='utf-8')
        name = page.relative_to(root).as_posix()
        for fault in [*link_faults(page, text), *path_faults(text, root), *code_faults(page, text, root),
                      *command_faults(text, root), *marker_faults(text)]:
            yield f'{name}: {fault}'
        if page not in pages or page.name == 'README.md':
            continue
        if not OPENING.match(text.split('\n\n')[1] if '\n\n' in text else ''):
            yield f'{name}: the first paragraph does not say who should read the page ("For ..." or "This page is for ...")'
        listed = f'({page.name})' in decisions if page.parent.name == 'decisions' else f'({page.relative_to(root / "docs")})' in index
        if not listed:
            yield f'{name}: no index lists the page'


def self_test():
    good = '# Page\n\nFor everyone.\n\n## One heading\n\n[here](page.md#one-heading), `app/main.cpp`\n'
    faults = {'[x](gone.md)': 'leads nowhere', '[x](page.md#gone)': 'no such heading', '`app/gone.cpp`': 'does not exist',
              '\n<<<<<<< HEAD\n': 'unfinished merge', '\n```cpp\nint untested;\n```\n': 'no file of tests/consumer is this block',
              '\n```cmake\nproject(untested)\n```\n': 'does not read the blocks of CMake',
              './scripts/gone': './scripts/gone does not exist', '\n```\ncmake -DCLAYBOX_GONE=ON\n```\n': 'no option CLAYBOX_GONE',
              '\n```\ncmake --target gone\n```\n': 'no target gone', 'claybox_0.0.9_amd64.deb': 'a package of version 0.0.9'}
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in ('app', 'assets', 'docs/decisions'):
            (root / name).mkdir(parents=True)
        for name in (*OUTSIDE, 'docs/decisions/README.md', 'app/main.cpp'):
            (root / name).write_text('')
        (root / 'CMakeLists.txt').write_text('project(claybox VERSION 0.1.0)\n')
        (root / 'docs/README.md').write_text('[page](page.md)\n')
        (root / 'docs/page.md').write_text(good)
        missing = [f'a good page has faults: {fault}' for fault in check(root)]
        for text, expected in faults.items():
            (root / 'docs/page.md').write_text(good + text)
            if not any(expected in fault for fault in check(root)):
                missing.append(expected)
        (root / 'docs/page.md').write_text(good.replace('For everyone', 'Everything'))
        (root / 'docs/stray.md').write_text(good)
        found = list(check(root))
        missing += [expected for expected in ('who should read', 'no index lists') if not any(expected in fault for fault in found)]
    print('\n'.join(f'not found: {fault}' for fault in missing) or 'every planted fault was found')
    return 1 if missing else 0


if __name__ == '__main__':
    if sys.argv[1:] == ['--self-test']:
        sys.exit(self_test())
    found_faults = list(check(pathlib.Path(sys.argv[1]).resolve()))
    print('\n'.join(found_faults) or 'no faults')
    sys.exit(1 if found_faults else 0)
