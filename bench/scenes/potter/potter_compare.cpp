#include "bench/scenes/potter/potter_compare.hpp"

#include "bench/experiments/shared/measure.hpp"

#include <algorithm>
#include <bit>
#include <memory>

namespace claybox::bench {

using namespace collision;

namespace {

double module_time(const PotterPlayer& player) {
    std::vector<double> times;
    for (const PotterFrame& frame : touching_frames(player))
        times.push_back(frame.ns.structure + frame.ns.collision);
    return times.empty() ? 0 : median(std::move(times));
}

/// One contestant on the frames of a stream.
class OtherPlayer {
  public:
    OtherPlayer(const DeformingEntry& entry, const streams::DentStream& stream) : contestant_(entry.make()) {
        result_.id = entry.id;
        result_.title = entry.title;
        result_.ours = entry.ours;
        contestant_->set_parts(stream.parts);
        const double start = now_ns();
        contestant_->build(stream.mesh);
        result_.build_ms = 1e-6 * (now_ns() - start);
    }
    /// Returns the parts that touch the clay, one bit each.
    std::uint32_t play(const streams::DentFrame& frame) {
        contestant_->load(frame);
        const double before = now_ns();
        contestant_->update();
        const double between = now_ns();
        const std::uint32_t colliding = contestant_->query();
        const double after = now_ns();
        spent_ns_ += after - before;
        result_.answers += streams::kHandParts;
        if (played_++ == 0) return colliding;  // memory grows in the first frame
        update_.push_back(between - before);
        query_.push_back(after - between);
        frame_.push_back(after - before);
        return colliding;
    }
    /// Of a frame that was just played: the number of answers that are not ours.
    void add_different(std::uint32_t colliding, std::uint32_t ours) {
        result_.different += static_cast<std::uint64_t>(std::popcount(colliding ^ ours));
    }
    bool has_time(double seconds) const { return played_ < 3 || spent_ns_ < 1e9 * seconds; }
    const std::vector<double>& frame_times() const { return frame_; }
    /// `ours`: times of our frames, of which there are at least as many.
    OtherResult result(const std::vector<double>& ours) && {
        result_.frames = frame_.size();
        if (frame_.empty()) return std::move(result_);
        const auto same = ours.begin() + static_cast<std::ptrdiff_t>(frame_.size());
        result_.against_ours = median(frame_) / median(std::vector<double>(ours.begin(), same));
        result_.spread = spread_of(frame_);
        result_.update_ms = 1e-6 * median(std::move(update_));
        result_.query_ms = 1e-6 * median(std::move(query_));
        result_.frame_ms = 1e-6 * median(std::move(frame_));
        return std::move(result_);
    }

  private:
    std::unique_ptr<DeformingContestant> contestant_;
    OtherResult result_;
    std::vector<double> update_, query_, frame_;
    double spent_ns_ = 0;
    std::size_t played_ = 0;
};

/// The contestants play each frame in turn; the first one is ours. Each plays at least three frames and stops
/// after `seconds`; ours plays as long as any other.
std::vector<OtherResult> play_in_turn(const std::vector<DeformingEntry>& entries,
                                      const streams::DentStream& stream, double seconds) {
    std::vector<OtherPlayer> players;
    players.reserve(entries.size());
    for (const DeformingEntry& entry : entries) players.emplace_back(entry, stream);
    for (const streams::DentFrame& frame : stream.frames) {
        const auto has_time = [&](const OtherPlayer& player) { return player.has_time(seconds); };
        if (std::none_of(players.begin(), players.end(), has_time)) break;
        const std::uint32_t ours = players.front().play(frame);
        for (std::size_t i = 1; i < players.size(); ++i)
            if (players[i].has_time(seconds)) players[i].add_different(players[i].play(frame), ours);
    }
    std::vector<OtherResult> out;
    const std::vector<double> ours = players.front().frame_times();
    for (OtherPlayer& player : players) out.push_back(std::move(player).result(ours));
    return out;
}

}  // namespace

/// The hand goes around the still pot about as fast as the other pot turns, so that both runs press fresh
/// clay. The four runs take turns.
Result<StillResult> compare_still(const PotterRow& row, std::uint64_t frames, std::uint64_t seed) {
    const PotterSetting settings[] = {
        {0.1, false, false}, {0, false, true}, {0.1, true, false}, {0, true, true}};
    std::vector<std::unique_ptr<PotterPlayer>> players;
    for (const PotterSetting& setting : settings) {
        auto player = PotterPlayer::create(row, setting, seed, frames);
        if (!player) return player.error();
        players.push_back(std::move(player.value()));
    }
    constexpr std::uint64_t kTurn = 10;
    for (std::uint64_t done = 0; done < frames; done += kTurn)
        for (const auto& player : players) player->play(std::min(kTurn, frames - done));
    for (std::size_t i = 0; i < players.size(); ++i)
        if (const Status done = explain_frames(*players[i], settings[i], seed, nullptr); !done)
            return done.error();
    return StillResult{row.polygons, module_time(*players[0]), module_time(*players[1]),
                       module_time(*players[2]), module_time(*players[3])};
}

Result<OthersResult> compare_others(const PotterRow& row, const std::vector<DeformingEntry>& entries,
                                    const std::vector<SurfaceEntry>& surfaces, std::uint64_t frames,
                                    std::uint64_t seed, double seconds) {
    const PotterSetting setting;
    auto player = PotterPlayer::create(row, setting, seed, frames);
    if (!player) return player.error();
    player.value()->play(frames);
    streams::DentStream stream;
    if (const Status done = explain_frames(*player.value(), setting, seed, &stream); !done)
        return done.error();
    OthersResult out;
    out.polygons = row.polygons;
    out.vertices = summarise(*player.value()).vertices;
    player.value().reset();
    out.results = play_in_turn(entries, stream, seconds);
    auto compared = compare_surfaces(surfaces, stream, seconds);
    if (!compared) return compared.error();
    out.surfaces = std::move(compared.value());
    return out;
}

}  // namespace claybox::bench
