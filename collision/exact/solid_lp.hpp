#pragma once
// Decides whether two solids share a point by solving a linear program without rounding. It is the reference
// for the other solid algorithms, so it shares no steps with exact/solid_exact.cpp.

#include "collision/core/trace.hpp"
#include "collision/exact/solid.hpp"

namespace claybox::collision {

enum class LpArithmetic : unsigned char {
    filtered,  ///< signs come from doubles with a proven error bound if certain, else from integers
    rational,  ///< all signs come from integers, that is rationals over a common denominator
    rounded,   ///< plain doubles: fast, but may be wrong or find no answer
};

/// Selects the column that enters the basis from those that improve the objective.
enum class LpPricing : unsigned char {
    steepest,  ///< the column with the most negative price; Bland's rule after repeated degenerate pivots
    bland,     ///< always the first column
};

struct LpRules {
    LpArithmetic arithmetic = LpArithmetic::filtered;
    LpPricing pricing = LpPricing::steepest;
};

struct LpDecision {
    enum class Answer : unsigned char { separated, colliding, none };

    Answer answer = Answer::none;  ///< `none` is possible with rounded arithmetic only
    Certificate certificate;
    std::uint32_t pivots = 0, bland_pivots = 0, degenerate_pivots = 0;
    std::uint32_t exact_signs = 0;  ///< number of signs that came from integers
};

/// Always right and always ends, except with rounded arithmetic. The sets may have any dimension. Allocates
/// only for large integers and for rational arithmetic. `trace`, if not null, receives every basis.
LpDecision decide_solid_lp(const SolidSide& a, const SolidSide& b, const LpRules& rules,
                           Trace* trace = nullptr);

}  // namespace claybox::collision
