#include "bench/papers/shared/stream_run.hpp"

#include "bench/experiments/shared/measure.hpp"

#include <algorithm>
#include <map>

namespace claybox::bench {

using namespace collision;

StreamRun::StreamRun(const streams::QueryStream& stream, const PairSettings& settings)
    : stream_(stream), algorithm_(*find_pair_algorithm(settings.algorithm)) {
    std::map<const Shape*, std::shared_ptr<const Prepared>> prepared;
    for (const ShapePtr& shape : stream.shapes) {
        const auto [at, is_new] = prepared.try_emplace(shape.get());
        if (is_new && algorithm_.prepare != nullptr)
            at->second = algorithm_.prepare(*shape, shape->geometry());
        prepared_.push_back(at->second);
    }
    std::map<std::size_t, std::pair<std::uint32_t, std::uint32_t>> pairs;  // number and last frame
    for (const streams::StreamQuery& q : stream.queries) {
        const auto [at, is_new] =
            pairs.try_emplace(stream.pair(q), static_cast<std::uint32_t>(pairs.size()), q.frame);
        fresh_.push_back(is_new || at->second.second + 1 != q.frame);
        at->second.second = q.frame;
        pair_.push_back(at->second.first);
    }
    caches_.resize(pairs.size());
    pools_.resize(pairs.size());
    query_.parameters = default_values(algorithm_.parameters);
    for (const auto& [id, value] : settings.parameters) {
        const std::size_t index = find_parameter(algorithm_.parameters, id);
        CLAYBOX_ASSERT(index < algorithm_.parameters.size());
        query_.parameters[index] = value;
    }
    query_.exactness = settings.exactness;
    query_.wants = settings.wants;
    query_.scratch = &scratch_;
}

PairResult StreamRun::ask(std::size_t i) {
    const streams::StreamQuery& s = stream_.queries[i];
    const Shape &a = *stream_.shapes[s.a], &b = *stream_.shapes[s.b];
    query_.a = {&a, &a.geometry(), prepared_[s.a].get(), s.world_from_a};
    query_.b = {&b, &b.geometry(), prepared_[s.b].get(), s.world_from_b};
    query_.seed = pair_[i];
    PairCache& cache = caches_[pair_[i]];
    if (fresh_[i]) {
        cache.clear();
        if (algorithm_.cache_bytes != nullptr) {
            std::vector<std::byte>& pool = pools_[pair_[i]];
            pool.assign(algorithm_.cache_bytes(a, b), std::byte{0});
            cache.set_pool(pool);
        }
    }
    return run_query(algorithm_, query_, cache);
}

void StreamRun::play(const std::function<void(const streams::StreamQuery&, const PairResult&)>& each) {
    for (std::size_t i = 0; i < stream_.queries.size(); ++i) {
        const PairResult result = ask(i);
        if (each) each(stream_.queries[i], result);
    }
}

double StreamRun::time() {
    const double start = now_ns();
    for (std::size_t i = 0; i < stream_.queries.size(); ++i) (void)ask(i);
    return now_ns() - start;
}

double StreamRun::time(const std::vector<std::pair<std::size_t, std::size_t>>& blocks) {
    double out = 0;
    std::size_t next = 0;
    for (const auto& [first, end] : blocks) {
        while (next < first) (void)ask(next++);
        const double start = now_ns();
        while (next < end) (void)ask(next++);
        out += now_ns() - start;
    }
    return out;
}

double StreamRun::time_each(const std::function<void()>& before) {
    double out = 0;
    for (std::size_t i = 0; i < stream_.queries.size(); ++i) {
        before();
        const double start = now_ns();
        (void)ask(i);
        out += now_ns() - start;
    }
    return out;
}

std::size_t StreamRun::counter(std::string_view name) const {
    const auto& names = algorithm_.counters;
    const auto at = std::find(names.begin(), names.end(), name);
    CLAYBOX_ASSERT(at != names.end());
    return static_cast<std::size_t>(at - names.begin());
}

}  // namespace claybox::bench
