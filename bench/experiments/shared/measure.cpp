#include "bench/experiments/shared/measure.hpp"

#include <algorithm>
#include <chrono>

namespace claybox::bench {

using namespace collision;
using streams::JudgedStream;

double now_ns() {
    using Clock = std::chrono::steady_clock;
    return std::chrono::duration<double, std::nano>(Clock::now().time_since_epoch()).count();
}

double median(std::vector<float>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return static_cast<double>(*middle);
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double spread_of(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const auto at = [&](double part) {
        return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5)];
    };
    return at(0.5) > 0 ? (at(0.75) - at(0.25)) / at(0.5) : 0;
}

namespace {

/// Frames per part of the stream. Poses are converted part by part; slow contestants stop after a part.
constexpr std::uint32_t kFramesPerPart = 8;
/// The first part is shorter, for very slow contestants. Its first frame is not timed.
constexpr std::uint32_t kFramesOfFirstPart = 2;

/// Below this duration of one repeat, seconds, cold processor caches distort the times: a warm-up run comes
/// first.
constexpr double kQuickPlay = 0.02;

/// Cost of reading the clock, ns. Every batch contains it once.
double clock_cost() {
    std::vector<float> samples;
    for (int i = 0; i < 1001; ++i) {
        const double start = now_ns();
        samples.push_back(static_cast<float>(now_ns() - start));
    }
    return median(samples);
}

/// Batches of some consecutive frames.
struct Part {
    std::size_t first_batch = 0, end_batch = 0;
    std::size_t first_query = 0, end_query = 0;
};

std::vector<Part> parts_of(const JudgedStream& stream) {
    std::vector<Part> out;
    std::uint32_t part_before = 0;
    for (std::size_t i = 0; i < stream.batches.size(); ++i) {
        const streams::QueryBatch& b = stream.batches[i];
        const std::uint32_t part = (b.frame + kFramesPerPart - kFramesOfFirstPart) / kFramesPerPart;
        if (out.empty() || part != part_before) out.push_back({i, i, b.first, b.first});
        part_before = part;
        out.back().end_batch = i + 1;
        out.back().end_query = b.first + b.count;
    }
    return out;
}

/// Plays the stream to one contestant.
class Player {
  public:
    Player(const Entry& entry, const JudgedStream& stream) : stream_(stream), contestant_(entry.make()) {
        result_.entry = &entry;
        answers_.resize(stream.queries.size());
        times_.resize(stream.batches.size());
        const double start = now_ns();
        result_.fits = contestant_->prepare(stream.shapes);
        result_.prepare_us = 1e-3 * (now_ns() - start) / static_cast<double>(stream.shapes.size());
        if (result_.fits) contestant_->set_pairs(stream.pairs);
    }

    bool fits() const { return result_.fits; }
    PlayResult& result() { return result_; }
    /// Whether the contestant is fast enough for this part.
    bool plays(const Part& part) const { return result_.fits && part.end_query <= query_limit_; }
    void set_query_limit(std::size_t queries) { query_limit_ = queries; }

    /// Answers the part's queries. Stores the times of its batches if `clock_ns` is given. Returns seconds.
    double play(const Part& part, const double* clock_ns) {
        const std::size_t base = part.first_query;
        if (!result_.entry->load_per_query) load(base, part.end_query);
        double total = 0;
        std::uint32_t frame = 0;
        for (std::size_t i = part.first_batch; i < part.end_batch; ++i) {
            const streams::QueryBatch& batch = stream_.batches[i];
            if (i == part.first_batch || batch.frame != frame) reset_fresh_pairs(i);
            frame = batch.frame;
            const auto [counted, spent] =
                result_.entry->load_per_query ? answer_each(batch, clock_ns) : answer(batch, base, clock_ns);
            total += spent;
            if (clock_ns != nullptr && frame > 0) times_[i].push_back(static_cast<float>(counted));
        }
        return 1e-9 * total;
    }

    /// Compares the answers with the exact ones.
    void examine(const Part& part) {
        for (std::size_t i = part.first_query; i < part.end_query; ++i) {
            const Answer& a = answers_[i];
            const bool collides = stream_.queries[i].collides;
            ++result_.answered;
            ++result_.rung[a.rung & 3];
            if (a.verdict == Verdict::undecided)
                ++result_.undecided;
            else if ((a.verdict == Verdict::colliding) != collides)
                ++result_.wrong;
            ++result_.iterations[collides ? 1 : 0][a.iterations];
        }
    }

    /// Computes the times per query from the medians of the batches.
    void close() {
        result_.spread = spread_of(times_of_repeats());
        double all = 0;
        std::uint64_t queries = 0;
        for (std::size_t i = 0; i < times_.size(); ++i) {
            if (times_[i].empty()) continue;
            const std::size_t kind = static_cast<std::size_t>(stream_.batches[i].kind);
            const double ns = median(times_[i]);
            result_.repeats = static_cast<std::uint32_t>(times_[i].size());
            result_.ns[kind] += ns;
            result_.timed[kind] += stream_.batches[i].count;
            all += ns;
            queries += stream_.batches[i].count;
        }
        for (std::size_t kind = 0; kind < streams::kQueryKinds; ++kind)
            if (result_.timed[kind] > 0) result_.ns[kind] /= static_cast<double>(result_.timed[kind]);
        if (queries > 0) result_.all_ns = all / static_cast<double>(queries);
    }

  private:
    /// Time of each repeat, ns: the sum over the batches that were repeated as often.
    std::vector<double> times_of_repeats() const {
        std::size_t repeats = 0;
        for (const std::vector<float>& times : times_) repeats = std::max(repeats, times.size());
        std::vector<double> out(repeats);
        for (const std::vector<float>& times : times_)
            if (times.size() == repeats)
                for (std::size_t i = 0; i < repeats; ++i) out[i] += static_cast<double>(times[i]);
        return out;
    }

    /// Time of a batch, ns: the part that counts, and all of it.
    struct Spent {
        double counted = 0, all = 0;
    };

    void load(std::size_t first, std::size_t end) {
        contestant_->load(std::span<const streams::JudgedQuery>(stream_.queries).subspan(first, end - first));
    }

    Spent answer(const streams::QueryBatch& batch, std::size_t base, const double* clock_ns) {
        const double start = now_ns();
        contestant_->answer(batch.first - base, batch.count, answers_.data() + batch.first);
        const double taken = now_ns() - start;
        return {std::max(0.0, taken - (clock_ns == nullptr ? 0 : *clock_ns)), taken};
    }

    Spent answer_each(const streams::QueryBatch& batch, const double* clock_ns) {
        Spent out;
        for (std::uint32_t k = 0; k < batch.count; ++k) {
            const std::size_t query = batch.first + k;
            const double start = now_ns();
            load(query, query + 1);
            const double loaded = now_ns();
            contestant_->answer(0, 1, answers_.data() + query);
            const double end = now_ns();
            out.counted += std::max(0.0, end - loaded - (clock_ns == nullptr ? 0 : *clock_ns));
            out.all += end - start;
        }
        return out;
    }

    /// Clears the memory of this frame's new pairs, as a world would.
    void reset_fresh_pairs(std::size_t first_batch) {
        for (std::size_t i = first_batch;
             i < stream_.batches.size() && stream_.batches[i].frame == stream_.batches[first_batch].frame;
             ++i)
            for (std::uint32_t k = 0; k < stream_.batches[i].count; ++k) {
                const streams::JudgedQuery& q = stream_.queries[stream_.batches[i].first + k];
                if (q.fresh) contestant_->reset_pair(q);
            }
    }

    const JudgedStream& stream_;
    std::unique_ptr<Contestant> contestant_;
    PlayResult result_;
    std::size_t query_limit_ = 0;            ///< number of queries within the contestant's time
    std::vector<Answer> answers_;            ///< per query
    std::vector<std::vector<float>> times_;  ///< per batch, ns
};

/// Plays the stream once, to check the answers and to set each contestant's query limit. Returns the number
/// of repeats per contestant.
std::vector<std::uint32_t> rehearse(std::vector<Player>& players, const std::vector<Part>& parts,
                                    const Effort& effort) {
    std::vector<std::uint32_t> repeats;
    for (Player& player : players) {
        double spent = 0;
        for (const Part& part : parts) {
            if (!player.fits() || spent > effort.seconds / effort.min_repeats) break;
            spent += player.play(part, nullptr);
            player.examine(part);
            player.set_query_limit(part.end_query);
        }
        const double affordable = spent > 0 ? effort.seconds / spent : 1e9;
        const std::uint32_t fewest = affordable < 0.25 ? 1 : effort.min_repeats;
        repeats.push_back(
            static_cast<std::uint32_t>(std::clamp<double>(affordable, fewest, effort.max_repeats)));
    }
    return repeats;
}

}  // namespace

const PlayResult* find_result(const StreamResult& row, std::string_view id) {
    for (const PlayResult& r : row.results)
        if (r.entry->id == id && r.fits && r.all_ns > 0) return &r;
    return nullptr;
}

const PlayResult* fastest_library(const StreamResult& row, bool our_support) {
    const PlayResult* out = nullptr;
    for (const PlayResult& r : row.results) {
        if (r.entry->algorithm != nullptr || !r.fits || r.all_ns <= 0) continue;
        if (r.entry->our_support != our_support || r.entry->load_per_query) continue;
        if (out == nullptr || r.all_ns < out->all_ns) out = &r;
    }
    return out;
}

StreamResult measure(const JudgedStream& stream, const std::vector<Entry>& entries, const Effort& effort) {
    StreamResult out;
    out.queries = stream.queries.size();
    for (const streams::QueryBatch& batch : stream.batches) {
        out.kinds[static_cast<std::size_t>(batch.kind)] += batch.count;
        for (std::uint32_t k = 0; k < batch.count && batch.frame > 0; ++k)
            out.fresh += stream.queries[batch.first + k].fresh ? 1 : 0;
    }
    const std::vector<Part> parts = parts_of(stream);
    std::vector<Player> players;
    for (const Entry& entry : entries) players.emplace_back(entry, stream);
    const std::vector<std::uint32_t> repeats = rehearse(players, parts, effort);
    const double clock_ns = clock_cost();
    // A contestant plays its whole stream before the next one. Fast contestants first play it once untimed,
    // to fill the processor's caches as in a program that uses one contestant only.
    const auto play_all = [&](Player& player, const double* clock) {
        double seconds = 0;
        for (const Part& part : parts)
            if (player.plays(part)) seconds += player.play(part, clock);
        return seconds;
    };
    std::vector<double> last(players.size(), 0);
    for (std::uint32_t repeat = 0; repeat < effort.max_repeats; ++repeat)
        for (std::size_t i = 0; i < players.size(); ++i) {
            const std::size_t next = (i + repeat) % players.size();  // a different first one in each repeat
            if (repeat >= repeats[next]) continue;
            if (last[next] < kQuickPlay) play_all(players[next], nullptr);
            last[next] = play_all(players[next], &clock_ns);
        }
    for (Player& player : players) {
        player.close();
        out.results.push_back(std::move(player.result()));
    }
    return out;
}

}  // namespace claybox::bench
