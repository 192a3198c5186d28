#!/usr/bin/env python3
"""Builds the site of the documentation and checks it: check_site.py FOLDER

Every header of the library and every page is in it, every link inside it leads somewhere, and a header with a member without a
comment, a comment about a parameter that does not exist, or a reference to nothing is refused.
"""
import html
import pathlib
import re
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'docs/site'))
import pages  # noqa: E402

FAULTY = {
    'a member without a comment': ('/// Good.\nstruct Faulty {\n    int undocumented = 0;\n};', 'undocumented'),
    'a function without a comment': ('void bare();', 'bare'),
    'a parameter that does not exist': ('/// Good. \\param wrong of another function\nvoid documented(int right);', 'wrong'),
    'a reference to nothing': ('/// See \\ref missing_thing.\nvoid documented();', 'missing_thing'),
}


class Page(HTMLParser):
    """The targets of links and pictures of one page, the places in it that links can name, and its code in lines of text."""

    def __init__(self, file):
        super().__init__()
        self.targets, self.anchors, self.code, self.in_code = set(), set(), [], False
        self.feed(file.read_text(encoding='utf-8'))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors |= {attrs[name] for name in ('id', 'name') if attrs.get(name)}
        self.targets |= {attrs[name] for name in ('href', 'src') if attrs.get(name)}
        if tag == 'code':
            self.code.append('')
            self.in_code = True

    def handle_endtag(self, tag):
        self.in_code = self.in_code and tag != 'code'

    def handle_data(self, data):
        if self.in_code:
            self.code[-1] += data


def broken_links(site):
    read = {file: Page(file) for file in site.glob('*.html')}
    for file, links in read.items():
        for target in links.targets:
            if re.match(r'[a-z]+:', target) or target == '#nested-classes':  # Doxygen counts private classes
                continue
            name, _, anchor = unquote(target).partition('#')
            linked = site / name if name else file
            if not linked.is_file():
                yield f'{file.name}: {target} leads nowhere'
            elif anchor and linked in read and anchor not in read[linked].anchors:
                yield f'{file.name}: {target}: there is no such place'


def missing_parts(site):
    headers = (site / 'files.html').read_text(encoding='utf-8')
    for header in pages.headers():
        if f'>{header.name}<' not in headers:
            yield f'{header.name} is not among the headers'
    for page in pages.pages():
        name = f'{pages.page_id(page)}.html'
        if not (site / name).is_file() or html.escape(pages.title(page)) not in (site / name).read_text(encoding='utf-8'):
            yield f'{page.relative_to(ROOT)} is missing, or has no title'
            continue
        text = re.sub('^#.*', '', ''.join(pages.FENCED.split(page.read_text(encoding='utf-8'))[::2]), flags=re.M)
        shown = {' '.join(code.split()) for code in Page(site / name).code}
        for code in {pages.code_text(match) for match in pages.CODE.finditer(text)} - shown:
            yield f'{page.relative_to(ROOT)}: the site does not show the code {code!r}'
    guide = (site / 'docs-how-to-get-depth.html').read_text(encoding='utf-8')
    if 'structclaybox_1_1collision_1_1PairResult.html' not in guide:
        yield 'the code of the guides does not lead to the reference'
    if 'href="docs-explanation-module.html"' not in (site / 'world_8hpp.html').read_text(encoding='utf-8'):
        yield 'the reference does not lead to the pages that its comments name'


def accepted_faults(folder):
    """Plants one fault at a time in a header; a header without fault is accepted."""
    header = folder / 'faulty.hpp'
    config = f'{pages.config(folder)}\nINPUT = "{header}" "{ROOT}/collision/collision.hpp"\nOUTPUT_DIRECTORY = "{folder}/faulty"\n'

    def errors(text):
        header.write_text(f'/// \\file\n/// A header.\nnamespace claybox::collision {{\n{text}\n}}\n', encoding='utf-8')
        run = subprocess.run(['doxygen', '-'], input=config, text=True, capture_output=True, cwd=ROOT, check=False)
        return run.stderr if run.returncode else ''

    if found := errors('/// Good.\nvoid documented();'):
        yield f'a good header is refused: {found}'
    for fault, (text, word) in FAULTY.items():
        if word not in (found := errors(text)):
            yield f'{fault} is not refused: {found!r}'


def main(folder):
    if pages.build(folder) != 0:
        sys.exit('Doxygen found the faults above')
    site = folder / 'html'
    faults = [*missing_parts(site), *broken_links(site), *accepted_faults(folder)]
    print('\n'.join(faults) or f'{len(list(site.glob("*.html")))} pages without faults')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
