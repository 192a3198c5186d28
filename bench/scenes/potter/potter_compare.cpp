#include "bench/scenes/potter/potter_compare.hpp"

#include "bench/experiments/shared/measure.hpp"

#include <bit>

namespace claybox::bench {

using namespace collision;

namespace {

double module_time(const PotterPlayer& player) {
    std::vector<double> times;
    for (const PotterFrame& frame : touching_frames(player))
        times.push_back(frame.ns.structure + frame.ns.collision);
    return times.empty() ? 0 : median(std::move(times));
}

/// Plays the contestant's frames, at least three of them, within `seconds`. `answers`: of the first
/// contestant, which is ours; filled by it.
OtherResult play(const DeformingEntry& entry, const streams::DentStream& stream, double seconds,
                 std::vector<std::uint32_t>& answers) {
    OtherResult out{entry.id, entry.title, entry.ours, 0, 0, 0, 0, 0, 0, 0};
    const auto contestant = entry.make();
    contestant->set_parts(stream.parts);
    const double start = now_ns();
    contestant->build(stream.mesh);
    out.build_ms = 1e-6 * (now_ns() - start);
    std::vector<double> update, query, frame;
    double left = 1e9 * seconds;
    const bool first = answers.empty();
    for (std::size_t i = 0; i < stream.frames.size() && (i < 3 || left > 0); ++i) {
        contestant->load(stream.frames[i]);
        const double before = now_ns();
        contestant->update();
        const double between = now_ns();
        const std::uint32_t colliding = contestant->query();
        const double after = now_ns();
        if (first) answers.push_back(colliding);
        out.answers += streams::kHandParts;
        out.different += static_cast<std::uint64_t>(std::popcount(colliding ^ answers[i]));
        left -= after - before;
        if (i == 0) continue;  // memory grows in the first frame
        update.push_back(between - before);
        query.push_back(after - between);
        frame.push_back(after - before);
    }
    out.frames = frame.size();
    if (frame.empty()) return out;
    out.update_ms = 1e-6 * median(std::move(update));
    out.query_ms = 1e-6 * median(std::move(query));
    out.frame_ms = 1e-6 * median(std::move(frame));
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
    std::vector<std::uint32_t> answers;
    for (const DeformingEntry& entry : entries) out.results.push_back(play(entry, stream, seconds, answers));
    auto compared = compare_surfaces(surfaces, stream, seconds);
    if (!compared) return compared.error();
    out.surfaces = std::move(compared.value());
    return out;
}

}  // namespace claybox::bench
