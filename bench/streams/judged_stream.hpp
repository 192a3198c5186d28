#pragma once
// A recorded stream with the exact answer of every query, in the order in which benches time it: frame by
// frame, and within a frame the queries of one kind together.

#include "bench/streams/query_stream.hpp"

#include <string>

namespace claybox::streams {

/// How far from contact a query is; kNearContact parts them.
enum class QueryKind : unsigned char { separated, near, colliding };
inline constexpr std::size_t kQueryKinds = 3;
const char* to_string(QueryKind kind);

/// Distance and penetration depth, in radii, up to which a query is near: one frame's step of the papers.
inline constexpr double kNearContact = 0.05;

struct JudgedQuery {
    collision::Matrix34f world_from_a, world_from_b;
    std::uint32_t shape_a = 0, shape_b = 0;  ///< indices into JudgedStream::shapes
    std::uint32_t pair = 0;                  ///< below JudgedStream::pairs: where its cache stands
    bool fresh = false;     ///< not asked in the frame before: a world would start an empty cache
    bool collides = false;  ///< the exact answer
    QueryKind kind = QueryKind::separated;
};

/// Consecutive queries of one frame and one kind.
struct QueryBatch {
    std::uint32_t first = 0, count = 0, frame = 0;
    QueryKind kind = QueryKind::separated;
};

struct JudgedStream {
    std::vector<collision::ShapePtr> shapes;  ///< different ones
    std::vector<JudgedQuery> queries;
    std::vector<QueryBatch> batches;  ///< in order, all queries
    std::uint32_t pairs = 0, frames = 0;
};

/// Judges every query by two exact algorithms that share no code, and fails when they disagree. Convex bodies
/// by gjk, lp_exact and the exact check of the first one's certificate; others by the two referees of meshes,
/// about their surfaces, and then no query is near. `radius` is of the bodies, metres.
collision::Result<JudgedStream> judge(const QueryStream& stream, double radius);

}  // namespace claybox::streams
