#pragma once
// Everything that a program needs to ask whether two meshes collide, or to run a world of bodies.

#include "collision/broadphase/broad_phase.hpp"
#include "collision/continuous/registry.hpp"
#include "collision/geometry/primitives.hpp"
#include "collision/geometry/shape.hpp"
#include "collision/module/world.hpp"
#include "collision/pairwise/contacts.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/version.hpp"
