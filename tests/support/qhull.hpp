#pragma once
// Computes convex hulls with Qhull, for comparison.

#include "collision/core/vec.hpp"

#include <cstdio>
#include <memory>
#include <span>
#include <vector>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace claybox::test {

struct QhullAnswer {
    bool ok = false;
    double volume = 0;
    std::vector<unsigned> vertices;  ///< indices of points, unordered
};

/// The points must be distinct and not coplanar.
inline QhullAnswer qhull(std::span<const collision::Vec3f> points, bool with_volume = true) {
    std::vector<coordT> coordinates;
    for (const auto& p : points) coordinates.insert(coordinates.end(), {p.x, p.y, p.z});
    QhullAnswer answer;
    auto state = std::make_unique<qhT>();
    qhT* qh = state.get();
    qh_zero(qh, nullptr);
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> log(std::tmpfile(), std::fclose);
    char options[] = "qhull";
    answer.ok = qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), False, options,
                             log.get(), log.get()) == 0;
    if (answer.ok) {
        if (with_volume) {
            qh_getarea(qh, qh->facet_list);
            answer.volume = qh->totvol;
        }
        vertexT* vertex = nullptr;
        FORALLvertices {
            answer.vertices.push_back(static_cast<unsigned>(qh_pointid(qh, vertex->point)));
        }
    }
    qh_freeqhull(qh, qh_ALL);
    int current = 0, total = 0;
    qh_memfreeshort(qh, &current, &total);
    return answer;
}

}  // namespace claybox::test
