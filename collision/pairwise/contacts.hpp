#pragma once
// Contacts of two surfaces that meet, made from all hits of a query: where, in which direction, how deep, and
// which polygons.

#include "collision/pairwise/query.hpp"

#include <array>

namespace claybox::collision {

/// One place where two surfaces meet: the hits that hang together through pairs of polygons, which between
/// solids are one closed curve. World frame, metres.
struct Contact {
    Vec3d point_w;   ///< the middle of the curve, or the mean of the hits where there is none
    Vec3d normal_w;  ///< unit; from A to B: the way in which B would be pushed out
    /// How far B has to move along the normal until what this curve cuts off of both lies apart. Zero unless
    /// both surfaces are closed; where more than kMostInner vertices of one are cut off, at least this.
    double depth = 0;
    std::uint32_t polygon_a = kNoIndex, polygon_b = kNoIndex;  ///< the pair with the longest share of it
    std::uint32_t hit_count = 0;
    /// Up to four hits that span the contact as seen along the normal; the first is farthest from the middle.
    std::array<Vec3f, 4> points_w;
    std::uint32_t point_count = 0;
};

/// Vertices of one body that are looked at for the depth of one contact.
inline constexpr std::size_t kMostInner = 1 << 14;

/// Gathers `hits`, all hits of a query for kWantAllHits with `query`'s bodies, into contacts, in the order of
/// their first hits; returns how many there are, of which as many as fit stand in `out`. `contact_of_hit`,
/// when not empty, receives the number of each hit's contact. Normals follow from the sense of the polygons:
/// counter-clockwise as seen from outside. Works in the query's scratch; allocates only when that must grow.
std::size_t find_contacts(const PairQuery& query, std::span<const Hit> hits, std::span<Contact> out,
                          std::span<std::uint32_t> contact_of_hit = {});

}  // namespace claybox::collision
