"""The examples run and print what they claim."""
import pathlib
import runpy

import pytest

EXAMPLES = pathlib.Path(__file__).parents[2] / 'collision/python/examples'


def run(name, capsys):
    runpy.run_path(str(EXAMPLES / name))
    return capsys.readouterr().out


def test_two_meshes(capsys):
    out = run('two_meshes.py', capsys)
    assert 'on the table: True' in out
    assert 'higher: 1.00 mm apart' in out and 'lower: 1.00 mm deep' in out and 'contact of face' in out


def test_robot_path(capsys):
    out = run('robot_path.py', capsys)
    first = float(out.split(', from ')[1].split(' to ')[0])
    motion = float(out.split('hits it at ')[1].split()[0])
    assert 'three poses see it: False' in out and motion == pytest.approx(first, abs=0.02)


def test_compare_algorithms(capsys):
    lines = run('compare_algorithms.py', capsys).splitlines()
    differ = {line.split()[0]: int(line.split()[-3]) for line in lines}
    assert len(differ) > 8 and {name for name, count in differ.items() if count} <= {'depth_buffer'}


@pytest.mark.parametrize('page, example', [('use-from-python', 'two_meshes'), ('replace-python-fcl', 'collision_manager')])
def test_the_page_shows_the_example(page, example):
    text = (EXAMPLES.parents[2] / f'docs/how-to/{page}.md').read_text(encoding='utf-8')
    assert '```python\n' + (EXAMPLES / f'{example}.py').read_text(encoding='utf-8') + '```' in text
