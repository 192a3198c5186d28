#pragma once
// How the tests of separating_plane ask it.

#include "tests/pairwise/pairs.hpp"

namespace claybox::test::plane {

inline const PairAlgorithm& row() {
    return *find_pair_algorithm("separating_plane");
}
inline const PairAlgorithm& gjk() {
    return *find_pair_algorithm("gjk");
}

struct Setting {
    const char* id;
    double value;
};

inline ParameterValues with(std::initializer_list<Setting> settings) {
    ParameterValues out = default_values(row().parameters);
    for (const Setting& s : settings) {
        const std::size_t i = find_parameter(row().parameters, s.id);
        EXPECT_LT(i, row().parameters.size()) << s.id;
        out[i] = s.value;
    }
    return out;
}

inline std::uint32_t counter(const PairResult& r, std::string_view name) {
    for (std::size_t i = 0; i < row().counters.size(); ++i)
        if (name == row().counters[i]) return r.counters[i];
    ADD_FAILURE() << name;
    return 0;
}

inline PairResult ask_with(const Pair& p, const ParameterValues& values, PairCache& cache,
                           Exactness exactness = Exactness::exact, Trace* trace = nullptr) {
    static Scratch scratch;
    PairQuery q = make_pair_query(*p.a, p.world_from_a, *p.b, p.world_from_b, scratch);
    q.parameters = values;
    q.exactness = exactness;
    return run_query(row(), q, cache, trace);
}

inline PairResult ask_with(const Pair& p, const ParameterValues& values,
                           Exactness exactness = Exactness::exact) {
    PairCache cache;
    return ask_with(p, values, cache, exactness);
}

}  // namespace claybox::test::plane
