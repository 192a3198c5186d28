#pragma once
// A recorded stream with the exact answer of every query, in the order in which benches time it: by frame,
// and within a frame by kind.

#include "bench/streams/query_stream.hpp"

#include <string>

namespace claybox::streams {

/// How far a pair is from contact: near, or separated or colliding by more than kNearContact.
enum class QueryKind : unsigned char { separated, near, colliding };
inline constexpr std::size_t kQueryKinds = 3;
const char* to_string(QueryKind kind);

/// Maximum distance or penetration depth of a near query, in radii: the step per frame in the papers.
inline constexpr double kNearContact = 0.05;

struct JudgedQuery {
    collision::Matrix34f world_from_a, world_from_b;
    std::uint32_t shape_a = 0, shape_b = 0;  ///< indices into JudgedStream::shapes
    std::uint32_t pair = 0;                  ///< index of the pair's cache, below JudgedStream::pairs
    bool fresh = false;     ///< not queried in the previous frame: a world would start with an empty cache
    bool collides = false;  ///< the exact answer
    QueryKind kind = QueryKind::separated;
};

/// Consecutive queries of one frame and one kind.
struct QueryBatch {
    std::uint32_t first = 0, count = 0, frame = 0;
    QueryKind kind = QueryKind::separated;
};

struct JudgedStream {
    std::vector<collision::ShapePtr> shapes;  ///< each shape once
    std::vector<JudgedQuery> queries;
    std::vector<QueryBatch> batches;  ///< cover all queries, in order
    std::uint32_t pairs = 0, frames = 0;
};

/// Decides every query with two exact algorithms that share no code. An error if they disagree. Convex
/// bodies: gjk with an exact check of its certificate, and lp_exact. Other bodies: the two mesh referees,
/// surface against surface; no such query is near. `radius`: of the bodies, metres.
collision::Result<JudgedStream> judge(const QueryStream& stream, double radius);

}  // namespace claybox::streams
