#include "bench/streams/stream_player.hpp"

#include <map>

namespace claybox::streams {

using namespace collision;

StreamPlayer::StreamPlayer(const QueryStream& stream, const PairAlgorithm& algorithm)
    : stream_(stream), algorithm_(algorithm), caches_(stream.pair_count()) {
    std::map<const Shape*, std::shared_ptr<const Prepared>> prepared;  // once per shape, as in a world
    for (const ShapePtr& shape : stream.shapes) {
        const auto [at, is_new] = prepared.try_emplace(shape.get());
        if (is_new && algorithm.prepare != nullptr) at->second = algorithm.prepare(*shape, shape->geometry());
        prepared_.push_back(at->second);
    }
    if (algorithm.cache_bytes == nullptr) return;
    pools_.resize(stream.pair_count());
    for (const StreamQuery& q : stream.queries) {
        const std::size_t pair = stream.pair(q);
        if (!pools_[pair].empty()) continue;
        pools_[pair].resize(algorithm.cache_bytes(*stream.shapes[q.a], *stream.shapes[q.b]));
        caches_[pair].set_pool(pools_[pair]);
    }
}

PairResult StreamPlayer::run_one(std::size_t i, const PlaySettings& settings) {
    set_up(settings);
    return run_one(i, settings.warm);
}

void StreamPlayer::set_up(const PlaySettings& settings) {
    query_.parameters = settings.parameters;
    query_.exactness = settings.exactness;
    query_.wants = settings.wants & algorithm_.gives;
    query_.scratch = &scratch_;
}

PairResult StreamPlayer::run_one(std::size_t i, bool warm) {
    const StreamQuery& s = stream_.queries[i];
    const Shape &a = *stream_.shapes[s.a], &b = *stream_.shapes[s.b];
    query_.a = {&a, &a.geometry(), prepared_[s.a].get(), s.world_from_a};
    query_.b = {&b, &b.geometry(), prepared_[s.b].get(), s.world_from_b};
    PairCache& cache = caches_[stream_.pair(s)];
    if (!warm) cache.clear();
    return run_query(algorithm_, query_, cache);
}

PlayCounts StreamPlayer::play(const PlaySettings& settings) {
    PlayCounts out;
    set_up(settings);
    for (std::size_t i = 0; i < stream_.queries.size(); ++i) {
        const PairResult r = run_one(i, settings.warm);
        ++out.queries;
        ++out.rung[r.rung & 3];
        out.iterations += r.iterations;
        out.colliding += r.verdict == Verdict::colliding ? 1 : 0;
        out.undecided += r.verdict == Verdict::undecided ? 1 : 0;
    }
    return out;
}

void StreamPlayer::clear_caches() {
    for (PairCache& cache : caches_) cache.clear();
}

}  // namespace claybox::streams
