"""Is the path of a robot arm free? Thousands of poses at once, then the motion between them."""
# %% A link of an arm that turns about the z axis, and a post in its way
import numpy as np

import claybox

corners = np.array([[x, y, z] for x in (0.0, 1.0) for y in (-0.05, 0.05) for z in (-0.05, 0.05)])
link = claybox.Shape.from_hull(corners, name='link')
post = claybox.Shape.from_hull(corners * [0.02, 0.2, 10], name='post')
post_at = np.eye(4)
post_at[:3, 3] = 0.6, 0.6, 0


def turned(angle):
    """A rotation about z."""
    out = np.eye(4)
    out[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return out


# %% 10,000 poses from 0 to 90 degrees, in one call
angles = np.linspace(0, np.pi / 2, 10_000)
poses = np.stack([turned(angle) for angle in angles])
hits = claybox.collide_many(link, post, poses, post_at)
print(f'{hits.sum()} of {len(hits)} poses collide, from {np.degrees(angles[hits][0]):.2f} to {np.degrees(angles[hits][-1]):.2f} degrees')

# %% Few poses can miss the post; the motion between two poses cannot
print('three poses see it:', claybox.collide_many(link, post, poses[[0, 2500, -1]], post_at).any())
hit = claybox.time_of_impact(link, post, turned(0), turned(np.pi / 2), post_at)
print(f'the motion hits it at {90 * hit.time:.2f} degrees')

# %% How close does it come before?
free = poses[:np.argmax(hits)]
print(f'distance at the start: {claybox.distance_many(link, post, free, post_at)[0]:.3f} m')
