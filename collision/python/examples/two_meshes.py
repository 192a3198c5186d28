"""Do two meshes collide, where, and how far must one move?"""
# %% Two meshes: vertices in metres, and faces as rows of vertex indices
import numpy as np

import claybox


def box(size):
    """Vertices and faces of a box around the origin."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * size
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return corners, faces


table = claybox.Shape.from_mesh(*box([1.25, 0.75, 0.0625]), name='table')
cup = claybox.Shape.from_mesh(*box([0.125, 0.125, 0.125]), name='cup')

# %% A pose is a matrix. The cup stands exactly on the table
place = np.eye(4)
place[2, 3] = 0.09375
print('on the table:', claybox.collide(table, cup, None, place))  # touching counts

# %% One millimetre higher and lower
place[2, 3] = 0.09475
print(f'higher: {claybox.distance(table, cup, None, place).distance * 1000:.2f} mm apart')
place[2, 3] = 0.09275
deep = claybox.depth(table, cup, None, place)
print(f'lower: {deep.depth * 1000:.2f} mm deep, push the cup along {np.round(deep.direction, 3) + 0.0}')

# %% Every place where the surfaces intersect
for contact in claybox.contacts(table, cup, None, place, algorithm='mesh_bvh'):
    print(f'contact of face {contact["polygon_a"]} with face {contact["polygon_b"]}')
