#include "collision/pairwise/query.hpp"

namespace claybox::collision {

const char* to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::separated:
            return "separated";
        case Verdict::colliding:
            return "colliding";
        case Verdict::undecided:
            return "undecided";
    }
    return "";
}

const char* to_string(Meaning meaning) {
    return meaning == Meaning::solid ? "solid" : "surface";
}

const char* to_string(Exactness exactness) {
    return exactness == Exactness::exact ? "exact" : "fast";
}

PairQuery make_pair_query(const Shape& a, const Matrix34f& world_from_a, const Shape& b,
                          const Matrix34f& world_from_b, Scratch& scratch) {
    PairQuery query;
    query.a = {&a, &a.geometry(), nullptr, world_from_a};
    query.b = {&b, &b.geometry(), nullptr, world_from_b};
    query.scratch = &scratch;
    return query;
}

}  // namespace claybox::collision
