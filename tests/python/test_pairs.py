"""Pair queries from Python."""
import threading

import numpy as np
import pytest

import claybox

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


def at(x, y=0.0, z=0.0):
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


@pytest.fixture(name='box')
def make_box():
    return claybox.Shape.from_hull(CORNERS, name='box')


def test_shape_properties(box):
    assert box.convex and box.solid and box.defects == [] and box.name == 'box'
    assert box.vertices.shape == (8, 3) and box.vertices.dtype == np.float32
    with pytest.raises(ValueError):
        box.vertices[0, 0] = 2
    assert 'convex' in repr(box)


def test_vertices_live_longer_than_their_shape():
    vertices = claybox.Shape.from_hull(CORNERS).vertices
    assert sorted(map(tuple, vertices)) == sorted(map(tuple, CORNERS))


def test_mesh_with_a_hole_is_a_surface():
    mesh = claybox.Shape.from_mesh(TETRAHEDRON, FACES[:3])
    assert not mesh.solid and len(mesh.defects) == 3 and 'boundary_edge' in mesh.defects[0]


def test_rows_of_smaller_faces_end_with_minus_one():
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, -1], [1, 7, 3, -1]]
    mesh = claybox.Shape.from_mesh(CORNERS, quads)
    assert mesh.solid and mesh.convex


@pytest.mark.parametrize('vertices, faces, message', [
    (TETRAHEDRON[:, :2], FACES, r'\(4, 2\), expected \(n, 3\)'),
    (TETRAHEDRON, FACES + 1, 'vertex 4, expected 0 to 3'),
    (TETRAHEDRON, [[0, 1, -1]], 'fewer than three corners'),
    (TETRAHEDRON * np.nan, FACES, 'finite'),
])
def test_bad_mesh_says_what_was_expected(vertices, faces, message):
    with pytest.raises(ValueError, match=message):
        claybox.Shape.from_mesh(vertices, faces)


def test_touching_collides_and_a_float_step_apart_does_not(box):
    assert claybox.collide(box, box, None, at(1.0))
    assert not claybox.collide(box, box, None, at(np.nextafter(np.float32(1), np.float32(2))))
    assert claybox.collide(box, box, at(5), at(5.5)[:3])


def test_solid_counts_a_body_inside():
    big = claybox.Shape.from_mesh(4 * TETRAHEDRON - 0.8, FACES)
    small = claybox.Shape.from_mesh(0.1 * TETRAHEDRON, FACES)
    assert claybox.collide(big, small, algorithm='mesh_bvh')
    assert not claybox.collide(big, small, algorithm='mesh_bvh', solid=False)


def test_distance_and_depth(box):
    apart = claybox.distance(box, box, None, at(3))
    assert float(apart) == pytest.approx(2, abs=1e-9)
    assert apart.point_b[0] - apart.point_a[0] == pytest.approx(2, abs=1e-6)
    assert claybox.distance(box, box).distance == 0 and claybox.distance(box, box).point_a is None
    deep = claybox.depth(box, box, None, at(0.75))
    assert deep.depth == pytest.approx(0.25, abs=1e-9)
    assert not claybox.collide(box, box, None, at(*(np.array([0.75, 0, 0]) + 1.001 * deep.depth * deep.direction)))
    assert claybox.depth(box, box, None, at(3)).depth == 0


def test_many_poses_equal_single_queries(box):
    random = np.random.default_rng(1)
    poses = np.tile(np.eye(4), (500, 1, 1))
    poses[:, :3, 3] = random.uniform(-2, 2, (500, 3))
    hits = claybox.collide_many(box, box, poses_b=poses)
    assert hits.dtype == np.bool_ and 0 < hits.sum() < 500
    # Two cubes with parallel edges collide where no coordinate differs by more than 1.
    assert (hits == (np.abs(poses[:, :3, 3].astype(np.float32)) <= 1).all(axis=1)).all()
    gaps = claybox.distance_many(box, box, poses, None)
    assert ((gaps == 0) == hits).all()
    assert gaps == pytest.approx(np.linalg.norm(np.maximum(np.abs(poses[:, :3, 3]) - 1, 0), axis=1), abs=1e-6)
    depths = claybox.depth_many(box, box, poses_b=poses)
    assert depths[hits] == pytest.approx((1 - np.abs(poses[hits][:, :3, 3])).min(axis=1), abs=1e-6)


def test_many_releases_the_interpreter(box):
    poses = np.tile(at(0.3), (200000, 1, 1))
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(len(ticks))

    other = threading.Thread(target=tick)
    other.start()
    before = len(ticks)
    claybox.collide_many(box, box, poses_b=poses)
    during = len(ticks) - before
    done.set()
    other.join()
    assert during > 0


def test_contacts_of_two_meshes():
    a = claybox.Shape.from_mesh(TETRAHEDRON, FACES)
    found = claybox.contacts(a, a, None, at(0.9, 0.01, 0.02), algorithm='mesh_bvh')
    assert len(found) == 1
    assert found['depth'][0] > 0 and np.linalg.norm(found['normal'][0]) == pytest.approx(1)
    assert found['polygon_a'][0] < 4 and found['point'].shape == (1, 3)
    assert len(claybox.contacts(a, a, None, at(5), algorithm='mesh_bvh')) == 0


@pytest.mark.parametrize('pose, message', [
    (np.eye(3), r'\(3, 3\), expected'),
    (at(np.inf), 'finite'),
    (np.ones((4, 4)), 'last row'),
    (np.eye(4)[None], 'a stack of matrices'),
])
def test_bad_pose_says_what_was_expected(box, pose, message):
    with pytest.raises(ValueError, match=message):
        claybox.collide(box, box, pose)


def test_bad_pose_in_a_stack_is_named(box):
    poses = np.tile(np.eye(4), (3, 1, 1))
    poses[2, 0, 3] = np.nan
    with pytest.raises(ValueError, match=r'poses_b\[2\]'):
        claybox.collide_many(box, box, None, poses)


def test_algorithms_are_found_by_id(box):
    mesh = claybox.Shape.from_mesh(TETRAHEDRON, FACES[:3])
    assert 'gjk' in claybox.algorithms()
    assert claybox.collide(box, box, algorithm='gjk')
    with pytest.raises(ValueError, match='unknown algorithm'):
        claybox.collide(box, box, algorithm='nonsense')
    with pytest.raises(ValueError, match='does not accept'):
        claybox.collide(mesh, mesh, algorithm='gjk')
    with pytest.raises(ValueError, match='needs convex shapes'):
        claybox.depth(mesh, mesh)
