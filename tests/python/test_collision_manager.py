"""The collision manager of docs/how-to/replace-python-fcl.md, with objects that have what trimesh's meshes have."""
import ast
import pathlib
import runpy
from types import SimpleNamespace

import numpy as np
import pytest

import claybox

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLE = ROOT / 'collision/python/examples/collision_manager.py'


@pytest.fixture(name='example', scope='module')
def run_example():
    return runpy.run_path(str(EXAMPLE))


def at(*place):
    pose = np.eye(4)
    pose[:3, 3] = place
    return pose


def test_the_example_prints_what_the_page_shows(capsys):
    runpy.run_path(str(EXAMPLE))
    page = (ROOT / 'docs/how-to/replace-python-fcl.md').read_text(encoding='utf-8')
    assert f'```\n{capsys.readouterr().out}```' in page


def test_the_methods_have_ten_lines():
    tree = ast.parse(EXAMPLE.read_text(encoding='utf-8'))
    methods = next(node for node in tree.body if isinstance(node, ast.ClassDef)).body
    assert sum(method.end_lineno - method.lineno for method in methods) == 10


def test_a_name_that_exists_is_replaced(example):
    manager = example['CollisionManager']()
    for name, z in {'a': 0.0, 'b': 1.0}.items():
        manager.add_object(name, example['box'], at(0, 0, z))
    assert manager.in_collision_internal(True) == (True, {('a', 'b')})
    manager.add_object('b', example['box'], at(0, 0, 3))
    assert manager.in_collision_internal(True) == (False, set()) and len(manager.world) == 2
    manager.add_object('b', example['box'], at(0, 0, 0.5))
    assert manager.in_collision_internal(True) == (True, {('a', 'b')})
    manager.remove_object('b')
    assert manager.in_collision_internal(True) == (False, set()) and len(manager.world) == 1


def test_equal_transforms_are_not_tested_again(example):
    manager = example['CollisionManager']()
    for i in range(10):
        manager.add_object(f'body {i}', example['box'], at(0.9 * i, 0, 0))
    expected = manager.in_collision_internal(True)
    assert len(expected[1]) == manager.world.tested_pairs == 9
    for i in range(10):
        manager.set_transform(f'body {i}', at(0.9 * i, 0, 0))
    assert manager.in_collision_internal(True) == expected and manager.world.tested_pairs == 0
    manager.set_transform('body 0', at(0.05, 0, 0))
    assert manager.in_collision_internal(True) == expected and manager.world.tested_pairs == 1


def test_pairs_equal_single_queries(example):
    random = np.random.default_rng(5)
    box = example['box']
    shape = claybox.Shape.from_mesh(box.vertices, box.faces)
    manager, poses = example['CollisionManager'](), {}
    for i in range(40):
        poses[f'body {i}'] = at(*random.uniform(-3, 3, 3).astype(np.float32))
        manager.add_object(f'body {i}', box, poses[f'body {i}'])
    for frame in range(3):
        expected = {(a, b) for a in poses for b in poses
                    if a < b and claybox.collide(shape, shape, poses[a], poses[b], algorithm='mesh_bvh', solid=False)}
        assert expected and manager.in_collision_internal(return_names=True) == (True, expected)
        name = f'body {frame}'
        poses[name] = at(*random.uniform(-3, 3, 3).astype(np.float32))
        manager.set_transform(name, poses[name])


def test_surfaces_are_asked_about_and_removed_objects_are_forgotten(example):
    box = example['box']
    small = SimpleNamespace(vertices=0.1 * box.vertices, faces=box.faces)
    manager = example['CollisionManager']()
    manager.add_object('box', box)
    manager.add_object('inside', small)
    assert manager.in_collision_internal() is False
    manager.set_transform('inside', at(0.5, 0, 0))
    assert manager.in_collision_internal() is True
    manager.remove_object('inside')
    assert manager.in_collision_internal(return_names=True) == (False, set())


def test_the_answers_equal_those_of_fcl(example):
    trimesh = pytest.importorskip('trimesh')
    pytest.importorskip('fcl')
    ours, theirs = example['CollisionManager'](), trimesh.collision.CollisionManager()
    for i in range(6):
        mesh = trimesh.creation.icosphere(radius=0.6)
        place = trimesh.transformations.translation_matrix([i * 1.1, 0.3 * i, 0])
        ours.add_object(str(i), mesh, place)
        theirs.add_object(str(i), mesh, place)
    assert ours.in_collision_internal(True)[1] == theirs.in_collision_internal(True)[1]
