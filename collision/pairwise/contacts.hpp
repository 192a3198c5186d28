#pragma once
/// \file
/// Contacts of two intersecting surfaces, computed from all hits of a query: position, normal, depth and
/// polygons.

#include "collision/pairwise/query.hpp"

#include <array>

namespace claybox::collision {

/// One place where two surfaces intersect: hits that are connected through pairs of polygons. Between two
/// solids they form one closed curve. World frame, metres.
struct Contact {
    Vec3d point_w;   ///< the centre of the curve; the mean of the hits if there is no curve
    Vec3d normal_w;  ///< unit, from A to B: the direction that pushes B out
    /// After B moves this far along the normal, a plane across the normal separates the parts that this curve
    /// cuts off: the overlap of their extents along the normal. A shorter move may be enough. Zero if a
    /// surface is open, if the surfaces only touch, or if the curve cuts nothing off, as around a rod that
    /// passes through. Smaller than that if the curve cuts off more than kMaxInnerVertices vertices of one
    /// body.
    double depth = 0;
    std::uint32_t polygon_a = kNoIndex;  ///< polygon of A with the longest segment of the curve
    std::uint32_t polygon_b = kNoIndex;  ///< polygon of B on the same segment
    std::uint32_t hit_count = 0;         ///< number of hits that form the contact
    /// Up to four hits that span the contact, seen along the normal. The first is the farthest from the
    /// centre.
    std::array<Vec3f, 4> points_w;
    std::uint32_t point_count = 0;  ///< used entries of points_w
};

/// Maximum number of vertices of one body that the depth of one contact visits.
inline constexpr std::size_t kMaxInnerVertices = 1 << 14;

/// Groups `hits` into contacts, in the order of their first hits. `hits` are all hits of a kWantAllHits query
/// with `query`'s bodies. Returns the number of contacts; writes as many to `out` as fit. `contact_of_hit`,
/// unless empty, receives the contact number of each hit. Normals follow from the orientation of the
/// polygons: counter-clockwise as seen from outside. Uses the query's scratch memory; allocates only if that
/// must grow.
std::size_t find_contacts(const PairQuery& query, std::span<const Hit> hits, std::span<Contact> out,
                          std::span<std::uint32_t> contact_of_hit = {});

}  // namespace claybox::collision
