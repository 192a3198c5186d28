#include <chrono>
#include <collision/collision.hpp>
#include <cstdio>

using namespace claybox::collision;

/// Microseconds per query of an algorithm while B moves past A, or -1 if it does not accept the pair.
double time_of(const PairAlgorithm& algorithm, const Shape& a, const Shape& b) {
    using Clock = std::chrono::steady_clock;
    Scratch scratch;
    PairCache cache;
    PairQuery query = make_pair_query(a, {}, b, {}, scratch);
    query.parameters = default_values(algorithm.parameters);
    if (!applicable(algorithm, query.a, query.b)) return -1;
    const auto of_a = algorithm.prepare ? algorithm.prepare(a, a.geometry()) : nullptr;
    const auto of_b = algorithm.prepare ? algorithm.prepare(b, b.geometry()) : nullptr;
    query.a.prepared = of_a.get();
    query.b.prepared = of_b.get();
    constexpr int kQueries = 2000;
    const auto start = Clock::now();
    for (int i = 0; i < kQueries; ++i) {
        query.b.world_from_body = to_matrix({{}, {4.0 * i / kQueries - 2.0, 1.2, 0}});
        (void)run_query(algorithm, query, cache);
    }
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count() / kQueries;
}

int main() {
    const auto mesh = make_primitive_shape(Primitive::torus, 500, 1.0f, 1);
    if (!mesh) return 2;
    for (const PairAlgorithm* algorithm : pair_algorithms()) {
        if (!algorithm->exact) continue;
        const double us = time_of(*algorithm, *mesh.value(), *mesh.value());
        if (us >= 0) std::printf("%-14s %8.2f us\n", algorithm->id, us);
    }
}
