#include "app/potter/touch/touched_polygons.hpp"

#include <algorithm>

namespace claybox::app {

using collision::kNoIndex;

void add_touched_polygons(const collision::Topology& clay, const collision::Hit& hit, bool clay_is_b,
                          std::vector<std::uint32_t>& polygons) {
    if (hit.edge_of_b != clay_is_b) {
        polygons.push_back(hit.polygon);
    } else if (hit.edge != kNoIndex) {
        for (const std::uint32_t polygon : clay.edges[hit.edge].polygons)
            if (polygon != kNoIndex) polygons.push_back(polygon);
    }
}

void make_unique(std::vector<std::uint32_t>& polygons) {
    std::sort(polygons.begin(), polygons.end());
    polygons.erase(std::unique(polygons.begin(), polygons.end()), polygons.end());
}

}  // namespace claybox::app
