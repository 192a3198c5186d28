#include "collision/pairwise/support/quick_climb.hpp"

#include "collision/core/assert.hpp"
#include "collision/pairwise/support/support.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// About four cells a vertex: most starts are the answer, so that the end of a climb can be predicted.
std::uint32_t resolution_for(std::uint32_t vertices) {
    constexpr double kFaces = 6, kCells = 4;
    return std::clamp(static_cast<std::uint32_t>(std::sqrt(kCells * vertices / kFaces)), 4u, 64u);
}

}  // namespace

QuickClimb::QuickClimb(const ConvexHull& hull)
    : hull_(&hull),
      resolution_(resolution_for(hull.vertex_count)),
      half_(0.5f * static_cast<float>(resolution_)),
      last_(static_cast<float>(resolution_) - 0.5f) {
    CLAYBOX_ASSERT(hull.vertex_count <= kMaxVertices);
    start_.reserve(std::size_t{6} * resolution_ * resolution_);
    std::uint32_t last = 0;
    for (std::uint32_t face = 0; face < 6; ++face)
        for (std::uint32_t w = 0; w < resolution_; ++w)
            for (std::uint32_t u = 0; u < resolution_; ++u) {
                const std::size_t axis = face / 2;
                Vec3f d;
                d[axis] = face % 2 == 0 ? half_ : -half_;
                d[(axis + 1) % 3] = static_cast<float>(u) + 0.5f - half_;
                d[(axis + 2) % 3] = static_cast<float>(w) + 0.5f - half_;
                last = support_vertex(hull, d, last, SupportMethod::climb);
                start_.push_back(static_cast<std::uint16_t>(last));
            }
    record_.resize(hull.vertex_count);
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) {
        const std::uint32_t begin = hull.neighbour_begin[v], end = hull.neighbour_begin[v + 1];
        std::size_t at = v;
        for (std::uint32_t first = begin;; first += 8) {
            Record& record = record_[at];
            record = {hull.x[v], hull.y[v], hull.z[v], 0, {}};
            for (std::uint32_t i = 0; i < 8; ++i) {
                const std::uint32_t n = begin == end ? v : hull.neighbours[std::min(first + i, end - 1)];
                record.neighbour[i] = static_cast<std::uint16_t>(n);
            }
            if (first + 8 >= end) break;
            record.more = static_cast<std::uint32_t>(record_.size());
            at = record_.size();
            record_.emplace_back();
        }
    }
    record_.shrink_to_fit();
}

}  // namespace claybox::collision
