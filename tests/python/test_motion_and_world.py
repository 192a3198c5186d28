"""Motions and worlds from Python."""
import math

import numpy as np
import pytest

import claybox

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


def at(x, y=0.0, z=0.0):
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


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


@pytest.mark.parametrize('algorithm, solid, expected', [(None, False, 1), ('mesh_bvh', True, 1), ('mesh_bvh', False, 0)])
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
    scaled = np.diag([2.0, 2, 2, 1])
    with pytest.raises(ValueError, match='not rigid'):
        claybox.World().add(box, scaled)
