// One recording, replayed with every pair algorithm.

#include "app/cli/output.hpp"
#include "app/cli/subcommands.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace claybox::app {

using namespace collision;

namespace {

/// A replay with one algorithm.
struct Row {
    const PairAlgorithm* algorithm = nullptr;
    std::vector<std::uint64_t> colliding;  ///< pairs, per frame
    std::optional<Difference> difference;
    double seconds = 0;                   ///< of all pair tests
    std::uint64_t tests = 0, others = 0;  ///< others: answered by another algorithm
};

Result<Row> replay_with(const Recording& recording, const SessionOptions& options,
                        const PairAlgorithm& algorithm, std::uint64_t frames) {
    const auto use = [&algorithm](WorldSettings& settings) {
        if (settings.pair_algorithm == &algorithm) return;
        settings.pair_algorithm = &algorithm;
        settings.pair_parameters = default_values(algorithm.parameters);
    };
    SessionOptions own = options;
    use(own.settings);
    auto replay = Replay::start(recording, own, use);
    if (!replay) return replay.error();
    Row row;
    row.algorithm = &algorithm;
    for (std::uint64_t frame = 0; frame < frames; ++frame) {
        const Result<bool> stepped = replay.value()->step();
        if (!stepped) return stepped.error();
        if (!stepped.value()) break;
        const PassStats& pass = replay.value()->session().report().pass;
        row.colliding.push_back(pass.colliding);
        row.seconds += pass.seconds_narrow;
        row.tests += pass.tests;
        row.others += pass.fell_back;
    }
    row.difference = replay.value()->difference();
    return row;
}

/// "all equal", or "from frame 31 on: 4 pairs, recorded 5".
std::string outcome(const Row& row, const Row& recorded) {
    if (!row.difference) return "all equal";
    const std::uint64_t frame = row.difference->frame;
    std::string text = "differ from frame " + std::to_string(frame) + " on";
    if (frame == 0 || frame > std::min(row.colliding.size(), recorded.colliding.size())) return text;
    return text + ": " + std::to_string(row.colliding[frame - 1]) + " colliding pairs, recorded " +
           std::to_string(recorded.colliding[frame - 1]);
}

/// Whether a difference is an error: the algorithm promises the same answers as the recorded one.
bool must_agree(const PairAlgorithm& algorithm, const PairAlgorithm& recorded) {
    return algorithm.exact && recorded.exact && algorithm.meaning == recorded.meaning;
}

void print_row(const Row& row, const Row& recorded) {
    char numbers[96];
    std::snprintf(numbers, sizeof numbers, "%10.2f %9llu %9llu  ", row.seconds * 1e3,
                  static_cast<unsigned long long>(row.tests), static_cast<unsigned long long>(row.others));
    std::string name = row.algorithm->id;
    name.resize(std::max<std::size_t>(name.size(), 22), ' ');
    const char* note = must_agree(*row.algorithm, *recorded.algorithm) ? "" : " (may differ)";
    print(name + numbers + outcome(row, recorded) + (row.difference ? note : "") + "\n");
}

}  // namespace

int compare_replays(const Recording& recording, const SessionOptions& options,
                    std::optional<std::uint64_t> limit, const std::string& file) {
    const std::uint64_t frames = limit.value_or(std::numeric_limits<std::uint64_t>::max());
    const PairAlgorithm& own = *options.settings.pair_algorithm;
    const Result<Row> recorded = replay_with(recording, options, own, frames);
    if (!recorded) return report_error(recorded.error());
    print(
        "algorithm              tests (ms)     tests    others  hashes of poses, colliding pairs and "
        "events\n");
    print_row(recorded.value(), recorded.value());
    bool wrong = recorded.value().difference.has_value();
    for (const PairAlgorithm* algorithm : pair_algorithms()) {
        if (algorithm == &own) continue;
        const Result<Row> row = replay_with(recording, options, *algorithm, frames);
        if (!row) return report_error(row.error());
        print_row(row.value(), recorded.value());
        wrong |= row.value().difference && must_agree(*algorithm, own);
    }
    if (!wrong) return finish_output(kExitDone);
    report_error(Error{"an exact algorithm gives another run than the recorded one", file, 0});
    return kExitCheckFailed;
}

}  // namespace claybox::app
