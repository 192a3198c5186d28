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
    /// The answer for each meaning; none if the truth does not state it.
    std::optional<bool> solid, surface;
    double distance = 0, size = 0, coordinates = 0;
    double depth = -1;  ///< negative if the truth has none

    std::optional<bool> answer(Meaning meaning) const { return meaning == Meaning::solid ? solid : surface; }
};

/// All lines of convex.jsonl and of mesh.jsonl; read once.
const std::vector<TruthPair>& convex_truth();
const std::vector<TruthPair>& mesh_truth();

/// The same pair one frame earlier: B was elsewhere by a twentieth of the size.
Pair frame_before(const TruthPair& t, const Pair& now, const Vec3d& direction, double scale = 1);

/// Permutes the world's axes and changes signs: exact for all numbers. One of the 48 maps.
Matrix34f with_axes_permuted(const Matrix34f& m, std::uint32_t map);

/// Scales the world by a power of two; none if an entry would leave the range of floats or of valid input.
std::optional<Pair> scaled_world(const Pair& p, int exponent);

/// Scales the shape by 2^-exponent and its matrix by 2^exponent: another shape in the same place.
std::optional<Pair> scaled_bodies(const Pair& p, int exponent);

/// Shifts both bodies by the same vector; none if a sum would require rounding.
std::optional<Pair> shifted(const Pair& p, const Vec3f& shift);

}  // namespace claybox::test
