// Claybox's pair algorithms as contestants: called as by a pass of the module, with exact answers.

#include "bench/contestants/contestant.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace claybox::bench {

using namespace collision;

namespace {

class OwnAlgorithm final : public Contestant {
  public:
    OwnAlgorithm(const PairAlgorithm& algorithm, const ParameterValues& parameters) : algorithm_(algorithm) {
        query_.parameters = parameters;
        query_.scratch = &scratch_;
    }

    bool prepare(std::span<const ShapePtr> shapes) override {
        bodies_.clear();
        prepared_.clear();
        for (const ShapePtr& a : shapes) bodies_.push_back({a.get(), &a->geometry(), nullptr, {}});
        for (const PairBody& a : bodies_)
            for (const PairBody& b : bodies_)
                if (!applicable(algorithm_, a, b)) return false;
        if (algorithm_.prepare == nullptr) return true;
        for (PairBody& a : bodies_) {
            prepared_.push_back(algorithm_.prepare(*a.shape, *a.geometry));
            a.prepared = prepared_.back().get();
        }
        return true;
    }

    void set_pairs(std::uint32_t count) override {
        caches_.assign(count, {});
        pools_.assign(algorithm_.cache_bytes == nullptr ? 0 : count, {});
    }

    void reset_pair(const streams::JudgedQuery& q) override {
        PairCache& cache = caches_[q.pair];
        cache.clear();
        if (pools_.empty()) return;
        std::vector<std::byte>& pool = pools_[q.pair];
        pool.assign(algorithm_.cache_bytes(*bodies_[q.shape_a].shape, *bodies_[q.shape_b].shape),
                    std::byte{0});
        cache.set_pool(pool);
    }

    void load(std::span<const streams::JudgedQuery> queries) override { queries_ = queries; }

    void answer(std::size_t first, std::size_t count, Answer* out) override {
        for (std::size_t i = first; i < first + count; ++i) {
            const streams::JudgedQuery& q = queries_[i];
            place(query_.a, bodies_[q.shape_a], q.world_from_a);
            place(query_.b, bodies_[q.shape_b], q.world_from_b);
            query_.seed = q.pair;
            const PairResult r = run_query(algorithm_, query_, caches_[q.pair]);
            *out++ = {r.verdict, r.rung, static_cast<std::uint16_t>(std::min(r.iterations, 0xffffu))};
        }
    }

  private:
    static void place(PairBody& out, const PairBody& body, const Matrix34f& world_from_body) {
        out.shape = body.shape;
        out.geometry = body.geometry;
        out.prepared = body.prepared;
        out.world_from_body = world_from_body;
    }

    const PairAlgorithm& algorithm_;
    PairQuery query_;
    Scratch scratch_;
    std::vector<PairBody> bodies_;  ///< one per shape
    std::vector<std::shared_ptr<const Prepared>> prepared_;
    std::vector<PairCache> caches_;  ///< one per pair
    std::vector<std::vector<std::byte>> pools_;
    std::span<const streams::JudgedQuery> queries_;
};

Entry entry_of(const PairAlgorithm& algorithm, const ParameterValues& parameters) {
    return {algorithm.id, algorithm.title, &algorithm,
            [&algorithm, parameters] { return std::make_unique<OwnAlgorithm>(algorithm, parameters); }};
}

Entry entry_of(const PairAlgorithm& algorithm) {
    return entry_of(algorithm, default_values(algorithm.parameters));
}

/// The algorithm without pair memory, to measure the gain; empty if it has no such switch.
std::optional<Entry> without_memory(const PairAlgorithm& algorithm) {
    for (std::size_t i = 0; i < algorithm.parameters.size(); ++i) {
        if (algorithm.parameters[i].id != std::string_view("memory")) continue;
        ParameterValues values = default_values(algorithm.parameters);
        values[i] = 0;
        Entry out = entry_of(algorithm, values);
        out.id += "_no_memory";
        out.title += ", without memory";
        return out;
    }
    return {};
}

}  // namespace

std::vector<Entry> our_entries() {
    std::vector<Entry> out;
    for (const PairAlgorithm* algorithm : pair_algorithms())
        if (algorithm->needs == Needs::convex && algorithm->meaning == Meaning::solid)
            out.push_back(entry_of(*algorithm));
    return out;
}

std::vector<Entry> our_mesh_entries() {
    std::vector<Entry> out;
    for (const PairAlgorithm* algorithm : pair_algorithms()) {
        if (algorithm->needs == Needs::convex) continue;
        out.push_back(entry_of(*algorithm));
        if (auto variant = without_memory(*algorithm)) out.push_back(std::move(*variant));
    }
    return out;
}

}  // namespace claybox::bench
