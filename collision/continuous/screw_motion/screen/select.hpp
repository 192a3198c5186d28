#pragma once
// Selects what must be drawn: the outlook's hierarchy (section 10), on the screen.

#include "collision/continuous/screw_motion/screen/scan.hpp"
#include "collision/simd/float4.hpp"

namespace claybox::collision {

/// A box in float, rounded outward: r, h and t in the lanes.
struct LaneBox {
    Float4 low, high;
};

/// Two parts whose boxes meet.
struct PartnerPair {
    std::uint32_t a = 0, b = 0;
    float r_low = 0, r_high = 0;  ///< metres: where both are
    float gap = 0, last = 1;      ///< they can only meet between these times
};

struct SelectMemory {
    struct Listed {
        LaneBox box;
        std::uint32_t index = 0;
    };
    std::vector<Listed> parts_a, parts_b;      ///< may be longer than the parts of one kind
    std::vector<std::vector<LaneBox>> groups;  ///< of consecutive parts of B, of such groups, and so on
    std::vector<PartnerPair> edges;            ///< indices into SideScreen::edges
    std::vector<PartnerPair> a_in_b, b_in_a;   ///< a vertex, index into SideScreen::vertices, and a face
    struct Reach {
        float low = 3e38f, high = -3e38f;  ///< of r, metres
    };
    std::vector<Reach> faces, edge_reach;
};

/// Finds the pairs that may meet during the piece. Needs outlined parts and the vertices of both sides.
/// Returns a time before which no two parts meet; above 1 if there are no pairs.
double find_partners(const ScreenSettings& settings, const SideScreen& a, const SideScreen& b,
                     SelectMemory& memory);

/// Makes the pairs that may meet after `done` and by `latest` candidates: instead of drawing them.
void take_pairs(const SelectMemory& memory, double done, double latest, ScanMemory& scan);

/// Fills the rows of both sides with those where an edge, or a vertex of a face next to it, has a partner
/// that it may meet by `latest`, and marks such vertices.
void select_parts(const ScreenSettings& settings, double latest, SideScreen& a, SideScreen& b,
                  SelectMemory& memory);

}  // namespace claybox::collision
