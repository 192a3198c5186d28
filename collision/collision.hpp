#pragma once
/// \file
/// The whole public library in one include: pair queries between meshes, and worlds of moving bodies.
/// README.md has a first program; docs/explanation/architecture.md lists the layers behind these headers.

/// \namespace claybox
/// Claybox: the library is in claybox::collision.

/// \namespace claybox::collision
/// The library. These rules hold where a comment says nothing else:
/// - Lengths are metres, angles radians, times seconds. A name that ends with `_w` is in the world
///   frame, with `_a` or `_b` in the frame of body A or B, and `a_from_b` maps from frame B to frame A.
/// - Polygons are counter-clockwise seen from outside, vertices and polygons are numbered from 0, and
///   kNoIndex means "none".
/// - Functions are re-entrant: several threads may call them with different objects, and may read one
///   object at the same time. An object that one thread changes must not be used by another.
/// - Bad input returns a Result or a Status with an error. A broken precondition fails an assertion
///   (collision/core/assert.hpp). Nothing throws but std::bad_alloc, and what a callback of yours throws.
/// - Comments name the source of a method by author and section; docs/glossary.md lists the papers.

#include "collision/broadphase/broad_phase.hpp"
#include "collision/continuous/registry.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/geometry/shape.hpp"
#include "collision/module/world.hpp"
#include "collision/pairwise/contacts.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/version.hpp"
