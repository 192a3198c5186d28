// The experiment `potter`: what a frame costs while a hand shapes clay, from ten thousand to a million
// polygons. A frame is everything between a pose of the hand and the bytes for the graphics card.

#include "bench/scenes/potter/potter.hpp"

#include "bench/contestants/contestant.hpp"
#include "bench/experiments/shared/choice.hpp"
#include "bench/scenes/potter/potter_compare.hpp"

#include <algorithm>

namespace claybox::bench {

using namespace collision;

namespace {

struct PotterEffort {
    std::uint64_t frames = 240, hand_frames = 80, other_frames = 60, turn = 10;
    double seconds = 10;  ///< per contestant
};

/// Plays rows that differ only in the number of polygons in turns, so that they meet the same load of the
/// machine.
Status play_together(std::span<const PotterRow> rows, const PotterEffort& effort, PotterRun& run) {
    const PotterSetting setting;
    const std::uint64_t frames = rows.front().part == PotterPart::hand ? effort.hand_frames : effort.frames;
    std::vector<std::unique_ptr<PotterPlayer>> players;
    for (const PotterRow& row : rows) {
        auto player = PotterPlayer::create(row, setting, run.seed, frames);
        if (!player) return player.error();
        players.push_back(std::move(player.value()));
    }
    for (std::uint64_t done = 0; done < frames; done += effort.turn)
        for (const auto& player : players) player->play(std::min(effort.turn, frames - done));
    for (const auto& player : players) {
        if (const Status done = explain_frames(*player, setting, run.seed, nullptr); !done) return done;
        run.rows.push_back(summarise(*player));
    }
    return Done{};
}

bool differ_in_polygons(const PotterRow& a, PotterRow b) {
    b.polygons = a.polygons;
    return a == b;
}

std::vector<DeformingEntry> contestants(PotterRun& run) {
    std::vector<DeformingEntry> out = our_deforming_entries();
    std::erase_if(out, [](const DeformingEntry& e) { return e.id != "mesh_bvh"; });
    for (const Library& library : mesh_libraries())
        out.insert(out.end(), library.deforming.begin(), library.deforming.end());
    run.missing_libraries = list_missing(mesh_libraries());
    return out;
}

std::vector<SurfaceEntry> surface_contestants() {
    std::vector<SurfaceEntry> out{our_surface_entry()};
    for (const Library& library : surface_libraries())
        out.insert(out.end(), library.surface.begin(), library.surface.end());
    return out;
}

Status run_row(const PotterRow& row, const PotterEffort& effort, PotterRun& run) {
    if (row.part == PotterPart::still) {
        auto result = compare_still(row, effort.hand_frames, run.seed);
        if (!result) return result.error();
        run.still.push_back(result.value());
        return Done{};
    }
    auto result = compare_others(row, contestants(run), surface_contestants(), effort.other_frames, run.seed,
                                 effort.seconds);
    if (!result) return result.error();
    run.others.push_back(std::move(result.value()));
    return Done{};
}

Result<ExperimentReport> run_potter(const ExperimentOptions& options) {
    if (!options.algorithms.empty())
        return Error{"--algorithms " + options.algorithms[0] +
                         ": this experiment always runs all contestants, expected no --algorithms",
                     {},
                     0};
    const auto rows = potter_rows(options.rows, options.quick);
    if (!rows) return rows.error();
    PotterEffort effort;
    if (options.quick) effort = {40, 40, 20, 10, 0.2};
    PotterRun run;
    run.quick = options.quick;
    run.seed = options.seed;
    run.frames = effort.frames;
    for (std::size_t i = 0; i < rows.value().size();) {
        std::size_t end = i + 1;
        const PotterRow& row = rows.value()[i];
        if (options.progress) options.progress("row " + row.name());
        if (row.part == PotterPart::still || row.part == PotterPart::others) {
            if (const Status done = run_row(row, effort, run); !done) return done.error();
        } else {
            while (end < rows.value().size() && differ_in_polygons(row, rows.value()[end])) ++end;
            const auto together = std::span(rows.value()).subspan(i, end - i);
            if (const Status done = play_together(together, effort, run); !done) return done.error();
        }
        i = end;
    }
    return report_potter(run);
}

}  // namespace

const Experiment& potter_experiment() {
    static const Experiment experiment{
        "potter", "A hand shapes clay of ten thousand to a million polygons: stages of a frame, memory",
        kPotterRows, run_potter};
    return experiment;
}

}  // namespace claybox::bench
