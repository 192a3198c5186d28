#pragma once
// The whole public library in one include: pair queries between meshes, and worlds of moving bodies.
// README.md has a first program; docs/explanation/architecture.md lists the layers behind these headers.

#include "collision/broadphase/broad_phase.hpp"
#include "collision/continuous/registry.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/geometry/shape.hpp"
#include "collision/module/world.hpp"
#include "collision/pairwise/contacts.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/version.hpp"
