#include "collision/pairwise/complete_solid.hpp"

#include "collision/exact/contained.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

// The surfaces are apart, so each component of the inner surface lies on one side of the outer one, and one
// vertex decides for the whole component. Another part of a split query may still find an intersection. A
// vertex inside is then a common point of the solids all the same.
bool find_inside(const PairBody& inner, const PairBody& outer, bool inner_is_b, PairResult& result) {
    if (!has_inside(outer.shape->classification())) return false;
    const SolidLocator locator(*outer.geometry, outer.world_from_body);
    for (const std::uint32_t vertex : inner.shape->classification().component_vertices) {
        const ExactPoint place{&inner.world_from_body, cast<double>(inner.geometry->positions[vertex])};
        const PointLocation located = locator.locate(place);
        result.rung = std::max<std::uint8_t>(result.rung, located.exact != 0 ? 3 : 2);
        if (!located.inside) continue;
        Certificate& c = result.certificate;
        c = {};
        c.kind = CertificateKind::contained;
        c.edge_of_b = inner_is_b;
        (inner_is_b ? c.support_b : c.support_a) = vertex;
        c.axis_w = located.direction_w;
        c.point_w = transform_point(to_double(inner.world_from_body), inner.geometry->positions[vertex]);
        return true;
    }
    return false;
}

}  // namespace

void complete_solid(const PairQuery& query, PairResult& result) {
    const PairBody &a = query.a, &b = query.b;
    if (result.meaning == Meaning::solid) return;
    result.meaning = Meaning::solid;
    const bool answered = result.status == QueryStatus::done || result.status == QueryStatus::hits_full;
    if (!answered || result.verdict == Verdict::colliding || query.part != 0) return;
    if (!find_inside(a, b, false, result) && !find_inside(b, a, true, result)) return;
    result.verdict = Verdict::colliding;
    result.distance = 0;  // was the distance of the surfaces
    result.closest_a_w = result.closest_b_w = {};
}

}  // namespace claybox::collision
