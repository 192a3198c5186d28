#!/usr/bin/env python3
"""Builds the site of the documentation in OUT/html: pages.py OUT. The exit status is that of Doxygen.

Doxygen knows neither GitHub's anchors nor links to files of a repository, so it reads copies of the pages, in OUT/pages.
"""
import html
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r'(!?)\[([^\]]*)\]\(([^)\s]+)\)')
SHOWN_BY_BROWSERS = {'.png', '.gif', '.svg', '.html'}
CODE = re.compile(r'(`+)(.+?)\1', re.S)
FENCED = re.compile(r'^(```.*?^```$)', re.M | re.S)


def linked_file(page, target):
    """The file of this repository that a link leads to, or None."""
    name = target.partition('#')[0]
    return None if re.match(r'[a-z]+:', target) else (page.parent / name).resolve() if name else page


def targets(page):
    prose = ''.join(FENCED.split(page.read_text(encoding='utf-8'))[::2])
    return [file for _, _, target in LINK.findall(prose) if (file := linked_file(page, target))]


def pages():
    """README.md and every page that can be reached from it by links."""
    found, todo = {}, [ROOT / 'README.md']
    while todo:
        page = todo.pop(0)
        if page not in found:
            found[page] = None
            todo += [file for file in targets(page) if file.suffix == '.md']
    return list(found)


def headers():
    """The installed headers, as collision/CMakeLists.txt lists them."""
    names = re.search(r'set\(public_headers(.*?)\)', (ROOT / 'collision/CMakeLists.txt').read_text(encoding='utf-8'), re.S).group(1)
    return [ROOT / 'collision' / name for name in names.split()] + [ROOT / 'collision/version.hpp.in']


def page_id(page):
    name = page.relative_to(ROOT).with_suffix('').as_posix()
    return 'index' if name == 'README' else re.sub(r'[^a-z0-9]+', '-', name.lower())


def anchor(heading):
    """The anchor that GitHub makes from a heading."""
    return re.sub(r'[^\w\- ]', '', heading.lower()).replace(' ', '-')


def copied_name(file):
    """Where the site has a copy of a file that is no page, as seen from its pages."""
    name = f'files/{file.relative_to(ROOT).as_posix()}'
    return name if file.suffix in SHOWN_BY_BROWSERS else name + '.txt'


def site_link(page, image, text, target):
    file = linked_file(page, target)
    if file is None:
        return f'[{text}]({target})'
    if image:
        return f'<img src="{copied_name(file)}" alt="{html.escape(text)}"/>'
    if file.suffix == '.md':
        heading = target.partition('#')[2]
        return f'<a href="{page_id(file)}.html{"#" + page_id(file) + "--" + heading if heading else ""}">{text}</a>'
    return text if file.is_dir() else f'<a href="{copied_name(file)}">{text}</a>'


def code_text(match):
    """What code in a line says; in tables it writes a bar as \\|."""
    return ' '.join(match.group(2).replace('\\|', '|').split())


def prose(page, text):
    """Text without fenced code: links, and code in the line, which Doxygen would read as commands."""
    kept = []

    def keep(match):
        code = re.sub(r'[\\@#%*_|`]|---?', r'\\\g<0>', code_text(match))
        code = html.escape(code, quote=False).replace('"', '&quot;')  # it does not read text in quotes
        kept.append(f'<code>{code}</code>')
        return f'\0{len(kept) - 1}\0'

    text = CODE.sub(keep, text)
    text = LINK.sub(lambda m: site_link(page, *m.groups()), text)
    text = re.sub(r'(?<![&\w{])([@#])(?=\w)', r'\\\1', text)
    return re.sub('\0(\\d+)\0', lambda m: kept[int(m.group(1))], text)


def doxygen_text(page):
    """The page as Doxygen reads it. Headings of the same name get numbers, as on GitHub."""
    seen = {}

    def heading(match):
        level, words = len(match.group(1)), match.group(2).replace('`', '')
        if level == 1:
            return f'# {words} {{#{"mainpage" if page_id(page) == "index" else page_id(page)}}}'
        name = anchor(words)
        number = seen[name] = seen.get(name, -1) + 1
        name = f'{page_id(page)}--{name}{f"-{number}" if number else ""}'
        if page_id(page) == 'index':  # the tree shows the sections of the documentation instead
            return f'<a name="{name}"></a><h{level}>{words}</h{level}>'
        return f'{match.group(1)} {words} {{#{name}}}'

    parts = FENCED.split(page.read_text(encoding='utf-8'))
    parts[::2] = [prose(page, re.sub(r'^(#+) (.*)$', heading, part, flags=re.M)) for part in parts[::2]]
    return ''.join(parts)


def title(page):
    return re.search(r'^# (.*)$', page.read_text(encoding='utf-8'), re.M).group(1).replace('`', '')


def layout():
    """The tree of pages: the sections of docs/README.md, then the reference."""
    index = ROOT / 'docs/README.md'
    listed, groups = {ROOT / 'README.md'}, []
    for section in re.split(r'^## ', index.read_text(encoding='utf-8'), flags=re.M)[1:]:
        name, _, text = section.partition('\n')
        entries = []
        for _, _, target in LINK.findall(text):
            file = linked_file(index, target)
            if file and file.suffix == '.md' and file not in listed:
                listed.add(file)
                entries.append(f'<tab type="user" url="{page_id(file)}.html" title="{html.escape(title(file))}"/>')
        groups.append(f'<tab type="usergroup" title="{html.escape(name)}">{"".join(entries)}</tab>')
    reference = '<tab type="filelist" visible="yes" title="Headers"/><tab type="classlist" visible="yes" title="Classes"/>' \
        '<tab type="user" url="namespaceclaybox_1_1collision.html" title="Rules, functions, constants"/>'
    groups.append(f'<tab type="usergroup" title="C++ reference">{reference}</tab>')
    return f'<doxygenlayout version="1.0"><navindex><tab type="mainpage" visible="yes" title="Claybox"/>{"".join(groups)}</navindex></doxygenlayout>'


def config(out):
    version = re.search(r'project\(claybox VERSION (\S+)', (ROOT / 'CMakeLists.txt').read_text(encoding='utf-8')).group(1)
    copies = [out / f'pages/{page_id(page)}.md' for page in pages()]
    inputs = ' '.join(f'"{file}"' for file in [*headers(), *copies])
    return f'''{(ROOT / 'docs/site/Doxyfile').read_text(encoding='utf-8')}
PROJECT_NUMBER = {version}
OUTPUT_DIRECTORY = "{out}"
LAYOUT_FILE = "{out}/layout.xml"
STRIP_FROM_PATH = "{ROOT}" "{out}"
STRIP_FROM_INC_PATH = "{ROOT}"
INPUT = {inputs}
'''


def build(out):
    shutil.rmtree(out, ignore_errors=True)
    (out / 'pages').mkdir(parents=True)
    for page in pages():
        (out / f'pages/{page_id(page)}.md').write_text(doxygen_text(page), encoding='utf-8')
    (out / 'layout.xml').write_text(layout(), encoding='utf-8')
    status = subprocess.run(['doxygen', '-'], input=config(out), text=True, cwd=ROOT, check=False).returncode
    for file in {file for page in pages() for file in targets(page) if file.suffix != '.md' and file.is_file()}:
        copy = out / 'html' / copied_name(file)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)
    return status


if __name__ == '__main__':
    sys.exit(build(pathlib.Path(sys.argv[1]).resolve()))
