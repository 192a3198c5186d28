#pragma once
// The questions of the ground truth as pairs of shapes, and maps of the world that keep every answer exactly.

#include "tests/pairwise/pairs.hpp"

#include <optional>
#include <string>
#include <vector>

namespace claybox::test {

struct TruthPair {
    std::string id, kind;
    Pair pair;
    /// What each meaning answers; none where the truth does not say.
    std::optional<bool> solid, surface;
    double distance = 0, size = 0, coordinates = 0;
    double depth = -1;  ///< negative where the truth has none

    std::optional<bool> answer(Meaning meaning) const { return meaning == Meaning::solid ? solid : surface; }
};

/// All lines of convex.jsonl and of mesh.jsonl; read once.
const std::vector<TruthPair>& convex_truth();
const std::vector<TruthPair>& mesh_truth();

/// The same pair one frame ago: B was elsewhere by a twentieth of the size.
Pair frame_before(const TruthPair& t, const Pair& now, const Vec3d& direction, double scale = 1);

/// Axes of the world permuted and signs changed: exact for all numbers. One of the 48 maps.
Matrix34f with_axes_permuted(const Matrix34f& m, std::uint32_t map);

/// The world scaled by a power of two; none where an entry would leave the range of floats or of what may
/// enter.
std::optional<Pair> scaled_world(const Pair& p, int exponent);

/// The shape scaled by 2^-exponent and its matrix by 2^exponent: another shape in the same place.
std::optional<Pair> scaled_bodies(const Pair& p, int exponent);

/// Both bodies shifted by the same vector; none where a sum would have to be rounded.
std::optional<Pair> shifted(const Pair& p, const Vec3f& shift);

}  // namespace claybox::test
