"""Exact and fast collision detection: shapes, pair queries, motions, and worlds of moving bodies."""
from ._claybox import *  # noqa: F401,F403
from ._claybox import __version__  # noqa: F401
