#pragma once
// Whether two solids share a point, as a linear program solved without rounding: a reference for everything
// else that decides solids, and therefore made of other steps than exact/solid_exact.cpp.

#include "collision/core/trace.hpp"
#include "collision/exact/solid.hpp"

namespace claybox::collision {

enum class LpArithmetic : unsigned char {
    filtered,  ///< a sign is taken from a double with a proven error where that is certain, else from
               ///< integers
    rational,  ///< every sign is taken from integers, that is from rationals over one common denominator
    rounded,   ///< plain doubles: fast, and may be wrong or find no answer
};

/// Which column enters the basis among those that improve the objective.
enum class LpPricing : unsigned char {
    steepest,  ///< the one of the most negative price; Bland's rule while the basis is degenerate
    bland,     ///< always the first
};

struct LpRules {
    LpArithmetic arithmetic = LpArithmetic::filtered;
    LpPricing pricing = LpPricing::steepest;
};

struct LpDecision {
    enum class Answer : unsigned char { separated, colliding, none };

    Answer answer = Answer::none;  ///< `none` only with rounded arithmetic
    Certificate certificate;
    std::uint32_t pivots = 0, bland_pivots = 0, degenerate_pivots = 0;
    std::uint32_t exact_signs = 0;  ///< how many signs came from integers
};

/// Always right and always ends, except with rounded arithmetic. Sets of any dimension. Allocates only where
/// integers need it. `trace`, when not null, is told every basis.
LpDecision decide_solid_lp(const SolidSide& a, const SolidSide& b, const LpRules& rules,
                           Trace* trace = nullptr);

}  // namespace claybox::collision
