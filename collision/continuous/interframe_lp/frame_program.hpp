#pragma once
// The linear program of two sets of points: do their hulls intersect? IVRI-CD, equations (5) to (33), with
// the columns of section 5: vertices of one or two frames.

#include "collision/continuous/query.hpp"
#include "collision/exact/solid.hpp"
#include "collision/pairwise/query_buffer.hpp"

namespace claybox::collision {

/// A vertex of a body in one of its frames; a column of the program.
struct FramePoint {
    Vec3d at;
    std::uint32_t vertex = 0;
    std::uint8_t frame = 0;
};

struct FrameAnswer {
    Verdict verdict = Verdict::undecided;  ///< as computed
    Vec3d axis;                            ///< from A towards B; separates the points if the verdict says so
    int count = 0;                         ///< of pairs: a combination of their differences is about zero
    VertexPair pairs[4];
    FramePair frames[4];
    std::uint32_t iterations = 0;
    std::uint32_t columns = 0;  ///< of the program, with the artificial one
};

/// Bytes that solve_frames() takes from the buffer.
std::size_t frame_program_bytes(std::size_t points);
/// `limit`: of iterations. The points may have any origin.
FrameAnswer solve_frames(std::span<const FramePoint> a, std::span<const FramePoint> b, std::uint32_t limit,
                         QueryBuffer& buffer);

}  // namespace claybox::collision
