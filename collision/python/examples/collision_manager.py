"""trimesh's collision manager without python-fcl: which of many meshes collide?"""
# %% The class that takes the place of trimesh.collision.CollisionManager
import claybox


class CollisionManager:
    def __init__(self):
        self.world, self.numbers = claybox.World(algorithm='mesh_bvh', solid=False), {}

    def add_object(self, name, mesh, transform=None):
        if name in self.numbers:  # the new object replaces it
            self.remove_object(name)
        self.numbers[name] = self.world.add(claybox.Shape.from_mesh(mesh.vertices, mesh.faces), transform)

    def remove_object(self, name):
        self.world.remove(self.numbers.pop(name))

    def set_transform(self, name, transform):
        self.world.move(self.numbers[name], transform)

    def in_collision_internal(self, return_names=False):
        self.world.update()
        names = {number: name for name, number in self.numbers.items()}
        pairs = {tuple(sorted((names[a], names[b]))) for a, b in self.world.pairs().tolist()}
        return (bool(pairs), pairs) if return_names else bool(pairs)


# %% A stack of three boxes. With trimesh, a mesh is trimesh.load('box.stl'); here it is anything with vertices and faces
from types import SimpleNamespace

import numpy as np

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
box = SimpleNamespace(vertices=CORNERS, faces=np.array([t for a, b, c, d in SIDES for t in ([a, b, c], [a, c, d])]))


def at_height(z):
    place = np.eye(4)
    place[2, 3] = z
    return place


manager = CollisionManager()
for name, z in {'bottom': 0.0, 'middle': 1.0, 'top': 2.5}.items():
    manager.add_object(name, box, at_height(z))
print('stacked:', sorted(manager.in_collision_internal(return_names=True)[1]))  # touching counts

# %% Lower the top box
manager.set_transform('top', at_height(1.75))
print('lowered:', sorted(manager.in_collision_internal(return_names=True)[1]))
