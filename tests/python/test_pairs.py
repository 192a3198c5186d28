"""Pair queries from Python."""
import copy
import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import claybox

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


SIDES = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
ONE_SIDED = ['separating_plane', 'edge_polygon_relaxed', 'edge_polygon_boxes', 'random_points']


def l_prism():
    """A prism over an L from (0, 0) to (2, 2), 1 m high."""
    base = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]])
    vertices = [[x, y, z] for z in (0, 1) for x, y in base]
    sides = [[i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6, -1, -1] for i in range(6)]
    return claybox.Shape.from_mesh(vertices, [[5, 4, 3, 2, 1, 0], [6, 7, 8, 9, 10, 11], *sides])


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


def test_faces_are_rows_of_vertices(box):
    assert box.faces.shape == (6, 4) and box.faces.dtype == np.int32
    again = claybox.Shape.from_mesh(box.vertices, box.faces)
    assert again.convex and again.vertices.tolist() == box.vertices.tolist() and again.faces.tolist() == box.faces.tolist()
    prism = l_prism()
    assert prism.faces[0].tolist() == [5, 4, 3, 2, 1, 0] and prism.faces[2].tolist() == [0, 1, 7, 6, -1, -1]
    assert claybox.Shape.from_hull([[1, 2, 3]]).faces.tolist() == [[0, 0, 0]]


@pytest.mark.parametrize('make', [lambda: claybox.Shape.from_hull(CORNERS, name='box'), l_prism,
                                  lambda: claybox.Shape.from_mesh(TETRAHEDRON, FACES[:3], name='open'),
                                  lambda: claybox.Shape.from_hull([[0, 0, 0]]), lambda: claybox.Shape.from_hull(CORNERS[:2]),
                                  lambda: claybox.Shape.from_hull(CORNERS[:4], name='square')])
def test_shapes_survive_pickle_and_copy(make):
    shape, other = make(), claybox.Shape.from_hull(CORNERS)
    for twin in (pickle.loads(pickle.dumps(shape)), copy.deepcopy(shape)):
        assert repr(twin) == repr(shape) and twin.solid == shape.solid
        assert twin.vertices.tolist() == shape.vertices.tolist() and twin.faces.tolist() == shape.faces.tolist()
        for x in (0.25, 0.75, 2):
            assert claybox.collide(twin, other, None, at(x)) == claybox.collide(shape, other, None, at(x))


def test_vertices_that_no_face_uses_are_dropped(box):
    for extra in ([0, 0, 0], [5, 5, 5], [np.nan, 0, 0]):
        mesh = claybox.Shape.from_mesh(np.vstack([[extra], CORNERS]), SIDES + 1)
        assert mesh.convex and mesh.solid and mesh.defects == [] and len(mesh.vertices) == 8
        assert claybox.depth(mesh, box, None, at(0.75)).depth == pytest.approx(0.25, abs=1e-9)


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
    (TETRAHEDRON[:, :2], FACES, r'vertices has the shape \(4, 2\), expected \(n, 3\)'),
    (TETRAHEDRON, np.empty((0, 3), int), 'expected at least one face'),
    (np.empty((0, 3)), np.empty((0, 3), int), r'vertices has the shape \(0, 3\), expected \(n, 3\) with n >= 1'),
    (TETRAHEDRON, [], r'faces has the shape \(0\), expected \(m, k\)'),
    (TETRAHEDRON, FACES[:, :2], r'faces has the shape \(4, 2\), expected \(m, k\)'),
    (TETRAHEDRON, FACES.astype(float), 'faces has the dtype float64, expected integers'),
    (TETRAHEDRON, FACES + 0.5, 'faces has the dtype float64, expected integers'),
    (TETRAHEDRON, FACES * np.nan, 'faces has the dtype float64, expected integers'),
    (TETRAHEDRON, FACES.astype(str), 'faces has the dtype <U.*, expected integers'),
    (TETRAHEDRON, FACES.astype(complex), 'faces has the dtype complex128, expected integers'),
    (TETRAHEDRON, FACES > 0, 'faces has the dtype bool, expected integers'),
    (TETRAHEDRON, [[0, 1, 2], [0, 1]], 'faces is not an array'),
    (TETRAHEDRON, None, 'faces has the shape'),
    (TETRAHEDRON + 1j, FACES, 'vertices has the dtype complex128, expected real numbers'),
    (TETRAHEDRON.astype(str), FACES, 'vertices has the dtype <U.*, expected real numbers'),
    ('nonsense', FACES, 'vertices has the dtype <U8, expected real numbers'),
    (TETRAHEDRON, np.array([[0, 1, 2, 2**64 - 1]], np.uint64), 'vertex 18446744073709551615, expected 0 to 3'),
    (TETRAHEDRON, [[0, 1, 2, -1, 77]], 'vertex -1, expected 0 to 3, and -1 at the end'),
    (TETRAHEDRON, [[0, 1, 2, -1, 3]], 'vertex -1, expected 0 to 3, and -1 at the end'),
    (TETRAHEDRON, [[0, 1, 2, 77, -1]], 'vertex 77, expected 0 to 3'),
    (TETRAHEDRON, [[0, 1, 2, -2]], 'vertex -2, expected 0 to 3'),
    (TETRAHEDRON, [[-1, -1, -1]], 'fewer than three corners'),
    (TETRAHEDRON, FACES + 1, 'vertex 4, expected 0 to 3'),
    (TETRAHEDRON, [[0, 1, -1]], 'fewer than three corners'),
    (TETRAHEDRON * np.nan, FACES, 'finite'),
])
def test_bad_mesh_says_what_was_expected(vertices, faces, message):
    with pytest.raises(ValueError, match=message):
        claybox.Shape.from_mesh(vertices, faces)


@pytest.mark.parametrize('dtype', ['i1', 'u1', 'i4', 'u4', 'i8', 'u8', '>i4'])
def test_faces_may_have_any_type_of_integers(dtype):
    assert claybox.Shape.from_mesh(TETRAHEDRON.astype('f2'), FACES.astype(dtype)).convex
    assert claybox.Shape.from_mesh(TETRAHEDRON.astype(int).tolist(), FACES.astype(dtype)[:, ::-1]).solid


@pytest.mark.parametrize('points, message', [
    (CORNERS * 1j, 'points has the dtype complex128'),
    (CORNERS.astype(str), 'points has the dtype <U'),
    (CORNERS[0], r'points has the shape \(3\)'),
    (np.empty((0, 3)), r'points has the shape \(0, 3\), expected \(n, 3\) with n >= 1'),
])
def test_bad_points_say_what_was_expected(points, message):
    with pytest.raises(ValueError, match=message):
        claybox.Shape.from_hull(points)


def test_points_and_segments_have_no_inside():
    assert not claybox.Shape.from_hull([[0, 0, 0]]).solid
    assert not claybox.Shape.from_hull([[0, 0, 0], [1, 0, 0]]).solid
    assert not claybox.Shape.from_mesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]]).solid
    assert not claybox.Shape.from_mesh([[0, 0, 0]], [[0, 0, 0]]).solid


def test_touching_collides_and_a_float_step_apart_does_not(box):
    assert claybox.collide(box, box, None, at(1.0))
    assert not claybox.collide(box, box, None, at(np.nextafter(np.float32(1), np.float32(2))))
    assert claybox.collide(box, box, at(5), at(5.5)[:3])


def test_solid_counts_a_body_inside():
    big = claybox.Shape.from_mesh(4 * TETRAHEDRON - 0.8, FACES)
    small = claybox.Shape.from_mesh(0.1 * TETRAHEDRON, FACES)
    assert claybox.collide(big, small, algorithm='mesh_bvh')
    assert not claybox.collide(big, small, algorithm='mesh_bvh', solid=False)


@pytest.mark.parametrize('function', [claybox.collide, lambda *a, **k: claybox.distance(*a, **k).distance == 0])
def test_surfaces_of_convex_shapes_are_apart_if_one_is_inside(box, function):
    small = claybox.Shape.from_hull(0.1 * CORNERS)
    assert function(box, small) and not function(box, small, solid=False)
    assert function(box, small, None, at(0.5), solid=False)
    assert function(box, small, None, at(0.5), algorithm='mesh_bvh', solid=False)
    with pytest.raises(ValueError, match='gjk decides solids, expected solid=True or an algorithm for surfaces'):
        function(box, small, algorithm='gjk', solid=False)


def test_many_surfaces_of_convex_shapes(box):
    small = claybox.Shape.from_hull(0.1 * CORNERS)
    poses = np.stack([at(0), at(0.5), at(2)])
    assert claybox.collide_many(box, small, None, poses).tolist() == [True, True, False]
    assert claybox.collide_many(box, small, None, poses, solid=False).tolist() == [False, True, False]
    gaps = claybox.distance_many(box, small, None, poses, solid=False)
    assert gaps == pytest.approx([0.45, 0, 1.45], abs=1e-6)


@pytest.mark.parametrize('algorithm', [a for a in claybox.algorithms() if a != 'depth_buffer'])
def test_every_algorithm_knows_that_equal_boxes_collide(box, algorithm):
    mesh = claybox.Shape.from_mesh(CORNERS, SIDES)
    poses = np.stack([at(0), at(1), at(np.nextafter(np.float32(1), np.float32(2))), at(0.25, 0.5, 0.75)])
    for a, b in [(box, box), (box, mesh), (mesh, mesh)]:
        assert claybox.collide(a, b, algorithm=algorithm)
        assert claybox.collide_many(a, b, poses, None, algorithm=algorithm).tolist() == [True, True, False, True]


@pytest.mark.parametrize('algorithm', ONE_SIDED)
def test_one_sided_algorithms_answer_as_exact_ones(box, algorithm):
    random = np.random.default_rng(8)
    ball = random.normal(size=(30, 3))
    ball = claybox.Shape.from_hull(0.5 * ball / np.linalg.norm(ball, axis=1, keepdims=True))
    poses = np.tile(np.eye(4), (200, 1, 1))
    poses[:, :3, 3] = random.uniform(-1.3, 1.3, (200, 3))
    expected = claybox.collide_many(box, ball, None, poses)
    assert 0 < expected.sum() < 200
    assert (claybox.collide_many(box, ball, None, poses, algorithm=algorithm) == expected).all()
    assert [claybox.collide(box, ball, None, p, algorithm=algorithm) for p in poses] == expected.tolist()
    if algorithm.startswith('edge'):
        surfaces = claybox.collide_many(box, ball, None, poses, solid=False)
        assert (claybox.collide_many(box, ball, None, poses, algorithm=algorithm, solid=False) == surfaces).all()


def test_an_algorithm_that_finds_out_late_that_it_does_not_apply_is_replaced():
    # convex_parts refuses a mesh that cuts itself only after it has looked at it.
    crossing = claybox.Shape.from_mesh(np.concatenate([CORNERS, CORNERS + 0.25]), np.concatenate([SIDES, SIDES + 8]))
    small = claybox.Shape.from_hull(0.1 * CORNERS)
    poses = np.stack([at(-0.4), at(5)])
    assert claybox.collide(crossing, small, None, poses[0], algorithm='convex_parts')
    assert claybox.collide_many(crossing, small, None, poses, algorithm='convex_parts').tolist() == [True, False]


@pytest.mark.parametrize('algorithm', [None, 'mesh_bvh', 'edge_polygon', 'box_tree', 'edge_polygon_boxes'])
def test_points_and_segments_are_tested_against_meshes(algorithm):
    mesh, point = l_prism(), claybox.Shape.from_hull([[0, 0, 0]])
    segment = claybox.Shape.from_hull([[0, 0, -1], [0, 0, 2]])
    poses = np.stack([at(1.5, 0.5, 0.5), at(1.5, 0.5, 1), at(1.5, 1.5, 0.5), at(1.5, 0.5, 1.0000001)])
    assert claybox.collide_many(point, mesh, poses, None, algorithm=algorithm).tolist() == [True, True, False, False]
    assert [claybox.collide(mesh, point, None, p, algorithm=algorithm) for p in poses] == [True, True, False, False]
    on_surface = claybox.collide_many(point, mesh, poses, None, algorithm=algorithm, solid=False)
    assert on_surface.tolist() == [False, True, False, False]
    assert claybox.collide(segment, mesh, at(0.5, 1.5), algorithm=algorithm, solid=False)
    assert not claybox.collide(segment, mesh, at(1.5, 1.5), algorithm=algorithm)


def test_distances_of_points_and_segments_from_meshes():
    mesh, point = l_prism(), claybox.Shape.from_hull([[0, 0, 0]])
    apart = claybox.distance(point, mesh, at(10, 0.5, 0.5))
    assert apart.distance == pytest.approx(8) and apart.point_b == pytest.approx([2, 0.5, 0.5])
    assert apart.point_a == pytest.approx([10, 0.5, 0.5])
    segment = claybox.Shape.from_hull([[0, 0, -1], [0, 0, 2]])
    assert claybox.distance_many(segment, mesh, np.stack([at(1.5, 1.5), at(0.5, 1.5)]), None) == pytest.approx([0.5, 0])
    found = claybox.contacts(segment, mesh, at(0.5, 1.5), None)
    assert sorted(found['point'][:, 2]) == pytest.approx([0, 1])


def test_points_and_segments_without_polygons_answer_as_convex_shapes():
    random = np.random.default_rng(6)
    hits = 0
    for _ in range(300):
        a, b = (claybox.Shape.from_hull(random.integers(-1, 2, (random.integers(1, 4), 3))) for _ in range(2))
        expected = claybox.collide(a, b)
        hits += expected
        for algorithm in ('lp_exact', 'mesh_bvh', 'edge_polygon', 'box_tree', 'random_points'):
            assert claybox.collide(a, b, algorithm=algorithm) == expected
    assert 20 < hits < 280


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


def ticks_during(call):
    """How often another thread runs while this one calls. If the call keeps the interpreter's lock: 0, since with this switch
    interval a thread gets the lock only when another gives it away."""
    ticks, running, done = [], threading.Event(), threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(len(ticks))
            running.set()
            time.sleep(0.0002)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    other = threading.Thread(target=tick)
    try:
        other.start()
        running.wait()
        first = len(ticks)
        call()
        return len(ticks) - first
    finally:
        done.set()
        other.join()
        sys.setswitchinterval(before)


def crowd(box, count):
    random = np.random.default_rng(9)
    world = claybox.World(algorithm='mesh_bvh')
    for _ in range(count):
        world.add(box, at(*random.uniform(-1, 1, 3)))
    return world


@pytest.mark.parametrize('call', [
    pytest.param(lambda box, poses: claybox.collide_many(box, box, poses_b=poses), id='collide_many'),
    pytest.param(lambda box, poses: claybox.distance_many(box, box, poses_b=poses), id='distance_many'),
    pytest.param(lambda box, poses: claybox.depth_many(box, box, poses_b=poses), id='depth_many'),
    pytest.param(lambda box, poses: claybox.collide_many(box, box, poses[:2000], algorithm='separating_plane'), id='fallback'),
])
def test_many_releases_the_interpreter(box, call):
    poses = np.tile(at(0.3), (30000, 1, 1))
    poses[:, 0, 3] = np.random.default_rng(1).uniform(0.2, 0.4, len(poses))
    assert ticks_during(lambda: call(box, poses)) >= 3


def test_update_releases_the_interpreter(box):
    world = crowd(box, 300)
    assert ticks_during(world.update) >= 3 and len(world.pairs()) > 10000


def test_making_a_hull_releases_the_interpreter():
    points = np.random.default_rng(2).normal(size=(20000, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    assert ticks_during(lambda: claybox.Shape.from_hull(points)) >= 3


@pytest.mark.parametrize('kind', ['float32', 'float64', 'three rows', 'strided', 'big-endian', 'unaligned', 'integers', 'list'])
def test_stacks_of_poses_may_have_any_layout(box, kind):
    poses = np.tile(np.eye(4), (50, 1, 1))
    poses[:, 0, 3] = np.arange(50) / 16
    expected = (poses[:, 0, 3] <= 1).tolist()
    made = {
        'float32': lambda: poses.astype(np.float32),
        'float64': lambda: poses,
        'three rows': lambda: poses.astype(np.float32)[:, :3].copy(),
        'strided': lambda: np.repeat(poses, 2, axis=0)[::2],
        'big-endian': lambda: poses.astype('>f4'),
        'unaligned': lambda: np.frombuffer(b'x' + poses.tobytes(), np.uint8)[1:].view(np.float64).reshape(-1, 4, 4),
        'integers': lambda: (poses * 16).round().astype(int),
        'list': poses.tolist,
    }[kind]()
    if kind == 'integers':  # scaled by 16 in space; the last row is wrong then
        made[:, 3, 3] = 1
        made[:, :3, :3] = np.eye(3, dtype=int)
        expected = [i <= 1 for i in range(50)]
    assert claybox.collide_many(box, box, made, None).tolist() == expected
    assert claybox.collide_many(box, box, at(0), made).tolist() == expected


@pytest.mark.parametrize('kind', ['float32', 'float64', 'strided', 'big-endian', 'unaligned', 'integers'])
def test_vertices_and_faces_may_have_any_layout(kind):
    corners, sides = (CORNERS * 2), SIDES
    raw = np.frombuffer(b'x' + corners.tobytes(), np.uint8)[1:].view(np.float64).reshape(-1, 3)
    thin = np.frombuffer(b'x' + sides.astype('i4').tobytes(), np.uint8)[1:].view(np.int32).reshape(-1, 4)
    vertices, faces = {
        'float32': (corners.astype('f4'), sides.astype('i4')),
        'float64': (corners, sides.astype('i8')),
        'strided': (np.repeat(corners.astype('f4'), 2, axis=0)[::2], np.repeat(sides.astype('i4'), 2, axis=0)[::2]),
        'big-endian': (corners.astype('>f4'), sides.astype('>i4')),
        'unaligned': (raw, thin),
        'integers': (corners.astype(int), sides.astype('i2')),
    }[kind]
    mesh = claybox.Shape.from_mesh(vertices, faces)
    assert mesh.vertices.tolist() == corners.tolist() and mesh.faces.tolist() == sides.tolist()


INTERRUPTED = """
import signal, threading
import numpy as np
import claybox

box = claybox.Shape.from_hull([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
poses = np.tile(np.eye(4, dtype=np.float32), (2_000_000, 1, 1))
poses[:, 0, 3] = 0.5
threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
try:
    claybox.depth_many(box, box, None, poses)
except KeyboardInterrupt:
    print('interrupted')
"""


def test_ctrl_c_ends_a_batch():
    run = subprocess.run([sys.executable, '-c', INTERRUPTED], capture_output=True, text=True, check=True)
    assert run.stdout == 'interrupted\n'


MEMORY_OF_A_CALL = """
import re, sys
import numpy as np
import claybox

def most_memory():
    return int(re.search(r'VmHWM:\\s*(\\d+) kB', open('/proc/self/status').read()).group(1))

box = claybox.Shape.from_hull(np.eye(3))
poses = np.empty((300_000, 4, 4), sys.argv[1])
poses[:] = np.eye(4)
claybox.collide_many(box, box, poses[:1000])
before = most_memory()
claybox.collide_many(box, box, poses)
print(most_memory() - before)
"""


@pytest.mark.parametrize('dtype', ['float32', 'float64'])
def test_a_stack_of_poses_is_not_copied(dtype):
    run = subprocess.run([sys.executable, '-c', MEMORY_OF_A_CALL, dtype], capture_output=True, text=True, check=True)
    assert int(run.stdout) < 5000  # KiB; a copy has 14,000 or more, the answers 300


def test_contacts_of_two_meshes():
    a = claybox.Shape.from_mesh(TETRAHEDRON, FACES)
    found = claybox.contacts(a, a, None, at(0.9, 0.01, 0.02), algorithm='mesh_bvh')
    assert len(found) == 1
    assert found['depth'][0] > 0 and np.linalg.norm(found['normal'][0]) == pytest.approx(1)
    assert found['polygon_a'][0] < 4 and found['point'].shape == (1, 3)
    assert len(claybox.contacts(a, a, None, at(5), algorithm='mesh_bvh')) == 0


@pytest.mark.parametrize('place', [(0.9, 0.1, 0.05), (0.99, 0.2, 0.1), (0.5, 0.75, 0)])
def test_a_move_by_the_depth_of_the_contact_separates(place):
    mesh = claybox.Shape.from_mesh(CORNERS, SIDES)
    found = claybox.contacts(mesh, mesh, None, at(*place))
    assert len(found) == 1 and claybox.collide(mesh, mesh, None, at(*place))
    after = np.array(place) + (found['depth'][0] + 1e-6) * found['normal'][0]
    assert not claybox.collide(mesh, mesh, None, at(*after))
    row = mesh.faces[found['polygon_a'][0]]
    assert any(mesh.vertices[row][:, axis].ptp() == 0 for axis in range(3))


def test_contacts_without_a_depth():
    mesh, rod = claybox.Shape.from_mesh(CORNERS, SIDES), claybox.Shape.from_hull(CORNERS * [4, 0.2, 0.2])
    triangles = claybox.Shape.from_mesh(CORNERS, np.vstack([SIDES[:, :3], SIDES[:, [0, 2, 3]]]))
    touching = claybox.contacts(triangles, triangles, None, at(1, 1))
    assert len(touching) > 0 and not touching['depth'].any()
    through = claybox.contacts(mesh, rod)
    assert len(through) == 2 and through['depth'] == pytest.approx([0, 0], abs=1e-12)
    open_box = claybox.contacts(claybox.Shape.from_mesh(CORNERS, SIDES[:5]), mesh, None, at(0.9, 0.1, 0.1))
    assert len(open_box) > 0 and not open_box['depth'].any()


@pytest.mark.parametrize('pose, message', [
    (np.eye(3), r'\(3, 3\), expected'),
    (at(np.inf), 'finite'),
    (np.ones((4, 4)), 'last row'),
    (np.eye(4)[None], 'a stack of matrices'),
    (np.eye(4) * 1j, 'pose_a has the dtype complex128, expected real numbers'),
    (np.eye(4).astype(str), 'pose_a has the dtype <U.*, expected real numbers'),
    (np.eye(4, dtype=bool), 'pose_a has the dtype bool, expected real numbers'),
    ([[1, 0], [1]], 'pose_a is not an array'),
    (at(1e300), 'finite'),
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
