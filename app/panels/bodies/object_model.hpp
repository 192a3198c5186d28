#pragma once
// What the Inspect card shows about the selected body and about the probe.

#include "collision/pairwise/query.hpp"

#include <string>
#include <vector>

namespace claybox::app {

struct ReportRow {
    std::string key, value;
};

/// The selected body.
struct ObjectReport {
    std::vector<ReportRow> shape, motion;
    /// Another body whose box overlaps that of the selected one, and the answer of the chosen algorithm.
    struct Pair {
        std::uint32_t pick = 0;
        std::string name;
        collision::Verdict verdict = collision::Verdict::undecided;
    };
    std::vector<Pair> pairs;
    std::size_t more_pairs = 0;  ///< that are not listed
};

enum class ProbeShape : unsigned char { point, ray, ball, box, selected };
enum class ProbeQuestion : unsigned char { distance, cast, overlap };

/// The probe at the pointer or at the fingertip.
struct ProbeRequest {
    bool on = false;
    ProbeShape shape = ProbeShape::ball;
    ProbeQuestion question = ProbeQuestion::distance;
    double size = 40;  ///< radius, or half the side of the box, millimetres
    double lift = 60;  ///< of the probe from the surface under the pointer, millimetres
};

struct ProbeReport {
    std::vector<ReportRow> rows;
};

}  // namespace claybox::app
