#pragma once
// Helpers for tests of the boxes that an algorithm reports to a trace.

#include "collision/core/trace_record.hpp"

#include <string_view>

namespace claybox::test {

using namespace claybox::collision;

inline bool is(const TraceItem& item, const char* label) {
    return std::string_view(label) == item.label;
}

/// For rectangular boxes.
inline bool contains(const TraceItem& box, const Vec3d& p, double slack) {
    for (const Vec3d& side : box.along) {
        const double along = dot(p - box.p, side) / length(side);
        if (along < -slack || along > length(side) + slack) return false;
    }
    return true;
}

}  // namespace claybox::test
