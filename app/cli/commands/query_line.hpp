#pragma once

#include "collision/continuous/query.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace claybox::app {

struct PreparedShape;

/// One side of a query line: the hull of points, or a mesh file by name.
struct QuerySide {
    std::vector<collision::Vec3f> points;
    std::string_view points_text;          ///< where the line has the points; only from scan_query_line()
    PreparedShape* known = nullptr;        ///< the hull of the points, which were not read; only from there
    std::string mesh;                      ///< a plain file name, empty for points
    collision::Matrix34f world_from_body;  ///< at t = 0
    collision::Motion motion;
};

struct QueryLine {
    nlohmann::json id;  ///< string or number as given; null when the line has none
    QuerySide a, b;
    bool has_motion = false;  ///< the line names a motion; it may be that of a fixed body
};

/// The exact hull of n points takes n^2 steps in the worst case, about half a minute for this many.
inline constexpr std::size_t kMaxQueryPoints = 100'000;

/// Whether the name stays in the folder that it is looked up in. No file system has longer names.
bool is_plain_name(const std::string& name);

/// Reads a line in the format of the ground truth. Checks every field that the answer depends on.
collision::Result<QueryLine> parse_query_line(std::string_view text);

}  // namespace claybox::app
