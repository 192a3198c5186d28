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
    assert differ['best'] == differ['gjk'] == differ['v_clip'] == 0 and len(differ) > 8


def test_the_guide_shows_the_first_example():
    page = (EXAMPLES.parents[2] / 'docs/how-to/use-from-python.md').read_text(encoding='utf-8')
    assert (EXAMPLES / 'two_meshes.py').read_text(encoding='utf-8') in page


def test_manager_for_trimesh_equals_fcl():
    trimesh = pytest.importorskip('trimesh')
    pytest.importorskip('fcl')
    page = (EXAMPLES.parents[2] / 'docs/how-to/use-from-python.md').read_text(encoding='utf-8')
    names = {}
    exec(page.split('```python\n')[2].split('```')[0], names)  # pylint: disable=exec-used
    ours, theirs = names['CollisionManager'](), trimesh.collision.CollisionManager()
    for i in range(6):
        mesh = trimesh.creation.icosphere(radius=0.6)
        place = trimesh.transformations.translation_matrix([i * 1.1, 0.3 * i, 0])
        ours.add_object(str(i), mesh, place)
        theirs.add_object(str(i), mesh, place)
    assert ours.in_collision_internal(True)[1] == theirs.in_collision_internal(True)[1]
