"""Motions and worlds from Python."""
import math
import re

import numpy as np
import pytest

import claybox

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


def at(x, y=0.0, z=0.0):
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def resident_bytes():
    with open('/proc/self/status', encoding='utf-8') as status:
        return 1024 * int(re.search(r'VmRSS:\s*(\d+) kB', status.read()).group(1))


def turned(angle):
    pose = np.eye(4)
    pose[:2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    return pose


@pytest.fixture(name='box')
def make_box():
    return claybox.Shape.from_hull(CORNERS)


def test_time_of_impact_of_a_straight_motion(box):
    hit = claybox.time_of_impact(box, box, at(-3), at(5), None, None)
    assert hit.time == pytest.approx(0.25) and not hit.at_start
    assert hit.point[0] == pytest.approx(-0.5) and hit.normal == pytest.approx([1, 0, 0])
    assert claybox.time_of_impact(box, box, at(-3), at(-2)) is None
    assert claybox.time_of_impact(box, box).at_start


def test_a_screw_motion_is_followed(box):
    # A rod of length 4 turns by 90 degrees from the x to the y axis; a box at 45 degrees is in its way.
    rod = claybox.Shape.from_hull(CORNERS * [4, 0.2, 0.2])
    away = at(math.sqrt(2), math.sqrt(2))
    assert not claybox.collide(rod, box, None, away) and not claybox.collide(rod, box, turned(math.pi / 2), away)
    hit = claybox.time_of_impact(rod, box, np.eye(4), turned(math.pi / 2), away)
    assert 0 < hit.time < 0.5


def test_a_sheared_pose_moves_straight_only(box):
    sheared = np.eye(4)
    sheared[0, 1] = 0.5
    moved = sheared.copy()
    moved[0, 3] = 4
    assert claybox.time_of_impact(box, box, sheared, moved, at(3)).time < 1
    with pytest.raises(ValueError, match='not rigid'):
        claybox.time_of_impact(box, box, sheared, np.eye(4))


def test_a_motion_without_an_answer_raises(box):
    # A rod of 100 km turns about its end towards the box: each step of the search must be short for its tip.
    rod = claybox.Shape.from_hull([[0, 0, 0], [1e5, 0, 0]])
    with pytest.raises(RuntimeError, match='undecided from time 0.6.*larger tolerance'):
        claybox.time_of_impact(rod, box, np.eye(4), turned(0.5), at(1, 1))
    first = math.atan2(0.5, 1.5) / 0.5
    hit = claybox.time_of_impact(rod, box, np.eye(4), turned(0.5), at(1, 1), tolerance=0.1)
    assert first - 0.15 < hit.time < first


@pytest.mark.parametrize('points', [[[0, 0, 0]], [[0, 0, 0], [0, 0, 0.5]]])
def test_points_and_segments_move_against_meshes(points):
    mesh = claybox.Shape.from_mesh(*l_prism())
    hit = claybox.time_of_impact(claybox.Shape.from_hull(points), mesh, at(-1, 1.5, 0.25), at(3, 1.5, 0.25))
    assert hit.time == pytest.approx(0.25, abs=1e-5)
    assert claybox.time_of_impact(claybox.Shape.from_hull(points), mesh, at(-1, 3), at(3, 3)) is None


def test_world_reports_begin_and_end(box):
    world = claybox.World()
    a, b = world.add(box), world.add(box, at(3))
    assert len(world) == 2 and len(world.update()) == 0
    world.move(b, at(0.5))
    events = world.update()
    assert [(e['kind'], e['a'], e['b']) for e in events] == [(claybox.BEGIN, a, b)]
    assert world.pairs().tolist() == [[a, b]]
    world.remove(b)
    assert [e['kind'] for e in world.update()] == [claybox.END]
    assert world.pairs().shape == (0, 2)
    with pytest.raises(KeyError, match='number 1'):
        world.move(b, at(0))


@pytest.mark.parametrize('algorithm, solid, expected', [
    (None, True, 1), (None, False, 0), ('mesh_bvh', True, 1), ('mesh_bvh', False, 0)])
def test_the_algorithm_decides_what_a_body_inside_counts(box, algorithm, solid, expected):
    world = claybox.World(algorithm=algorithm, solid=solid)
    world.add(box)
    world.add(claybox.Shape.from_hull(0.1 * CORNERS))
    world.update()
    assert len(world.pairs()) == expected


@pytest.mark.parametrize('broad_phase, workers', [(None, 1), ('grid', 1), ('tree', 2)])
def test_world_equals_all_pairs(box, broad_phase, workers):
    random = np.random.default_rng(2)
    world = claybox.World(broad_phase=broad_phase, workers=workers)
    places = random.uniform(-4, 4, (60, 3)).astype(np.float32)
    numbers = [world.add(box, at(*p)) for p in places]
    world.update()
    expected = [[numbers[i], numbers[j]] for i in range(60) for j in range(i + 1, 60)
                if claybox.collide(box, box, at(*places[i]), at(*places[j]))]
    assert world.pairs().tolist() == expected and expected


def rotation(random):
    q = random.normal(size=4)
    w, x, y, z = q / np.linalg.norm(q)
    out = np.eye(4)
    out[:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                   [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                   [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return out


def test_verdicts_are_exact_for_the_pose_that_the_world_keeps(box):
    random = np.random.default_rng(4)
    differ, hits = 0, 0
    for _ in range(100):
        start, direction = rotation(random), random.normal(size=3)
        low, high = 0.5, 3.0  # metres: colliding, apart
        while np.float32(low) < np.float32(high) != np.nextafter(np.float32(low), np.float32(9)):
            middle = np.float32((low + high) / 2)
            pose = start.copy()
            pose[:3, 3] = middle * direction / np.linalg.norm(direction)
            low, high = (middle, high) if claybox.collide(box, box, None, pose) else (low, middle)
        for step in range(-3, 4):
            pose = start.copy()
            pose[:3, 3] = (low + step * 6e-8) * direction / np.linalg.norm(direction)
            world = claybox.World()
            a, b = world.add(box), world.add(box, pose)
            world.update()
            kept = world.pose(b)
            assert kept.shape == (4, 4) and kept.dtype == np.float32
            assert kept == pytest.approx(pose, abs=1e-6)
            verdict = claybox.collide(box, box, world.pose(a), kept)
            assert (len(world.pairs()) == 1) == verdict
            hits += verdict
            differ += verdict != claybox.collide(box, box, None, pose)
    assert 0 < hits < 700 and differ > 0  # the poses are so close to touching that rounding matters


def test_pose_is_that_of_the_last_move(box):
    world = claybox.World()
    body = world.add(box)
    world.move(body, at(1, 2, 3))
    assert (world.pose(body) == at(1, 2, 3)).all()
    world.move(body, None)
    assert (world.pose(body) == np.eye(4)).all()
    world.remove(body)
    with pytest.raises(KeyError, match='number 0'):
        world.pose(body)


def test_a_move_to_the_same_pose_tests_nothing(box):
    world = claybox.World()
    a, b = world.add(box), world.add(box, at(0.5))
    world.update()
    assert world.tested_pairs == 1
    world.move(b, at(0.5))
    assert len(world.update()) == 0 and world.tested_pairs == 0 and world.pairs().tolist() == [[a, b]]
    world.move(b, at(3))
    world.move(b, at(0.5))  # back before the update
    world.update()
    assert world.pairs().tolist() == [[a, b]]


def l_prism():
    """Vertices and faces of a prism over an L from (0, 0) to (2, 2), 1 m high."""
    base = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]])
    vertices = [[x, y, z] for z in (0, 1) for x, y in base]
    sides = [[i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6, -1, -1] for i in range(6)]
    return vertices, [[5, 4, 3, 2, 1, 0], [6, 7, 8, 9, 10, 11], *sides]


@pytest.mark.parametrize('algorithm, solid', [(None, True), ('gjk', True), ('separating_plane', True), (None, False)])
def test_world_tests_points_and_segments_against_meshes(algorithm, solid):
    world = claybox.World(algorithm=algorithm, solid=solid)
    mesh = world.add(claybox.Shape.from_mesh(*l_prism()))
    point, segment = claybox.Shape.from_hull([[0, 0, 0]]), claybox.Shape.from_hull([[0, 0, -1], [0, 0, 2]])
    inside = world.add(point, at(1.5, 0.5, 0.5))
    on_the_face = world.add(point, at(1.5, 0.5, 1))
    in_the_notch = world.add(point, at(1.5, 1.5, 0.5))
    through = world.add(segment, at(0.5, 1.5))
    through_the_notch = world.add(segment, at(1.5, 1.5))
    world.update()
    expected = [[mesh, b] for b in ([inside] if solid else []) + [on_the_face, through]]
    assert world.pairs().tolist() == [*expected, [in_the_notch, through_the_notch]]


@pytest.mark.parametrize('algorithm', ['separating_plane', 'edge_polygon_boxes', 'random_points', 'convex_parts'])
def test_world_falls_back_where_an_algorithm_has_no_answer(box, algorithm):
    world = claybox.World(algorithm=algorithm)
    a, b = world.add(box), world.add(box)
    world.update()
    assert world.pairs().tolist() == [[a, b]]


def test_a_continuous_body_that_rests_after_a_collision_is_free(box):
    world = claybox.World()
    world.add(claybox.Shape.from_hull(CORNERS * [0.01, 2, 2]))
    bullet = world.add(box, at(-3), continuous=True)
    world.update()
    kinds = []
    for _ in range(3):
        world.move(bullet, at(3))
        kinds.append([e['kind'] for e in world.update()])
    assert kinds == [[claybox.BEGIN], [claybox.END], []]


def test_continuous_bodies_do_not_pass_through(box):
    plate = claybox.Shape.from_hull(CORNERS * [0.01, 2, 2])
    world = claybox.World()
    world.add(plate)
    bullet = world.add(box, at(-3), continuous=True)
    world.update()
    world.move(bullet, at(3))
    assert [e['kind'] for e in world.update()] == [claybox.BEGIN]


def test_bad_settings_are_refused(box):
    with pytest.raises(ValueError, match='unknown broad phase'):
        claybox.World(broad_phase='nonsense')
    with pytest.raises(ValueError, match='unknown algorithm'):
        claybox.World(algorithm='nonsense')
    with pytest.raises(ValueError, match='1 to 64'):
        claybox.World(workers=0)
    with pytest.raises(ValueError, match='gjk decides solids, expected solid=True'):
        claybox.World(algorithm='gjk', solid=False)
    scaled = np.diag([2.0, 2, 2, 1])
    with pytest.raises(ValueError, match='not rigid'):
        claybox.World().add(box, scaled)


def test_the_place_of_a_contact_at_the_start_is_none(box):
    hit = claybox.time_of_impact(box, box, at(10), at(12), at(10.5))
    assert hit.at_start and hit.time == 0 and hit.point is None and hit.normal == pytest.approx([0, 0, 0])


@pytest.mark.parametrize('name', ['start_a', 'end_a', 'start_b', 'end_b'])
@pytest.mark.parametrize('bad, words', [(np.eye(3), 'shape'), (at(math.nan), 'finite'),
                                        (np.diag([2.0, 1, 1, 1]), 'rigid')])
def test_errors_of_a_motion_name_the_pose(box, name, bad, words):
    poses = {'start_a': at(-3), 'end_a': turned(1), 'start_b': None, 'end_b': turned(1)}
    with pytest.raises(ValueError, match=f'{name}.*{words}'):
        claybox.time_of_impact(box, box, **{**poses, name: bad})


def test_a_turn_goes_the_short_way_round(box):
    rod = claybox.Shape.from_hull(CORNERS * [4, 0.2, 0.2])
    three_quarters = turned(math.radians(270))
    assert claybox.time_of_impact(rod, box, None, three_quarters, at(0, -1.5)) is not None
    ways = [turned(math.radians(angle)) for angle in (0, 90, 180, 270)]
    right = at(1.2, 1.2)
    assert claybox.time_of_impact(rod, box, None, three_quarters, right) is None
    assert any(claybox.time_of_impact(rod, box, a, b, right) for a, b in zip(ways, ways[1:]))


def test_removed_bodies_need_no_memory(box):
    world = claybox.World()
    resting = world.add(box)
    for _ in range(100):
        guest = world.add(box, at(0.5))
        assert [tuple(e)[:2] for e in world.update()] == [(resting, guest)]
        world.remove(guest)
        events = world.update()
        assert [e['kind'] for e in events] == [claybox.END] and not events['point'].any()
    before = resident_bytes()
    for _ in range(20000):
        world.remove(world.add(box, at(0.5)))
        world.update()
    assert resident_bytes() - before < 500_000


@pytest.mark.parametrize('make', [lambda box: claybox.World(workers=0), lambda box: claybox.World(workers=-1),
                                  lambda box: claybox.World(workers=65),
                                  lambda box: claybox.World().add(box, group=-1),
                                  lambda box: claybox.World().add(box, group=64)])
def test_numbers_out_of_range_are_value_errors(box, make):
    with pytest.raises(ValueError, match='expected'):
        make(box)
