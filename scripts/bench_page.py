"""Runs `claybox bench NAME` and writes its tables into docs/measurements/NAME.md, between the marks there."""
import pathlib
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent


def write_page(name, usage):
    words = sys.argv[1:]
    if words[:1] in (['-h'], ['--help']):
        sys.exit(usage)
    program = words.pop(0) if words and not words[0].startswith('-') else root / 'build/release/app/claybox'
    page = root / f'docs/measurements/{name}.md'
    begin, end = f'<!-- bench {name} begins -->', f'<!-- bench {name} ends -->'
    before, mark, rest = page.read_text(encoding='utf-8').partition(begin)
    inside, end_mark, after = rest.partition(end)
    if not mark or not end_mark:
        sys.exit(f'{page}: expected the marks "{begin}" and "{end}"')
    run = subprocess.run([program, '--log-level', 'info', 'bench', name, '--markdown', '-', *words],
                         stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(f'{program} bench {name} failed with status {run.returncode}: {page} is unchanged')
    page.write_text(f'{before}{begin}\n\n{run.stdout}\n{end}{after}', encoding='utf-8')
