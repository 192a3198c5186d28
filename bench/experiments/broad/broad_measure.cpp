#include "bench/experiments/broad/broad_measure.hpp"

#include "bench/experiments/shared/measure.hpp"

#include <algorithm>

namespace claybox::bench {

using namespace collision;
using streams::BoxCage;
using streams::PairDigest;

namespace {

/// Untimed first frames of each contestant, in which memory grows.
constexpr std::uint32_t kWarmFrames = 2;
constexpr std::uint32_t kMinFrames = 3;

struct Frame {
    std::vector<Aabb> boxes;
    std::vector<std::uint32_t> moved;
    PairDigest pairs;
};

/// Median of `count` times from `first` on, in milliseconds.
double median_ms(const std::vector<float>& ns, std::size_t first, std::size_t count) {
    if (count == 0) return 0;
    const auto from = ns.begin() + static_cast<std::ptrdiff_t>(first);
    std::vector<float> some(from, from + static_cast<std::ptrdiff_t>(count));
    return 1e-6 * median(some);
}

class Player {
  public:
    Player(const BroadEntry& entry, std::span<const Aabb> boxes, double seconds) : ns_left_(1e9 * seconds) {
        result_.entry = &entry;
        result_.fits = boxes.size() <= entry.max_bodies;
        if (!result_.fits) return;
        contestant_ = entry.make();
        const double start = now_ns();
        contestant_->insert(boxes);
        result_.insert_ms = 1e-6 * (now_ns() - start);
    }

    void play(const std::vector<Frame>& block) {
        for (const Frame& frame : block)
            if (result_.fits && (ns_left_ > 0 || frame_.size() < kMinFrames)) play(frame);
    }

    BroadResult close() {
        result_.frames = frame_.size();
        result_.update_ms = median_ms(update_, 0, update_.size());
        result_.find_ms = median_ms(find_, 0, find_.size());
        result_.frame_ms = median_ms(frame_, 0, frame_.size());
        result_.spread = spread_of({frame_.begin(), frame_.end()});
        const std::size_t part = (frame_.size() + 19) / 20;
        result_.early_ms = median_ms(frame_, 0, part);
        result_.late_ms = median_ms(frame_, frame_.size() - part, part);
        return result_;
    }

  private:
    void play(const Frame& frame) {
        contestant_->load(frame.moved, frame.boxes);
        const double start = now_ns();
        contestant_->update();
        const double between = now_ns();
        const std::span<const PairKey> pairs = contestant_->find();
        const double end = now_ns();
        ns_left_ -= end - start;
        check(streams::digest_of(pairs), frame.pairs);
        if (result_.answered <= kWarmFrames) return;
        update_.push_back(static_cast<float>(between - start));
        find_.push_back(static_cast<float>(end - between));
        frame_.push_back(static_cast<float>(end - start));
    }
    void check(const PairDigest& found, const PairDigest& expected) {
        ++result_.answered;
        if (found == expected) return;
        ++result_.wrong;
        if (found.count < expected.count)
            result_.max_missing = std::max(result_.max_missing, expected.count - found.count);
        else
            result_.max_extra = std::max(result_.max_extra, found.count - expected.count);
    }

    std::unique_ptr<BroadContestant> contestant_;
    BroadResult result_;
    double ns_left_;
    std::vector<float> update_, find_, frame_;
};

/// Records the next frames of the cage and their pairs; adds the times of the reference.
void record(BoxCage& cage, streams::PlainGrid& referee, std::vector<Frame>& block, BroadRowResult& out,
            std::vector<float>& plain_ns) {
    for (Frame& frame : block) {
        cage.advance();
        frame.boxes.assign(cage.boxes().begin(), cage.boxes().end());
        frame.moved.assign(cage.moved().begin(), cage.moved().end());
        const double start = now_ns();
        const std::span<const PairKey> pairs = referee.find(frame.boxes);
        plain_ns.push_back(static_cast<float>(now_ns() - start));
        frame.pairs = streams::digest_of(pairs);
        out.pairs += static_cast<double>(pairs.size());
    }
}

}  // namespace

BroadRowResult measure_broad(const BroadRow& row, const std::vector<BroadEntry>& entries,
                             const BroadEffort& effort) {
    const bool lasting = row.part == BroadPart::lasting;
    BroadRowResult out;
    out.row = row;
    BoxCage cage(row.bodies, row.motion(), effort.seed);
    out.moved = cage.moved().size();
    std::vector<Player> players;
    players.reserve(entries.size());
    for (const BroadEntry& entry : entries)
        players.emplace_back(entry, cage.boxes(), lasting ? effort.long_seconds : effort.seconds);
    streams::PlainGrid referee;
    std::vector<float> plain_ns;
    const std::uint32_t frames = lasting ? effort.long_frames : effort.frames;
    std::uint32_t recorded = 0;
    for (std::uint32_t number = 0; recorded < frames; ++number) {
        std::vector<Frame> block(std::min(effort.block, frames - recorded));
        record(cage, referee, block, out, plain_ns);
        recorded += static_cast<std::uint32_t>(block.size());
        for (std::size_t i = 0; i < players.size(); ++i)
            players[(i + number) % players.size()].play(block);  // a different first one in each block
    }
    out.pairs /= recorded;
    out.plain_ms = 1e-6 * median(plain_ns);
    for (Player& player : players) out.results.push_back(player.close());
    return out;
}

}  // namespace claybox::bench
