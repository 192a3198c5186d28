"""Which algorithm is fastest for these shapes? All but depth_buffer, which looks at pixels, give the same answers."""
# %% Two convex shapes of 200 vertices, and 2,000 poses as of a slow motion
import time

import numpy as np

import claybox

random = np.random.default_rng(1)
points = random.normal(size=(200, 3))
ball = claybox.Shape.from_hull(points / np.linalg.norm(points, axis=1, keepdims=True))
poses = np.tile(np.eye(4), (2000, 1, 1))
poses[:, 0, 3] = np.linspace(1.5, 2.5, len(poses))

# %% The same question to each
expected = claybox.collide_many(ball, ball, None, poses)
for algorithm in claybox.algorithms():
    try:
        claybox.collide(ball, ball, None, poses[0], algorithm=algorithm)
    except ValueError:
        continue  # it does not accept these shapes
    start = time.perf_counter()
    answers = claybox.collide_many(ball, ball, None, poses, algorithm=algorithm)
    microseconds = 1e6 * (time.perf_counter() - start) / len(poses)
    print(f'{algorithm:20} {microseconds:9.2f} us a query, {(answers != expected).sum()} answers differ')
